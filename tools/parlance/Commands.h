// The subcommands: each takes the words behind its name and returns the exit status.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace parlance {

enum ExitStatus { Clean = 0, Findings = 1, Unusable = 2 };

int check(std::span<const std::string> Words);
int estimate(std::span<const std::string> Words);
int report(std::span<const std::string> Words);
int import(std::span<const std::string> Words);
int lower(std::span<const std::string> Words);
int formatFiles(std::span<const std::string> Words);
int explain(std::span<const std::string> Words);
int schema(std::span<const std::string> Words);
int languageServer(std::span<const std::string> Words);

/// "0.1.0"
std::string version();
enum class Stream { Out, Err };
/// Whether text is coloured: `always`, `never`, or `auto` (a terminal, and NO_COLOR is not set).
bool useColor(const std::string &Mode, Stream To = Stream::Err);
/// Columns for pages on stdout: those of the terminal, at most 100.
unsigned outputWidth();
/// Writes all of a text to stdout; false when that fails (a full disk, a closed pipe).
bool writeOut(const std::string &Text);

} // namespace parlance
