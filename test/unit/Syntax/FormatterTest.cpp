#include "../Support.h"
#include "SameTokens.h"
#include "Syntax/Format.h"
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace parlance {
namespace {

struct Formatted {
  explicit Formatted(std::string Text)
      : File(Sources.add("test.parl", std::move(Text))), Result(format(Sources, File, standardLibrary().Units, Diags)) {
  }
  SourceManager Sources;
  DiagnosticEngine Diags;
  uint32_t File;
  std::optional<std::string> Result;
};

std::string formatted(std::string Text) { return Formatted(std::move(Text)).Result.value_or("a syntax error"); }

TEST(Formatter, SpacesTokens) {
  EXPECT_EQ(formatted("let a=-3*( 1+ - 2 )^2%7"), "let a = -3 * (1 + -2) ^ 2 % 7\n");
  EXPECT_EQ(formatted("let a = 95% * 2"), "let a = 95% * 2\n");
  EXPECT_EQ(formatted("let a = 95 %2"), "let a = 95 % 2\n");
  EXPECT_EQ(formatted("let a = 80GB / s * 3 B / elem"), "let a = 80GB/s * 3 B/elem\n");
  EXPECT_EQ(formatted("let a: GB / s   per  direction=2 GB ^ - 1 bidirectional"),
            "let a: GB/s per direction = 2 GB^-1 bidirectional\n");
  EXPECT_EQ(formatted("let a = 80GB/s per direction"), "let a = 80GB/s per direction\n");
  EXPECT_EQ(formatted("let a = 80GB   per direction"), "let a = 80GB per direction\n");
  EXPECT_EQ(formatted("let a: 1 / s = 31250*tok/gpu"), "let a: 1/s = 31250 * tok / gpu\n");
  EXPECT_EQ(formatted("let a = not(x.y . z(1 ,2)>=3)and true"), "let a = not (x.y.z(1, 2) >= 3) and true\n");
  EXPECT_EQ(formatted("let a = sum( i in 0 .. 4 :i )+min (1,2,)"), "let a = sum(i in 0..4: i) + min(1, 2)\n");
  EXPECT_EQ(formatted("let a = 3 .x"), "let a = 3 .x\n") << "`3.x` is not a number";
  EXPECT_EQ(formatted("use std / hardware"), "use std/hardware\n");
  EXPECT_EQ(formatted("layout a{tp=any{2,4},pp=any 1 .. 4,}"), "layout a { tp = any { 2, 4 }, pp = any 1..4 }\n");
  EXPECT_EQ(formatted("fn f( a:B|tok , b : [dtype] )->s=a"), "fn f(a: B | tok, b: [dtype]) -> s = a\n");
  EXPECT_EQ(formatted("model a from b{}"), "model a from b { }\n");
}

TEST(Formatter, KeepsLibraryTables) {
  EXPECT_EQ(formatted("unit bit=1/8 B prefixes decimal   \"bit\""), "unit bit = 1 / 8 B prefixes decimal \"bit\"\n");
  EXPECT_EQ(formatted("unit s:time alias second  seconds"), "unit s : time alias second seconds\n");
  EXPECT_EQ(formatted("refuse unit b \"no\" GB / s"), "refuse unit b \"no\" GB/s\n");
  EXPECT_EQ(formatted("enum e=a|b \"text\""), "enum e = a | b  \"text\"\n");
  EXPECT_EQ(formatted("schema x  \"text\" {\n a:int=1    \"one\"     range 1 ..\n bc : int  \"two\"\n}"),
            "schema x \"text\" {\n  a: int = 1    \"one\"     range 1..\n  bc: int  \"two\"\n}\n");
  EXPECT_EQ(formatted("derive a: int   \"one\"    =  1"), "derive a: int   \"one\"    = 1\n");
}

TEST(Formatter, BreaksBlocks) {
  const char *Open = "layout a {\n  tp = 2\n  pp = 2\n}\n";
  EXPECT_EQ(formatted("layout a { tp = 2\n pp = 2 }"), Open);
  EXPECT_EQ(formatted("layout a\n{\n\n tp = 2,\n pp = 2,\n\n}"), Open);
  EXPECT_EQ(formatted("layout a {\n tp = 2\n , pp = 2\n }"), Open);
  EXPECT_EQ(formatted("layout a {\n tp = 2, pp = 2\n}"), "layout a {\n  tp = 2, pp = 2\n}\n");
  // What spans lines stands alone.
  EXPECT_EQ(formatted("job j { seq_len = 1 tok/seq, batch {\n micro = 1 seq }, target = megatron }"),
            "job j {\n  seq_len = 1 tok/seq\n  batch {\n    micro = 1 seq\n  }\n  target = "
            "megatron\n}\n");
  // A comment may stand anywhere.
  EXPECT_EQ(formatted("layout a # one\n{ # two\n tp = 2, # three\n # four\n}# five"),
            "layout a  # one\n{         # two\n  tp = 2  # three\n  # four\n}  # five\n");
}

TEST(Formatter, OpensWhatIsTooLong) {
  std::string Fields = "tp = 2, sequence_parallel = true, pp = 2, virtual_stages = 2, dp = auto, "
                       "zero = 1, recompute = full";
  EXPECT_EQ(formatted("layout a { " + Fields + " }"), "layout a { " + Fields + " }\n") << "113";
  EXPECT_EQ(formatted("layout longer_name { " + Fields + " }"), "layout longer_name {\n  " + Fields + "\n}\n");
  EXPECT_EQ(formatted("layout a { " + Fields + ", cp = 1, ep = 1, etp = 1 }"),
            "layout a {\n  tp                = 2\n  sequence_parallel = true\n  pp                = 2\n"
            "  virtual_stages    = 2\n  dp                = auto\n  zero              = 1\n"
            "  recompute         = full\n  cp                = 1\n  ep                = 1\n"
            "  etp               = 1\n}\n");
  // Comments do not count.
  std::string Comment = "layout a { tp = 2 }  # " + std::string(120, '-') + "\n";
  EXPECT_EQ(formatted(Comment), Comment);
}

TEST(Formatter, AlignsWithinARun) {
  EXPECT_EQ(formatted("job j {\n model = a\n batch { micro = 1 seq }\n\n a_long_name = 1\n}"),
            "job j {\n  model = a\n  batch { micro = 1 seq }\n\n  a_long_name = 1\n}\n");
  EXPECT_EQ(formatted("job j {\n model = a\n # text\n precision {compute = bf16}\n let a = 1\n let bcd: "
                      "int = 2\n}"),
            "job j {\n  model     = a\n  # text\n  precision { compute = bf16 }\n  let a        = 1\n"
            "  let bcd: int = 2\n}\n");
  EXPECT_EQ(formatted("job j { \nassume a = 1\nassume bc = 2\nrequire 1 < 2 \"x\"\nwarn 1 < 22  \"y\"\n}"),
            "job j {\n  assume a  = 1\n  assume bc = 2\n  require 1 < 2  \"x\"\n  warn 1 < 22    "
            "\"y\"\n}\n");
  // Lists and texts over several lines keep out of it.
  EXPECT_EQ(formatted("rule r on a.b {\n when = true\n message = \"x\"\n frameworks = [megatron]\n "
                      "why = \"\"\"\n  a\n\"\"\"\n}"),
            "rule r on a.b {\n  when    = true\n  message = \"x\"\n  frameworks = [megatron]\n"
            "  why = \"\"\"\n  a\n\"\"\"\n}\n");
}

TEST(Formatter, AlignsComments) {
  EXPECT_EQ(formatted("let a = 1 # one\nlet bc = 22#two\n\nlet d = 3     # three"),
            "let a  = 1   # one\nlet bc = 22  #two\n\nlet d = 3  # three\n");
  EXPECT_EQ(formatted("layout abcdefg { # outer\n tp = 1 # inner\n}  # last"),
            "layout abcdefg {  # outer\n  tp = 1  # inner\n}  # last\n");
}

TEST(Formatter, IndentsWhatGoesOn) {
  EXPECT_EQ(formatted("fn f(a: int,\nb: int) -> int\n\"text\"\n= if a > 1 then b\nelse if a < 0\nand b > 0\n"
                      "then f(a,\nb)\n+ 1\nelse 2"),
            "fn f(a: int,\n  b: int) -> int\n  \"text\"\n  = if a > 1 then b\n    else if a < 0\n"
            "      and b > 0\n    then f(a,\n      b)\n      + 1\n    else 2\n");
  EXPECT_EQ(formatted("let a = 1 +\n2 * (\n3 +\n4\n) + max(\n5,\n6)"),
            "let a = 1 +\n        2 * (\n          3 +\n          4\n        ) + max(\n          5,\n"
            "          6)\n");
  EXPECT_EQ(formatted("require (1 < 2 or\n2 < 3)\nand 3 < 4\n\"text\""),
            "require (1 < 2 or\n         2 < 3)\n        and 3 < 4\n  \"text\"\n");
  EXPECT_EQ(formatted("let a = min(1,\n# why\n2\n# end\n)"),
            "let a = min(1,\n          # why\n          2\n          # end\n        )\n");
  // Inside of something else, and in one part of another one.
  EXPECT_EQ(formatted("let a = 2 * (if b then 1\nelse if c then 2\nelse 3)\n"),
            "let a = 2 * (if b then 1\n             else if c then 2\n             else 3)\n");
  EXPECT_EQ(formatted("let a = if b\nthen (if c then 0\nelse 1)\nelse 0\n"),
            "let a = if b\n        then (if c then 0\n              else 1)\n        else 0\n");
}

TEST(Formatter, KeepsLinesAndTexts) {
  EXPECT_EQ(formatted(""), "");
  EXPECT_EQ(formatted("\n\n  \n"), "");
  EXPECT_EQ(formatted("\n\n# only\t \n\n\n\n# that"), "# only\n\n# that\n");
  EXPECT_EQ(formatted("let a = 1\t \r\n\r\n\r\n\r\n\tlet b = 2"), "let a = 1\r\n\r\nlet b = 2\r\n");
  EXPECT_EQ(formatted("let a = 1\nlet b = 2\r\n"), "let a = 1\nlet b = 2\n");
  const char *Text = "rule r on a.b {\n  why = \"\"\"\n\ttabs  \r\n\n\n  \"\"\"  # c\n}\n";
  EXPECT_EQ(formatted(Text), Text);
}

TEST(Formatter, RefusesSyntaxErrors) {
  for (const char *Text :
       {"layout a { tp = }", "let a == 1", "x = 1; y = 2", "layout a { tp = 2", "let a = \"open", "unit x : y ="}) {
    Formatted F(Text);
    EXPECT_FALSE(F.Result) << Text;
    EXPECT_GT(F.Diags.errors(), 0u) << Text;
  }
  // Names and units are not looked at.
  Formatted F("layout a { zp = 7 }\nlet a = 1 GB + 1 s");
  EXPECT_TRUE(F.Result);
  EXPECT_TRUE(F.Diags.empty());
}

std::string applied(std::string_view Text, const std::vector<Edit> &Edits) {
  std::string Out(Text);
  for (auto E = Edits.rbegin(); E != Edits.rend(); ++E)
    Out.replace(E->Range.Begin, E->Range.End - E->Range.Begin, E->NewText);
  return Out;
}

TEST(Formatter, MakesEditsOfWholeLines) {
  Formatted F("let  a = 1\nlet b = 2\n\n\n\nlet  c = 3\n");
  auto Edits = [&](SourceRange Range) {
    DiagnosticEngine Diags;
    return *formatEdits(F.Sources, F.File, standardLibrary().Units, Diags, Range);
  };
  std::string_view Text = F.Sources.file(F.File).text();
  EXPECT_EQ(applied(Text, Edits({})), *F.Result);
  EXPECT_EQ(Edits({}).size(), 2u);
  EXPECT_EQ(applied(Text, Edits({F.File, 3, 3})), "let a = 1\nlet b = 2\n\n\n\nlet  c = 3\n");
  EXPECT_EQ(applied(Text, Edits({F.File, 12, 13})), Text);
  EXPECT_EQ(applied(Text, Edits({F.File, 0, 12})), "let a = 1\nlet b = 2\n\n\n\nlet  c = 3\n");
  EXPECT_EQ(applied(Text, Edits({F.File, 12, 22})), Text) << "up to where the next change begins";
  EXPECT_EQ(applied(Text, Edits({F.File, 24, 30})), "let  a = 1\nlet b = 2\n\nlet c = 3\n");
  DiagnosticEngine Diags;
  Formatted Wrong("let a =\n");
  EXPECT_FALSE(formatEdits(Wrong.Sources, Wrong.File, standardLibrary().Units, Diags));
}

// --- every file of the project

std::vector<std::string> projectFiles() {
  std::vector<std::string> Files;
  for (const char *Folder : {"lib/std", "docs", "test"})
    for (const auto &Entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(PARLANCE_SOURCE_DIR) / Folder))
      if (Entry.path().extension() == ".parl")
        Files.push_back(Entry.path().string());
  std::ranges::sort(Files);
  return Files;
}
std::string contents(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  std::stringstream Text;
  Text << In.rdbuf();
  return Text.str();
}

TEST(Formatter, KeepsTokensOfEveryFile) {
  size_t Count = 0;
  for (const std::string &Path : projectFiles()) {
    Formatted F(contents(Path));
    if (!F.Result)
      continue;
    ++Count;
    SCOPED_TRACE(Path);
    EXPECT_EQ(formatted(*F.Result), *F.Result);
    uint32_t After = F.Sources.add("after.parl", *F.Result);
    const UnitTable &Units = standardLibrary().Units;
    for (bool Library : {false, true})
      EXPECT_EQ(tokensAndComments(F.Sources, F.File, Units, Library),
                tokensAndComments(F.Sources, After, Units, Library));
    DiagnosticEngine Diags;
    std::string_view Text = F.Sources.file(F.File).text();
    EXPECT_EQ(applied(Text, *formatEdits(F.Sources, F.File, Units, Diags)), *F.Result);
    EXPECT_EQ(F.Result->find('\t'),
              Text.find('\t') == std::string_view::npos ? std::string::npos : F.Result->find('\t'));
  }
  EXPECT_GT(Count, 100u);
}

/// What the checker says, in order; what it quotes from the file without blanks.
std::string findings(const std::string &Text, const std::string &Path) {
  Checked C(Text, Path);
  C.analyze();
  std::string Out;
  for (const Diagnostic &D : C.take()) {
    Out += fmt::format("{} {} {}", D.Code, D.Message, D.CaretText);
    for (const Note &N : D.Notes)
      Out += N.Message;
    for (const Fix &F : D.Fixes)
      Out += F.Title;
    Out += '\n';
  }
  std::erase(Out, ' ');
  return Out;
}

TEST(Formatter, KeepsWhatTheCheckerSays) {
  size_t Count = 0;
  for (const std::string &Path : projectFiles()) {
    if (Path.find("/lib/std/") != std::string::npos)
      continue;
    std::string Text = contents(Path);
    Formatted F(Text);
    if (!F.Result)
      continue;
    ++Count;
    EXPECT_EQ(findings(Text, Path), findings(*F.Result, Path)) << Path;
  }
  EXPECT_GT(Count, 100u);
}

TEST(Formatter, TakesTimeInProportion) {
  auto Seconds = [](unsigned Jobs) {
    std::string Text;
    for (unsigned I = 0; I < Jobs; ++I)
      Text += "job j {\n  model = a, batch { micro = 1 seq }\n  require (1 < 2 or\n 2 < 3)\n}\n";
    auto Begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(Formatted(Text).Result);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count();
  };
  double Few = std::max(Seconds(2000), 1e-3);
  EXPECT_LT(Seconds(20000), 40 * Few);
}

} // namespace
} // namespace parlance
