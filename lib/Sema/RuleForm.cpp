#include "Sema/RuleForm.h"
#include "Basic/Diagnostics.h"
#include "Basic/Source.h"
#include "Basic/Text.h"
#include <algorithm>
#include <set>
#include <span>

namespace parlance {

using namespace ast;

std::vector<MessagePart> messageParts(std::string_view Contents, SourceRange At) {
  std::vector<MessagePart> Parts;
  // Both quotes are of one length: the contents begin behind the first.
  uint32_t First = At ? At.Begin + (At.End - At.Begin - static_cast<uint32_t>(Contents.size())) / 2 : 0;
  for (size_t Start = 0; Start < Contents.size();) {
    size_t Open = Contents.find('{', Start);
    size_t Close = Open == std::string_view::npos ? Open : Contents.find('}', Open);
    if (Close == std::string_view::npos) {
      auto Brace = First + static_cast<uint32_t>(Open);
      bool Unclosed = At && Open != std::string_view::npos;
      Parts.push_back(
          {Contents.substr(Start), false, {}, Unclosed ? SourceRange{At.File, Brace, Brace + 1} : SourceRange()});
      break;
    }
    if (Open > Start)
      Parts.push_back({Contents.substr(Start, Open - Start), false, {}, {}});
    MessagePart Part{Contents.substr(Open + 1, Close - Open - 1), true, {}, {}};
    for (std::string_view Format : {":%", ":GiB"})
      if (Part.Text.ends_with(Format)) {
        Part.Text.remove_suffix(Format.size());
        Part.Format = Format.substr(1);
      }
    if (At) {
      uint32_t Begin = First + static_cast<uint32_t>(Open) + 1;
      Part.Range = {At.File, Begin, Begin + static_cast<uint32_t>(Part.Text.size())};
    }
    Parts.push_back(Part);
    Start = Close + 1;
  }
  return Parts;
}

std::string_view userCode(const Item &Rule) { return Rule.Id2 ? Rule.Id2.Text : "PL9000"; }

static std::optional<Severity> severityWord(const Expr &E) {
  if (E.Kind == ExprKind::Name)
    for (Severity S : {Severity::Error, Severity::Warning, Severity::Hint})
      if (E.Text == severityName(S))
        return S;
  return std::nullopt;
}

/// One field of a rule; false when its value cannot be it, which is reported.
static bool readField(Item &I, RuleForm &Form, DiagnosticEngine &Diags) {
  std::string_view Key = I.Id.Text;
  Expr &V = *I.Value;
  auto Mismatch = [&](std::string_view Wanted) {
    Diags.report(diag::ValueMismatch, V.Range, fmt::format("`{}`", Key), std::string(Wanted), "something else");
    return false;
  };
  if (Key == "when" || Key == "unless") {
    (Key == "when" ? Form.When : Form.Unless) = &V;
  } else if (Key == "explain") {
    Form.Explain = &V;
  } else if (Key == "example" || Key == "fixed") {
    (Key == "example" ? Form.Example : Form.Fixed) = &V;
  } else if (Key == "severity") {
    auto S = severityWord(V);
    if (!S)
      Diags.report(diag::UnknownEnumerator, V.Range, V.Text, "error, warning or hint");
    Form.Level = S.value_or(Severity::Error);
    return S.has_value();
  } else if (Key == "frameworks") {
    Form.Frameworks = V.Args;
    return V.Kind == ExprKind::List || Mismatch("a list such as `[megatron]`");
  } else if (Key == "about_options") {
    Form.AboutOptions = V.Flag;
    return V.Kind == ExprKind::Bool || Mismatch("`bool`");
  } else if (V.Kind != ExprKind::String) {
    return Mismatch("`string`");
  } else if (Key == "message" || Key == "caret") {
    (Key == "message" ? Form.Message : Form.Caret) = &I;
  } else {
    (Key == "why" ? Form.Why : Form.Raises) = V.Text;
  }
  return true;
}

std::optional<RuleForm> ruleForm(const Item &Rule, DiagnosticEngine &Diags) {
  RuleForm Form;
  static constexpr std::string_view Known[] = {"severity", "when",    "unless",     "message",
                                               "caret",    "why",     "raises",     "example",
                                               "fixed",    "explain", "frameworks", "about_options"};
  std::set<std::string_view> Seen;
  bool Ok = !Rule.Incomplete;
  for (Item *I : Rule.Items) {
    if (I->Kind == ItemKind::RuleNote || I->Kind == ItemKind::RuleFix) {
      (I->Kind == ItemKind::RuleNote ? Form.Notes : Form.Fixes).push_back(I);
      continue;
    }
    std::string_view Key = I->Id.Text;
    if (I->Kind != ItemKind::Field || std::ranges::find(Known, Key) == std::end(Known)) {
      Diagnostic &D = Diags.report(diag::UnknownField, I->Id ? I->Id.Range : I->Range, "rule", Key);
      if (auto Near = nearest(Key, Known))
        D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Maybe, {{I->Id.Range, std::string(*Near)}}, {}});
      Ok = false;
      continue;
    }
    if (!Seen.insert(Key).second) {
      Diags.report(diag::DuplicateField, I->Id.Range, Key);
      Ok = false;
      continue;
    }
    Ok &= I->Value->Kind != ExprKind::Error && readField(*I, Form, Diags);
  }
  if (Ok && (!Form.Message || (!Form.When && !Form.Unless))) {
    Diags.report(diag::MissingField, Rule.Id.Range, "rule", Rule.Id.Text,
                 Form.Message ? "`when` or `unless`" : "`message`");
    Ok = false;
  }
  return Ok ? std::optional(Form) : std::nullopt;
}

DeclaredRule::DeclaredRule(const Item &Rule, const RuleForm &Form, const SourceManager &Sources) {
  Decl.Code = userCode(Rule);
  Decl.Name = Rule.Id.Text;
  Decl.Level = Form.Level;
  Decl.Field = Rule.Base.Text;
  Decl.Message = Form.Message->Value->Text;
  if (Form.Caret)
    Decl.Caret = Form.Caret->Value->Text;
  Decl.Why = Form.Why;
  Decl.Raises = Form.Raises;
  if (Form.Explain)
    Decl.Explains = Sources.text(Form.Explain->Range);
  Decl.AboutOptions = Form.AboutOptions;
  for (const Expr *Word : Form.Frameworks)
    Frameworks.push_back(Word->Text);
  for (const Item *N : Form.Notes)
    Notes.push_back({Sources.text(N->Value->Range), N->Doc});
  for (const Item *F : Form.Fixes)
    Fixes.push_back({Sources.text(F->Value->Range), Sources.text(F->Extra->Range)});
  Decl.Frameworks = Frameworks;
  Decl.Notes = Notes;
  Decl.Fixes = Fixes;
}

//===----------------------------------------------------------------------===//
// Texts of the page
//===----------------------------------------------------------------------===//

/// The lines of a string in `"""`, without the indentation of the line that closes it and without blank ones at the
/// ends.
static std::string evenLines(std::string_view Text) {
  std::vector<std::string_view> Lines;
  size_t Common = std::string_view::npos, Filled = 0;
  for (size_t At = 0; At <= Text.size();) {
    size_t End = std::min(Text.find('\n', At), Text.size());
    std::string_view Line = Text.substr(At, End - At);
    bool Blank = Line.find_first_not_of(' ') == std::string_view::npos;
    if (!Blank || !Lines.empty())
      Lines.push_back(Blank ? std::string_view() : Line);
    if (!Blank)
      Filled = Lines.size();
    if (!Blank || End == Text.size())
      Common = std::min({Common, Line.find_first_not_of(' '), Line.size()});
    At = End + 1;
  }
  std::string Result;
  for (std::string_view L : std::span(Lines).first(Filled))
    Result.append(L.substr(std::min(L.size(), Common))).append("\n");
  return Result;
}

static bool isMultiline(const Expr &String) { return String.Range.End - String.Range.Begin > String.Text.size() + 2; }

/// The contents of a string as lines. Those of `"""` are as they stand, others have escapes.
static std::string lines(const Expr &String) {
  if (isMultiline(String))
    return evenLines(String.Text);
  std::string Text = unescape(String.Text);
  return Text.ends_with('\n') ? Text : Text + "\n";
}

std::string RuleTexts::noText(const Expr &E) {
  Diags.report(diag::ValueMismatch, E.Range, "a rule's text", "`string`", "something else");
  return {};
}

std::string RuleTexts::fixed() {
  if (!Form.Fixed)
    return {};
  Example = example();
  return read(*Form.Fixed);
}

std::string RuleTexts::read(const Expr &E) {
  if (E.Kind == ExprKind::String)
    return lines(E);
  if (E.Kind == ExprKind::Name)
    return named(E);
  if (E.Kind == ExprKind::Binary && E.O == Op::Add)
    return read(*E.Args[0]) + read(*E.Args[1]);
  if (E.Kind == ExprKind::Call && E.Args[0]->Kind == ExprKind::Name && E.Args[0]->Text == "replace")
    return changed(E);
  return noText(E);
}

std::string RuleTexts::named(const Expr &Name) {
  if (Name.Text == "example" && Example)
    return *Example;
  const Item *Let = Named(Name.Text);
  if (!Let) {
    Diags.report(diag::UnknownName, Name.Range, "text", Name.Text);
    return {};
  }
  if (Let->Kind != ItemKind::Let || !Let->Value || Let->Value->Kind != ExprKind::String)
    return noText(Name);
  return lines(*Let->Value);
}

/// `replace(text, old, new, …)`: one change after the other, each of what stands there once.
std::string RuleTexts::changed(const Expr &Call) {
  if (Call.Args.size() < 4 || Call.Args.size() % 2)
    return noText(Call);
  std::string Text = read(*Call.Args[1]);
  for (size_t I = 2; I < Call.Args.size(); I += 2) {
    const Expr &Old = *Call.Args[I], &New = *Call.Args[I + 1];
    if (Old.Kind != ExprKind::String || New.Kind != ExprKind::String)
      return noText(Old.Kind != ExprKind::String ? Old : New);
    std::string From = unescape(Old.Text);
    size_t At = From.empty() ? std::string::npos : Text.find(From);
    if (At == std::string::npos || Text.find(From, At + 1) != std::string::npos) {
      Diags.report(diag::TextNotOnce, Old.Range, Old.Text, At == std::string::npos ? "does not stand" : "stands twice");
      return {};
    }
    Text.replace(At, From.size(), unescape(New.Text));
  }
  return Text;
}

} // namespace parlance
