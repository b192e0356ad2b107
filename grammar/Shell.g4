// Statements of bash, as far as launch scripts use them. Tokens come from a scanner by hand
// (lib/Frameworks/Shell/Scanner.cpp): what a word is depends on quotes inside expansions inside
// quotes, whether `do` is a word depends on where it stands, and a here-document begins lines after
// its `<<`. As lexer modes that takes more rules than the scanner has lines, and a string that is
// read again (`eval`, `bash -c`) would still need the pieces of a word with their positions.
// Every decision needs one token, so that no prediction runs at all.
grammar Shell;

tokens {
  // A word; `A=b` or `A=( … )`; the head `f()` of a function; `2>` or the like; `<<END` with its
  // text; `(( … ))` whole.
  WORD, ASSIGN, FUNCTION, REDIRECT, HEREDOC, ARITH,
  // `[[` and `]]`.
  TESTBEGIN, TESTEND,
  NEWLINE, SEMI, DSEMI, AMP, AND, OR, PIPE, LPAREN, RPAREN, LBRACE, RBRACE, BANG,
  IF, THEN, ELIF, ELSE, FI, FOR, IN, DO, DONE, WHILE, CASE, ESAC
}

@parser::members {
  // The generated table of states is decoded by a static object; the build removes that object, and
  // this decodes it when the first script is read.
  static void decodeTables() { static Initializer Once; }
}

// One command and what ends it: a script is read command by command.
line : andOr terminator? ;
terminator : SEMI | AMP | NEWLINE ;

list : andOr? (terminator andOr?)* ;
andOr : pipeline ((AND | OR) NEWLINE* pipeline)* ;
pipeline : BANG* command (PIPE NEWLINE* command)* ;
command : simple | compound redirect* | function ;

simple : (WORD | ASSIGN | redirect)+ ;
redirect : REDIRECT WORD | HEREDOC ;
function : FUNCTION NEWLINE* compound redirect* ;

compound
  : group | subshell | conditional | loop | forLoop | choice | test | ARITH ;
group : LBRACE list RBRACE ;
subshell : LPAREN list RPAREN ;
conditional : IF list THEN list (ELIF list THEN list)* (ELSE list)? FI ;
loop : WHILE list DO list DONE ;
forLoop : FOR (WORD | ARITH) terminator* (IN (WORD | ASSIGN)* terminator*)? body ;
body : DO list DONE | LBRACE list RBRACE ;
choice : CASE WORD NEWLINE* IN NEWLINE* (arm (DSEMI NEWLINE* arm?)*)? ESAC ;
arm : LPAREN? WORD (PIPE WORD)* RPAREN list ;
test : TESTBEGIN (WORD | AND | OR | BANG | LPAREN | RPAREN)* TESTEND ;
