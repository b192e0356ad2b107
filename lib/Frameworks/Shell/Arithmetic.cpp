#include "Frameworks/Shell/Arithmetic.h"
#include "Frameworks/Shell/WordReader.h"
#include <array>
#include <cerrno>
#include <cstdlib>

namespace parlance::shell {

namespace {

struct Operator {
  std::string_view Spelling;
  int Level;
};
// The longer before those that begin them.
constexpr std::array<Operator, 19> Binary{{
    {"**", 11}, {"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6}, {"&&", 2}, {"||", 1}, {"*", 10},
    {"/", 10},  {"%", 10}, {"+", 9},  {"-", 9},  {"<", 7},  {">", 7},  {"&", 5},  {"^", 4},  {"|", 3},
}};

class Reader {
public:
  Reader(std::string_view Text, const ArithmeticContext &Context) : Text(Text), Context(Context) {}

  Number whole() {
    Number Result = comma();
    if (Failure.empty() && peek() != '\0' && !atEnd())
      fail("`" + std::string(1, peek()) + "` is not expected");
    if (Failure.empty() && !atEnd())
      fail("it does not end where it should");
    if (!Failure.empty())
      return {{}, Failure};
    return Result;
  }

private:
  void blanks() {
    while (At < Text.size() && std::string_view(" \t\n\r").find(Text[At]) != std::string_view::npos)
      ++At;
  }
  bool atEnd() {
    blanks();
    return At >= Text.size();
  }
  char peek() {
    blanks();
    return At < Text.size() ? Text[At] : '\0';
  }
  bool accept(std::string_view Spelling) {
    blanks();
    if (!Text.substr(At).starts_with(Spelling))
      return false;
    At += Spelling.size();
    return true;
  }
  Number fail(std::string Why) {
    if (Failure.empty())
      Failure = std::move(Why);
    At = Text.size();
    return {};
  }

  Number comma() {
    Number Result = atEnd() ? Number{0, {}} : conditional();
    while (accept(","))
      Result = conditional();
    return Result;
  }

  Number conditional() {
    Number Condition = binary(1);
    if (!accept("?"))
      return Condition;
    if (++Depth > MaxNesting)
      return fail("it is nested too deeply");
    Number Yes = conditional();
    if (!accept(":"))
      return fail("`:` is missing");
    Number No = conditional();
    --Depth;
    if (!Condition.Value)
      return {};
    return *Condition.Value ? Yes : No;
  }

  Number binary(int Level) {
    Number Left = unary();
    for (;;) {
      blanks();
      const Operator *Found = nullptr;
      for (const Operator &Op : Binary)
        if (!Found && Text.substr(At).starts_with(Op.Spelling))
          Found = &Op;
      if (!Found || Found->Level < Level)
        return Left;
      At += Found->Spelling.size();
      if (++Depth > MaxNesting)
        return fail("it is nested too deeply");
      // `**` groups to the right.
      Number Right = binary(Found->Spelling == "**" ? Found->Level : Found->Level + 1);
      --Depth;
      Left = apply(Found->Spelling, Left, Right);
    }
  }

  Number unary() {
    if (++Depth > MaxNesting)
      return fail("it is nested too deeply");
    Number Result = prefixed();
    --Depth;
    return Result;
  }

  Number prefixed() {
    if (accept("++") || accept("--")) {
      bool Up = Text[At - 1] == '+';
      std::string Name = name();
      if (Name.empty())
        return fail("a variable is missing");
      Number New = step(Context.Get(Name), Up);
      Context.Set(Name, New);
      return New;
    }
    if (accept("+"))
      return unary();
    if (accept("-"))
      return apply("-", {0, {}}, unary());
    if (accept("~"))
      return apply("^", {-1, {}}, unary());
    if (peek() == '!' && !Text.substr(At).starts_with("!=")) {
      ++At;
      return apply("==", {0, {}}, unary());
    }
    if (accept("(")) {
      Number Result = comma();
      return accept(")") ? Result : fail("`)` is missing");
    }
    return atom();
  }

  Number atom() {
    if (atEnd())
      return fail("a value is missing at its end");
    if (Text[At] == '\0') {
      // A symbol, with whatever digits or letters it is glued to.
      while (At < Text.size() && (Text[At] == '\0' || isNamePart(Text[At])))
        ++At;
      return {};
    }
    if (isDigit(Text[At]))
      return literal();
    std::string Name = name();
    return Name.empty() ? fail("`" + std::string(1, Text[At]) + "` is not a number") : variable(Name);
  }

  Number literal() {
    size_t Begin = At;
    while (At < Text.size() && (isNamePart(Text[At]) || Text[At] == '#'))
      ++At;
    std::string Spelling(Text.substr(Begin, At - Begin));
    if (At < Text.size() && Text[At] == '\0') { // `1$X`
      ++At;
      return {};
    }
    char *End = nullptr;
    errno = 0;
    int64_t Value = std::strtoll(Spelling.c_str(), &End, 0);
    if (*End != '\0' || errno != 0)
      return fail("`" + Spelling + "` is not a number");
    return {Value, {}};
  }

  std::string name() {
    blanks();
    size_t Begin = At;
    if (At < Text.size() && isNameStart(Text[At]))
      while (At < Text.size() && isNamePart(Text[At]))
        ++At;
    return std::string(Text.substr(Begin, At - Begin));
  }

  Number variable(const std::string &Name) {
    Number Old = Context.Get(Name);
    if (accept("++") || accept("--")) {
      Context.Set(Name, step(Old, Text[At - 1] == '+'));
      return Old;
    }
    blanks();
    for (std::string_view Op : {"+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "="})
      if (Text.substr(At).starts_with(Op) && !Text.substr(At).starts_with("==")) {
        At += Op.size();
        if (++Depth > MaxNesting)
          return fail("it is nested too deeply");
        Number Right = conditional();
        --Depth;
        Number New = Op == "=" ? Right : apply(Op.substr(0, Op.size() - 1), Old, Right);
        Context.Set(Name, New);
        return New;
      }
    if (!Old.Error.empty())
      return fail(Old.Error);
    return Old;
  }

  Number step(const Number &Old, bool Up) { return apply(Up ? "+" : "-", Old, {1, {}}); }

  Number apply(std::string_view Op, const Number &L, const Number &R) {
    if (!L.Value || !R.Value)
      return {};
    int64_t A = *L.Value, B = *R.Value, Result = 0;
    bool Overflow = false;
    if (Op == "+")
      Overflow = __builtin_add_overflow(A, B, &Result);
    else if (Op == "-")
      Overflow = __builtin_sub_overflow(A, B, &Result);
    else if (Op == "*")
      Overflow = __builtin_mul_overflow(A, B, &Result);
    else if (Op == "/" || Op == "%")
      return divide(Op == "/", A, B);
    else if (Op == "**")
      return power(A, B);
    else if (Op == "<<" || Op == ">>")
      Result = Op == "<<" ? static_cast<int64_t>(static_cast<uint64_t>(A) << (B & 63)) : A >> (B & 63);
    else
      Result = compare(Op, A, B);
    return Overflow ? fail("the result has more than 64 bits") : Number{Result, {}};
  }

  static int64_t compare(std::string_view Op, int64_t A, int64_t B) {
    if (Op == "==")
      return A == B;
    if (Op == "!=")
      return A != B;
    if (Op == "<=")
      return A <= B;
    if (Op == ">=")
      return A >= B;
    if (Op == "<")
      return A < B;
    if (Op == ">")
      return A > B;
    if (Op == "&&")
      return A && B;
    if (Op == "||")
      return A || B;
    if (Op == "&")
      return A & B;
    return Op == "|" ? A | B : A ^ B;
  }

  Number divide(bool Quotient, int64_t A, int64_t B) {
    if (B == 0)
      return fail("division by zero");
    if (B == -1)
      return Quotient ? apply("-", {0, {}}, {A, {}}) : Number{0, {}};
    return {Quotient ? A / B : A % B, {}};
  }

  Number power(int64_t A, int64_t B) {
    if (B < 0)
      return fail("the exponent is negative");
    int64_t Result = 1;
    for (; B > 0 && Result != 0 && (Result != 1 || A != 1); --B) {
      if (A == -1) // would take B steps
        return {B % 2 ? -Result : Result, {}};
      if (__builtin_mul_overflow(Result, A, &Result))
        return fail("the result has more than 64 bits");
    }
    return {Result, {}};
  }

  static constexpr unsigned MaxNesting = 100;
  std::string_view Text;
  const ArithmeticContext &Context;
  size_t At = 0;
  unsigned Depth = 0;
  std::string Failure;
};

} // namespace

Number evaluateArithmetic(std::string_view Expression, const ArithmeticContext &Context) {
  return Reader(Expression, Context).whole();
}

} // namespace parlance::shell
