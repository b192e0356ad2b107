#include "Frameworks/Job/ForeignRequest.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include "std/Std.h"
#include <algorithm>
#include <charconv>
#include <set>

namespace parlance {

using namespace fields;

//===----------------------------------------------------------------------===//
// The cluster
//===----------------------------------------------------------------------===//

namespace {

/// `DEVICE*G*N@LINK`, a text of its own that carets can point into. Without a device (`8*16`) only the numbers are
/// known.
class ClusterText {
public:
  ClusterText(std::string_view Text, Evaluator &E) : E(E), File(E.Sources.add("--cluster", std::string(Text))) {}
  void apply(Record &Cluster);

private:
  SourceRange word(size_t From, size_t To) const {
    return {File, static_cast<uint32_t>(From), static_cast<uint32_t>(To)};
  }
  /// The words between the stars; the first is empty if no device is named.
  std::vector<SourceRange> words(std::string_view Parts) const;
  /// A device or link of the library; null, with a report, if there is none of this name.
  const Record *recordOf(SourceRange Word, std::string_view Schema);
  std::optional<int64_t> count(SourceRange Word);

  Evaluator &E;
  uint32_t File;
};

} // namespace

std::vector<SourceRange> ClusterText::words(std::string_view Parts) const {
  std::vector<SourceRange> Words;
  size_t Begin = 0;
  for (size_t Star; (Star = Parts.find('*', Begin)) != std::string_view::npos; Begin = Star + 1)
    Words.push_back(word(Begin, Star));
  Words.push_back(word(Begin, Parts.size()));
  bool Named = E.Sources.text(Words[0]).find_first_not_of("0123456789") != std::string_view::npos;
  if (!Named)
    Words.insert(Words.begin(), SourceRange());
  return Words;
}

const Record *ClusterText::recordOf(SourceRange Word, std::string_view Schema) {
  std::string_view Name = E.Sources.text(Word);
  int Index = E.Lib.record(Name);
  if (Index >= 0 && E.Lib.Records[Index].Schema->Name == Schema)
    return E.libraryInstance(static_cast<uint32_t>(Index));
  std::vector<std::string_view> Names;
  for (const LibraryRecord &R : E.Lib.Records)
    if (R.Schema->Name == Schema)
      Names.push_back(R.Name);
  Diagnostic &D = E.Diags.report(diag::UnknownName, Word, Schema, Name);
  if (auto Near = nearest(Name, Names))
    D.Notes.push_back({{}, fmt::format("did you mean `{}`?", *Near)});
  return nullptr;
}

std::optional<int64_t> ClusterText::count(SourceRange Word) {
  std::string_view Digits = E.Sources.text(Word);
  int64_t N = 0;
  auto [End, Error] = std::from_chars(Digits.data(), Digits.data() + Digits.size(), N);
  if (Error == std::errc() && End == Digits.data() + Digits.size() && N > 0)
    return N;
  E.Diags.report(diag::BadCluster, Word, Digits);
  return std::nullopt;
}

void ClusterText::apply(Record &Cluster) {
  std::string_view Text = E.Sources.file(File).text();
  size_t At = Text.find('@');
  std::vector<SourceRange> Words = words(Text.substr(0, At));
  if (Words.size() > 3) {
    E.Diags.report(diag::BadCluster, Words[3], E.Sources.text(Words[3]));
    return;
  }
  if (const Record *Device = Words[0] ? recordOf(Words[0], "device") : nullptr) {
    Value &Node = Cluster.Values[cluster::node];
    Num PerNode = Node.K == Value::Kind::Scaled ? Node.Number : Num::unknown();
    Node = rt::scaled(PerNode, Device);
    Cluster.Origins[cluster::node] = {Origin::Kind::Given, Words[0], {}};
  }
  if (Words.size() > 1)
    if (auto N = count(Words[1])) {
      Cluster.Values[cluster::node].Number = Num(*N);
      Cluster.Origins[cluster::node] = {Origin::Kind::Given, Words[1], {}};
    }
  if (Words.size() > 2)
    if (auto N = count(Words[2])) {
      Cluster.Values[cluster::nodes] = Value::of(Num(*N));
      Cluster.Origins[cluster::nodes] = {Origin::Kind::Given, Words[2], {}};
    }
  if (At == std::string_view::npos)
    return;
  SourceRange Last = word(At + 1, Text.size());
  if (const Record *Link = recordOf(Last, "link")) {
    Cluster.Values[cluster::inter] = Value::record(Link);
    Cluster.Origins[cluster::inter] = {Origin::Kind::Given, Last, {}};
  }
}

void setCluster(Record &Cluster, const ForeignRequest &Request, Evaluator &E) {
  if (!Request.Cluster.empty())
    ClusterText(Request.Cluster, E).apply(Cluster);
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static bool isField(std::string_view Name, const Library &Lib) {
  return Name.find('.') != Name.npos || Lib.schema("job")->find(Name) >= 0;
}

/// Null for a path that a schema does not have.
static const FieldDecl *fieldOf(const SchemaDecl &S, std::string_view Path) {
  size_t Dot = Path.find('.');
  int Index = S.find(Path.substr(0, Dot));
  if (Index < 0)
    return nullptr;
  const FieldDecl &F = S.Fields[Index];
  if (Dot == Path.npos)
    return &F;
  return F.Ty.K == Type::Kind::Record ? fieldOf(*F.Ty.Schema, Path.substr(Dot + 1)) : nullptr;
}

/// The fields of a job and of its parts that are not options of a framework.
static void addPaths(const SchemaDecl &S, const std::string &Prefix, std::vector<std::string> &Into) {
  for (const FieldDecl &F : S.Fields) {
    if (F.Computed || F.Optional)
      continue;
    Into.push_back(Prefix + std::string(F.Name));
    if (F.Ty.K == Type::Kind::Record)
      addPaths(*F.Ty.Schema, Into.back() + ".", Into);
  }
}

static std::vector<std::string> pathsOf(const Library &Lib) {
  std::vector<std::string> Result;
  addPaths(*Lib.schema("job"), "", Result);
  return Result;
}

static std::vector<std::string_view> recordsOf(const SchemaDecl &S, const Library &Lib) {
  std::vector<std::string_view> Names;
  for (const LibraryRecord &R : Lib.Records)
    if (R.Schema == &S)
      Names.push_back(R.Name);
  return Names;
}

/// What a field can be set to: "a whole number, at least 1".
static std::string settable(std::string_view Path, const Library &Lib) {
  const FieldDecl *F = fieldOf(*Lib.schema("job"), Path);
  if (!F) {
    std::vector<std::string> Paths = pathsOf(Lib);
    auto Near = nearest(Path, std::vector<std::string_view>(Paths.begin(), Paths.end()));
    return fmt::format("a job has no such field{}", Near ? fmt::format(", did you mean `{}`", *Near) : "");
  }
  if (F->Computed)
    return "it follows from other fields";
  switch (F->Ty.K) {
  case Type::Kind::Quantity: {
    std::string Number = F->Ty.isCount() ? "a whole number" : "a number";
    if (!F->Ty.Dimension.isNone())
      Number += fmt::format(" of {}", F->Ty.Dimension.str());
    return F->Maximum ? fmt::format("it takes {} from {} to {}", Number, F->Minimum.value_or(0), *F->Maximum)
                      : fmt::format("it takes {}, at least {}", Number, F->Minimum.value_or(0));
  }
  case Type::Kind::Bool:
    return "it takes true or false";
  case Type::Kind::Enum:
    return fmt::format("it takes {}", joinList(F->Ty.Enum->Values));
  default:
    return namesRecord(*F) ? fmt::format("it takes {}", joinList(recordsOf(*F->Ty.Schema, Lib)))
                           : "only a number, a truth value or a word can be set";
  }
}

void setFields(Record &Job, const ForeignRequest &Request, Evaluator &E) {
  for (const auto &[Field, Text] : Request.Set) {
    if (!isField(Field, E.Lib))
      continue;
    uint32_t File = E.Sources.add("--set", fmt::format("{}={}", Field, Text));
    SourceRange At{File, static_cast<uint32_t>(Field.size() + 1),
                   static_cast<uint32_t>(E.Sources.file(File).text().size())};
    if (!setField(Job, Field, Text, {Origin::Kind::Given, At, {}}, E))
      E.Diags.report(diag::BadSetting, At, Field, Text, settable(Field, E.Lib));
  }
}

void checkRequest(const ForeignRequest &Request, Evaluator &E) {
  auto Empty = [&](std::string_view Schema) { return E.own(emptyRecord(*E.Lib.schema(Schema), Schema)); };
  setCluster(*Empty("cluster"), Request, E);
  setFields(*Empty("job"), Request, E);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static bool isNameChar(char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_'; }

/// The words of a script that may be names, and those behind a `$`.
static void addNames(std::string_view Script, std::set<std::string_view> &Words,
                     std::set<std::string_view> &Variables) {
  for (size_t Begin = 0, End; Begin < Script.size(); Begin = End + 1) {
    for (End = Begin; End < Script.size() && isNameChar(Script[End]);)
      ++End;
    if (End == Begin)
      continue;
    std::string_view Name = Script.substr(Begin, End - Begin), Before = Script.substr(0, Begin);
    Words.insert(Name);
    if (Before.ends_with('$') || Before.ends_with("${"))
      Variables.insert(Name);
  }
}

std::optional<UnknownSetting> unknownSetting(const ForeignRequest &Request, std::span<const std::string_view> Scripts,
                                             const Library &Lib) {
  std::set<std::string_view> Words, Variables;
  for (std::string_view Script : Scripts)
    addNames(Script, Words, Variables);
  for (const auto &[Name, Text] : Request.Set) {
    if (isField(Name, Lib) || Words.contains(Name))
      continue;
    std::vector<std::string> Paths = pathsOf(Lib);
    // `tp` is most probably `layout.tp`.
    auto Same = std::ranges::find_if(Paths, [&](const std::string &P) { return P.ends_with("." + Name); });
    if (Same != Paths.end())
      return UnknownSetting{Name, *Same};
    std::vector<std::string_view> Names(Variables.begin(), Variables.end());
    Names.insert(Names.end(), Paths.begin(), Paths.end());
    auto Near = nearest(Name, Names);
    return UnknownSetting{Name, Near ? std::optional(std::string(*Near)) : std::nullopt};
  }
  return std::nullopt;
}

} // namespace parlance
