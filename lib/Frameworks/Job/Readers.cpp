#include "Frameworks/Job/Readers.h"
#include "Frameworks/Accelerate/Read.h"
#include "Frameworks/DeepSpeed/Read.h"
#include "Frameworks/Megatron/Read.h"
#include "Frameworks/Nanotron/Read.h"
#include "Frameworks/Neox/Read.h"
#include "Frameworks/Torchtitan/Read.h"
#include <utility>

namespace parlance {

/// The words of a command line: torchtitan's have sections in their names.
static void readArguments(ForeignReader &Job, const ConfigValue &Tree, SourceRange At) {
  std::vector<CommandWord> Words;
  for (const ConfigValue &Item : Tree.Items)
    Words.push_back({Item.Text, Item.Range, !Item.isSymbolic()});
  if (isTorchtitanCommand(Words, Job.E.Lib))
    return readTorchtitanCommand(Job, Words, At);
  readMegatronArguments(Job, Tree);
}

void readForeign(ForeignReader &Job, const ForeignFile &File, const std::map<std::string, std::string> &Set) {
  if (File.Kind == FileKind::Script)
    return readLaunchScript(Job, File.File, Set);
  if (!File.Tree)
    return;
  SourceRange At{File.File, File.Tree->Range.Begin, File.Tree->Range.Begin + 1};
  switch (File.Kind) {
  case FileKind::DeepSpeed:
    return readDeepSpeed(Job, *File.Tree, At);
  case FileKind::Accelerate:
    return readAccelerate(Job, *File.Tree, At);
  case FileKind::Torchtitan:
    return readTorchtitan(Job, *File.Tree, At);
  case FileKind::Nanotron:
    return readNanotron(Job, *File.Tree, At);
  case FileKind::Arguments:
    return readArguments(Job, *File.Tree, At);
  case FileKind::MegatronYaml:
    return readMegatronRecipe(Job, *File.Tree);
  case FileKind::Neox:
    return readNeox(Job, *File.Tree);
  default:
    break;
  }
}

} // namespace parlance
