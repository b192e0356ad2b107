// Comments that are meant for this tool: `# parlance: …`.
#pragma once
#include "Frameworks/Job/FileKind.h"

namespace parlance {

inline constexpr std::string_view CommentMark = "parlance:";

struct MarkedComment {
  uint32_t Begin, Content, End; ///< of the `#`, behind `parlance:`, and of its line
};

/// In the order of the file. What only looks like a comment, in a string or a here-document, is
/// none; a file that cannot be read as what it is has none.
std::vector<MarkedComment> markedComments(uint32_t File, const SourceManager &Sources);

} // namespace parlance
