# assay_wordlist(TARGET): compiles the English word lists of Debian's wamerican and wbritish into TARGET as the function
# `std::string_view embedded_words()` of src/text/word_list.h. Only plain lower-case words are kept: the list tells
# names from words, so the names in it must go, and inflected forms with an apostrophe are split before.
function(assay_wordlist target)
  set(words /usr/share/dict/american-english /usr/share/dict/british-english)
  foreach(list ${words})
    if(NOT EXISTS ${list})
      message(FATAL_ERROR "${list} is missing: install wamerican and wbritish (the word lists the built-in judge tells names from words by)")
    endif()
  endforeach()
  set(out ${CMAKE_BINARY_DIR}/generated/word_list.cc)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} "-DWORDS=${words}" -P ${CMAKE_SOURCE_DIR}/cmake/wordlist_file.cmake
    DEPENDS ${words} ${CMAKE_SOURCE_DIR}/cmake/wordlist_file.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
