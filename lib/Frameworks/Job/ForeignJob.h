// Jobs from the files of the frameworks: several files that belong together (a model's config.json, a DeepSpeed
// configuration, the script that launches them) are one job.
#pragma once
#include "Frameworks/HuggingFace/Import.h"
#include "Frameworks/Job/FileKind.h"
#include "Frameworks/Job/ForeignRequest.h"
#include "Frameworks/Options/OptionReader.h"

namespace parlance {

struct ForeignJob {
  const Record *Job = nullptr; ///< fields that the files give, and defaults
  std::vector<Symbol> Symbols;
  std::vector<std::string> Unread; ///< options that are not understood and may be about what is judged
};

/// Reads one job. What its files would make the framework refuse is reported on the way.
class ForeignReader : public JobSink {
public:
  ForeignReader(Evaluator &E, HuggingFaceImporter &Models, const ForeignRequest &Request)
      : JobSink(E), Models(Models), Request(Request) {}

  /// Null when none of the files can be used, or one that decides cannot be read.
  std::optional<ForeignJob> read(std::span<const ForeignFile *const> Files);

  // The same in steps, for a caller that has the parts of a job in another form: readers of frameworks may be called on
  // it in between.

  void begin(std::string_view JobName, SourceRange JobStart) {
    Name = JobName;
    Start = JobStart;
  }
  std::optional<ForeignJob> finish();

  void addOptions(const Framework &F, const ConfigValue &Tree, SourceRange At) override;
  void addFacts(const Framework &F, const ConfigValue &Facts) override;
  void addModel(const Record *Model, SourceRange At) override;
  void addModelFile(uint32_t File, SourceRange At) override;
  void addWorld(const World &W) override;
  void whenGpusKnown(std::function<void(int64_t Gpus)> Check) override { Waiting.push_back(std::move(Check)); }
  void addUnread(const Framework &F, const UnreadOption &O) override { Unread.emplace_back(&F, O); }
  void addProgram(std::string_view Name, SourceRange At, bool Distributed) override;
  void giveUp() override { GivenUp = true; }
  void addSymbol(Symbol S) override { Symbols.push_back(std::move(S)); }

private:
  struct Part {
    const Framework *F;
    Record *Options;
  };
  void reportProgram();
  void readFile(const ForeignFile &File);
  Record *merge(const Record &Beside);
  void overlay(Record &Onto, const Record &Over);
  void openDefaults();
  void fillCluster(Record &Job);
  void compareLaunch(std::optional<int64_t> Started, SourceRange At, Num There, std::string_view What);
  /// GPUs of a replica's tensor and pipeline parallelism, as far as `--set` gives them.
  int64_t requestedModelRanks() const;

  HuggingFaceImporter &Models;
  const ForeignRequest &Request;
  std::vector<Part> Parts;
  const Record *Model = nullptr;
  SourceRange ModelAt;
  World Launched;
  std::vector<Symbol> Symbols;
  std::vector<std::pair<const Framework *, UnreadOption>> Unread;
  std::vector<std::function<void(int64_t)>> Waiting; ///< for the number of GPUs
  std::string Program;                               ///< that is launched; empty: no file is a script, or it was read
  SourceRange ProgramAt;
  bool Distributed = false;
  bool GivenUp = false;
  SourceRange Start; ///< of the first file
  std::string_view Name;
};

} // namespace parlance
