// The words of torchtitan's command line as a tree. Internal to the reader.
#pragma once
#include "Frameworks/Torchtitan/Read.h"
#include "Sema/Library.h"

namespace parlance::torchtitan {

/// Options as tyro reads them: `--section.option value` and `--section.option=value`, `-` like `_`, truth values as
/// `--section.option` and `--section.no-option`, lists with commas, and
/// `activation-checkpoint:full` of the main branch. Values have the types that the schema says, so
/// that others are refused; unknown options stay for that too.
ConfigValue commandTree(std::span<const CommandWord> Words, const SchemaDecl &Schema);

} // namespace parlance::torchtitan
