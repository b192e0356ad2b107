// Explanation pages and the machine-readable schema.
#pragma once
#include "Render/Render.h"
#include "Sema/Program.h"
#include <optional>
#include <span>
#include <string>

namespace parlance {

/// How a page is laid out on a terminal.
struct PageStyle {
  unsigned Width = 100; ///< in columns: prose is broken there, programs are not
  bool Color = false;
};

/// The page of a diagnostic, found by code ("PL2003") or name ("tp-divides-heads"), as text; empty when there is none.
std::optional<std::string> explanationPage(const Library &Lib, std::string_view CodeOrName, PageStyle Layout = {});
/// The same page for a report that carries it along, found by code.
std::optional<RuleHelp> ruleHelp(const Library &Lib, std::string_view Code);
/// The page of a rule of a user's file: what it says, why, and the cases of its tests in that file.
std::string rulePage(const SourceManager &Sources, const Module &File, const ast::Item &Rule, PageStyle Layout = {});
/// The diagnostics that have all of the words somewhere on their page, one line each: code, name, severity and message;
/// the page itself where there is one. Empty when there is none.
std::string findPages(const Library &Lib, std::span<const std::string> Words, PageStyle Layout = {});
/// The groups of diagnostics with their numbers, one line each.
std::string pageGroups(const Library &Lib);
/// The code or name nearest to a wrong one.
std::optional<std::string> nearestCode(const Library &Lib, std::string_view CodeOrName);
/// Blocks, fields, types, units, defaults, modules, records, functions, derived quantities and rules as JSON.
std::string schemaJson(const Library &Lib);

} // namespace parlance
