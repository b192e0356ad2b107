#include "Arguments.h"
#include "Commands.h"
#include "Server/Server.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

namespace parlance {

static constexpr std::string_view Help = R"(usage: parlance lsp [--lit-test]

The language server: speaks the Language Server Protocol over standard input and output. Editors start it; see
docs/editors.md.

  --lit-test  messages stand between lines `// -----`, and replies are printed over several lines (for tests)

exit status: 0 after `shutdown` and `exit`, 1 when the client went away without
)";

int languageServer(std::span<const std::string> Words) {
  static const OptionSpec Options[] = {{"--lit-test", {}, true}, {"--stdio", {}, true}, {"--help", {}, true}};
  auto Args = parseArguments(Words, Options, "lsp");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(std::string(Help)) ? Clean : Unusable;
  if (!Args->Files.empty()) {
    fmt::print(stderr, "parlance: error: `lsp` takes no files\n");
    return Unusable;
  }
  return server::serve(STDIN_FILENO, llvm::outs(), {version(), Args->has("--lit-test")});
}

} // namespace parlance
