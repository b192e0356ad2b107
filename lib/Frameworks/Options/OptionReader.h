// Reads a configuration, as a tree, into a record of the framework's schema.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance {

class OptionReader {
public:
  OptionReader(const Framework &F, Evaluator &E, DiagnosticEngine &Diags) : F(F), E(E), Diags(Diags) {}

  /// The options that an object gives, each with its place; what the framework would refuse (unknown names, wrong
  /// types, values out of range) is reported, and the option not known: its default would be judged although nobody
  /// wants it. `At` stands for the whole configuration: what is left to defaults is found there. `Prefix` comes before
  /// the names in messages.
  Record *read(const ConfigValue &Tree, const SchemaDecl &Schema, SourceRange At, const std::string &Prefix = {});
  /// The facts that an object gives.
  Record *readFacts(const ConfigValue &Facts, const SchemaDecl &Schema);
  const std::vector<Symbol> &symbols() const { return Symbols; }
  /// The options that the framework would refuse, unless they are nearly one of its own.
  const std::vector<UnreadOption> &unread() const { return Unread; }

private:
  void readInto(Record &R, const ConfigValue &Object, const std::string &Prefix);
  const FieldDecl *find(const SchemaDecl &S, const ConfigValue &Object, const ConfigValue &Member,
                        const std::string &Path);
  const FieldDecl *reportUnknown(const SchemaDecl &S, const ConfigValue &Object, const ConfigValue &Member,
                                 const std::string &Path);
  std::string keyIn(const ConfigValue &Member) const;
  bool isGiven(const ConfigValue &Object, const FieldDecl &Option) const;
  std::optional<Fix> rename(const ConfigValue &Member, std::string_view To, Applicability Trust) const;
  void leaveOpen(Record &R, const FieldDecl &Option, SourceRange Given);
  void reportMissing(const Record &R, const std::string &Prefix);
  Value value(const FieldDecl &Option, const ConfigValue &V, const std::string &Path);
  Value number(const FieldDecl &Option, const ConfigValue &V, const std::string &Path);
  Value choice(const FieldDecl &Option, const ConfigValue &V, const std::string &Path);
  Value text(const FieldDecl &Option, const ConfigValue &V, const std::string &Path);
  Value wrongType(const FieldDecl &Option, const ConfigValue &V, const std::string &Path);
  bool isSymbolic(const FieldDecl &Option, const ConfigValue &V) const;
  std::optional<double> numberIn(const FieldDecl &Option, const ConfigValue &V) const;
  bool isModel() const { return F.Converts == Conversion::Models && Section->Unknown == UnknownOption::Rejected; }
  bool converts() const { return F.Converts == Conversion::Everywhere || isModel(); }
  bool checksTypes() const { return F.Converts != Conversion::Models || isModel(); }

  const Framework &F;
  Evaluator &E;
  DiagnosticEngine &Diags;
  const SchemaDecl *Section = nullptr; ///< that is being read
  std::vector<Symbol> Symbols;
  std::vector<UnreadOption> Unread;
  /// A file with more unknown names than this is of something else: the rest says nothing new.
  static constexpr unsigned MaxUnknown = 100;
  unsigned Unknown = 0;
};

} // namespace parlance
