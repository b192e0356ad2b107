// A framework's options and the fields of a job that they mean, in both directions. What means what is declared in
// lib/std/frameworks: an option that `is` a field, and the derived quantities
// `read.FRAMEWORK.FIELD`, `write.FRAMEWORK.OPTION` and, for options that are only good to have,
// `suggest.FRAMEWORK.OPTION`.
#pragma once
#include "Plan/Plan.h"

namespace parlance {

/// The schema of a framework's options and the field of a job that holds such a block; null when the library does not
/// know the framework.
struct OptionsBlock {
  const SchemaDecl *Schema = nullptr;
  unsigned Field = 0;
};
OptionsBlock optionsBlock(const Library &Lib, std::string_view Framework);

/// The block of the framework that a job is for, or of the version of it that the job has a block of
/// (`torchtitan_main`); null when it has none.
const Record *optionsOf(const Record &Job);

/// What the options of one framework say about a job: its fields without the schema's defaults, each with the place of
/// the option that says it, or with the block's name where the framework's default does. An option whose value is not
/// known makes the fields that follow from it unknown, and so does a quantity that is the word "unknown": no word of
/// the field means what the option says. What an option means may depend on the model and the cluster of a job
/// `Beside`, which give nothing else.
Record *readOptions(const Library &Lib, std::string_view Framework, const Record &Options, Evaluator &E,
                    const Record *Beside = nullptr);

/// The options that say what a Plan says, and those of its own block that no field means. A value that the framework
/// has no option for is not in it: `notExpressed` finds such.
Record *writeOptions(const Plan &P, std::string_view Framework, Evaluator &E);

/// Sets a field of a job by its path from a text ("4096", "true", "bf16"), a number in the unit of the field. False
/// when there is no such field or the text is not a value of it: of another kind, out of range.
bool setField(Record &Job, std::string_view Path, std::string_view Text, const Origin &From, Evaluator &E);

/// A field that the options of another framework do not give back.
struct LostField {
  std::string Path; ///< "layout.etp"
  Value Wanted, Got;
};

/// The fields in which two Plans differ. The cluster, the target and what follows from it alone, what was measured,
/// what is computed, options of frameworks, and the fields under `Skip` (whole blocks or single ones) are not compared.
std::vector<LostField> differences(const Plan &Wanted, const Plan &Got, std::span<const std::string_view> Skip);

/// The fields of a Plan that are not the same after writing and reading the options of a framework;
/// its files do not hold those under `Elsewhere`.
std::vector<LostField> notExpressed(const Plan &P, std::string_view Framework, const Record &Options,
                                    std::span<const std::string_view> Elsewhere, Evaluator &E);

/// The fields of a Plan that the options of its own framework do not give back; none where it has no options.
std::vector<LostField> notExpressed(const Plan &P, Evaluator &E);

/// Whether the framework that a job is for has options that give the values of fields back.
bool expressible(const Plan &P, std::span<const FieldChange> Fields, Evaluator &E);

/// The same job for another framework: fields that were left to their defaults take those of the new target. Empty when
/// it cannot be resolved.
std::optional<Plan> retarget(const Plan &P, std::string_view Framework, Evaluator &E);

/// The name of an option in the framework's files.
inline std::string_view keyOf(const FieldDecl &F) { return F.Spelling.empty() ? F.Name : F.Spelling; }

/// An option as a command takes it: `--num-layers`.
std::string asFlag(std::string_view Option);

/// Whether a name is that of a variable of the environment, which stands apart from the options of a command.
bool isVariableName(std::string_view Key);
inline bool isVariable(const FieldDecl &F) { return isVariableName(keyOf(F)); }

/// A value as a framework's file says it: without quotes and units.
std::string fileText(const Value &V, const FieldDecl &F);

/// An option that two Plans of one framework write differently.
struct OptionChange {
  std::string Path; ///< "zero_optimization.stage"
  const FieldDecl *Option = nullptr;
  Origin Before; ///< where it was written, if it was
  Value After;   ///< absent: not written any more
};
std::vector<OptionChange> optionChanges(const Plan &Before, const Plan &After, Evaluator &E);

/// A copy of a Plan whose own block of options is filled in from its fields, for rules on options.
Plan withOptions(const Plan &P, Evaluator &E);

} // namespace parlance
