// The numbers of the lesson, from its own formulas with units (docs/examples/lesson), and the ones that units refuse.
#include "Support.h"
#include <filesystem>

using namespace parlance;

namespace {

/// A file of docs/examples/lesson.
class Lesson {
public:
  explicit Lesson(const std::string &Name) {
    SourceManager::ReadError Error;
    auto File = Sources.open(fmt::format("{}/docs/examples/lesson/{}.parl", PARLANCE_SOURCE_DIR, Name), Error);
    EXPECT_TRUE(File) << Name << " " << Error.Reason;
    if (File)
      Main = &Files.add(*File);
  }
  double operator()(std::string_view Let) {
    Evaluator::Frame F;
    F.File = Main;
    auto It = Main->Names.find(Let);
    return It == Main->Names.end() ? NAN : rt::num(Values.letValue(*It->second, F)).real();
  }
  /// Codes of everything that is reported, also by what the file requires.
  std::string reported() {
    Analyzer(Files, Values, Trees).run();
    std::string Out;
    for (const Diagnostic &D : Diags.take())
      Out += (Out.empty() ? "" : " ") + std::string(D.Code);
    return Out;
  }

private:
  SourceManager Sources;
  DiagnosticEngine Diags;
  Program Files{Sources, standardLibrary(), Diags};
  Evaluator Values{Sources, standardLibrary(), Diags};
  LibraryTrees Trees{Sources, standardLibrary()};
  Module *Main = nullptr;
};

constexpr double Printed = 0.00005; // four decimals

TEST(Lesson, DataParallel) {
  Lesson L("dp");
  EXPECT_NEAR(L("dp32"), 0.0085, Printed);
  EXPECT_NEAR(L("dp128"), 0.0349, Printed);
  EXPECT_NEAR(L("dp512"), 0.1404, Printed);
  EXPECT_NEAR(L("starved"), 2.13, 0.005);
  EXPECT_NEAR(L("one_way"), 2 * L("dp128"), 1e-12);
  EXPECT_EQ(L.reported(), "");
}

TEST(Lesson, Utilisation) {
  Lesson L("mfu");
  EXPECT_NEAR(L("mfu7b"), 0.6635, Printed);
  EXPECT_NEAR(L("hfu7b"), 0.8958, Printed);
  EXPECT_EQ(L.reported(), "");
  Lesson H("hfu");
  EXPECT_NEAR(H("mfu"), 0.4875, 1e-12);
  EXPECT_EQ(H.reported(), "");
}

TEST(Lesson, FullySharded) {
  Lesson L("zero3");
  EXPECT_NEAR(L("right"), 0.1331, Printed);
  EXPECT_NEAR(2 * L("right"), 0.2662,
              Printed); // what the lesson's code computes and prints as 0.267
  EXPECT_EQ(L.reported(), "");
}

TEST(Lesson, TensorAndPipeline) {
  Lesson T("tp"), P("pp");
  EXPECT_NEAR(T("alone"), 3.756, 0.0005);
  EXPECT_NEAR(T("whole"), 0.8644, Printed);
  EXPECT_NEAR(P("ratio_pp"), 0.01006, 0.000005);
  EXPECT_EQ(T.reported() + P.reported(), "");
}

TEST(Lesson, TokensAndBandwidth) {
  Lesson T("tokens"), B("bandwidth");
  EXPECT_EQ(T("local"), 32768);
  EXPECT_EQ(T.reported() + B.reported(), "");
}

TEST(Lesson, UnitsRefuseTheOthers) {
  for (const char *Name :
       {"dp_refused", "mfu_refused", "pp_refused", "tp_refused", "tokens_refused", "zero3_refused"}) {
    std::string Codes = Lesson(Name).reported();
    EXPECT_TRUE(Codes == "PL1002" || Codes == "PL0078") << Name << ": " << Codes;
  }
  EXPECT_EQ(Lesson("bandwidth_refused").reported(), "PL1005");
  EXPECT_EQ(Lesson("hfu_refused").reported(), "PL0101");
}

TEST(Lesson, EveryFileIsTested) {
  unsigned Count = 0;
  for (const auto &Entry : std::filesystem::directory_iterator(PARLANCE_SOURCE_DIR "/docs/examples/lesson"))
    Count += Entry.path().extension() == ".parl";
  EXPECT_EQ(Count, 16u);
}

} // namespace
