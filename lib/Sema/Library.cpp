#include "Sema/Library.h"
#include <algorithm>

namespace parlance {

template <typename T> static int findSorted(std::span<const T> Sorted, std::string_view Name) {
  auto It =
      std::lower_bound(Sorted.begin(), Sorted.end(), Name, [](const T &D, std::string_view N) { return D.Name < N; });
  return It != Sorted.end() && It->Name == Name ? static_cast<int>(It - Sorted.begin()) : -1;
}

const SchemaDecl *Library::schema(std::string_view Name) const {
  for (const SchemaDecl *S : Schemas)
    if (S->Name == Name)
      return S;
  return nullptr;
}

const EnumDecl *Library::enumNamed(std::string_view Name) const {
  for (const EnumDecl *E : Enums)
    if (E->Name == Name)
      return E;
  return nullptr;
}

int Library::function(std::string_view Name) const { return findSorted(Functions, Name); }

unsigned Library::constants() const {
  return static_cast<unsigned>(std::ranges::count_if(Functions, [](const FunctionDecl &F) { return F.Constant >= 0; }));
}
int Library::derive(std::string_view Name) const { return findSorted(Derives, Name); }
int Library::record(std::string_view Name) const { return findSorted(Records, Name); }

QuantityGroup quantityGroup(std::string_view Name) {
  static constexpr std::pair<std::string_view, QuantityGroup> Groups[] = {
      {"memory", QuantityGroup::Memory},       {"read", QuantityGroup::Translation},
      {"write", QuantityGroup::Translation},   {"suggest", QuantityGroup::Translation},
      {"matters", QuantityGroup::Translation}, {"relief", QuantityGroup::Translation}};
  const auto *It =
      std::ranges::find(Groups, Name.substr(0, Name.find('.')), &std::pair<std::string_view, QuantityGroup>::first);
  return It == std::end(Groups) ? QuantityGroup::Job : It->second;
}

Record emptyRecord(const SchemaDecl &Schema, std::string_view Name, SourceRange NameRange) {
  return {&Schema, Name, NameRange, std::vector<Value>(Schema.Fields.size()),
          std::vector<Origin>(Schema.Fields.size())};
}

std::vector<std::string_view> fieldsMeant(const Library &Lib, std::string_view Framework, std::string_view Path,
                                          const FieldDecl &Option) {
  std::vector<std::string_view> Result;
  if (!Option.Counterpart.empty())
    Result.push_back(Option.Counterpart);
  std::string Own = "read." + std::string(Framework) + ".", Full = std::string(Framework) + "." + std::string(Path);
  for (const DeriveDecl &D : Lib.Derives)
    if (D.Name.starts_with(Own) && std::ranges::find(D.Reads, Full) != D.Reads.end())
      Result.push_back(D.Name.substr(Own.size()));
  return Result;
}

} // namespace parlance
