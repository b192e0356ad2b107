// What the tests of foreign jobs share: texts in memory, read as the files of one job.
#pragma once
#include "Eval/Support.h"
#include "Frameworks/Job/ForeignJob.h"
#include "Plan/Options.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace parlance {

/// One job from files.
class ForeignRead {
public:
  ForeignRead(std::string Name, std::string Text, std::string Cluster = {})
      : ForeignRead({{std::move(Name), std::move(Text)}}, std::move(Cluster)) {}
  ForeignRead(std::vector<std::pair<std::string, std::string>> Texts, std::string Cluster) {
    Request.Cluster = std::move(Cluster);
    std::vector<const ForeignFile *> Group;
    for (auto &[Name, Text] : Texts)
      Files.push_back(openForeign(Sources.add(Name, Text), Sources, Diags));
    for (const ForeignFile &F : Files)
      if (F.Kind != FileKind::Unknown)
        Group.push_back(&F);
    if (!Group.empty()) {
      ForeignReader Reader(Values, Models, Request);
      Result = Reader.read(Group);
    }
    Errors = Diags.errors();
    Said = Diags.take();
  }
  ForeignRead(const ForeignRead &) = delete;

  const Record *job() const { return Result ? Result->Job : nullptr; }
  /// The value of a field of the job as text: "8", "true", "full", "not given", "unknown".
  std::string field(std::string_view Path) const {
    FieldPath At = job() ? fieldAt(*job(), Path) : FieldPath();
    if (!At.Owner)
      return "no such field";
    const Value &V = At.Owner->at(At.Index);
    if (V.isAbsent())
      return "not given";
    if (V.K == Value::Kind::Auto)
      return "auto";
    if (!rt::knownValue(V))
      return "unknown";
    switch (V.K) {
    case Value::Kind::Quantity:
      return formatExact(V.Number);
    case Value::Kind::Bool:
      return V.Flag == Truth::True ? "true" : "false";
    case Value::Kind::Enum:
      return std::string(At.decl().Ty.Enum->Values[V.Index]);
    case Value::Kind::String:
      return std::string(V.Text);
    default:
      return "a block";
    }
  }
  /// The text that gave a field.
  std::string from(std::string_view Path) const {
    FieldPath At = job() ? fieldAt(*job(), Path) : FieldPath();
    if (!At.Owner || At.Owner->Origins[At.Index].K != Origin::Kind::Given)
      return "a default";
    return std::string(Sources.text(At.Owner->Origins[At.Index].Range));
  }
  /// "CODE `text under the carets` message", one a line, without hints.
  std::string said(Severity Least = Severity::Warning) const {
    std::string Lines;
    for (const Diagnostic &D : Said)
      if (D.Level <= Least)
        Lines += fmt::format("{}{} `{}` {}", Lines.empty() ? "" : "\n", D.Code, Sources.text(D.Range), D.Message);
    return Lines;
  }
  std::optional<Plan> plan() { return job() ? resolve(*job(), Values) : std::nullopt; }

  SourceManager Sources;
  DiagnosticEngine Diags;
  Evaluator Values{Sources, standardLibrary(), Diags};
  HuggingFaceImporter Models{Sources, Diags};
  ForeignRequest Request;
  std::vector<ForeignFile> Files;
  std::optional<ForeignJob> Result;
  unsigned Errors = 0;
  std::vector<Diagnostic> Said;
};

inline std::string textOfFile(const std::filesystem::path &Path) {
  std::ifstream In(Path);
  return {std::istreambuf_iterator<char>(In), {}};
}

} // namespace parlance
