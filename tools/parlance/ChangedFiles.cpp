#include "ChangedFiles.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace parlance {

namespace fs = std::filesystem;

namespace {

/// How a program ended (-1: it could not be started) and what it wrote.
struct Run {
  int Status = -1;
  std::string Out;
  bool good() const { return Status == 0; }
  /// The first line.
  std::string line() const { return Out.substr(0, Out.find('\n')); }
};

std::string readToEnd(int Descriptor) {
  std::string Text;
  char Buffer[1 << 14];
  while (true) {
    const ssize_t Read = ::read(Descriptor, Buffer, sizeof Buffer);
    if (Read > 0)
      Text.append(Buffer, static_cast<size_t>(Read));
    else if (Read == 0 || errno != EINTR)
      return Text;
  }
}

/// Runs git with these arguments, word by word: no shell reads them. What it writes is kept; its complaints are too, or
/// thrown away.
Run runGit(std::vector<std::string> Words, bool Complaints = false) {
  Words.insert(Words.begin(), "git");
  std::vector<char *> Arguments;
  for (std::string &Word : Words)
    Arguments.push_back(Word.data());
  Arguments.push_back(nullptr);
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC) != 0)
    return {};
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_addopen(&Actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], STDOUT_FILENO);
  if (Complaints)
    posix_spawn_file_actions_adddup2(&Actions, Pipe[1], STDERR_FILENO);
  else
    posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t Child = 0;
  const int Error = posix_spawnp(&Child, "git", &Actions, nullptr, Arguments.data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  ::close(Pipe[1]);
  Run Result;
  if (Error == 0) {
    Result.Out = readToEnd(Pipe[0]);
    int Status = 0;
    while (::waitpid(Child, &Status, 0) < 0 && errno == EINTR)
      ;
    Result.Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128;
  }
  ::close(Pipe[0]);
  return Result;
}

std::nullopt_t failed(std::string_view Reason) {
  fmt::print(stderr, "parlance: error: `--changed-since`: {}\n", Reason);
  return std::nullopt;
}

/// The top folder of the repository that a folder lies in.
std::optional<std::string> repositoryOf(const std::string &Folder) {
  const std::vector<std::string> Words = {"-C", Folder, "rev-parse", "--show-toplevel"};
  const Run Top = runGit(Words);
  if (Top.good())
    return Top.line();
  if (Top.Status < 0 || Top.Status == 127)
    return failed("git cannot be run");
  return failed(fmt::format("git finds no work tree in {}: {}", Folder, runGit(Words, true).line()));
}

/// What HEAD and a revision have in common.
std::optional<std::string> commonCommit(const std::string &Top, const std::string &Revision) {
  const Run Commit = Revision.starts_with("-")
                         ? Run()
                         : runGit({"-C", Top, "rev-parse", "--verify", "--quiet", Revision + "^{commit}"});
  if (!Commit.good())
    return failed(fmt::format("`{}` is not a commit that is known in {}", Revision, Top));
  const Run Common = runGit({"-C", Top, "merge-base", Commit.line(), "HEAD"});
  if (!Common.good())
    return failed(fmt::format("HEAD and `{}` have no commit in common in {} (a shallow clone has "
                              "too little history)",
                              Revision, Top));
  return Common.line();
}

/// Adds the paths of a list that NUL bytes part, as they are and with links followed.
void addPaths(std::set<std::string> &Paths, const std::string &Top, std::string_view List) {
  while (!List.empty()) {
    const size_t End = std::min(List.find('\0'), List.size());
    const fs::path Path = fs::path(Top) / List.substr(0, End);
    List.remove_prefix(std::min(End + 1, List.size()));
    std::error_code Error;
    Paths.insert(Path.string());
    Paths.insert(fs::weakly_canonical(Path, Error).string());
  }
}

} // namespace

std::optional<std::set<std::string>> changedSince(const std::string &Revision, const std::vector<std::string> &Words) {
  std::set<std::string> Folders, Tops, Paths;
  for (const std::string &Word : Words) {
    std::error_code Error;
    const fs::path Parent = fs::path(Word).parent_path();
    Folders.insert(fs::is_directory(Word, Error) ? Word : Parent.empty() ? "." : Parent.string());
  }
  for (const std::string &Folder : Folders) {
    auto Top = repositoryOf(Folder);
    if (!Top)
      return std::nullopt;
    Tops.insert(std::move(*Top));
  }
  for (const std::string &Top : Tops) {
    const auto Common = commonCommit(Top, Revision);
    if (!Common)
      return std::nullopt;
    const Run Changed = runGit(
        {"-C", Top, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-relative", *Common, "--"});
    const Run Untracked = runGit({"-C", Top, "ls-files", "-z", "--others", "--exclude-standard", "--full-name"});
    if (!Changed.good() || !Untracked.good())
      return failed(fmt::format("git cannot list what changed in {}", Top));
    addPaths(Paths, Top, Changed.Out);
    addPaths(Paths, Top, Untracked.Out);
  }
  return Paths;
}

} // namespace parlance
