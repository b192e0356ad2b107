#include "Render/Render.h"
#include "Basic/Diagnostics.h"
#include "Basic/Utf8.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace parlance;

namespace {

class Rendering : public testing::Test {
protected:
  uint32_t add(std::string Text, std::string Name = "train.parl") {
    return Sources.add(std::move(Name), std::move(Text));
  }
  /// The range of the N-th occurrence of a text.
  SourceRange find(uint32_t File, std::string_view Text, unsigned N = 0) const {
    size_t At = Sources.file(File).text().find(Text);
    for (; N > 0; --N)
      At = Sources.file(File).text().find(Text, At + 1);
    EXPECT_NE(At, std::string_view::npos) << Text;
    return {File, static_cast<uint32_t>(At), static_cast<uint32_t>(At + Text.size())};
  }
  Diagnostic error(SourceRange Range, std::string Message, std::string Caret = "") const {
    Diagnostic D;
    D.Code = "PL9999";
    D.Name = "some-name";
    D.Message = std::move(Message);
    D.Range = Range;
    D.CaretText = std::move(Caret);
    return D;
  }
  std::string text(const Diagnostic &D) const { return renderText(D, Sources, {}); }

  SourceManager Sources;
};

TEST_F(Rendering, OneRange) {
  const uint32_t F = add("job x {\n  batch { global = 4M tok, micro = 1 seq }\n}\n");
  EXPECT_EQ(text(error(find(F, "4M tok"), "no whole number of sequences", "M is 1,000,000")),
            "train.parl:2:20: error: no whole number of sequences [PL9999 some-name]\n"
            "    2 |   batch { global = 4M tok, micro = 1 seq }\n"
            "      |                    ^^^^^^ M is 1,000,000\n");
}

TEST_F(Rendering, SeveritiesAndMissingCode) {
  const uint32_t F = add("x");
  Diagnostic D = error(find(F, "x"), "m");
  D.Level = Severity::Hint;
  D.Code = D.Name = "";
  EXPECT_EQ(text(D), "train.parl:1:1: hint: m\n    1 | x\n      | ^\n");
  D.Level = Severity::Warning;
  D.Code = "PL0001";
  EXPECT_TRUE(text(D).starts_with("train.parl:1:1: warning: m [PL0001]\n"));
}

TEST_F(Rendering, WithoutPosition) {
  Diagnostic D = error({}, "nothing to do");
  D.Notes.push_back({{}, "give a file"});
  EXPECT_EQ(text(D), "parlance: error: nothing to do [PL9999 some-name]\n  note: give a file\n");
  // A range in a file that was never opened is nowhere, too.
  EXPECT_EQ(text(error({9, 0, 1}, "m")), "parlance: error: m [PL9999 some-name]\n");
}

TEST_F(Rendering, EmptyRangesAndLineEnds) {
  const uint32_t F = add("ab\r\n\r\nx =");
  EXPECT_EQ(text(error({F, 1, 1}, "m")), "train.parl:1:2: error: m [PL9999 some-name]\n    1 | ab\n      |  ^\n");
  EXPECT_EQ(text(error({F, 2, 4}, "m")), // the line break
            "train.parl:1:3: error: m [PL9999 some-name]\n    1 | ab\n      |   ^\n");
  EXPECT_EQ(text(error({F, 4, 4}, "m")), // an empty line
            "train.parl:2:1: error: m [PL9999 some-name]\n    2 |\n      | ^\n");
  EXPECT_EQ(text(error({F, 9, 9}, "m")), // end of file
            "train.parl:3:4: error: m [PL9999 some-name]\n    3 | x =\n      |    ^\n");
  EXPECT_EQ(text(error({F, 5000, 9000}, "m")), // past it
            "train.parl:3:4: error: m [PL9999 some-name]\n    3 | x =\n      |    ^\n");
}

TEST_F(Rendering, RangesOverSeveralLinesMarkTheFirst) {
  const uint32_t F = add("layout a {\n  tp = 8\n}\n");
  EXPECT_EQ(text(error({F, 9, 21}, "not closed", "opened here")),
            "train.parl:1:10: error: not closed [PL9999 some-name]\n"
            "    1 | layout a {\n"
            "      |          ^ opened here\n");
}

TEST_F(Rendering, TabsAndMultiByteColumns) {
  const uint32_t F = add("\tä→\tx = 1\n");
  EXPECT_EQ(text(error(find(F, "x"), "m", "here")), "train.parl:1:5: error: m [PL9999 some-name]\n"
                                                    "    1 |     ä→  x = 1\n"
                                                    "      |         ^ here\n");
  EXPECT_EQ(text(error(find(F, "ä→\tx"), "m")), "train.parl:1:2: error: m [PL9999 some-name]\n"
                                                "    1 |     ä→  x = 1\n"
                                                "      |     ^^^^^\n");
  // An emoji and a range inside a code point.
  const uint32_t G = add("\U0001F600 y", "g");
  EXPECT_EQ(text(error(find(G, "y"), "m")), "g:1:3: error: m [PL9999 some-name]\n"
                                            "    1 | \U0001F600 y\n"
                                            "      |   ^\n");
  EXPECT_EQ(text(error({G, 2, 3}, "m")), "g:1:1: error: m [PL9999 some-name]\n"
                                         "    1 | \U0001F600 y\n"
                                         "      | ^\n");
}

TEST_F(Rendering, LabelsOfOneLine) {
  const uint32_t F = add("fn f(params: elem) -> ratio = params / 2");
  Diagnostic D = error(find(F, "params", 1), "m", "`elem` is left over");
  D.Labels.push_back({find(F, "ratio"), "declared here"});
  EXPECT_EQ(text(D), "train.parl:1:31: error: m [PL9999 some-name]\n"
                     "    1 | fn f(params: elem) -> ratio = params / 2\n"
                     "      |                       -----   ^^^^^^ `elem` is left over\n"
                     "      |                       declared here\n");
  D.Labels.push_back({find(F, "elem"), "its type"});
  D.Labels.push_back({find(F, "2"), ""});
  EXPECT_EQ(text(D), "train.parl:1:31: error: m [PL9999 some-name]\n"
                     "    1 | fn f(params: elem) -> ratio = params / 2\n"
                     "      |              ----     -----   ^^^^^^   -\n"
                     "      |              |        |       `elem` is left over\n"
                     "      |              |        declared here\n"
                     "      |              its type\n");
}

TEST_F(Rendering, OverlappingLabels) {
  const uint32_t F = add("a + b * c");
  Diagnostic D = error(find(F, "b"), "m", "this");
  D.Labels.push_back({find(F, "a + b * c"), "of all"});
  EXPECT_EQ(text(D), "train.parl:1:5: error: m [PL9999 some-name]\n"
                     "    1 | a + b * c\n"
                     "      | ----^---- of all\n"
                     "      |     this\n");
}

TEST_F(Rendering, LabelsOfOtherLinesAndFiles) {
  const uint32_t F = add("a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n");
  const uint32_t G = add("base = 1", "other.parl");
  Diagnostic D = error(find(F, "f"), "m", "here");
  D.Labels.push_back({find(F, "c"), "first"});
  D.Labels.push_back({find(F, "a"), "zeroth"});
  D.Labels.push_back({find(G, "base"), "from this"});
  EXPECT_EQ(text(D), "train.parl:6:1: error: m [PL9999 some-name]\n"
                     "    1 | a = 1\n"
                     "      | - zeroth\n"
                     "    2 | b = 2\n"
                     "    3 | c = 3\n"
                     "      | - first\n"
                     "  ...\n"
                     "    6 | f = 6\n"
                     "      | ^ here\n"
                     "  other.parl:1:1: note: from this\n"
                     "    1 | base = 1\n"
                     "      | ^^^^\n");
}

TEST_F(Rendering, BodyNotesDerivationsAndFixes) {
  const uint32_t F = add("{\n  \"micro\": 4,\n  \"batch\": 256\n}", "ds_config.json");
  Diagnostic D = error(find(F, "4"), "batch 256 is not 128");
  D.Body = {"weights   12.6 GiB  ####", "gradients 25.1 GiB  ########"};
  D.Notes.push_back({find(F, "256"), "batch is set here"});
  D.Notes.push_back({{}, "two lines\nof text"});
  D.Derivations.push_back(
      {"overlap.dp",
       "t_comm / t_compute",
       "0.1201 s / 0.0896 s",
       "1.34",
       "ratio",
       1.34,
       "",
       {},
       {{"t_comm", "grads / bandwidth", "3.20 GB / 50 GB/s", "0.1201", "s", 0.1201, "nccl-tests", {}, {}},
        {"t_compute", "", "", "0.0896", "s", 0.0896, "", find(F, "4"), {}}}});
  D.Fixes.push_back({"\"accumulation\": 8", Applicability::Machine, {}, {}});
  D.Fixes.push_back({"`tp = 2`", Applicability::Maybe, {}, {{"", "61.0 GiB"}, {"step", "4 % slower"}}});
  EXPECT_EQ(text(D), "ds_config.json:2:12: error: batch 256 is not 128 [PL9999 some-name]\n"
                     "    2 |   \"micro\": 4,\n"
                     "      |            ^\n"
                     "  weights   12.6 GiB  ####\n"
                     "  gradients 25.1 GiB  ########\n"
                     "  ds_config.json:3:12: note: batch is set here\n"
                     "    3 |   \"batch\": 256\n"
                     "      |            ^^^\n"
                     "  note: two lines\n"
                     "        of text\n"
                     "  overlap.dp = t_comm / t_compute = 0.1201 s / 0.0896 s = 1.34\n"
                     "    t_comm    = grads / bandwidth = 3.20 GB / 50 GB/s = 0.1201 s\n"
                     "    t_compute = 0.0896 s\n"
                     "  fix: \"accumulation\": 8                                         [machine]\n"
                     "  fix: `tp = 2` → 61.0 GiB, step 4 % slower                      [maybe]\n");
}

TEST_F(Rendering, NoteOnTheSameRangeHasNoSecondFrame) {
  const uint32_t F = add("tp = 8");
  Diagnostic D = error(find(F, "8"), "m");
  D.Notes.push_back({D.Range, "set here"});
  EXPECT_EQ(text(D), "train.parl:1:6: error: m [PL9999 some-name]\n"
                     "    1 | tp = 8\n"
                     "      |      ^\n"
                     "  train.parl:1:6: note: set here\n");
}

TEST_F(Rendering, DerivationTree) {
  const uint32_t F = add("layout a {\n  tp = 8\n}");
  Derivation Tp{"layout.tp", "", "", "8", "gpu/stage", 8, "", find(F, "8"), {}};
  Derivation Shared{"w", "a * b", "2 * 3", "6", "ratio", 6, "paper, section 2", {}, {Tp}};
  Derivation Root{"total", "w + w", "6 + 6", "12 GB", "B", 12e9, "", {}, {Shared, Shared}};
  EXPECT_EQ(renderDerivation(Root, Sources), "total = w + w = 6 + 6 = 12 GB\n"
                                             "  w = a * b = 2 * 3 = 6  (paper, section 2)\n"
                                             "    layout.tp = 8 gpu/stage  (train.parl:2:8)\n"
                                             "  w = a * b = 2 * 3 = 6  (paper, section 2)\n");
  EXPECT_EQ(renderDerivation({"", "2 * 3", "2 * 3", "6", "", 6, "", {}, {}}, Sources, 4), "    2 * 3 = 6\n");
  EXPECT_EQ(renderDerivation({"dp group: 16 GPUs", "", "", "", "", 0, "", {}, {}}, Sources), "dp group: 16 GPUs\n");
}

TEST_F(Rendering, WideLinesShowAWindow) {
  std::string Line(400, 'a');
  Line.replace(200, 3, "XYZ");
  const uint32_t F = add("first\n" + Line + "\n");
  const std::string Out = text(error(find(F, "XYZ"), "m", "here"));
  EXPECT_EQ(Out, "train.parl:2:201: error: m [PL9999 some-name]\n"
                 "    2 | …" +
                     std::string(59, 'a') + "XYZ" + std::string(96, 'a') + "…\n" + "      | " + std::string(60, ' ') +
                     "^^^ here\n");
  // Near the start it is cut on the right only, near the end on the left only.
  const std::string Start = text(error({F, 8, 10}, "m"));
  EXPECT_NE(Start.find("    2 | " + std::string(159, 'a') + "…\n      |   ^^\n"), std::string::npos) << Start;
  const std::string End = text(error({F, 405, 406}, "m"));
  EXPECT_NE(End.find("| …"), std::string::npos);
  EXPECT_NE(End.find("…" + std::string(159, 'a') + "\n"), std::string::npos);
  EXPECT_NE(End.find("| " + std::string(159, ' ') + "^\n"), std::string::npos) << End;
  // A range wider than the window is clipped to it.
  const std::string Wide = text(error({F, 6, 406}, "m"));
  EXPECT_NE(Wide.find("| " + std::string(160, '^') + "\n"), std::string::npos) << Wide;
}

TEST_F(Rendering, MegabytesOnOneLine) {
  std::string Line(20'000'000, 'x');
  Line.replace(10'000'000, 6, "ä→NEEDLE", 0, 12);
  const uint32_t F = add(std::move(Line));
  for (const uint32_t Begin : {0u, 10'000'001u, 19'999'999u, 20'000'005u}) {
    Diagnostic D = error({F, Begin, Begin + 4}, "m");
    D.Labels.push_back({{F, 19'000'000, 19'000'001}, "far away"});
    const std::string Out = text(D);
    EXPECT_LT(Out.size(), 2000u);
    EXPECT_NE(Out.find('^'), std::string::npos);
  }
}

TEST_F(Rendering, HostileBytesAreNeverPrintedRaw) {
  const uint32_t F = add("a\x1b[2J\xFF\x80 b\x07\u202E\n", "evil\x1b.parl");
  Diagnostic D = error(find(F, "b"), "message \x1b[31m\nsecond\xC3", "caret\n\x08");
  D.Body = {"body\x1b", "x\ny"};
  D.Notes.push_back({{}, "note \x9b"});
  D.Fixes.push_back({"fix\x1b", Applicability::Maybe, {}, {{"e\x1b", "\x7f"}}});
  D.Derivations.push_back({"n\x1b", "f\x01", "", "v\x02", "u\x03", 0, "", {}, {}});
  const std::string Out = text(D);
  for (const char C : Out)
    EXPECT_TRUE(C == '\n' || static_cast<unsigned char>(C) >= 0x20) << static_cast<int>(C);
  EXPECT_EQ(Out.find("\u202E"), std::string::npos);
  EXPECT_TRUE(Out.starts_with("evil\u241b.parl:1:8: error: message \u241b[31m second\uFFFD [PL9999")) << Out;
  EXPECT_NE(Out.find("    1 | a\u241b[2J\uFFFD\uFFFD b\u2407\uFFFD\n"
                     "      |         ^ caret \u2408\n"),
            std::string::npos)
      << Out;
}

TEST_F(Rendering, LineNumbersWidenTheGutter) {
  const uint32_t F = add(std::string(1'234'566, '\n') + "x");
  EXPECT_EQ(text(error(find(F, "x"), "m")), "train.parl:1234567:1: error: m [PL9999 some-name]\n"
                                            "1234567 | x\n"
                                            "        | ^\n");
}

TEST_F(Rendering, ColourOnlyWhenAsked) {
  const uint32_t F = add("tp = 8");
  Diagnostic D = error(find(F, "8"), "m", "here");
  D.Labels.push_back({find(F, "tp"), "l"});
  EXPECT_EQ(text(D).find('\x1b'), std::string::npos);
  const std::string Colored = renderText(D, Sources, {.Color = true});
  EXPECT_NE(Colored.find("\x1b[1;31merror:\x1b[0m"), std::string::npos);
  // The same text below the colours.
  std::string Plain;
  for (size_t I = 0; I < Colored.size(); ++I)
    if (Colored[I] == '\x1b')
      I = Colored.find('m', I);
    else
      Plain += Colored[I];
  EXPECT_EQ(Plain, text(D));
}

TEST_F(Rendering, ListsEndWithACount) {
  const uint32_t F = add("x");
  Diagnostic A = error(find(F, "x"), "a"), B = error({}, "b");
  B.Level = Severity::Warning;
  EXPECT_EQ(renderText(std::vector{A, B}, Sources, {}), "train.parl:1:1: error: a [PL9999 some-name]\n"
                                                        "    1 | x\n"
                                                        "      | ^\n"
                                                        "\n"
                                                        "parlance: warning: b [PL9999 some-name]\n"
                                                        "\n"
                                                        "1 error, 1 warning\n");
  EXPECT_EQ(renderText(std::vector{A, B}, Sources, {.Concise = true}), "train.parl:1:1: error: a [PL9999 some-name]\n"
                                                                       "parlance: warning: b [PL9999 some-name]\n");
  EXPECT_EQ(renderText(std::vector{B}, Sources, {.SuppressedErrors = 23}), "parlance: warning: b [PL9999 some-name]\n"
                                                                           "\n"
                                                                           "and 23 more errors\n"
                                                                           "23 errors, 1 warning\n");
  EXPECT_EQ(renderText(std::vector<Diagnostic>{}, Sources, {}), "");
  EXPECT_EQ(summaryLine(1, 0), "1 error");
  EXPECT_EQ(summaryLine(3, 1), "3 errors, 1 warning");
  EXPECT_EQ(summaryLine(0, 2), "2 warnings");
  EXPECT_EQ(summaryLine(0, 0), "no errors");
}

TEST_F(Rendering, JsonFields) {
  const uint32_t F = add("ä = 4M tok\n");
  Diagnostic D = error(find(F, "4M tok"), "m \"quoted\"", "c");
  D.Notes.push_back({find(F, "ä"), "n"});
  D.Notes.push_back({{}, "nowhere"});
  D.Derivations.push_back(
      {"a", "b + c", "1 B + 2 B", "3", "B", 3, "doc", {}, {{"b", "", "", "1", "B", 1, "", find(F, "ä"), {}}}});
  D.Fixes.push_back(
      {"t", Applicability::Machine, {{find(F, "4M"), "4Mi"}}, {{"memory", "3 GiB"}, {"memory", "again"}}});
  EXPECT_EQ(
      renderJson({D}, Sources),
      R"({"version":1,"diagnostics":[{"code":"PL9999","name":"some-name","severity":"error","message":"m \"quoted\"",)"
      R"("file":"train.parl","line":1,"column":5,"endLine":1,"endColumn":11,"caret":"c",)"
      R"("notes":[{"message":"n","file":"train.parl","line":1,"column":1,"endLine":1,"endColumn":2},)"
      R"({"message":"nowhere","file":null,"line":null,"column":null,"endLine":null,"endColumn":null}],)"
      R"("derivation":{"name":"a","formula":"b + c","substituted":"1 B + 2 B","value":3,"text":"3","unit":"B","source":"doc",)"
      R"("terms":[{"name":"b","formula":"","substituted":"","value":1,"text":"1","unit":"B",)"
      R"("file":"train.parl","line":1,"column":1,"endLine":1,"endColumn":2,"terms":[]}]},)"
      R"("fixes":[{"title":"t","applicability":"machine","edits":[{"file":"train.parl","line":1,"column":5,"endLine":1,"endColumn":7,"newText":"4Mi"}],)"
      R"("effect":{"memory":"3 GiB"}}]}],"jobs":[],"summary":{"errors":1,"warnings":0}})"
      "\n");
}

TEST_F(Rendering, JsonOfNothing) {
  EXPECT_EQ(renderJson(std::vector<Diagnostic>(), Sources),
            "{\"version\":1,\"diagnostics\":[],\"jobs\":[],\"summary\":{\"errors\":0,\"warnings\":0}}\n");
  EXPECT_EQ(renderJson({}, Sources, 5), "{\"version\":1,\"diagnostics\":[],\"jobs\":[],\"summary\":{\"errors\":"
                                        "5,\"warnings\":0,\"suppressed\":5}}\n");
}

TEST_F(Rendering, JsonSurvivesHostileBytes) {
  const uint32_t F = add("a\xFF"
                         "b\x01",
                         "f\xFE.parl");
  Diagnostic D = error(find(F, "b"), "m\xC3\x01\n\"\\");
  D.Notes.push_back({{}, "\xED\xA0\x80"});
  D.Body = {"\xF5"};
  D.Labels.push_back({find(F, "a"), "\x80"});
  D.Fixes.push_back({"\xFF", Applicability::Display, {{find(F, "b"), "\xFF"}}, {{"\xFF", "\xFE"}}});
  D.Derivations.push_back({"\xFF", "\xFF", "\xFF", "\xFF", "\xFF", 0, "\xFF", {}, {}});
  const std::string Text = renderJson({D}, Sources);
  EXPECT_EQ(firstInvalidUtf8(Text), std::string::npos) << Text;
  EXPECT_NE(Text.find("\"message\":\"m\uFFFD\\u0001\\n\\\"\\\\\""), std::string::npos) << Text;
  for (const char C : Text)
    EXPECT_TRUE(C == '\n' || static_cast<unsigned char>(C) >= 0x20) << static_cast<int>(C);
}

TEST_F(Rendering, JsonDerivationValues) {
  const auto Value = [&](Derivation Tree) {
    Diagnostic D = error({}, "m");
    D.Derivations.push_back(std::move(Tree));
    const std::string Text = renderJson({D}, Sources);
    const size_t Begin = Text.find("\"value\":") + 8;
    return Text.substr(Begin, Text.find(",\"text\"") - Begin);
  };
  EXPECT_EQ(Value({"", "", "", "80 GB", "B", 8e10, "", {}, {}}), "80000000000");
  EXPECT_EQ(Value({"", "", "", "0.1", "ratio", 0.1, "", {}, {}}), "0.1");
  EXPECT_EQ(Value({"", "", "", "bf16", "", 0, "", {}, {}}), "\"bf16\"");
  EXPECT_EQ(Value({"", "", "", "true", "bool", 0, "", {}, {}}), "\"true\"");
  EXPECT_EQ(Value({"", "", "", "unknown", "B", std::nan(""), "", {}, {}}), "null");
  EXPECT_EQ(Value({"", "", "", "1", "B", INFINITY, "", {}, {}}), "null");
}

TEST(DiagnosticEngine, SortsAndDropsDuplicates) {
  constexpr DiagnosticKind<int> Late{"PL0002", "late", Severity::Error, "late {}"};
  constexpr DiagnosticKind<> Early{"PL0001", "early", Severity::Warning, "early"};
  DiagnosticEngine Engine;
  Engine.report(Late, {2, 0, 1}, 1);
  Diagnostic &Kept = Engine.report(Late, {1, 5, 6}, 1);
  Engine.report(Late, {1, 5, 6}, 1).Notes.push_back({{}, "lost"});
  Engine.report(Late, {1, 5, 6}, 2);
  Engine.report(Early, {1, 5, 6});
  Engine.report(Early, {1, 2, 3});
  Engine.report(Early, {});
  Kept.CaretText = "stays valid";
  EXPECT_EQ(Engine.errors(), 3u);
  EXPECT_EQ(Engine.warnings(), 3u);
  const std::vector<Diagnostic> All = Engine.take();
  ASSERT_EQ(All.size(), 6u);
  EXPECT_TRUE(Engine.empty());
  EXPECT_EQ(All[0].Range.File, 0u);
  EXPECT_EQ(All[1].Range.Begin, 2u);
  EXPECT_EQ(All[2].Code, "PL0001");
  EXPECT_EQ(All[3].Message, "late 1");
  EXPECT_EQ(All[3].CaretText, "stays valid");
  EXPECT_TRUE(All[3].Notes.empty());
  EXPECT_EQ(All[4].Message, "late 2");
  EXPECT_EQ(All[5].Range.File, 2u);
}

TEST(DiagnosticEngine, CountsWhatItDoesNotKeep) {
  constexpr DiagnosticKind<unsigned> Kind{"PL0002", "many", Severity::Error, "number {}"};
  constexpr DiagnosticKind<> Warning{"PL0003", "one", Severity::Warning, "w"};
  DiagnosticEngine Engine;
  for (unsigned I = 0; I < DiagnosticEngine::MaxErrors + 23; ++I)
    Engine.report(Kind, {1, I, I + 1}, I);
  Engine.report(Warning, {});
  EXPECT_EQ(Engine.errors(), DiagnosticEngine::MaxErrors + 23);
  EXPECT_EQ(Engine.suppressedErrors(), 23u);
  EXPECT_EQ(Engine.take().size(), DiagnosticEngine::MaxErrors + 1);
  EXPECT_EQ(Engine.suppressedErrors(), 23u);
}

TEST(Diagnostics, PagesAreSortedAndComplete) {
  const auto Pages = diagnosticPages();
  EXPECT_TRUE(
      std::ranges::is_sorted(Pages, [](const DiagnosticPage &A, const DiagnosticPage &B) { return A.Code < B.Code; }));
  std::set<std::string_view> Names;
  for (const DiagnosticPage &Page : Pages) {
    EXPECT_EQ(Page.Code.size(), 6u) << Page.Code;
    EXPECT_TRUE(Page.Code.starts_with("PL")) << Page.Code;
    EXPECT_FALSE(Page.Message.empty()) << Page.Code;
    EXPECT_FALSE(Page.Why.empty()) << Page.Code;
    EXPECT_TRUE(Names.insert(Page.Name).second) << Page.Name;
  }
}

} // namespace
