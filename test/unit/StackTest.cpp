// Stacks: what the software of a run does, as a record. Which one a job has, and that a field of it acts on what names
// it and on nothing else.
#include "Eval/LibraryBuilder.h"
#include "Plan/Options.h"
#include "Support.h"
#include <algorithm>
#include <filesystem>

using namespace parlance;
namespace fs = std::filesystem;

namespace {

//===----------------------------------------------------------------------===//
// Which formulas name a field of a stack
//===----------------------------------------------------------------------===//

/// The library from its sources: formulas as trees.
class Formulas {
public:
  Formulas() {
    std::vector<std::string> Paths;
    for (const auto &Entry : fs::recursive_directory_iterator(PARLANCE_SOURCE_DIR "/lib/std"))
      if (Entry.path().extension() == ".parl")
        Paths.push_back(Entry.path().string());
    std::ranges::sort(Paths);
    Ok = Builder.build(Paths);
    Named.resize(Lib.Derives.size());
    Done.resize(Lib.Derives.size());
  }

  /// The fields of the stack that a derived quantity names, itself or through others.
  const std::set<unsigned> &named(uint32_t Derive) {
    if (!Done[Derive]) {
      Done[Derive] = true;
      std::set<unsigned> Found;
      for (const ast::Expr *E : {Lib.Derives[Derive].Tree->Value, Lib.Derives[Derive].Tree->Extra})
        if (E)
          walk(*E, Found);
      Named[Derive] = std::move(Found);
    }
    return Named[Derive];
  }
  bool Ok = false;

private:
  void walk(const ast::Expr &E, std::set<unsigned> &Found) {
    using Kind = ast::Ref::Kind;
    const SchemaDecl &Job = *Lib.schema("job");
    bool OfStack = E.Target.K == Kind::Field && E.Args[0]->Target.K == Kind::JobField &&
                   E.Args[0]->Target.Index == fields::job::stack;
    if (OfStack)
      Found.insert(E.Target.Index);
    else if (E.Target.K == Kind::JobField && Job.Fields[E.Target.Index].DefaultExpr) // which the job leaves to it
      walk(*Job.Fields[E.Target.Index].DefaultExpr, Found);
    else if (E.Target.K == Kind::Derive)
      for (unsigned Field : named(E.Target.Index))
        Found.insert(Field);
    for (const ast::Expr *A : E.Args)
      walk(*A, Found);
  }

  SourceManager Sources;
  DiagnosticEngine Diags;
  LibraryBuilder Builder{Sources, Diags};
  const Library &Lib = Builder.library();
  std::vector<std::set<unsigned>> Named;
  std::vector<bool> Done;
};

Formulas &formulas() {
  static Formulas F;
  return F;
}

//===----------------------------------------------------------------------===//
// Stacks and jobs
//===----------------------------------------------------------------------===//

std::vector<std::string_view> stackNames() {
  std::vector<std::string_view> Names;
  for (const LibraryRecord &R : standardLibrary().Records)
    if (R.Schema->Name == "stack")
      Names.push_back(R.Name);
  return Names;
}

/// Jobs in which the branches of the formulas differ: sharding, pipelines, experts, kernels, packed and recomputed.
constexpr std::string_view Jobs =
    "use std/example\nuse std/hardware\nuse std/models\n"
    "cluster slow from example_cluster { inter = efa_100g }\n"
    "job dense from example_job { }\n"
    "job whole from example_job { layout { tp = 2, pp = 1, zero = 0, sequence_parallel = false }, batch { micro = 1 "
    "seq } }\n"
    "job parts from example_job { layout { tp = 1, pp = 1, zero = 2, sequence_parallel = false }, model = llama3_8b }\n"
    "job shards from example_job { layout { tp = 2, pp = 4, zero = 3 }, precision { grads = bf16 } }\n"
    "job wide from example_job { cluster = slow, layout { tp = 16, pp = 1 } }\n"
    "job piped from example_job { cluster = slow, layout { tp = 8, pp = 8, recompute = full } }\n"
    "job experts from example_job { model = mixtral_8x7b, layout { tp = 1, pp = 2, ep = 8, zero = 1 } }\n"
    "job once from parts { layout { zero = 1 }, batch { micro = 2 seq, accum = 1 }, precision { grads = bf16 } }\n"
    "job moved from parts { deepspeed { zero_optimization { offload_optimizer { device = cpu } } } }\n";

bool same(const Value &A, const Value &B) {
  return A.K == Value::Kind::Quantity && B.K == Value::Kind::Quantity ? identical(A.Number, B.Number)
                                                                      : rt::sameValue(A, B);
}

/// All quantities of a job, and those of its first and last stage.
std::vector<Value> everythingOf(const Plan &P) {
  const Library &Lib = standardLibrary();
  std::vector<Value> Result;
  for (uint32_t I = 0; I < Lib.Derives.size(); ++I) {
    const DeriveDecl &D = Lib.Derives[I];
    bool Staged = D.Params.size() == 1 && D.Params[0].Ty.isQuantity();
    Value Stage = Value::of(Num(0));
    Result.push_back(!isTranslation(D) && (D.Params.empty() || Staged) ? P.Context->derived(I, &Stage) : Value());
  }
  return Result;
}

/// A job with another stack, whose defaults follow.
std::optional<Plan> withStack(Checked &C, std::string_view Job, const Record *Stack) {
  Record *Own = C.Values.own(*C.Values.explicitRecord(C.Main, *C.item(Job)));
  Own->Values[fields::job::stack] = Value::record(Stack);
  Own->Origins[fields::job::stack].K = Origin::Kind::Given;
  return resolve(*C.Values.complete(*Own), C.Values);
}

const Record *stackNamed(Checked &C, std::string_view Name) {
  return C.Values.libraryInstance(static_cast<uint32_t>(C.Lib.record(Name)));
}

Num quantityOf(Checked &C, std::string_view Job, Quantity Q) { return rt::num(C.plan(Job)->Context->derived(Q)); }

} // namespace

//===----------------------------------------------------------------------===//
// Which stack a job has
//===----------------------------------------------------------------------===//

TEST(Stack, FollowsTheTarget) {
  const Library &Lib = standardLibrary();
  for (std::string_view Target : Lib.schema("job")->Fields[fields::job::target].Ty.Enum->Values) {
    Checked C(fmt::format("use std/example\njob j from example_job {{ target = {} }}\n", Target));
    ASSERT_TRUE(C.plan("j")) << Target;
    EXPECT_EQ(C.plan("j")->Job->rec(fields::job::stack)->Name, Target);
  }
}

TEST(Stack, IsChosenAndForked) {
  Checked C("use std/example\nuse std/stacks\n"
            "stack ours from megatron_2021 { gradient_overlap = true }\n"
            "job now from example_job { layout { tp = 1, pp = 1 }, attention_kernel = eager }\n"
            "job old from now { stack = megatron_2021 }\n"
            "job fork from now { stack = ours }\n"
            "job other from old { target = nanotron }\n");
  EXPECT_EQ(C.plan("old")->Job->rec(fields::job::stack)->Name, "megatron_2021");
  EXPECT_EQ(C.plan("other")->Job->rec(fields::job::stack)->Name, "megatron_2021") << "the target does not change it";
  // Eager attention changes attention; what the software of its time did besides is the stack's.
  double Now = quantityOf(C, "now", quantities::overlap_dp_exposed).real(),
         Old = quantityOf(C, "old", quantities::overlap_dp_exposed).real(),
         Fork = quantityOf(C, "fork", quantities::overlap_dp_exposed).real();
  EXPECT_EQ(Old, quantityOf(C, "old", quantities::overlap_dp_comm).real());
  EXPECT_LT(Now, Old);
  EXPECT_EQ(Now, Fork);
  EXPECT_EQ(C.reported(), "");
}

/// The kernels of a job are its stack's unless it says so; a changed target changes both, a stack that was given stays.
TEST(Stack, DefaultsFollowAChange) {
  Checked C("use std/example\nuse std/stacks\n"
            "job j from example_job { }\njob given from example_job { stack = megatron }\n");
  const EnumDecl &Targets = *C.Lib.schema("job")->Fields[fields::job::target].Ty.Enum;
  auto Changed = [&](std::string_view Job) {
    Value To = Value::enumerator(static_cast<uint32_t>(Targets.find("nanotron")));
    return withField(*C.plan(Job), "target", To, C.Values);
  };
  auto J = Changed("j"), Given = Changed("given");
  ASSERT_TRUE(J && Given);
  EXPECT_EQ(J->Job->rec(fields::job::stack)->Name, "nanotron");
  EXPECT_EQ(J->Job->rec(fields::job::stack)->num(fields::stack::activation_surplus).real(), 1.1);
  EXPECT_EQ(Given->Job->rec(fields::job::stack)->Name, "megatron");
  EXPECT_NE(J->Job->enumerator(fields::job::kernels), Given->Job->enumerator(fields::job::kernels));
  auto Back = retarget(*J, "megatron", C.Values);
  ASSERT_TRUE(Back);
  EXPECT_EQ(Back->Job->rec(fields::job::stack)->Name, "megatron");
}

/// A file's own stacks and the options of a job have one name: a rule means the options.
TEST(Stack, RulesSeeTheOptionsOfTheSameName) {
  Checked C("use std/example\nuse std/stacks\n"
            "job j from example_job { let apart = known(megatron.seq_length)\n let one = stack.logit_bytes }\n"
            "require megatron.logit_bytes == 6 B/elem\n");
  EXPECT_EQ(C.numberIn("j", "one").real(), 6);
  C.analyze();
  EXPECT_EQ(C.reported(), "");
}

//===----------------------------------------------------------------------===//
// What a field acts on
//===----------------------------------------------------------------------===//

/// Every field is named by a formula, but for the text.
TEST(Stack, EveryFieldIsRead) {
  ASSERT_TRUE(formulas().Ok);
  const Library &Lib = standardLibrary();
  std::set<unsigned> Read;
  for (uint32_t D = 0; D < Lib.Derives.size(); ++D)
    for (unsigned Field : formulas().named(D))
      Read.insert(Field);
  // The default of another field counts: it is read where that is.
  Read.insert(fields::stack::gradient_overlap);
  const SchemaDecl &Stack = *Lib.schema("stack");
  for (unsigned F = 0; F < Stack.Fields.size(); ++F)
    EXPECT_EQ(Read.contains(F), F != fields::stack::versions) << Stack.Fields[F].Name;
}

/// A field of one stack put into another: it evaluates, and what changes names it.
TEST(Stack, FieldsActOnWhatNamesThem) {
  ASSERT_TRUE(formulas().Ok);
  Checked C{std::string(Jobs)};
  const SchemaDecl &Schema = *C.Lib.schema("stack");
  std::vector<std::string_view> Names = stackNames();
  std::vector<unsigned> Moves(Schema.Fields.size());
  for (std::string_view Job : {"dense", "whole", "parts", "shards", "wide", "piped", "experts", "once", "moved"})
    for (std::string_view Into : Names) {
      auto Before = withStack(C, Job, stackNamed(C, Into));
      ASSERT_TRUE(Before) << Job;
      auto Was = everythingOf(*Before);
      ASSERT_TRUE(rt::num(Was[quantities::time_step.Index]).isKnown()) << Job << " " << Into;
      for (std::string_view From : Names)
        for (unsigned F = 0; F < Schema.Fields.size(); ++F) {
          Record Mixed = *stackNamed(C, Into);
          if (same(Mixed.Values[F], stackNamed(C, From)->Values[F]))
            continue;
          Mixed.Values[F] = stackNamed(C, From)->Values[F];
          auto After = withStack(C, Job, C.Values.own(Mixed));
          ASSERT_TRUE(After) << Job;
          auto Is = everythingOf(*After);
          for (Quantity Q : {quantities::memory_peak, quantities::time_step})
            ASSERT_TRUE(rt::num(Is[Q.Index]).isKnown()) << Schema.Fields[F].Name << " of " << From << " in " << Into;
          for (uint32_t D = 0; D < Is.size(); ++D) {
            if (same(Was[D], Is[D]))
              continue;
            ++Moves[F];
            ASSERT_TRUE(formulas().named(D).contains(F))
                << Schema.Fields[F].Name << " of " << From << " in " << Into << " moves " << C.Lib.Derives[D].Name;
          }
        }
    }
  EXPECT_EQ(C.reported(), "");
  for (unsigned F = 0; F < Schema.Fields.size(); ++F)
    EXPECT_TRUE(
        Moves[F] || F == fields::stack::versions ||
        std::ranges::all_of(
            Names, [&](auto N) { return same(stackNamed(C, N)->Values[F], stackNamed(C, Names[0])->Values[F]); }))
        << Schema.Fields[F].Name << " moves nothing in any of the jobs";
}

/// Two stacks are not one with another name: some two differ in at least half of their fields.
TEST(Stack, StacksDiffer) {
  Checked C("let x = 1\n");
  std::vector<std::string_view> Names = stackNames();
  size_t Most = 0, Fields = C.Lib.schema("stack")->Fields.size();
  for (std::string_view A : Names)
    for (std::string_view B : Names) {
      size_t Different = 0;
      for (size_t F = 0; F < Fields; ++F)
        Different += !same(stackNamed(C, A)->Values[F], stackNamed(C, B)->Values[F]);
      EXPECT_TRUE(A == B || Different > 1) << A << " and " << B;
      Most = std::max(Most, Different);
    }
  EXPECT_GE(2 * Most, Fields);
}
