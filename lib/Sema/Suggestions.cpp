#include "Sema/Suggestions.h"
#include "Basic/Text.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace parlance {

/// Whether a schema holds options of a framework: one that a job can target, or a section of its file.
static bool isFramework(const Library &Lib, const SchemaDecl &Schema) {
  const SchemaDecl *Job = Lib.schema("job");
  int Target = Job ? Job->find("target") : -1;
  if (Target < 0 || !Job->Fields[Target].Ty.Enum)
    return false;
  return std::ranges::any_of(Job->Fields[Target].Ty.Enum->Values,
                             [&](std::string_view Name) { return Schema.Name.starts_with(Name); });
}

namespace {
/// A block of a job, with what it is called there.
struct JobBlock {
  std::string_view Name;
  const SchemaDecl *Schema;
};
} // namespace

/// The blocks of a job that are not a framework's. The layout and the batch first: most of what is misplaced is theirs.
static std::vector<JobBlock> jobBlocks(const Library &Lib) {
  std::vector<JobBlock> Blocks;
  for (const FieldDecl &F : Lib.schema("job")->Fields)
    if (F.Ty.K == Type::Kind::Record && !isFramework(Lib, *F.Ty.Schema))
      Blocks.push_back({F.Name, F.Ty.Schema});
  auto Rank = [](const JobBlock &B) { return B.Name == "layout" ? 0 : B.Name == "batch" ? 1 : 2; };
  std::ranges::stable_sort(Blocks, {}, Rank);
  return Blocks;
}

/// "layout.tp": the first block of a job that has a field of this name.
static std::string blockField(const Library &Lib, std::string_view Name, bool Computed) {
  for (const JobBlock &B : jobBlocks(Lib))
    if (int F = B.Schema->find(Name); F >= 0 && (Computed || !B.Schema->Fields[F].Computed))
      return fmt::format("{}.{}", B.Name, Name);
  return {};
}

static bool isCalled(const FieldDecl &Option, std::string_view Name) {
  auto Same = [&](std::string_view Spelling) {
    Spelling.remove_prefix(std::min(Spelling.find_first_not_of('-'), Spelling.size()));
    return std::ranges::equal(Spelling, Name, [](char A, char B) { return (A == '-' ? '_' : A) == B; });
  };
  return Option.Name == Name || (!Option.Spelling.empty() && Same(Option.Spelling)) ||
         std::ranges::any_of(Option.Old, Same);
}

/// What one option means by itself; empty for none, and for a word of several.
static std::string_view meaningOf(const Library &Lib, const SchemaDecl &Framework, const FieldDecl &Option) {
  if (!Option.Counterpart.empty())
    return Option.Counterpart;
  std::string Prefix = fmt::format("read.{}.", Framework.Name),
              Path = fmt::format("{}.{}", Framework.Name, Option.Name);
  for (const DeriveDecl &D : Lib.Derives)
    if (D.Name.starts_with(Prefix) && !D.Reads.empty() && D.Reads.front() == Path)
      return D.Name.substr(Prefix.size());
  return {};
}

static std::string_view meaningOfName(const Library &Lib, std::string_view Name) {
  std::map<std::string_view, unsigned> Meanings;
  for (const SchemaDecl *S : Lib.Schemas)
    if (isFramework(Lib, *S))
      for (const FieldDecl &F : S->Fields)
        if (isCalled(F, Name))
          if (std::string_view Meaning = meaningOf(Lib, *S, F); !Meaning.empty())
            ++Meanings[Meaning];
  auto Most = std::ranges::max_element(Meanings, {}, [](const auto &M) { return M.second; });
  return Most == Meanings.end() ? std::string_view() : Most->first;
}

std::string_view optionMeaning(const Library &Lib, std::string_view Name) {
  std::string_view Meaning = meaningOfName(Lib, Name);
  // Two words of an option's name are often all that is remembered of it: `tensor_parallel`.
  for (std::string_view Rest : {"_size", "_degree"})
    if (Meaning.empty() && Name.find('_') != std::string_view::npos)
      Meaning = meaningOfName(Lib, fmt::format("{}{}", Name, Rest));
  return Meaning;
}

std::string ownerOf(const Library &Lib, const SchemaDecl &Schema, std::string_view Name) {
  // Options of frameworks have names of their own.
  if (isFramework(Lib, Schema))
    return {};
  const SchemaDecl *Job = Lib.schema("job");
  if (int F = Job->find(Name); F >= 0 && !Job->Fields[F].Computed)
    return fmt::format("job.{}", Name);
  if (std::string Path = blockField(Lib, Name, false); !Path.empty())
    return Path;
  std::string_view Meaning = optionMeaning(Lib, Name);
  size_t Dot = Meaning.rfind('.');
  std::string_view Block = Meaning.substr(0, Dot), Field = Meaning.substr(Dot + 1);
  if (Meaning.empty() || (Dot == std::string_view::npos && &Schema != Job))
    return Meaning.empty() ? std::string() : fmt::format("job.{}", Meaning);
  bool Own = Dot == std::string_view::npos || Block == Schema.Name;
  return std::string(Own && Schema.find(Field) >= 0 ? Field : Meaning);
}

std::string quantityOf(const Library &Lib, std::string_view Name) {
  static constexpr std::pair<std::string_view, std::string_view> Counted[] = {
      {"gpus", "world"},           {"stages", "layout.pp"},         {"replicas", "layout.dp"},
      {"seqs", "batch.sequences"}, {"microbatches", "batch.accum"}, {"samples", "batch.sequences"}};
  if (std::string Total = fmt::format("{}.total", Name); Lib.derive(Total) >= 0)
    return Total;
  if (std::string Path = blockField(Lib, Name, true); !Path.empty())
    return Path;
  for (auto [Word, Path] : Counted)
    if (Word == Name)
      return std::string(Path);
  return std::string(optionMeaning(Lib, Name));
}

/// Whether all words of `Part`, which `_` separates, are words of `Whole`.
static bool hasWords(std::string_view Whole, std::string_view Part) {
  std::string In = fmt::format("_{}_", Whole), Of = fmt::format("_{}_", Part);
  return In.find(Of) != std::string::npos;
}

std::optional<std::string_view> likeliest(std::string_view Wrong, std::span<const std::string_view> Candidates) {
  constexpr size_t Telling = 4; // letters that a beginning or a word needs to tell anything
  for (std::string_view C : Candidates)
    if (Wrong.size() >= Telling && C.size() > Wrong.size() && C.starts_with(Wrong) && Wrong.find('_') != Wrong.npos)
      return C;
  if (auto Near = nearest(Wrong, Candidates))
    return Near;
  // The last word says what a thing is.
  std::optional<std::string_view> Best;
  auto Rank = [&](std::string_view C) { return std::pair(Wrong.ends_with(C), C.size()); };
  for (std::string_view C : Candidates)
    if (C.size() >= Telling && hasWords(Wrong, C) && (!Best || Rank(C) > Rank(*Best)))
      Best = C;
  return Best;
}

} // namespace parlance
