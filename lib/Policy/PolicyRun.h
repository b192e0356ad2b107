// The steps from everything that was found to what is shown. Internal to Policy.
#pragma once
#include "Policy/Baseline.h"
#include "Policy/Policy.h"
#include "Policy/PolicyFinder.h"
#include <set>

namespace parlance {

class PolicyRun {
public:
  PolicyRun(CheckReport &Report, const PolicyRequest &Request)
      : Report(Report), Sources(Report.Sources), Request(Request), Finder(Sources, Own) {}
  void run();

private:
  struct Finding {
    Diagnostic D;
    bool Hard = false, Hidden = false;
  };
  struct OpenBaseline {
    std::string Folder;
    std::vector<BaselineEntry> Entries;
    std::vector<size_t> Candidates; ///< findings that it is about
    bool Valid = true;
  };

  // PolicyRun.cpp
  void addFindings(std::vector<Diagnostic> Found);
  std::string unusable(std::string_view Option, std::string_view Pattern);
  std::string unusable();
  void readPolicyFiles();
  void judgePolicyFiles();
  void setLevels();
  void select();
  void count();
  const PolicyFile *policyOf(uint32_t File);

  // PolicyRunSuppressions.cpp: names, what was judged, suppressions
  void nameUsersRules();
  void collectRules(const std::vector<ast::Item *> &Items);
  /// Made when something is first looked up: a check without patterns needs none.
  RuleNames &names() { return AllNames ? *AllNames : AllNames.emplace(); }
  bool isKnown(std::string_view Pattern);
  /// Whether nothing of a pattern is in a file, given that nothing was found.
  bool isDecided(uint32_t File, std::string_view Pattern);
  void readSuppressions();
  void suppress();
  void judgeSuppressions();
  void offerNearest(Diagnostic &D, SourceRange At, std::string_view Pattern);

  // PolicyRunBaselines.cpp
  void applyBaselines();
  OpenBaseline &baseline(const std::string &Path, SourceRange NamedAt);
  void match(OpenBaseline &B, const std::string &Path);
  bool isGone(const OpenBaseline &B, const BaselineEntry &E);
  void writeBaselines();

  CheckReport &Report;
  SourceManager &Sources; ///< the report's
  const PolicyRequest &Request;
  DiagnosticEngine Own; ///< what is wrong with suppressions, parlance.toml and baselines
  PolicyFinder Finder;
  std::vector<Finding> Findings;
  std::vector<Allow> Allows;
  std::optional<RuleNames> AllNames;
  bool UsersNamed = false;
  std::map<uint32_t, const PolicyFile *> PolicyOfFile;
  std::set<uint32_t> Checked;
  std::map<uint32_t, std::vector<const Judgement *>> JudgementsOf;
  std::set<uint32_t> Broken; ///< files with hard errors
  std::map<std::string, OpenBaseline> Baselines;
  std::map<std::string, std::map<std::string, uint32_t>> CheckedBelow; ///< by folder and path
};

} // namespace parlance
