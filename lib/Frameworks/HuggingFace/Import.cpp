#include "Frameworks/HuggingFace/Import.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Frameworks/HuggingFace/ConfigReader.h"
#include <optional>

namespace parlance {

using namespace huggingface;

namespace {

/// Finds the object that holds the shape, and its family.
class ConfigFinder {
public:
  ConfigFinder(const ConfigValue &Root, DiagnosticEngine &Diags) : Root(Root), Diags(Diags) {}
  /// Null after an error.
  const Family *find(Config &C);

private:
  bool findFamilyName(Config &C);
  const ConfigValue *nested() const;
  const ConfigValue *modelType(const ConfigValue &Object) const;
  void reportNoType();
  void reportFamily(const Config &C);
  void warnTextOnly() const;

  const ConfigValue &Root;
  DiagnosticEngine &Diags;
  std::string Name;
};

const Family *ConfigFinder::find(Config &C) {
  if (!findFamilyName(C))
    return nullptr;
  const Family *F = familyNamed(Name);
  if (!F)
    reportFamily(C);
  else if (C.Outside)
    warnTextOnly();
  return F;
}

/// The text model inside a multimodal one; families have called it by several names.
const ConfigValue *ConfigFinder::nested() const {
  for (std::string_view Key : {"text_config", "llm_config", "language_config"})
    if (const ConfigValue *V = Root.find(Key); V && V->isObject())
      return V;
  return nullptr;
}

const ConfigValue *ConfigFinder::modelType(const ConfigValue &Object) const {
  const ConfigValue *V = Object.find("model_type");
  return V && V->K == ConfigValue::Kind::String && !V->Text.empty() ? V : nullptr;
}

bool ConfigFinder::findFamilyName(Config &C) {
  if (!Root.isObject()) {
    Diags.report(diag::NotAModelConfig, {Root.Range.File, Root.Range.Begin, Root.Range.Begin + 1},
                 fmt::format("it is {}, not an object", Root.kindName()));
    return false;
  }
  C.Shape = &Root;
  const ConfigValue *Type = modelType(Root);
  if (const ConfigValue *Inner = nested()) {
    C.Shape = Inner;
    C.Outside = &Root;
    if (const ConfigValue *Own = modelType(*Inner)) {
      C.FamilyRange = Own->Range;
      Name = Own->Text;
      return true;
    }
    if (Type) {
      C.FamilyRange = Type->Range;
      Name = Type->Text + "_text";
      return true;
    }
  }
  if (!Type) {
    reportNoType();
    return false;
  }
  C.FamilyRange = Type->Range;
  Name = Type->Text;
  return true;
}

void ConfigFinder::reportNoType() {
  if (const ConfigValue *V = Root.find("model_type"); V && !V->isNull()) {
    Diags.report(diag::WrongJsonType, V->Range, "model_type", "the name of a family",
                 V->K == ConfigValue::Kind::String ? std::string("empty") : std::string(V->kindName()));
    return;
  }
  Diagnostic &D = Diags.report(diag::NotAModelConfig, {Root.Range.File, Root.Range.Begin, Root.Range.Begin + 1},
                               "it has no `model_type`");
  if (const ConfigValue *V = Root.find("architectures"); V && !V->Items.empty())
    D.Notes.push_back({V->Range, fmt::format("it names the class {} but not the family", V->Items[0].brief())});
}

void ConfigFinder::reportFamily(const Config &C) {
  const UnsupportedFamily *Known = unsupportedFamily(Name);
  Diagnostic &D =
      Diags.report(diag::UnsupportedFamily, C.FamilyRange, Name, Known ? fmt::format(": {}", Known->Why) : "");
  if (Known) {
    for (std::string_view Key : Known->Keys)
      if (const ConfigValue *V = C.Shape->find(Key); V && !Key.empty() && !V->isNull()) {
        D.Notes.push_back({V->KeyRange, fmt::format("see `{}`", Key)});
        break;
      }
  }
  std::vector<std::string_view> Names;
  for (const Family &F : families())
    Names.push_back(F.Name);
  if (auto Near = Known ? std::nullopt : nearest(Name, Names))
    D.Fixes.push_back(
        {fmt::format("`{}`", *Near), Applicability::Maybe, {{C.FamilyRange, fmt::format("\"{}\"", *Near)}}, {}});
  D.Notes.push_back({{}, fmt::format("supported are {}", joinList(std::span<const std::string_view>(Names), "and"))});
  D.Notes.push_back({{},
                     "the shape can be written by hand: `model NAME { layers = …, hidden = …, … "
                     "}`, or `params` alone"});
}

void ConfigFinder::warnTextOnly() const {
  const ConfigValue *Type = modelType(Root);
  const std::string Outer = Type ? Type->Text : Name;
  for (std::string_view Key : {"vision_config", "audio_config"})
    if (const ConfigValue *V = Root.find(Key); V && !V->isNull()) {
      Diags.report(diag::TextModelOnly, V->KeyRange, Outer, fmt::format("`{}` is left out", Key));
      return;
    }
  Diags.report(diag::TextModelOnly, nested()->KeyRange, Outer, "what surrounds it is left out");
}

} // namespace

const Record *HuggingFaceImporter::operator()(const SchemaDecl &Schema, const std::string &Path, std::string_view Name,
                                              SourceRange At) {
  if (Schema.Name != "model") {
    Diags.report(diag::ImportFailed, At, Path,
                 fmt::format("a `{}` cannot be read from a Hugging Face config", Schema.Name));
    return nullptr;
  }
  SourceManager::ReadError Error;
  const auto File = Sources.openNamed(Path, At, Error);
  if (!File) {
    Diags.report(diag::ImportFailed, At, Path, Error.Reason);
    return nullptr;
  }
  if (auto It = Read.find(*File); It != Read.end())
    return It->second;
  return Read[*File] = read(Schema, *File, Name);
}

const Record *HuggingFaceImporter::read(const SchemaDecl &Schema, uint32_t File, std::string_view Name) {
  const auto Root = parseJson(File, Sources.file(File).text(), Diags);
  if (!Root)
    return nullptr;
  Config C;
  const Family *F = ConfigFinder(*Root, Diags).find(C);
  return F ? ConfigReader(*F, C, Schema, Owner, Diags).read(Owner.keep(std::string(Name))) : nullptr;
}

} // namespace parlance
