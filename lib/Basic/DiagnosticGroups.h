// What the codes of diagnostics begin with, and what they are about.
#pragma once
#include <span>
#include <string_view>

namespace parlance {

struct DiagnosticGroup {
  std::string_view Prefix, Title;
};

/// Every code begins with one of the prefixes; PL9 is left to the rules of users.
std::span<const DiagnosticGroup> diagnosticGroups();

} // namespace parlance
