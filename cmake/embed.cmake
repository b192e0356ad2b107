# Writes a header with the parts of the report's page as texts:
#   cmake -DOUT=Page.h -DDIR=lib/Report/page -DSCRIPTS=core.js,… -P embed.cmake
function(text Name)
  set(All "")
  foreach(File IN LISTS ARGN)
    file(READ ${DIR}/${File} Text)
    string(APPEND All "${Text}")
  endforeach()
  set(${Name} "${All}" PARENT_SCOPE)
endfunction()
string(REPLACE "," ";" Scripts "${SCRIPTS}")
text(Html report.html)
text(Style report.css)
text(Script ${Scripts})
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
#pragma once
#include <string_view>

namespace parlance::page {

inline constexpr std::string_view Html = R"~page~(@Html@)~page~";
inline constexpr std::string_view Style = R"~page~(@Style@)~page~";
inline constexpr std::string_view Script = R"~page~("use strict";
(() => {
@Script@})();
)~page~";

} // namespace parlance::page
]])
