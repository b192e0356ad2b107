#include "Basic/JobVerdict.h"
#include "Basic/Text.h"
#include <algorithm>

using namespace parlance;

std::string parlance::listOf(const std::vector<std::string> &Names, size_t Most) {
  if (Names.size() <= Most)
    return joinList(std::span<const std::string>(Names), "and");
  std::vector<std::string> Shown(Names.begin(), Names.begin() + static_cast<ptrdiff_t>(Most - 1));
  Shown.push_back(fmt::format("{} more (`--format json` names them)", Names.size() - Shown.size()));
  return joinList(std::span<const std::string>(Shown), "and");
}

std::string parlance::verdictLine(const JobVerdict &V, size_t Most) {
  if (!V.Resolved)
    return fmt::format("{}: not judged", V.Name);
  std::vector<std::string> Judged;
  if (!V.Memory.empty())
    Judged.push_back("memory " + V.Memory);
  if (!V.Step.empty())
    Judged.push_back("step " + V.Step);
  Judged.push_back(plural(V.Rules, "rule"));
  std::string Line = fmt::format("{}: {}", V.Name, fmt::join(Judged, ", "));
  std::vector<std::string> Open, Needs;
  for (const OpenPart &Part : V.Open) {
    Open.push_back(Part.What);
    for (const std::string &Need : Part.Needs)
      if (std::ranges::find(Needs, Need) == Needs.end())
        Needs.push_back(Need);
  }
  if (!Open.empty())
    Line += "; not judged: " + joinList(std::span<const std::string>(Open), "and");
  if (!Needs.empty())
    Line += fmt::format("; give {}", listOf(Needs, Most));
  if (!V.Options.empty())
    Line += fmt::format("; not understood: {}", listOf(V.Options, Most));
  return Line;
}

std::string parlance::whyOpen(const JobVerdict &V, std::string_view What) {
  for (const OpenPart &Part : V.Open)
    if (Part.What == What && !Part.Needs.empty())
      return "it needs " + joinList(std::span<const std::string>(Part.Needs), "and");
  return "something that it rests on has no value";
}
