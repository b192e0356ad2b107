// What derived quantities and rules are evaluated over: one resolved job, and the derived values
// found so far.
#pragma once
#include "Sema/Library.h"

namespace parlance {

/// Not safe to share between threads: it remembers values as they are asked for.
class JobContext {
public:
  JobContext(const Library &Lib, const Record &Job) : Lib(Lib), Job(Job) {}
  const Library &library() const { return Lib; }
  const Record &job() const { return Job; }

  /// The value of derived quantity `Index`; Absent when it does not apply to this job.
  Value derived(uint32_t Index, const Value *Args = nullptr) const {
    const DeriveDecl &D = Lib.Derives[Index];
    if (!D.Params.empty())
      return D.Native(*this, Args);
    if (const Value *V = cached(Index))
      return *V;
    return store(Index, D.Native(*this, Args));
  }
  /// By its name; Absent for an unknown one.
  Value derived(std::string_view Name, std::initializer_list<Value> Args = {}) const {
    int Index = Lib.derive(Name);
    return Index < 0 ? Value() : derived(static_cast<uint32_t>(Index), Args.begin());
  }
  /// A derived quantity of one counter (a pipeline stage), remembered for small ones: a stage's
  /// parts are asked for by each other over and over.
  template <typename Body> Value ofStage(uint32_t Index, Num Counter, Body B) const {
    constexpr int64_t MaxRemembered = 1024; // as many stages as the schema allows
    if (!Counter.isInt() || Counter.integer() < 0 || Counter.integer() >= MaxRemembered)
      return B();
    if (Stages.empty())
      Stages.resize(Lib.Derives.size());
    auto I = static_cast<size_t>(Counter.integer());
    if (Stages[Index].size() <= I)
      Stages[Index].resize(I + 1);
    if (!Stages[Index][I].first) {
      Value V = B();
      Stages[Index][I] = {true, V};
    }
    return Stages[Index][I].second;
  }
  const Value *cached(uint32_t Index) const {
    return Index < Memo.size() && Memo[Index].first ? &Memo[Index].second : nullptr;
  }
  const Value &store(uint32_t Index, const Value &V) const {
    if (Memo.size() <= Index)
      Memo.resize(Lib.Derives.size());
    Memo[Index] = {true, V};
    return Memo[Index].second;
  }

private:
  const Library &Lib;
  const Record &Job;
  mutable std::vector<std::pair<bool, Value>> Memo;
  mutable std::vector<std::vector<std::pair<bool, Value>>>
      Stages; ///< by derived quantity and counter
};

} // namespace parlance
