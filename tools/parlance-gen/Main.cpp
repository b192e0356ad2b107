// parlance-gen compiles the standard library.
//
//     parlance-gen --cpp OUTDIR FILE...   writes OUTDIR/std/Std*.{h,cpp}
//     parlance-gen --docs DOCDIR FILE...  writes the pages that are made from it
#include "Emitter.h"
#include "Eval/LibraryBuilder.h"
#include "Render/Render.h"
#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace parlance;
namespace fs = std::filesystem;

static bool writeFile(const fs::path &Path, const std::string &Text) {
  std::error_code Error;
  fs::create_directories(Path.parent_path(), Error);
  std::ofstream Out(Path, std::ios::binary);
  Out << Text;
  if (!Out.flush())
    fmt::print(stderr, "parlance-gen: cannot write {}\n", Path.string());
  return Out.good();
}

int main(int Count, char **Words) {
  std::vector<std::string> Arguments(Words + 1, Words + Count);
  if (Arguments.size() < 3 || (Arguments[0] != "--cpp" && Arguments[0] != "--docs")) {
    fmt::print(stderr, "usage: parlance-gen --cpp OUTDIR FILE... | --docs DOCDIR FILE...\n");
    return 2;
  }
  SourceManager Sources;
  DiagnosticEngine Diags;
  LibraryBuilder Builder(Sources, Diags);
  bool Ok = Builder.build({Arguments.begin() + 2, Arguments.end()});
  auto Found = Diags.take();
  if (!Found.empty())
    fmt::print(stderr, "{}", renderText(Found, Sources, {}));
  if (!Ok)
    return 1;
  bool Cpp = Arguments[0] == "--cpp";
  auto Files = Cpp ? Emitter(Builder.library()).files() : documentation(Builder.library());
  if (Cpp)
    Files.merge(sources(Sources));
  fs::path Folder = Cpp ? fs::path(Arguments[1]) / "std" : fs::path(Arguments[1]);
  for (const auto &[Name, Text] : Files)
    if (!writeFile(Folder / Name, Text))
      return 1;
  return 0;
}
