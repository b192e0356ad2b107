#include "Basic/Source.h"
#include "Basic/Utf8.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace parlance;
namespace fs = std::filesystem;

namespace {

class SourceFiles : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = (fs::temp_directory_path() / "parlance-source-XXXXXX").string();
    ASSERT_NE(::mkdtemp(Template.data()), nullptr);
    Folder = Template;
  }
  void TearDown() override { fs::remove_all(Folder); }

  std::string path(const std::string &Name) const { return (Folder / Name).string(); }
  std::string write(const std::string &Name, const std::string &Bytes) const {
    std::ofstream(path(Name), std::ios::binary) << Bytes;
    return path(Name);
  }
  /// Why the file is refused; the empty string when it is read.
  std::string reason(const std::string &Path) {
    SourceManager::ReadError Error;
    return Sources.open(Path, Error) ? "" : Error.Reason;
  }
  std::string textOf(const std::string &Path) {
    SourceManager::ReadError Error;
    const auto Id = Sources.open(Path, Error);
    return Id ? std::string(Sources.file(*Id).text()) : "refused: " + Error.Reason;
  }

  fs::path Folder;
  SourceManager Sources;
};

TEST(SourceFile, PositionsOfPlainLines) {
  const SourceFile File("a.parl", "ab\nc\n");
  EXPECT_EQ(File.lineCount(), 3u);
  const auto At = [&](uint32_t Offset) {
    const auto [Line, Column] = File.position(Offset);
    return std::pair(Line, Column);
  };
  EXPECT_EQ(At(0), std::pair(1u, 1u));
  EXPECT_EQ(At(2), std::pair(1u, 3u)); // the line break itself
  EXPECT_EQ(At(3), std::pair(2u, 1u));
  EXPECT_EQ(At(5), std::pair(3u, 1u));
  EXPECT_EQ(At(500), std::pair(3u, 1u)); // clamped
  EXPECT_EQ(File.line(1), "ab");
  EXPECT_EQ(File.line(2), "c");
  EXPECT_EQ(File.line(3), "");
  EXPECT_EQ(File.line(4), "");
  EXPECT_EQ(File.line(0), "");
}

TEST(SourceFile, EmptyText) {
  const SourceFile File("a", "");
  EXPECT_EQ(File.lineCount(), 1u);
  EXPECT_EQ(File.position(0).Line, 1u);
  EXPECT_EQ(File.position(0).Column, 1u);
  EXPECT_EQ(File.offset({1, 1}), 0u);
  EXPECT_EQ(File.offset({2, 1}), std::nullopt);
}

TEST(SourceFile, CarriageReturnBelongsToTheLineBreak) {
  const SourceFile File("a", "ab\r\ncd\re\r\n");
  EXPECT_EQ(File.lineCount(), 3u);
  EXPECT_EQ(File.line(1), "ab");
  EXPECT_EQ(File.line(2), "cd\re"); // alone it breaks nothing
  EXPECT_EQ(File.position(2).Column, 3u);
  EXPECT_EQ(File.position(3).Column, 3u); // `\n` of the pair
  EXPECT_EQ(File.offset({1, 9}), 2u);     // clamped in front of the pair
  EXPECT_EQ(File.text().size(), 10u);     // kept in the text
}

TEST(SourceFile, ColumnsCountCodePoints) {
  const SourceFile File("a", "ä→\U0001F600x\ny"); // 2 + 3 + 4 bytes
  EXPECT_EQ(File.position(0).Column, 1u);
  EXPECT_EQ(File.position(2).Column, 2u);
  EXPECT_EQ(File.position(5).Column, 3u);
  EXPECT_EQ(File.position(9).Column, 4u);
  EXPECT_EQ(File.position(1).Column, 1u); // inside a code point
  EXPECT_EQ(File.position(7).Column, 3u);
  EXPECT_EQ(File.offset({1, 3}), 5u);
  EXPECT_EQ(File.offset({1, 4}), 9u);
  EXPECT_EQ(File.offset({1, 99}), 10u);
  EXPECT_EQ(File.offset({1, 0}), 0u);
  EXPECT_EQ(File.offset({0, 1}), std::nullopt);
  EXPECT_EQ(File.offset({2, 1}), 11u);
}

TEST(SourceFile, EveryOffsetRoundTrips) {
  const SourceFile File("a", "x\tä\r\n\r\n→→ y\n");
  for (uint32_t Offset = 0; Offset <= File.text().size(); ++Offset) {
    const LineColumn At = File.position(Offset);
    const auto Back = File.offset(At);
    ASSERT_TRUE(Back);
    EXPECT_LE(*Back, Offset);
    const LineColumn Again = File.position(*Back);
    EXPECT_EQ(Again.Line, At.Line);
    EXPECT_EQ(Again.Column, At.Column);
  }
}

TEST(SourceManager, RangesAndTexts) {
  SourceManager Sources;
  const uint32_t Id = Sources.add("a", "hello");
  EXPECT_EQ(Id, 1u);
  EXPECT_EQ(Sources.text({Id, 1, 3}), "el");
  EXPECT_EQ(Sources.text({Id, 3, 99}), "lo");
  EXPECT_EQ(Sources.text({Id, 3, 1}), "");
  EXPECT_EQ(Sources.text({Id, 9, 12}), "");
  EXPECT_EQ(Sources.text({}), "");
  EXPECT_EQ(Sources.text({7, 0, 1}), "");
  EXPECT_EQ((SourceRange{1, 2, 3}.to({1, 5, 9})), (SourceRange{1, 2, 9}));
  EXPECT_EQ((SourceRange{}.to({1, 5, 9})), (SourceRange{1, 5, 9}));
}

TEST_F(SourceFiles, ReadsWholeFiles) {
  const std::string Path = write("a.parl", "tp = 8\r\n# →\n");
  EXPECT_EQ(textOf(Path), "tp = 8\r\n# →\n");
  EXPECT_EQ(Sources.file(1).name(), Path);
  EXPECT_EQ(textOf(write("empty", "")), "");
}

TEST_F(SourceFiles, ReadsTheSamePathOnce) {
  const std::string Path = write("a.parl", "x");
  SourceManager::ReadError Error;
  const auto First = Sources.open(Path, Error);
  write("a.parl", "changed");
  EXPECT_EQ(Sources.open(Path, Error), First);
  EXPECT_EQ(Sources.open(path("./sub/../a.parl"), Error), std::nullopt); // no such folder
  fs::create_directory(path("sub"));
  EXPECT_EQ(Sources.open(path("./sub/../a.parl"), Error), First);
  fs::create_symlink(Path, path("link"));
  EXPECT_EQ(Sources.open(path("link"), Error), First);
  EXPECT_EQ(Sources.count(), 1u);
  // A text that was added under a file's name is not that file.
  Sources.add(path("b"), "virtual");
  EXPECT_EQ(reason(path("b")), "no such file");
}

TEST_F(SourceFiles, DropsTheByteOrderMark) {
  EXPECT_EQ(textOf(write("bom", "\xEF\xBB\xBFx = 1")), "x = 1");
  EXPECT_EQ(textOf(write("only", "\xEF\xBB\xBF")), "");
}

TEST_F(SourceFiles, RefusesWhatIsNoText) {
  EXPECT_EQ(reason(write("nul", std::string("0123456789abcdefg\0x", 19))), "is a binary file (NUL byte at offset 17)");
  EXPECT_EQ(reason(write("latin1", "a\nbc\nwxyz\xE4 = 1\n")), "is not valid UTF-8 (line 3, column 5)");
  EXPECT_EQ(reason(write("after", "ä→\xFF")), "is not valid UTF-8 (line 1, column 3)");
  EXPECT_EQ(reason(write("cut", "abc\xE2\x86")), "is not valid UTF-8 (line 1, column 4)");
  EXPECT_EQ(reason(write("overlong", "\xC0\xAF")), "is not valid UTF-8 (line 1, column 1)");
  EXPECT_EQ(reason(write("surrogate", "\xED\xA0\x80")), "is not valid UTF-8 (line 1, column 1)");
  EXPECT_EQ(reason(write("toohigh", "\xF4\x90\x80\x80")), "is not valid UTF-8 (line 1, column 1)");
  EXPECT_EQ(reason(write("utf16", std::string("\xFF\xFEx\0", 4))), "is UTF-16; only UTF-8 is read");
  EXPECT_EQ(Sources.count(), 0u);
}

TEST_F(SourceFiles, RefusesWhatIsNoFile) {
  EXPECT_EQ(reason(path("missing")), "no such file");
  EXPECT_EQ(reason(write("file", "x") + "/below"), "no such file");
  EXPECT_EQ(reason(""), "no such file");
  EXPECT_EQ(reason(Folder.string()), "is a directory");
  EXPECT_EQ(reason("/dev/null"), "is a device, not a regular file");
  EXPECT_EQ(reason("/dev/zero"), "is a device, not a regular file");
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(reason(path("fifo")), "is a pipe, not a regular file"); // without waiting for a writer
  EXPECT_EQ(reason(std::string("a\0b", 3)), "has a NUL byte in its name");
  fs::create_symlink(path("loop"), path("loop"));
  EXPECT_EQ(reason(path("loop")), "cannot be read: too many levels of symbolic links");
  EXPECT_EQ(reason(path(std::string(300, 'n'))), "cannot be read: file name too long");
}

TEST_F(SourceFiles, RefusesUnreadableFiles) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "root may read everything";
  const std::string Path = write("secret", "x");
  fs::permissions(Path, fs::perms::none);
  EXPECT_EQ(reason(Path), "permission denied");
}

TEST_F(SourceFiles, RefusesHugeFiles) {
  const std::string Path = write("huge", "x");
  fs::resize_file(Path, 104'000'000);
  EXPECT_EQ(reason(Path), "is 104 MB; files over 32 MiB are refused");
  fs::resize_file(Path, SourceManager::MaxFileBytes + 1);
  EXPECT_EQ(reason(Path), "is 33.6 MB; files over 32 MiB are refused");
  write("limit", std::string(SourceManager::MaxFileBytes, 'x'));
  EXPECT_EQ(reason(path("limit")), "");
}

TEST_F(SourceFiles, ReadsFilesOfUnknownSize) {
  // The kernel announces a size of 0 here.
  if (!fs::exists("/proc/self/status"))
    GTEST_SKIP() << "no /proc";
  EXPECT_NE(textOf("/proc/self/status").find("Pid:"), std::string::npos);
}

TEST_F(SourceFiles, ReadsStandardInputOnce) {
  const int Saved = ::dup(STDIN_FILENO);
  int Ends[2];
  ASSERT_EQ(::pipe(Ends), 0);
  ASSERT_EQ(::write(Ends[1], "x = 1\n", 6), 6);
  ::close(Ends[1]);
  ::dup2(Ends[0], STDIN_FILENO);
  ::close(Ends[0]);
  EXPECT_EQ(textOf("-"), "x = 1\n");
  EXPECT_EQ(textOf("-"), "x = 1\n");
  EXPECT_EQ(Sources.file(1).name(), "<stdin>");
  EXPECT_EQ(Sources.count(), 1u);
  ::dup2(Saved, STDIN_FILENO);
  ::close(Saved);
}

TEST_F(SourceFiles, RefusesEndlessStandardInput) {
  const int Saved = ::dup(STDIN_FILENO);
  FILE *Zero = std::fopen("/dev/zero", "r");
  ASSERT_NE(Zero, nullptr);
  ::dup2(::fileno(Zero), STDIN_FILENO);
  std::fclose(Zero);
  EXPECT_EQ(reason("-"), "is over 32 MiB; files over 32 MiB are refused");
  ::dup2(Saved, STDIN_FILENO);
  ::close(Saved);
}

TEST(SourceManager, AbsorbsAnotherRun) {
  const std::string Path = std::string(PARLANCE_SOURCE_DIR) + "/README.md";
  SourceManager::ReadError Error;
  SourceManager All, One, Two;
  ASSERT_TRUE(One.open(Path, Error));
  One.add("--cluster", "h100");
  EXPECT_FALSE(One.open(Path + ".none", Error));
  Two.add("--cluster", "h100");
  Two.add("--cluster", "a100");
  ASSERT_TRUE(Two.open(std::string(PARLANCE_SOURCE_DIR) + "/docs/../README.md", Error));
  const std::vector<std::string> Paths = One.paths();
  EXPECT_EQ(Paths.size(), 2u);
  EXPECT_NE(std::ranges::find(Paths, std::filesystem::canonical(Path).string() + ".none"), Paths.end());
  EXPECT_EQ(All.absorb(std::move(One)), (std::vector<uint32_t>{1, 2}));
  // The same path and the same text are one file; another text of that name is not.
  EXPECT_EQ(All.absorb(std::move(Two)), (std::vector<uint32_t>{2, 3, 1}));
  EXPECT_EQ(All.count(), 3u);
  EXPECT_EQ(All.file(3).text(), "a100");
  EXPECT_EQ(All.open(Path, Error), 1u);
}

TEST(Utf8, DecodesStrictly) {
  const auto Value = [](std::string_view Text) {
    const CodePoint P = decodeUtf8(Text, 0);
    return P.Valid ? static_cast<int64_t>(P.Value) : -1;
  };
  EXPECT_EQ(Value("a"), 'a');
  EXPECT_EQ(Value("\xC2\x80"), 0x80);
  EXPECT_EQ(Value("\xDF\xBF"), 0x7FF);
  EXPECT_EQ(Value("\xE0\xA0\x80"), 0x800);
  EXPECT_EQ(Value("\xEF\xBF\xBF"), 0xFFFF);
  EXPECT_EQ(Value("\xF0\x90\x80\x80"), 0x10000);
  EXPECT_EQ(Value("\xF4\x8F\xBF\xBF"), 0x10FFFF);
  for (const std::string_view Bad : {"\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xED\xBF\xBF",
                                     "\xF5\x80\x80\x80", "\xFE", "\xE2\x82", "\xE2(\xA1"})
    EXPECT_EQ(Value(Bad), -1) << Bad;
  EXPECT_EQ(decodeUtf8("a", 1).Length, 0);
  EXPECT_EQ(firstInvalidUtf8("aä→"), std::string_view::npos);
  EXPECT_EQ(firstInvalidUtf8("aä\x80"), 3u);
}

TEST(Utf8, PrintableTextHoldsNoControls) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\u241b[31mb");
  EXPECT_EQ(printable("a\nb\tc\r\nd\re"), "a b c d\u240de");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\u2400\u2421");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\uFFFD"
            "31m"); // the 8-bit escape
  EXPECT_EQ(printable("a\u202Eb"), "a\uFFFDb");
  EXPECT_EQ(printable("\xFF\xFE"), "\uFFFD\uFFFD");
  EXPECT_EQ(printable("ä→·"), "ä→·");
  EXPECT_EQ(columns("ä→·x"), 4u);
  EXPECT_EQ(utf16Units("ä→·x"), 4u);
  EXPECT_EQ(utf16Units("🚀x𝄞"), 5u);
}

} // namespace
