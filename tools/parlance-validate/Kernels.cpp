// Measured matrix products and collectives against the library's functions for them. Functions of these names are used
// where the library has them, their arguments found by the names of their parameters:
//   gemm_time(device, rows, columns, inner, type, …) -> s
//   all_reduce_time(size, n, per_node, machines, device, port, ports, hop) -> s, and
//   all_gather_time, reduce_scatter_time, all_to_all_time
// until then a roofline at gemm_efficiency().
#include "Eval/Support.h"
#include "Sets.h"
#include "std/Std.h"
#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace parlance::validate {

namespace {

Value number(double V) { return Value::of(Num(V)); }
Value count(int64_t V) { return Value::of(Num(V)); }

using Arguments = std::map<std::string, Value, std::less<>>;

/// One shape in four is held out of any calibration: the same ones whatever the order of the rows.
bool heldOut(uint64_t A, uint64_t B, uint64_t C) {
  uint64_t H = 1469598103934665603ull;
  for (uint64_t V : {A, B, C})
    H = (H ^ V) * 1099511628211ull;
  return (H >> 20) % 4 == 0;
}

double gemmTime(Jobs &J, const Record &Device, const Row &R) {
  int64_t M = R.integer("m", 0), N = R.integer("n", 0), K = R.integer("k", 0);
  Value Type = J.dtype(R.text("dtype")), Dev = Value::record(&Device);
  Arguments Args{{"device", Dev},
                 {"d", Dev},
                 {"dev", Dev},
                 {"rows", count(M)},
                 {"m", count(M)},
                 {"columns", count(N)},
                 {"n", count(N)},
                 {"inner", count(K)},
                 {"k", count(K)},
                 {"type", Type},
                 {"t", Type},
                 {"dtype", Type},
                 {"compute", Type},
                 {"accumulate", Value::of(truth(R.yes("accumulate")))},
                 {"accumulates", Value::of(truth(R.yes("accumulate")))},
                 // SimuMax measures the products of whole layers one after the other, as in training.
                 {"sustained", Value::of(truth(R.text("device") == "b200" && R.text("source") == "s9"))}};
  return J.callByName("gemm_time", Args);
}

} // namespace

std::vector<Check> gemms(const DataSet &Set, const Table &T, Jobs &J) {
  std::string Name(Set.Name);
  Check Held{.Set = Name, .What = "time of a matrix product, held-out shapes", .Unit = "us"};
  Held.Wanted = {.Median = 0.08, .Text = "median ≤ 8 %"};
  Check Other{.Set = Name, .What = "time of a matrix product, other shapes", .Unit = "us"};
  std::map<std::string, Check> Devices;
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of;
    Of.Id = R.text("id");
    if (R.text("op") != "matmul") {
      Held.skip("not a plain product: " + std::string(R.text("op")));
      continue;
    }
    const Record *Device = J.device(R.text("device"));
    if (!Device) {
      Held.skip("device not in the library");
      continue;
    }
    Of.Model = fmt::format("{} {} {}x{}x{} {}", R.text("device"), R.text("dtype"), R.text("m"), R.text("n"),
                           R.text("k"), R.text("layout"));
    bool Out = heldOut(static_cast<uint64_t>(R.integer("m", 0)), static_cast<uint64_t>(R.integer("n", 0)),
                       static_cast<uint64_t>(R.integer("k", 0)));
    double Predicted = gemmTime(J, *Device, R) * 1e6;
    compare(Out ? Held : Other, Of, Predicted, R.number("latency_us"));
    std::string What = fmt::format("{} {}", R.text("device"), R.text("dtype"));
    Check &C = Devices.try_emplace(What, Check{.Set = Name, .What = What, .Unit = "us"}).first->second;
    compare(C, Of, Predicted, R.number("latency_us"));
  }
  std::vector<Check> Out{Held, Other};
  for (auto &[What, C] : Devices)
    Out.push_back(C);
  return Out;
}

namespace {

/// Bus bandwidth of nccl-tests over size and time: what one rank's links carry.
double busFactor(std::string_view Collective, double N) {
  return Collective == "all_reduce" ? 2 * (N - 1) / N : (N - 1) / N;
}

double collectiveTime(Jobs &J, const Record &Device, const Row &R) {
  int64_t N = R.integer("gpus", 0), Nodes = R.integer("nodes", 1), PerNode = std::max<int64_t>(1, N / Nodes);
  const Record *Link = Nodes > 1 ? J.record(R.text("link")) : nullptr;
  Value Inner = Device.at(fields::device::nvlink), Size = count(R.integer("bytes", 0));
  Value Port = Link ? Link->at(fields::link::bandwidth) : number(1);
  Value Hop = Link ? Link->at(fields::link::latency) : number(0);
  Value Ports = number(R.has("ports") ? R.number("ports") : 1);
  std::string_view Kind = R.text("collective");
  std::string Function(Kind == "alltoall" ? "all_to_all" : Kind);
  Arguments Args{{"size", Size},
                 {"n", count(N)},
                 {"per_node", count(PerNode)},
                 {"machines", count(Nodes)},
                 {"inner", Inner},
                 {"port", Port},
                 {"ports", Ports},
                 {"hop", Hop},
                 {"device", Value::record(&Device)},
                 {"d", Value::record(&Device)},
                 {"latency", Hop}};
  return J.callByName(Function + "_time", Args);
}

/// The note of rows that do not say which of the two bandwidths they are. They stand apart.
constexpr std::string_view Unstated = "alg or bus";

std::string unusableCollective(const Row &R, const Record *Device) {
  std::string_view Note = R.text("note");
  if (!R.has("bytes") || R.text("collective").starts_with("p2p"))
    return "no size, or a plain copy";
  if (Note == "anomalous")
    return "L40S: anomalous figures";
  if (R.text("device").empty() || !Device)
    return "device not stated or not in the library";
  if (Device->at(fields::device::nvlink).isAbsent())
    return "no scale-up links";
  return {};
}

} // namespace

std::vector<Check> collectives(const DataSet &Set, const Table &T, Jobs &J) {
  std::string Name(Set.Name);
  Check Held{.Set = Name, .What = "time of a collective, held-out sizes", .Unit = "us"};
  Held.Wanted = {.Median = 0.10, .Text = "median ≤ 10 %"};
  Check Other{.Set = Name, .What = "time of a collective, other sizes", .Unit = "us"};
  Check Large{.Set = Name, .What = "time of a collective, from 64 MiB on", .Unit = "us"};
  std::map<std::string, Check> Kinds;
  Check Assumed{.Set = Name, .What = "time of a collective over nodes, taken as bus bandwidth", .Unit = "us"};
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    const Record *Device = J.device(R.text("device"));
    if (std::string Why = unusableCollective(R, Device); !Why.empty()) {
      Held.skip(Why);
      continue;
    }
    Run Of;
    Of.Id = R.text("id");
    int64_t N = R.integer("gpus", 0), Bytes = R.integer("bytes", 0);
    Of.Model = fmt::format("{} {} n{} {} B {}", R.text("device"), R.text("collective"), N, Bytes, R.text("note"));
    double Measured = R.number("time_us");
    if (std::isnan(Measured))
      Measured = static_cast<double>(Bytes) * busFactor(R.text("collective"), static_cast<double>(N)) /
                 (R.number("busbw_gb_s") * 1e9) * 1e6;
    double Predicted = collectiveTime(J, *Device, R) * 1e6;
    if (R.text("note").starts_with(Unstated)) {
      compare(Assumed, Of, Predicted, Measured);
      continue;
    }
    // Every fourth power of two is held out of any calibration.
    bool Out = std::bit_width(static_cast<uint64_t>(Bytes)) % 4 == 0;
    compare(Out ? Held : Other, Of, Predicted, Measured);
    if (Bytes >= 64 << 20)
      compare(Large, Of, Predicted, Measured);
    std::string What = fmt::format("{} {}", R.text("device"), R.text("collective"));
    Check &C = Kinds.try_emplace(What, Check{.Set = Name, .What = What, .Unit = "us"}).first->second;
    compare(C, Of, Predicted, Measured);
  }
  std::vector<Check> Out{Held, Other, Large, Assumed};
  for (auto &[What, C] : Kinds)
    Out.push_back(C);
  return Out;
}

} // namespace parlance::validate
