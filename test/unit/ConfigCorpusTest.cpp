// Real configs of the frameworks, where the collection is there: every file is read, or refused for the reason it
// should be.
#include "Config/ConfigWriter.h"
#include "Config/Json.h"
#include "Config/Toml.h"
#include "Config/Yaml.h"
#include "ConfigSupport.h"
#include <filesystem>

using namespace parlance;

namespace {

void checkPlaces(const ConfigValue &V, size_t Size) {
  EXPECT_LE(V.Range.Begin, V.Range.End);
  EXPECT_LE(V.Range.End, Size);
  for (const ConfigValue &Item : V.Items) {
    if (V.isObject())
      EXPECT_LT(Item.KeyRange.Begin, Item.KeyRange.End);
    checkPlaces(Item, Size);
  }
}

size_t placeholders(const ConfigValue &V) {
  size_t Count = V.isSymbolic();
  for (const ConfigValue &Item : V.Items)
    Count += placeholders(Item);
  return Count;
}

TEST(ConfigCorpus, EveryFileIsReadOrRefusedForAReason) {
  const std::filesystem::path Folder = PARLANCE_SOURCE_DIR "/../shared/corpus";
  if (!std::filesystem::exists(Folder))
    GTEST_SKIP() << "no ../shared";
  size_t Files = 0, Templates = 0, SecondDocuments = 0;
  for (const auto &Entry : std::filesystem::recursive_directory_iterator(Folder)) {
    const std::string Kind = Entry.path().extension();
    if (Kind != ".json" && Kind != ".toml" && Kind != ".yaml" && Kind != ".yml")
      continue;
    SCOPED_TRACE(Entry.path().string());
    SourceManager Sources;
    SourceManager::ReadError Error;
    const auto File = Sources.open(Entry.path(), Error);
    ASSERT_TRUE(File) << Error.Reason;
    DiagnosticEngine Diags;
    const std::string_view Text = Sources.file(*File).text();
    const auto Root = Kind == ".json"   ? parseJson(*File, Text, Diags, JsonDialect::Template)
                      : Kind == ".toml" ? parseToml(*File, Text, Diags)
                                        : parseYaml(*File, Text, Diags);
    ++Files;
    if (Root) {
      checkPlaces(*Root, Text.size());
      Templates += Kind == ".json" && placeholders(*Root) > 0;
      EXPECT_EQ(Diags.errors(), 0u);
      continue;
    }
    const auto Said = Diags.take();
    ASSERT_EQ(Said.size(), 1u);
    EXPECT_TRUE(Said[0].Range);
    EXPECT_NE(Said[0].Message.find("a second document begins here"), std::string::npos) << Said[0].Message;
    ++SecondDocuments;
  }
  EXPECT_GT(Files, 200u);
  EXPECT_EQ(Templates, 8u);
  EXPECT_EQ(SecondDocuments, 3u); // manifests of Kubernetes, which safe_load refuses too
}

} // namespace
