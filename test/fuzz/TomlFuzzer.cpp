// Any bytes as TOML.
#include "Config/Toml.h"
#include "ConfigFuzzer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  parlance::fuzzConfig("train.toml", Data, Size, parlance::parseToml);
  return 0;
}
