// Shapes of trees, and the rules that the filter between lexer and parser applies.
#include "SyntaxTestSupport.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace parlance;

TEST(Parser, Precedence) {
  EXPECT_EQ(expression("1 + 2 * 3 - 4"), "(- (+ 1 (* 2 3)) 4)");
  EXPECT_EQ(expression("a / b / c"), "(/ (/ a b) c)");
  EXPECT_EQ(expression("-a ^ 2"), "(- (^ a 2))");
  EXPECT_EQ(expression("2 ^ 3 ^ 2"), "(^ 2 (^ 3 2))");
  EXPECT_EQ(expression("2 ^ -1 * 3"), "(* (^ 2 (- 1)) 3)");
  EXPECT_EQ(expression("not a == b and c or d"), "(or (and (not (== a b)) c) d)");
  EXPECT_EQ(expression("(a + b) * c"), "(* (+ a b) c)");
  EXPECT_EQ(expression("a - -b"), "(- a (- b))");
  EXPECT_EQ(expression("if a then b else c + d"), "(if a b (+ c d))");
  EXPECT_EQ(expression("if a then b else if c then d else e"), "(if a b (if c d e))");
}

TEST(Parser, Postfix) {
  EXPECT_EQ(expression("a.b.c"), "(. (. a b) c)");
  EXPECT_EQ(expression("memory.stage(0).weights"), "(. (call (. memory stage) 0) weights)");
  EXPECT_EQ(expression("f(1, g(x), [2, 3,])"), "(call f 1 (call g x) (list 2 3))");
  EXPECT_EQ(expression("f()"), "(call f)");
  EXPECT_EQ(expression("m.if.then"), "(. (. m if) then)");
}

TEST(Parser, Atoms) {
  EXPECT_EQ(expression("true"), "true");
  EXPECT_EQ(expression("auto"), "auto");
  EXPECT_EQ(expression("\"a \\\" b\""), "\"a \\\" b\"");
  EXPECT_EQ(expression("\"\"\"two\nlines\"\"\""), "\"two\nlines\"");
  EXPECT_EQ(expression("any { 1, 2, }"), "(any 1 2)");
  EXPECT_EQ(expression("any 1..8"), "(any.. 1 8)");
  EXPECT_EQ(expression("import \"a.json\""), "(import \"a.json\")");
  EXPECT_EQ(expression("sum(i in 0..n: i * 2)"), "(sum i 0 n (* i 2))");
  EXPECT_EQ(expression("min(1, 2) + max(i in 0..3: i)"), "(+ (call min 1 2) (max i 0 3 i))");
  EXPECT_EQ(expression("min(in, 2)"), "(call min in 2)");
}

TEST(Parser, Numbers) {
  EXPECT_EQ(expression("1_000.5e-3"), "1_000.5e-3");
  EXPECT_EQ(expression("80GB"), "(80 GB)");
  EXPECT_EQ(expression("80GB/s"), "(80 GB/s)");
  EXPECT_EQ(expression("4Mi tok"), "(4Mi tok)");
  EXPECT_EQ(expression("8K tok/seq"), "(8K tok/seq)");
  EXPECT_EQ(expression("400 Gb/s"), "(400 Gb/s)") << "refused spellings are units to the parser";
  EXPECT_EQ(expression("80 Gbs"), "(80 Gbs)") << "so are unknown ones behind a number";
  EXPECT_EQ(expression("1f1b"), "1f1b");
  EXPECT_EQ(expression("8node-1"), "(- (8 node) 1)");
}

TEST(Parser, PercentOrModulo) {
  EXPECT_EQ(expression("95%"), "95%");
  EXPECT_EQ(expression("65% / (1 + 1/3)"), "(/ 65% (+ 1 (/ 1 3)))");
  EXPECT_EQ(expression("95 % 3"), "(% 95 3)");
  EXPECT_EQ(expression("95%n"), "(% 95 n)");
  EXPECT_EQ(expression("if a > 5% then 1 else 2"), "(if (> a 5%) 1 2)");
  EXPECT_EQ(expression("a % b"), "(% a b)");
  EXPECT_EQ(Parsed("require a >= 8% \"room\"\n").tree(), "(require \"room\" (>= a 8%))\n");
}

TEST(Parser, UnitsAreGreedyBehindNumbers) {
  EXPECT_EQ(expression("x / 2 B/elem"), "(/ x (2 B/elem))");
  EXPECT_EQ(expression("2 B*s^2/gpu * 3"), "(* (2 B*s^2/gpu) 3)");
  EXPECT_EQ(expression("2 s^-1"), "(2 1/s)");
  EXPECT_EQ(expression("900 GB/s bidirectional + 450 GB/s per direction"),
            "(+ (900 GB/s bidirectional) (450 GB/s per direction))");
  EXPECT_EQ(expression("2 * P * 2 B/elem * (1 / replica)"), "(* (* (* 2 P) (2 B/elem)) (/ 1 (unit replica)))");
  EXPECT_EQ(expression("1 / replica / gpu"), "(/ (/ 1 (unit replica)) (unit gpu))");
}

TEST(Parser, UnitNamesThatAreNames) {
  EXPECT_EQ(expression("params.total"), "(. params total)");
  EXPECT_EQ(expression("2 B/params.total"), "(/ (2 B) (. params total))");
  EXPECT_EQ(expression("m.layers * tokens"), "(* (. m layers) (unit tokens))");
  EXPECT_EQ(Parsed("fn f(params: elem, tokens: tok/replica) -> ratio = 4 FLOP/elem/tok * params * tokens\n").tree(),
            "(fn f (params : elem) (tokens : tok/replica) : ratio (* (* (4 FLOP/elem/tok) params) "
            "tokens))\n");
  EXPECT_EQ(Parsed("let s = 4096\n").tree(), "(let s 4096)\n") << "the checker refuses it, not the parser";
  EXPECT_EQ(Parsed("model m { layers = 32, node = 8 * h100 }\n").tree(),
            "(record model m (field layers 32) (field node (* 8 h100)))\n");
}

TEST(Parser, Items) {
  EXPECT_EQ(Parsed("use std/hardware\nuse \"./x.parl\"\n").tree(), "(use std/hardware)\n(use ./x.parl)\n");
  EXPECT_EQ(Parsed("model tuned from llama3_70b { vocab = 131072 }\n").tree(),
            "(record model tuned < llama3_70b (field vocab 131072))\n");
  EXPECT_EQ(Parsed("model m = import \"config.json\"\n").tree(), "(record model m (import \"config.json\"))\n");
  EXPECT_EQ(Parsed("let len: tok/seq \"length\" = 8192 tok/seq\n").tree(),
            "(let len : tok/seq \"length\" (8192 tok/seq))\n");
  EXPECT_EQ(Parsed("warn a < b \"oh\"\nmaximize mfu\nminimize cost(1)\n").tree(),
            "(warn \"oh\" (< a b))\n(maximize mfu)\n(minimize (call cost 1))\n");
  EXPECT_EQ(Parsed("job j {\n  batch { global = 4Mi tok, micro = 1 seq }\n  let x = 3\n  require x < 4\n}\n").tree(),
            "(record job j (block batch (field global (4Mi tok)) (field micro (1 seq))) (let x 3) "
            "(require (< x 4)))\n");
}

/// A keyword where an item begins and a name follows; a name elsewhere.
TEST(Parser, Assume) {
  EXPECT_EQ(Parsed("job j { assume host_fused = 2 us, assume x = 1 + y\n assume s = 3 }\n").tree(),
            "(record job j (assume host_fused (2 us)) (assume x (+ 1 y)) (assume s 3))\n");
  EXPECT_EQ(Parsed("let assume = 3\nlayout l { assume = 2, tp = assume }\nfn f(assume: int) -> int "
                   "= assume\n")
                .tree(),
            "(let assume 3)\n(record layout l (field assume 2) (field tp assume))\n"
            "(fn f (assume : int) : int assume)\n");
  EXPECT_EQ(Parsed("job j { assume x 3\n tp = 2 }\n").errors(), "1:18 PL0003");
}

TEST(Parser, TestsOfRules) {
  EXPECT_EQ(Parsed("test r {\n  fires { seq_len = 4 }\n  passes from a { }\n  fires b from a { }\n"
                   "  passes c { }, fires d = import \"x\"\n}\n")
                .tree(),
            "(test test r (case fires fires (field seq_len 4)) (case passes passes < a) "
            "(case fires b < a) (case passes c) (case fires d (import \"x\")))\n");
  // Outside of their place the words are names like any other.
  EXPECT_EQ(Parsed("let fires = 3\nlet test = fires\nmodel test { passes = 1 }\n"
                   "layout from { tp = 1 }\n")
                .tree(),
            "(let fires 3)\n(let test fires)\n(record model test (field passes 1))\n"
            "(record layout from (field tp 1))\n");
  EXPECT_EQ(Parsed("test r { fires from a }\n").errors(), "1:22 PL0003");
}

TEST(Parser, Rules) {
  EXPECT_EQ(Parsed("rule r PL2003 on layout.tp {\n  severity = error\n  message = \"{a}\"\n  note "
                   "model.heads = \"here\"\n"
                   "  fix layout.tp in divisors(model.heads), nearest\n  fix layout.zero = 1\n  "
                   "frameworks = [megatron]\n}\n")
                .tree(),
            "(rule PL2003 r < layout.tp (. layout tp) (field severity error) (field message \"{a}\") "
            "(note \"here\" (. model heads)) (fix 'nearest (. layout tp) (call divisors (. model "
            "heads))) "
            "(fix (. layout zero) 1) (field frameworks (list megatron)))\n");
}

TEST(Parser, LibraryItems) {
  EXPECT_EQ(Parsed("unit B : information prefixes decimal binary \"byte\"\n", true).tree(),
            "(unit B < information 'prefixes 'decimal 'binary \"byte\")\n");
  EXPECT_EQ(Parsed("unit bit = 1/8 B prefixes decimal \"bit\"\n", true).tree(),
            "(unit bit 'prefixes 'decimal \"bit\" (* (/ 1 8) (unit B)))\n")
      << "the unit belongs to the whole factor";
  EXPECT_EQ(Parsed("refuse unit Gb \"which?\" Gbit/s GB\n", true).tree(), "(refuse Gb 'Gbit/s 'GB \"which?\")\n");
  EXPECT_EQ(Parsed("enum dtype = fp32 | bf16 \"doc\"\n", true).tree(), "(enum dtype : fp32|bf16 \"doc\")\n");
  EXPECT_EQ(Parsed("schema l top \"doc\" {\n  tp: gpu/stage = 1 \"t\" required range 1..\n  g: tok | seq "
                   "= auto \"g\" computed\n"
                   "  z: int = 0 range 0..3\n  n: int * device\n  w: B/s per direction required\n  t: "
                   "[dtype]\n}\n",
                   true)
                .tree(),
            "(schema l 'top \"doc\" (schema-field tp : gpu/stage 'required 'range \"t\" 1 (list 1)) "
            "(schema-field g : tok|seq 'computed \"g\" auto) (schema-field z : int 'range 0 (list 0 3)) "
            "(schema-field n : int*device) (schema-field w : B/s per direction 'required) (schema-field "
            "t : [dtype]))\n");
  EXPECT_EQ(Parsed("derive memory.stage.weights(i: int): B/gpu when i > 0 \"doc\" = i * 2 B/gpu\n", true).tree(),
            "(derive memory.stage.weights (i : int) : B/gpu \"doc\" (* i (2 B/gpu)) (> i 0))\n");
  EXPECT_EQ(Parsed("derive x: 1/s = 1 / 2 s\n", true).tree(), "(derive x : 1/s (/ 1 (2 s)))\n");
}

TEST(Parser, LinesThatGoOn) {
  EXPECT_EQ(Parsed("let a = 1 +\n  2\n").tree(), "(let a (+ 1 2))\n");
  EXPECT_EQ(Parsed("let a = 1\n  + 2\n").tree(), "(let a (+ 1 2))\n");
  EXPECT_EQ(Parsed("let a = max(1,\n  2 # two\n)\n").tree(), "(let a (call max 1 2))\n");
  EXPECT_EQ(Parsed("let a = if x\n  then y\n  else z\n").tree(), "(let a (if x y z))\n");
  EXPECT_EQ(Parsed("fn f(x: int) -> int\n  \"doc\"\n  = x\n").tree(), "(fn f (x : int) : int \"doc\" x)\n");
  EXPECT_EQ(Parsed("let a = x\n  and y\nlet b = m\n  .c\n").tree(), "(let a (and x y))\n(let b (. m c))\n");
  EXPECT_EQ(Parsed("job j\n{\n  a = 1\n}\n").tree(), "(record job j (field a 1))\n");
  EXPECT_EQ(Parsed("job j {}\r\nlet a = 1\r\n").tree(), "(record job j)\n(let a 1)\n");
  EXPECT_EQ(Parsed("").tree(), "");
  EXPECT_EQ(Parsed("# only a comment").tree(), "");
}

TEST(Parser, Ranges) {
  Parsed P("let x = (a + b) * c\n");
  const ast::Expr &E = *P.Tree->Items[0]->Value;
  EXPECT_EQ(P.Sources.text(E.Range), "(a + b) * c");
  EXPECT_EQ(P.Sources.text(E.AtRange), "*");
  EXPECT_EQ(P.Sources.text(E.Args[0]->Range), "(a + b)");
  EXPECT_EQ(P.Sources.text(P.Tree->Items[0]->Range), "let x = (a + b) * c");
  EXPECT_EQ(P.Sources.text(P.Tree->Items[0]->Id.Range), "x");
  Parsed Q("require 900 GB/s bidirectional > x.y\n");
  const ast::Expr &C = *Q.Tree->Items[0]->Value;
  EXPECT_EQ(Q.Sources.text(C.Args[0]->Unit->Range), "GB/s bidirectional");
  EXPECT_EQ(Q.Sources.text(C.Args[0]->Unit->QualRange), "bidirectional");
  EXPECT_EQ(Q.Sources.text(C.Args[0]->Unit->Terms[1].Range), "s");
  EXPECT_EQ(Q.Sources.text(C.Args[1]->AtRange), "y");
}

TEST(Parser, Expressions) {
  Parsed P("rule r on x { message = \"has {a + 2 GB} left\" }\n");
  uint32_t Begin = static_cast<uint32_t>(P.Sources.file(P.File).text().find("a + 2"));
  DiagnosticEngine Diags;
  ast::Expr *E = parseExpression(*P.Tree, P.Sources, {P.File, Begin, Begin + 8}, testUnits(), Diags);
  ASSERT_TRUE(E);
  EXPECT_EQ(dump(*E), "(+ a (2 GB))");
  EXPECT_EQ(P.Sources.text(E->Range), "a + 2 GB");
  EXPECT_FALSE(parseExpression(*P.Tree, P.Sources, {P.File, Begin, Begin + 3}, testUnits(), Diags));
  std::vector<Diagnostic> Found = Diags.take();
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Code, "PL0001");
  EXPECT_EQ(Found[0].Range.Begin, Begin + 3);
  DiagnosticEngine Empty;
  EXPECT_FALSE(parseExpression(*P.Tree, P.Sources, {P.File, Begin, Begin}, testUnits(), Empty));
  EXPECT_EQ(Empty.errors(), 1u);
}

TEST(Parser, TokensKeepTheFile) {
  std::string Text = "# head\r\nlet a = 4Mi tok  # tail\n\n\tjob j { b = \"x\", c = 95% }\r\n let "
                     "größe = 3 $ '4\n\"open";
  Parsed P(Text);
  EXPECT_TRUE(lossless(Text, *P.Tree));
  std::string Kinds;
  Parsed Q("let a = 2 GB/s # c\nuse = sum \"s\"");
  for (const Token &T : Q.Tree->Tokens)
    Kinds += "IKUNSPnCx"[static_cast<unsigned>(T.K)];
  EXPECT_EQ(Kinds, "KIPNUPUCnKPIS");
}

#ifdef PARLANCE_SOURCE_DIR
TEST(Parser, StandardLibraryAndExamples) {
  namespace fs = std::filesystem;
  for (auto [Folder, Library] : {std::pair("/lib/std", true), std::pair("/docs/examples", false)}) {
    fs::path Root = std::string(PARLANCE_SOURCE_DIR) + Folder;
    if (!fs::exists(Root))
      continue;
    for (const auto &Entry : fs::recursive_directory_iterator(Root)) {
      if (Entry.path().extension() != ".parl")
        continue;
      std::ifstream In(Entry.path(), std::ios::binary);
      std::string Text((std::istreambuf_iterator<char>(In)), {});
      Parsed P(Text, Library);
      EXPECT_EQ(P.errors(), "") << Entry.path();
      EXPECT_TRUE(lossless(Text, *P.Tree)) << Entry.path();
    }
  }
}
#endif
