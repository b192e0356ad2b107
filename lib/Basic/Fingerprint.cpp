#include "Basic/Fingerprint.h"
#include <filesystem>
#include <map>

using namespace parlance;

namespace {

/// Longer lines are not an unit that a person edits.
constexpr size_t LongLine = 400;

/// FNV-1a over 64 bits (Fowler, Noll, Vo). Parts are set apart, so that none runs into the next.
class Hash {
public:
  Hash &add(std::string_view Part) {
    for (char C : Part)
      add(C);
    return add('\0');
  }
  uint64_t value() const { return Value; }

private:
  Hash &add(char C) {
    Value = (Value ^ static_cast<unsigned char>(C)) * 0x100000001b3u;
    return *this;
  }
  uint64_t Value = 0xcbf29ce484222325u;
};

/// Without blanks at the ends, and with one for several.
std::string withoutBlanks(std::string_view Text) {
  std::string Result;
  bool Pending = false;
  for (char C : Text) {
    if (C == ' ' || C == '\t' || C == '\r' || C == '\n') {
      Pending = !Result.empty();
      continue;
    }
    if (Pending)
      Result += ' ';
    Pending = false;
    Result += C;
  }
  return Result;
}

std::string essence(const Diagnostic &D, const SourceManager &Sources) {
  if (!D.Range)
    return D.Message;
  std::string_view Line = Sources.file(D.Range.File).line(Sources.begin(D.Range).Line);
  return withoutBlanks(Line.size() > LongLine ? Sources.text(D.Range).substr(0, LongLine) : Line);
}

} // namespace

bool parlance::isOnDisk(std::string_view Name) { return !Name.starts_with('<') && !Name.starts_with('-'); }

std::string parlance::relativePath(const std::string &File, const std::string &Folder) {
  namespace fs = std::filesystem;
  if (!isOnDisk(File))
    return File;
  std::error_code Error;
  fs::path From = fs::weakly_canonical(fs::absolute(Folder, Error), Error);
  fs::path To = fs::weakly_canonical(fs::absolute(File, Error), Error);
  return Error ? File : To.lexically_relative(From).generic_string();
}

std::vector<std::string> parlance::fingerprints(const std::vector<Diagnostic> &Diagnostics,
                                                const SourceManager &Sources, const std::string &Folder) {
  std::vector<std::string> Result;
  std::map<uint32_t, std::string> Paths;
  std::map<uint64_t, unsigned> Alike;
  for (const Diagnostic &D : Diagnostics) {
    std::string &Path = Paths[D.Range.File];
    if (D.Range && Path.empty())
      Path = relativePath(Sources.file(D.Range.File).name(), Folder);
    Hash H;
    H.add(D.Code).add(D.Name).add(Path).add(essence(D, Sources));
    if (unsigned Earlier = Alike[H.value()]++)
      H.add(std::to_string(Earlier));
    Result.push_back(fmt::format("{:016x}", H.value()));
  }
  return Result;
}
