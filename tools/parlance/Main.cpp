// The driver: finds the subcommand. One file per subcommand, no logic of its own.
#include "Basic/Text.h"
#include "Commands.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace parlance {
namespace {

constexpr std::string_view Help =
    R"(parlance checks parallel training configs before they are launched.

usage: parlance COMMAND ...

  check FILE...              everything that is wrong, with numbers, derivations and fixes
  estimate FILE              memory per stage, communication, step time, MFU
  report FILE -o PAGE.html   the same as a page with pictures and derivations
  import FILE...             a framework's own files as a .parl file
  lower FILE... --to TARGET  the files that launch a job
  fmt FILE...                the canonical form of .parl files
  explain CODE               the page of a diagnostic (PL2003 or tp-divides-heads); words find pages
  explain FILE:LINE[:COL]    how the violation or value there came about
  schema                     blocks, fields, units, formulas and rules as JSON
  lsp                        the language server that editors start
  --version, --help

  parlance check train.parl
  parlance estimate train.parl --json
  parlance explain train.parl:31:13

`parlance COMMAND --help` tells more.
)";

struct Command {
  std::string_view Name;
  int (*Run)(std::span<const std::string>);
};
constexpr Command Commands[] = {{"check", check},     {"estimate", estimate}, {"report", report},
                                {"import", import},   {"lower", lower},       {"fmt", formatFiles},
                                {"explain", explain}, {"schema", schema},     {"lsp", languageServer}};

int run(std::span<const std::string> Words) {
  if (Words.empty()) {
    fmt::print(stderr, "{}", Help);
    return Unusable;
  }
  if (Words[0] == "--help" || Words[0] == "-h" || Words[0] == "help")
    return writeOut(std::string(Help)) ? Clean : Unusable;
  if (Words[0] == "--version")
    return writeOut(fmt::format("parlance {}\n", version())) ? Clean : Unusable;
  std::vector<std::string_view> Names;
  for (const Command &C : Commands) {
    if (C.Name == Words[0])
      return C.Run(Words.subspan(1));
    Names.push_back(C.Name);
  }
  auto Near = nearest(Words[0], Names);
  fmt::print(stderr, "parlance: error: unknown command `{}`{}; see `parlance --help`\n", Words[0],
             Near ? fmt::format(", did you mean `{}`", *Near) : "");
  return Unusable;
}

} // namespace

bool useColor(const std::string &Mode, Stream To) {
  if (Mode != "auto")
    return Mode == "always";
  const char *Term = std::getenv("TERM");
  return isatty(To == Stream::Out ? STDOUT_FILENO : STDERR_FILENO) && !std::getenv("NO_COLOR") && Term &&
         std::string_view(Term) != "dumb";
}

unsigned outputWidth() {
  constexpr unsigned Widest = 100, Narrowest = 20;
  winsize Size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) != 0 || Size.ws_col == 0)
    return Widest;
  return std::clamp<unsigned>(Size.ws_col, Narrowest, Widest);
}

bool writeOut(const std::string &Text) {
  if (std::fwrite(Text.data(), 1, Text.size(), stdout) == Text.size() && std::fflush(stdout) == 0)
    return true;
  fmt::print(stderr, "parlance: error: cannot write to standard output\n");
  return false;
}

} // namespace parlance

int main(int Count, char **Words) {
  try {
    std::vector<std::string> Arguments(Words + 1, Words + Count);
    int Status = parlance::run(Arguments);
    std::fflush(nullptr);
    // The system takes everything back at once; destructors of tables and trees would take a tenth of a check.
    std::_Exit(Status);
  } catch (const std::exception &E) {
    fmt::print(stderr, "parlance: fault of the tool: {}\n", E.what());
    return parlance::Unusable;
  }
}
