#include "Policy/PolicyFile.h"
#include "Basic/Diagnostics.h"
#include "Basic/Glob.h"
#include "Basic/Text.h"
#include "Config/Toml.h"
#include <algorithm>
#include <filesystem>

using namespace parlance;

namespace {

using Kind = ConfigValue::Kind;

struct LevelWord {
  std::string_view Word;
  std::optional<Severity> Level;
};
constexpr LevelWord Levels[] = {
    {"off", std::nullopt}, {"hint", Severity::Hint}, {"warning", Severity::Warning}, {"error", Severity::Error}};

class PolicyReader {
public:
  PolicyReader(PolicyFile &Into, DiagnosticEngine &Diags) : Into(Into), Diags(Diags) {}

  void read(const ConfigValue &Root) {
    keys(Root, "parlance.toml", {"rules", "paths", "allow", "policy", "baseline"});
    if (const ConfigValue *Rules = member(Root, "rules", Kind::Object, "a table of rules"))
      Into.Rules = levels(*Rules);
    entries(Root, "paths", [&](const ConfigValue &Entry) { path(Entry); });
    entries(Root, "allow", [&](const ConfigValue &Entry) { allow(Entry); });
    if (const ConfigValue *Policy = member(Root, "policy", Kind::Object, "a table")) {
      keys(*Policy, "[policy]", {"use"});
      for (const ConfigValue *Path : strings(*Policy, "use"))
        Into.Use.emplace_back(below(Path->Text), Path->Range);
    }
    if (const ConfigValue *Path = text(Root, "baseline")) {
      Into.Baseline = below(Path->Text);
      Into.BaselineRange = Path->Range;
    }
  }

private:
  std::string below(const std::string &Path) const {
    return (std::filesystem::path(Into.Folder) / Path).lexically_normal().string();
  }

  /// Reports the keys of a table that are none.
  void keys(const ConfigValue &Table, std::string_view What, std::initializer_list<std::string_view> Known) {
    for (const ConfigValue &V : Table.Items) {
      if (std::ranges::find(Known, V.Key) != Known.end())
        continue;
      std::span<const std::string_view> Names(Known.begin(), Known.size());
      Diagnostic &D = Diags.report(diag::PolicyKey, V.KeyRange, V.Key, std::string(What),
                                   Known.size() == 1 ? fmt::format("is only `{}`", *Known.begin())
                                                     : fmt::format("are {}", joinList(Names, "and")));
      if (auto Near = nearest(V.Key, Names))
        D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Maybe, {{V.KeyRange, std::string(*Near)}}, {}});
    }
  }

  bool is(const ConfigValue &V, Kind K, std::string_view Name, std::string_view Wanted) {
    if (V.K != K)
      Diags.report(diag::PolicyValue, V.Range, std::string(Name), Wanted, std::string(V.kindName()));
    return V.K == K;
  }
  const ConfigValue *member(const ConfigValue &Table, std::string_view Key, Kind K, std::string_view Wanted) {
    const ConfigValue *V = Table.find(Key);
    return V && is(*V, K, Key, Wanted) ? V : nullptr;
  }
  const ConfigValue *text(const ConfigValue &Table, std::string_view Key) {
    const ConfigValue *V = member(Table, Key, Kind::String, "a string");
    return V && !isEmpty(*V, Key) ? V : nullptr;
  }
  bool isEmpty(const ConfigValue &V, std::string_view Key) {
    bool Empty = V.Text.find_first_not_of(" \t\r\n") == std::string::npos;
    if (Empty)
      Diags.report(diag::PolicyValue, V.Range, std::string(Key), "a string with something in it", "an empty one");
    return Empty;
  }
  std::vector<const ConfigValue *> strings(const ConfigValue &Table, std::string_view Key) {
    std::vector<const ConfigValue *> Result;
    if (const ConfigValue *List = member(Table, Key, Kind::Array, "a list of strings"))
      for (const ConfigValue &V : List->Items)
        if (is(V, Kind::String, Key, "a list of strings"))
          Result.push_back(&V);
    return Result;
  }

  template <typename Read> void entries(const ConfigValue &Root, std::string_view Key, Read ReadOne) {
    std::string Wanted = fmt::format("a list of tables, each headed [[{}]]", Key);
    if (const ConfigValue *List = member(Root, Key, Kind::Array, Wanted))
      for (const ConfigValue &V : List->Items)
        if (is(V, Kind::Object, Key, Wanted))
          ReadOne(V);
  }
  void demand(const ConfigValue &Entry, std::string_view List, std::initializer_list<std::string_view> Keys) {
    for (std::string_view Key : Keys)
      if (!Entry.find(Key))
        Diags.report(diag::PolicyMissingKey, Entry.Range, List, Key);
  }

  std::vector<RuleLevel> levels(const ConfigValue &Table) {
    std::vector<RuleLevel> Result;
    for (const ConfigValue &V : Table.Items) {
      const auto *Found = std::ranges::find(Levels, V.Text, &LevelWord::Word);
      if (V.K == Kind::String && Found != std::end(Levels))
        Result.push_back({V.Key, Found->Level, V.KeyRange});
      else
        Diags.report(diag::PolicyValue, V.Range, V.Key, "off, hint, warning or error",
                     V.K == Kind::String ? fmt::format("`{}`", V.Text) : std::string(V.kindName()));
    }
    return Result;
  }

  /// A pattern as it is matched; what can never match is reported.
  std::optional<std::string> glob(const ConfigValue &V) {
    if (isEmpty(V, "paths"))
      return std::nullopt;
    std::filesystem::path Path = V.Text;
    bool Above = std::ranges::find(Path, "..") != Path.end();
    if (Above || Path.is_absolute() || !isGlob(V.Text)) {
      Diags.report(diag::PolicyValue, V.Range, "paths",
                   isGlob(V.Text) ? "paths below this folder" : "patterns whose `[` are closed",
                   fmt::format("`{}`", V.Text));
      return std::nullopt;
    }
    std::string Text = Path.lexically_normal().string();
    std::error_code Error;
    if (Text == ".")
      return "**";
    if (Text.find_first_of("*?[\\") == std::string::npos && !std::filesystem::exists(below(Text), Error))
      Diags.report(diag::PolicyPath, V.Range, V.Text);
    return Text;
  }

  void path(const ConfigValue &Entry) {
    keys(Entry, "[[paths]]", {"paths", "rules"});
    demand(Entry, "paths", {"paths", "rules"});
    PathRules Result;
    const ConfigValue *List = Entry.find("paths");
    if (List && List->K == Kind::Array && List->Items.empty())
      Diags.report(diag::PolicyValue, List->Range, "paths", "a list of at least one pattern", "an empty one");
    for (const ConfigValue *V : strings(Entry, "paths"))
      if (auto Glob = glob(*V))
        Result.Globs.push_back(std::move(*Glob));
    if (const ConfigValue *Rules = member(Entry, "rules", Kind::Object, "a table of rules"))
      Result.Rules = levels(*Rules);
    Into.Paths.push_back(std::move(Result));
  }

  void allow(const ConfigValue &Entry) {
    keys(Entry, "[[allow]]", {"path", "rule", "reason"});
    demand(Entry, "allow", {"path", "rule", "reason"});
    const ConfigValue *Path = text(Entry, "path"), *Rule = text(Entry, "rule"), *Reason = text(Entry, "reason");
    if (Path && Rule && Reason)
      Into.Allows.push_back({below(Path->Text), Rule->Text, Path->Range, Rule->Range});
  }

  PolicyFile &Into;
  DiagnosticEngine &Diags;
};

} // namespace

PolicyFile parlance::readPolicyFile(uint32_t File, const SourceManager &Sources, DiagnosticEngine &Diags) {
  PolicyFile Result;
  Result.File = File;
  Result.Folder = std::filesystem::path(Sources.file(File).name()).parent_path().string();
  if (Result.Folder.empty())
    Result.Folder = ".";
  if (auto Tree = parseToml(File, Sources.file(File).text(), Diags))
    PolicyReader(Result, Diags).read(*Tree);
  return Result;
}

const RuleLevel *parlance::levelOf(const std::vector<RuleLevel> &Rules, const Diagnostic &D) {
  const RuleLevel *Best = nullptr;
  unsigned Exactness = 1;
  for (const RuleLevel &R : Rules)
    if (unsigned How = matchRule(R.Pattern, D.Code, D.Name); How >= Exactness) {
      Best = &R;
      Exactness = How;
    }
  return Best;
}
