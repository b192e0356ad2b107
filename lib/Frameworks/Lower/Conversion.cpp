#include "Frameworks/Lower/Conversion.h"
#include "Plan/Options.h"
#include <algorithm>
#include <set>

namespace parlance {

namespace {

std::string written(const LoweredOption &O, bool Flags) {
  if (O.Value.empty())
    return O.Name;
  return fmt::format("{}{}{}", O.Name, Flags ? " " : " = ", O.Value);
}

/// The fields that an option means, by itself or by what it comes to.
std::vector<std::string_view> fieldsOf(const Framework &F, const LoweredOption &O, const Library &Lib) {
  std::vector<std::string_view> Fields = fieldsMeant(Lib, F.Name, O.Path, *O.Option);
  const SchemaDecl &Schema = *optionsBlock(Lib, F.Name).Schema;
  for (const Fact &Of : F.Facts)
    if (Of.Of == O.Path)
      for (std::string_view Field : fieldsMeant(Lib, F.Name, Of.Name, Schema.Fields[Schema.find(Of.Name)]))
        Fields.push_back(Field);
  return Fields;
}

/// The options of the target that mean one of some fields.
std::vector<const LoweredOption *> meaning(const std::vector<std::string_view> &Fields, const Framework &Target,
                                           const Lowering &Lowered, const Library &Lib) {
  std::vector<const LoweredOption *> Result;
  for (const LoweredOption &O : Lowered.Options)
    for (std::string_view Field : fieldsOf(Target, O, Lib))
      if (std::ranges::find(Fields, Field) != Fields.end()) {
        Result.push_back(&O);
        break;
      }
  return Result;
}

bool isNumber(std::string_view Text) {
  return !Text.empty() && Text.find_first_not_of("0123456789") == std::string_view::npos;
}

struct Section {
  std::string_view Title;
  std::vector<std::pair<std::string, std::string>> Rows;
  void print(std::string &Out) const {
    if (Rows.empty())
      return;
    Out += fmt::format("{}\n", Title);
    size_t Width = 0;
    for (const auto &[From, To] : Rows)
      Width = std::max(Width, std::min<size_t>(From.size(), 48));
    for (const auto &[From, To] : Rows)
      Out += To.empty() ? fmt::format("  {}\n", From) : fmt::format("  {:<{}}  {}\n", From, Width, To);
  }
};

} // namespace

std::string conversionReport(const Plan &P, std::string_view Target, const Lowering &Lowered, Evaluator &E) {
  Section Carried{"carried over", {}}, Changed{"said differently", {}}, Default{"the target's default", {}},
      Lost{"not carried over: no field of a job means it", {}};
  if (!P.Foreign)
    return {};
  const Framework &To = *frameworkNamed(Target);
  for (const FieldDecl &Block : P.Job->Schema->Fields) {
    const Framework *From = Block.Optional ? frameworkNamed(Block.Name) : nullptr;
    const Record *Options = From ? P.Job->rec(static_cast<unsigned>(&Block - P.Job->Schema->Fields.data())) : nullptr;
    if (!Options || Block.Name == Target)
      continue;
    for (const LoweredOption &O : optionList(*From, *Options)) {
      if (O.From.K != Origin::Kind::Given)
        continue;
      std::string Was = written(O, From->flags());
      auto Fields = fieldsOf(*From, O, E.Lib);
      if (Fields.empty()) {
        Lost.Rows.emplace_back(std::move(Was), "");
        continue;
      }
      std::string Is;
      bool Differs = false;
      for (const LoweredOption *New : meaning(Fields, To, Lowered, E.Lib)) {
        Is += (Is.empty() ? "" : ", ") + written(*New, To.flags());
        Differs |= isNumber(O.Value) && isNumber(New->Value) && O.Value != New->Value;
      }
      std::string Field = fmt::format("({})", Fields.front());
      if (Is.empty())
        Default.Rows.emplace_back(std::move(Was), std::move(Field));
      else
        (Differs ? Changed : Carried).Rows.emplace_back(std::move(Was), std::move(Is));
    }
  }
  std::string Out;
  for (const Section *S : {&Carried, &Changed, &Default, &Lost})
    S->print(Out);
  return Out;
}

} // namespace parlance
