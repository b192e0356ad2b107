#include "Policy/Baseline.h"
#include "Basic/Diagnostics.h"
#include "Config/ConfigWriter.h"
#include "Config/Json.h"
#include <algorithm>

using namespace parlance;

using Kind = ConfigValue::Kind;

static ConfigValue text(std::string Text) {
  ConfigValue V;
  V.K = Kind::String;
  V.Text = std::move(Text);
  return V;
}

std::optional<std::vector<BaselineEntry>> parlance::readBaseline(uint32_t File, const SourceManager &Sources,
                                                                 DiagnosticEngine &Diags) {
  auto Tree = parseJson(File, Sources.file(File).text(), Diags);
  if (!Tree)
    return std::nullopt;
  auto Refuse = [&](SourceRange At, const std::string &Why) {
    Diags.report(diag::BadBaseline, At, Sources.file(File).name(), Why);
    return std::nullopt;
  };
  const ConfigValue *Version = Tree->find("version"), *Findings = Tree->find("findings");
  if (!Version || Version->integer() != 1 || !Findings || Findings->K != Kind::Array)
    return Refuse({File, 0, 0}, "has not `version` 1 and a list of `findings`");
  std::vector<BaselineEntry> Result;
  for (const ConfigValue &Entry : Findings->Items) {
    bool Good = Entry.K == Kind::Array && Entry.Items.size() == 3;
    for (const ConfigValue &Part : Entry.Items)
      Good &= Part.K == Kind::String;
    if (!Good)
      return Refuse(Entry.Range, "has an entry that is not [code, file, fingerprint]");
    Result.push_back({Entry.Items[0].Text, Entry.Items[1].Text, Entry.Items[2].Text, Entry.Range});
  }
  return Result;
}

std::string parlance::writeBaseline(std::vector<BaselineEntry> Entries) {
  std::ranges::sort(Entries, {}, &BaselineEntry::key);
  ConfigValue Root, Version, Findings;
  Version.K = Kind::Number;
  Version.Text = "1";
  Version.Key = "version";
  Findings.K = Kind::Array;
  Findings.Key = "findings";
  for (BaselineEntry &E : Entries) {
    ConfigValue Entry;
    Entry.K = Kind::Array;
    Entry.Items = {text(E.Code), text(E.File), text(E.Fingerprint)};
    Findings.Items.push_back(std::move(Entry));
  }
  Root.K = Kind::Object;
  Root.Items = {std::move(Version), std::move(Findings)};
  return writeJson(Root);
}
