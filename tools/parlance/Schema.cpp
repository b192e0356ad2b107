#include "Arguments.h"
#include "Commands.h"
#include "Report/Pages.h"
#include "std/Std.h"
#include <fmt/format.h>

namespace parlance {

int schema(std::span<const std::string> Words) {
  static const OptionSpec Options[] = {{"--help", {}, true}};
  auto Args = parseArguments(Words, Options, "schema");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut("usage: parlance schema\n\nPrints blocks, fields, units, library records, "
                    "formulas and rules as "
                    "JSON.\n\n  parlance schema | jq '.blocks[] | select(.name == "
                    "\"layout\").fields[].name'\n")
               ? Clean
               : Unusable;
  if (!Args->Files.empty()) {
    fmt::print(stderr, "parlance: error: `schema` takes no files\n");
    return Unusable;
  }
  return writeOut(schemaJson(standardLibrary())) ? Clean : Unusable;
}

} // namespace parlance
