# The port of vcpkg: its manifest agrees with the project, and vcpkg makes of it a package that programs find.

set(port "${LIBRARY_SOURCE}/cmake/packages/vcpkg/dalembert")
file(READ "${port}/vcpkg.json" manifest)
foreach(pair IN ITEMS "name=dalembert" "version=${VERSION}" "description=${DESCRIPTION}" "license=MIT")
  string(REGEX MATCH "^([a-z]+)=(.*)$" pair "${pair}")
  set(expected "${CMAKE_MATCH_2}")
  string(JSON value GET "${manifest}" ${CMAKE_MATCH_1})
  if(NOT value STREQUAL expected)
    message(FATAL_ERROR "vcpkg.json says ${CMAKE_MATCH_1} '${value}' instead of '${expected}'")
  endif()
endforeach()

require(VCPKG vcpkg)
run("${VCPKG}" install dalembert "--overlay-ports=${LIBRARY_SOURCE}/cmake/packages/vcpkg" "--x-install-root=${FOLDER}/packages")
file(GLOB PREFIX "${FOLDER}/packages/*/share/dalembert")
cmake_path(GET PREFIX PARENT_PATH PREFIX)
cmake_path(GET PREFIX PARENT_PATH PREFIX)
expect_files("${PREFIX}" include/dalembert/version.hpp share/dalembert/copyright)
