// Values of expressions and records: exactness, what is unknown, and what overrides what.
#include "Support.h"
#include "std/Std.h"

using namespace parlance;
using namespace fields;

namespace {

/// The value of an expression in a file, "" where something was reported.
std::string value(std::string_view Expression) {
  Checked C(fmt::format("let a = {}\n", Expression));
  Value V = C.value("a");
  if (std::string Errors = C.reported(); !Errors.empty())
    return Errors;
  return V.K == Value::Kind::Bool ? V.Flag == Truth::True    ? "true"
                                    : V.Flag == Truth::False ? "false"
                                                             : "undecided"
                                  : shown(V.K == Value::Kind::Quantity ? V.Number : Num::unknown());
}

TEST(Evaluate, CountsStayExact) {
  EXPECT_EQ(value("80 GB"), "count 80000000000");
  EXPECT_EQ(value("80 GiB"), "count 85899345920");
  EXPECT_EQ(value("0.5 GiB"), "count 536870912");
  EXPECT_EQ(value("400 Gbit"), "count 50000000000");
  EXPECT_EQ(value("4Mi"), "count 4194304");
  EXPECT_EQ(value("9_007_199_254_740_993 tok + 0 tok"), "count 9007199254740993") << "no double holds this";
  EXPECT_EQ(value("7 * 6"), "count 42");
  EXPECT_EQ(value("84 / 2"), "count 42");
  EXPECT_EQ(value("-7 % 3"), "count 2") << "the sign of the divisor";
  EXPECT_EQ(value("7 % -3"), "count -2");
  EXPECT_EQ(value("2 ^ 62"), "count 4611686018427387904");
  EXPECT_EQ(value("sqrt(1764)"), "count 42");
  EXPECT_EQ(value("sum(i in 0..101: i)"), "count 5050");
}

TEST(Evaluate, MeasuresAreReal) {
  EXPECT_EQ(value("3 s").substr(0, 2), "3 ");
  EXPECT_EQ(value("1 / 4").substr(0, 5), "0.25 ");
  EXPECT_EQ(value("12 GB / 3 s").substr(0, 11), "4000000000 ");
  EXPECT_EQ(value("95%").substr(0, 5), "0.95 ");
  EXPECT_EQ(value("2 us").substr(0, 6), "2e-06 ");
}

TEST(Evaluate, Qualifiers) {
  EXPECT_EQ(value("900 GB/s bidirectional == 450 GB/s per direction"), "true");
  EXPECT_EQ(value("1 TFLOP/s dense == 1 TFLOPS"), "true");
}

TEST(Evaluate, Comparisons) {
  EXPECT_EQ(value("80 GB < 80 GiB"), "true");
  EXPECT_EQ(value("8 gpu == 8"), "true");
  EXPECT_EQ(value("1/3 + 1/3 + 1/3 >= 1"), "true");
  EXPECT_EQ(value("not (1 < 2) or 3 != 3"), "false");
  EXPECT_EQ(value("divides(8 gpu, 64)"), "true");
  EXPECT_EQ(value("divides(0, 64)"), "undecided");
  EXPECT_EQ(value("\"a\" == \"a\""), "true");
}

TEST(Evaluate, Functions) {
  EXPECT_EQ(value("ceil(2.1)"), "count 3");
  EXPECT_EQ(value("floor(-2.1)"), "count -3");
  EXPECT_EQ(value("round(2.5)"), "count 3");
  EXPECT_EQ(value("abs(-3 GB)"), "count 3000000000");
  EXPECT_EQ(value("min(3, 1, 2)"), "count 1");
  EXPECT_EQ(value("max(3 GB, 3 GiB)"), "count 3221225472");
  EXPECT_EQ(value("log2(1024)"), "count 10");
}

TEST(Evaluate, Reductions) {
  EXPECT_EQ(value("max(i in 0..5: i * (4 - i))"), "count 4");
  EXPECT_EQ(value("min(i in 3..9: i)"), "count 3");
  EXPECT_EQ(value("sum(i in 0..0: i)"), "count 0");
  EXPECT_EQ(value("max(i in 0..0: i)"), "unknown");
  EXPECT_EQ(value("sum(i in 0..3: sum(j in 0..i: 10 * i + j))"), "count 51");
  EXPECT_EQ(value("sum(i in 0..2.5: i)"), "unknown");
  EXPECT_EQ(value("sum(i in 0..4 gpu: i)"), "count 6");
}

TEST(Evaluate, UserFunctions) {
  Checked C("fn f(a: int, b: int) -> int = g(b) - a\nfn g(a: int) -> int = a * a\nlet x = f(1, 3)\n"
            "fn h(n: int) -> int = sum(i in 0..n: f(i, i))\nlet y = h(4)\n");
  EXPECT_TRUE(identical(C.number("x"), 8));
  EXPECT_TRUE(identical(C.number("y"), 8)); // (0-0)+(1-1)+(4-2)+(9-3)
  EXPECT_EQ(C.reported(), "");
}

TEST(Evaluate, UnknownsSpreadSilently) {
  Checked C("model m { params = 7G elem }\nlet a = m.hidden * 2\nlet b = a > 3\nlet c = b or "
            "true\nlet d = b and false\n"
            "let e = if b then 1 else 2\nlet f = known(m.hidden)\nlet g = known(m.params)\n");
  EXPECT_TRUE(C.number("a").isUnknown());
  EXPECT_EQ(rt::flag(C.value("b")), Truth::Unknown);
  EXPECT_EQ(rt::flag(C.value("c")), Truth::True);
  EXPECT_EQ(rt::flag(C.value("d")), Truth::False);
  EXPECT_TRUE(C.number("e").isUnknown());
  EXPECT_EQ(rt::flag(C.value("f")), Truth::False);
  EXPECT_EQ(rt::flag(C.value("g")), Truth::True);
  EXPECT_EQ(C.reported(), "");
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

TEST(EvaluateRecords, DefaultsFollowOtherFields) {
  Checked C("model m { layers = 2, hidden = 512, heads = 8, ffn = 1024, vocab = 100 }\n"
            "model k from m { heads = 4 }\nmodel w from m { head_dim = 32 }\n");
  const Record *M = C.record("m"), *K = C.record("k"), *W = C.record("w");
  ASSERT_TRUE(M && K && W);
  EXPECT_TRUE(identical(M->num(model::kv_heads), 8));
  EXPECT_TRUE(identical(M->num(model::head_dim), 64));
  EXPECT_TRUE(identical(M->num(model::expert_ffn), 1024));
  EXPECT_TRUE(identical(K->num(model::kv_heads), 4)) << "a base gives what it writes, not its defaults";
  EXPECT_TRUE(identical(K->num(model::head_dim), 128));
  EXPECT_TRUE(identical(W->num(model::head_dim), 32));
  EXPECT_TRUE(identical(W->num(model::kv_heads), 8));
  EXPECT_TRUE(M->at(model::params).isAbsent());
}

TEST(EvaluateRecords, LibraryBasesGiveWhatTheyWrite) {
  Checked C("use std/models\nmodel m from llama3_8b { layers = 4 }\n");
  const Record *M = C.record("m");
  ASSERT_TRUE(M);
  EXPECT_TRUE(identical(M->num(model::layers), 4));
  EXPECT_TRUE(identical(M->num(model::kv_heads), 8));
  EXPECT_EQ(M->Origins[model::layers].K, Origin::Kind::Given);
  EXPECT_EQ(M->Origins[model::kv_heads].K, Origin::Kind::Library);
  EXPECT_EQ(M->Origins[model::head_dim].K, Origin::Kind::Default);
}

TEST(EvaluateRecords, BlocksOverrideFieldByField) {
  Checked C("use std/example\njob j from example_job { precision { compute = fp16 } }\n"
            "job k from j { precision { master = bf16 } }\n");
  const Record *J = C.record("j"), *K = C.record("k");
  ASSERT_TRUE(J && K);
  auto Type = [](const Record *Job, unsigned Field) {
    const Record *P = Job->rec(job::precision);
    return std::string(P->Schema->Fields[Field].Ty.Enum->Values[static_cast<size_t>(P->enumerator(Field))]);
  };
  EXPECT_EQ(Type(J, precision::compute), "fp16");
  EXPECT_EQ(Type(J, precision::weights), "fp16") << "the default follows";
  EXPECT_EQ(Type(J, precision::grads), "fp32") << "written in the library's example";
  EXPECT_EQ(Type(J, precision::master), "fp32");
  EXPECT_EQ(Type(K, precision::compute), "fp16");
  EXPECT_EQ(Type(K, precision::master), "bf16");
}

TEST(EvaluateRecords, BasesMayStandBehind) {
  Checked C("layout c from b { pp = 2 }\nlayout b from a { tp = 4 }\nlayout a { tp = 8, zero = 2 }\n");
  const Record *L = C.record("c");
  ASSERT_TRUE(L);
  EXPECT_TRUE(identical(L->num(layout::tp), 4));
  EXPECT_TRUE(identical(L->num(layout::pp), 2));
  EXPECT_TRUE(identical(L->num(layout::zero), 2));
  EXPECT_EQ(C.reported(), "");
}

TEST(EvaluateRecords, FieldsMayBeComputedFromLets) {
  Checked C("let side = 4 gpu/stage\nlayout l { tp = side * 2, pp = side * 1 stage^2/replica/gpu "
            "}\nlet a = l.tp * l.pp\n");
  EXPECT_TRUE(identical(C.number("a"), 32));
  EXPECT_EQ(C.typeOf("a"), "gpu/replica");
  EXPECT_EQ(C.reported(), "");
}

TEST(EvaluateRecords, AlternativesAreRemembered) {
  Checked C("use std/example\njob by_tokens from example_job { batch { global = 4Mi tok } }\n"
            "job by_sequences from example_job { batch { global = 512 seq } }\n");
  const Record *T = C.record("by_tokens"), *S = C.record("by_sequences");
  ASSERT_TRUE(T && S);
  EXPECT_EQ(T->rec(job::batch)->at(batch::global).Alternative, 0);
  EXPECT_EQ(S->rec(job::batch)->at(batch::global).Alternative, 1);
  EXPECT_EQ(C.reported(), "");
}

TEST(EvaluateRecords, WholeValuesBecomeCounts) {
  Checked C("model m { layers = 4, hidden = 64, heads = 16 / 2, head_dim = 32 * 50%, ffn = 8, "
            "vocab = 9 }\n");
  const Record *M = C.record("m");
  ASSERT_TRUE(M);
  EXPECT_TRUE(identical(M->num(model::heads), 8));
  EXPECT_TRUE(identical(M->num(model::head_dim), 16));
}

TEST(EvaluateRecords, OneItemIsOneRecord) {
  Checked C("layout l { tp = 8 }\n");
  EXPECT_EQ(C.record("l"), C.record("l"));
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

TEST(EvaluateJobs, LetsSeeTheResolvedJob) {
  Checked C("use std/example\nlet limit = 70 GiB/gpu\n"
            "job j from example_job {\n  let grid = layout.tp * layout.pp * layout.dp\n  let spare "
            "= limit - memory.peak\n"
            "  let first = memory.stage(0).weights\n  let same = memory.stage.weights(0)\n}\n");
  EXPECT_TRUE(identical(C.numberIn("j", "grid"), 64));
  EXPECT_TRUE(identical(C.numberIn("j", "first"), C.numberIn("j", "same")));
  Num Peak = rt::num(C.plan("j")->Context->derived(quantities::memory_peak));
  EXPECT_TRUE(identical(C.numberIn("j", "spare"), Num(int64_t(70) << 30) - Peak));
  EXPECT_EQ(C.reported(), "");
}

TEST(EvaluateJobs, WhatDoesNotApplyIsNone) {
  Checked C("use std/example\njob j from example_job { let a = overlap.cp.exposed\n let b = "
            "known(overlap.cp) }\n");
  EXPECT_EQ(equal(C.numberIn("j", "a"), 0), Truth::True);
  EXPECT_EQ(C.reported(), "");
}

TEST(EvaluateJobs, CountedModelsHaveNoShape) {
  Checked C("use std/example\nmodel m { params = 7G elem }\n"
            "job j from example_job { model = m\n let total = params.total\n let six = "
            "flops.conventions.six_pt\n"
            "  let peak = memory.peak }\n");
  EXPECT_TRUE(identical(C.numberIn("j", "total"), 7'000'000'000));
  EXPECT_EQ(C.numberIn("j", "six").real(), 42e9);
  EXPECT_TRUE(C.numberIn("j", "peak").isUnknown());
  EXPECT_EQ(C.reported(), "");
}

} // namespace
