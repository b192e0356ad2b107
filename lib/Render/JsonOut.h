// What the JSON renderers share. Internal to Render.
#pragma once
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <string_view>

namespace parlance {

/// JSON must be UTF-8; foreign texts need not be.
inline std::string jsonText(std::string_view Text) {
  return llvm::json::fixUTF8(llvm::StringRef(Text.data(), Text.size()));
}
inline void textAttribute(llvm::json::OStream &J, llvm::StringRef Key, std::string_view Value) {
  J.attribute(Key, jsonText(Value));
}

/// One JSON document and a line break.
template <typename Writer> std::string jsonDocument(Writer Write, unsigned Indent = 0) {
  std::string Out;
  llvm::raw_string_ostream Stream(Out);
  llvm::json::OStream J(Stream, Indent);
  Write(J);
  J.flush();
  Stream.flush();
  return Out + '\n';
}

} // namespace parlance
