#include "Server/SemanticTokens.h"
#include "Server/Index.h"
#include <algorithm>

namespace parlance::server {

namespace {

// Names of the protocol's own token types, so that every theme has colours for them.
#define TOKEN_TYPES(X)                                                                                                 \
  X(Namespace, "namespace")                                                                                            \
  X(Type, "type")                                                                                                      \
  X(Struct, "struct")                                                                                                  \
  X(EnumMember, "enumMember")                                                                                          \
  X(Parameter, "parameter")                                                                                            \
  X(Variable, "variable")                                                                                              \
  X(Property, "property")                                                                                              \
  X(Function, "function")                                                                                              \
  X(Keyword, "keyword")                                                                                                \
  X(Comment, "comment") X(String, "string") X(Number, "number") X(Unit, "macro") X(Rule, "event")

enum class Colour : uint8_t {
#define TOKEN(Id, Name) Id,
  TOKEN_TYPES(TOKEN)
#undef TOKEN
};

enum Modifier : unsigned { None = 0, Declaration = 1, Library = 2 };

struct Painted {
  Colour C;
  unsigned Modifiers = None;
};

std::optional<Painted> colourOf(const Occurrence &O) {
  unsigned Declares = O.Declares ? Declaration : None;
  switch (O.What.K) {
  case Symbol::Kind::Item:
    switch (O.What.Decl->Kind) {
    case ast::ItemKind::Fn:
      return Painted{Colour::Function, Declares};
    case ast::ItemKind::Record:
      return Painted{Colour::Struct, Declares};
    case ast::ItemKind::Rule:
      return Painted{Colour::Rule, Declares};
    default:
      return Painted{Colour::Variable, Declares};
    }
  case Symbol::Kind::Parameter:
  case Symbol::Kind::Variable:
    return Painted{Colour::Parameter, Declares};
  case Symbol::Kind::Function:
  case Symbol::Kind::Builtin:
    return Painted{Colour::Function, Library};
  case Symbol::Kind::Derive:
    return Painted{Colour::Variable, Library};
  case Symbol::Kind::Field:
    return Painted{Colour::Property};
  case Symbol::Kind::Enumerator:
    return Painted{Colour::EnumMember, Library};
  case Symbol::Kind::LibraryRecord:
    return Painted{Colour::Struct, Library};
  case Symbol::Kind::LibraryModule:
    return Painted{Colour::Namespace, Library};
  case Symbol::Kind::Schema:
  case Symbol::Kind::Enum:
    return Painted{Colour::Type, Library};
  case Symbol::Kind::Unit:
    return Painted{Colour::Unit};
  default:
    return std::nullopt;
  }
}

std::optional<Painted> colourOf(const Token &T) {
  switch (T.K) {
  case Token::Kind::Keyword:
    return Painted{Colour::Keyword};
  case Token::Kind::Unit:
    return Painted{Colour::Unit};
  case Token::Kind::Number:
    return Painted{Colour::Number};
  case Token::Kind::String:
    return Painted{Colour::String};
  case Token::Kind::Comment:
    return Painted{Colour::Comment};
  default:
    return std::nullopt;
  }
}

class TokenWriter {
public:
  TokenWriter(Snapshot &S) : S(S), Lines(S.lines(S.file())) {}

  /// A token over several lines is one per line.
  void add(uint32_t Begin, uint32_t End, Painted P) {
    while (Begin < End) {
      lsp::Position At = Lines.position(Begin);
      uint32_t Next = Lines.lineStart(static_cast<uint32_t>(At.line) + 1);
      uint32_t Stop = std::min(End, Next);
      std::string_view Part = S.text().substr(Begin, Stop - Begin);
      while (Part.ends_with('\n') || Part.ends_with('\r'))
        Part.remove_suffix(1);
      int Length = Lines.position(Begin + static_cast<uint32_t>(Part.size())).character - At.character;
      if (Length > 0) {
        bool SameLine = At.line == Last.line;
        Data.insert(Data.end(), {At.line - Last.line, SameLine ? At.character - Last.character : At.character, Length,
                                 static_cast<int>(P.C), static_cast<int>(P.Modifiers)});
        Last = At;
      }
      Begin = Stop;
    }
  }
  json::Value take() {
    json::Array Numbers;
    for (int N : Data)
      Numbers.push_back(N);
    return json::Object{{"data", std::move(Numbers)}};
  }

private:
  Snapshot &S;
  const LineTable &Lines;
  lsp::Position Last;
  std::vector<int> Data;
};

} // namespace

json::Value semanticTokensLegend() {
#define TOKEN(Id, Name) Name,
  json::Array Types{TOKEN_TYPES(TOKEN)};
#undef TOKEN
  return json::Object{{"tokenTypes", std::move(Types)},
                      {"tokenModifiers", json::Array{"declaration", "defaultLibrary"}}};
}

json::Value semanticTokens(Snapshot &S, std::optional<lsp::Range> In) {
  if (!S.main())
    return json::Object{{"data", json::Array()}};
  uint32_t Begin = 0, End = static_cast<uint32_t>(S.text().size());
  if (In) {
    Begin = S.lines(S.file()).offset(In->start);
    End = S.lines(S.file()).offset(In->end);
  }
  std::vector<Occurrence> Names = occurrences(S, *S.main());
  TokenWriter Out(S);
  size_t Next = 0;
  for (const Token &T : S.main()->Tree->Tokens) {
    if (T.End <= Begin || T.Begin >= End)
      continue;
    // A dotted quantity is one name over several tokens: each takes its colour.
    while (Next < Names.size() && Names[Next].Range.End <= T.Begin)
      ++Next;
    std::optional<Painted> P = colourOf(T);
    if (T.K == Token::Kind::Identifier || T.K == Token::Kind::Unit || T.K == Token::Kind::Keyword)
      for (size_t I = Next; I < Names.size() && Names[I].Range.Begin <= T.Begin; ++I)
        if (T.End <= Names[I].Range.End)
          if (auto Named = colourOf(Names[I]))
            P = Named;
    if (P)
      Out.add(T.Begin, T.End, *P);
  }
  return Out.take();
}

} // namespace parlance::server
