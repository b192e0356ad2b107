# embed_texts(TARGET HEADER NAMESPACE DIR NAME=FILE+FILE... ...)
# gives a target the header gen/HEADER, in which each NAME is a std::string_view of these files of DIR, one after another.
set(EmbedScript ${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
function(embed_texts Target Header Namespace Dir)
  set(Files "")
  foreach(Text IN LISTS ARGN)
    string(REGEX REPLACE "^[^=]+=" "" Names "${Text}")
    string(REPLACE "+" ";" Names "${Names}")
    list(APPEND Files ${Names})
  endforeach()
  list(TRANSFORM Files PREPEND ${Dir}/)
  list(JOIN ARGN "," Texts)
  set(Out ${PROJECT_BINARY_DIR}/gen/${Header})
  add_custom_command(
    OUTPUT ${Out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${Out} -DNAMESPACE=${Namespace} -DDIR=${Dir} -DTEXTS=${Texts} -P ${EmbedScript}
    DEPENDS ${Files} ${EmbedScript}
    COMMENT "Embedding the texts of ${Header}"
    VERBATIM)
  target_sources(${Target} PRIVATE ${Out})
  target_include_directories(${Target} PRIVATE ${PROJECT_BINARY_DIR}/gen)
endfunction()
