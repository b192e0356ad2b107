// Comments that are meant for this tool: `# parlance: …`.
#pragma once
#include "Frameworks/Job/FileKind.h"

namespace parlance {

/// Where a text says `parlance:`, in letters of any case, from an offset on.
size_t findCommentMark(std::string_view Text, size_t From = 0);

struct MarkedComment {
  uint32_t Begin, Content, End; ///< of the `#`, behind `parlance:`, and of its line or `*/`
};

/// In the order of the file, also such as stand behind other words of a comment. What only looks like a comment, in a
/// string or a here-document, is none; a file that cannot be read as what it is has none.
std::vector<MarkedComment> markedComments(uint32_t File, const SourceManager &Sources);

} // namespace parlance
