#include "Frameworks/Shell/Launch.h"
#include <algorithm>
#include <array>
#include <span>

namespace parlance::shell {

namespace {

/// A program that starts another one, and which of its options take no value. Other options take the next word, unless
/// they have a `=`; short ones may have their value attached.
struct Launcher {
  std::string_view Name;
  bool Distributed;
  /// How many words that are no options come before the program (`timeout 60`, `docker run IMAGE`).
  unsigned Operands;
  std::string_view Flags; ///< between blanks
};

constexpr std::array<Launcher, 30> Launchers{{
    {"torchrun", true, 0, " standalone no-python run-path module m no_python run_path "},
    {"torch.distributed.run", true, 0, " standalone no-python run-path module m "},
    {"torch.distributed.launch", true, 0, " standalone no-python run-path module m use-env "},
    {"deepspeed", true, 0,
     " no_python no_local_rank no_ssh no_ssh_check module force_multi save_pid "
     "enable_each_rank_log bind_cores_to_rank elastic_training "},
    {"accelerate", true, 1,
     " multi-gpu cpu use-deepspeed use-fsdp use-megatron-lm tpu quiet module m no-python debug "
     "mixed-flag dynamo-use-dynamic dynamo-use-fullgraph same-network "},
    {"srun", true, 0,
     " unbuffered u label l exclusive overlap kill-on-bad-exit K verbose v quiet Q no-kill k "
     "overcommit O container-remap-root no-container-mount-home container-mount-home "
     "container-writable "},
    {"mpirun", true, 0,
     " allow-run-as-root oversubscribe tag-output display-map report-bindings q v "
     "display-allocation merge-stderr-to-stdout "},
    {"mpiexec", true, 0, " allow-run-as-root oversubscribe tag-output l "},
    {"jsrun", true, 0, " stdio_stderr "},
    {"aprun", true, 0, " "},
    {"ray", true, 2, " no-wait verbose v "},
    {"nohup", false, 0, " "},
    {"exec", false, 0, " c l "},
    {"command", false, 0, " p "},
    {"time", false, 0, " p v "},
    {"env", false, 0, " i ignore-environment "},
    {"nice", false, 0, " "},
    {"sudo", false, 0, " E n H "},
    {"uv", false, 1, " active no-sync frozen isolated q quiet "},
    {"poetry", false, 1, " "},
    {"nsys", false, 1, " "},
    {"ncu", false, 0, " "},
    {"stdbuf", false, 0, " "},
    {"setsid", false, 0, " w "},
    {"timeout", false, 1, " preserve-status foreground v "},
    {"numactl", false, 0, " localalloc l interleave-all "},
    {"taskset", false, 1, " c "},
    {"singularity", false, 2,
     " nv rocm cleanenv e contain c containall C writable w no-home fakeroot f writable-tmpfs "},
    {"apptainer", false, 2, " nv rocm cleanenv e contain c containall C writable w no-home fakeroot f writable-tmpfs "},
    {"docker", false, 2, " rm it i t ti d privileged init detach interactive tty "},
}};

/// The spelling that an option has in LauncherOption::Name.
constexpr std::pair<std::string_view, std::string_view> Spellings[] = {
    {"N", "nodes"},
    {"n", "ntasks"},
    {"c", "cpus-per-task"},
    {"G", "gpus"},
    {"w", "nodelist"},
    {"p", "partition"},
    {"J", "job-name"},
    {"num-nodes", "nnodes"},
    {"num-machines", "nnodes"},
    {"num-gpus", "nproc-per-node"},
    {"machine-rank", "node-rank"},
    {"main-process-ip", "master-addr"},
    {"main-process-port", "master-port"},
};

std::string_view baseName(std::string_view Path) { return Path.substr(Path.rfind('/') + 1); }

bool isPython(std::string_view Name) {
  if (!Name.starts_with("python"))
    return false;
  Name.remove_prefix(6);
  return Name.find_first_not_of("0123456789.") == Name.npos;
}

bool isTool(std::string_view Name) {
  for (std::string_view Known : {"megatron", "swift", "llamafactory-cli", "axolotl", "tune", "nemo"})
    if (Name == Known)
      return true;
  return false;
}

const Launcher *launcherOf(std::string_view Name) {
  const auto *Found = std::ranges::find(Launchers, Name, &Launcher::Name);
  return Found == Launchers.end() ? nullptr : &*Found;
}

/// Reads the words of one command from the left.
class Stripper {
public:
  Stripper(std::span<const ShellWord> Words, TrainingCommand &Into) : Words(Words), T(Into) {}

  /// Whether a program was found behind the launchers.
  bool run() {
    while (At < Words.size()) {
      std::string Flat = Words[At].Text.flat();
      std::string Name(baseName(Flat));
      if (isPython(Name)) {
        ++At;
        if (python())
          return true;
      } else if (const Launcher *L = launcherOf(Name)) {
        ++At;
        launcher(*L);
        if (T.Module)
          return module();
      } else {
        return program(Flat, Name);
      }
    }
    return false;
  }

private:
  std::string flat() const { return At < Words.size() ? Words[At].Text.flat() : std::string(); }

  void finish(size_t Program) {
    T.Program = Words[Program];
    T.Arguments.assign(Words.begin() + static_cast<ptrdiff_t>(Program) + 1, Words.end());
  }

  /// Behind `python`: false if what follows `-m` is a launcher, which is read next.
  bool python() {
    for (; At < Words.size(); ++At) {
      std::string Flat = flat();
      if (Flat == "-m") {
        ++At;
        if (launcherOf(flat()))
          return false;
        if (flat().starts_with("accelerate.commands.launch")) {
          ++At;
          Launcher Accelerate = *launcherOf("accelerate");
          Accelerate.Operands = 0; // `launch` is in the name of the module
          launcher(Accelerate);
          return T.Module ? module() : false;
        }
        T.Module = true;
        return module();
      }
      if (Flat == "-X" || Flat == "-W")
        ++At;
      else if (!Flat.starts_with('-'))
        break;
    }
    if (At >= Words.size())
      return false;
    finish(At);
    return true;
  }

  bool module() {
    if (At >= Words.size())
      return false;
    finish(At);
    return true;
  }

  bool program(const std::string &Flat, const std::string &Name) {
    if (Flat.ends_with(".py") || isTool(Name) || (T.Distributed && startsPrograms())) {
      T.Distributed |= isTool(Name); // these start their processes themselves
      finish(At);
      return true;
    }
    // A symbol, and a script of one's own, may stand for launchers and their options.
    const bool IsWrapper = T.Distributed || Name.ends_with(".sh") || Words[At].Text.symbolic();
    const size_t Next = IsWrapper ? nextProgram() : Words.size();
    if (Next == Words.size())
      return false;
    At = Next;
    return run();
  }
  /// The next word that looks like a program or a launcher; of both kinds in one command a .py file counts. The value
  /// of an option (`--data-path /data/python`) is neither.
  size_t nextProgram() const {
    size_t Other = Words.size();
    for (size_t I = At + 1; I < Words.size(); ++I) {
      const std::string Flat = Words[I].Text.flat(), Before = Words[I - 1].Text.flat();
      if (Flat.ends_with(".py"))
        return std::min(I, Other);
      const std::string_view Name = baseName(Flat);
      if (Other == Words.size() && !Before.starts_with("--") && (launcherOf(Name) || isPython(Name) || isTool(Name)))
        Other = I;
    }
    return Other;
  }
  /// srun and mpirun start anything; the others start Python.
  bool startsPrograms() const {
    std::string_view Last = T.Launchers.back();
    return Last.starts_with("torch") || Last == "deepspeed" || Last == "accelerate";
  }

  void launcher(const Launcher &L) {
    T.Launchers.emplace_back(L.Name);
    T.Distributed |= L.Distributed;
    unsigned Operands = L.Operands;
    while (At < Words.size()) {
      std::string Flat = flat();
      if (Flat.size() > 1 && Flat[0] == '-') {
        if (Flat == "--") {
          ++At;
          return;
        }
        option(L, Flat);
      } else if (L.Name == "env" && Flat.find('=') != Flat.npos) {
        environment(Flat);
      } else if (Words[At].Text.symbolic() && maySplit(Words[At]) && !endsSoon()) {
        ++At; // options of the launcher that are not known
      } else if (Operands > 0) {
        --Operands;
        ++At;
      } else {
        return;
      }
    }
  }

  static bool maySplit(const ShellWord &W) { return std::ranges::any_of(W.Text.pieces(), &Piece::MaySplit); }
  /// Whether no later word looks like a program, so that this one must be it; or it looks like one itself.
  bool endsSoon() const { return flat().ends_with(".py") || nextProgram() == Words.size(); }

  void environment(const std::string &Flat) {
    ShellVariable V;
    size_t Equals = Flat.find('=');
    V.Name = Flat.substr(0, Equals);
    V.NameRange = Words[At].Text.range(0, Equals);
    V.Value = Words[At].from(Equals + 1);
    T.Environment.push_back(std::move(V));
    ++At;
  }

  static std::string spelling(std::string Name) {
    std::ranges::replace(Name, '_', '-');
    for (const auto &[Theirs, Ours] : Spellings)
      if (Name == Theirs)
        return std::string(Ours);
    return Name;
  }

  void option(const Launcher &L, const std::string &Flat) {
    LauncherOption O;
    O.Launcher = L.Name;
    O.Written = Words[At].Written;
    bool Long = Flat.starts_with("--");
    size_t Begin = Flat.find_first_not_of('-'), Equals = Flat.find('=');
    Begin = Begin == Flat.npos ? Flat.size() : Begin;
    // One dash with a long name is how mpirun and old scripts write it: `-np`, `-hostfile`.
    bool Attached = !Long && Flat.size() > 2 && L.Name == "srun" && Equals == Flat.npos;
    std::string Name = Flat.substr(Begin, Attached ? 1 : Equals - Begin);
    bool Flag = Equals == Flat.npos && !Attached && isFlag(L, Name);
    const ShellWord &Word = Words[At++];
    if (Attached)
      O.Value = Word.from(2);
    else if (Equals != Flat.npos)
      O.Value = Word.from(Equals + 1);
    else if (!Flag && At < Words.size())
      O.Value = Words[At++];
    O.Name = spelling(Name);
    T.Module |= (Name == "m" || Name == "module") && Flag;
    // mpirun's `-x NAME=value`
    if (L.Name == "mpirun" && Name == "x" && O.Value) {
      std::string Export = O.Value->Text.flat();
      if (Export.find('=') != Export.npos) {
        --At;
        environment(Export);
      }
    }
    T.Options.push_back(std::move(O));
  }

  static bool isFlag(const Launcher &L, std::string Name) {
    if (L.Flags.find(' ' + Name + ' ') != L.Flags.npos)
      return true;
    std::ranges::replace(Name, '_', '-');
    return L.Flags.find(' ' + Name + ' ') != L.Flags.npos;
  }

  std::span<const ShellWord> Words;
  TrainingCommand &T;
  size_t At = 0;
};

} // namespace

const LauncherOption *TrainingCommand::option(std::string_view Name) const {
  const LauncherOption *Last = nullptr;
  for (const LauncherOption &O : Options)
    if (O.Name == Name)
      Last = &O;
  return Last;
}

std::vector<TrainingCommand> findTraining(const ShellScript &Script) {
  std::vector<TrainingCommand> All;
  for (size_t I = 0; I < Script.Commands.size(); ++I) {
    const ShellCommand &C = Script.Commands[I];
    TrainingCommand T;
    T.Command = I;
    Stripper(C.Outer, T).run(); // the launchers around a string
    T.Module = false;
    if (!Stripper(C.Words, T).run())
      continue;
    std::vector<ShellVariable> Inner = std::move(T.Environment);
    T.Environment.assign(Script.Exports.begin(), Script.Exports.begin() + static_cast<ptrdiff_t>(C.ExportsBefore));
    T.Environment.insert(T.Environment.end(), C.Environment.begin(), C.Environment.end());
    T.Environment.insert(T.Environment.end(), Inner.begin(), Inner.end());
    All.push_back(std::move(T));
  }
  if (std::ranges::any_of(All, &TrainingCommand::Distributed)) {
    std::erase_if(All, [](const TrainingCommand &T) { return !T.Distributed; });
  } else {
    auto HasOptions = [](const TrainingCommand &T) {
      return std::ranges::any_of(T.Arguments, [](const ShellWord &W) {
        return W.Text.flat().starts_with('-') || W.Text.flat().find('=') != std::string::npos;
      });
    };
    std::erase_if(All, [&](const TrainingCommand &T) { return !HasOptions(T); });
  }
  return All;
}

} // namespace parlance::shell
