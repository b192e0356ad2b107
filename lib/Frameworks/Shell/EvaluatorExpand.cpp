// Words to fields: expansion, then splitting of what is not quoted.
#include "Basic/Diagnostics.h"
#include "Frameworks/Shell/Evaluator.h"
#include <utility>

namespace parlance::shell {

namespace {

bool isBlank(char C) { return C == ' ' || C == '\t' || C == '\n'; }

/// Collects the fields of one word.
class FieldList {
public:
  explicit FieldList(SourceRange Written) : Written(Written) {}

  void glue(const ShellText &Text) { Current.append(Text); }
  /// The field exists even if nothing is in it.
  void keep() { Kept = true; }
  void end() {
    if (Kept || !Current.empty())
      All.push_back({std::exchange(Current, {}), Written});
    Kept = false;
  }
  /// Text of an unquoted expansion: blanks end a field.
  void split(const ShellText &Text) {
    for (Piece P : Text.pieces()) {
      if (P.isSymbol()) {
        P.MaySplit = true;
        Current.append(std::move(P));
        continue;
      }
      for (size_t I = 0; I < P.Text.size();) {
        size_t Begin = I;
        while (I < P.Text.size() && !isBlank(P.Text[I]))
          ++I;
        if (I > Begin)
          Current.append(cut(P, Begin, I));
        if (I < P.Text.size())
          end();
        while (I < P.Text.size() && isBlank(P.Text[I]))
          ++I;
      }
    }
  }
  std::vector<ShellWord> take() {
    end();
    return std::move(All);
  }

private:
  static Piece cut(const Piece &P, size_t Begin, size_t End) {
    Piece Part = P;
    Part.Text = P.Text.substr(Begin, End - Begin);
    if (P.Verbatim) {
      Part.Range.Begin += static_cast<uint32_t>(Begin);
      Part.Range.End = Part.Range.Begin + static_cast<uint32_t>(End - Begin);
    }
    return Part;
  }

  SourceRange Written;
  ShellText Current;
  bool Kept = false;
  std::vector<ShellWord> All;
};

} // namespace

std::vector<ShellWord> Evaluator::fields(const Word &W) {
  FieldList List(U->place(W.At));
  bool Nothing = false; // `"$@"` without arguments is not a word, in spite of its quotes
  for (const Part &P : W.Parts) {
    if (Stopped)
      break;
    if (P.K != Part::Kind::Parameter) {
      ShellText Text = expand({&P, 1});
      bool Whole = P.Quoted || P.K == Part::Kind::Literal || P.K == Part::Kind::Placeholder;
      Whole ? List.glue(Text) : List.split(Text);
      continue;
    }
    Parameter Value = parameter(P);
    Nothing |= Value.Many && Value.Values.empty();
    bool First = true;
    for (const ShellText &Text : Value.Values) {
      charge(Text.weight());
      if (!std::exchange(First, false))
        List.end();
      P.Quoted ? List.glue(Text) : List.split(Text);
      if (P.Quoted && Value.Many)
        List.keep();
    }
  }
  if (W.Quoted && !Nothing)
    List.keep();
  std::vector<ShellWord> Result = List.take();
  for (ShellWord &F : Result)
    bounded(F.Text, W.At);
  return Result;
}

ShellText Evaluator::expand(std::span<const Part> Parts) {
  ShellText Result;
  size_t Weight = 0;
  for (const Part &P : Parts) {
    ShellText Text;
    switch (P.K) {
    case Part::Kind::Literal:
      Text = U->slice(P.At);
      break;
    case Part::Kind::Arithmetic:
      Text = arithmetic(P);
      break;
    case Part::Kind::Command: {
      Piece S = symbol(U->slice(P.At).shown(), "is the output of a command", U->range(P.At));
      S.MaySplit = !P.Quoted;
      Text.append(std::move(S));
      break;
    }
    case Part::Kind::Placeholder:
      Diags.report(diag::ShellPlaceholder, U->range(P.At), U->slice(P.At).shown());
      Text.append(symbol(U->slice(P.At).shown(), "is a placeholder of a template", U->range(P.At)));
      break;
    case Part::Kind::Parameter: {
      Parameter Value = parameter(P);
      for (size_t I = 0; I < Value.Values.size(); ++I) {
        if (I > 0)
          Text.append(computed(" ", U->range(P.At)));
        Text.append(Value.Values[I]);
      }
      break;
    }
    }
    Weight += Text.weight();
    if (!charge(Text.weight()) || Weight > 2 * MaxText)
      break; // `bounded` will say so
    Result.append(Text);
  }
  if (Weight > MaxText && !Parts.empty())
    bounded(Result, {Parts.front().At.Begin, Parts.back().At.End});
  return Result;
}

// --- arithmetic

ShellText Evaluator::arithmetic(const Part &P) {
  ShellText Expression = expand(P.Operand);
  Number Result = evaluate(Expression, 0);
  if (!Result.Error.empty())
    Diags.report(diag::ShellArithmetic, U->range(P.At), Result.Error);
  if (Result.Value)
    return computed(std::to_string(*Result.Value), U->range(P.At));
  // What it depends on may stand in it by name only, as in $((TP*PP)).
  ShellText From = Expression;
  std::string Flat = Expression.flat();
  for (const auto &[Name, V] : S.Variables)
    if (!From.symbolic() && V->Scalar.symbolic() && Flat.find(Name) != Flat.npos)
      From = V->Scalar;
  ShellText Text;
  Text.append(derived(P.At, From));
  return Text;
}

Number Evaluator::evaluate(const ShellText &Expression, unsigned Depth) {
  constexpr unsigned MaxDepth = 8; // A=B, B=A
  if (Depth > MaxDepth || !charge(Expression.weight() * 4))
    return {};
  ArithmeticContext Context;
  Context.Get = [&](const std::string &Name) -> Number {
    const Variable *V = find(Name);
    if (!V) {
      const std::string *Text = given(Name);
      return Text ? evaluate(computed(*Text, {}), Depth + 1) : Number{};
    }
    const ShellText &Value = V->Array && !V->Elements.empty() ? V->Elements[0] : V->Scalar;
    return evaluate(Value, Depth + 1);
  };
  Context.Set = [&](const std::string &Name, const Number &N) {
    const Variable *Old = find(Name);
    Variable V;
    V.At = Expression.range() ? Expression.range() : Whole;
    V.Exported = Old && Old->Exported;
    if (N.Value)
      V.Scalar = computed(std::to_string(*N.Value), V.At);
    else
      V.Scalar.append(symbol("$" + Name, "is computed when the script runs", V.At));
    set(Name, std::move(V));
  };
  return evaluateArithmetic(Expression.flat(), Context);
}

} // namespace parlance::shell
