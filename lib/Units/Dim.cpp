#include "Units/Dim.h"
#include <algorithm>
#include <cstdlib>

using namespace parlance;

namespace {

struct BaseInfo {
  std::string_view Name, Symbol;
};
constexpr BaseInfo Bases[NumBases] = {
    {"information", "B"},
    {"elements", "elem"},
    {"arithmetic", "FLOP"},
    {"tokens", "tok"},
    {"sequences", "seq"},
    {"time", "s"},
    {"money", "USD"},
    {"gpu", "gpu"},
    {"node", "node"},
    {"replica", "replica"},
    {"stage", "stage"},
    {"layer", "layer"},
    {"microbatch", "microbatch"},
};

std::string join(const std::vector<std::string> &Factors, std::string_view Separator) {
  std::string Result;
  for (const std::string &Factor : Factors) {
    if (!Result.empty())
      Result += Separator;
    Result += Factor;
  }
  return Result;
}

} // namespace

std::string_view parlance::baseName(Base B) { return Bases[static_cast<unsigned>(B)].Name; }
std::string_view parlance::baseSymbol(Base B) { return Bases[static_cast<unsigned>(B)].Symbol; }

std::optional<Base> parlance::baseNamed(std::string_view Name) {
  for (unsigned I = 0; I < NumBases; ++I)
    if (Bases[I].Name == Name)
      return static_cast<Base>(I);
  return std::nullopt;
}

unsigned Dim::size() const {
  return static_cast<unsigned>(std::count_if(Exponents.begin(), Exponents.end(), [](int8_t E) { return E != 0; }));
}

std::string Dim::str() const {
  std::vector<std::string> Above, Below;
  bool OnlyOnes = true;
  for (unsigned I = 0; I < NumBases; ++I) {
    const int Exponent = Exponents[I];
    if (Exponent == 0)
      continue;
    std::string Factor(Bases[I].Symbol);
    if (std::abs(Exponent) != 1) {
      Factor += '^' + std::to_string(std::abs(Exponent));
      OnlyOnes = false;
    }
    (Exponent > 0 ? Above : Below).push_back(std::move(Factor));
  }
  if (Below.empty())
    return join(Above, "·");
  // `B/s/gpu` reads well with one thing above; with several, brackets keep both sides together.
  const bool Chained = Below.size() == 1 || (Above.size() == 1 && OnlyOnes);
  const std::string Top = Above.empty() ? "1" : join(Above, "·");
  return Chained ? Top + '/' + join(Below, "/") : Top + "/(" + join(Below, "·") + ')';
}
