// What the server finds after any edits is what `check` finds in the same text.
#include "Server/CodeActions.h"
#include "Server/Completion.h"
#include "Server/Diagnostics.h"
#include "Server/Hints.h"
#include "Server/Hover.h"
#include "Server/Navigation.h"
#include "Server/Outline.h"
#include "Server/SemanticTokens.h"
#include "std/Std.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

using namespace parlance;
using namespace parlance::server;

namespace {

namespace fs = std::filesystem;

std::string contents(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}

/// A folder that is gone after the test.
struct Folder {
  Folder() {
    std::string Pattern = (fs::temp_directory_path() / "parlance-edit-XXXXXX").string();
    Path = mkdtemp(Pattern.data());
  }
  ~Folder() { fs::remove_all(Path); }
  void write(const std::string &Name, const std::string &Text) const {
    std::ofstream(Path + "/" + Name, std::ios::binary) << Text;
  }
  std::string Path;
};

lsp::URIForFile uri(const std::string &Path) {
  return llvm::cantFail(lsp::URIForFile::fromFile(Path));
}

void open(Workspace &W, const std::string &Path, const std::string &Text) {
  lsp::TextDocumentItem Item;
  Item.uri = uri(Path);
  Item.languageId = "parlance";
  Item.text = Text;
  Item.version = 1;
  W.open(Item);
}

std::string describe(const std::vector<Diagnostic> &Found, const SourceManager &Sources) {
  std::string Out;
  for (const Diagnostic &D : Found)
    Out += fmt::format("{} {} {}-{} {}\n", D.Code,
                       D.Range ? Sources.file(D.Range.File).name() : "nowhere", D.Range.Begin,
                       D.Range.End, D.Message);
  return Out;
}

/// What a run of `check` on the file on disk reports.
std::string checked(const std::string &Path) {
  Snapshot OnDisk(Path, [](const std::string &) { return nullptr; }, {});
  return describe(OnDisk.found(), OnDisk.Sources);
}

/// Every request at every place may be asked at any time.
void askEverything(Workspace &W, Document &D, LibraryFolder &Library, lsp::Position At) {
  Snapshot &S = W.snapshot(D);
  hover(S, At);
  completion(S, At, true);
  signatureHelp(S, At);
  definition(D, At, W, Library);
  references(D, At, true, W);
  highlights(D, At, W);
  documentSymbols(S);
  foldingRanges(S);
  selectionRanges(S, {&At, 1});
  semanticTokens(S, std::nullopt);
  inlayHints(S, {{0, 0}, {1 << 20, 0}});
  codeLenses(D, S);
  codeActions(D, {{D.Uri}, {At, At}, {}}, W);
  if (auto Renamed = rename(D, At, "fresh_name", W); !Renamed)
    llvm::consumeError(Renamed.takeError());
  diagnosticsOf(D.Key, W, Library);
}

class Edits {
public:
  explicit Edits(unsigned Seed) : Random(Seed) {}
  size_t below(size_t N) { return N ? Random() % N : 0; }
  lsp::TextDocumentContentChangeEvent next() {
    static constexpr std::string_view Pieces[] = {
        "8",   " ",     "\n", "}",    "{",    "=",        "tp = ", "\"",       "#",     "😀", "é",
        "(",   ")",     ",",  "auto", "GiB",  " tok/seq", ".",     "require ", "let ",  "\r", "\t",
        "if ", "9e999", "/",  "any",  "\xff", "\xe2\x82", ":",     "import",   "from ", "-"};
    lsp::TextDocumentContentChangeEvent Change;
    int Line = static_cast<int>(below(60)), Column = static_cast<int>(below(50));
    int Lines = below(12) == 0 ? static_cast<int>(below(3)) : 0;
    Change.range = lsp::Range({Line, Column}, {Line + Lines, Column + static_cast<int>(below(6))});
    for (size_t I = below(3); I > 0; --I)
      Change.text += Pieces[below(std::size(Pieces))];
    return Change;
  }

private:
  std::mt19937 Random;
};

const std::string Examples = PARLANCE_SOURCE_DIR "/docs/examples/";

class EditTest : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(EditTest, EqualsCheck) {
  Folder Here;
  std::string Name = fs::path(GetParam()).filename().string(), Path = Here.Path + "/" + Name;
  std::string Original = contents(GetParam());
  ASSERT_FALSE(Original.empty());
  setenv("XDG_CACHE_HOME", Here.Path.c_str(), 1);
  LibraryFolder Library("test");
  for (unsigned Seed = 1; Seed <= 12; ++Seed) {
    Edits Random(Seed);
    Workspace W;
    open(W, Path, Original);
    for (int Step = 0; Step < 40; ++Step) {
      auto Change = Random.next();
      ASSERT_TRUE(W.change(uri(Path), Step + 2, {&Change, 1}));
      Document &D = *W.find(uri(Path));
      Here.write(Name, D.Text);
      Snapshot &S = W.snapshot(D);
      ASSERT_EQ(describe(S.found(), S.Sources), checked(Path))
          << "seed " << Seed << ", step " << Step << "\n"
          << D.Text;
      if (Step % 5 == 0)
        askEverything(W, D, Library, Change.range->start);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, EditTest,
                         testing::Values(Examples + "llama3-70b.parl", Examples + "mixtral.parl",
                                         PARLANCE_SOURCE_DIR "/test/Server/Inputs/ds_config.json"),
                         [](const auto &Info) { return "File" + std::to_string(Info.index); });

TEST(ServerWorkspace, RechecksWhatUsesAFile) {
  Folder Here;
  std::string Team = Here.Path + "/team.parl", Job = Here.Path + "/job.parl",
              Other = Here.Path + "/other.parl";
  Here.write("team.parl", "let size = 1 GB\n");
  Workspace W;
  open(W, Job, "use \"./team.parl\"\nrequire size < 2 GB\n");
  open(W, Other, "let a = 1\n");
  auto Found = [&](const std::string &Path) {
    Snapshot &S = W.snapshot(*W.find(uri(Path)));
    return describe(S.found(), S.Sources);
  };
  EXPECT_EQ(Found(Job), "");
  EXPECT_EQ(Found(Other), "");
  open(W, Team, "let size = 3 GB\n");
  EXPECT_FALSE(W.find(uri(Job))->Latest) << "it uses the file";
  EXPECT_TRUE(W.find(uri(Other))->Latest) << "it does not";
  EXPECT_NE(Found(Job), "") << "the editor's text counts, not the disk's";
  W.close(uri(Team));
  EXPECT_EQ(Found(Job), "") << "now the disk's";
  Here.write("team.parl", "let size = 4 GB\n");
  W.fileChanged(Team);
  EXPECT_NE(Found(Job), "");
}

TEST(ServerWorkspace, NoticesAFileThatWasMissing) {
  Folder Here;
  std::string Job = Here.Path + "/job.parl";
  Workspace W;
  open(W, Job, "use \"./team.parl\"\nrequire size < 2 GB\n");
  EXPECT_FALSE(W.snapshot(*W.find(uri(Job))).found().empty());
  open(W, Here.Path + "/team.parl", "let size = 1 GB\n");
  EXPECT_TRUE(W.snapshot(*W.find(uri(Job))).found().empty());
}

TEST(ServerWorkspace, SaysWhyATextIsNone) {
  Folder Here;
  std::string Path = Here.Path + "/job.parl";
  Workspace W;
  open(W, Path, std::string("let a = \0", 9));
  Document &D = *W.find(uri(Path));
  Snapshot &S = W.snapshot(D);
  ASSERT_EQ(S.found().size(), 1u);
  EXPECT_EQ(S.found()[0].Code, "PL0080");
  LibraryFolder Library("test");
  askEverything(W, D, Library, {0, 3});
}

TEST(ServerWorkspace, SaysNothingOfFilesThatAreNobodys) {
  Folder Here;
  Workspace W;
  lsp::TextDocumentItem Item;
  Item.uri = uri(Here.Path + "/package.json");
  Item.languageId = "json";
  Item.text = "{\"name\": \"x\"}";
  W.open(Item);
  LibraryFolder Library("test");
  std::string Key = W.find(Item.uri)->Key;
  EXPECT_TRUE(diagnosticsOf(Key, W, Library).empty());
  auto Change = lsp::TextDocumentContentChangeEvent();
  Change.text = "{\"train_batch_size\": \"x\", \"zero_optimization\": {\"stage\": 2}}";
  W.change(Item.uri, 2, {&Change, 1});
  EXPECT_FALSE(diagnosticsOf(Key, W, Library).empty()) << "now it is DeepSpeed's";
  Change.text = "{\"train_batch_size\": 8, \"zero_optimization\": ";
  W.change(Item.uri, 3, {&Change, 1});
  EXPECT_FALSE(diagnosticsOf(Key, W, Library).empty()) << "and it stays so while it is broken";
}

TEST(ServerNavigation, RenamesInFilesThatAreNotOpen) {
  Folder Here;
  std::string Team = Here.Path + "/team.parl";
  Here.write("user.parl", "use \"./team.parl\"\nlet twice = 2 * size\n");
  Here.write("other.parl", "let size = 1\nlet twice = 2 * size\n");
  Here.write("broken.parl", "size \xff");
  Workspace W;
  W.Folders = {SourceManager::realPath(Here.Path)};
  open(W, Team, "let size = 1 GB\n");
  auto Edits = rename(*W.find(uri(Team)), {0, 5}, "bytes_all", W);
  ASSERT_TRUE(static_cast<bool>(Edits));
  std::string Text = llvm::formatv("{0}", *Edits).str();
  EXPECT_NE(Text.find("user.parl"), std::string::npos) << Text;
  EXPECT_NE(Text.find("team.parl"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("other.parl"), std::string::npos) << "its own name";
}

TEST(ServerNavigation, FindsEveryDeclarationOfTheLibrary) {
  const Library &Lib = standardLibrary();
  for (const FunctionDecl &F : Lib.Functions)
    EXPECT_TRUE(placeIn(F.Source, F.Name)) << F.Name;
  for (const DeriveDecl &D : Lib.Derives)
    EXPECT_TRUE(placeIn(D.Source, D.Name)) << D.Name;
  for (const LibraryRecord &R : Lib.Records)
    EXPECT_TRUE(placeIn(R.Source, R.Name)) << R.Name;
  for (const UnitName &U : Lib.Units.names())
    EXPECT_TRUE(placeOfUnit(U.Name)) << U.Name;
  for (std::string_view Module : Lib.Modules)
    EXPECT_TRUE(placeOfModule(Module)) << Module;
  for (const SchemaDecl *S : Lib.Schemas)
    for (const FieldDecl &F : S->Fields) {
      auto Place = placeOfField(*S, F.Name);
      ASSERT_TRUE(Place) << S->Name << "." << F.Name;
      EXPECT_EQ(Place->Text.substr(Place->Begin, Place->End - Place->Begin), F.Name);
    }
}
