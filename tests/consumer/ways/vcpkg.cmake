# The port of vcpkg: its steps run in a process of their own, with functions that stand in for vcpkg's; then what vcpkg demands of
# a package is looked for.

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

set(packages "${FOLDER}/packages/dalembert_any")
run(${CMAKE_COMMAND} -DPORT=dalembert "-DCURRENT_PORT_DIR=${port}" "-DCURRENT_PACKAGES_DIR=${packages}"
  "-DCURRENT_BUILDTREES_DIR=${FOLDER}/buildtrees" "-DEIGEN_DIR=${EIGEN_DIR}" "-DCOMPILER=${COMPILER}"
  "-DGENERATOR=${GENERATOR}" "-DMAKE_PROGRAM=${MAKE_PROGRAM}"
  -P "${CMAKE_CURRENT_LIST_DIR}/../vcpkg_stand_in.cmake")

# What vcpkg looks at after every build.
expect_files("${packages}" include/dalembert/version.hpp share/dalembert/dalembertConfig.cmake
  share/dalembert/dalembertConfigVersion.cmake share/dalembert/copyright share/dalembert/usage
  share/pkgconfig/dalembert.pc)
file(GLOB_RECURSE entries LIST_DIRECTORIES true RELATIVE "${packages}" "${packages}/*")
foreach(entry IN LISTS entries)
  if(IS_DIRECTORY "${packages}/${entry}")
    file(GLOB inside "${packages}/${entry}/*")
    if(NOT inside)
      message(FATAL_ERROR "the package has an empty folder: ${entry}")
    endif()
  elseif(entry MATCHES "\\.(cmake|pc)$" OR entry MATCHES "usage$")
    file(READ "${packages}/${entry}" text)
    string(FIND "${text}" "${FOLDER}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${entry} names the folder in which the package was made")
    endif()
  endif()
  if(NOT entry MATCHES "^(include|share)(/|$)" OR entry MATCHES "^share/(doc|cmake)(/|$)")
    message(FATAL_ERROR "the package has what vcpkg does not want there: ${entry}")
  endif()
endforeach()

# Its users' programs find it after a move from where it was made.
file(RENAME "${packages}" "${FOLDER}/installed")
set(PREFIX "${FOLDER}/installed")
