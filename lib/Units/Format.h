// Printing of quantities as a person writes them: 80 GB, 79.6 GiB, 450 GB/s, 31,250 tok/gpu, 41.2 %.
#pragma once
#include "Units/Dim.h"
#include "Units/Num.h"
#include <string>

namespace parlance {

/// A plain number: integers with thousands separators, others with `Digits` significant digits ("1.34", "0.0349",
/// "1.2e-09").
std::string formatNumber(Num N, unsigned Digits = 4);
/// A quantity in base units of `D` with a readable prefix: information in GB (or GiB for memory, when `Binary`), times
/// in s/ms/us, rates in GB/s and TFLOP/s, elements in G/M, counts whole.
std::string formatQuantity(Num N, Dim D, bool Binary = false);
/// "61.2 GiB"
std::string formatGiB(double Bytes);
/// "41.2 %"
std::string formatPercent(double Ratio);
/// The shortest text that reads back as the same double; integers exactly ("0.133094…" never rounded). For JSON.
std::string formatExact(Num N);

} // namespace parlance
