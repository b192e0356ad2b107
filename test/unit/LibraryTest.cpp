// The library that was compiled in against its sources: every formula that parlance-gen turned into C++ must give the
// same bits as its tree, and every table must be what lib/std declares.
#include "Eval/LibraryBuilder.h"
#include "Plan/Options.h"
#include "Sema/ItemChecker.h"
#include "Support.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <filesystem>
#include <map>
#include <random>

using namespace parlance;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> librarySources() {
  std::vector<std::string> Paths;
  for (const auto &Entry : fs::recursive_directory_iterator(PARLANCE_SOURCE_DIR "/lib/std"))
    if (Entry.path().extension() == ".parl")
      Paths.push_back(Entry.path().string());
  std::ranges::sort(Paths);
  return Paths;
}

/// The library made from its sources, evaluated from trees.
struct Interpreted {
  SourceManager Sources;
  DiagnosticEngine Diags;
  LibraryBuilder Builder{Sources, Diags};
  bool Ok = Builder.build(librarySources());
  const Library &Lib = Builder.library();
  /// Reports (divisions by zero and the like are what random arguments lead to) go nowhere.
  DiagnosticEngine Ignored;

  Evaluator evaluator() {
    Evaluator E(Sources, Lib, Ignored);
    E.PreferTrees = true;
    return E;
  }
};

Interpreted &interpreted() {
  static Interpreted I;
  return I;
}

/// Two values of one type; what cannot be told is unknown in either form.
bool sameValue(const Type &T, const Value &A, const Value &B) {
  switch (T.K) {
  case Type::Kind::Quantity:
    return A.K == Value::Kind::Auto ? B.K == A.K : identical(rt::num(A), rt::num(B));
  case Type::Kind::Bool:
    return rt::flag(A) == rt::flag(B);
  case Type::Kind::Enum:
    return rt::enumerator(A) == rt::enumerator(B);
  case Type::Kind::String:
    return A.Text == B.Text;
  case Type::Kind::Scaled:
    return A.K == B.K && identical(A.Number, B.Number);
  default:
    return A.K == B.K;
  }
}

std::string shown(const Value &V) {
  switch (V.K) {
  case Value::Kind::Quantity:
    return parlance::shown(V.Number);
  case Value::Kind::Bool:
    return V.Flag == Truth::True ? "true" : V.Flag == Truth::False ? "false" : "undecided";
  case Value::Kind::Enum:
    return fmt::format("enumerator {}", V.Index);
  case Value::Kind::Record:
    return std::string(V.Rec->Name);
  case Value::Kind::Absent:
    return "absent";
  default:
    return "another kind";
  }
}

std::string shown(const std::vector<Value> &Args) {
  std::string Out;
  for (const Value &V : Args)
    Out += (Out.empty() ? "" : ", ") + shown(V);
  return Out;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Pseudo-random values of a type, the same in every run.
class Arguments {
public:
  explicit Arguments(uint64_t Seed) : Random(Seed), Complete(Sources, standardLibrary(), Ignored) {
    for (const LibraryRecord &R : standardLibrary().Records)
      Records[R.Schema->Name].push_back(Complete.libraryInstance(index(R)));
  }

  Value of(const Type &T, bool Small = false) {
    if (chance(25))
      return {};
    switch (T.K) {
    case Type::Kind::Quantity:
      return Value::of(number(T, Small));
    case Type::Kind::Bool:
      return Value::of(truth(chance(2)));
    case Type::Kind::Enum:
      return Value::enumerator(below(static_cast<uint32_t>(T.Enum->Values.size())));
    case Type::Kind::Record:
      return Value::record(record(*T.Schema));
    default:
      return {};
    }
  }
  bool chance(uint32_t OneIn) { return below(OneIn) == 0; }
  uint32_t below(uint32_t N) { return static_cast<uint32_t>(Random() % N); }

  /// A library record of a schema with some fields changed or taken away.
  const Record *record(const SchemaDecl &Schema) {
    auto &Known = Records[Schema.Name];
    Record Copy = Known.empty() ? Record{&Schema,
                                         Schema.Name,
                                         {},
                                         std::vector<Value>(Schema.Fields.size()),
                                         std::vector<Origin>(Schema.Fields.size())}
                                : *Known[below(static_cast<uint32_t>(Known.size()))];
    if (Known.empty() || !chance(3))
      for (size_t I = 0; I < Copy.Values.size(); ++I)
        if (Known.empty() || chance(6))
          Copy.Values[I] = of(Schema.Fields[I].Ty, true);
    return &Made.emplace_back(std::move(Copy));
  }

private:
  static uint32_t index(const LibraryRecord &R) { return static_cast<uint32_t>(&R - standardLibrary().Records.data()); }
  Num number(const Type &T, bool Small) {
    if (chance(12))
      return 0;
    if (T.Dimension.isMeasured())
      return chance(8) ? Num(-real()) : Num(real());
    static constexpr int64_t Counts[] = {1, 1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 64, 96, 128, 1000, 4096};
    int64_t Count = Counts[below(std::size(Counts))];
    bool Counted = T.Integer || T.Dimension.isPopulation();
    if (Counted && !chance(20))
      return Small || !chance(8) ? Num(Count) : Num(Count * 1001);
    if (chance(10))
      return -Count;
    if (chance(30)) // far enough for products to overflow
      return Count * 1'100'000'000'000'000;
    return chance(2) ? Num(real()) : Num(Count * static_cast<int64_t>(below(1'000'000)));
  }
  double real() { return std::ldexp(static_cast<double>(Random() >> 11), static_cast<int>(below(60)) - 60); }

  std::mt19937_64 Random;
  SourceManager Sources;
  DiagnosticEngine Ignored;
  Evaluator Complete;
  std::map<std::string_view, std::vector<const Record *>> Records;
  std::deque<Record> Made;
};

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

/// Jobs of all sorts, resolved against the compiled library: the example with one to three things changed, and the
/// examples of all rules.
class Jobs {
public:
  Jobs() {
    for (const std::string &Text : texts())
      if (auto &C = *Files.emplace_back(std::make_unique<Checked>(Text)); const Plan *P = C.plan("j"))
        add(*P, C, Text);
    for (const RuleDecl &R : standardLibrary().Rules)
      if (!isForeign(R))
        for (std::string_view Text : {R.Example, R.Fixed})
          addAll(std::string(Text));
  }
  /// Whether a rule's example is a framework's own file: test/tools/coverage.py tries those.
  static bool isForeign(const RuleDecl &R) {
    std::string_view First = R.Example.substr(R.Example.find_first_not_of(" \n"));
    First = First.substr(0, First.find('\n'));
    return First.starts_with("# ") && std::ranges::any_of(std::array{".sh", ".json", ".toml", ".yaml"},
                                                          [&](std::string_view End) { return First.ends_with(End); });
  }
  struct Entry {
    const Plan *Resolved;
    Checked *File;
    std::string Text;
  };
  std::vector<Entry> Plans;

private:
  static std::vector<std::string> texts() {
    static const std::string_view Layouts[] = {
        "",
        "tp = 4",
        "tp = 16, pp = 2",
        "tp = 1, sequence_parallel = false, pp = 1, zero = 3",
        "tp = 2, pp = 1, zero = 2",
        "pp = 8, virtual_stages = 5",
        "pp = 8, schedule = gpipe",
        "pp = 8, schedule = dualpipe",
        "pp = 8, schedule = zero_bubble",
        "cp = 2, pp = 2",
        "tp = 4, cp = 4, pp = 1, recompute = selective",
        "recompute = full",
        "tp = 1, sequence_parallel = false, pp = 4, ep = 8, recompute = full",
        "tp = 2, pp = 4, ep = 4, etp = 2",
        "tp = 3, pp = 5",
        "order = \"pp-tp-cp-ep-dp\"",
        "order = \"dp-tp-cp-ep-pp\", zero = 0",
        "dp = 7",
    };
    static const std::string_view Fields[] = {
        "",
        "model = mixtral_8x7b",
        "model = deepseek_v3, seq_len = 4096 tok/seq",
        "model = gpt2, seq_len = 1024 tok/seq, precision { compute = fp16 }",
        "model = gemma2_9b, target = torchtitan",
        "model = qwen3_30b_a3b, target = deepspeed, optimizer = lion",
        "model = mistral_7b, target = nanotron, convention = six_pt",
        "model = counted, target = accelerate",
        "precision { compute = fp8, master = bf16, moments = bf16 }, batch { global = 131 seq, "
        "micro = 3 seq/replica/microbatch }",
        "precision { compute = fp32 }, batch { accum = 4 }, optimizer = adamw_8bit",
        "cluster = small, batch { global = 1M tok }",
        "measured { step_time = 12 s, max_allocated = 60 GB, max_reserved = 70 GB, mfu = 40%, hfu "
        "= 45% }",
        "cluster = lone, measured { step_time = 1 s, mfu = 70% }",
        "cluster = rented, target = deepspeed",
        "assume memory_efficiency = 60%, assume communicator_memory = 1 GiB, assume contention = "
        "1.3, assume kernel_launch = 3 us, assume expert_imbalance = 1.5",
        "stack = forked, target = deepspeed",
        "stack = megatron_2021, layout { zero = 2 }",
    };
    std::vector<std::string> Result;
    for (std::string_view L : Layouts)
      for (std::string_view F : Fields)
        Result.push_back(fmt::format(
            "use std/example\nuse std/models\nuse std/hardware\nuse std/stacks\n"
            "stack forked from nanotron {{ kernels = fused, bucket = in_elements, bucket_elements = 1M elem/gpu }}\n"
            "model counted {{ params = 7G elem }}\n"
            "cluster small from example_cluster {{ node = 4 * a100_80g_sxm, nodes = 3 }}\n"
            "device priced from h100_sxm {{ price = 3 USD/hour }}\n"
            "cluster rented from example_cluster {{ node = 8 * priced }}\n"
            "cluster lone {{ node = 8 * h100_sxm, nodes = 1 }}\n"
            "layout l from example_layout {{ {} }}\njob j from example_job {{ layout = l{}{} }}\n",
            L, F.empty() ? "" : ", ", F));
    return Result;
  }
  /// Rules judge a job with the options that say the same.
  void add(const Plan &P, Checked &C, const std::string &Text) {
    Plans.push_back({&WithOptions.emplace_back(withOptions(P, C.Values)), &C, Text});
  }
  void addAll(const std::string &Text) {
    auto &C = *Files.emplace_back(std::make_unique<Checked>(Text));
    for (ast::Item *I : C.Main.Tree->Items)
      if (I->Kind == ast::ItemKind::Record && I->Declared.Schema && I->Declared.Schema->Name == "job")
        if (const Plan *P = C.plan(I->Id.Text))
          add(*P, C, Text);
  }
  std::vector<std::unique_ptr<Checked>> Files;
  std::deque<Plan> WithOptions;
};

Jobs &jobs() {
  static Jobs J;
  return J;
}

/// All argument lists of a derived quantity: stages and chunks 0 to 3 and one far away, all enumerators.
std::vector<std::vector<Value>> argumentLists(std::span<const ParamDecl> Params) {
  std::vector<std::vector<Value>> Lists{{}};
  for (const ParamDecl &P : Params) {
    std::vector<std::vector<Value>> Longer;
    for (const auto &L : Lists) {
      std::vector<Value> Choices{Value()};
      if (P.Ty.K == Type::Kind::Enum)
        for (uint32_t I = 0; I < P.Ty.Enum->Values.size(); ++I)
          Choices.push_back(Value::enumerator(I));
      else
        for (int64_t I : {0, 1, 3, 1'000'000})
          Choices.push_back(Value::of(Num(I)));
      for (const Value &V : Choices) {
        Longer.push_back(L);
        Longer.back().push_back(V);
      }
    }
    Lists = std::move(Longer);
  }
  return Lists;
}

class StandardLibrary : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(I.Ok) << "lib/std does not check"; }
  Interpreted &I = interpreted();
  const Library &Lib = standardLibrary();
};

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

TEST_F(StandardLibrary, FunctionsEqualTheirTrees) {
  ASSERT_EQ(Lib.Functions.size(), I.Lib.Functions.size());
  Arguments A(20'240'229);
  Evaluator E = I.evaluator();
  // Once as the library has it, once with every constant assumed to be something else.
  Assumptions All(Lib.constants());
  for (size_t K = 0; K < All.size(); ++K)
    All[K].Value = Num(0.25 + static_cast<double>(K));
  Record Plain, Assuming;
  Assuming.Assumed = &All;
  JobContext Contexts[] = {{Lib, Plain}, {Lib, Assuming}};
  for (size_t F = 0; F < Lib.Functions.size(); ++F) {
    const FunctionDecl &Native = Lib.Functions[F], &Tree = I.Lib.Functions[F];
    ASSERT_EQ(Native.Name, Tree.Name);
    EXPECT_EQ(Native.Constant, Tree.Constant);
    unsigned Known = 0, Rounds = Native.Params.empty() ? 2 : 500;
    for (unsigned Round = 0; Round < Rounds; ++Round) {
      std::vector<Value> Args;
      for (const ParamDecl &P : Native.Params)
        Args.push_back(A.of(P.Ty));
      Evaluator::Frame Frame;
      Frame.Job = &Contexts[Round % 2];
      Frame.Locals = Args;
      Value Got = Native.Native(Frame.Job->calibration(), Args.data()), Want;
      if (Native.Constant >= 0 && Round % 2)
        Want = Value::of(All[static_cast<size_t>(Native.Constant)].Value);
      else
        Want = E.eval(*Tree.Tree->Value, Frame);
      Known += Got.K != Value::Kind::Quantity || Got.Number.isKnown();
      ASSERT_TRUE(sameValue(Native.Result, Got, Want))
          << Native.Name << "(" << shown(Args) << ") is " << shown(Got) << ", its tree gives " << shown(Want);
    }
    EXPECT_GT(Known * 40, Rounds) << Native.Name << ": too few arguments led to a value";
  }
}

/// Every body against its tree, in which other derived quantities and functions are the compiled ones: if all agree so,
/// they agree all the way down. A few jobs are evaluated from trees throughout.
void compareDerived(const Jobs::Entry &Job, bool OnlyTrees, std::vector<bool> &Seen) {
  Interpreted &I = interpreted();
  const Library &Lib = standardLibrary();
  Evaluator E(I.Sources, OnlyTrees ? I.Lib : Lib, I.Ignored);
  E.PreferTrees = OnlyTrees;
  for (uint32_t D = 0; D < Lib.Derives.size(); ++D) {
    const DeriveDecl &Native = Lib.Derives[D], &Tree = I.Lib.Derives[D];
    ASSERT_EQ(Native.Name, Tree.Name);
    for (const auto &Args : argumentLists(Native.Params)) {
      Value Got = Job.Resolved->Context->derived(D, Args.data()), Want;
      Evaluator::Frame Frame = Job.Resolved->frame();
      Frame.Locals = Args;
      Truth Applies = Tree.Tree->Extra ? E.condition(*Tree.Tree->Extra, Frame) : Truth::True;
      if (Applies == Truth::True)
        Want = E.eval(*Tree.Tree->Value, Frame);
      if (Native.Result.isQuantity() && Applies != Truth::Unknown)
        ASSERT_EQ(Got.isAbsent(), Applies == Truth::False) << Native.Name << "\n" << Job.Text;
      ASSERT_TRUE(sameValue(Native.Result, Got, Want))
          << Native.Name << "(" << shown(Args) << ") is " << shown(Got) << ", its tree gives " << shown(Want) << "\n"
          << Job.Text;
      Seen[D] = Seen[D] || (Native.Result.isQuantity() ? rt::num(Got).isKnown() : !Got.isAbsent());
    }
  }
}

TEST_F(StandardLibrary, DerivedQuantitiesEqualTheirTrees) {
  ASSERT_EQ(Lib.Derives.size(), I.Lib.Derives.size());
  ASSERT_GT(jobs().Plans.size(), 150u);
  std::vector<bool> Seen(Lib.Derives.size());
  for (size_t J = 0; J < jobs().Plans.size(); ++J) {
    compareDerived(jobs().Plans[J], false, Seen);
    if (J % 29 == 0)
      compareDerived(jobs().Plans[J], true, Seen);
    if (HasFatalFailure())
      return;
  }
  for (size_t D = 0; D < Seen.size(); ++D)
    EXPECT_TRUE(Seen[D] || isTranslation(Lib.Derives[D]) ||
                Lib.Derives[D].Name.find("_reads.") != std::string_view::npos)
        << Lib.Derives[D].Name << " is known in none of the jobs";
}

TEST_F(StandardLibrary, RulesEqualTheirTrees) {
  ASSERT_EQ(Lib.Rules.size(), I.Lib.Rules.size());
  std::vector<bool> Broken(Lib.Rules.size()), Kept(Lib.Rules.size());
  for (const auto &[Resolved, File, Text] : jobs().Plans) {
    Evaluator E(I.Sources, Lib, I.Ignored);
    Evaluator::Frame Frame = Resolved->frame();
    for (size_t R = 0; R < Lib.Rules.size(); ++R) {
      ASSERT_EQ(Lib.Rules[R].Code, I.Lib.Rules[R].Code);
      auto Form = ruleForm(*I.Lib.Rules[R].Tree, I.Ignored);
      ASSERT_TRUE(Form);
      Truth When = Form->When ? E.condition(*Form->When, Frame) : Truth::True;
      Truth Unless = Form->Unless ? E.condition(*Form->Unless, Frame) : Truth::False;
      Truth Got = Lib.Rules[R].Violated(*Resolved->Context);
      ASSERT_EQ(Got, When & !Unless) << Lib.Rules[R].Code << " " << Lib.Rules[R].Name << "\n" << Text;
      Broken[R] = Broken[R] || Got == Truth::True;
      Kept[R] = Kept[R] || Got == Truth::False;
    }
  }
  for (size_t R = 0; R < Lib.Rules.size(); ++R) {
    if (Jobs::isForeign(Lib.Rules[R]))
      continue;
    EXPECT_TRUE(Broken[R]) << Lib.Rules[R].Code << " fires for none of the jobs";
    EXPECT_TRUE(Kept[R]) << Lib.Rules[R].Code << " holds for none of the jobs";
  }
}

TEST_F(StandardLibrary, DefaultsEqualTheirTrees) {
  Arguments A(7);
  Evaluator E = I.evaluator();
  for (size_t S = 0; S < Lib.Schemas.size(); ++S) {
    const SchemaDecl &Native = *Lib.Schemas[S], &Tree = *I.Lib.Schemas[S];
    for (size_t F = 0; F < Native.Fields.size(); ++F) {
      const FieldDecl &Field = Native.Fields[F];
      ASSERT_EQ(Field.Default != nullptr, Tree.Fields[F].DefaultExpr != nullptr) << Native.Name << "." << Field.Name;
      for (unsigned Round = 0; Field.Default && Round < 200; ++Round) {
        const Record *R = A.record(Native);
        Value Got = Field.Default(*R), Want = E.treeDefault(*R, Tree.Fields[F]);
        ASSERT_EQ(Got.K == Value::Kind::Auto, Field.AllowAuto);
        ASSERT_TRUE(sameValue(Field.Ty, Got, Want))
            << Native.Name << "." << Field.Name << " is " << shown(Got) << ", its tree gives " << shown(Want);
        ASSERT_EQ(Got.Rec ? Got.Rec->Name : "", Want.Rec ? Want.Rec->Name : "") << Native.Name << "." << Field.Name;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void sameSource(const LibrarySource &A, const LibrarySource &B) {
  EXPECT_EQ(A.File, B.File);
  EXPECT_EQ(A.Line, B.Line);
  EXPECT_EQ(A.Text, B.Text);
}

void sameParams(std::string_view Name, std::span<const ParamDecl> A, std::span<const ParamDecl> B) {
  ASSERT_EQ(A.size(), B.size()) << Name;
  for (size_t I = 0; I < A.size(); ++I) {
    EXPECT_EQ(A[I].Name, B[I].Name);
    EXPECT_EQ(typeName(A[I].Ty), typeName(B[I].Ty)) << Name;
  }
}

/// The fields of a library record as declared, without defaults.
void sameRecord(const Record &A, const Record &B) {
  ASSERT_EQ(A.Values.size(), B.Values.size());
  EXPECT_EQ(A.Name, B.Name);
  for (size_t F = 0; F < A.Values.size(); ++F) {
    const FieldDecl &Field = A.Schema->Fields[F];
    std::string Where = fmt::format("{}.{}", A.Name, Field.Name);
    EXPECT_EQ(A.Values[F].K, B.Values[F].K) << Where;
    EXPECT_EQ(A.Values[F].Alternative, B.Values[F].Alternative) << Where;
    EXPECT_TRUE(sameValue(Field.Ty, A.Values[F], B.Values[F])) << Where;
    EXPECT_EQ(A.Origins[F].K, B.Origins[F].K) << Where;
    EXPECT_EQ(A.Origins[F].Where, B.Origins[F].Where) << Where;
    // Records of their own are compared by name: they have entries of their own.
    if (!A.Values[F].Rec || !B.Values[F].Rec)
      continue;
    EXPECT_EQ(A.Values[F].Rec->Name, B.Values[F].Rec->Name) << Where;
    if (!A.Values[F].Rec->Schema->TopLevel)
      sameRecord(*A.Values[F].Rec, *B.Values[F].Rec);
  }
}

TEST_F(StandardLibrary, SchemasAreTheDeclaredOnes) {
  ASSERT_EQ(Lib.Schemas.size(), I.Lib.Schemas.size());
  for (size_t S = 0; S < Lib.Schemas.size(); ++S) {
    const SchemaDecl &A = *Lib.Schemas[S], &B = *I.Lib.Schemas[S];
    EXPECT_EQ(A.Name, B.Name);
    EXPECT_EQ(A.Doc, B.Doc);
    EXPECT_FALSE(A.Doc.empty()) << A.Name;
    EXPECT_EQ(A.TopLevel, B.TopLevel);
    ASSERT_EQ(A.Fields.size(), B.Fields.size());
    for (size_t F = 0; F < A.Fields.size(); ++F) {
      const FieldDecl &X = A.Fields[F], &Y = B.Fields[F];
      std::string Where = fmt::format("{}.{}", A.Name, X.Name);
      EXPECT_EQ(X.Name, Y.Name);
      EXPECT_EQ(typeName(X.Ty), typeName(Y.Ty)) << Where;
      EXPECT_EQ(X.Ty.Integer, Y.Ty.Integer) << Where;
      EXPECT_EQ(X.Alternatives.size(), Y.Alternatives.size()) << Where;
      EXPECT_EQ(X.Doc, Y.Doc);
      EXPECT_TRUE(!X.Doc.empty() || A.Name == "peak") << Where << " says nothing";
      EXPECT_EQ(std::tie(X.Required, X.Computed, X.AllowAuto, X.Minimum, X.Maximum, X.DefaultText),
                std::tie(Y.Required, Y.Computed, Y.AllowAuto, Y.Minimum, Y.Maximum, Y.DefaultText))
          << Where;
    }
  }
}

TEST_F(StandardLibrary, FunctionsAreTheDeclaredOnes) {
  for (size_t F = 0; F < Lib.Functions.size(); ++F) {
    const FunctionDecl &A = Lib.Functions[F], &B = I.Lib.Functions[F];
    EXPECT_FALSE(A.Doc.empty()) << A.Name;
    EXPECT_EQ(A.Doc, B.Doc);
    EXPECT_EQ(typeName(A.Result), typeName(B.Result)) << A.Name;
    sameParams(A.Name, A.Params, B.Params);
    sameSource(A.Source, B.Source);
    EXPECT_EQ(Lib.function(A.Name), static_cast<int>(F));
    if (F)
      EXPECT_LT(Lib.Functions[F - 1].Name, A.Name);
  }
  EXPECT_EQ(Lib.function("no_such_function"), -1);
}

TEST_F(StandardLibrary, DerivedQuantitiesAreTheDeclaredOnes) {
  for (size_t D = 0; D < Lib.Derives.size(); ++D) {
    const DeriveDecl &A = Lib.Derives[D], &B = I.Lib.Derives[D];
    EXPECT_FALSE(A.Doc.empty()) << A.Name;
    EXPECT_EQ(A.Doc, B.Doc);
    EXPECT_EQ(typeName(A.Result), typeName(B.Result)) << A.Name;
    sameParams(A.Name, A.Params, B.Params);
    sameSource(A.Source, B.Source);
    EXPECT_EQ(Lib.derive(A.Name), static_cast<int>(D));
    EXPECT_EQ(A.Group, I.Lib.Derives[D].Group) << A.Name;
    if (D)
      EXPECT_LT(Lib.Derives[D - 1].Name, A.Name);
  }
}

TEST_F(StandardLibrary, ConstantsNameDerivedQuantities) {
  EXPECT_EQ(Lib.Derives[quantities::memory_peak.Index].Name, "memory.peak");
  EXPECT_EQ(Lib.Derives[quantities::world.Index].Name, "world");
  EXPECT_EQ(Lib.Derives[quantities::memory_peak.Index].Group, QuantityGroup::Memory);
  EXPECT_EQ(Lib.Derives[quantities::overlap_dp_bytes.Index].Group, QuantityGroup::Job);
}

TEST_F(StandardLibrary, RecordsAreTheDeclaredOnes) {
  ASSERT_EQ(Lib.Records.size(), I.Lib.Records.size());
  for (size_t R = 0; R < Lib.Records.size(); ++R) {
    const LibraryRecord &A = Lib.Records[R], &B = I.Lib.Records[R];
    EXPECT_EQ(A.Name, B.Name);
    EXPECT_EQ(A.Module, B.Module);
    EXPECT_EQ(A.Doc, B.Doc);
    EXPECT_TRUE(!A.Doc.empty() || A.Module == "std/example") << A.Name;
    EXPECT_EQ(A.Schema->Name, B.Schema->Name);
    sameSource(A.Source, B.Source);
    sameRecord(*A.instance(), *B.instance());
    EXPECT_EQ(Lib.record(A.Name), static_cast<int>(R));
    if (R)
      EXPECT_LT(Lib.Records[R - 1].Name, A.Name);
    EXPECT_NE(std::ranges::find(Lib.Modules, A.Module), Lib.Modules.end());
  }
}

TEST_F(StandardLibrary, UnitsAreTheDeclaredOnes) {
  auto A = Lib.Units.names(), B = I.Lib.Units.names();
  ASSERT_EQ(A.size(), B.size());
  for (size_t U = 0; U < A.size(); ++U) {
    EXPECT_EQ(A[U].Name, B[U].Name);
    EXPECT_EQ(A[U].Dimension, B[U].Dimension) << A[U].Name;
    EXPECT_EQ(A[U].Factor, B[U].Factor) << A[U].Name;
    if (U)
      EXPECT_LT(A[U - 1].Name, A[U].Name);
  }
  auto X = Lib.Units.refusedNames(), Y = I.Lib.Units.refusedNames();
  ASSERT_EQ(X.size(), Y.size());
  for (size_t U = 0; U < X.size(); ++U) {
    EXPECT_EQ(X[U].Name, Y[U].Name);
    EXPECT_EQ(X[U].Message, Y[U].Message);
    EXPECT_TRUE(std::ranges::equal(X[U].Replacements, Y[U].Replacements));
    for (std::string_view Word : X[U].Replacements)
      EXPECT_TRUE(Lib.Units.find(Word)) << Word << " is offered for " << X[U].Name;
    EXPECT_FALSE(Lib.Units.find(X[U].Name)) << X[U].Name << " is refused and a unit";
  }
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

TEST_F(StandardLibrary, RulesAreComplete) {
  for (size_t R = 0; R < Lib.Rules.size(); ++R) {
    const RuleDecl &A = Lib.Rules[R], &B = I.Lib.Rules[R];
    bool WellFormed = A.Code.size() == 6 && A.Code.starts_with("PL") &&
                      std::all_of(A.Code.begin() + 2, A.Code.end(), [](char C) { return C >= '0' && C <= '9'; });
    EXPECT_TRUE(WellFormed) << A.Code;
    // Below PL2000 are syntax, names, evaluation and units; PL9000 and up belong to users.
    EXPECT_TRUE(A.Code >= "PL2000" && A.Code < "PL9000") << A.Code;
    if (R)
      EXPECT_LT(Lib.Rules[R - 1].Code, A.Code);
    EXPECT_TRUE(std::ranges::all_of(A.Name, [](char C) { return C == '-' || std::islower(C) || std::isdigit(C); }))
        << A.Name;
    for (std::string_view Text : {A.Message, A.Example, A.Fixed})
      EXPECT_FALSE(Text.empty()) << A.Code;
    EXPECT_FALSE(A.Why.empty() && A.Raises.empty()) << A.Code;
    EXPECT_EQ(std::tie(A.Name, A.Level, A.Field, A.Message, A.Why, A.Example, A.Fixed, A.Caret, A.Raises, A.Explains,
                       A.AboutOptions),
              std::tie(B.Name, B.Level, B.Field, B.Message, B.Why, B.Example, B.Fixed, B.Caret, B.Raises, B.Explains,
                       B.AboutOptions))
        << A.Code;
    EXPECT_EQ(A.Notes.size(), B.Notes.size());
    EXPECT_EQ(A.Fixes.size(), B.Fixes.size());
    EXPECT_TRUE(std::ranges::equal(A.Frameworks, B.Frameworks)) << A.Code;
    sameSource(A.Source, B.Source);
  }
}

TEST_F(StandardLibrary, NoExampleIsWrittenTwice) {
  std::map<std::string_view, std::string_view> Written;
  for (const RuleDecl &R : I.Lib.Rules) {
    auto Form = ruleForm(*R.Tree, I.Ignored);
    ASSERT_TRUE(Form) << R.Code;
    if (Form->Example->Kind == ast::ExprKind::Name)
      continue; // of a shared text
    auto [It, New] = Written.emplace(R.Example, R.Code);
    EXPECT_TRUE(New) << R.Code << " has the example of " << It->second << ": give it a name in rules/examples.parl";
  }
}

TEST_F(StandardLibrary, RuleNamesAreUnique) {
  std::set<std::string_view> Names;
  for (const RuleDecl &R : Lib.Rules)
    EXPECT_TRUE(Names.insert(R.Name).second) << R.Name;
}

/// Whether a path leads to a field of a schema.
bool leadsToField(const SchemaDecl *S, std::string_view Path) {
  for (;;) {
    size_t Dot = Path.find('.');
    int Field = S ? S->find(Path.substr(0, Dot)) : -1;
    if (Field < 0 || Dot == std::string_view::npos)
      return Field >= 0;
    S = S->Fields[Field].Ty.Schema;
    Path.remove_prefix(Dot + 1);
  }
}

TEST_F(StandardLibrary, RulesPointAtFields) {
  Checked C("use std/example\njob j from example_job { }\n");
  const SchemaDecl *Job = Lib.schema("job");
  for (const RuleDecl &R : Lib.Rules) {
    EXPECT_TRUE(leadsToField(Job, R.Field)) << R.Code << " is on " << R.Field;
    for (const RuleNoteDecl &N : R.Notes)
      EXPECT_TRUE(leadsToField(Job, N.Field)) << R.Code << " has a note on " << N.Field;
    for (const RuleFixDecl &F : R.Fixes) {
      EXPECT_TRUE(leadsToField(Job, F.Field)) << R.Code << " mends " << F.Field;
      EXPECT_TRUE(C.Trees.jobExpression(F.Candidates)) << R.Code << ": " << F.Candidates;
    }
  }
}

/// The text of a rule's example, analysed: codes that were reported.
std::set<std::string> codes(std::string_view Text) {
  Checked C{std::string(Text)};
  C.analyze();
  std::set<std::string> Codes;
  for (const Diagnostic &D : C.take())
    Codes.emplace(D.Code);
  return Codes;
}

TEST_F(StandardLibrary, ExamplesTriggerTheirRules) {
  for (const RuleDecl &R : Lib.Rules) {
    if (Jobs::isForeign(R))
      continue;
    EXPECT_TRUE(codes(R.Example).contains(std::string(R.Code))) << R.Code << " " << R.Name;
    EXPECT_FALSE(codes(R.Fixed).contains(std::string(R.Code))) << R.Code << " " << R.Name;
  }
}

} // namespace
