#include "Basic/Fingerprint.h"
#include "Basic/Utf8.h"
#include "Render/JsonOut.h"
#include "Render/Render.h"
#include "Render/RenderText.h"
#include "Render/ReportPlace.h"
#include <filesystem>

using namespace parlance;
using llvm::json::OStream;

namespace {

std::string_view sarifLevel(Severity S) {
  switch (S) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  default:
    return "note";
  }
}

/// A path as a URI reference (RFC 3986); the `/` between its parts stay.
std::string uri(std::string_view Path) {
  std::string Out;
  for (char C : Path) {
    const bool Plain = (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') ||
                       std::string_view("-._~/").find(C) != std::string_view::npos;
    if (Plain)
      Out += C;
    else
      Out += fmt::format("%{:02X}", static_cast<unsigned char>(C));
  }
  return Out;
}

void message(OStream &J, llvm::StringRef Key, std::string_view Text) {
  J.attributeObject(Key, [&] { textAttribute(J, "text", Text); });
}

/// "The first sentence." of a text.
std::string_view firstSentence(std::string_view Text) {
  const size_t End = Text.find(". ");
  return End == std::string_view::npos ? Text : Text.substr(0, End + 1);
}

class SarifWriter {
public:
  SarifWriter(OStream &J, const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
              const ReportOptions &Options)
      : J(J), Diagnostics(Diagnostics), Sources(Sources), Options(Options), Paths(Sources, Options.Folder) {
    for (const Diagnostic &D : Diagnostics)
      Rules.try_emplace(D.Code, &D);
  }
  void write();

private:
  void writeDriver();
  void writeRule(const Diagnostic &Example);
  void writeResult(const Diagnostic &D, const std::string &Fingerprint);
  void writeArtifact(uint32_t File);
  void writeRegion(llvm::StringRef Key, SourceRange Range);
  void writePhysical(SourceRange Range);
  void writeRelated(const Diagnostic &D);
  void writeFix(const Fix &F);
  uint32_t column(LineColumn At, uint32_t File) const;

  OStream &J;
  const std::vector<Diagnostic> &Diagnostics;
  const SourceManager &Sources;
  const ReportOptions &Options;
  ReportPaths Paths;
  std::map<std::string_view, const Diagnostic *> Rules; ///< those that occur, in code order
};

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

uint32_t SarifWriter::column(LineColumn At, uint32_t File) const {
  const SourceFile &Source = Sources.file(File);
  const uint32_t Start = *Source.offset({At.Line, 1}), End = *Source.offset(At);
  return static_cast<uint32_t>(utf16Units(Source.text().substr(Start, End - Start)) + 1);
}

void SarifWriter::writeRegion(llvm::StringRef Key, SourceRange Range) {
  const LineColumn Begin = Sources.begin(Range), End = Sources.end(Range);
  J.attributeObject(Key, [&] {
    J.attribute("startLine", Begin.Line);
    J.attribute("startColumn", column(Begin, Range.File));
    J.attribute("endLine", End.Line);
    J.attribute("endColumn", column(End, Range.File));
  });
}

/// Relative below the folder, so that a report means the same on another machine.
void SarifWriter::writeArtifact(uint32_t File) {
  const std::string &Path = Paths.of(File);
  J.attributeObject("artifactLocation", [&] {
    if (!Path.starts_with("../")) {
      textAttribute(J, "uri", uri(Path));
      J.attribute("uriBaseId", "%SRCROOT%");
      return;
    }
    std::error_code Error;
    const auto Absolute = std::filesystem::weakly_canonical(std::filesystem::path(Options.Folder) / Path, Error);
    textAttribute(J, "uri", "file://" + uri(Absolute.generic_string()));
  });
}

void SarifWriter::writePhysical(SourceRange Range) {
  J.attributeObject("physicalLocation", [&] {
    writeArtifact(Range.File);
    writeRegion("region", Range);
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Labels and the notes that have a place.
void SarifWriter::writeRelated(const Diagnostic &D) {
  std::vector<std::pair<SourceRange, std::string_view>> Related;
  for (const Label &L : D.Labels)
    Related.emplace_back(L.Range, L.Text);
  for (const Note &N : D.Notes)
    Related.emplace_back(N.Range, N.Message);
  std::erase_if(Related, [&](const auto &R) { return !isPlaced(R.first, Sources); });
  if (Related.empty())
    return;
  J.attributeArray("relatedLocations", [&] {
    for (size_t I = 0; I < Related.size(); ++I)
      J.object([&] {
        J.attribute("id", static_cast<int64_t>(I));
        writePhysical(Related[I].first);
        message(J, "message", Related[I].second);
      });
  });
}

void SarifWriter::writeFix(const Fix &F) {
  std::map<uint32_t, std::vector<const Edit *>> ByFile;
  for (const Edit &E : F.Edits)
    ByFile[E.Range.File].push_back(&E);
  J.object([&] {
    message(J, "description", fixLine(F));
    J.attributeArray("artifactChanges", [&] {
      for (const auto &[File, Edits] : ByFile)
        J.object([&] {
          writeArtifact(File);
          J.attributeArray("replacements", [&] {
            for (const Edit *E : Edits)
              J.object([&] {
                writeRegion("deletedRegion", E->Range);
                message(J, "insertedContent", E->NewText);
              });
          });
        });
    });
    J.attributeObject("properties", [&] { textAttribute(J, "applicability", applicabilityName(F.Trust)); });
  });
}

void SarifWriter::writeResult(const Diagnostic &D, const std::string &Fingerprint) {
  std::string Text = messageOf(D);
  for (const Note &N : D.Notes)
    if (!isPlaced(N.Range, Sources))
      Text += "\nnote: " + N.Message;
  std::vector<const Fix *> Fixes; // those that change something
  for (const Fix &F : D.Fixes)
    if (F.Edits.empty())
      Text += "\nfix: " + fixLine(F);
    else if (std::ranges::all_of(F.Edits, [&](const Edit &E) { return isPlaced(E.Range, Sources); }))
      Fixes.push_back(&F);
  J.object([&] {
    textAttribute(J, "ruleId", D.Code);
    J.attribute("ruleIndex", std::distance(Rules.begin(), Rules.find(D.Code)));
    textAttribute(J, "level", sarifLevel(D.Level));
    message(J, "message", Text);
    if (isPlaced(D.Range, Sources))
      J.attributeArray("locations", [&] { J.object([&] { writePhysical(D.Range); }); });
    writeRelated(D);
    J.attributeObject("partialFingerprints", [&] { textAttribute(J, "parlanceFinding/v1", Fingerprint); });
    if (!Fixes.empty())
      J.attributeArray("fixes", [&] {
        for (const Fix *F : Fixes)
          writeFix(*F);
      });
  });
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

void SarifWriter::writeRule(const Diagnostic &Example) {
  J.object([&] {
    textAttribute(J, "id", Example.Code);
    textAttribute(J, "name", Example.Name);
    const auto Help = Options.Help ? Options.Help(Example.Code) : std::nullopt;
    if (!Help)
      return;
    message(J, "shortDescription", firstSentence(Help->Description));
    message(J, "fullDescription", Help->Description);
    J.attributeObject("help", [&] {
      textAttribute(J, "text", Help->Text);
      textAttribute(J, "markdown", Help->Markdown);
    });
    J.attributeObject("defaultConfiguration", [&] { textAttribute(J, "level", sarifLevel(Help->Level)); });
  });
}

void SarifWriter::writeDriver() {
  J.attributeObject("tool", [&] {
    J.attributeObject("driver", [&] {
      J.attribute("name", "parlance");
      textAttribute(J, "version", Options.Version);
      J.attributeArray("rules", [&] {
        for (const auto &[Code, Example] : Rules)
          writeRule(*Example);
      });
    });
  });
}

void SarifWriter::write() {
  const std::vector<std::string> Prints = fingerprints(Diagnostics, Sources, Options.Folder);
  J.object([&] {
    J.attribute("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                           "sarif-schema-2.1.0.json");
    J.attribute("version", "2.1.0");
    J.attributeArray("runs", [&] {
      J.object([&] {
        writeDriver();
        J.attribute("columnKind", "utf16CodeUnits");
        if (Options.SuppressedErrors > 0)
          J.attributeArray("invocations", [&] {
            J.object([&] {
              J.attribute("executionSuccessful", true);
              J.attributeArray("toolExecutionNotifications", [&] {
                J.object([&] {
                  J.attribute("level", "error");
                  message(J, "message", moreErrors(Options.SuppressedErrors));
                });
              });
            });
          });
        J.attributeArray("results", [&] {
          for (size_t I = 0; I < Diagnostics.size(); ++I)
            writeResult(Diagnostics[I], Prints[I]);
        });
      });
    });
  });
}

} // namespace

std::string parlance::renderSarif(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                                  const ReportOptions &Options) {
  return jsonDocument([&](OStream &J) { SarifWriter(J, Diagnostics, Sources, Options).write(); }, 1);
}
