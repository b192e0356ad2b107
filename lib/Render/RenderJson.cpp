#include "Render/JsonOut.h"
#include "Render/Render.h"
#include "Render/RenderText.h"
#include <cmath>
#include <set>

using namespace parlance;
using llvm::json::OStream;

namespace {

void place(OStream &J, SourceRange Range, const SourceManager &Sources) {
  if (!isPlaced(Range, Sources)) {
    for (const char *Key : {"file", "line", "column", "endLine", "endColumn"})
      J.attribute(Key, nullptr);
    return;
  }
  const LineColumn Begin = Sources.begin(Range), End = Sources.end(Range);
  textAttribute(J, "file", Sources.file(Range.File).name());
  J.attribute("line", Begin.Line);
  J.attribute("column", Begin.Column);
  J.attribute("endLine", End.Line);
  J.attribute("endColumn", End.Column);
}

bool isNumber(std::string_view Printed) {
  const size_t First = Printed.find_first_not_of("+-.");
  return First != std::string_view::npos && Printed[First] >= '0' && Printed[First] <= '9';
}

void value(OStream &J, const Derivation &D) {
  if (D.Value == "unknown" || D.Value == "overflow" || !std::isfinite(D.Number))
    J.attribute("value", nullptr);
  else if (D.Unit.empty() || !isNumber(D.Value))
    textAttribute(J, "value", D.Value);
  else {
    J.attributeBegin("value");
    J.rawValue(fmt::format("{}", D.Number)); // the shortest text of the same double; the library prints 17 digits
    J.attributeEnd();
  }
}

void derivation(OStream &J, const Derivation &D, const SourceManager &Sources) {
  J.object([&] {
    textAttribute(J, "name", D.Name);
    textAttribute(J, "formula", D.Formula);
    textAttribute(J, "substituted", D.Substituted);
    value(J, D);
    textAttribute(J, "text", D.Value);
    textAttribute(J, "unit", D.Unit);
    if (!D.Source.empty())
      textAttribute(J, "source", D.Source);
    if (isPlaced(D.Origin, Sources))
      place(J, D.Origin, Sources);
    J.attributeArray("terms", [&] {
      for (const Derivation &Term : D.Terms)
        derivation(J, Term, Sources);
    });
  });
}

void fix(OStream &J, const Fix &F, const SourceManager &Sources) {
  J.object([&] {
    textAttribute(J, "title", F.Title);
    textAttribute(J, "applicability", applicabilityName(F.Trust));
    J.attributeArray("edits", [&] {
      for (const Edit &E : F.Edits)
        J.object([&] {
          place(J, E.Range, Sources);
          textAttribute(J, "newText", E.NewText);
        });
    });
    J.attributeObject("effect", [&] {
      std::set<std::string_view> Seen; // a key twice is not a valid object to many readers
      for (const auto &[Name, Value] : F.Effect)
        if (Seen.insert(Name).second)
          textAttribute(J, jsonText(Name), Value);
    });
  });
}

void message(OStream &J, SourceRange Range, std::string_view Message, const SourceManager &Sources) {
  J.object([&] {
    textAttribute(J, "message", Message);
    place(J, Range, Sources);
  });
}

void derivations(OStream &J, const Diagnostic &D, const SourceManager &Sources) {
  if (D.Derivations.empty())
    return;
  J.attributeBegin("derivation");
  derivation(J, D.Derivations.front(), Sources);
  J.attributeEnd();
  if (D.Derivations.size() == 1)
    return;
  J.attributeArray("derivations", [&] {
    for (const Derivation &Tree : D.Derivations)
      derivation(J, Tree, Sources);
  });
}

void diagnostic(OStream &J, const Diagnostic &D, const SourceManager &Sources) {
  J.object([&] {
    textAttribute(J, "code", D.Code);
    textAttribute(J, "name", D.Name);
    textAttribute(J, "severity", severityName(D.Level));
    textAttribute(J, "message", D.Message);
    place(J, D.Range, Sources);
    if (!D.Jobs.empty())
      J.attributeArray("jobs", [&] {
        for (const std::string &Job : D.Jobs)
          J.value(jsonText(Job));
      });
    if (!D.CaretText.empty())
      textAttribute(J, "caret", D.CaretText);
    if (!D.Labels.empty())
      J.attributeArray("labels", [&] {
        for (const Label &L : D.Labels)
          message(J, L.Range, L.Text, Sources);
      });
    if (!D.Body.empty())
      J.attributeArray("body", [&] {
        for (const std::string &Line : D.Body)
          J.value(jsonText(Line));
      });
    J.attributeArray("notes", [&] {
      for (const Note &N : D.Notes)
        message(J, N.Range, N.Message, Sources);
    });
    derivations(J, D, Sources);
    J.attributeArray("fixes", [&] {
      for (const Fix &F : D.Fixes)
        fix(J, F, Sources);
    });
  });
}

void texts(OStream &J, llvm::StringRef Key, const std::vector<std::string> &Values) {
  J.attributeArray(Key, [&] {
    for (const std::string &Text : Values)
      J.value(jsonText(Text));
  });
}

/// Null for what is not known.
void known(OStream &J, llvm::StringRef Key, const std::string &Text) {
  if (Text.empty())
    J.attribute(Key, nullptr);
  else
    textAttribute(J, Key, Text);
}

void verdict(OStream &J, const JobVerdict &V, const SourceManager &Sources) {
  J.object([&] {
    textAttribute(J, "name", V.Name);
    textAttribute(J, "file", Sources.file(V.File).name());
    J.attribute("resolved", V.Resolved);
    known(J, "memory", V.Memory);
    known(J, "step", V.Step);
    J.attribute("rules", V.Rules);
    J.attribute("openRules", V.OpenRules);
    J.attributeArray("open", [&] {
      for (const OpenPart &Part : V.Open)
        J.object([&] {
          textAttribute(J, "what", Part.What);
          texts(J, "needs", Part.Needs);
        });
    });
    texts(J, "notUnderstood", V.Options);
  });
}

} // namespace

std::string parlance::renderJson(const Derivation &D, const SourceManager &Sources) {
  std::string Out;
  llvm::raw_string_ostream Stream(Out);
  OStream J(Stream);
  derivation(J, D, Sources);
  J.flush();
  return Out;
}

std::string parlance::renderJson(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                                 unsigned SuppressedErrors, const std::vector<JobVerdict> &Jobs) {
  unsigned Errors = SuppressedErrors, Warnings = 0;
  return jsonDocument([&](OStream &J) {
    J.object([&] {
      J.attribute("version", 1);
      J.attributeArray("diagnostics", [&] {
        for (const Diagnostic &D : Diagnostics) {
          Errors += D.Level == Severity::Error;
          Warnings += D.Level == Severity::Warning;
          diagnostic(J, D, Sources);
        }
      });
      J.attributeArray("jobs", [&] {
        for (const JobVerdict &V : Jobs)
          verdict(J, V, Sources);
      });
      J.attributeObject("summary", [&] {
        J.attribute("errors", Errors);
        J.attribute("warnings", Warnings);
        if (SuppressedErrors > 0)
          J.attribute("suppressed", SuppressedErrors);
      });
    });
  });
}
