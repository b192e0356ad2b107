// Config trees as text that people can read and the readers read back to the same tree.
#pragma once
#include "Config/ConfigTree.h"

namespace parlance {

// Members that a later one of the same name overrides are left out. `Header` and the comments of values become comment
// lines; JSON has none. Placeholders are written bare.
std::string writeJson(const ConfigValue &Root);
/// Block style. Strings that YAML 1.1 would take for something else stand in quotes, and floats are written so that
/// PyYAML reads floats.
std::string writeYaml(const ConfigValue &Root, std::string_view Header = {});
/// The root must be an object. TOML has no null: such members and items are left out. Within a table plain values come
/// before sections.
std::string writeToml(const ConfigValue &Root, std::string_view Header = {});

} // namespace parlance
