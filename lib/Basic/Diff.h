// Differences between two texts, line by line.
#pragma once
#include "Basic/Diagnostic.h"
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

/// Lines [OldBegin, OldEnd) became lines [NewBegin, NewEnd), counted from 0. One of the two may be empty, not both.
struct LineChange {
  size_t OldBegin, OldEnd, NewBegin, NewEnd;
  bool operator==(const LineChange &) const = default;
};

/// The lines of a text, each with its line break; the last one may lack it.
std::vector<std::string_view> splitLines(std::string_view Text);

/// What changed, in order, never two changes side by side. Small, but not always the smallest: lines that occur once in
/// both texts are matched first, so that time stays n log n.
std::vector<LineChange> diffLines(std::span<const std::string_view> Old, std::span<const std::string_view> New);

/// The same as edits of whole lines of file `File`, in order.
std::vector<Edit> lineEdits(uint32_t File, std::string_view Old, std::string_view New);

/// What `diff -u` prints, with three lines around each change; "" for equal texts.
std::string unifiedDiff(std::string_view OldName, std::string_view NewName, std::string_view Old, std::string_view New);

} // namespace parlance
