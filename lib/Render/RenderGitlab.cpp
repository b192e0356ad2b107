#include "Basic/Fingerprint.h"
#include "Render/JsonOut.h"
#include "Render/Render.h"
#include "Render/RenderText.h"
#include "Render/ReportPlace.h"

using namespace parlance;

static std::string_view gitlabSeverity(Severity S) {
  switch (S) {
  case Severity::Error:
    return "critical";
  case Severity::Warning:
    return "minor";
  default:
    return "info";
  }
}

std::string parlance::renderGitlab(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                                   const ReportOptions &Options) {
  ReportPaths Paths(Sources, Options.Folder);
  const std::vector<std::string> Prints = fingerprints(Diagnostics, Sources, Options.Folder);
  return jsonDocument(
      [&](llvm::json::OStream &J) {
        J.array([&] {
          for (size_t I = 0; I < Diagnostics.size(); ++I) {
            const Diagnostic &D = Diagnostics[I];
            const bool Placed = isPlaced(D.Range, Sources);
            J.object([&] {
              textAttribute(J, "description", messageWithNotes(D, Sources));
              textAttribute(J, "check_name", fmt::format("{} {}", D.Code, D.Name));
              textAttribute(J, "fingerprint", Prints[I]);
              textAttribute(J, "severity", gitlabSeverity(D.Level));
              J.attributeObject("location", [&] {
                // An entry without a place is refused.
                textAttribute(J, "path", Placed ? Paths.of(D.Range.File) : ".");
                J.attributeObject("lines", [&] { J.attribute("begin", Placed ? Sources.begin(D.Range).Line : 1); });
              });
            });
          }
        });
      },
      1);
}
