// Random jobs and files for tests of properties, and how many of them are tried.
#pragma once
#include <cstdlib>
#include <fmt/format.h>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace parlance {

/// So many, or as many as PARLANCE_RANDOM_JOBS says.
inline unsigned randomJobs(unsigned Usual) {
  const char *Asked = std::getenv("PARLANCE_RANDOM_JOBS"); // NOLINT(concurrency-mt-unsafe): nothing sets it
  return Asked ? static_cast<unsigned>(std::strtoul(Asked, nullptr, 10)) : Usual;
}

/// Texts of random jobs. Most of what they draw is sensible by itself and little of it together.
class Jobs {
public:
  explicit Jobs(unsigned Seed) : Random(Seed) {}

  std::string text() {
    std::string Layout = fmt::format("tp = {}, pp = {}", pick({1, 2, 3, 4, 8, 16}), pick({1, 1, 2, 4, 5, 8}));
    sometimes(Layout, "cp", {"1", "2", "4"});
    sometimes(Layout, "ep", {"1", "2", "8", "6"});
    sometimes(Layout, "dp", {"auto", "1", "2", "8", "16"});
    sometimes(Layout, "zero", {"0", "1", "2", "3"});
    sometimes(Layout, "sequence_parallel", {"true", "false"});
    sometimes(Layout, "virtual_stages", {"1", "2", "5"});
    sometimes(Layout, "recompute", {"none", "selective", "full"});
    std::string Batch = fmt::format("micro = {} seq", pick({1, 2, 4}));
    sometimes(Batch, "global", {"64 seq", "128 seq", "1024 seq", "4M tok", "100 seq", "4Mi tok"});
    sometimes(Batch, "accum", {"1", "4", "16"});
    std::string Demand = Random() % 4 ? "" : std::string(pickWord(Demands));
    return fmt::format(
        "use std/hardware\nuse std/models\n"
        "cluster c {{ node = 8 * {}, nodes = {}, inter = {} }}\n"
        "layout l {{\n  {}\n}}\n"
        "job j {{\n  model = {}, cluster = c, layout = l, target = {}\n"
        "  seq_len = {} tok/seq\n  batch {{ {} }}\n  {}\n}}\n",
        pickWord({"h100_sxm", "a100_80g_sxm", "h200"}), pick({1, 2, 8, 16}),
        pickWord({"infiniband_ndr", "infiniband_hdr"}), Layout,
        pickWord({"llama3_8b", "llama3_70b", "llama32_1b", "mixtral_8x7b", "gpt3_175b", "qwen3_30b_a3b"}),
        pickWord({"megatron", "deepspeed", "torchtitan", "nanotron"}), pick({2048, 4096, 8192, 32768}), Batch, Demand);
  }

private:
  static constexpr std::string_view Demands[] = {
      "require overlap.dp <= 1", "require bubble <= 10%", "require memory.peak <= 60 GiB/gpu",
      "let headroom = memory.usable - memory.peak\n  require headroom >= 10 GiB/gpu"};

  int pick(std::initializer_list<int> From) { return From.begin()[Random() % From.size()]; }
  std::string_view pickWord(std::span<const std::string_view> From) { return From[Random() % From.size()]; }
  std::string_view pickWord(std::initializer_list<std::string_view> From) {
    return pickWord(std::span(From.begin(), From.size()));
  }
  void sometimes(std::string &Block, std::string_view Field, std::initializer_list<std::string_view> Values) {
    if (Random() % 2)
      Block += fmt::format(", {} = {}", Field, pickWord(Values));
  }

  std::mt19937 Random;
};

} // namespace parlance
