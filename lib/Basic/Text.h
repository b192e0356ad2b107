// Small helpers of messages: the nearest name, plurals, lists and thousands separators.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace parlance {

/// The candidate that was probably meant: edit distance (with transpositions, without case) at most 1 for names of up
/// to 4 letters, 2 up to 8, 3 above. Names under 3 letters are guessed only when nothing but their case is wrong. Of
/// equally near ones the first. The result views the candidate's text.
std::optional<std::string_view> nearest(std::string_view Wrong, std::span<const std::string_view> Candidates);
/// Whether a word can be nothing but a slip of the keys for the one that is near it: one letter, or two of ten.
bool isMisspelt(std::string_view Wrong, std::string_view Near);
/// Damerau-Levenshtein distance (adjacent transpositions) without regard to ASCII case; `Limit` + 1 when it is larger.
unsigned editDistance(std::string_view A, std::string_view B, unsigned Limit);

/// "1 stage", "3 stages", "4,096 microbatches".
std::string plural(int64_t Count, std::string_view Noun);
/// "a", "a or b", "a, b or c".
std::string joinList(std::span<const std::string_view> Items, std::string_view Conjunction = "or");
std::string joinList(std::span<const std::string> Items, std::string_view Conjunction = "or");
/// "1,048,576"
std::string withThousands(int64_t Value);
/// Separators for the digits before a decimal point: "1234.5" becomes "1,234.5".
std::string withThousands(std::string_view Decimal);

/// The words of a text in one line, with one blank between them.
std::string oneLine(std::string_view Text);

/// A string literal's contents with \n, \t, \" and \\ resolved.
std::string unescape(std::string_view Contents);

/// A word as the shell reads it back: quoted where it must be.
std::string shellWord(std::string_view Word);

/// A template with a text in the place of each mark. Each mark stands once, in this order: what is put in is not
/// searched.
std::string fillMarks(std::string_view Template, std::span<const std::pair<std::string_view, std::string>> Parts);

} // namespace parlance
