// What was meant by a name that there is not: a field of another block, an option of a framework, a spelling of another
// program. None of these reports.
#pragma once
#include "Sema/Library.h"
#include <string>
#include <vector>

namespace parlance {

/// The field that `Name` is for somebody who writes it into a block of `Schema`: "layout.tp" where it is a field of
/// another block of the job, "micro" where a framework's option of that name means a field of the block itself, and
/// "batch.micro" where it means one of another. Empty when there is none.
std::string ownerOf(const Library &Lib, const SchemaDecl &Schema, std::string_view Name);

/// The field of a job that an option called `Name` means: "batch.micro" for `micro_batch_size`. Where frameworks
/// disagree, what most of them mean. Empty when none has such an option, or none a meaning for it.
std::string_view optionMeaning(const Library &Lib, std::string_view Name);

/// A quantity or field of a job that is likely meant by a name that stands alone: "layout.tp" for `tp`, "params.total"
/// for `params`. Empty when there is none.
std::string quantityOf(const Library &Lib, std::string_view Name);

/// As nearest (Basic/Text.h), and before it a candidate that the name is the beginning of, behind it one whose words
/// are all in it: `global_tokens` is `tokens`.
std::optional<std::string_view> likeliest(std::string_view Wrong, std::span<const std::string_view> Candidates);

} // namespace parlance
