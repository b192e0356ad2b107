// The library's own text, as it is read: for editors, which show it where a name leads into it.
#include "Emitter.h"

namespace parlance {

std::map<std::string, std::string> sources(const SourceManager &Sources) {
  std::string Files;
  for (uint32_t Id = 1; Id <= Sources.count(); ++Id)
    if (const SourceFile &File = Sources.file(Id); File.name().starts_with("std/"))
      Files += fmt::format("    {{{}, {}sv}},\n", cppString(File.name()), cppString(File.text()));
  return {{"StdSources.h", "#pragma once\n#include <span>\n#include <string_view>\n\nnamespace parlance {\n\n"
                           "struct LibraryFile {\n  std::string_view Name; ///< \"std/hardware.parl\"\n"
                           "  std::string_view Text;\n};\n/// The files that the library was made from.\n"
                           "std::span<const LibraryFile> standardSources();\n\n} // namespace parlance\n"},
          {"StdSources.cpp", "#include \"StdSources.h\"\n\nnamespace parlance {\n\nusing namespace "
                             "std::literals;\n"
                             "static constexpr LibraryFile Files[] = {\n" +
                                 Files +
                                 "};\nstd::span<const LibraryFile> standardSources() { return Files; "
                                 "}\n\n} // namespace parlance\n"}};
}

} // namespace parlance
