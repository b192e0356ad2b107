#include "Policy/Comments.h"
#include "Basic/Json.h"
#include "Basic/Toml.h"
#include "Basic/Yaml.h"
#include "Frameworks/Shell/Scanner.h"
#include "Syntax/Parser.h"
#include "std/Std.h"
#include <algorithm>

using namespace parlance;

namespace {

/// What a `#` or `//` before the mark may be a comment of.
std::vector<MarkedComment> candidates(std::string_view Text, FileSyntax Syntax) {
  std::vector<MarkedComment> Result;
  for (size_t At = Text.find(CommentMark); At != std::string_view::npos;
       At = Text.find(CommentMark, At + CommentMark.size())) {
    size_t Before = Text.find_last_not_of(" \t", At == 0 ? 0 : At - 1);
    if (At == 0 || Before == std::string_view::npos)
      continue;
    bool Slashes = Syntax == FileSyntax::Json && Before > 0 && Text.substr(Before - 1, 2) == "//";
    if (Text[Before] != '#' && !Slashes)
      continue;
    size_t End = std::min(Text.find('\n', At), Text.size());
    if (Text[End - 1] == '\r')
      --End;
    Result.push_back({static_cast<uint32_t>(Before - Slashes),
                      static_cast<uint32_t>(At + CommentMark.size()), static_cast<uint32_t>(End)});
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

/// Keeps what begins a comment of the file's language.
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
          Comments.push_back(T.Begin);
      return;
    }
    case FileSyntax::Shell:
      for (shell::Span S : shell::scan(Text).Comments)
        Comments.push_back(S.Begin);
      return;
    default:
      Tree = parseTree(Syntax, File, Text);
      if (Tree)
        addScalars(*Tree, Scalars);
      std::ranges::sort(Scalars, {}, &SourceRange::Begin);
    }
  }

  bool keeps(uint32_t At) const {
    if (!Tree)
      return std::ranges::binary_search(Comments, At);
    auto Next = std::ranges::upper_bound(Scalars, At, {}, &SourceRange::Begin);
    return Next == Scalars.begin() || At >= std::prev(Next)->End;
  }

private:
  std::vector<uint32_t> Comments;  ///< in order
  std::optional<ConfigValue> Tree; ///< of a format without tokens
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
