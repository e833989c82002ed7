# assay_embed(TARGET ROOT DIR...): compiles every .yaml below ROOT/DIR... into TARGET as the function
# `std::span<const EmbeddedFile> embedded_files()` of src/rubric/embedded.h, sorted by path.
function(assay_embed target root)
  set(files "")
  foreach(dir ${ARGN})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${root} ${root}/${dir}/*.yaml)
    list(APPEND files ${found})
  endforeach()
  list(SORT files)
  set(out ${CMAKE_BINARY_DIR}/generated/embedded_files.cc)
  set(inputs ${files})
  list(TRANSFORM inputs PREPEND ${root}/)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DROOT=${root} "-DFILES=${files}" -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${inputs} ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
