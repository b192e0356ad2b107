// What the tests of the readers of frameworks' files share: a text, read as a job.
#pragma once
#include "Frameworks/Job/ForeignJob.h"
#include "Frameworks/Lower/Lower.h"
#include "Plan/Options.h"
#include "Support.h"

namespace parlance {

/// One file or several of a framework, read as one job.
class ReadFiles {
public:
  using Named = std::pair<std::string, std::string>;
  explicit ReadFiles(std::vector<Named> Files, std::string Cluster = "h100_sxm*8*2@infiniband_ndr") {
    Request.Cluster = std::move(Cluster);
    std::vector<ForeignFile> Opened;
    for (auto &[Name, Text] : Files)
      Opened.push_back(openForeign(Sources.add(Name, Text), Sources, Diags));
    read(Opened);
  }
  /// A file of the disk.
  static ReadFiles fromDisk(const std::string &Path) { return ReadFiles(Path); }
  ReadFiles(const ReadFiles &) = delete;

  /// A field of the job, resolved where it can be: "8", "bf16", "true"; "?" when it is not known.
  std::string at(std::string_view Path) const {
    FieldPath At = fieldAt(job(), Path);
    return At.Owner ? shown(At.Owner->at(At.Index), At.decl()) : "no such field";
  }
  /// The same of an option, "zero_optimization.stage", of the block that was read.
  std::string option(std::string_view Framework, std::string_view Path) const {
    return at(fmt::format("{}.{}", Framework, Path));
  }
  /// What was said: "CODE severity LINE:COLUMN", one a line.
  std::string said() {
    std::string Out;
    for (const Diagnostic &D : Diags.take()) {
      LineColumn At = D.Range ? Sources.begin(D.Range) : LineColumn();
      Out += fmt::format("{}{} {} {}:{}", Out.empty() ? "" : "\n", D.Code, severityName(D.Level), At.Line, At.Column);
    }
    return Out;
  }
  /// "NAME:LINE:COLUMN" of what a person would change to set a field.
  std::string place(std::string_view Path) const {
    SourceRange Range = placeOf(job(), Path);
    LineColumn At = Range ? Sources.begin(Range) : LineColumn();
    return fmt::format("{}:{}:{}", Range ? Sources.file(Range.File).name() : "nowhere", At.Line, At.Column);
  }
  const Record &job() const {
    static const Record None;
    return Resolved ? *Resolved->Job : Read ? *Read->Job : None;
  }

  SourceManager Sources;
  DiagnosticEngine Diags;
  const Library &Lib = standardLibrary();
  Evaluator Values{Sources, Lib, Diags};
  HuggingFaceImporter Models{Sources, Diags};
  ForeignRequest Request;
  std::optional<ForeignJob> Read;
  std::optional<Plan> Resolved;

private:
  explicit ReadFiles(const std::string &Path) {
    SourceManager::ReadError Error;
    if (auto File = Sources.open(Path, Error)) {
      std::vector<ForeignFile> Opened;
      Opened.push_back(openForeign(*File, Sources, Diags));
      read(Opened);
    }
  }
  void read(const std::vector<ForeignFile> &Opened) {
    std::vector<const ForeignFile *> Known;
    for (const ForeignFile &F : Opened)
      if (F.Kind != FileKind::Unknown)
        Known.push_back(&F);
    ForeignReader Reader(Values, Models, Request);
    if (!Known.empty())
      Read = Reader.read(Known);
    if (Read)
      Resolved = resolve(*Read->Job, Values);
  }
  static std::string shown(const Value &V, const FieldDecl &F) {
    if (V.K == Value::Kind::Auto)
      return "auto";
    if (V.isAbsent())
      return "-";
    if (!rt::knownValue(V))
      return "?";
    switch (V.K) {
    case Value::Kind::Enum:
      return std::string(F.Ty.Enum->Values[V.Index]);
    case Value::Kind::String:
      return std::string(rt::text(V));
    case Value::Kind::Quantity:
      return V.Number.isInt() ? std::to_string(V.Number.integer()) : fmt::format("{}", V.Number.real());
    case Value::Kind::Bool:
      return V.Flag == Truth::True ? "true" : "false";
    default:
      return "a block";
    }
  }
};

/// What is lost of job `j` of a Parlance file that is written as a framework's file and read back: "layout.tp ", or the
/// codes of what stands against writing it.
inline std::string lostInFile(std::string Text, std::string_view Target, std::string_view Name) {
  Checked C(std::move(Text));
  const Plan *P = C.plan("j");
  auto Own = P ? retarget(*P, Target, C.Values) : std::nullopt;
  auto Lowered = Own ? lower(*P, {Target, Launcher::None, "parlance", "test"}, C.Values) : std::nullopt;
  if (!Lowered)
    return C.reported();
  auto File = std::ranges::find(Lowered->Files, Name, &LoweredFile::Name);
  if (File == Lowered->Files.end())
    return "no such file";
  ReadFiles Back({{File->Name, File->Text}});
  if (!Back.Read)
    return Back.said();
  Record *Job = Back.Values.own(*Back.Read->Job);
  std::span<const std::string_view> Elsewhere = frameworkNamed(Target)->Elsewhere;
  for (std::string_view Path : Elsewhere)
    if (int Field = Job->Schema->find(Path); Field >= 0)
      Job->Values[Field] = Own->Job->Values[Field];
  Job->Values[fields::job::cluster] = Own->Job->Values[fields::job::cluster];
  auto Again = resolve(*Job, Back.Values);
  std::string Lost = Back.said();
  for (const LostField &L : differences(*Own, *Again, Elsewhere))
    Lost += L.Path + " ";
  return Lost;
}

} // namespace parlance
