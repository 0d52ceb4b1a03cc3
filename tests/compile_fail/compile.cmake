# cmake -DCOMPILE=compiler;option... -DSOURCE=file -P compile.cmake
# Compiles SOURCE, with the options of its second line if that is "// options: ...", and fails unless the outcome is the one that its
# first line asks for.

file(STRINGS "${SOURCE}" first_lines LIMIT_COUNT 2)
list(GET first_lines 0 first_line)
if(NOT first_line MATCHES "^// expect: (.+)$")
  message(FATAL_ERROR "${SOURCE}: the first line is not \"// expect: REGEX\" or \"// expect: success\"")
endif()
set(expected "${CMAKE_MATCH_1}")

set(options "")
if(first_lines MATCHES ";// options: ([^;]+)$")
  separate_arguments(options NATIVE_COMMAND "${CMAKE_MATCH_1}")
endif()

set(ENV{LC_ALL} C)
execute_process(COMMAND ${COMPILE} ${options} "${SOURCE}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)

if(expected STREQUAL "success")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} should compile, but:\n${output}")
  endif()
elseif(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiled, but should be refused with: ${expected}")
else()
  string(REGEX REPLACE "[ \r\n]+" " " line "${output}")
  if(NOT line MATCHES "${expected}")
    message(FATAL_ERROR "${SOURCE} was refused, but without \"${expected}\" in:\n${output}")
  endif()
endif()
