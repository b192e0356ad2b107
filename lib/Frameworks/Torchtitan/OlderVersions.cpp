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

// The history of torchtitan/config/job_config.py and torchtitan/config_manager.py before it. A move that another one
// would catch comes before it.
static constexpr Move Moves[] = {
    // 2024-04-04
    {"training.checkpoint_folder", "checkpoint.folder"},
    {"training.checkpoint_interval", "checkpoint.interval"},
    // 2024-04-15
    {"profiling.run_profiler", "profiling.enable_profiling"},
    {"profiling.profile_every_x_iter", "profiling.profile_freq"},
    // 2025-03-11
    {"training.warmup_steps", "lr_scheduler.warmup_steps"},
    // 2024-03-25, 2024-09-10 and, to where they are now, 2025-03-18
    {"training.sequence_parallel_degree", "parallelism.tensor_parallel_degree"},
    {"training.data_parallel_degree", "parallelism.data_parallel_shard_degree"},
    {"training.data_parallel_replicate_degree", "parallelism.data_parallel_replicate_degree"},
    {"training.data_parallel_shard_degree", "parallelism.data_parallel_shard_degree"},
    {"training.tensor_parallel_degree", "parallelism.tensor_parallel_degree"},
    {"training.pipeline_parallel_degree", "parallelism.pipeline_parallel_degree"},
    {"training.disable_loss_parallel", "parallelism.disable_loss_parallel"},
    {"training.fsdp_reshard_after_forward", "parallelism.fsdp_reshard_after_forward"},
    {"experimental.context_parallel_degree", "parallelism.context_parallel_degree"},
    {"experimental.context_parallel_rotate_method", "parallelism.context_parallel_rotate_method"},
    {"experimental.enable_async_tensor_parallel", "parallelism.enable_async_tensor_parallel"},
    {"experimental.pipeline_parallel_degree", "parallelism.pipeline_parallel_degree"},
    {"experimental.pipeline_parallel_schedule_csv", "parallelism.pipeline_parallel_schedule_csv"},
    {"experimental.pipeline_parallel_schedule", "parallelism.pipeline_parallel_schedule"},
    // 2025-03-19
    {"experimental.custom_model_path", "experimental.custom_import"},
    // 2024-07-30, 2025-09-26 and 2025-09-30
    {"training.enable_fsdp_float8_all_gather", "quantize.linear.float8.enable_fsdp_float8_all_gather"},
    {"training.precompute_float8_dynamic_scale_for_fsdp",
     "quantize.linear.float8.precompute_float8_dynamic_scale_for_fsdp"},
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

static constexpr std::string_view NamedConverter = "model.converters names quantize.linear.float8 where it is wanted";
static constexpr std::string_view NamedParts = "parallelism.module_fqns_per_model_part lists the modules of each part";
static constexpr std::string_view FixedScaling = "scales follow from quantize.linear.float8.recipe_name";

static constexpr Removal Removals[] = {
    {"training.warmup_pct", "lr_scheduler.warmup_steps counts steps"},
    {"training.enable_loss_parallel", "it is on unless parallelism.disable_loss_parallel is"},
    {"training.enable_selective_ac", "activation_checkpoint.mode says what is computed again"},
    {"training.data_parallel_type", "FSDP shards over data_parallel_shard_degree ranks, the others are copies"},
    {"training.fp8_linear", NamedConverter},
    {"training.enable_fp8_linear", NamedConverter},
    {"training.enable_float8_linear", NamedConverter},
    {"float8.enable_float8_linear", NamedConverter},
    {"float8.scaling_type_input", FixedScaling},
    {"float8.scaling_type_weight", FixedScaling},
    {"float8.scaling_type_grad_output", FixedScaling},
    {"training.checkpoint_interval_type", "checkpoint.interval counts steps"},
    {"checkpoint.interval_type", "checkpoint.interval counts steps"},
    {"comm.timeout_seconds",
     "comm.init_timeout_seconds and comm.train_timeout_seconds are for the first step and the rest"},
    {"metrics.rank_0_only", "metrics.save_for_all_ranks says the opposite"},
    {"metrics.enable_color_printing", "metrics.disable_color_printing says the opposite"},
    {"optimizer.fused", "optimizer.implementation is fused, foreach or for-loop"},
    {"experimental.torch_spmd", "it was never in use"},
    {"experimental.enable_compiled_autograd", "it was never in use"},
    {"experimental.pipeline_parallel_microbatches",
     "parallelism.pipeline_parallel_microbatch_size says how large micro-batches are"},
    {"experimental.pipeline_parallel_split_mode", NamedParts},
    {"experimental.pipeline_parallel_split_points", NamedParts},
    {"parallelism.pipeline_parallel_microbatches",
     "parallelism.pipeline_parallel_microbatch_size says how large micro-batches are"},
    {"job.use_for_integration_test", "it marked files for tests"},
    {"job.save_config_folder", "job.save_config_file names a file"},
    {"model.norm_type", "models have the norm of their family"},
    {"parallelism.enable_compiled_autograd", "it was never in use"},
    {"parallelism.pipeline_parallel_split_points", NamedParts},
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

//===----------------------------------------------------------------------===//
// The edits
//===----------------------------------------------------------------------===//

static std::string_view sectionOf(std::string_view Path) {
  return Path.substr(0, std::min(Path.rfind('.'), Path.size()));
}
static std::string_view nameOf(std::string_view Path) { return Path.substr(Path.rfind('.') + 1); }

/// The lines of a member of a section: empty where anything else stands on them.
static SourceRange linesOf(const ConfigValue &Member, std::string_view Text) {
  const size_t Begin = Text.rfind('\n', Member.KeyRange.Begin) + 1, End = Text.find('\n', Member.Range.End);
  const std::string_view Before = Text.substr(Begin, Member.KeyRange.Begin - Begin);
  std::string_view Behind = Text.substr(Member.Range.End, End - Member.Range.End);
  Behind.remove_prefix(std::min(Behind.find_first_not_of(" \t\r"), Behind.size()));
  if (Before.find_first_not_of(" \t") != std::string_view::npos || !(Behind.empty() || Behind[0] == '#'))
    return {};
  return {Member.KeyRange.File, static_cast<uint32_t>(Begin), static_cast<uint32_t>(std::min(End + 1, Text.size()))};
}

/// Where a line of a section can be written: behind its header, or behind the file with a header.
static Edit lineIn(ConfigValue &Tree, std::string_view Section, std::string Line, uint32_t File,
                   std::string_view Text) {
  const ConfigValue *Known = valueAt(Tree, Section);
  const std::string Header = fmt::format("[{}]", Section);
  const bool HasHeader = Known && Known->Range.File == File &&
                         Text.substr(Known->Range.Begin, Known->Range.End - Known->Range.Begin) == Header;
  if (!HasHeader) {
    const auto End = static_cast<uint32_t>(Text.size());
    return {{File, End, End}, fmt::format("{}\n{}\n{}", Text.ends_with('\n') ? "" : "\n", Header, Line)};
  }
  const size_t Break = Text.find('\n', Known->Range.End);
  const auto At = static_cast<uint32_t>(Break == std::string_view::npos ? Text.size() : Break + 1);
  return {{File, At, At}, Break == std::string_view::npos ? '\n' + Line : std::move(Line)};
}

/// The line with the header of a section that is none today, where nothing else is left in it; empty otherwise.
static SourceRange emptiedHeader(std::string_view Section, SourceRange Member, std::string_view Text) {
  const auto IsOld = [&](const Move &M) { return M.From.ends_with('.') && M.From == fmt::format("{}.", Section); };
  const std::string Header = fmt::format("[{}]", Section);
  const size_t At = std::min(Text.rfind(Header, Member.Begin), Text.size());
  if (std::ranges::none_of(Moves, IsOld) || At == Text.size() || (At > 0 && Text[At - 1] != '\n'))
    return {};
  const size_t Begin = std::min(Text.find('\n', At), Text.size() - 1) + 1;
  for (size_t Line = Begin, End; Line < Text.size(); Line = End + 1) {
    End = std::min(Text.find('\n', Line), Text.size());
    std::string_view Written = Text.substr(Line, End - Line);
    Written.remove_prefix(std::min(Written.find_first_not_of(" \t\r"), Written.size()));
    if (Written.starts_with('['))
      break;
    const bool IsMember = Line >= Member.Begin && Line < Member.End;
    if (!IsMember && !Written.empty() && Written[0] != '#')
      return {};
  }
  return {Member.File, static_cast<uint32_t>(At), static_cast<uint32_t>(Begin)};
}

/// The edit that writes an option where it is today: its name alone where the section is the same, else its line.
static std::optional<Fix> moved(ConfigValue &Tree, const ConfigValue &Member, std::string_view From,
                                std::string_view To, const SourceManager &Sources) {
  Fix Result{fmt::format("`{}`", To), Applicability::Machine, {}, {}};
  const std::string_view Key = Sources.text(Member.KeyRange);
  if (Key == fmt::format("--{}", From)) {
    Result.Edits = {{Member.KeyRange, fmt::format("--{}", To)}};
    return Result;
  }
  if (Key != nameOf(From) || Member.isObject())
    return std::nullopt;
  if (sectionOf(From) == sectionOf(To)) {
    Result.Edits = {{Member.KeyRange, std::string(nameOf(To))}};
    return Result;
  }
  const std::string_view Text = Sources.file(Member.KeyRange.File).text();
  const SourceRange Lines = linesOf(Member, Text);
  if (!Lines)
    return std::nullopt;
  std::string Line =
      std::string(nameOf(To)) + std::string(Text.substr(Member.KeyRange.End, Lines.End - Member.KeyRange.End));
  if (!Line.ends_with('\n'))
    Line += '\n';
  Result.Edits = {{Lines, ""}, lineIn(Tree, sectionOf(To), std::move(Line), Lines.File, Text)};
  if (const SourceRange Header = emptiedHeader(sectionOf(From), Lines, Text))
    Result.Edits.push_back({Header, ""});
  return Result;
}

void modernise(ConfigValue &Tree, const Framework &F, const SourceManager &Sources, DiagnosticEngine &Diags) {
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
    Diagnostic &D = Diags.report(diag::OldOption, V.KeyRange, From, F.Title, To);
    addFix(D, moved(Tree, V, From, To, Sources));
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
