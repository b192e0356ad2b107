#include "Frameworks/Torchtitan/OlderVersions.h"
#include "Basic/Diagnostics.h"
#include <algorithm>
#include <ranges>

namespace parlance::torchtitan {

namespace {
struct Move {
  std::string_view From, To; ///< ending in a dot: all members of a section
};
struct Removal {
  std::string_view Path, Why;
};
} // namespace

// The history of torchtitan/config/job_config.py and torchtitan/config_manager.py before it.
static constexpr Move Moves[] = {
    {"float8.moe_fqns_prototype", "quantize.grouped_mm.float8.fqns"},
    {"float8.", "quantize.linear.float8."},
    {"mx.moe_fqns_prototype", "quantize.grouped_mm.mx.fqns"},
    {"mx.", "quantize.linear.mx."},
    {"quantize.dense.float8.", "quantize.linear.float8."},
    {"quantize.dense.mx.", "quantize.linear.mx."},
    {"quantize.moe.float8.", "quantize.grouped_mm.float8."},
    {"quantize.moe.mx.", "quantize.grouped_mm.mx."},
    {"training.compile", "compile.enable"},
    {"training.seed", "debug.seed"},
    {"training.deterministic", "debug.deterministic"},
    {"training.debug_moe_force_load_balance", "debug.moe_force_load_balance"},
};

static constexpr Removal Removals[] = {
    {"job.use_for_integration_test", "it marked files for tests"},
    {"job.save_config_folder", "job.save_config_file names a file"},
    {"model.norm_type", "models have the norm of their family"},
    {"parallelism.enable_compiled_autograd", "it was never in use"},
    {"parallelism.pipeline_parallel_split_points",
     "parallelism.module_fqns_per_model_part lists the modules of each part"},
    {"float8.force_recompute_fp8_weight_in_bwd", "8-bit weights are not kept"},
    {"mx.use_fp8_dim1_cast_triton_kernel", "quantize.linear.mx.mxfp8_dim1_cast_kernel_choice names the kernel"},
};

/// Names of converters before they were paths.
static constexpr Move Converters[] = {{"float8", "quantize.linear.float8"}, {"mx", "quantize.linear.mx"}};

ConfigValue *valueAt(ConfigValue &Tree, std::string_view Path) {
  size_t Dot = Path.find('.');
  auto It = std::ranges::find_if(std::views::reverse(Tree.Items),
                                 [&](const ConfigValue &V) { return V.Key == Path.substr(0, Dot); });
  if (It == Tree.Items.rend())
    return nullptr;
  if (Dot == std::string_view::npos)
    return &*It;
  return It->isObject() ? valueAt(*It, Path.substr(Dot + 1)) : nullptr;
}

void putAt(ConfigValue &Tree, std::string_view Path, ConfigValue V) {
  size_t Dot = Path.find('.');
  std::string Key(Path.substr(0, Dot));
  ConfigValue *Known = valueAt(Tree, Key);
  if (Dot == std::string_view::npos) {
    V.Key = std::move(Key);
    if (!Known)
      Tree.Items.push_back(std::move(V));
    return;
  }
  if (!Known) {
    ConfigValue Section;
    Section.K = ConfigValue::Kind::Object;
    Section.Key = std::move(Key);
    Section.KeyRange = Section.Range = V.KeyRange;
    Tree.Items.push_back(std::move(Section));
    Known = &Tree.Items.back();
  }
  if (Known->isObject())
    putAt(*Known, Path.substr(Dot + 1), std::move(V));
}

/// Takes a value out of the tree; an empty one if the path leads nowhere.
static ConfigValue take(ConfigValue &Tree, std::string_view Path) {
  size_t Dot = Path.rfind('.');
  ConfigValue *Section = Dot == std::string_view::npos ? &Tree : valueAt(Tree, Path.substr(0, Dot));
  ConfigValue *Taken = valueAt(Tree, Path);
  if (!Section || !Taken)
    return {};
  ConfigValue V = std::move(*Taken);
  Section->Items.erase(Section->Items.begin() + (Taken - Section->Items.data()));
  return V;
}

static void takeEmpty(ConfigValue &Tree, std::string_view Path) {
  if (const ConfigValue *Section = valueAt(Tree, Path); Section && Section->Items.empty())
    take(Tree, Path);
}

void modernise(ConfigValue &Tree, const Framework &F, DiagnosticEngine &Diags) {
  for (const Removal &R : Removals)
    if (valueAt(Tree, R.Path)) {
      ConfigValue V = take(Tree, R.Path);
      Diags.report(diag::RemovedOption, V.KeyRange, R.Path, F.Title, R.Why);
    }
  auto MoveOne = [&](const std::string &From, const std::string &To) {
    ConfigValue V = take(Tree, From);
    if (valueAt(Tree, To)) { // so the file is none for an older version
      Diags.report(diag::OldAndNew, V.KeyRange, From, To, F.Title);
      return;
    }
    Diags.report(diag::OldOption, V.KeyRange, From, F.Title, To);
    putAt(Tree, To, std::move(V));
  };
  for (const Move &M : Moves) {
    if (!M.From.ends_with('.')) {
      if (valueAt(Tree, M.From))
        MoveOne(std::string(M.From), std::string(M.To));
      continue;
    }
    std::string Section(M.From.substr(0, M.From.size() - 1));
    for (ConfigValue *Old; (Old = valueAt(Tree, Section)) && Old->isObject() && !Old->Items.empty();) {
      std::string Key = Old->Items.front().Key;
      MoveOne(std::string(M.From) + Key, std::string(M.To) + Key);
    }
    takeEmpty(Tree, Section);
  }
  for (std::string_view Section : {"quantize.dense", "quantize.moe"})
    takeEmpty(Tree, Section);
  if (ConfigValue *List = valueAt(Tree, "model.converters"))
    for (ConfigValue &Item : List->Items)
      for (const Move &M : Converters)
        if (Item.Text == M.From) {
          Diags.report(diag::OldOption, Item.Range, Item.Text, F.Title, std::string(M.To));
          Item.Text = M.To;
        }
}

} // namespace parlance::torchtitan
