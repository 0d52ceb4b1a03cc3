# dalembert_add_compiled(name [OPTIONS option...]): the static library `name` of common types, compiled once with the flags of the
# calling directory and these options. A target that links it leaves those types to it; its own flags must be the same, or it does
# not link.
function(dalembert_add_compiled name)
  cmake_parse_arguments(PARSE_ARGV 1 compiled "" "" "OPTIONS")
  if(compiled_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dalembert_add_compiled(${name}): what are ${compiled_UNPARSED_ARGUMENTS}? Options come after OPTIONS")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/compiled/*.cpp)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${name} PUBLIC dalembert::dalembert)
  target_compile_definitions(${name} PUBLIC DALEMBERT_COMPILED)
  target_compile_options(${name} PRIVATE ${compiled_OPTIONS})
endfunction()
