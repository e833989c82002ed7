# assay_embed_sql(TARGET DIR): compiles DIR/NNN_name.sql into TARGET as the function
# `std::span<const Migration> ledger_migrations()` of src/store/schema.h, in the order of their numbers.
function(assay_embed_sql target dir)
  file(GLOB files CONFIGURE_DEPENDS ${dir}/*.sql)
  list(SORT files)
  set(rows "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME)
    string(REGEX MATCH "^[0-9][0-9][0-9]" number ${name})
    math(EXPR version "1${number} - 1000")
    file(READ ${file} sql)
    string(APPEND rows "    {${version}, \"${name}\", R\"sql(${sql})sql\"},\n")
  endforeach()
  set(out ${CMAKE_BINARY_DIR}/generated/ledger_migrations.cc)
  # Written only when it differs, so that a new configure does not compile it again.
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[#include "store/schema.h"

namespace assay {

std::span<const Migration> ledger_migrations() {
  static const Migration migrations[] = {
@rows@  };
  return migrations;
}

}  // namespace assay
]])
  target_sources(${target} PRIVATE ${out})
endfunction()
