#include "Policy/Policy.h"
#include "Policy/PolicyRun.h"
#include <filesystem>

using namespace parlance;

bool parlance::isPolicyFile(const std::string &Path) {
  return std::filesystem::path(Path).filename() == PolicyFileName;
}

std::vector<uint32_t> parlance::policyRules(uint32_t File, SourceManager &Sources) {
  DiagnosticEngine Reported; // by applyPolicy
  PolicyFinder Finder(Sources, Reported);
  const PolicyFile *Found = Finder.above(Sources.file(File).name());
  return Found ? Finder.rules(*Found) : std::vector<uint32_t>();
}

void parlance::applyPolicy(CheckReport &Report, const PolicyRequest &Request) { PolicyRun(Report, Request).run(); }
