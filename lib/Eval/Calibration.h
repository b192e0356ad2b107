// The calibration constants as one job has them.
#pragma once
#include "Sema/Library.h"

namespace parlance {

/// The library's constants, with those in place that a job assumes. Every reader is given one, formulas of other
/// functions included, so that an assumption acts on all of them. It remembers which constants were read, for the
/// estimate. Not safe to share between threads.
class Calibration {
public:
  Calibration() = default;
  explicit Calibration(const Assumptions *Assumed) : Assumed(Assumed) {}

  /// The value of a constant (FunctionDecl::Constant); `Default` gives the library's.
  template <typename Default> Num read(unsigned Constant, Default D) const {
    Reads |= uint64_t{1} << Constant;
    const Assumption *A = assumed(Constant);
    return A ? A->Value : D();
  }
  /// What the job assumes for a constant; null when that is left to the library.
  const Assumption *assumed(unsigned Constant) const {
    if (!Assumed || !(*Assumed)[Constant].Value.isKnown())
      return nullptr;
    return &(*Assumed)[Constant];
  }
  bool wasRead(unsigned Constant) const { return Reads >> Constant & 1; }

private:
  const Assumptions *Assumed = nullptr;
  mutable uint64_t Reads = 0; ///< a bit per constant; there are at most MaxConstants
};

} // namespace parlance
