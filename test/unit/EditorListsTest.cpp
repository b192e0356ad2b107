// What stands in files that no compiler reads: endings and targets of editors and hooks are those of the program.
#include "Frameworks/Job/FileKind.h"
#include "Frameworks/Lower/Lower.h"
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>

using namespace parlance;

namespace {

std::string textOf(const std::string &Path) {
  std::ifstream In(PARLANCE_SOURCE_DIR "/" + Path);
  return {std::istreambuf_iterator<char>(In), {}};
}

/// The words in the first match of an expression.
std::set<std::string> wordsIn(const std::string &Path, const char *Expression) {
  std::string Text = textOf(Path);
  std::smatch Found;
  std::set<std::string> Words;
  if (!std::regex_search(Text, Found, std::regex(Expression)))
    return Words;
  std::string List = Found[1];
  static const std::regex Word("\\w+");
  for (std::sregex_iterator It(List.begin(), List.end(), Word), End; It != End; ++It)
    Words.insert(It->str());
  return Words;
}

std::set<std::string> endings() {
  std::set<std::string> Result;
  for (std::string_view Ending : knownEndings())
    Result.emplace(Ending);
  return Result;
}

TEST(EditorLists, EndingsOfVsCode) {
  std::set<std::string> Expected = endings();
  Expected.erase("parl"); // a language of its own there
  EXPECT_EQ(wordsIn("tools/editors/vscode/src/selector.ts", R"(\*\*/\*\.\{([^}]*)\})"), Expected);
}

TEST(EditorLists, EndingsOfTheHook) {
  std::string Hook = textOf(".pre-commit-hooks.yaml");
  std::smatch Found;
  ASSERT_TRUE(std::regex_search(Hook, Found, std::regex(R"(files: (\S+))")));
  std::regex Files(Found[1].str());
  for (const std::string &Ending : endings())
    EXPECT_TRUE(std::regex_search("a." + Ending, Files)) << Ending;
  EXPECT_FALSE(std::regex_search(std::string("a.py"), Files));
}

TEST(EditorLists, Targets) {
  std::set<std::string> Expected;
  for (const Framework *F : frameworks())
    if (F->Write && textOf("lib/std/schema.parl").find(F->Name) != std::string::npos)
      Expected.emplace(F->Name);
  EXPECT_EQ(wordsIn("tools/editors/vscode/src/parlance.ts", R"(TARGETS = \[([^\]]*)\])"), Expected);
  EXPECT_EQ(wordsIn("tools/editors/vscode/snippets/parlance.json", R"(target = \$\{12\|([^|]*)\|)"), Expected);
}

/// Every framework is named in what `check` says that it reads.
TEST(EditorLists, HelpOfCheck) {
  std::string Help = textOf("tools/parlance/Check.cpp");
  for (const Framework *F : frameworks())
    if (F->Name != "foundry") {
      EXPECT_NE(Help.find(F->Title), std::string::npos) << F->Title;
    }
}

} // namespace
