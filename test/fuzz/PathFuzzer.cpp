// Any path in `use` and `import`: whatever is read, nothing of what lies outside is shown, and nothing of a
// repository's own folder is read.
#include "Analysis/Analyzer.h"
#include "Frameworks/HuggingFace/Import.h"
#include "Render/Render.h"
#include "std/Std.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace parlance;
namespace fs = std::filesystem;

static constexpr std::string_view Secret = "CANARY";

static void put(const fs::path &Path, std::string_view Text) {
  fs::create_directories(Path.parent_path());
  std::ofstream(Path) << Text;
}

/// A repository with a link out of it beside files that hold the secret; the working folder is in it.
static fs::path makePlaces() {
  const fs::path Top = fs::temp_directory_path() / "parlance-path-fuzzer";
  fs::remove_all(Top);
  for (const char *Name : {"r/.git/c", "r/.git/c.parl", "r/.git/c.json", "o", "o.parl", "o.json", "d/o.json"})
    put(Top / Name, R"({"CANARY": "CANARY", "hidden_size": "CANARY"})");
  put(Top / "u.parl", "layout CANARY { tp = CANARY }\nlet a = 3\n");
  fs::create_symlink(Top / "o.parl", Top / "r/l.parl");
  fs::create_symlink(Top, Top / "r/t");
  fs::create_symlink(Top / "r/.git", Top / "r/g");
  fs::current_path(Top / "r");
  return Top / "r";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static const fs::path Root = makePlaces();
  std::string Path(reinterpret_cast<const char *>(Data), Size);
  std::erase_if(Path, [](char C) { return C == '"' || C == '\\' || C == '\n' || C == '\r'; });
  auto Access = std::make_shared<FileAccess>();
  Access->name((Root / "a.parl").string());
  SourceManager Sources;
  Sources.setAccess(Access);
  DiagnosticEngine Diags;
  const uint32_t File =
      Sources.openAs("a.parl", "use \"" + Path + "\"\nmodel m = import \"" + Path + "\"\nlet b = aa\n");
  HuggingFaceImporter Importer(Sources, Diags);
  Program Files(Sources, standardLibrary(), Diags);
  Evaluator Values(Sources, standardLibrary(), Diags, std::ref(Importer));
  LibraryTrees Trees(Sources, standardLibrary());
  Files.add(File);
  Analyzer(Files, Values, Trees).run();
  auto Found = Diags.take();
  hideOutside(Found, Sources);
  const std::string Shown = renderText(Found, Sources, {}) + renderJson(Found, Sources);
  if (Path.find(Secret) == std::string::npos && Shown.find(Secret) != std::string::npos)
    std::abort();
  for (const std::string &Read : Sources.paths())
    if (Read.find("/r/.git/") != std::string::npos && fs::exists(Read))
      std::abort();
  return 0;
}
