#include "Server/Cursor.h"
#include <algorithm>

namespace parlance::server {

static bool isWord(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_';
}
static bool isDigit(char C) { return C >= '0' && C <= '9'; }

Cursor::Cursor(Snapshot &S, uint32_t Offset) {
  std::string_view Text = S.text();
  WordBegin = Offset;
  while (WordBegin > 0 && isWord(Text[WordBegin - 1]))
    --WordBegin;
  // Of `80GB` the word is the unit, of `4Mi` there is none yet.
  if (WordBegin < Offset && isDigit(Text[WordBegin])) {
    while (WordBegin < Offset && (isDigit(Text[WordBegin]) || Text[WordBegin] == '_'))
      ++WordBegin;
    BehindNumber = true;
  }
  Word = Text.substr(WordBegin, Offset - WordBegin);
  for (const Token &T : S.main()->Tree->Tokens) {
    bool Here = T.Begin < Offset && Offset <= T.End;
    if (T.K == Token::Kind::Comment && Here)
      InComment = true;
    if (T.K == Token::Kind::String && Here && Offset < T.End)
      InString = true;
    if (InComment || InString) {
      TokenText = Text.substr(T.Begin, Offset - T.Begin);
      return;
    }
    if (T.End > WordBegin && !(BehindNumber && T.Begin < WordBegin))
      break;
    if (T.K == Token::Kind::Comment)
      continue;
    char Class = T.K == Token::Kind::Newline ? '\n' : T.K == Token::Kind::Number ? '0' : ' ';
    advance(Text.substr(T.Begin, T.End - T.Begin), Class);
    BehindNumber = T.K == Token::Kind::Number;
  }
  findUnitBegun();
  size_t I = Line.size();
  while (I >= 2 && Line[I - 1] == ".") {
    Chain = std::string(Line[I - 2]) + (Chain.empty() ? "" : ".") + Chain;
    I -= 2;
  }
}

void Cursor::findUnitBegun() {
  size_t I = Line.size();
  while (I >= 2 && (Line[I - 1] == "/" || Line[I - 1] == "*") && isWord(Line[I - 2][0]) && !isDigit(Line[I - 2][0]))
    I -= 2;
  if (I == Line.size() || I == 0 || !isDigit(Line[I - 1][0]))
    return;
  for (std::string_view Part : std::span(Line).subspan(I))
    UnitBegun += Part;
}

void Cursor::advance(std::string_view Text, char Class) {
  if (Class == '\n') {
    // A line goes on inside of parentheses and behind an operator.
    static constexpr std::string_view GoesOn[] = {"+",  "-",  "*",  "/", "^", "and", "or", "<",   "<=",   ">",
                                                  ">=", "==", "!=", ".", "|", "->",  ",",  "not", "then", "else"};
    bool Open = !Line.empty() && std::ranges::find(GoesOn, Line.back()) != std::end(GoesOn);
    if (!inValues() && !Open)
      newItem();
    return;
  }
  if (Text == "{" || Text == "(" || Text == "[") {
    Bracket B{Text[0], Line, 0};
    if (Text != "{") {
      size_t I = Line.size();
      B.Head.clear();
      if (I && isWord(Line[I - 1].back())) {
        size_t First = I - 1;
        while (First >= 2 && Line[First - 1] == ".")
          First -= 2;
        B.Head.assign(Line.begin() + static_cast<ptrdiff_t>(First), Line.end());
      }
    }
    Outer.push_back(Line);
    Brackets.push_back(std::move(B));
    newItem();
    return;
  }
  if (Text == "}" || Text == ")" || Text == "]") {
    if (Brackets.empty())
      return;
    bool Block = !inValues();
    Brackets.pop_back();
    Line = std::move(Outer.back());
    Outer.pop_back();
    Line.push_back(Text);
    if (Block)
      newItem();
    return;
  }
  if (Text == ",") {
    if (!Brackets.empty())
      ++Brackets.back().Commas;
    if (!inValues() || Brackets.back().Open != '{')
      newItem();
    return;
  }
  Line.push_back(Text);
}

const SchemaDecl *Cursor::block(const Library &Lib) const {
  const SchemaDecl *Block = nullptr;
  for (const Bracket &B : Brackets) {
    if (B.Open != '{' || B.Head.empty() || B.Head.back() == "any")
      break;
    if (!Block) {
      const SchemaDecl *Kind = Lib.schema(B.Head[0]);
      if (!Kind || !Kind->TopLevel)
        return nullptr;
      Block = Kind;
      continue;
    }
    int Field = Block->find(B.Head[0]);
    if (Field < 0 || !Block->Fields[Field].Ty.Schema)
      return nullptr;
    Block = Block->Fields[Field].Ty.Schema;
  }
  return Block;
}

bool Cursor::seesJob() const {
  return std::ranges::any_of(
      Brackets, [](const Bracket &B) { return !B.Head.empty() && (B.Head[0] == "job" || B.Head[0] == "rule"); });
}

const Cursor::Bracket *Cursor::call() const {
  for (auto It = Brackets.rbegin(); It != Brackets.rend(); ++It)
    if (It->Open == '(' && !It->Head.empty())
      return &*It;
    else if (It->Open == '{')
      return nullptr;
  return nullptr;
}

const FieldDecl *Cursor::field(const Library &Lib) const {
  const SchemaDecl *Block = block(Lib);
  const std::vector<std::string_view> *Item = &Line;
  for (size_t I = Brackets.size(); I-- > 0 && (Item->size() < 2 || (*Item)[1] != "=");)
    if (Brackets[I].Open != '{' || (!Brackets[I].Head.empty() && Brackets[I].Head.back() == "any"))
      Item = &Outer[I];
  if (!Block || Item->size() < 2 || (*Item)[1] != "=")
    return nullptr;
  int Field = Block->find((*Item)[0]);
  return Field < 0 ? nullptr : &Block->Fields[Field];
}

} // namespace parlance::server
