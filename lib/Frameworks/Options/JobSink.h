// Where the readers of the frameworks' files put what they find.
#pragma once
#include "Config/ConfigTree.h"
#include "Eval/Evaluator.h"
#include "Frameworks/Options/Framework.h"
#include "Frameworks/Options/Influence.h"
#include <functional>

namespace parlance {

/// A value that a file leaves open: an unset variable of a script, a placeholder, `"auto"`.
struct Symbol {
  std::string Text; ///< "$GPUS"
  SourceRange Range;
  std::string Option; ///< "--tensor-model-parallel-size"
};

/// How many GPUs a launcher starts, where the files say so.
struct World {
  std::optional<int64_t> PerNode, Nodes; ///< empty: not said or not known
  SourceRange PerNodeAt, NodesAt;
};

/// One job in the making.
class JobSink {
public:
  JobSink(Evaluator &E) : E(E), Sources(E.Sources), Diags(E.Diags) {}
  virtual ~JobSink() = default;

  /// The options of a framework, as a tree whose keys are their names; `At` stands for all of them (what is left to
  /// defaults is found there). Several trees of one framework are laid over each other.
  virtual void addOptions(const Framework &F, const ConfigValue &Tree, SourceRange At) = 0;
  /// What options that were added come to, by the names of the framework's facts.
  virtual void addFacts(const Framework &, const ConfigValue &) {}
  /// A record of schema `model` that files or the library give; null after an error.
  virtual void addModel(const Record *Model, SourceRange At) = 0;
  /// A model's own configuration file, which some sink may read.
  virtual void addModelFile(uint32_t, SourceRange) {}
  virtual void addWorld(const World &W) = 0;
  /// What can be judged only when it is known how many GPUs a job runs on: those of one rank of tensor and pipeline
  /// parallelism, where `--set` says that the caller arranges such.
  virtual void whenGpusKnown(std::function<void(int64_t Gpus)> Check) = 0;
  /// The program that a command starts, as one of many processes or alone; it may be no framework's, and then nobody
  /// reads what it is told.
  virtual void addProgram(std::string_view /*Name*/, SourceRange, bool /*Distributed*/) {}
  /// A file cannot be read, which was reported: the job is not judged by the rest.
  virtual void giveUp() = 0;
  /// Something that may be an option of a framework and is not understood.
  virtual void addUnread(const Framework &, const UnreadOption &) {}
  /// Something else that is not known, for the hint that says so.
  virtual void addSymbol(Symbol S) = 0;

  Evaluator &E;
  SourceManager &Sources;
  DiagnosticEngine &Diags;
};

} // namespace parlance
