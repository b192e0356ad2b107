// Edits of a configuration's tree: readers bring older and shorter forms into the declared one.
#pragma once
#include "Config/ConfigTree.h"
#include <algorithm>
#include <ranges>

namespace parlance {

/// The member that counts, the last of that name; null when there is none.
inline ConfigValue *member(ConfigValue &Object, std::string_view Key) {
  auto It = std::ranges::find_if(std::views::reverse(Object.Items), [&](const ConfigValue &M) { return M.Key == Key; });
  return It == Object.Items.rend() ? nullptr : &*It;
}

/// The same in an object that may not be there.
inline ConfigValue *member(ConfigValue *Object, std::string_view Key) {
  return Object ? member(*Object, Key) : nullptr;
}

inline void eraseMember(ConfigValue &Object, std::string_view Key) {
  std::erase_if(Object.Items, [&](const ConfigValue &M) { return M.Key == Key; });
}

/// A member that was written at a place, or that stands for what was.
inline ConfigValue makeMember(std::string Key, SourceRange KeyRange, ConfigValue::Kind K, std::string Text,
                              SourceRange Range) {
  ConfigValue Made;
  Made.K = K;
  Made.Text = std::move(Text);
  Made.Key = std::move(Key);
  Made.Range = Range;
  Made.KeyRange = KeyRange;
  return Made;
}

/// A member that stands for what was written at the place of another value.
inline ConfigValue madeFrom(const ConfigValue &Source, std::string_view Key, ConfigValue::Kind K,
                            std::string Text = {}) {
  return makeMember(std::string(Key), Source.KeyRange, K, std::move(Text), Source.Range);
}

} // namespace parlance
