#include "Basic/Utf8.h"
#include "Render/RenderText.h"
#include <algorithm>
#include <set>

using namespace parlance;

namespace {

constexpr size_t WidestName = 32; // longer ones do not push their siblings apart
constexpr unsigned BriefDepth = 2;
constexpr size_t BriefColumns = 130;

class DerivationWriter {
public:
  DerivationWriter(const SourceManager &Sources, bool Brief) : Sources(Sources), Brief(Brief) {}
  void write(const Derivation &D, unsigned Indent, size_t NameWidth, unsigned Depth = 0);
  std::string take() { return std::move(Out); }
  bool cut() const { return Cut; }

private:
  std::string source(const Derivation &D) const;

  std::string equation(const Derivation &D, bool WithFormula) const;

  const SourceManager &Sources;
  bool Brief; ///< few levels, and no sources
  bool Cut = false;
  std::string Out;
  /// Names whose terms stand further up already.
  std::set<std::pair<std::string, std::string>> Shown;
};

/// A bare number gets its unit; `80 GB` brings its own.
std::string valueWithUnit(const Derivation &D) {
  std::string Value = printable(D.Value);
  if (Value.empty() || D.Unit.empty() || D.Unit == "ratio" || Value.find(' ') != std::string::npos)
    return Value;
  return Value + ' ' + printable(D.Unit);
}

std::string DerivationWriter::source(const Derivation &D) const {
  if (Brief)
    return "";
  if (isPlaced(D.Origin, Sources) && D.Formula.empty())
    return "  (" + placeName(D.Origin, Sources) + ')';
  return D.Source.empty() ? "" : "  (" + printable(D.Source) + ')';
}

/// `formula = with numbers = value`, each part once.
std::string DerivationWriter::equation(const Derivation &D, bool WithFormula) const {
  std::vector<std::string> Parts;
  for (std::string Part : {WithFormula ? printable(D.Formula) : "", printable(D.Substituted), valueWithUnit(D)})
    if (!Part.empty() && (Parts.empty() || Part != Parts.back()))
      Parts.push_back(std::move(Part));
  return fmt::format("{}", fmt::join(Parts, " = "));
}

void DerivationWriter::write(const Derivation &D, unsigned Indent, size_t NameWidth, unsigned Depth) {
  std::string Name = printable(D.Name), Equation = equation(D, true);
  if (Brief && Indent + columns(Name) + columns(Equation) > BriefColumns) {
    Cut = true;
    Equation = equation(D, false);
    if (Indent + columns(Name) + columns(Equation) > BriefColumns)
      Equation = valueWithUnit(D);
  }
  if (!Name.empty() && !Equation.empty()) {
    if (const size_t Width = columns(Name); Width < NameWidth)
      Name.append(NameWidth - Width, ' ');
    Name += " = ";
  }
  Out += std::string(Indent, ' ') + Name + Equation + source(D) + '\n';
  const bool IsNew = D.Name.empty() || Shown.emplace(D.Name, D.Value).second;
  if (!IsNew || D.Terms.empty())
    return;
  if (Brief && Depth == BriefDepth) {
    Cut = true;
    return;
  }
  size_t Widest = 0;
  for (const Derivation &Term : D.Terms)
    if (const size_t Width = columns(Term.Name); Width <= WidestName)
      Widest = std::max(Widest, Width);
  for (const Derivation &Term : D.Terms)
    write(Term, Indent + 2, Widest, Depth + 1);
}

} // namespace

std::string parlance::renderBriefDerivation(const Derivation &D, const SourceManager &Sources, unsigned Indent,
                                            bool &Cut) {
  DerivationWriter Writer(Sources, true);
  Writer.write(D, Indent, 0);
  Cut |= Writer.cut();
  return Writer.take();
}

std::string parlance::renderDerivation(const Derivation &D, const SourceManager &Sources, unsigned Indent) {
  DerivationWriter Writer(Sources, false);
  Writer.write(D, Indent, 0);
  return Writer.take();
}
