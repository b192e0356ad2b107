// Models from the config.json files of the Hugging Face hub: `model NAME = import "config.json"`.
#pragma once
#include "Basic/Source.h"
#include "Frameworks/HuggingFace/Store.h"
#include <map>

namespace parlance {

/// Reads files into records of schema `model`, which it owns. Use as a RecordImporter through std::ref.
///
/// Values come with the place in the JSON that gives them, or with the `model_type` that stands for a default of the
/// family, so that what is found later points into the file. A file is read, and its mistakes are reported, once.
class HuggingFaceImporter {
public:
  HuggingFaceImporter(SourceManager &Sources, DiagnosticEngine &Diags) : Sources(Sources), Diags(Diags) {}
  HuggingFaceImporter(const HuggingFaceImporter &) = delete; // records point at each other
  HuggingFaceImporter &operator=(const HuggingFaceImporter &) = delete;

  /// Null after an error. `At` is the place of the import.
  const Record *operator()(const SchemaDecl &Schema, const std::string &Path, std::string_view Name, SourceRange At);
  /// The same for a text that has been opened, read anew each time.
  const Record *read(const SchemaDecl &Schema, uint32_t File, std::string_view Name);

private:
  SourceManager &Sources;
  DiagnosticEngine &Diags;
  huggingface::Store Owner;
  std::map<uint32_t, const Record *> Read; ///< by file; null for one with errors
};

} // namespace parlance
