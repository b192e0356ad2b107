// The kinds of communication whose overlap with compute is estimated.
#pragma once
#include "std/Std.h"
#include <string_view>

namespace parlance {

struct CommunicationKind {
  std::string_view Name;  ///< `overlap.NAME` is its ratio
  std::string_view Title; ///< for people
  unsigned Group;         ///< field of `groups`: the ranks that communicate
  Quantity Ratio, Comm, Compute, Hidden, Exposed, Bytes, Bandwidth;
};
inline constexpr CommunicationKind CommunicationKinds[] = {
    {"dp", "data parallel", fields::groups::dp, quantities::overlap_dp, quantities::overlap_dp_comm,
     quantities::overlap_dp_compute, quantities::overlap_dp_hidden, quantities::overlap_dp_exposed,
     quantities::overlap_dp_bytes, quantities::overlap_dp_bandwidth},
    {"zero3", "ZeRO-3", fields::groups::shard, quantities::overlap_zero3, quantities::overlap_zero3_comm,
     quantities::overlap_zero3_compute, quantities::overlap_zero3_hidden, quantities::overlap_zero3_exposed,
     quantities::overlap_zero3_bytes, quantities::overlap_zero3_bandwidth},
    {"tp", "tensor parallel", fields::groups::tp, quantities::overlap_tp, quantities::overlap_tp_comm,
     quantities::overlap_tp_compute, quantities::overlap_tp_hidden, quantities::overlap_tp_exposed,
     quantities::overlap_tp_bytes, quantities::overlap_tp_bandwidth},
    {"pp", "pipeline", fields::groups::pp, quantities::overlap_pp, quantities::overlap_pp_comm,
     quantities::overlap_pp_compute, quantities::overlap_pp_hidden, quantities::overlap_pp_exposed,
     quantities::overlap_pp_bytes, quantities::overlap_pp_bandwidth},
    {"cp", "context parallel", fields::groups::cp, quantities::overlap_cp, quantities::overlap_cp_comm,
     quantities::overlap_cp_compute, quantities::overlap_cp_hidden, quantities::overlap_cp_exposed,
     quantities::overlap_cp_bytes, quantities::overlap_cp_bandwidth},
    {"ep", "expert parallel", fields::groups::ep, quantities::overlap_ep, quantities::overlap_ep_comm,
     quantities::overlap_ep_compute, quantities::overlap_ep_hidden, quantities::overlap_ep_exposed,
     quantities::overlap_ep_bytes, quantities::overlap_ep_bandwidth}};

} // namespace parlance
