// Types that are inferred, and mistakes that are found: each once, at the place where a person would mend it.
#include "Basic/Diagnostics.h"
#include "Support.h"
#include <filesystem>
#include <fstream>

using namespace parlance;

namespace {

/// The type of the right-hand side of `let a = …`.
std::string typeOf(std::string_view Expression) {
  Checked C(fmt::format("let a = {}\n", Expression));
  std::string Errors = C.reported();
  return Errors.empty() ? C.typeOf("a") : Errors;
}
/// What is reported for a file: "CODE LINE:COLUMN" by lines.
std::string errors(std::string_view Text) { return Checked(std::string(Text)).reported(); }
/// The same with everything evaluated.
std::string analyzed(std::string_view Text) {
  Checked C{std::string(Text)};
  C.analyze();
  return C.reported();
}
/// The only message of a file, with its notes and the titles of its fixes.
std::string message(std::string_view Text) {
  Checked C{std::string(Text)};
  auto All = C.take();
  if (All.size() != 1)
    return fmt::format("{} diagnostics", All.size());
  std::string Out = All[0].Message;
  for (const Note &N : All[0].Notes)
    Out += " | " + N.Message;
  for (const Fix &F : All[0].Fixes)
    Out += " | fix " + F.Title;
  return Out;
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

TEST(Infer, Literals) {
  EXPECT_EQ(typeOf("3"), "ratio");
  EXPECT_EQ(typeOf("80 GB"), "B");
  EXPECT_EQ(typeOf("80GiB"), "B");
  EXPECT_EQ(typeOf("400 Gbit/s"), "B/s");
  EXPECT_EQ(typeOf("989 TFLOP/s"), "FLOP/s");
  EXPECT_EQ(typeOf("989 TFLOPS"), "FLOP/s");
  EXPECT_EQ(typeOf("900 GB/s bidirectional"), "B/s per direction");
  EXPECT_EQ(typeOf("450 GB/s per direction"), "B/s per direction");
  EXPECT_EQ(typeOf("7G elem"), "elem");
  EXPECT_EQ(typeOf("95%"), "ratio");
  EXPECT_EQ(typeOf("true"), "bool");
  EXPECT_EQ(typeOf("\"text\""), "string");
  EXPECT_EQ(typeOf("2 hours"), "s");
  EXPECT_EQ(typeOf("3 s^2"), "s^2");
  EXPECT_EQ(typeOf("4 1/s"), "PL0004 1:11") << "a unit begins with a name";
}

TEST(Infer, ProductsAndQuotients) {
  EXPECT_EQ(typeOf("3 GB / 2 s"), "B/s");
  EXPECT_EQ(typeOf("3 GB / (2 s)"), "B/s");
  EXPECT_EQ(typeOf("3 GB / 2 GB"), "ratio");
  EXPECT_EQ(typeOf("7G elem * 2 B/elem"), "B");
  EXPECT_EQ(typeOf("6 FLOP/elem/tok * 7G elem * 4M tok"), "FLOP");
  EXPECT_EQ(typeOf("8 gpu / node"), "gpu/node");
  EXPECT_EQ(typeOf("1 / replica / gpu"), "1/(gpu·replica)");
  EXPECT_EQ(typeOf("2 * 3"), "ratio");
  EXPECT_EQ(typeOf("-3 GB"), "B");
}

TEST(Infer, SumsNeedOneUnit) {
  EXPECT_EQ(typeOf("3 GB + 2 GiB"), "B");
  EXPECT_EQ(typeOf("3 GB - 2 B"), "B");
  EXPECT_EQ(typeOf("3 GB + 2"), "PL1011 1:14");
  EXPECT_EQ(typeOf("3 GB + 2 s"), "PL1011 1:14");
  EXPECT_EQ(typeOf("3 GB + 2 B/gpu"), "PL1011 1:14");
  EXPECT_EQ(typeOf("3 + true"), "PL0064 1:13");
}

TEST(Infer, BareIntegersAdoptPopulations) {
  EXPECT_EQ(typeOf("8 gpu - 1"), "gpu");
  EXPECT_EQ(typeOf("1 + 8 gpu/node"), "gpu/node");
  EXPECT_EQ(typeOf("2 * 3 + 8 gpu"), "gpu");
  EXPECT_EQ(typeOf("min(4, 8 replica)"), "replica");
  EXPECT_EQ(typeOf("8 gpu - 1.5"), "PL1011 1:15") << "only whole numbers";
  EXPECT_EQ(typeOf("8 gpu - 100%"), "PL1011 1:15");
  EXPECT_EQ(typeOf("8 tok - 1"), "PL1011 1:15") << "tokens are not a population";
  EXPECT_EQ(typeOf("8 gpu - 6 / 2"), "gpu");
  EXPECT_EQ(errors("let n = 1\nlet a = 8 gpu - n\n"), "PL1011 2:15") << "a name is not a literal";
}

TEST(Infer, Remainders) {
  EXPECT_EQ(typeOf("80 layer % (4 stage/replica * 2)"), "layer");
  EXPECT_EQ(typeOf("64 % 8 gpu"), "ratio");
  EXPECT_EQ(typeOf("divides(8 gpu, 64)"), "bool");
  EXPECT_EQ(typeOf("8192 tok/seq % (2 tok/seq * 4)"), "tok/seq");
  EXPECT_EQ(typeOf("8192 tok % 8"), "PL1011 1:18");
  EXPECT_EQ(typeOf("divides(8 tok, 3 GB)"), "PL1011 1:9");
  EXPECT_EQ(typeOf("divides(true, 3)"), "PL0064 1:17");
}

TEST(Infer, Comparisons) {
  EXPECT_EQ(typeOf("3 GB < 4 GiB"), "bool");
  EXPECT_EQ(typeOf("8 gpu == 8"), "bool");
  EXPECT_EQ(typeOf("true != false"), "bool");
  EXPECT_EQ(typeOf("\"a\" == \"b\""), "bool");
  EXPECT_EQ(typeOf("3 GB < 4"), "PL1011 1:14");
  EXPECT_EQ(typeOf("true < false"), "PL1011 1:14");
  EXPECT_EQ(typeOf("true == 1"), "PL1011 1:14");
  EXPECT_EQ(typeOf("1 < 2 < 3"), "PL0014 1:15");
}

TEST(Infer, Conditions) {
  EXPECT_EQ(typeOf("1 < 2 and not (3 < 4) or false"), "bool");
  EXPECT_EQ(typeOf("1 and true"), "PL0065 1:9");
  EXPECT_EQ(typeOf("true or 2 GB"), "PL0065 1:17");
  EXPECT_EQ(typeOf("not 3"), "PL0065 1:13");
  EXPECT_EQ(errors("require 3 GB\n"), "PL0065 1:9");
  EXPECT_EQ(errors("warn 3\n"), "PL0065 1:6");
}

TEST(Infer, Powers) {
  EXPECT_EQ(typeOf("(3 GB) ^ 2"), "B^2");
  EXPECT_EQ(typeOf("(2 s) ^ -1"), "1/s");
  EXPECT_EQ(typeOf("2 ^ 0.5"), "ratio");
  EXPECT_EQ(typeOf("(3 GB) ^ 0.5"), "PL1010 1:18");
  EXPECT_EQ(typeOf("(3 GB) ^ 9"), "PL1010 1:18");
  EXPECT_EQ(typeOf("2 ^ (3 gpu)"), "PL1012 1:13");
  EXPECT_EQ(errors("let n = 2\nlet a = (3 GB) ^ n\n"), "PL1010 2:18");
  EXPECT_EQ(typeOf("(3 s^8) ^ 8"), "PL1009 1:9");
}

TEST(Infer, Functions) {
  EXPECT_EQ(typeOf("sqrt(9 GB^2)"), "B");
  EXPECT_EQ(typeOf("sqrt(9 GB)"), "PL1013 1:9");
  EXPECT_EQ(typeOf("log2(8)"), "ratio");
  EXPECT_EQ(typeOf("log2(8 GB)"), "PL1012 1:14");
  EXPECT_EQ(typeOf("ceil(2.5 GB)"), "B");
  EXPECT_EQ(typeOf("abs(-2 s)"), "s");
  EXPECT_EQ(typeOf("max(3 GB, 4 GiB, 1 B)"), "B");
  EXPECT_EQ(typeOf("max(3 GB, 4 s)"), "PL1011 1:9");
  EXPECT_EQ(typeOf("min()"), "PL0063 1:9");
  EXPECT_EQ(typeOf("sqrt(1, 2)"), "PL0063 1:9");
  EXPECT_EQ(typeOf("sqroot(2)"), "PL0050 1:9");
  EXPECT_EQ(typeOf("ridge(989 TFLOP/s/gpu, 3.35 TB/s/gpu)"), "FLOP/B");
  EXPECT_EQ(typeOf("ridge(989 TFLOP/s/gpu)"), "PL0063 1:9");
  EXPECT_EQ(typeOf("ridge(989 TFLOP/s, 3.35 TB/s/gpu)"), "PL0078 1:15");
  EXPECT_EQ(typeOf("known(3)"), "bool");
}

TEST(Infer, Branches) {
  EXPECT_EQ(typeOf("if true then 3 GB else 4 GiB"), "B");
  EXPECT_EQ(typeOf("if true then 8 gpu else 1"), "gpu");
  EXPECT_EQ(typeOf("if true then 3 GB else 4 s"), "PL0077 1:32");
  EXPECT_EQ(typeOf("if true then 3 GB else false"), "PL0077 1:32");
  EXPECT_EQ(typeOf("if 3 then 1 else 2"), "PL0065 1:12");
}

TEST(Infer, Reductions) {
  EXPECT_EQ(typeOf("sum(i in 0..4: i * 1 GB)"), "B");
  EXPECT_EQ(typeOf("max(i in 0..8 gpu: i)"), "int");
  EXPECT_EQ(typeOf("sum(i in 0..4 tok: i)"), "PL1012 1:21");
  EXPECT_EQ(typeOf("sum(i in 0..2: true)"), "PL0064 1:24");
  EXPECT_EQ(typeOf("sum(i in 0..2: sum(j in 0..i: i + j))"), "int");
  EXPECT_EQ(typeOf("sum(i in 0..2: j)"), "PL0050 1:24");
  EXPECT_EQ(typeOf("sum(i in 0..2: i) + i"), "PL0050 1:29") << "the variable ends with its body";
}

TEST(Infer, Qualifiers) {
  EXPECT_EQ(typeOf("50% * 450 GB/s per direction"), "B/s per direction");
  EXPECT_EQ(typeOf("450 GB/s per direction / 2"), "B/s per direction");
  EXPECT_EQ(typeOf("80 GB per direction"), "PL1007 1:15");
  EXPECT_EQ(typeOf("80 GB/s sparse"), "PL1007 1:17");
  EXPECT_EQ(typeOf("1979 TFLOP/s sparse"), "PL1008 1:9");
  EXPECT_EQ(typeOf("989 TFLOP/s dense"), "FLOP/s");
  EXPECT_EQ(errors("link n { bandwidth = 50 GB/s }\n"), "PL1005 1:22");
  EXPECT_EQ(errors("link n { bandwidth = 50 GB }\n"), "PL0078 1:22");
}

TEST(Infer, DeclaredTypesAreChecked) {
  EXPECT_EQ(errors("let a: B = 80 GB\n"), "");
  EXPECT_EQ(errors("let a: B = 80\n"), "PL1003 1:12");
  EXPECT_EQ(errors("let a: gpu = 80\n"), "");
  EXPECT_EQ(errors("let a: B = 80 s\n"), "PL1002 1:12");
  EXPECT_EQ(errors("let a: int = 8 gpu\n"), "");
  EXPECT_EQ(errors("let a: int = 8 tok\n"), "PL1002 1:14");
  EXPECT_EQ(errors("let a: size = 3\n"), "PL0068 1:8");
  EXPECT_EQ(errors("let a: B = 80 GBB\n"), "PL1001 1:15");
  EXPECT_EQ(errors("let a: elem = 7 B\n"), "PL1002 1:15");
  EXPECT_EQ(errors("let a: tok/seq = 8K tok/seq\n"), "PL1006 1:18");
  EXPECT_EQ(errors("let a = 400 Gb/s\n"), "PL1004 1:13");
}

TEST(Infer, Signatures) {
  EXPECT_EQ(errors("fn f(P: elem) -> B = 2 B/elem * P\nlet a = f(7G elem)\n"), "");
  EXPECT_EQ(errors("fn f(P: elem) -> B = 2 * P\n"), "PL1002 1:22");
  EXPECT_EQ(errors("fn f(P: elem) -> B = 2 B/elem * P\nlet a = f(7 GB)\n"), "PL0078 2:11");
  EXPECT_EQ(errors("fn f(P: elem) -> B = 2 B/elem * P\nlet a = f()\n"), "PL0063 2:9");
  EXPECT_EQ(errors("fn f(n: gpu) -> gpu = n\nlet a = f(8)\n"), "");
  EXPECT_EQ(errors("fn f(n: int) -> int = n\nlet a = f(8 gpu/stage)\n"), "");
  EXPECT_EQ(errors("fn f(n: int, n: int) -> int = n\n"), "PL0054 1:14");
  EXPECT_EQ(errors("fn f(P: elem, tok: tok) -> B = P * 2 B/elem\n"), "") << "parameters may be called like units";
}

TEST(Infer, MismatchesNameTheFactor) {
  EXPECT_EQ(message("fn f(P: elem) -> B = 2 * P\n"),
            "this is `elem`, but `B` is declared | multiply by an element width in `B/elem`, such "
            "as `2 B/elem`");
  EXPECT_EQ(message("fn f(t: tok) -> tok/replica = t\n"),
            "this is `tok`, but `tok/replica` is declared | divide by the replicas (`layout.dp`); "
            "where every replica "
            "holds all of it, multiply by `1 / replica`");
  EXPECT_EQ(message("let a: s = 3 GB * 2 s\n"),
            "this is `B·s`, but `s` is declared | the factor between the two is `1/B`");
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

TEST(Names, UnknownOnesAreReportedOnce) {
  EXPECT_EQ(errors("let a = b + 1\nlet c = a * a\n"), "PL0050 1:9") << "what follows from it stays silent";
  EXPECT_EQ(message("let peak_rate = 3\nlet a = peek_rate\n"), "unknown name `peek_rate` | fix `peak_rate`");
}

TEST(Names, AreDeclaredOnce) {
  EXPECT_EQ(errors("let a = 1\nlet a = 2\n"), "PL0054 2:5");
  EXPECT_EQ(errors("let a = 1\nfn a() -> int = 2\n"), "PL0054 2:4");
  EXPECT_EQ(errors("let s = 1\n"), "PL0061 1:5");
  EXPECT_EQ(errors("layout gpus { }\n"), "PL0061 1:8");
}

TEST(Names, OrderDoesNotMatter) { EXPECT_EQ(errors("let a = b\nlet b = f(2)\nfn f(n: int) -> ratio = n / 2\n"), ""); }

TEST(Names, CyclesAreReportedOnce) {
  EXPECT_EQ(errors("let a = a\n"), "PL0055 1:5");
  EXPECT_EQ(errors("let a = b + 1\nlet b = c\nlet c = a\n"), "PL0055 1:5");
  EXPECT_EQ(errors("let a: B = b\nlet b: B = a\n"), "PL0055 1:5");
}

TEST(Names, FunctionsMayNotRecur) {
  EXPECT_EQ(errors("fn f(n: int) -> ratio = f(n)\n"), "PL0056 1:4");
  EXPECT_EQ(errors("fn f(n: int) -> ratio = g(n)\nfn g(n: int) -> ratio = f(n)\n"), "PL0056 1:4");
  EXPECT_EQ(errors("fn f(n: int) -> ratio = a * n\nlet a = f(2)\n"), "PL0056 1:4");
  EXPECT_EQ(errors("fn h(n: int) -> ratio = a * n\nlet a = f(2)\nfn f(n: int) -> ratio = a * n\n"), "PL0055 2:5");
  EXPECT_EQ(analyzed("fn f(n: int) -> ratio = f(n)\nlet a = f(2)\nrequire f(3) > 1 or a > 1\n"), "PL0056 1:4");
  EXPECT_EQ(errors("fn f(n: int) -> ratio = g(n) + g(n)\nfn g(n: int) -> ratio = n\n"), "");
}

TEST(Names, LibraryNamesNeedTheirModule) {
  EXPECT_EQ(errors("model m from llama3_8b { }\n"), "PL0071 1:14");
  EXPECT_EQ(errors("let a = llama3_8b.layers\n"), "PL0071 1:9");
  EXPECT_EQ(errors("use std/models\nmodel m from llama3_8b { }\n"), "");
  EXPECT_EQ(errors("use std/model\n"), "PL0059 1:9");
  EXPECT_EQ(errors("use \"./missing.parl\"\n"), "PL0059 1:5");
}

TEST(Names, FieldsOfThings) {
  EXPECT_EQ(errors("use std/models\nlet a = llama3_8b.heads\n"), "");
  EXPECT_EQ(errors("use std/models\nlet a = llama3_8b.haeds\n"), "PL0051 2:19");
  EXPECT_EQ(errors("let a = 3 GB\nlet b = a.size\n"), "PL0070 2:11");
  EXPECT_EQ(errors("let a = 3\nlet b = a(4)\n"), "PL0062 2:9");
}

//===----------------------------------------------------------------------===//
// Several files
//===----------------------------------------------------------------------===//

class Files : public testing::Test {
protected:
  void SetUp() override {
    Folder = std::filesystem::path(testing::TempDir()) /
             fmt::format("parlance-{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(Folder);
  }
  void TearDown() override { std::filesystem::remove_all(Folder); }
  void write(const std::string &Name, std::string_view Text) { std::ofstream(Folder / Name) << Text; }
  /// What the first file and all that it uses report: "FILE:LINE:COLUMN CODE".
  std::string errors(const std::string &Name) {
    SourceManager Sources;
    DiagnosticEngine Diags;
    SourceManager::ReadError Error;
    auto File = Sources.open((Folder / Name).string(), Error);
    Program P(Sources, standardLibrary(), Diags);
    P.add(*File);
    std::string Out;
    for (const Diagnostic &D : Diags.take()) {
      LineColumn At = Sources.begin(D.Range);
      Out += fmt::format("{}{}:{}:{} {}", Out.empty() ? "" : "\n",
                         std::filesystem::path(Sources.file(D.Range.File).name()).filename().string(), At.Line,
                         At.Column, D.Code);
    }
    return Out;
  }
  std::filesystem::path Folder;
};

TEST_F(Files, ShareTheirNames) {
  write("team.parl", "let width = 2 B/elem\nlayout base { tp = 8 }\nfn bytes(P: elem) -> B = width * P\n");
  write("main.parl", "use \"./team.parl\"\nlet a: B = bytes(7G elem)\nlayout l from base { pp = 2 }\n");
  EXPECT_EQ(errors("main.parl"), "");
}

TEST_F(Files, CyclesOfUsesAreReportedOnce) {
  write("a.parl", "use \"./b.parl\"\n");
  write("b.parl", "use \"./c.parl\"\n");
  write("c.parl", "use \"./a.parl\"\n");
  EXPECT_EQ(errors("a.parl"), "c.parl:1:5 PL0060");
  write("self.parl", "let a = 1\nuse \"./self.parl\"\n");
  EXPECT_EQ(errors("self.parl"), "self.parl:2:5 PL0060");
}

TEST_F(Files, MayBeUsedTwice) {
  write("both.parl", "let shared = 1\n");
  write("left.parl", "use \"./both.parl\"\nlet l = shared\n");
  write("right.parl", "use \"./both.parl\"\nlet r = shared\n");
  write("main.parl", "use \"./left.parl\"\nuse \"./right.parl\"\nlet a = l + r\n");
  EXPECT_EQ(errors("main.parl"), "");
}

TEST_F(Files, AmbiguousNamesAreReportedWhereUsed) {
  write("one.parl", "let a = 1\n");
  write("two.parl", "let a = 2\n");
  write("main.parl", "use \"./one.parl\"\nuse \"./two.parl\"\nlet b = a\n");
  EXPECT_EQ(errors("main.parl"), "main.parl:3:9 PL0057");
  write("own.parl", "use \"./one.parl\"\nuse \"./two.parl\"\nlet a = 3\nlet b = a\n");
  EXPECT_EQ(errors("own.parl"), "") << "a file's own names come first";
}

TEST_F(Files, MistakesStayInTheirFile) {
  write("broken.parl", "let a = b\nlet c: B = 3\n");
  write("main.parl", "use \"./broken.parl\"\nlet d = a + c\n");
  EXPECT_EQ(errors("main.parl"), "broken.parl:1:9 PL0050\nbroken.parl:2:12 PL1003");
}

TEST_F(Files, AreNotTransitive) {
  write("deep.parl", "let a = 1\n");
  write("middle.parl", "use \"./deep.parl\"\n");
  write("main.parl", "use \"./middle.parl\"\nlet b = a\n");
  EXPECT_EQ(errors("main.parl"), "main.parl:2:9 PL0050");
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

TEST(Records, UnknownAndDuplicateFields) {
  EXPECT_EQ(errors("layout l { tpp = 8 }\n"), "PL0051 1:12");
  EXPECT_EQ(errors("layout l {\n  tp = 8\n  tp = 4\n}\n"), "PL0052 3:3");
  EXPECT_EQ(message("layout l { micro = 8 }\n"), "`layout` has no field `micro` | `micro` is a field of `batch`");
  EXPECT_EQ(message("layout l { sequence_paralel = true }\n"),
            "`layout` has no field `sequence_paralel` | fix `sequence_parallel`");
}

TEST(Records, MissingFields) {
  EXPECT_EQ(errors("link n { latency = 2 us }\n"), "PL0053 1:6");
  EXPECT_EQ(message("model m { layers = 4 }\n"), "model `m` lacks `hidden`, `heads`, `ffn` and `vocab`");
  EXPECT_EQ(errors("model m { params = 7G elem }\n"), "") << "a count stands for a shape";
  EXPECT_EQ(errors("model m { params = 7G }\n"), "PL1003 1:20");
}

TEST(Records, ValuesFitTheirFields) {
  EXPECT_EQ(errors("layout l { recompute = partial }\n"), "PL0066 1:24");
  EXPECT_EQ(errors("layout l { tp = 8 tok }\n"), "PL0078 1:17");
  EXPECT_EQ(errors("layout l { sequence_parallel = 1 }\n"), "PL0078 1:32");
  EXPECT_EQ(errors("layout l { tp = auto }\n"), "PL0073 1:17");
  EXPECT_EQ(errors("layout l { dp = auto }\n"), "");
  EXPECT_EQ(errors("layout l { tp { } }\n"), "PL0076 1:12");
  EXPECT_EQ(errors("layout l { schedule = 1f1b }\n"), "");
  EXPECT_EQ(errors("layout l { tp = 8 gpu/stage, pp = 4 stage/replica, dp = 2 replica }\n"), "");
  EXPECT_EQ(errors("layout l { tp = 8 gpu }\n"), "PL0078 1:17");
}

TEST(Records, PopulationsOfAFieldMayBeLeftOut) {
  EXPECT_EQ(errors("device d { peak { bf16 = 100 TFLOP/s }, memory = 80 GB, bandwidth = 2 TB/s }\n"), "");
  EXPECT_EQ(errors("device d { peak { bf16 = 100 TFLOP/s/gpu }, memory = 80 GB/gpu, bandwidth = 2 "
                   "TB/s/gpu }\n"),
            "");
  EXPECT_EQ(errors("device d { peak { bf16 = 100 TFLOP/s }, memory = 80 GB/node, bandwidth = 2 TB/s }\n"),
            "PL0078 1:50");
}

TEST(Records, Blocks) {
  EXPECT_EQ(errors("modle m { params = 7G elem }\n"), "PL0058 1:1");
  EXPECT_EQ(errors("tp = 8\n"), "PL0067 1:1");
  EXPECT_EQ(errors("layout l { require 1 < 2 }\n"), "PL0067 1:12");
  EXPECT_EQ(errors("maximize 3\n"), "PL0067 1:1");
  EXPECT_EQ(errors("layout a { tp = 2 }\ncluster c from a { }\n"), "PL0069 2:16");
  EXPECT_EQ(errors("layout b from missing { }\n"), "PL0050 1:15");
  EXPECT_EQ(errors("layout b from b { }\n"), "PL0055 1:8");
  EXPECT_EQ(errors("layout a from b { }\nlayout b from a { }\n"), "PL0055 1:8");
  EXPECT_EQ(errors("model m = 3\n"), "PL0003 1:11");
  EXPECT_EQ(errors("let a = import \"config.json\"\n"), "PL0074 1:9");
}

TEST(Records, JobsHoldStatements) {
  EXPECT_EQ(errors("use std/example\njob j from example_job {\n  let a = memory.peak\n  require a "
                   "< 70 GiB/gpu\n}\n"),
            "");
  EXPECT_EQ(errors("use std/example\njob j from example_job { require memory > 3 GB/gpu }\n"), "PL0072 2:34");
  EXPECT_EQ(errors("use std/example\njob j from example_job { require memory.stage(0).peak < 70 GB }\n"),
            "PL1011 2:55");
  EXPECT_EQ(errors("use std/example\njob j from example_job { require memory.stage.peak < 70 GB/gpu }\n"),
            "PL0063 2:34");
  EXPECT_EQ(errors("use std/example\njob j from example_job { require memory.stage(0).at(1, "
                   "backward) < 70 GB/gpu }\n"),
            "PL0063 2:34");
  EXPECT_EQ(errors("use std/example\njob j from example_job { require memory.stage(0).at(backward) "
                   "< 70 GB/gpu }\n"),
            "");
  EXPECT_EQ(errors("use std/example\njob j from example_job { device = 3 }\n"), "PL0075 2:26");
  EXPECT_EQ(errors("use std/example\njob j from example_job { let a = b\n let b = a }\n"), "PL0055 2:30");
  EXPECT_EQ(errors("use std/example\njob j from example_job { let a = 1\n let a = 2 }\n"), "PL0054 3:6");
  EXPECT_EQ(errors("let a = memory.peak\n"), "PL0081 1:9") << "derived quantities belong to jobs";
}

TEST(Records, EnumeratorsByTheirField) {
  EXPECT_EQ(errors("use std/example\njob j from example_job { require target == megatron }\n"), "");
  EXPECT_EQ(errors("use std/example\njob j from example_job { require target == megatorn }\n"), "PL0066 2:44");
  EXPECT_EQ(errors("use std/example\njob j from example_job { require target == 3 }\n"), "PL0066 2:44");
  EXPECT_EQ(errors("use std/example\njob j from example_job { require layout.schedule == 1f1b }\n"), "");
}

//===----------------------------------------------------------------------===//
// Evaluation that fails
//===----------------------------------------------------------------------===//

TEST(Evaluation, OverflowIsReportedOnce) {
  EXPECT_EQ(analyzed("let n: tok = 9_000_000_000_000_000_000 tok * 3\nlet m = n + n\n"), "PL0103 1:14");
  EXPECT_EQ(analyzed("let n = 9_999_999_999_999_999_999 tok\n"), "PL0103 1:9");
  EXPECT_EQ(analyzed("let n = 9_000_000_000_000_000_000 + 9_000_000_000_000_000_000\n"), "PL0103 1:9");
  EXPECT_EQ(analyzed("let n = 2 ^ 64\nlet m = n\nrequire m > 1\n"), "PL0103 1:9");
}

TEST(Evaluation, DivisionByZeroIsReportedOnce) {
  EXPECT_EQ(analyzed("let a = 3 / (2 - 2)\nlet b = a + a\nrequire b > 1\n"), "PL0104 1:9");
  EXPECT_EQ(analyzed("let a = 1 + 3 % 0\n"), "PL0104 1:13");
  EXPECT_EQ(analyzed("let a = if true then 1 else 1 / 0\n"), "") << "only the branch that is taken";
}

TEST(Evaluation, ValuesAreInRange) {
  EXPECT_EQ(analyzed("layout l { tp = 0 }\n"), "PL0106 1:17");
  EXPECT_EQ(analyzed("layout l { zero = 4 }\n"), "PL0106 1:19");
  EXPECT_EQ(analyzed("layout l { cp = 5 / 2 }\n"), "PL0105 1:17");
  EXPECT_EQ(analyzed("layout l { cp = 4 / 2 }\n"), "");
  EXPECT_EQ(analyzed("layout l { tp = 5 / 2 }\n"), "PL0105 1:17");
  EXPECT_EQ(analyzed("link n { bandwidth = -1 GB/s per direction }\n"), "PL0106 1:22");
}

TEST(Evaluation, RequirementsAndExpectations) {
  EXPECT_EQ(analyzed("require 80 GB >= 80 GiB\n"), "PL0101 1:9");
  EXPECT_EQ(analyzed("warn 3 GB > 4 GB\n"), "PL0102 1:6");
  EXPECT_EQ(analyzed("model m { params = 7G elem }\nrequire m.hidden > 4096\n"), "PL0107 2:9");
  EXPECT_EQ(analyzed("require 1 < 2\nwarn 1 < 2\n"), "");
}

TEST(Evaluation, OneMistakeIsOneMessage) {
  EXPECT_EQ(analyzed("let a = b\nrequire a > 1\nlet c = a + 1\nwarn c > 2\n"), "PL0050 1:9");
  EXPECT_EQ(analyzed("fn f(n: int) -> ratio = 1 / n\nlet a = f(0)\nwarn a + f(0) > 2\n"), "PL0104 1:25");
}

TEST(Evaluation, AnErrorOfAJobIsItsOnlyOne) {
  EXPECT_EQ(analyzed("use std/example\nlayout l from example_layout { tp = 0 }\njob j from "
                     "example_job { layout = l }\n"),
            "PL0106 2:37");
  EXPECT_EQ(analyzed("use std/example\nlayout l from example_layout { tpp = 3 }\njob j from "
                     "example_job { layout = l }\n"),
            "PL0051 2:32");
}

//===----------------------------------------------------------------------===//
// The pages of docs/rules
//===----------------------------------------------------------------------===//

TEST(DiagnosticPages, ExamplesTriggerThem) {
  for (const DiagnosticPage &P : diagnosticPages()) {
    EXPECT_FALSE(P.Why.empty()) << P.Code;
    if (P.Code >= "PL7000" || (P.Code >= "PL0150" && P.Code < "PL0170"))
      continue; // about files of other programs and about policies: no check of a text shows them
    if (!P.Example.empty())
      EXPECT_NE(analyzed(P.Example).find(P.Code), std::string::npos) << P.Code << ":\n" << P.Example;
    Checked Fixed{std::string(P.Fixed)};
    Fixed.analyze();
    for (const Diagnostic &D : Fixed.take())
      EXPECT_TRUE(D.Code != P.Code && D.Level != Severity::Error) << P.Code << " is mended by " << D.Code << ":\n"
                                                                  << P.Fixed;
  }
}

} // namespace
