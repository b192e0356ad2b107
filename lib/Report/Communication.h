// The kinds of communication whose overlap with compute is estimated.
#pragma once
#include "std/Std.h"
#include <string_view>

namespace parlance {

struct CommunicationKind {
  std::string_view Name;  ///< `overlap.NAME` is its ratio
  std::string_view Title; ///< for people
  unsigned Group;         ///< field of `groups`: the ranks that communicate
};
inline constexpr CommunicationKind CommunicationKinds[] = {
    {"dp", "data parallel", fields::groups::dp},    {"zero3", "ZeRO-3", fields::groups::shard},
    {"tp", "tensor parallel", fields::groups::tp},  {"pp", "pipeline", fields::groups::pp},
    {"cp", "context parallel", fields::groups::cp}, {"ep", "expert parallel", fields::groups::ep}};

} // namespace parlance
