// Any bytes as YAML.
#include "Config/Yaml.h"
#include "ConfigFuzzer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  parlance::fuzzConfig("config.yaml", Data, Size, parlance::parseYaml);
  return 0;
}
