# What the tests, examples and benchmarks of this project compile with; never part of dalembert::dalembert.

set(CMAKE_CXX_EXTENSIONS OFF)

find_package(Threads REQUIRED)  # of integrate/batch_threads.hpp

add_library(dalembert_own INTERFACE)
target_link_libraries(dalembert_own INTERFACE dalembert::dalembert Threads::Threads)

# g++ collects its garbage late, for looking takes a fifth of the time of a small unit, and then often, which keeps large ones near
# 1.5 GB. Where each processor has 6 GB it does not collect at all, which is a tenth of the time of the units of the tests.
cmake_host_system_information(RESULT dalembert_processors QUERY NUMBER_OF_LOGICAL_CORES)
cmake_host_system_information(RESULT dalembert_memory QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
math(EXPR dalembert_memory "${dalembert_memory} / ${dalembert_processors}")
set(dalembert_heap 600000)
if(dalembert_memory GREATER 6000)
  set(dalembert_heap 4000000)
endif()

target_compile_options(dalembert_own INTERFACE
  $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Werror>
  # g++ 12: false alarms out of its own headers (strings, vectors, AVX-512 under Eigen); clang and the sanitizers watch instead.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-uninitialized -Wno-array-bounds
    -Wno-stringop-overflow -Wno-restrict>
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=${dalembert_heap} --param=ggc-min-expand=30>)

if(DALEMBERT_NATIVE)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=native DALEMBERT_HAS_MARCH_NATIVE)
  check_cxx_compiler_flag(-mcpu=native DALEMBERT_HAS_MCPU_NATIVE)
  if(DALEMBERT_HAS_MARCH_NATIVE)
    target_compile_options(dalembert_own INTERFACE -march=native)
  elseif(DALEMBERT_HAS_MCPU_NATIVE)
    target_compile_options(dalembert_own INTERFACE -mcpu=native)
  endif()
endif()

# dalembert_run_test(NAME name COMMAND program [argument...]
#                    [STATUS exit-status] [OUTPUT regex] [FILES name...] [HOLDS name regex] [TIMEOUT seconds] [LABELS label...])
#
# A ctest entry that runs a program in an empty folder of its own and expects an exit status (default 0),
# output (stdout and stderr together) that matches a regular expression, files left in that folder, and one of them that matches.
function(dalembert_run_test)
  cmake_parse_arguments(PARSE_ARGV 0 run "" "NAME;STATUS;OUTPUT;TIMEOUT" "COMMAND;FILES;HOLDS;LABELS")
  if(NOT DEFINED run_STATUS)
    set(run_STATUS 0)
  endif()
  if(NOT DEFINED run_TIMEOUT)
    set(run_TIMEOUT 60)
  endif()
  math(EXPR run_TIMEOUT "${run_TIMEOUT} * ${DALEMBERT_TEST_TIMEOUT_SCALE}")
  add_test(NAME ${run_NAME} COMMAND ${CMAKE_COMMAND}
    "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/run/${run_NAME}" "-DSTATUS=${run_STATUS}" "-DOUTPUT=${run_OUTPUT}"
    "-DFILES=${run_FILES}" "-DHOLDS=${run_HOLDS}" -P "${dalembert_SOURCE_DIR}/cmake/run_test.cmake" -- ${run_COMMAND})
  set_tests_properties(${run_NAME} PROPERTIES TIMEOUT ${run_TIMEOUT} LABELS "${run_LABELS}")
endfunction()

set(DALEMBERT_TEST_TIMEOUT_SCALE 1 CACHE STRING "Factor on the time limit of every test (sanitizers are slow)")

include(${CMAKE_CURRENT_LIST_DIR}/sound.cmake)
