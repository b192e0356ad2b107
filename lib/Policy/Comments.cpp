#include "Policy/Comments.h"
#include "Config/Json.h"
#include "Config/Toml.h"
#include "Config/Yaml.h"
#include "Frameworks/Shell/Scanner.h"
#include "Syntax/Parser.h"
#include "std/Std.h"
#include <algorithm>

using namespace parlance;

static constexpr std::string_view Mark = "parlance:";

size_t parlance::findCommentMark(std::string_view Text, size_t From) {
  auto Same = [](char A, char B) { return (A >= 'A' && A <= 'Z' ? A - 'A' + 'a' : A) == B; };
  const auto *It = std::search(Text.begin() + static_cast<ptrdiff_t>(std::min(From, Text.size())), Text.end(),
                               Mark.begin(), Mark.end(), Same);
  return It == Text.end() ? std::string_view::npos : static_cast<size_t>(It - Text.begin());
}

namespace {

/// Where the `#`, `##`, `//` or `/*` begins that stands before an offset; nothing where none does.
std::optional<size_t> openerBefore(std::string_view Text, size_t At, bool Json) {
  size_t Last = At == 0 ? Text.npos : Text.find_last_not_of(" \t", At - 1);
  if (Last == Text.npos)
    return std::nullopt;
  if (Json && Last > 0 && Text.substr(Last - 1, 2) == "/*")
    return Last - 1;
  char Sign = Text[Last];
  size_t Begin = Last;
  while (Begin > 0 && Text[Begin - 1] == Sign)
    --Begin;
  bool Opens = Sign == '#' || (Json && Sign == '/' && Begin < Last);
  return Opens ? std::optional(Begin) : std::nullopt;
}

/// What the signs before the mark may be a comment of.
std::vector<MarkedComment> candidates(std::string_view Text, FileSyntax Syntax) {
  std::vector<MarkedComment> Result;
  for (size_t At = findCommentMark(Text); At != Text.npos; At = findCommentMark(Text, At + Mark.size())) {
    auto Begin = openerBefore(Text, At, Syntax == FileSyntax::Json);
    if (!Begin)
      continue;
    size_t End = std::min(Text.find('\n', At), Text.size());
    if (Text[End - 1] == '\r')
      --End;
    if (Text[*Begin] == '/' && Text[*Begin + 1] == '*')
      End = std::min(Text.find("*/", At), End);
    Result.push_back(
        {static_cast<uint32_t>(*Begin), static_cast<uint32_t>(At + Mark.size()), static_cast<uint32_t>(End)});
  }
  return Result;
}

/// The places of keys and scalars: a `#` in one of them begins no comment.
void addScalars(const ConfigValue &V, std::vector<SourceRange> &Into) {
  if (V.KeyRange)
    Into.push_back(V.KeyRange);
  if (V.Items.empty() && V.K != ConfigValue::Kind::Array && V.K != ConfigValue::Kind::Object)
    Into.push_back(V.Range);
  for (const ConfigValue &I : V.Items)
    addScalars(I, Into);
}

std::optional<ConfigValue> parseTree(FileSyntax Syntax, uint32_t File, std::string_view Text) {
  DiagnosticEngine Reported; // where the file was checked
  switch (Syntax) {
  case FileSyntax::Json:
    return parseJson(File, Text, Reported, JsonDialect::Hjson);
  case FileSyntax::Toml:
    return parseToml(File, Text, Reported);
  default:
    return parseYaml(File, Text, Reported);
  }
}

/// Keeps what is in a comment of the file's language.
class CommentFilter {
public:
  CommentFilter(FileSyntax Syntax, uint32_t File, const SourceManager &Sources) {
    std::string_view Text = Sources.file(File).text();
    switch (Syntax) {
    case FileSyntax::Parlance:
    case FileSyntax::Unknown: {
      DiagnosticEngine Reported;
      auto Tree = parse(Sources, File, standardLibrary().Units, Reported);
      for (const Token &T : Tree->Tokens)
        if (T.K == Token::Kind::Comment)
          Comments.push_back({T.Begin, T.End});
      return;
    }
    case FileSyntax::Shell:
      for (shell::Span S : shell::scan(Text).Comments)
        Comments.push_back(S);
      return;
    default:
      Tree = parseTree(Syntax, File, Text);
      if (Tree)
        addScalars(*Tree, Scalars);
      std::ranges::sort(Scalars, {}, &SourceRange::Begin);
    }
  }

  bool keeps(uint32_t At) const {
    if (!Tree) {
      auto Next = std::ranges::upper_bound(Comments, At, {}, &shell::Span::Begin);
      return Next != Comments.begin() && At < std::prev(Next)->End;
    }
    auto Next = std::ranges::upper_bound(Scalars, At, {}, &SourceRange::Begin);
    return Next == Scalars.begin() || At >= std::prev(Next)->End;
  }

private:
  std::vector<shell::Span> Comments; ///< in order
  std::optional<ConfigValue> Tree;   ///< of a format without tokens
  std::vector<SourceRange> Scalars;
};

} // namespace

std::vector<MarkedComment> parlance::markedComments(uint32_t File, const SourceManager &Sources) {
  const SourceFile &Source = Sources.file(File);
  FileSyntax Syntax = syntaxOf(Source);
  std::vector<MarkedComment> Result = candidates(Source.text(), Syntax);
  if (Result.empty())
    return Result;
  CommentFilter Filter(Syntax, File, Sources);
  std::erase_if(Result, [&](const MarkedComment &C) { return !Filter.keeps(C.Begin); });
  return Result;
}
