#include "Frameworks/Job/FileKind.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Config/Json.h"
#include "Config/Toml.h"
#include "Config/Yaml.h"
#include "Frameworks/Job/Inputs.h"
#include <algorithm>
#include <cctype>
#include <map>

namespace parlance {

static constexpr std::pair<std::string_view, FileSyntax> Endings[] = {
    {".parl", FileSyntax::Parlance}, {".json", FileSyntax::Json},    {".hjson", FileSyntax::Json},
    {".toml", FileSyntax::Toml},     {".yaml", FileSyntax::Yaml},    {".yml", FileSyntax::Yaml},
    {".sh", FileSyntax::Shell},      {".sbatch", FileSyntax::Shell}, {".slurm", FileSyntax::Shell},
    {".bash", FileSyntax::Shell}};

std::vector<std::string_view> knownEndings() {
  std::vector<std::string_view> Result;
  for (const auto &[Ending, Syntax] : Endings)
    Result.push_back(Ending.substr(1));
  return Result;
}

/// Told by the ending of a file's name.
static std::optional<FileSyntax> syntaxOf(std::string_view Path) {
  std::string_view Name = Path.substr(Path.rfind('/') + 1);
  for (const auto &[Ending, Syntax] : Endings)
    if (Name.size() > Ending.size() && Name.ends_with(Ending))
      return Syntax;
  return std::nullopt;
}

/// Whether a line begins with a key of YAML.
static bool beginsWithKey(std::string_view Line) {
  size_t Colon = Line.find(':');
  bool Ends = Colon + 1 == Line.size() || (Colon < Line.size() && Line[Colon + 1] == ' ');
  return Ends && Colon > 0 && std::ranges::all_of(Line.substr(0, Colon), [](unsigned char C) {
           return std::isalnum(C) || C == '_' || C == '-';
         });
}

/// Whether a text in braces is YAML, which some write like JSON but for comments, quotes and commas.
static bool isYamlInBraces(std::string_view Text);

/// Told by the first line that says something, for standard input and files without an ending.
static FileSyntax syntaxOfText(const SourceFile &File) {
  std::string_view First = File.line(1);
  if (First.starts_with("#!") && First.find("sh") != std::string_view::npos)
    return FileSyntax::Shell;
  for (uint32_t Number = 1; Number <= File.lineCount(); ++Number) {
    std::string_view Line = File.line(Number);
    if (Line.starts_with("#SBATCH"))
      return FileSyntax::Shell;
    while (!Line.empty() && std::isspace(static_cast<unsigned char>(Line.front())))
      Line.remove_prefix(1);
    while (!Line.empty() && std::isspace(static_cast<unsigned char>(Line.back())))
      Line.remove_suffix(1);
    if (Line.empty() || Line[0] == '#' || Line.starts_with("//") || Line.starts_with("/*"))
      continue;
    // `[training]` is a section, `["--bf16"` a list.
    if (Line[0] == '[' && Line.size() > 1 && std::isalpha(static_cast<unsigned char>(Line[1])))
      return FileSyntax::Toml;
    if (Line[0] == '{' || Line[0] == '[')
      return isYamlInBraces(File.text()) ? FileSyntax::Yaml : FileSyntax::Json;
    return Line == "---" || beginsWithKey(Line) ? FileSyntax::Yaml : FileSyntax::Unknown;
  }
  return FileSyntax::Unknown;
}

FileSyntax syntaxOf(const SourceFile &File) {
  auto Syntax = syntaxOf(File.name());
  return Syntax ? *Syntax : syntaxOfText(File);
}

bool hasKnownEnding(std::string_view Path) { return syntaxOf(Path).has_value(); }

namespace {
struct KindMarks {
  const FileMarks *Marks;
  const FileKind *Kind;
};
} // namespace

/// The marks of all kinds, in the order in which they are looked for.
static std::vector<KindMarks> allMarks() {
  std::vector<KindMarks> Result;
  auto Add = [&](const FileKind &K) {
    for (const FileMarks &M : K.Marks)
      Result.push_back({&M, &K});
  };
  Add(CommandFile);
  Add(ModelFile);
  for (const Framework *F : frameworks())
    for (const FileKind &K : F->Files)
      Add(K);
  std::ranges::stable_sort(Result, {}, [](const KindMarks &M) { return M.Marks->Turn; });
  return Result;
}

static bool isYamlInBraces(std::string_view Text) {
  return std::ranges::any_of(allMarks(), [&](const KindMarks &M) {
    const FileMarks &Marks = *M.Marks;
    return Marks.InBraces &&
           std::any_of(Marks.Keys.begin(), Marks.Keys.begin() + Marks.Alone,
                       [&](std::string_view Key) { return Text.find(fmt::format("\"{}\"", Key)) != Text.npos; });
  });
}

/// What a tree holds. Where several kinds could be meant, the one whose marks come first.
static const FileKind *kindOf(FileSyntax Syntax, const ConfigValue &Tree) {
  if (Tree.K == ConfigValue::Kind::Array)
    return Syntax == FileSyntax::Json ? &CommandFile : FileKind::Unknown;
  for (const KindMarks &M : allMarks())
    if (M.Marks->Syntax == Syntax &&
        std::ranges::any_of(M.Marks->Keys, [&](std::string_view Key) { return !Key.empty() && Tree.find(Key); }))
      return M.Kind;
  return FileKind::Unknown;
}

static std::optional<ConfigValue> parseTree(FileSyntax Syntax, uint32_t File, std::string_view Text,
                                            DiagnosticEngine &Diags) {
  switch (Syntax) {
  case FileSyntax::Json:
    return parseJson(File, Text, Diags, JsonDialect::Hjson);
  case FileSyntax::Toml:
    return parseToml(File, Text, Diags);
  case FileSyntax::Yaml:
    return parseYaml(File, Text, Diags);
  default:
    return std::nullopt;
  }
}

static void warnOfDuplicates(const ConfigValue &V, unsigned &Warned, DiagnosticEngine &Diags) {
  if (V.isObject())
    warnOfDuplicateKeys(V, Warned, Diags);
  for (const ConfigValue &Item : V.Items)
    warnOfDuplicates(Item, Warned, Diags);
}

/// What the parser of JSON, which does not know whose file it reads, leaves to say.
static void warnOfDuplicates(FileSyntax Syntax, const FileKind *Kind, const ConfigValue &Tree,
                             DiagnosticEngine &Diags) {
  unsigned Warned = 0;
  if (Syntax == FileSyntax::Json && !(Kind && Kind->TellsDuplicates))
    warnOfDuplicates(Tree, Warned, Diags);
}

bool isForeign(uint32_t File, const SourceManager &Sources) {
  FileSyntax Syntax = syntaxOf(Sources.file(File));
  return Syntax != FileSyntax::Parlance && Syntax != FileSyntax::Unknown;
}

ForeignFile openForeign(uint32_t File, SourceManager &Sources, DiagnosticEngine &Diags) {
  ForeignFile Result{File, FileKind::Unknown, std::nullopt};
  const SourceFile &Source = Sources.file(File);
  FileSyntax Syntax = syntaxOf(Source);
  if (Syntax == FileSyntax::Shell) {
    Result.Kind = &LaunchScriptFile;
    return Result;
  }
  unsigned Before = Diags.errors();
  Result.Tree = parseTree(Syntax, File, Source.text(), Diags);
  if (Result.Tree) {
    Result.Kind = kindOf(Syntax, *Result.Tree);
    warnOfDuplicates(Syntax, Result.Kind, *Result.Tree, Diags);
  }
  if (Result.Kind != FileKind::Unknown || Diags.errors() > Before)
    return Result;
  std::vector<std::string_view> Keys;
  for (const KindMarks &M : allMarks())
    if (M.Marks->Syntax == Syntax)
      Keys.push_back(M.Marks->Keys.front());
  Diagnostic &D = Diags.report(diag::UnknownForeign, {File, 0, 0}, Source.name());
  if (!Keys.empty())
    D.Notes.push_back(
        {{}, fmt::format("it would have a key such as {}", joinList(std::span<const std::string_view>(Keys)))});
  return Result;
}

//===----------------------------------------------------------------------===//
// Files that nobody named
//===----------------------------------------------------------------------===//

static bool isCertain(const FileMarks &M, auto Has) {
  auto Present = [&](std::string_view Key) { return !Key.empty() && Has(Key); };
  if (std::any_of(M.Keys.begin(), M.Keys.begin() + M.Alone, Present))
    return true;
  return M.Certain && std::ranges::count_if(M.Keys, Present) >= M.Certain;
}

/// Whether a text may turn out certain once it is parsed: data of megabytes is not parsed in vain.
static bool mayBeCertain(FileSyntax Syntax, std::string_view Text) {
  if (Syntax == FileSyntax::Shell)
    return LaunchScriptFile.MayBeCertain(Text);
  auto Has = [&](std::string_view Word) { return Text.find(Word) != std::string_view::npos; };
  return std::ranges::any_of(allMarks(), [&](const KindMarks &M) {
    return M.Marks->Syntax == Syntax && (M.Kind->MayBeCertain ? M.Kind->MayBeCertain(Text) : isCertain(*M.Marks, Has));
  });
}

static bool isCertain(const FileKind *Kind, FileSyntax Syntax, const ConfigValue &Tree) {
  if (!Kind)
    return false;
  if (Kind->IsCertain)
    return Kind->IsCertain(Tree);
  return std::ranges::any_of(Kind->Marks, [&](const FileMarks &M) {
    return M.Syntax == Syntax && isCertain(M, [&](std::string_view Key) { return Tree.find(Key) != nullptr; });
  });
}

/// Whether a text with a syntax error is a framework's all the same, and no template that something else fills in.
static bool isBrokenConfig(FileSyntax Syntax, std::string_view Text) {
  auto Has = [&](std::string_view Word) { return Text.find(Word) != std::string_view::npos; };
  return !Has("{{") && !Has("{%") && std::ranges::any_of(allMarks(), [&](const KindMarks &M) {
    return M.Marks->Syntax == Syntax && std::any_of(M.Marks->Keys.begin(), M.Marks->Keys.begin() + M.Marks->Alone, Has);
  });
}

std::optional<ForeignFile> openIfCertain(uint32_t File, SourceManager &Sources, DiagnosticEngine &Diags) {
  const SourceFile &Source = Sources.file(File);
  FileSyntax Syntax = syntaxOf(Source);
  if (!mayBeCertain(Syntax, Source.text()))
    return std::nullopt;
  if (Syntax == FileSyntax::Shell)
    return ForeignFile{File, &LaunchScriptFile, std::nullopt};
  DiagnosticEngine Own;
  auto Tree = parseTree(Syntax, File, Source.text(), Own);
  const FileKind *Kind = Tree ? kindOf(Syntax, *Tree) : FileKind::Unknown;
  if (Tree ? !isCertain(Kind, Syntax, *Tree) : !isBrokenConfig(Syntax, Source.text()))
    return std::nullopt;
  for (Diagnostic &D : Own.take())
    Diags.add(std::move(D));
  if (Tree)
    warnOfDuplicates(Syntax, Kind, *Tree, Diags);
  return ForeignFile{File, Kind, std::move(Tree)};
}

std::vector<std::vector<const ForeignFile *>> groupFiles(std::span<const ForeignFile> Files) {
  std::map<const FileKind *, unsigned> Count;
  for (const ForeignFile &F : Files)
    ++Count[F.Kind];
  auto Single = [&](const ForeignFile &F) { return F.Kind && (F.Kind->OneConfiguration || Count[F.Kind] == 1); };
  std::vector<const ForeignFile *> Companions;
  std::vector<std::vector<const ForeignFile *>> Groups;
  for (const ForeignFile &F : Files)
    if (F.Kind != FileKind::Unknown && Single(F))
      Companions.push_back(&F);
  for (const ForeignFile &F : Files)
    if (F.Kind != FileKind::Unknown && !Single(F)) {
      auto &Group = Groups.emplace_back(Companions);
      Group.insert(Group.begin(), &F);
    }
  if (Groups.empty() && !Companions.empty())
    Groups.push_back(std::move(Companions));
  return Groups;
}

} // namespace parlance
