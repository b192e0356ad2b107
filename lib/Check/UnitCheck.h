// One unit, checked, with everything that its check was made of.
#pragma once
#include "Check/CheckUnit.h"
#include "Check/Session.h"

namespace parlance {

class UnitCheck {
public:
  /// Reads and judges the files of a unit. What was found is in the report; the policy has not been applied to it.
  UnitCheck(const CheckUnit &Unit, const CheckRequest &Request);

  /// A file of the unit by its place in it; 0 where it cannot be read, which is reported, or was left alone.
  uint32_t file(size_t Index) const { return Opened[Index]; }
  /// One for every .parl file and for every job of frameworks' files, in the order of the files.
  const std::vector<std::unique_ptr<Session>> &sessions() const { return Sessions; }
  /// The first of them; an empty one where there is none.
  Session &session();
  /// The report, for a caller that needs nothing else.
  CheckReport take() &&;

  CheckReport Report;
  DiagnosticEngine Diags{PolicyErrors}; ///< empty: what is reported to it later belongs to no report

private:
  uint32_t open(const std::string &Path);
  Session &newSession() { return *Sessions.emplace_back(std::make_unique<Session>(Report.Sources, Diags)); }
  void judgeForeign();
  void finish();
  bool isDoubtful() const;
  bool isUnknown() const;

  const CheckUnit &Unit;
  const CheckRequest &Request;
  std::vector<uint32_t> Opened;
  std::vector<ForeignFile> Foreign;
  std::vector<std::unique_ptr<Session>> Sessions;
};

} // namespace parlance
