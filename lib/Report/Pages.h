// Explanation pages and the machine-readable schema.
#pragma once
#include "Sema/Library.h"
#include <optional>
#include <string>

namespace parlance {

/// The page of a diagnostic, found by code ("PL2003") or name ("tp-divides-heads"), as text; empty
/// when there is none.
std::optional<std::string> explanationPage(const Library &Lib, std::string_view CodeOrName);
/// The code or name nearest to a wrong one.
std::optional<std::string> nearestCode(const Library &Lib, std::string_view CodeOrName);
/// Blocks, fields, types, units, defaults, modules, records, functions, derived quantities and
/// rules as JSON.
std::string schemaJson(const Library &Lib);

} // namespace parlance
