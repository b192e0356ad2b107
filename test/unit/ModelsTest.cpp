// Parameter totals of the library's models against test/data/models.csv.
#include "Support.h"
#include <fstream>

using namespace parlance;

namespace {

struct Totals {
  int64_t Total = 0;
  std::optional<int64_t> Active;
};

std::map<std::string, Totals> published() {
  std::ifstream In(PARLANCE_SOURCE_DIR "/test/data/models.csv");
  std::map<std::string, Totals> Models;
  std::string Line;
  std::getline(In, Line);
  EXPECT_EQ(Line.substr(0, 18), "name,total,active,");
  while (std::getline(In, Line)) {
    size_t A = Line.find(','), B = Line.find(',', A + 1), C = Line.find(',', B + 1);
    Totals T{std::stoll(Line.substr(A + 1, B - A - 1)), std::nullopt};
    if (C > B + 1)
      T.Active = std::stoll(Line.substr(B + 1, C - B - 1));
    EXPECT_TRUE(Models.emplace(Line.substr(0, A), T).second) << Line;
  }
  return Models;
}

class Models : public testing::Test {
protected:
  const Library &Lib = standardLibrary();
  SourceManager Sources;
  DiagnosticEngine Diags;
  Evaluator E{Sources, Lib, Diags};

  const Record *model(std::string_view Name) {
    int Index = Lib.record(Name);
    return Index < 0 ? nullptr : E.libraryInstance(static_cast<uint32_t>(Index));
  }
};

TEST_F(Models, TotalsAreExact) {
  for (const auto &[Name, Want] : published()) {
    const Record *M = model(Name);
    ASSERT_TRUE(M) << Name;
    Num Total = functions::params_total(M), Active = functions::params_active(M);
    EXPECT_TRUE(identical(Total, Want.Total)) << Name << " has " << shown(Total) << ", not " << Want.Total;
    // Every parameter of a dense model is active.
    EXPECT_TRUE(identical(Active, Want.Active.value_or(Want.Total)))
        << Name << " has " << shown(Active) << " active, not " << Want.Active.value_or(Want.Total);
  }
}

TEST_F(Models, EveryModelIsInTheTable) {
  auto Table = published();
  size_t Count = 0;
  for (const LibraryRecord &R : Lib.Records)
    if (R.Schema->Name == "model") {
      ++Count;
      EXPECT_TRUE(Table.contains(std::string(R.Name))) << R.Name;
    }
  EXPECT_EQ(Count, Table.size());
  EXPECT_GE(Count, 30u);
}

/// What a checker would say of the shape itself.
TEST_F(Models, ShapesAreConsistent) {
  using namespace fields::model;
  for (const LibraryRecord &R : Lib.Records) {
    if (R.Schema->Name != "model")
      continue;
    const Record *M = model(R.Name);
    EXPECT_EQ(divides(M->num(kv_heads), M->num(heads)), Truth::True) << R.Name;
    EXPECT_TRUE(M->num(head_dim).isInt()) << R.Name << " has heads of " << shown(M->num(head_dim));
    EXPECT_EQ(lessEqual(M->num(top_k), M->num(experts)), Truth::True) << R.Name;
    EXPECT_EQ(less(M->num(dense_layers), M->num(layers)), Truth::True) << R.Name;
    EXPECT_EQ(M->num(experts).integer() > 0, M->num(top_k).integer() > 0) << R.Name;
    EXPECT_TRUE(M->at(params).isAbsent()) << R.Name << " counts what follows from its shape";
  }
}

} // namespace
