#include "Basic/Diagnostics.h"
#include <algorithm>
#include <array>

using namespace parlance;

namespace {

constexpr DiagnosticPage Declared[] = {
#define DIAG(Id, Code, Name, Level, Format, Parameters, Why, Example, Fixed)                                           \
  {Code, Name, Severity::Level, Format, Why, Example, Fixed},
#include "Basic/Diagnostics.def"
#undef DIAG
    {}}; // keeps the array legal while nothing is declared

constexpr size_t Count = std::size(Declared) - 1;

constexpr std::array<DiagnosticPage, Count> sortedPages() {
  std::array<DiagnosticPage, Count> Pages{};
  std::copy(std::begin(Declared), std::begin(Declared) + Count, Pages.begin());
  std::ranges::sort(Pages, [](const DiagnosticPage &A, const DiagnosticPage &B) { return A.Code < B.Code; });
  return Pages;
}

constexpr std::array<DiagnosticPage, Count> Pages = sortedPages();

constexpr bool codesAreUnique() {
  return std::ranges::adjacent_find(
             Pages, [](const DiagnosticPage &A, const DiagnosticPage &B) { return A.Code == B.Code; }) == Pages.end();
}
static_assert(codesAreUnique(), "two diagnostics of Diagnostics.def share a code");

} // namespace

std::span<const DiagnosticPage> parlance::diagnosticPages() { return Pages; }
