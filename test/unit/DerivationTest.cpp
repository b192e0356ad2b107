// Derivations: a formula, the same with numbers in place, and what its parts came from.
#include "Support.h"
#include "std/Std.h"

using namespace parlance;

namespace {

/// The derivation of a `let` of the file.
Derivation derivation(Checked &C, std::string_view Let) {
  Evaluator::Frame F;
  F.File = &C.Main;
  return DerivationBuilder(C.Values, C.Trees).of(*C.item(Let)->Value, F, std::string(Let));
}
/// The derivation of a derived quantity of job `j`.
Derivation derived(Checked &C, Quantity Q, const std::vector<Value> &Args = {}) {
  Evaluator::Frame F = C.plan("j")->frame(&C.Main);
  return DerivationBuilder(C.Values, C.Trees).ofDerived(Q.Index, Args, F);
}

/// "name = value" of all terms.
std::string terms(const Derivation &D) {
  std::string Out;
  for (const Derivation &T : D.Terms)
    Out += fmt::format("{}{} = {}", Out.empty() ? "" : ", ", T.Name, T.Value);
  return Out;
}

TEST(Derivations, OfAChainOfLets) {
  Checked C("let width = 2 B/elem\nlet count = 7G elem\nlet bytes = width * count\nlet share = "
            "bytes / 2\n");
  Derivation D = derivation(C, "share");
  EXPECT_EQ(D.Name, "share");
  EXPECT_EQ(D.Formula, "bytes / 2");
  EXPECT_EQ(D.Substituted, "14 GB / 2");
  EXPECT_EQ(D.Value, "7 GB");
  EXPECT_EQ(D.Unit, "B");
  EXPECT_EQ(D.Number, 7e9);
  ASSERT_EQ(terms(D), "bytes = 14 GB");
  const Derivation &B = D.Terms[0];
  EXPECT_EQ(B.Formula, "width * count");
  EXPECT_EQ(B.Substituted, "(2 B/elem) * 7 Gelem");
  EXPECT_EQ(terms(B), "width = 2 B/elem, count = 7 Gelem");
  EXPECT_EQ(C.place(B.Origin), "test.parl:3:13");
  EXPECT_EQ(B.Terms[0].Formula, "2 B/elem");
  EXPECT_EQ(B.Terms[0].Substituted, "") << "a number needs no numbers in place";
}

TEST(Derivations, GroupOnlyWhereNeeded) {
  Checked C("let a = 2\nlet b = 3\nlet x = (a + b) * (a - b)\nlet y = a + b * a\nlet z = a - (b - "
            "a)\nlet w = -(a + b) ^ 2\n");
  EXPECT_EQ(derivation(C, "x").Substituted, "(2 + 3) * (2 - 3)");
  EXPECT_EQ(derivation(C, "y").Substituted, "2 + 3 * 2");
  EXPECT_EQ(derivation(C, "z").Substituted, "2 - (3 - 2)");
  EXPECT_EQ(derivation(C, "w").Substituted, "-(2 + 3) ^ 2");
}

TEST(Derivations, SumsShowTheLargestFirst) {
  Checked C("let small = 1 GB\nlet large = 3 GB\nlet middle = 2 GB\nlet x = small + large + middle\n"
            "let y = large * small\n");
  EXPECT_EQ(terms(derivation(C, "x")), "large = 3 GB, middle = 2 GB, small = 1 GB");
  EXPECT_EQ(terms(derivation(C, "y")), "large = 3 GB, small = 1 GB") << "as written";
}

TEST(Derivations, ZeroPartsOfASumAreLeftOut) {
  Checked C("let none = 3 GB - 3 GB\nlet some = 2 GB\nlet x = some + none\nlet y = none + some\n");
  Derivation X = derivation(C, "x");
  EXPECT_EQ(X.Formula, "some");
  EXPECT_EQ(X.Substituted, "2 GB");
  EXPECT_EQ(terms(X), "some = 2 GB");
  EXPECT_EQ(terms(derivation(C, "y")), "some = 2 GB");
}

TEST(Derivations, ExtremaFollowTheWinner) {
  Checked C("let low = 2 GB\nlet high = 5 GB\nlet x = max(low, high)\nlet y = min(low, high)\n"
            "let z = max(i in 0..5: i * (low * (4 - i)))\n");
  EXPECT_EQ(terms(derivation(C, "x")), "high = 5 GB");
  EXPECT_EQ(derivation(C, "x").Substituted, "max(2 GB, 5 GB)");
  EXPECT_EQ(terms(derivation(C, "y")), "low = 2 GB");
  EXPECT_EQ(terms(derivation(C, "z")), "low = 2 GB");
}

TEST(Derivations, ConditionsShowTheBranchTaken) {
  Checked C("let a = 2 GB\nlet b = 3 GB\nlet x = if 1 < 2 then a else b\n");
  Derivation D = derivation(C, "x");
  EXPECT_EQ(D.Formula, "a");
  EXPECT_EQ(D.Value, "2 GB");
}

TEST(Derivations, OfAUserFunction) {
  Checked C("fn bytes(P: elem, width: B/elem) -> B\n  \"weights\"\n  = P * width\nlet n = 7G "
            "elem\nlet x = bytes(n, 2 B/elem)\n"
            "let y = bytes(n, 2 B/elem) / 2\n");
  Derivation D = derivation(C, "x");
  EXPECT_EQ(D.Formula, "P * width");
  EXPECT_EQ(D.Substituted, "7 Gelem * (2 B/elem)");
  EXPECT_EQ(D.Source, "weights");
  Derivation Y = derivation(C, "y");
  EXPECT_EQ(Y.Substituted, "14 GB / 2");
  ASSERT_EQ(terms(Y), "bytes = 14 GB, n = 7 Gelem");
  EXPECT_EQ(Y.Terms[0].Formula, "P * width");
}

TEST(Derivations, FieldsSayWhereTheyAreFrom) {
  Checked C("use std/example\nlayout l from example_layout {\n  tp = 4\n}\njob j from example_job "
            "{ layout = l }\n");
  Derivation D = derived(C, quantities::world);
  EXPECT_EQ(D.Name, "world");
  EXPECT_EQ(D.Formula, "layout.tp * layout.pp * layout.cp * layout.dp");
  EXPECT_EQ(D.Value, "64 gpu");
  ASSERT_EQ(D.Terms.size(), 4u);
  EXPECT_EQ(D.Terms[0].Name, "layout.tp");
  EXPECT_EQ(C.place(D.Terms[0].Origin), "test.parl:3:8");
  EXPECT_EQ(D.Terms[0].Source, "");
  EXPECT_TRUE(D.Terms[1].Source.starts_with("std/example.parl:")) << D.Terms[1].Source;
  EXPECT_EQ(D.Terms[2].Source, "default");
  EXPECT_EQ(D.Terms[3].Source, "GPUs of the cluster / (tp * pp * cp)");
}

TEST(Derivations, MemoryIsBinary) {
  Checked C("use std/example\njob j from example_job { }\n");
  Derivation D = derived(C, quantities::memory_peak);
  EXPECT_TRUE(D.Value.ends_with(" GiB/gpu")) << D.Value;
  EXPECT_EQ(D.Unit, "B/gpu");
  EXPECT_EQ(D.Number, rt::num(C.plan("j")->Context->derived(quantities::memory_peak)).real());
}

TEST(Derivations, QuantitiesAppearOnce) {
  Checked C("use std/example\njob j from example_job { }\n");
  std::set<std::string> Expanded;
  std::function<void(const Derivation &)> Walk = [&](const Derivation &D) {
    bool IsDerived = C.Lib.derive(D.Name) >= 0;
    if (IsDerived && !D.Terms.empty())
      EXPECT_TRUE(Expanded.insert(D.Name + D.Value).second) << D.Name << " is expanded twice";
    for (const Derivation &T : D.Terms)
      Walk(T);
  };
  Walk(derived(C, quantities::mfu));
  EXPECT_GT(Expanded.size(), 5u);
}

TEST(Derivations, NumbersAreThoseOfTheEvaluator) {
  Checked C("use std/example\njob j from example_job { }\n");
  std::function<void(const Derivation &)> Walk = [&](const Derivation &D) {
    int Index = C.Lib.derive(D.Name);
    if (Index >= 0 && C.Lib.Derives[static_cast<size_t>(Index)].Params.empty() &&
        C.Lib.Derives[static_cast<size_t>(Index)].Result.isQuantity()) {
      double Want = rt::num(C.plan("j")->Context->derived(static_cast<uint32_t>(Index))).real();
      EXPECT_TRUE(D.Number == Want || (std::isnan(D.Number) && std::isnan(Want))) << D.Name;
    }
    for (const Derivation &T : D.Terms)
      Walk(T);
  };
  for (uint32_t I = 0; I < C.Lib.Derives.size(); ++I)
    if (C.Lib.Derives[I].Params.empty() && !C.plan("j")->Context->derived(I).isAbsent())
      Walk(derived(C, Quantity{I}));
}

TEST(Derivations, DeepChainsEnd) {
  std::string Text = "let a0 = 1 GB\n";
  for (int I = 1; I < 40; ++I)
    Text += fmt::format("let a{} = a{} + a{}\n", I, I - 1, I - 1);
  Checked C(Text);
  unsigned Count = 0;
  std::function<void(const Derivation &)> Walk = [&](const Derivation &D) {
    ++Count;
    for (const Derivation &T : D.Terms)
      Walk(T);
  };
  Walk(derivation(C, "a39"));
  EXPECT_LT(Count, 200u);
}

} // namespace
