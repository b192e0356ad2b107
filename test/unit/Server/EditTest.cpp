// What the server finds after any edits is what `check` finds in the same text.
#include "Server/CodeActions.h"
#include "Server/Completion.h"
#include "Server/Diagnostics.h"
#include "Server/Hints.h"
#include "Server/Hover.h"
#include "Server/Navigation.h"
#include "Server/Outline.h"
#include "Server/Rename.h"
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

lsp::URIForFile uri(const std::string &Path) { return llvm::cantFail(lsp::URIForFile::fromFile(Path)); }

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
    Out += fmt::format("{} {} {}-{} {}\n", D.Code, D.Range ? Sources.file(D.Range.File).name() : "nowhere",
                       D.Range.Begin, D.Range.End, D.Message);
  return Out;
}

/// What a run of `check` on the file on disk reports.
std::string checked(const std::string &Path) {
  Snapshot OnDisk(CheckUnit{{Path}}, [](const std::string &) { return nullptr; }, {});
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
  codeActions(D, {{D.Uri}, {At, At}, {}}, false, W);
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
      ASSERT_EQ(describe(S.found(), S.Sources), checked(Path)) << "seed " << Seed << ", step " << Step << "\n"
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
  std::string Team = Here.Path + "/team.parl", Job = Here.Path + "/job.parl", Other = Here.Path + "/other.parl";
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

TEST(ServerWorkspace, SaysWhatChangedForOtherDocuments) {
  Folder Here;
  std::string Team = Here.Path + "/team.parl", Job = Here.Path + "/job.parl";
  Workspace W;
  open(W, Job, "use \"./team.parl\"\nrequire size < 2 GB\n");
  W.snapshot(*W.find(uri(Job)));
  EXPECT_FALSE(W.takeOutdated()) << "the client asks about what it opens";
  Here.write("team.parl", "let size = 1 GB\n");
  W.fileChanged(Team);
  EXPECT_TRUE(W.takeOutdated()) << "a used file appeared";
  EXPECT_FALSE(W.takeOutdated());
  W.snapshot(*W.find(uri(Job)));
  open(W, Team, "let size = 3 GB\n");
  EXPECT_TRUE(W.takeOutdated()) << "another text of it";
  W.snapshot(*W.find(uri(Job)));
  W.close(uri(Team));
  EXPECT_TRUE(W.takeOutdated()) << "and the disk's again";
  W.snapshot(*W.find(uri(Job)));
  auto Change = lsp::TextDocumentContentChangeEvent();
  Change.text = "use \"./team.parl\"\n";
  W.change(uri(Job), 2, {&Change, 1});
  EXPECT_FALSE(W.takeOutdated()) << "its own text";
  W.forgetAll();
  EXPECT_TRUE(W.takeOutdated()) << "the settings";
}

TEST(ServerWorkspace, NoticesSettingsThatWereMissing) {
  Folder Here;
  std::string Job = Here.Path + "/sub/job.parl";
  fs::create_directory(Here.Path + "/sub");
  Workspace W;
  open(W, Job, "let size = 3 GB\nwarn size < 2 GB\n");
  Document &D = *W.find(uri(Job));
  ASSERT_EQ(W.snapshot(D).found().size(), 1u);
  std::string Code(W.snapshot(D).found()[0].Code);
  Here.write("parlance.toml", fmt::format("[rules]\n{} = \"off\"\n", Code));
  W.fileChanged(Here.Path + "/parlance.toml");
  EXPECT_TRUE(W.snapshot(D).found().empty());
  Here.write("sub/parlance.toml", fmt::format("[rules]\n{} = \"error\"\n", Code));
  W.fileChanged(Here.Path + "/sub/parlance.toml");
  EXPECT_EQ(W.snapshot(D).found().size(), 1u) << "the nearest counts";
}

TEST(ServerWorkspace, KeepsALinkApartFromItsFile) {
  Folder Here;
  std::string File = Here.Path + "/job.parl", Link = Here.Path + "/link.parl", User = Here.Path + "/user.parl";
  Here.write("job.parl", "let size = 1 GB\n");
  fs::create_symlink("job.parl", Link);
  for (bool LinkFirst : {false, true}) {
    Workspace W;
    auto Errors = [&](const std::string &Path) { return W.snapshot(*W.find(uri(Path))).found().size(); };
    open(W, LinkFirst ? Link : File, LinkFirst ? "let a = b\n" : "let size = 1 GB\n");
    open(W, LinkFirst ? File : Link, LinkFirst ? "let size = 1 GB\n" : "let a = b\n");
    open(W, User, "use \"./job.parl\"\nrequire size < 2 GB\n");
    EXPECT_EQ(W.documents().size(), 3u);
    EXPECT_EQ(Errors(File), 0u);
    EXPECT_EQ(Errors(Link), 1u);
    EXPECT_EQ(Errors(User), 0u) << "it uses the file";
    LibraryFolder Library("test");
    EXPECT_EQ(diagnosticsOf(W.find(uri(Link))->Key, W, Library).size(), 1u);
    EXPECT_EQ(diagnosticsOf(W.find(uri(File))->Key, W, Library).size(), 0u);
    EXPECT_EQ(W.uriOf(W.find(uri(Link))->Key).file(), Link);
    W.close(uri(LinkFirst ? Link : File));
    EXPECT_EQ(Errors(LinkFirst ? File : Link), LinkFirst ? 0u : 1u) << "the other is still open";
    EXPECT_EQ(W.documents().size(), 2u);
  }
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

TEST(ServerNavigation, FindsUsesOfTheLibraryInFilesThatAreNotOpen) {
  Folder Here;
  Here.write("user.parl", "use std/hardware\ncluster b { node = 8 * h100_sxm, nodes = 1 }\n");
  Here.write("other.parl", "let a = 1\n");
  std::string Path = Here.Path + "/job.parl";
  Workspace W;
  W.Folders = {SourceManager::realPath(Here.Path)};
  open(W, Path, "use std/hardware\ncluster a { node = 8 * h100_sxm, nodes = 1 }\n");
  std::string Text = llvm::formatv("{0}", references(*W.find(uri(Path)), {1, 24}, true, W)).str();
  EXPECT_NE(Text.find("job.parl"), std::string::npos) << Text;
  EXPECT_NE(Text.find("user.parl"), std::string::npos) << Text;
}

/// What a rename in a document is refused for; empty when it is not.
static std::string refusal(const std::string &Text, lsp::Position At, const std::string &NewName, Workspace &W,
                           const std::string &Path) {
  open(W, Path, Text);
  auto Edits = rename(*W.find(uri(Path)), At, NewName, W);
  return Edits ? "" : llvm::toString(Edits.takeError());
}

TEST(ServerNavigation, RefusesNamesThatChangeTheMeaning) {
  Folder Here;
  Workspace W;
  std::string Job = "use std/example\n"
                    "let base = 3\n"
                    "fn g(z: ratio, y: ratio) -> ratio = z * base + y\n"
                    "job j from example_job {\n"
                    "  let head = 2\n"
                    "  require base > head\n"
                    "  require mfu > 1%\n"
                    "  require layout.tp > 0\n"
                    "}\n";
  auto Refused = [&](lsp::Position At, const std::string &NewName) {
    return refusal(Job, At, NewName, W, Here.Path + "/job.parl");
  };
  lsp::Position Base{1, 4}, Parameter{2, 5}, Head{4, 6};
  EXPECT_EQ(Refused(Base, "z"), "-32803: with the name `z`, `z` in line 3 would stand for something else");
  for (const char *Taken : {"head", "mfu", "layout"})
    EXPECT_NE(Refused(Base, Taken), "") << Taken;
  for (const char *Taken : {"y", "base"})
    EXPECT_NE(Refused(Parameter, Taken), "") << Taken;
  for (const char *Taken : {"base", "mfu", "layout"})
    EXPECT_NE(Refused(Head, Taken), "") << Taken;
  EXPECT_EQ(Refused(Base, "fresh"), "");
  EXPECT_EQ(Refused(Parameter, "head"), "") << "the job's name is not seen there";
  EXPECT_EQ(Refused(Head, "z"), "");
}

TEST(ServerNavigation, RefusesNamesThatBreakOtherFiles) {
  Folder Here;
  Here.write("user.parl", "use \"./team.parl\"\nlet other = 2 * size\nlet some = 1\n");
  Here.write("keeps.parl", "use \"./team.parl\"\nlet mine = 1\nlet twice = 2 * mine\n");
  Here.write("calls.parl", "use \"./team.parl\"\nlet own = 1\nlet both = size + own\n");
  Workspace W;
  W.Folders = {SourceManager::realPath(Here.Path)};
  auto Refused = [&](const std::string &NewName) {
    return refusal("let size = 1\n", {0, 5}, NewName, W, Here.Path + "/team.parl");
  };
  EXPECT_NE(Refused("other").find("user.parl"), std::string::npos) << Refused("other");
  EXPECT_NE(Refused("own").find("`own` in line 3 of calls.parl would stand for something else"), std::string::npos)
      << Refused("own");
  EXPECT_EQ(Refused("mine"), "") << "the file has its own and does not use the other";
  EXPECT_EQ(Refused("fresh"), "");
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
