#include "Arguments.h"
#include "Basic/Diagnostics.h"
#include "Basic/Diff.h"
#include "Check/Access.h"
#include "Check/FileWalk.h"
#include "Check/Session.h"
#include "Commands.h"
#include "OutputFiles.h"
#include "Render/Render.h"
#include "Syntax/Format.h"
#include "std/Std.h"
#include <filesystem>
#include <set>
#include <unistd.h>

namespace parlance {

namespace {

constexpr std::string_view Help = R"(usage: parlance fmt FILE... [options]

Brings .parl files into their one canonical form and prints the names of those that it changed. A directory is walked for
*.parl; `-` reads standard input and writes standard output. Comments, texts and the meaning of a file stay; a file with
syntax errors is not touched.

  --check                   change nothing, print the names of files that would change
  --diff                    change nothing, print what would change as a unified diff
  --color auto|always|never

exit status: 0 done, or nothing to do; 1 a syntax error, or with --check or --diff a file that would change;
             2 unusable arguments or input

  parlance fmt train.parl configs/
  parlance fmt --check configs/
)";

const OptionSpec Options[] = {
    {"--check", {}, true}, {"--diff", {}, true}, {"--color", {"auto", "always", "never"}}, {"--help", {}, true}};

constexpr const char *ByteOrderMark = "\xEF\xBB\xBF";

/// Whether standard input begins with a byte order mark, which its text is without. Not known of a pipe, which was read
/// already.
bool inputHasMark() {
  char Bytes[3];
  return ::pread(STDIN_FILENO, Bytes, sizeof Bytes, 0) == sizeof Bytes &&
         std::string_view(Bytes, sizeof Bytes) == ByteOrderMark;
}

/// Other files would often parse, and come out as something else.
bool isOurs(std::string_view Path) { return Path.ends_with(".parl"); }

class Formatter {
public:
  explicit Formatter(const Arguments &Args)
      : Check(Args.has("--check")), Diff(Args.has("--diff")), Color(useColor(Args.get("--color", "auto"))) {
    Sources.setAccess(accessFor({Args.Files, {}, false}, Sources, Diags));
  }

  void file(const std::string &Path) {
    auto File = openFile(Path, Sources, Diags);
    if (!File)
      return raise(Unusable);
    if (!Seen.insert(*File).second)
      return;
    auto Formatted = format(Sources, *File, standardLibrary().Units, Diags);
    if (!Formatted)
      return raise(Findings);
    bool Changed = *Formatted != Sources.file(*File).text();
    if (Check || Diff) {
      if (Changed)
        show(*File, *Formatted);
      return;
    }
    bool Input = Sources.file(*File).name() == "<stdin>";
    if (!Input && !Changed)
      return;
    bool Written = Input ? writeOut((inputHasMark() ? ByteOrderMark : "") + *Formatted)
                         : rewriteFiles({{Path, *Formatted}}) && writeOut(Path + "\n");
    if (!Written)
      raise(Unusable);
  }

  void unreadable(const std::string &Path, const std::string &Reason) {
    Diags.report(diag::Unreadable, {}, Path, Reason);
    raise(Unusable);
  }

  /// Prints what was found and returns the exit status.
  int finish() {
    RenderOptions Render;
    Render.Color = Color;
    Render.SuppressedErrors = Diags.suppressedErrors();
    if (!Diags.empty())
      fmt::print(stderr, "{}", renderText(Diags.take(), Sources, Render));
    return Status;
  }

private:
  void raise(int Least) { Status = std::max(Status, Least); }
  void show(uint32_t File, const std::string &Formatted) {
    raise(Findings);
    const SourceFile &S = Sources.file(File);
    std::string Text = Diff ? unifiedDiff("a/" + S.name(), "b/" + S.name(), S.text(), Formatted) : S.name() + "\n";
    if (!writeOut(Text))
      raise(Unusable);
  }

  bool Check, Diff, Color;
  SourceManager Sources;
  DiagnosticEngine Diags;
  std::set<uint32_t> Seen; ///< files that were given before, perhaps by another name
  int Status = Clean;
};

} // namespace

int formatFiles(std::span<const std::string> Words) {
  auto Args = parseArguments(Words, Options, "fmt");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(std::string(Help)) ? Clean : Unusable;
  if (Args->Files.empty()) {
    fmt::print(stderr, "parlance: error: no file to format\n\n{}", Help);
    return Unusable;
  }
  Formatter F(*Args);
  for (const std::string &Word : Args->Files) {
    std::error_code Error;
    if (!std::filesystem::is_directory(Word, Error)) {
      if (Word == "-" || isOurs(Word))
        F.file(Word);
      else
        F.unreadable(Word, "is not a .parl file");
      continue;
    }
    std::vector<std::string> Found = walkFolder(Word);
    std::erase_if(Found, [](const std::string &File) { return !isOurs(File); });
    if (Found.empty())
      F.unreadable(Word, "is a directory without .parl files");
    for (const std::string &File : Found)
      F.file(File);
  }
  return F.finish();
}

} // namespace parlance
