#include "Render/ReportPlace.h"
#include "Basic/Fingerprint.h"
#include "Basic/Text.h"
#include "Render/RenderText.h"

using namespace parlance;

const std::string &ReportPaths::of(uint32_t File) {
  auto [Known, IsNew] = Paths.try_emplace(File);
  if (IsNew)
    Known->second = relativePath(Sources.file(File).name(), Folder);
  return Known->second;
}

std::string parlance::fixLine(const Fix &F) {
  std::string Line = F.Title;
  for (size_t I = 0; I < F.Effect.size(); ++I) {
    const auto &[Name, Value] = F.Effect[I];
    Line += I == 0 ? " → " : ", ";
    Line += Name + (Name.empty() || Value.empty() ? "" : " ") + Value;
  }
  return Line;
}

std::string parlance::messageOf(const Diagnostic &D) {
  return D.Jobs.empty() ? D.Message : D.Message + ' ' + jobsOf(D);
}

std::string parlance::messageWithNotes(const Diagnostic &D, const SourceManager &Sources) {
  std::string Text = messageOf(D);
  for (const Note &N : D.Notes)
    Text +=
        fmt::format("\n{}note: {}", isPlaced(N.Range, Sources) ? placeName(N.Range, Sources) + ": " : "", N.Message);
  for (const Fix &F : D.Fixes)
    Text += fmt::format("\nfix: {} [{}]", fixLine(F), applicabilityName(F.Trust));
  return Text;
}

std::string parlance::moreErrors(unsigned SuppressedErrors) {
  return fmt::format("and {} more error{}", withThousands(static_cast<int64_t>(SuppressedErrors)),
                     SuppressedErrors == 1 ? "" : "s");
}
