// What the records of imported models are kept in.
#pragma once
#include "Sema/Library.h"
#include <deque>
#include <string>

namespace parlance::huggingface {

/// Records and texts that live as long as the importer.
struct Store {
  std::deque<Record> Records;
  std::deque<std::string> Texts;
  Record *own(Record R) { return &Records.emplace_back(std::move(R)); }
  std::string_view keep(std::string Text) { return Texts.emplace_back(std::move(Text)); }
};

} // namespace parlance::huggingface
