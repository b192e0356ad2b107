#include "Policy/Policy.h"
#include "Basic/Diagnostics.h"
#include "Policy/Baseline.h"
#include "Policy/PolicyFile.h"
#include "Policy/Selection.h"
#include "Policy/Suppressions.h"
#include "std/Std.h"
#include <gtest/gtest.h>

using namespace parlance;

namespace {

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

TEST(Selection, ExactNamesAreAboveLongerAndShorterBeginnings) {
  auto How = [](std::string_view Pattern) { return matchRule(Pattern, "PL4003", "tp-across-nodes"); };
  EXPECT_EQ(How("PL4003"), How("tp-across-nodes"));
  EXPECT_EQ(How("PL4003"), How("tp_across_nodes"));
  EXPECT_GT(How("PL4003"), How("PL400"));
  EXPECT_GT(How("PL400"), How("PL4"));
  EXPECT_GT(How("PL4"), How("PL"));
  for (std::string_view Other : {"", "P", "pl4003", "PL40030", "PL5", "tp-across", "tp across nodes"})
    EXPECT_EQ(How(Other), 0u) << Other;
}

TEST(Selection, RulesOfUsersHaveNames) {
  EXPECT_GT(matchRule("our_rule", "PL9000", "our_rule"), 0u);
  EXPECT_GT(matchRule("our-rule", "PL9000", "our_rule"), 0u);
  RuleNames Names;
  EXPECT_FALSE(Names.knows("our_rule"));
  Names.add("PL9000", "our_rule");
  EXPECT_TRUE(Names.knows("our-rule"));
  EXPECT_FALSE(Names.whyHard("our_rule"));
  EXPECT_FALSE(Names.isAboutText("our_rule"));
}

TEST(Selection, KnowsEveryDeclaredRule) {
  RuleNames Names;
  for (const DiagnosticPage &P : diagnosticPages())
    EXPECT_TRUE(Names.knows(P.Code) && Names.knows(P.Name)) << P.Code;
  for (const RuleDecl &R : standardLibrary().Rules)
    EXPECT_TRUE(Names.knows(R.Code) && Names.knows(R.Name)) << R.Code;
  EXPECT_EQ(Names.nearest("PL403"), "PL4003");
  EXPECT_EQ(Names.nearest("tp-acros-nodes"), "tp-across-nodes");
  EXPECT_FALSE(Names.nearest("something else entirely"));
}

TEST(Selection, WhatCannotRunIsHard) {
  RuleNames Names;
  for (std::string_view Hard : {"PL0001", "PL0050", "PL1002", "PL1004", "PL2001", "PL5001", "PL6001"})
    EXPECT_TRUE(Names.whyHard(Hard)) << Hard;
  for (std::string_view Soft : {"PL0101", "PL0102", "PL1008", "PL3001", "PL3003", "PL4003", "PL2035", "PL0", "PL1",
                                "PL6", "PL7", "PL", "PL0150"})
    EXPECT_FALSE(Names.whyHard(Soft)) << Soft;
  // Every error of the groups, and nothing of the others.
  for (const RuleDecl &R : standardLibrary().Rules) {
    bool Estimate = R.Code[2] == '3' || R.Code[2] == '4' || R.Code[2] == '8';
    EXPECT_EQ(Names.whyHard(R.Code).has_value(), R.Level == Severity::Error && !Estimate) << R.Code;
  }
}

TEST(Selection, TextNeedsNoJob) {
  RuleNames Names;
  for (std::string_view Text : {"PL0", "PL1008", "PL7031", "ignored-option"})
    EXPECT_TRUE(Names.isAboutText(Text)) << Text;
  for (std::string_view Jobs : {"PL3001", "PL", "tp-across-nodes"})
    EXPECT_FALSE(Names.isAboutText(Jobs)) << Jobs;
}

//===----------------------------------------------------------------------===//
// Suppressions
//===----------------------------------------------------------------------===//

/// "PATTERN,PATTERN@FIRST-LAST" of each, and the codes of what was reported.
std::vector<std::string> allows(const std::string &Name, std::string Text) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  uint32_t File = Sources.add(Name, std::move(Text));
  std::vector<std::string> Result;
  for (const Allow &A : findAllows(File, Sources, Diags)) {
    std::string Rules;
    for (const Allow::Rule &R : A.Rules) {
      EXPECT_EQ(Sources.text(R.Range), R.Pattern);
      Rules += (Rules.empty() ? "" : ",") + R.Pattern;
    }
    EXPECT_TRUE(Sources.text(A.Comment).find(Name.ends_with("json") ? "//" : "#") != Name.npos);
    Result.push_back(fmt::format("{}@{}-{}", Rules, A.First, A.Last));
  }
  for (const Diagnostic &D : Diags.take())
    Result.emplace_back(D.Code);
  return Result;
}

using Strings = std::vector<std::string>;

TEST(Suppressions, CoverTheirLineOrTheOneBelow) {
  EXPECT_EQ(allows("a.parl", "let a = 1 # parlance: allow(PL1) why\nlet b = 1\n"), Strings{"PL1@1-1"});
  EXPECT_EQ(allows("a.parl", "let a = 1\n  # parlance: allow(PL1) why\nlet b = 1\n"), Strings{"PL1@2-3"});
  EXPECT_EQ(allows("a.parl", "let a = 1\n# parlance: allow(PL1) why\n# more\n# parlance: allow(PL2) y\n"
                             "let b = 1\nlet c = 1\n"),
            (Strings{"PL1@2-5", "PL2@4-5"}));
  EXPECT_EQ(allows("a.parl", "let a = 1\n# parlance: allow(PL1) why\n\nlet b = 1\n"), Strings{"PL1@2-3"});
  EXPECT_EQ(allows("a.parl", "let a = \"é\" # parlance: allow(PL1) why\r\nlet b = 1\r\n"), Strings{"PL1@1-1"});
}

TEST(Suppressions, AtTheTopTheyCoverTheFileToo) {
  EXPECT_EQ(allows("a.parl", "# A file.\n\n# parlance: allow(PL1) why\nlet b = 1\n"), Strings{"PL1@1-4"});
  EXPECT_EQ(allows("a.sh", "#!/bin/bash\n# parlance: allow(PL1) why\necho\n"), Strings{"PL1@1-3"});
  EXPECT_EQ(allows("a.parl", "# parlance: allow(PL1) why"), Strings{"PL1@1-2"});
}

TEST(Suppressions, ContinuedLinesOfAScriptAreOne) {
  EXPECT_EQ(allows("a.sh", "a\n# parlance: allow(PL1) why\nb \\\n  c \\\r\n  d\ne\n"), Strings{"PL1@2-5"});
  EXPECT_EQ(allows("a.sh", "a\nb \\\n  c \\\n  d # parlance: allow(PL1) why\ne\n"), Strings{"PL1@2-4"});
  EXPECT_EQ(allows("a.yaml", "a: 1\n# parlance: allow(PL1) why\nb: \\\nc: 1\n"), Strings{"PL1@2-3"});
}

TEST(Suppressions, Form) {
  EXPECT_EQ(allows("a.parl", "#parlance:allow(a,b , c)why"), Strings{"a,b,c@1-2"});
  EXPECT_EQ(allows("a.parl", "# parlance: allow (a) why"), Strings{"a@1-2"});
  EXPECT_EQ(allows("a.parl", "# parlance: allow(a)"), (Strings{"a@1-2", "PL0151"}));
  EXPECT_EQ(allows("a.parl", "# parlance: allow(a)  \t\r\n"), (Strings{"a@1-2", "PL0151"}));
  for (std::string_view Wrong : {"", " ", "allow", "allow(", "allow()", "allow(a", "allow(a,)", "allow(,a)",
                                 "allow(a b) c", "deny(a) b", "allow a", "allow((a)"})
    EXPECT_EQ(allows("a.parl", "let a = 1 # parlance:" + std::string(Wrong)), Strings{"PL0153"}) << Wrong;
  EXPECT_EQ(allows("a.parl", "# see parlance: allow(a) b"), Strings{});
  EXPECT_EQ(allows("a.parl", "parlance: allow(a) b"), Strings{});
  EXPECT_EQ(allows("a.parl", ""), Strings{});
}

TEST(Suppressions, OnlyWhereTheFormatHasComments) {
  const std::string Mark = "# parlance: allow(a) b";
  EXPECT_EQ(allows("a.parl", "let a = \"" + Mark + "\"\n"), Strings{});
  EXPECT_EQ(allows("a.parl", "let a = \"\"\"\n" + Mark + "\n\"\"\"\n"), Strings{});
  EXPECT_EQ(allows("a.toml", "a = '" + Mark + "'\n"), Strings{});
  EXPECT_EQ(allows("a.toml", "a = \"\"\"\n" + Mark + "\n\"\"\"\n"), Strings{});
  EXPECT_EQ(allows("a.toml", "\"" + Mark + "\" = 1\n"), Strings{});
  EXPECT_EQ(allows("a.toml", "a = [ 1, " + Mark + "\n 2 ]\n"), Strings{"a@1-1"});
  EXPECT_EQ(allows("a.toml", "[a] " + Mark + "\nb = 1\n"), Strings{"a@1-1"});
  EXPECT_EQ(allows("a.yaml", "a: '" + Mark + "'\n"), Strings{});
  EXPECT_EQ(allows("a.yaml", "a: |\n  " + Mark + "\n"), Strings{});
  EXPECT_EQ(allows("a.yaml", "a: b" + Mark + "\n"), Strings{});
  EXPECT_EQ(allows("a.yaml", "a: b " + Mark + "\n"), Strings{"a@1-1"});
  EXPECT_EQ(allows("a.yaml", "a: |\n  text\n" + Mark + "\nb: 1\n"), Strings{"a@3-4"});
  EXPECT_EQ(allows("a.yaml", "a: [b, " + Mark + "\n  c]\n"), Strings{"a@1-1"});
  EXPECT_EQ(allows("a.yaml", "a: {b\n"), Strings{});
  EXPECT_EQ(allows("a.json", "{\"a\": \"" + Mark + "\"}"), Strings{});
  EXPECT_EQ(allows("a.json", "{\"a\": 1, // parlance: allow(a) b\n\"b\": 2}"), Strings{"a@1-1"});
  EXPECT_EQ(allows("a.json", "{\n// parlance: allow(a) b\n\"b\": 2}"), Strings{"a@2-3"});
  EXPECT_EQ(allows("a.toml", "// parlance: allow(a) b\n"), Strings{});
  EXPECT_EQ(allows("a.sh", "echo '" + Mark + "'\n"), Strings{});
  EXPECT_EQ(allows("a.sh", "echo \"\n" + Mark + "\"\n"), Strings{});
  EXPECT_EQ(allows("a.sh", "echo a" + Mark + "\n"), Strings{});
  EXPECT_EQ(allows("a.sh", "cat <<X\n" + Mark + "\nX\n"), Strings{});
  EXPECT_EQ(allows("a.sh", "A=( b " + Mark + "\n c )\n"), Strings{"a@1-1"});
}

TEST(Suppressions, ManyAreReadInLinearTime) {
  std::string Text;
  for (int I = 0; I < 200'000; ++I)
    Text += "# parlance: allow(PL1) why\n";
  EXPECT_EQ(allows("a.sh", Text).size(), 200'000u);
  EXPECT_EQ(allows("a.parl", Text).size(), 200'000u);
}

//===----------------------------------------------------------------------===//
// parlance.toml and baselines
//===----------------------------------------------------------------------===//

TEST(PolicyFile, PathsAreTakenFromItsFolder) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  uint32_t File = Sources.add("a/parlance.toml", "baseline = './b.json'\n[policy]\nuse = ['../p.parl', '/q.parl']\n"
                                                 "[[allow]]\npath = 'c/d.json'\nrule = 'PL4003'\nreason = 'x'\n"
                                                 "[rules]\nPL4 = 'off'\nPL40 = 'hint'\n");
  PolicyFile P = readPolicyFile(File, Sources, Diags);
  EXPECT_TRUE(Diags.empty());
  EXPECT_EQ(P.Folder, "a");
  EXPECT_EQ(P.Baseline, "a/b.json");
  ASSERT_EQ(P.Use.size(), 2u);
  EXPECT_EQ(P.Use[0].first, "p.parl");
  EXPECT_EQ(P.Use[1].first, "/q.parl");
  ASSERT_EQ(P.Allows.size(), 1u);
  EXPECT_EQ(P.Allows[0].Path, "a/c/d.json");
  Diagnostic D;
  D.Code = "PL4003";
  ASSERT_TRUE(levelOf(P.Rules, D));
  EXPECT_EQ(levelOf(P.Rules, D)->Level, Severity::Hint);
  D.Code = "PL4103";
  ASSERT_TRUE(levelOf(P.Rules, D));
  EXPECT_EQ(levelOf(P.Rules, D)->Level, std::nullopt);
  D.Code = "PL3001";
  EXPECT_FALSE(levelOf(P.Rules, D));
}

TEST(Baseline, IsReadAsItIsWritten) {
  std::vector<BaselineEntry> Entries{{"PL2", "b \"c\".parl", "02", {}}, {"PL1", "a/é.parl", "01", {}}};
  std::string Text = writeBaseline(Entries);
  EXPECT_EQ(Text, "{\n  \"version\": 1,\n  \"findings\": [\n    [\"PL1\", \"a/é.parl\", \"01\"],\n"
                  "    [\"PL2\", \"b \\\"c\\\".parl\", \"02\"]\n  ]\n}\n");
  SourceManager Sources;
  DiagnosticEngine Diags;
  auto Read = readBaseline(Sources.add("b.json", Text), Sources, Diags);
  EXPECT_TRUE(Diags.empty());
  ASSERT_TRUE(Read);
  ASSERT_EQ(Read->size(), 2u);
  EXPECT_EQ((*Read)[1].File, "b \"c\".parl");
  EXPECT_EQ(writeBaseline(*Read), Text);
  EXPECT_EQ(readBaseline(Sources.add("b.json", writeBaseline({})), Sources, Diags)->size(), 0u);
}

TEST(Policy, TrimsErrorsAfterSuppressing) {
  CheckReport R;
  const uint32_t File = R.Sources.add("/nowhere/a.parl", std::string(600, '\n'));
  for (uint32_t I = 0; I < 300; ++I) {
    Diagnostic D;
    D.Code = I < 150 ? "PL0101" : "PL3001";
    D.Name = I < 150 ? "requirement-failed" : "memory-exceeded";
    D.Range = {File, I, I + 1};
    R.Found.push_back(std::move(D));
  }
  R.SuppressedErrors = 7;
  PolicyRequest Request;
  Request.Ignore = {"PL0101"};
  applyPolicy(R, Request);
  EXPECT_EQ(R.Found.size(), 100u);
  EXPECT_EQ(R.Errors, 157u);
  EXPECT_EQ(R.SuppressedErrors, 57u);
  R.SuppressedErrors = 0;
  Request.Ignore.emplace_back("PL3");
  applyPolicy(R, Request);
  EXPECT_EQ(R.Found.size() + R.Errors + R.SuppressedErrors, 0u);
}

} // namespace
