#include "Check/Parallel.h"
#include "llvm/Support/thread.h"
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

namespace parlance {

void inParallel(size_t Count, const std::function<void(size_t)> &Work) {
  std::atomic<size_t> Next = 0;
  std::exception_ptr Failure;
  std::mutex FailureLock;
  auto Run = [&] {
    try {
      for (size_t I; (I = Next++) < Count;)
        Work(I);
    } catch (...) {
      std::scoped_lock Lock(FailureLock);
      if (!Failure)
        Failure = std::current_exception();
    }
  };
  // The main thread's stack, on which nested input is known to fit, has as much by default.
  constexpr unsigned StackBytes = 8u << 20;
  const size_t Workers = std::min<size_t>(Count, std::max(1u, llvm::thread::hardware_concurrency()));
  std::vector<llvm::thread> Threads;
  for (size_t I = 1; I < Workers; ++I)
    Threads.emplace_back(std::optional<unsigned>(StackBytes), Run);
  Run();
  for (llvm::thread &T : Threads)
    T.join();
  if (Failure)
    std::rethrow_exception(Failure);
}

} // namespace parlance
