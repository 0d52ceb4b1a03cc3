# use_pkg_config(prefix): compiles and runs the project's program with what pkg-config says of the library installed there.

function(use_pkg_config prefix)
  # Eigen's own file lies beside the folder of its CMake package, where pkg-config may not look by itself.
  get_filename_component(eigen "${EIGEN_DIR}/../../pkgconfig" ABSOLUTE)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/share/pkgconfig:${eigen}:$ENV{PKG_CONFIG_PATH}")
  run(${PKG_CONFIG} --modversion dalembert)
  if(NOT output STREQUAL "${VERSION}\n")
    message(FATAL_ERROR "pkg-config knows the version ${output} of dalembert instead of ${VERSION}")
  endif()
  run(${PKG_CONFIG} --print-errors --cflags dalembert)
  separate_arguments(flags UNIX_COMMAND "${output}")
  if(NOT output MATCHES "-I[^ ]*eigen3" OR NOT flags MATCHES "-I${prefix}/share/pkgconfig/../../include(;|$)|-I${prefix}/include(;|$)")
    message(FATAL_ERROR "pkg-config gives other folders than those of Eigen and of ${prefix}: ${output}")
  endif()
  run(${COMPILER} -std=c++20 ${flags} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/project/main.cpp" -o "${FOLDER}/program")
  run("${FOLDER}/program")
  expect_version_in("${output}")
endfunction()
