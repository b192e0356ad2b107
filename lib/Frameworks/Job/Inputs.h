// Files that are of no one framework: scripts, lists of words, and the configurations of models.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance {

/// A launch script: the commands in it decide.
extern const FileKind LaunchScriptFile;
/// A JSON array of the words of a command line, or an object that holds one.
extern const FileKind CommandFile;
/// A model's config.json.
extern const FileKind ModelFile;

/// Reads the first command of a script that trains. A script that starts no training program is reported.
void readLaunchScript(JobSink &Job, const FileInput &In);

} // namespace parlance
