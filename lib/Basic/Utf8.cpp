#include "Basic/Utf8.h"
#include <algorithm>

using namespace parlance;

CodePoint parlance::decodeUtf8(std::string_view Text, size_t Offset) {
  if (Offset >= Text.size())
    return {};
  const auto Byte = [&](size_t I) { return static_cast<unsigned char>(Text[Offset + I]); };
  const unsigned char Lead = Byte(0);
  if (Lead < 0x80)
    return {Lead, 1, true};
  const CodePoint Invalid{Lead, 1, false};
  const uint8_t Length = Lead >= 0xF0 ? 4 : Lead >= 0xE0 ? 3 : 2;
  if (Lead < 0xC2 || Lead > 0xF4 || Text.size() - Offset < Length)
    return Invalid;
  uint32_t Value = Lead & (0x7Fu >> Length);
  for (uint8_t I = 1; I < Length; ++I) {
    if (!isContinuation(Text[Offset + I]))
      return Invalid;
    Value = Value << 6 | (Byte(I) & 0x3Fu);
  }
  const uint32_t Smallest = Length == 2 ? 0x80 : Length == 3 ? 0x800 : 0x10000;
  if (Value < Smallest || Value > 0x10FFFF || (Value >= 0xD800 && Value <= 0xDFFF))
    return Invalid;
  return {Value, Length, true};
}

size_t parlance::firstInvalidUtf8(std::string_view Text) {
  for (size_t I = 0; I < Text.size();) {
    if (static_cast<unsigned char>(Text[I]) < 0x80) {
      ++I;
      continue;
    }
    const CodePoint P = decodeUtf8(Text, I);
    if (!P.Valid)
      return I;
    I += P.Length;
  }
  return std::string_view::npos;
}

/// Characters that reorder or hide what stands beside them ("Trojan Source"), and line separators.
static bool isInvisibleControl(uint32_t C) {
  return (C >= 0x80 && C < 0xA0) || (C >= 0x200B && C <= 0x200F) || (C >= 0x2028 && C <= 0x202E) ||
         (C >= 0x2060 && C <= 0x206F) || C == 0x061C || C == 0xFEFF;
}

void parlance::appendPrintable(std::string &Out, std::string_view Text, size_t Offset, CodePoint Point) {
  if (!Point.Valid || isInvisibleControl(Point.Value)) {
    Out += "\uFFFD";
  } else if (Point.Value < 0x20) {
    Out += "\xE2\x90";
    Out += static_cast<char>(0x80 + Point.Value);
  } else if (Point.Value == 0x7F) {
    Out += "\u2421";
  } else {
    Out += Text.substr(Offset, Point.Length);
  }
}

std::string parlance::printable(std::string_view Text) {
  std::string Out;
  Out.reserve(Text.size());
  for (size_t I = 0; I < Text.size();) {
    const CodePoint P = decodeUtf8(Text, I);
    if (P.Value == '\t' || P.Value == '\n')
      Out += ' ';
    else if (P.Value != '\r' || Text.substr(I, 2) != "\r\n")
      appendPrintable(Out, Text, I, P);
    I += P.Length;
  }
  return Out;
}

size_t parlance::columns(std::string_view Text) {
  return static_cast<size_t>(std::count_if(Text.begin(), Text.end(), [](char C) { return !isContinuation(C); }));
}

size_t parlance::utf16Units(std::string_view Text) {
  // A code point of four bytes is a pair of surrogates.
  return columns(Text) + static_cast<size_t>(std::count_if(
                             Text.begin(), Text.end(), [](char C) { return static_cast<unsigned char>(C) >= 0xF0; }));
}
