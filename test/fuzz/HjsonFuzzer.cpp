// Any bytes as Hjson and as a template of JSON.
#include "Config/Json.h"
#include "ConfigFuzzer.h"

using namespace parlance;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  for (JsonDialect Dialect : {JsonDialect::Template, JsonDialect::Hjson})
    fuzzConfig("ds_config.json", Data, Size, [&](uint32_t File, std::string_view Text, DiagnosticEngine &Diags) {
      return parseJson(File, Text, Diags, Dialect);
    });
  return 0;
}
