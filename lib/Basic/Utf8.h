// Decoding of UTF-8 that may be broken, and text that is safe to print on a terminal.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace parlance {

/// One decoded code point. A byte that belongs to no valid sequence counts as one invalid code point.
struct CodePoint {
  uint32_t Value = 0;
  uint8_t Length = 0; ///< in bytes; 0 at the end of the text
  bool Valid = false;
};
/// Strict: no overlong forms, no surrogates, nothing above U+10FFFF.
CodePoint decodeUtf8(std::string_view Text, size_t Offset);
/// Whether a byte continues a sequence, that is starts no code point of its own.
constexpr bool isContinuation(char C) { return (static_cast<unsigned char>(C) & 0xC0) == 0x80; }
/// Offset of the first byte that is not valid UTF-8; npos when there is none.
size_t firstInvalidUtf8(std::string_view Text);

/// Appends a code point in a form that cannot move the cursor, change colours or reorder text: control characters as
/// their pictures (U+2400…), invalid bytes and bidirectional controls as U+FFFD. Always one column.
void appendPrintable(std::string &Out, std::string_view Text, size_t Offset, CodePoint Point);
/// A text on one line: line breaks and tabs become spaces, the rest as appendPrintable.
std::string printable(std::string_view Text);
/// Code points of a text: its width on the terminal as far as this tool counts it.
size_t columns(std::string_view Text);
/// UTF-16 code units of a valid text: what SARIF and editors count columns in.
size_t utf16Units(std::string_view Text);

} // namespace parlance
