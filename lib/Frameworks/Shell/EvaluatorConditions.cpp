// `[ … ]`, `test` and `[[ … ]]`: decided where both sides are known.
#include "Frameworks/Shell/Evaluator.h"

namespace parlance::shell {

namespace {

Truth truth(bool B) { return B ? Truth::True : Truth::False; }
Truth opposite(Truth T) { return T == Truth::Unknown ? T : truth(T == Truth::False); }
Truth both(Truth A, Truth B) {
  if (A == Truth::False || B == Truth::False)
    return Truth::False;
  return A == Truth::True && B == Truth::True ? Truth::True : Truth::Unknown;
}

} // namespace

/// The operands of a condition, read by precedence: or, and, not, one test.
struct Evaluator::Test {
  struct Item {
    std::string Op; ///< "&&", "||", "!", "(", ")"; empty for a word
    ShellText Text;
    bool Plain = false; ///< nothing in it is quoted: as a pattern it is one
  };
  Evaluator &E;
  std::vector<Item> Items;
  bool Double = false; ///< `[[`
  size_t At = 0;
  unsigned Depth = 0;
  bool Failed = false;

  Truth whole() {
    if (Items.empty())
      return Truth::False;
    Truth Result = alternatives();
    return Failed || At != Items.size() ? Truth::Unknown : Result;
  }

private:
  std::string spelling(size_t I) const {
    if (I >= Items.size())
      return {};
    return Items[I].Op.empty() ? Items[I].Text.flat() : Items[I].Op;
  }
  bool isOperator(size_t I, std::string_view Name) const {
    return I < Items.size() && (Double ? Items[I].Op == Name : spelling(I) == Name);
  }
  bool accept(std::string_view Name) {
    if (!isOperator(At, Name))
      return false;
    ++At;
    return true;
  }

  Truth alternatives() {
    Truth Result = conjunction();
    while (accept(Double ? "||" : "-o"))
      Result = opposite(both(opposite(Result), opposite(conjunction())));
    return Result;
  }
  Truth conjunction() {
    Truth Result = negation();
    while (accept(Double ? "&&" : "-a"))
      Result = both(Result, negation());
    return Result;
  }
  Truth negation() {
    bool Not = false;
    while (At + 1 < Items.size() && accept("!"))
      Not = !Not;
    if (++Depth > MaxCalls * 3)
      Failed = true;
    Truth Result = Failed ? Truth::Unknown : primary();
    --Depth;
    return Not ? opposite(Result) : Result;
  }
  Truth primary() {
    if (At >= Items.size()) {
      Failed = true;
      return Truth::Unknown;
    }
    if (isOperator(At, "(") && At + 2 < Items.size()) {
      ++At;
      Truth Result = alternatives();
      Failed |= !accept(")");
      return Result;
    }
    if (At + 2 < Items.size() && isBinary(spelling(At + 1))) {
      At += 3;
      return binary(Items[At - 3].Text, spelling(At - 2), Items[At - 1]);
    }
    std::string Op = spelling(At);
    bool Unary = Op.size() == 2 && Op[0] == '-' && At + 1 < Items.size() && !isOperator(At + 1, Double ? "&&" : "-a") &&
                 !isOperator(At + 1, Double ? "||" : "-o") && !isOperator(At + 1, ")");
    if (Unary) {
      At += 2;
      return unary(Op[1], Items[At - 1].Text);
    }
    return opposite(unary('z', Items[At++].Text));
  }

  static bool isBinary(std::string_view Op) {
    for (std::string_view Known :
         {"=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"})
      if (Op == Known)
        return true;
    return false;
  }

  Truth unary(char Op, const ShellText &Text) const {
    if (Op == 'v') {
      std::optional<std::string> Name = Text.text();
      return Name && E.find(*Name) ? Truth::True : Truth::Unknown;
    }
    if (Op != 'z' && Op != 'n')
      return Truth::Unknown; // about files
    bool Some = false;
    for (const Piece &P : Text.pieces())
      Some |= !P.isSymbol();
    if (!Some && !Text.empty())
      return Truth::Unknown;
    return truth(Some == (Op == 'n'));
  }

  Truth binary(const ShellText &Left, const std::string &Op, const Item &Right) const {
    std::optional<std::string> L = Left.text(), R = Right.Text.text();
    if (!L || !R || !E.charge(L->size() + R->size()))
      return Truth::Unknown;
    if (Op == "=" || Op == "==" || Op == "!=") {
      bool Equal = Double && Right.Plain ? matches(*R, *L) : *L == *R;
      return truth(Equal == (Op != "!="));
    }
    if (Op == "<" || Op == ">")
      return truth(Op == "<" ? *L < *R : *L > *R);
    if (Op[0] != '-' || Op == "-nt" || Op == "-ot" || Op == "-ef")
      return Truth::Unknown;
    Number A = E.evaluate(Left, 0), B = E.evaluate(Right.Text, 0);
    if (!A.Value || !B.Value)
      return Truth::Unknown;
    int64_t X = *A.Value, Y = *B.Value;
    return truth(Op == "-eq"   ? X == Y
                 : Op == "-ne" ? X != Y
                 : Op == "-lt" ? X < Y
                 : Op == "-le" ? X <= Y
                 : Op == "-gt" ? X > Y
                               : X >= Y);
  }
};

Truth Evaluator::runTest(const Node &N) {
  Test T{*this, {}, true};
  for (const TestToken &Token : N.Tests) {
    Test::Item Item;
    Item.Op = Token.Op;
    if (Token.Op.empty())
      Item.Text = expand(Token.W);
    Item.Plain = !Token.W.Quoted;
    T.Items.push_back(std::move(Item));
  }
  return T.whole();
}

Truth Evaluator::runBracket(std::span<const ShellWord> Words) {
  Test T{*this, {}, false};
  for (const ShellWord &W : Words) {
    Test::Item Item;
    Item.Text = W.Text;
    T.Items.push_back(std::move(Item));
  }
  return T.whole();
}

} // namespace parlance::shell
