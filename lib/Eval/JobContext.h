// What derived quantities and rules are evaluated over: one resolved job, and the derived values found so far.
#pragma once
#include "Eval/Calibration.h"
#include <algorithm>

namespace parlance {

/// Not safe to share between threads: it remembers values as they are asked for.
class JobContext {
public:
  JobContext(const Library &Lib, const Record &Job)
      : Lib(Lib), Job(Job), Constants(Job.Assumed), OfJob(Lib.Derives.size()) {}
  JobContext(const JobContext &) = delete; // what is known points into it
  const Library &library() const { return Lib; }
  const Record &job() const { return Job; }
  const Calibration &calibration() const { return Constants; }

  /// The value of derived quantity `Index`; Absent when it does not apply to this job.
  Value derived(uint32_t Index, const Value *Args) const {
    const DeriveDecl &D = Lib.Derives[Index];
    return D.Params.empty() ? derived(Index) : D.Native(*this, Args);
  }
  /// The same for one without parameters, remembered.
  const Value &derived(uint32_t Index) const {
    if (const Value *V = OfJob[Index])
      return *V;
    return *(OfJob[Index] = &keep(Lib.Derives[Index].Native(*this, nullptr)));
  }
  Value derived(Quantity Q, std::initializer_list<Value> Args = {}) const { return derived(Q.Index, Args.begin()); }
  /// A derived quantity of one counter (a pipeline stage), remembered for small ones: a stage's parts are asked for by
  /// each other over and over.
  template <typename Body> Value ofStage(uint32_t Index, Num Counter, Body B) const {
    constexpr int64_t MaxRemembered = 1024; // as many stages as the schema allows
    if (!Counter.isInt() || Counter.integer() < 0 || Counter.integer() >= MaxRemembered)
      return B();
    auto I = static_cast<size_t>(Counter.integer());
    if (I >= Columns)
      widen(I + 1);
    if (const Value *V = OfStages[Index * Columns + I])
      return *V;
    const Value &V = keep(B()); // which may widen the table
    OfStages[Index * Columns + I] = &V;
    return V;
  }

private:
  const Value &keep(const Value &V) const {
    constexpr size_t BlockSize = 128;
    if (Blocks.empty() || Blocks.back().size() == BlockSize)
      Blocks.emplace_back().reserve(BlockSize);
    return Blocks.back().emplace_back(V);
  }
  void widen(size_t Least) const {
    size_t Wider = std::max({Least, 2 * Columns, size_t{8}});
    std::vector<const Value *> Table(Lib.Derives.size() * Wider);
    for (size_t I = 0; I < OfStages.size(); ++I)
      Table[I / Columns * Wider + I % Columns] = OfStages[I];
    OfStages = std::move(Table);
    Columns = Wider;
  }

  const Library &Lib;
  const Record &Job;
  Calibration Constants;
  /// What is known, by derived quantity; of a stage in rows of Columns.
  mutable std::vector<const Value *> OfJob, OfStages;
  mutable size_t Columns = 0;
  /// The values. A block is never moved, and no memory is asked for per value: an estimate takes microseconds.
  mutable std::vector<std::vector<Value>> Blocks;
};

} // namespace parlance
