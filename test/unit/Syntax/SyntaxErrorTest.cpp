// Every mistake is reported once, where a person would mend it, and does not hide its neighbours.
#include "Basic/Diagnostics.h"
#include "SyntaxTestSupport.h"
#include <gtest/gtest.h>
#include <random>

using namespace parlance;

static std::string errors(std::string Text) { return Parsed(std::move(Text)).errors(); }

TEST(SyntaxErrors, PagesShowTheirDiagnostic) {
  unsigned Seen = 0;
  for (const DiagnosticPage &Page : diagnosticPages()) {
    if (Page.Code > "PL0049")
      continue;
    ++Seen;
    Parsed Wrong{std::string(Page.Example)};
    ASSERT_EQ(Wrong.Found.size(), 1u) << Page.Code << '\n' << Wrong.errors();
    EXPECT_EQ(Wrong.Found[0].Code, Page.Code);
    EXPECT_EQ(errors(std::string(Page.Fixed)), "") << Page.Code;
    EXPECT_FALSE(Page.Why.empty()) << Page.Code;
  }
  EXPECT_EQ(Seen, 29u);
}

/// A text may end anywhere: what looks ahead finds the end, not what lies behind it (the sanitizer sees that).
TEST(SyntaxErrors, TextsMayEndAnywhere) {
  for (const DiagnosticPage &Page : diagnosticPages())
    if (Page.Code <= "PL0099")
      for (size_t Length = 0; Length <= Page.Example.size(); ++Length)
        errors(std::string(Page.Example.substr(0, Length)));
}

TEST(SyntaxErrors, FixesOfAMachineMend) {
  for (const DiagnosticPage &Page : diagnosticPages()) {
    if (Page.Code > "PL0049")
      continue;
    Parsed Wrong{std::string(Page.Example)};
    if (!Wrong.Found[0].Fixes.empty()) {
      EXPECT_EQ(errors(Wrong.fixed()), "") << Page.Code << '\n' << Wrong.fixed();
    }
  }
  EXPECT_EQ(Parsed("layout l { tp: 8, pp := 4, zero == 1, batch: { a = 1 } }\n").fixed(),
            "layout l { tp = 8, pp = 4, zero = 1, batch { a = 1 } }\n");
  EXPECT_EQ(Parsed("let a: 1 - b\nlet c : (1)\nlet d: 1/s = 3 1/s\n").fixed(),
            "let a = 1 - b\nlet c = (1)\nlet d: 1/s = 3 1/s\n");
  EXPECT_EQ(Parsed("require a&&!b\n").fixed(), "require a and not b\n");
  EXPECT_EQ(Parsed("layout l = { tp=>8, batch={ a = 1 } }\n").fixed(), "layout l { tp = 8, batch{ a = 1 } }\n");
  EXPECT_EQ(Parsed("require a=1 and b =< 2 and c<>3 and (d = 4) and e === 5\n").fixed(),
            "require a==1 and b <= 2 and c!=3 and (d == 4) and e == 5\n");
  EXPECT_EQ(Parsed("fn f(x: int) => int = if x = 3 then 1 else 2\n").fixed(),
            "fn f(x: int) -> int = if x == 3 then 1 else 2\n");
  EXPECT_EQ(Parsed("let a = 1,000\nlet b = 12,345,678 GB\nlet c = (1,024.5 + 3.)\n").fixed(),
            "let a = 1_000\nlet b = 12_345_678 GB\nlet c = (1_024.5 + 3)\n");
  EXPECT_EQ(Parsed("let a = sum(i 0..3: i) + sum(i=0..3: i) + max(i : 0..3: i)\n").fixed(),
            "let a = sum(i in 0..3: i) + sum(i=0..3: i) + max(i : 0..3: i)\n")
      << "one error for the expression";
  EXPECT_EQ(Parsed("let a = sum(i=0..3: i)\nlet b = max(i , 0..3: i)\n").fixed(),
            "let a = sum(i in 0..3: i)\nlet b = max(i in 0..3: i)\n");
  EXPECT_EQ(Parsed("let `a` = ``b`` + `8 GB`\n").fixed(), "let a = b + 8 GB\n");
  EXPECT_EQ(Parsed("```parlance\nlet a = 3\n").fixed(), "\nlet a = 3\n");
  EXPECT_EQ(Parsed("layout l { tp = { 1, 2 } }\n").fixed(), "layout l { tp = any { 1, 2 } }\n");
}

TEST(SyntaxErrors, EqualSigns) {
  EXPECT_EQ(errors("require 1 = 1 \"one\"\nwarn a.b = c\n"), "1:11 PL0026\n2:10 PL0026");
  EXPECT_EQ(errors("let a = b = c\nlet d = (b = c)\n"), "1:11 PL0026\n2:12 PL0026");
  EXPECT_EQ(Parsed("let a = b = c\nlet d = (b = c)\n").tree(), "(let a error)\n(let d (== b c))\n")
      << "the first may be two assignments";
  EXPECT_EQ(errors("let a = if b = c then b = c else d\n"), "1:14 PL0026\n1:25 PL0026");
  EXPECT_EQ(errors("let a = b = c = d\nrequire 1 = 2 < 3\nrequire 1 < 2 =< 3\n"),
            "1:11 PL0026\n1:15 PL0026\n2:11 PL0026\n3:15 PL0019");
  // A separator or a default is what is wrong here.
  EXPECT_EQ(errors("layout l { tp = 8 pp = 4 }\n"), "1:19 PL0004");
  EXPECT_EQ(errors("layout l { b { c = 1 } tp = 8 }\n"), "1:24 PL0004");
  EXPECT_EQ(errors("let a = 3 let b = 4\nlet c = 3 let d: int = 4\n"), "1:11 PL0004\n2:11 PL0004");
  EXPECT_EQ(errors("fn f(x: int = 3) -> int = x\n"), "1:13 PL0003");
  EXPECT_EQ(errors("let a = max(b = 3)\nlet c = [b = 3]\n"), "1:15 PL0005\n2:12 PL0005");
}

TEST(SyntaxErrors, AssignedBlocks) {
  EXPECT_EQ(errors("job j { batch =\n  { a = 1 }\n}\n"), "1:15 PL0027");
  EXPECT_EQ(Parsed("layout l: { tp = 8 }\nrule r on x = { a = 1 }\n").tree(),
            "(record layout l (field tp 8))\n(rule r < x x (field a 1))\n");
  EXPECT_EQ(errors("let a = { b = 1 }\nlayout l { tp = { 1, 2 }, pp: { 1 } }\n"),
            "1:9 PL0001\n2:17 PL0001\n2:29 PL0018");
}

TEST(SyntaxErrors, LibraryOnly) {
  EXPECT_EQ(errors("schema x top \"doc\" {\n  a: int \"doc\", b == 2, 3 4\n}\nlet a = \n"), "1:1 PL0024\n4:8 PL0001");
  EXPECT_EQ(errors("job j { enum x = a | b, unit y, derive z: int = 3 }\nunit\n"),
            "1:9 PL0024\n1:25 PL0024\n1:33 PL0024\n2:5 PL0003");
  EXPECT_EQ(Parsed("layout l { tp = 8, enum x = a }\n").tree(), "(record layout l (field tp 8))\n");
}

TEST(SyntaxErrors, MissingValueStandsBehindTheSign) {
  EXPECT_EQ(errors("layout l { tp =\n  pp = 4 }\n"), "1:16 PL0001");
  EXPECT_EQ(errors("let a =\n\nlet b = 2\n"), "1:8 PL0001");
  EXPECT_EQ(errors("let a = 1 +\nlet b = 2\n"), "1:12 PL0001");
  EXPECT_EQ(errors("let a = f(1, )\nlet b = f(, 1)\nlet c = f(1, , 2)\n"), "2:11 PL0001\n3:14 PL0001");
  EXPECT_EQ(errors("let a = (1 + )\n"), "1:13 PL0001");
  EXPECT_EQ(errors("layout l { tp = , pp = }\n"), "1:16 PL0001\n1:23 PL0001");
  EXPECT_EQ(errors("require"), "1:8 PL0001");
  Parsed P("layout l {\n  tp =\n  pp = 4\n}\n");
  EXPECT_EQ(P.Found[0].Message, "expected a value after `=`");
  EXPECT_EQ(P.tree(), "(record layout l (field tp error) (field pp 4))\n") << "the field counts as given";
}

TEST(SyntaxErrors, ManyMistakesInOneFile) {
  EXPECT_EQ(errors("let a = \n"
                   "let 5 = 3\n"
                   "layout l {\n"
                   "  tp = 8 9\n"
                   "  pp = 1.2.3\n"
                   "  batch { x = 'a' }\n"
                   "  cp = a < b < c\n"
                   "}\n"
                   "let b = (1 + 2\n"
                   "let c = 3\n"
                   "8 * 3\n"
                   "let d = if a then b\n"
                   "fn f(x int) -> int = x\n"),
            "1:8 PL0001\n2:5 PL0002\n4:10 PL0004\n5:8 PL0013\n6:15 PL0020\n7:14 PL0014\n9:9 "
            "PL0007\n11:1 PL0006\n"
            "12:20 PL0003\n13:8 PL0003");
}

TEST(SyntaxErrors, UnclosedBraces) {
  EXPECT_EQ(errors("layout l { tp = 8\n"), "1:10 PL0007");
  EXPECT_EQ(errors("layout l {\n  tp = 8\njob j {\n  a = 1\n}\nlet z = 3\n"), "1:10 PL0007");
  EXPECT_EQ(errors("job j {\n  batch { a = 1\n  b = 2\n}\nlet z = 3\n"), "2:9 PL0007");
  EXPECT_EQ(errors("job j {\n  batch {\n    a = 1\n  c { x = 1 }\n  b = 2\n}\n"), "2:9 PL0007");
  EXPECT_EQ(errors("job j {\n  batch { a = 1 }\n  }\n  b = 2\n}\n"), "3:3 PL0008");
  EXPECT_EQ(errors("layout l {\ntp = 8\npp = 4\n"), "1:10 PL0007");
  // The other declarations are still there.
  EXPECT_EQ(Parsed("layout l {\n  tp = 8\njob j {\n  a = 1\n}\n").tree(),
            "(record layout l (field tp 8))\n(record job j (field a 1))\n");
}

TEST(SyntaxErrors, UnclosedParentheses) {
  EXPECT_EQ(errors("let a = (1 + 2\nlet b = 3\n"), "1:9 PL0007");
  EXPECT_EQ(errors("let a = f(1, g(2)\nlet b = 3\n"), "1:10 PL0007");
  EXPECT_EQ(errors("layout l { a = (1 + 2, b = 3 }\n"), "1:16 PL0007");
  EXPECT_EQ(errors("layout l { a = ((1 + 2 }\nlet b = 2\n"), "1:17 PL0007");
  EXPECT_EQ(errors("layout l {\n  a = [1, 2\n  b = 3\n}\n"), "2:7 PL0007");
  EXPECT_EQ(errors("layout l { a = any { 1, 2\n  b = 3 }\n"), "1:20 PL0007");
  EXPECT_EQ(errors("fn f(x: int -> int = x\nlet a = f(1)\n"), "1:5 PL0007");
  EXPECT_EQ(errors("let a = [1, (2]\n"), "1:13 PL0007");
  EXPECT_EQ(errors("let a = (1 + 2"), "1:9 PL0007");
  EXPECT_EQ(errors("let a = f(1, x = 2)\n"), "1:16 PL0005") << "not taken for a field of a block";
}

TEST(SyntaxErrors, StrayClosers) {
  EXPECT_EQ(errors("}\nlet a = 1\n"), "1:1 PL0008");
  EXPECT_EQ(errors("let a = 1 )\nlet b = ]2\n"), "1:11 PL0008\n2:9 PL0008");
  EXPECT_EQ(errors("let a = 1 ))))\n"), "1:11 PL0008");
  EXPECT_EQ(errors("job j {\n  a { b = 1 } }\n  c = 2\n}\n"), "2:15 PL0008");
  EXPECT_EQ(errors("job j {\n  a { b = 1 } }\n}\n"), "3:1 PL0008");
  EXPECT_EQ(errors("let a = (1 + 2]\nlet b = [1)\n"), "1:15 PL0009\n2:11 PL0009");
}

TEST(SyntaxErrors, Strings) {
  EXPECT_EQ(errors("use \"abc\nlet a = 1\n"), "1:5 PL0010");
  EXPECT_EQ(errors("job j { a = \"abc, b = 2 }\nlet c = 3\n"), "1:13 PL0010") << "it swallowed the brace";
  EXPECT_EQ(errors("fn f(x: int) -> int \"doc = x\nfn g(x: int) -> int \"\"\"doc\n = x\n"), "1:21 PL0010\n2:21 PL0010");
  EXPECT_EQ(errors("let a = \"\"\"abc\nlet b = 2\n"), "1:9 PL0010");
  EXPECT_EQ(errors("let a = \"x\\qy\\n\\\"\\\\\"\n"), "1:11 PL0011");
  EXPECT_EQ(errors("let a = 'x'\nlet b = 'y\nlet c = 3\n"), "1:9 PL0020\n2:9 PL0020");
  EXPECT_EQ(errors("let a = \xE2\x80\x9Cx y\xE2\x80\x9D\n"), "1:9 PL0020");
  EXPECT_EQ(Parsed("let a = \xE2\x80\x9Cx y\xE2\x80\x9D\n").tree(), "(let a \"x y\")\n");
}

TEST(SyntaxErrors, Characters) {
  EXPECT_EQ(errors("let gr\xC3\xB6\xC3\x9F"
                   "e = 3\n"),
            "1:5 PL0012");
  EXPECT_EQ(Parsed("let a = 3 \xE2\x88\x92 b\n").tree(), "(let a (- 3 b))\n");
  EXPECT_EQ(errors("let a = 3 \xE2\x88\x92 b\n"), "1:11 PL0012");
  EXPECT_EQ(Parsed("let a\xC2\xA0= 3 \xE2\x89\xA4 4\n").fixed(), "let a = 3 <= 4\n");
  EXPECT_EQ(errors("let a = 3 @@@ 4\n"), "1:11 PL0012");
  EXPECT_EQ(errors(std::string("let a = \0 4\n", 12)), "1:9 PL0012");
  EXPECT_EQ(errors("let a = \xFF\xFE 4\n"), "1:9 PL0012");
  EXPECT_EQ(errors("let a = 8\xC2\xA0GB\n"), "1:10 PL0012");
  EXPECT_EQ(errors("let a = `b` + `c`\nlet d = ` 3\n"), "1:9 PL0012\n1:15 PL0012\n2:9 PL0012");
  EXPECT_EQ(errors("# \xFF any byte may stand in a comment\n"), "");
}

TEST(SyntaxErrors, Numbers) {
  EXPECT_EQ(errors("let a = 1__0\nlet b = 1_\nlet c = 1.2.3\nlet d = .5\nlet e = 0x10\nlet f = 1_.5\n"),
            "1:9 PL0013\n2:9 PL0013\n3:9 PL0013\n4:9 PL0013\n5:9 PL0013\n6:9 PL0013");
  EXPECT_EQ(Parsed("let d = .5\n").fixed(), "let d = 0.5\n");
  EXPECT_EQ(errors("let a = 3.\nlet b = 3.e5\nlet c = 3. + x.3.y\n"),
            "1:9 PL0013\n2:9 PL0013\n3:9 PL0013\n3:16 PL0013");
  EXPECT_EQ(errors("layout l { a = 1,000, b = 1,000 GB, c = 1,00 }\n"), "1:16 PL0013\n1:27 PL0013\n1:43 PL0006");
  EXPECT_EQ(errors("let a = max(1,204)\nlet b = [1, 000]\nlet c = max(1,024)\n"), "3:13 PL0013")
      << "only the last is not a list";
}

TEST(SyntaxErrors, Keywords) {
  EXPECT_EQ(errors("let if = 3\nif = 3\nrule = 4\nfn use(x: int) -> int = 3\njob j { any = 3, b = 2 }\n"),
            "1:5 PL0017\n2:1 PL0017\n3:1 PL0017\n4:4 PL0017\n5:9 PL0017");
  EXPECT_EQ(errors("let note = 1\nlet range = 2\nlet unit = 3\nlet from = 4\nlet on = 5\nlet sum = 6\n"), "");
}

TEST(SyntaxErrors, WhatIsLostIsNotMissed) {
  // Nobody can say what these lack.
  for (std::string_view Text :
       {"job j { = 3, a = 1 }\n", "job j { a = 1 { b = 2 } }\n", "job j { a a = 1 }\n", "job j { a.b <= 3 }\n",
        "job j { a { 3 } }\n", "job j { a = \"abc, b = 2 }\n", "rule r on x { a = \"\"\"abc\n b = 2 }\n"}) {
    Parsed P{std::string(Text)};
    EXPECT_EQ(P.Found.size(), 1u) << Text << P.errors();
    ASSERT_EQ(P.Tree->Items.size(), 1u) << Text;
    EXPECT_TRUE(P.Tree->Items[0]->Incomplete) << Text;
  }
  for (std::string_view Text :
       {"job j { a = , b = 1 }\n", "job j { a = 1 b = 2 }\n", "job j { a = 8 9 }\n", "job j { a = b < c < d }\n"})
    EXPECT_FALSE(Parsed{std::string(Text)}.Tree->Items[0]->Incomplete) << Text;
  EXPECT_EQ(Parsed("job j { a = 8 8 * b, c { d = 1 2 } }\nlet e = 8 9\n").tree(),
            "(record job j (field a error) (block c (field d error)))\n(let e error)\n")
      << "half a value is none";
}

TEST(SyntaxErrors, MessagesNeverShowTokenSets) {
  for (std::string_view Text : {"let",
                                "fn",
                                "fn f",
                                "fn f(",
                                "fn f(x",
                                "fn f(x:",
                                "fn f(x: int)",
                                "rule",
                                "rule r",
                                "rule r on",
                                "rule r on x",
                                "fix x y { }",
                                "note x",
                                "model m from",
                                "x y z",
                                "use",
                                "import",
                                "let a = any",
                                "let a = any 1",
                                "let a = sum(i in",
                                "let a: [",
                                "require )",
                                "let a = if",
                                "let a = import",
                                "let a.b = 3",
                                "{",
                                "(",
                                "[",
                                "->",
                                "..",
                                ":",
                                "\"",
                                "let a = 1 .. 2",
                                "job j { 3 }",
                                "job j { job }",
                                "maximize",
                                "a = b = c"}) {
    Parsed P{std::string(Text)};
    EXPECT_GE(P.Found.size(), 1u) << Text;
    EXPECT_LE(P.Found.size(), 1u) << Text << '\n' << P.errors();
    for (const Diagnostic &D : P.Found) {
      EXPECT_EQ(D.Message.find('<'), std::string::npos) << D.Message;
      EXPECT_EQ(D.Message.find("something else"), std::string::npos) << Text << ": " << D.Message;
    }
  }
}

static std::string repeat(std::string_view S, unsigned N) {
  std::string R;
  while (N--)
    R += S;
  return R;
}

TEST(SyntaxLimits, Depth) {
  EXPECT_EQ(errors("let a = " + repeat("(", 199) + "1" + repeat(")", 199)), "");
  EXPECT_EQ(errors("let a = " + repeat("(", 10000) + "1" + repeat(")", 10000)), "1:209 PL0015");
  EXPECT_EQ(errors("let a = " + repeat("(", 10000)), "1:209 PL0015");
  EXPECT_EQ(errors("let a = " + repeat("[", 10000)), "1:209 PL0015");
  EXPECT_EQ(errors(repeat("a {", 10000)), "1:603 PL0015");
  EXPECT_EQ(errors(repeat("a {\n", 10000) + repeat("}\n", 10000)), "201:3 PL0015");
  EXPECT_EQ(errors("let a = " + repeat("-", 10000) + "1"), "1:209 PL0015");
  EXPECT_EQ(errors("let a = " + repeat("not ", 10000) + "b"), "1:809 PL0015");
  EXPECT_EQ(errors("let a = " + repeat("if x then y else ", 10000) + "b"), "1:3409 PL0015");
  EXPECT_EQ(errors("let a = " + repeat("any ", 10000) + "b").substr(2), "809 PL0015");
  EXPECT_EQ(errors("let a = " + repeat("-(", 10000)), "1:209 PL0015");
  EXPECT_EQ(errors("let a: " + repeat("[", 10000)), "1:208 PL0015");
  // Breadth is not depth.
  EXPECT_EQ(errors("let a = [" + repeat("(-1), ", 5000) + "]").substr(0, 0), "");
  EXPECT_EQ(errors(repeat("let a = -1\n", 5000)), "");
}

TEST(SyntaxLimits, Operators) {
  EXPECT_EQ(errors("let a = 1" + repeat(" + 1", 1000)), "");
  EXPECT_EQ(errors("let a = 1" + repeat(" + 1", 100000)), "1:4011 PL0016");
  EXPECT_EQ(errors("let a = b" + repeat(".c", 100000)), "1:2010 PL0016");
  EXPECT_EQ(errors("let a = b" + repeat("()", 100000)), "1:2010 PL0016");
  EXPECT_EQ(errors("let a = 2" + repeat("^2", 100000)), "1:2010 PL0016");
  EXPECT_EQ(errors("let a = [1" + repeat(", 2", 10000) + "]"), "");
  EXPECT_EQ(errors(repeat("let a = 1 + 1\n", 2000)), "");
}

TEST(SyntaxLimits, ManyErrorsAreCounted) {
  Parsed P(repeat("let = 3\n", 5000));
  EXPECT_LE(P.Found.size(), DiagnosticEngine::MaxErrors);
  EXPECT_EQ(P.Found.size() + P.Suppressed, 5000u);
}

TEST(SyntaxLimits, AnyBytes) {
  std::mt19937 Random(1);
  static constexpr std::string_view Words[] = {
      "{",    "}",       "(",   ")",        "[",    "]",      "=",      "==",     ":",        ",",    ".",
      "..",   "->",      "|",   "+",        "-",    "*",      "/",      "%",      "^",        "\n",   " ",
      "let",  "fn",      "if",  "then",     "else", "any",    "sum",    "in",     "rule",     "on",   "job",
      "x",    "tok",     "8",   "4Mi",      "95%",  "\"s\"",  "\"",     "\"\"\"", "'",        "#c\n", "and",
      "not",  "use",     "std", "import",   "unit", "schema", "derive", "range",  "required", "from", "fix",
      "note", "nearest", ";",   "&&",       "!",    "`",      "3.",     "1,000",  "=<",       "//",   "\xE2\x88\x92",
      "\xFF", "$",       "per", "direction"};
  for (unsigned Round = 0; Round < 4000; ++Round) {
    std::string Text;
    for (unsigned N = Random() % 60; N; --N) {
      if (Round % 4 == 0)
        Text += static_cast<char>(Random());
      else
        Text += std::string(Words[Random() % std::size(Words)]) + (Random() % 2 ? " " : "");
    }
    Parsed P(Text, Round % 2);
    ASSERT_TRUE(lossless(Text, *P.Tree)) << Text;
    P.tree();
  }
}
