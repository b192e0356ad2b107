#include "Units/Dim.h"
#include <gtest/gtest.h>

using namespace parlance;

namespace {

const Dim B = Dim::of(Base::Information), Elem = Dim::of(Base::Elements), Flop = Dim::of(Base::Arithmetic),
          Tok = Dim::of(Base::Tokens), Seq = Dim::of(Base::Sequences), S = Dim::of(Base::Time),
          Usd = Dim::of(Base::Money), Gpu = Dim::of(Base::Gpu), Replica = Dim::of(Base::Replica),
          Stage = Dim::of(Base::Stage), Layer = Dim::of(Base::Layer), None;

TEST(Dim, Spelling) {
  EXPECT_EQ(None.str(), "");
  EXPECT_EQ(B.str(), "B");
  EXPECT_EQ((B / S / Gpu).str(), "B/s/gpu");
  EXPECT_EQ((B / Gpu).str(), "B/gpu");
  EXPECT_EQ((None / Replica).str(), "1/replica");
  EXPECT_EQ((None / Replica / Gpu).str(), "1/(gpu·replica)");
  EXPECT_EQ((Elem * Flop / Tok / B).str(), "elem·FLOP/(B·tok)");
  EXPECT_EQ((Elem * Flop / Tok).str(), "elem·FLOP/tok");
  EXPECT_EQ((Tok * Replica).str(), "tok·replica");
  EXPECT_EQ((S * S).str(), "s^2");
  EXPECT_EQ((B / (S * S)).str(), "B/s^2");
  EXPECT_EQ((B / (S * S) / Gpu).str(), "B/(s^2·gpu)");
  EXPECT_EQ((Elem * Elem / B / Gpu).str(), "elem^2/(B·gpu)");
  EXPECT_EQ((None / (S * S)).str(), "1/s^2");
  EXPECT_EQ((Tok / Seq).str(), "tok/seq");
  EXPECT_EQ((Usd / Tok).str(), "USD/tok");
}

TEST(Dim, EveryBaseHasNameAndSymbol) {
  for (unsigned I = 0; I < NumBases; ++I) {
    const Base Each = static_cast<Base>(I);
    EXPECT_EQ(baseNamed(baseName(Each)), Each);
    EXPECT_EQ(Dim::of(Each).str(), baseSymbol(Each));
  }
  EXPECT_EQ(baseName(Base::Information), "information");
  EXPECT_EQ(baseSymbol(Base::Microbatch), "microbatch");
  EXPECT_EQ(baseNamed("B"), std::nullopt);
  EXPECT_EQ(baseNamed(""), std::nullopt);
}

TEST(Dim, Arithmetic) {
  EXPECT_EQ(B * Gpu / Gpu, B);
  EXPECT_EQ((B / S).power(-2), S * S / (B * B));
  EXPECT_EQ(B.power(0), None);
  EXPECT_EQ((B / S / Gpu).size(), 3u);
  EXPECT_EQ(None.size(), 0u);
}

TEST(Dim, Populations) {
  EXPECT_TRUE((Gpu / Stage).isPopulation());
  EXPECT_FALSE((B / Gpu).isPopulation());
  EXPECT_FALSE(None.isPopulation());
  EXPECT_FALSE(Tok.isPopulation()); // tokens and sequences are never adopted
  EXPECT_EQ((B / Gpu * Layer).withoutPopulations(), B);
  EXPECT_TRUE((B / Gpu).hasPopulations());
  EXPECT_FALSE(B.hasPopulations());
}

TEST(Dim, MeasuredAndRange) {
  EXPECT_TRUE((Flop / Gpu).isMeasured());
  EXPECT_TRUE((Tok / S).isMeasured());
  EXPECT_TRUE(Usd.isMeasured());
  EXPECT_FALSE((B * Tok).isMeasured());
  EXPECT_TRUE(B.power(32).inRange());
  EXPECT_FALSE(B.power(33).inRange());
  EXPECT_FALSE((B.power(-32) / B).inRange());
}

} // namespace
