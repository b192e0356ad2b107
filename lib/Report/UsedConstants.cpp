#include "Report/UsedConstants.h"
#include "Eval/Support.h"

namespace parlance {

std::string UsedConstant::unit() const {
  return Constant->Result.Dimension.isNone() ? "ratio" : Constant->Result.Dimension.str();
}

std::string_view UsedConstant::source() const {
  std::string_view Doc = Constant->Doc;
  size_t End = Doc.find(". ");
  return End == std::string_view::npos ? Doc : Doc.substr(End + 2);
}

std::vector<UsedConstant> usedConstants(const JobContext &C) {
  const Calibration &K = C.calibration();
  std::vector<UsedConstant> Used;
  for (const FunctionDecl &F : C.library().Functions) {
    if (F.Constant < 0)
      continue;
    auto I = static_cast<unsigned>(F.Constant);
    if (K.wasRead(I))
      Used.push_back(
          {&F, rt::num(F.Native(K, nullptr)), K.assumed(I) != nullptr, rt::num(F.Native(Calibration(), nullptr))});
  }
  return Used;
}

} // namespace parlance
