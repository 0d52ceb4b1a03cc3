# The Debian package: written by cpack, its fields read, unpacked, and used from there.

require(DPKG_DEB dpkg-deb)
find_program(PKG_CONFIG pkg-config)
include("${CMAKE_CURRENT_LIST_DIR}/../use_pkg_config.cmake")

configure("${LIBRARY_SOURCE}" "${FOLDER}/deb" -DDALEMBERT_BUILD_TESTS=OFF -DDALEMBERT_BUILD_EXAMPLES=OFF
  -DDALEMBERT_BUILD_BENCH=OFF)
run("${CPACK}" --config "${FOLDER}/deb/CPackConfig.cmake" -G DEB -B "${FOLDER}/deb")
set(package "${FOLDER}/deb/libdalembert-dev_${VERSION}_all.deb")

function(expect_field name expected)
  run("${DPKG_DEB}" -f "${package}" ${name})
  string(REGEX REPLACE "\n.*" "" output "${output}")
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "${name} of the package is '${output}' instead of '${expected}'")
  endif()
endfunction()
expect_field(Package libdalembert-dev)
expect_field(Version ${VERSION})
expect_field(Architecture all)
expect_field(Section libdevel)
expect_field(Depends "libeigen3-dev (>= 3.4)")
expect_field(Maintainer "The dalembert authors")
expect_field(Description "${DESCRIPTION}")

run("${DPKG_DEB}" -x "${package}" "${FOLDER}/root")
set(PREFIX "${FOLDER}/root/usr")
expect_files("${PREFIX}" share/doc/libdalembert-dev/copyright share/pkgconfig/dalembert.pc)
run(${CMAKE_COMMAND} -E compare_files "${PREFIX}/share/doc/libdalembert-dev/copyright" "${LIBRARY_SOURCE}/LICENSE")

# Nothing lies where another package or the machine's owner has a say.
file(GLOB_RECURSE files RELATIVE "${FOLDER}/root" "${FOLDER}/root/*")
foreach(file IN LISTS files)
  if(NOT file MATCHES "^usr/(include/dalembert|share/(cmake/dalembert|dalembert|doc/libdalembert-dev|pkgconfig))/")
    message(FATAL_ERROR "the package has a file in a foreign place: ${file}")
  endif()
endforeach()

if(PKG_CONFIG)
  use_pkg_config("${PREFIX}")
endif()
