// The Parlance language. The lexer's tokens pass through a filter (lib/Syntax/TokenFilter.cpp)
// before the parser sees them; the filter makes the tokens of the list below. Every parser decision
// needs one token of lookahead, so that no prediction runs at all.
grammar Parlance;

tokens {
  // A separator of items: a line break that counts, a comma in a block, or inserted before `}` and
  // the end of the file.
  SEP,
  // An identifier that is neither a keyword nor a unit; a unit standing alone; a unit expression
  // (`GB/s per direction`).
  NAME, UNIT, UNITEXPR,
  // The braces of `any { … }`, and `sum`, `min` or `max` before `(i in …`.
  LSET, RSET, REDUCE,
  // Reserved words.
  USE, LET, FN, REQUIRE, WARN, RULE, MAXIMIZE, MINIMIZE,
  IF, THEN, ELSE, AND, OR, NOT, TRUE, FALSE, AUTO, ANY, IMPORT,
  // Words that are keywords only in their place.
  FROM, ON, IN, ASSUME, NOTE, FIX, NEAREST, UNITKW, REFUSE, ENUM, SCHEMA, DERIVE, WHEN, ATTRIBUTE, RANGE
}

file : (item SEP)* EOF ;
fragmentOfFile : expr EOF ;

item
  : use | let | function | claim | objective | assumption | lintRule | note | fix
  | unitDecl | refusal | enumeration | schema | derivation
  | named
  ;
use : USE (STRING | module) ;
module : name (SLASH name)* ;
let : LET name (COLON type)? STRING? ASSIGN expr ;
function : FN name params ARROW type STRING? ASSIGN expr ;
claim : (REQUIRE | WARN) expr STRING? ;
objective : (MAXIMIZE | MINIMIZE) expr ;
assumption : ASSUME name ASSIGN expr ;
lintRule : RULE name name? ON path body ;
note : NOTE path ASSIGN STRING ;
fix : FIX path (ASSIGN expr | IN expr (COMMA NEAREST)?) ;

// The standard library's own declarations.
unitDecl : UNITKW name (COLON name | ASSIGN expr) (name COMMA?)* STRING? ;
refusal : REFUSE UNITKW name STRING (module COMMA?)* ;
enumeration : ENUM name ASSIGN type STRING? ;
schema : SCHEMA name name? STRING? body ;
derivation : DERIVE path params? COLON type (WHEN expr)? STRING? ASSIGN expr ;

// Everything that begins with a name: a field, a block, a field of a schema, a record, and the
// tests of rules with their cases.
named : name (fieldValue | body | schemaField | record | unnamedCase) ;
fieldValue : ASSIGN expr ;
schemaField : COLON type (ASSIGN expr)? STRING? attribute* ;
attribute : ATTRIBUTE (path | STRING)? | RANGE expr DOTDOT expr? ;
record : name ((FROM name)? body | ASSIGN import_) ;
unnamedCase : FROM name body ;
body : LBRACE (item SEP)* RBRACE ;

name : NAME | UNIT ;
path : name (DOT NAME)* ;
params : LPAREN (param (COMMA param)*)? RPAREN ;
param : name COLON type ;
type : LBRACKET type RBRACKET | alternative (BAR alternative)* ;
alternative : UNITEXPR | UNIT | NUMBER | NAME (STAR name)? ;

// Flat: precedence is applied when the syntax tree is built (Operators.cpp), which keeps the parse
// tree small. From loosest: `or`; `and`; `not`; comparisons, which do not chain; `+ -`; `* / %`;
// the sign; `^`, which groups to the right.
expr
  : IF expr THEN expr ELSE expr
  | ANY (LSET args RSET | expr DOTDOT expr)
  | operand
    ( (OR | AND | EQ | NE | LT | LE | GT | GE | PLUS | MINUS | STAR | SLASH | PERCENT | CARET)
      operand )*
  ;
operand : (MINUS | NOT)* atom postfix* ;
postfix : DOT NAME | LPAREN args RPAREN ;
args : (expr (COMMA expr)*)? ;
atom
  : NUMBER UNITEXPR? | UNIT | STRING | TRUE | FALSE | AUTO | NAME
  | group | list | import_ | reduction
  ;
group : LPAREN expr RPAREN ;
list : LBRACKET args RBRACKET ;
import_ : IMPORT STRING ;
reduction : REDUCE LPAREN name IN expr DOTDOT expr COLON expr RPAREN ;

// The lexer reads bytes. Those that these rules treat alike arrive as one of them (Parser.cpp, which
// must follow a change here), those above 0x7E as 0x7F. No rule has a command: the caller sorts the
// kinds out.
IDENT : [A-Za-z_] [A-Za-z0-9_]* ;
NUMBER : DIGITS ('.' DIGITS)* ([eE] [+-]? [0-9]+)? [A-Za-z0-9_]* ;
fragment DIGITS : [0-9] [0-9_]* ;
STRING : '"' (~["\\\r\n] | '\\' ~[\r\n])* '"' ;

LBRACE : '{' ;
RBRACE : '}' ;
LPAREN : '(' ;
RPAREN : ')' ;
LBRACKET : '[' ;
RBRACKET : ']' ;
ASSIGN : '=' ;
COLON : ':' ;
COMMA : ',' ;
DOT : '.' ;
DOTDOT : '..' ;
ARROW : '->' ;
BAR : '|' ;
EQ : '==' ;
NE : '!=' ;
LT : '<' ;
LE : '<=' ;
GT : '>' ;
GE : '>=' ;
PLUS : '+' ;
MINUS : '-' ;
STAR : '*' ;
SLASH : '/' ;
PERCENT : '%' ;
CARET : '^' ;

NEWLINE : '\r'? '\n' ;
COMMENT : '#' (~[\r\n] | '\r'+ ~[\r\n])* ;
BLANK : [ \t\r\f\u000B]+ ;

// Mistakes that deserve an own sentence, and everything else.
TRIPLE : '"""' .*? ('"""' | EOF) ;
OPENSTRING : '"' (~["\\\r\n] | '\\' ~[\r\n])* '\\'? ;
QUOTED : '\'' ~['\r\n]* '\''? ;
SLASHES : '//' ~[\r\n]* ;
AMPAMP : '&&' ;
BARBAR : '||' ;
BANG : '!' ;
STARSTAR : '**' ;
SEMICOLON : ';' ;
NONASCII : '\u007F'+ ;
INVALID : . ;
