// Sections and options of torchtitan's older job files. Internal to the reader.
#pragma once
#include "Frameworks/Torchtitan/Read.h"

namespace parlance::torchtitan {

/// Moves what versions from 2024-02 on had elsewhere to its place in v0.2.2, and takes out what is gone, with a warning
/// for each, and for a file the edit that moves it. Names that changed within a section are in the schema.
void modernise(ConfigValue &Tree, const Framework &F, const SourceManager &Sources, DiagnosticEngine &Diags);

/// The value at a path ("training.seq_len"); null when there is none.
ConfigValue *valueAt(ConfigValue &Tree, std::string_view Path);

/// Puts a value at a path, with the sections on the way there; one that is there stays.
void putAt(ConfigValue &Tree, std::string_view Path, ConfigValue V);

} // namespace parlance::torchtitan
