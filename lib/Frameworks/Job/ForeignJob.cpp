#include "Frameworks/Job/ForeignJob.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Eval/Support.h"
#include "Frameworks/Job/Inputs.h"
#include "Plan/Options.h"
#include "std/Std.h"
#include <algorithm>
#include <charconv>
#include <filesystem>

namespace parlance {

using namespace fields;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// What is given wins over defaults, and of two defaults the one that is laid over; blocks are laid over each other
/// field by field.
void ForeignReader::overlay(Record &Onto, const Record &Over) {
  for (size_t I = 0; I < Over.Values.size(); ++I) {
    if (Over.Values[I].isAbsent())
      continue;
    if (Over.Values[I].Rec && Onto.Values[I].Rec) {
      Record *Copy = E.own(*Onto.Values[I].Rec);
      overlay(*Copy, *Over.Values[I].Rec);
      Onto.Values[I].Rec = Copy;
      continue;
    }
    if (Over.Origins[I].K != Origin::Kind::Given && Onto.Origins[I].K == Origin::Kind::Given)
      continue;
    Onto.Values[I] = Over.Values[I];
    Onto.Origins[I] = Over.Origins[I];
  }
}

void ForeignReader::addOptions(const Framework &F, const ConfigValue &Tree, SourceRange At) {
  OptionReader Reader(F, E, Diags);
  Record *Options = Reader.read(Tree, *optionsBlock(E.Lib, F.Name).Schema, At);
  Symbols.insert(Symbols.end(), Reader.symbols().begin(), Reader.symbols().end());
  for (const UnreadOption &O : Reader.unread())
    addUnread(F, O);
  auto Known = std::ranges::find(Parts, &F, &Part::F);
  if (Known == Parts.end())
    Parts.push_back({&F, Options});
  else
    overlay(*Known->Options, *Options);
}

void ForeignReader::addFacts(const Framework &F, const ConfigValue &Facts) {
  OptionReader Reader(F, E, Diags);
  const Record *Read = Reader.readFacts(Facts, *optionsBlock(E.Lib, F.Name).Schema);
  Symbols.insert(Symbols.end(), Reader.symbols().begin(), Reader.symbols().end());
  overlay(*std::ranges::find(Parts, &F, &Part::F)->Options, *Read);
}

void ForeignReader::addModel(const Record *M, SourceRange At) {
  Model = M;
  ModelAt = At;
}

void ForeignReader::addWorld(const World &W) {
  if (W.PerNode) {
    Launched.PerNode = W.PerNode;
    Launched.PerNodeAt = W.PerNodeAt;
  }
  if (W.Nodes) {
    Launched.Nodes = W.Nodes;
    Launched.NodesAt = W.NodesAt;
  }
}

void ForeignReader::addProgram(std::string_view Name, SourceRange At, bool IsDistributed) {
  Distributed = IsDistributed;
  Program = Name;
  ProgramAt = At;
}

void ForeignReader::addModelFile(uint32_t File, SourceRange At) {
  std::string Stem = std::filesystem::path(Sources.file(File).name()).stem().string();
  addModel(Models.read(*E.Lib.schema("model"), File, E.keep(std::move(Stem))), At);
}

void ForeignReader::readFile(const ForeignFile &File) {
  SourceRange At;
  if (File.Tree)
    At = {File.File, File.Tree->Range.Begin, File.Tree->Range.Begin + 1};
  if (File.Tree || File.Kind == &LaunchScriptFile)
    File.Kind->Read(*this, {File.File, File.Tree ? &*File.Tree : nullptr, At, Request.Set});
}

/// No default stands in for what an option that is not understood may say.
void ForeignReader::openDefaults() {
  for (const auto &[F, Option] : Unread)
    for (Part &P : Parts)
      if (P.F == F && Option.About) {
        std::vector<std::string_view> Facts;
        for (const Fact &Each : F->Facts)
          Facts.push_back(Each.Name);
        parlance::openDefaults(*P.Options, Option, Facts, E);
      }
}

//===----------------------------------------------------------------------===//
// The cluster
//===----------------------------------------------------------------------===//

/// A launcher that starts another number than there are.
void ForeignReader::compareLaunch(std::optional<int64_t> Started, SourceRange At, Num There, std::string_view What) {
  if (Started && At && There.isIntegral() && There.toInteger() != *Started)
    Diags.report(diag::OtherCluster, At, *Started, What, There.toInteger());
}

/// Devices and network are known only where the request names them; how many GPUs there are, the launcher says too.
void ForeignReader::fillCluster(Record &Job) {
  Record *Cluster = E.own(emptyRecord(*E.Lib.schema("cluster"), "cluster", Start));
  Record *Device = E.own(emptyRecord(*E.Lib.schema("device"), "device", Start));
  auto Number = [](std::optional<int64_t> N) { return N ? Num(*N) : Num::unknown(); };
  Cluster->Values[cluster::node] = rt::scaled(Number(Launched.PerNode), Device);
  Cluster->Values[cluster::nodes] = Value::of(Number(Launched.Nodes));
  auto From = [&](SourceRange At) {
    return Origin{At ? Origin::Kind::Given : Origin::Kind::Default, At ? At : Start, {}};
  };
  Cluster->Origins[cluster::node] = From(Launched.PerNodeAt);
  Cluster->Origins[cluster::nodes] = From(Launched.NodesAt);
  setCluster(*Cluster, Request, E);
  if (!Request.Cluster.empty()) {
    compareLaunch(Launched.Nodes, Launched.NodesAt, Cluster->num(cluster::nodes), "nodes");
    compareLaunch(Launched.PerNode, Launched.PerNodeAt, Cluster->Values[cluster::node].Number,
                  "processes on each node");
  }
  Job.Values[job::cluster] = Value::record(Cluster);
  Job.Origins[job::cluster] = {Origin::Kind::Default, Start, {}};
}

//===----------------------------------------------------------------------===//
// The job
//===----------------------------------------------------------------------===//

/// The job as the framework that launches it says; the others add what it leaves open.
Record *ForeignReader::merge(const Record &Beside) {
  // Who is launched by another comes later.
  std::ranges::stable_sort(Parts, {}, [](const Part &P) {
    return std::pair(P.F->Stands, std::ranges::find(frameworks(), P.F) - frameworks().begin());
  });
  Record *Job = nullptr;
  for (const Part &P : Parts) {
    Record *Own = readOptions(E.Lib, P.F->Name, *P.Options, E, &Beside);
    if (!Job) {
      Job = Own;
      continue;
    }
    // What is said first counts.
    Record *Both = E.own(*Own);
    overlay(*Both, *Job);
    Both->Values[job::target] = Job->Values[job::target];
    Both->Origins[job::target] = Job->Origins[job::target];
    Job = Both;
  }
  if (!Job)
    Job = E.own(emptyRecord(*E.Lib.schema("job"), Name, Start));
  return Job;
}

std::optional<ForeignJob> ForeignReader::read(std::span<const ForeignFile *const> Files) {
  std::string Stem = std::filesystem::path(Sources.file(Files[0]->File).name()).stem().string();
  SourceRange Begin{Files[0]->File, 0, 0};
  if (Files[0]->Tree)
    Begin = {Files[0]->File, Files[0]->Tree->Range.Begin, Files[0]->Tree->Range.Begin + 1};
  begin(E.keep(std::move(Stem)), Begin);
  for (const ForeignFile *F : Files)
    readFile(*F);
  return finish();
}

int64_t ForeignReader::requestedModelRanks() const {
  int64_t Result = 1;
  for (std::string_view Field : {"layout.tp", "layout.pp"})
    if (auto It = Request.Set.find(std::string(Field)); It != Request.Set.end()) {
      int64_t N = 1;
      std::from_chars(It->second.data(), It->second.data() + It->second.size(), N);
      Result *= std::clamp<int64_t>(N, 1, 1'000'000);
    }
  return Result;
}

/// A program that one process runs may be anything.
void ForeignReader::reportProgram() {
  if (Distributed) {
    Diagnostic &D = Diags.report(diag::UnknownProgram, ProgramAt, Program);
    D.Notes.push_back(
        {{},
         "name the files that it reads (a DeepSpeed or accelerate configuration, the model's config.json) beside "
         "this one, or write the job as a .parl file"});
  } else if (Parts.empty() && !Model) {
    Diagnostic &D = Diags.report(diag::UnknownForeign, {Start.File, 0, 0}, Sources.file(Start.File).name());
    D.Notes.push_back(
        {ProgramAt, fmt::format("it starts `{}`, which is not a training program that is known", Program)});
  }
}

std::optional<ForeignJob> ForeignReader::finish() {
  const bool IsRead = std::ranges::any_of(Parts, [](const Part &P) { return P.F->Stands == Standing::Trainer; });
  if (!GivenUp && !IsRead && !Program.empty())
    reportProgram();
  if (GivenUp || (Parts.empty() && !Model))
    return std::nullopt;
  // What options mean may depend on the model and the number of GPUs.
  Record *Beside = E.own(emptyRecord(*E.Lib.schema("job"), Name, Start));
  if (Model)
    Beside->Values[job::model] = Value::record(Model);
  fillCluster(*Beside);
  const Num PerNode = Beside->rec(job::cluster)->Values[cluster::node].Number;
  Beside->Values[job::gpus_per_node] = Value::of(PerNode);
  if (Num Gpus = PerNode * Beside->rec(job::cluster)->num(cluster::nodes); Gpus.isIntegral())
    for (const auto &Check : Waiting)
      Check(Gpus.toInteger() / requestedModelRanks());
  openDefaults();
  Record *Job = merge(*Beside);
  Job->Name = Name;
  if (Model) {
    Job->Values[job::model] = Value::record(Model);
    Job->Origins[job::model] = {Origin::Kind::Given, ModelAt, {}};
  }
  Job->Values[job::cluster] = Beside->Values[job::cluster];
  Job->Origins[job::cluster] = Beside->Origins[job::cluster];
  for (auto [Field, Schema] : {std::pair{job::model, "model"}, {job::layout, "layout"}})
    if (!Job->rec(Field)) {
      Job->Values[Field] = Value::record(E.own(emptyRecord(*E.Lib.schema(Schema), Schema, Start)));
      Job->Origins[Field] = {Origin::Kind::Default, Start, {}};
    }
  setFields(*Job, Request, E);
  std::vector<std::string> Names;
  for (const auto &[F, Option] : Unread) {
    std::string Shown = Sources.isOutside(Option.Range.File)
                            ? fmt::format("an option in `{}`, not shown", Sources.file(Option.Range.File).name())
                            : fmt::format("`{}`", Option.Name);
    if (Option.About && std::ranges::find(Names, Shown) == Names.end())
      Names.push_back(std::move(Shown));
  }
  return ForeignJob{E.complete(*Job), std::move(Symbols), std::move(Names)};
}

} // namespace parlance
