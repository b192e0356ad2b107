#include "Basic/Text.h"
#include "Report/LiveReport.h"
#include "report/Page.h"
#include <llvm/Support/Base64.h>
#include <llvm/Support/SHA256.h>

namespace parlance {

/// The source of a style or script as a content security policy names it: no other text runs.
static std::string hashOf(std::string_view Text) {
  auto Hash = llvm::SHA256::hash(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(Text.data()), Text.size()));
  return "'sha256-" + llvm::encodeBase64(Hash) + "'";
}

/// JSON that no HTML parser takes for markup: `<` stands in strings only.
static std::string inScript(const std::string &Json) {
  std::string Out;
  Out.reserve(Json.size());
  for (char C : Json) {
    if (C == '<')
      Out += "\\u003c";
    else
      Out += C;
  }
  return Out;
}

std::string reportPage(const ReportInput &In) {
  const std::string Script = fmt::format("\"use strict\";\n(() => {{\n{}}})();\n", page::Script);
  const std::pair<std::string_view, std::string> Parts[] = {{"{{style-hash}}", hashOf(page::Style)},
                                                            {"{{script-hash}}", hashOf(Script)},
                                                            {"{{style}}", std::string(page::Style)},
                                                            {"{{data}}", inScript(reportJson(In))},
                                                            {"{{script}}", Script}};
  return fillMarks(page::Html, Parts);
}

} // namespace parlance
