#include "Server/Outline.h"
#include "Server/Hover.h"
#include "Server/Index.h"
#include <algorithm>

namespace parlance::server {

using namespace ast;

static std::optional<lsp::SymbolKind> symbolKind(const Item &I) {
  switch (I.Kind) {
  case ItemKind::Record:
    return I.Id2.Text == "job" ? lsp::SymbolKind::Class : lsp::SymbolKind::Struct;
  case ItemKind::Let:
    return lsp::SymbolKind::Variable;
  case ItemKind::Fn:
    return lsp::SymbolKind::Function;
  case ItemKind::Rule:
  case ItemKind::Test:
  case ItemKind::Case:
    return lsp::SymbolKind::Event;
  case ItemKind::Field:
    return lsp::SymbolKind::Field;
  case ItemKind::Block:
    return lsp::SymbolKind::Object;
  case ItemKind::Use:
    return lsp::SymbolKind::Module;
  case ItemKind::Assume:
    return lsp::SymbolKind::Constant;
  default:
    return std::nullopt;
  }
}

static std::string detail(const Item &I, Snapshot &S) {
  switch (I.Kind) {
  case ItemKind::Record:
    return I.Base ? fmt::format("{} from {}", I.Id2.Text, I.Base.Text) : std::string(I.Id2.Text);
  case ItemKind::Let:
    return I.Declared.isError() ? "" : typeName(I.Declared);
  case ItemKind::Fn:
    return signature(I, S.Sources);
  case ItemKind::Field:
  case ItemKind::Assume: {
    std::string_view Text = I.Value ? S.Sources.text(I.Value->Range) : "";
    return std::string(Text.substr(0, Text.find('\n')));
  }
  default:
    return "";
  }
}

static std::vector<lsp::DocumentSymbol> symbolsOf(const std::vector<Item *> &Items, Snapshot &S) {
  std::vector<lsp::DocumentSymbol> Result;
  for (const Item *I : Items) {
    auto Kind = symbolKind(*I);
    if (!Kind || !I->Id || I->Kind == ItemKind::Use || !I->Range)
      continue;
    lsp::DocumentSymbol Made(validUtf8(I->Id.Text), *Kind, S.range(I->Range), S.range(I->Id.Range));
    Made.detail = validUtf8(detail(*I, S));
    if (I->Kind != ItemKind::Rule)
      Made.children = symbolsOf(I->Items, S);
    Result.push_back(std::move(Made));
  }
  return Result;
}

json::Value documentSymbols(Snapshot &S) {
  return S.main() ? json::Value(symbolsOf(S.main()->Tree->Items, S)) : json::Array();
}

//===----------------------------------------------------------------------===//
// Of the workspace
//===----------------------------------------------------------------------===//

/// Whether all letters of a query stand in a name, in order, without regard to case.
static bool matches(std::string_view Name, std::string_view Query) {
  auto Lower = [](char C) { return C >= 'A' && C <= 'Z' ? static_cast<char>(C - 'A' + 'a') : C; };
  size_t I = 0;
  for (char C : Name)
    if (I < Query.size() && Lower(C) == Lower(Query[I]))
      ++I;
  return I == Query.size();
}

json::Value workspaceSymbols(const std::string &Query, Workspace &W) {
  json::Array Result;
  auto Add = [&](Snapshot &S, const std::string &Path) {
    if (!S.main())
      return;
    for (const Item *I : S.main()->Tree->Items) {
      auto Kind = symbolKind(*I);
      if (!Kind || !I->Id || I->Kind == ItemKind::Use || !matches(I->Id.Text, Query))
        continue;
      Result.push_back(json::Object{{"name", text(I->Id.Text)},
                                    {"kind", static_cast<int>(*Kind)},
                                    {"containerName", text(I->Kind == ItemKind::Record ? I->Id2.Text : "")},
                                    {"location", location(W.uriOf(Path), S.range(I->Id.Range))}});
    }
  };
  for (Document *D : W.documents())
    Add(W.snapshot(*D), D->Key);
  for (const std::string &Path : W.otherFiles())
    Add(*W.peek(Path), Path);
  return Result;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static void fold(json::Array &Into, Snapshot &S, uint32_t Begin, uint32_t End, llvm::StringRef Kind = "") {
  lsp::Range R = S.range({S.file(), Begin, End});
  if (R.end.line <= R.start.line)
    return;
  json::Object O{{"startLine", R.start.line}, {"endLine", R.end.line}};
  if (!Kind.empty())
    O["kind"] = Kind;
  Into.push_back(std::move(O));
}

/// Runs of lines that begin with the same kind of token: comments, or `use`.
static void foldRuns(json::Array &Into, Snapshot &S) {
  std::optional<Token> First;
  uint32_t Last = 0;
  unsigned Breaks = 0;
  auto Finish = [&] {
    if (First)
      fold(Into, S, First->Begin, Last, "comment");
    First.reset();
  };
  bool LineStart = true;
  for (const Token &T : S.main()->Tree->Tokens) {
    if (T.K == Token::Kind::Newline) {
      if (++Breaks > 1)
        Finish();
      LineStart = true;
      continue;
    }
    if (T.K == Token::Kind::Comment && LineStart) {
      if (!First)
        First = T;
      Last = T.End;
    } else {
      Finish();
    }
    Breaks = 0;
    LineStart = false;
  }
  Finish();
  const std::vector<Item *> &Items = S.main()->Tree->Items;
  for (size_t I = 0; I < Items.size();) {
    size_t End = I;
    while (End < Items.size() && Items[End]->Kind == ItemKind::Use)
      ++End;
    if (End > I + 1)
      fold(Into, S, Items[I]->Range.Begin, Items[End - 1]->Range.End, "imports");
    I = std::max(End, I + 1);
  }
}

json::Value foldingRanges(Snapshot &S) {
  json::Array Result;
  if (!S.main())
    return Result;
  std::vector<uint32_t> Open;
  for (const Token &T : S.main()->Tree->Tokens) {
    if (T.K == Token::Kind::String)
      fold(Result, S, T.Begin, T.End);
    if (T.K != Token::Kind::Punctuation)
      continue;
    char C = S.text()[T.Begin];
    if (C == '{') {
      Open.push_back(T.Begin);
    } else if (C == '}' && !Open.empty()) {
      fold(Result, S, Open.back(), T.End);
      Open.pop_back();
    }
  }
  foldRuns(Result, S);
  return Result;
}

json::Value selectionRanges(Snapshot &S, std::span<const lsp::Position> At) {
  json::Array Result;
  if (!S.main())
    return Result;
  const LineTable &Lines = S.lines(S.file());
  for (lsp::Position P : At) {
    uint32_t Offset = Lines.offset(P);
    std::vector<SourceRange> Ranges{{S.file(), 0, static_cast<uint32_t>(S.text().size())}};
    std::vector<Item *> Path = itemsAt(*S.main(), Offset);
    for (const Item *I : Path)
      Ranges.push_back(I->Range);
    if (!Path.empty())
      for (const Expr *E : expressionsAt(*Path.back(), Offset))
        Ranges.push_back(E->Range);
    for (const Token &T : S.main()->Tree->Tokens)
      if (T.Begin <= Offset && Offset < T.End && T.K != Token::Kind::Newline)
        Ranges.push_back({S.file(), T.Begin, T.End});
    json::Value Nested = nullptr;
    SourceRange Last;
    for (SourceRange R : Ranges) {
      // Only what is inside of the one before makes a step.
      if (Last && (R == Last || R.Begin < Last.Begin || R.End > Last.End))
        continue;
      json::Object O{{"range", S.range(R)}};
      if (Last)
        O["parent"] = std::move(Nested);
      Nested = std::move(O);
      Last = R;
    }
    Result.push_back(std::move(Nested));
  }
  return Result;
}

} // namespace parlance::server
