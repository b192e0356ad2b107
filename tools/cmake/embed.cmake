# Writes a header with files as texts; EmbedTexts.cmake runs it:
#   cmake -DOUT=Page.h -DNAMESPACE=parlance::page -DDIR=folder -DTEXTS=Html=a.html,Script=a.js+b.js -P embed.cmake
string(REPLACE "," ";" Texts "${TEXTS}")
set(Constants "")
foreach(Text IN LISTS Texts)
  string(REGEX MATCH "^([^=]+)=(.+)$" Parts "${Text}")
  set(Name ${CMAKE_MATCH_1})
  string(REPLACE "+" ";" Files "${CMAKE_MATCH_2}")
  string(APPEND Constants "inline constexpr std::string_view ${Name} = R\"~page~(")
  foreach(File IN LISTS Files)
    file(READ ${DIR}/${File} Content)
    string(APPEND Constants "${Content}")
  endforeach()
  string(APPEND Constants ")~page~\";\n")
endforeach()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
#pragma once
#include <string_view>

namespace @NAMESPACE@ {

@Constants@
} // namespace @NAMESPACE@
]])
