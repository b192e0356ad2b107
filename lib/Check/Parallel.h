// Independent work on all processors.
#pragma once
#include <cstddef>
#include <functional>

namespace parlance {

/// Calls `Work` with 0 … Count - 1, in any order and from several threads; for one piece of work none is started. The
/// first exception is thrown on.
void inParallel(size_t Count, const std::function<void(size_t)> &Work);

} // namespace parlance
