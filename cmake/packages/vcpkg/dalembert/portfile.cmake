# An overlay port of vcpkg, which packs the source tree that it lies in. In this tree:
#
#   vcpkg install dalembert --overlay-ports=cmake/packages/vcpkg
#
# vcpkg knows a port by the files of its folder. After a change elsewhere in the tree, remove the package and add
# --no-binarycaching, or vcpkg takes what it has packed before.

get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
if(NOT EXISTS "${SOURCE_PATH}/include/dalembert/version.hpp")
  message(FATAL_ERROR "The port packs the source tree of dalembert that it lies in; there is none in ${SOURCE_PATH}. "
    "Give --overlay-ports=<tree>/cmake/packages/vcpkg instead of a copy of that folder.")
endif()

set(VCPKG_BUILD_TYPE release) # headers are the same in every configuration

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DDALEMBERT_BUILD_TESTS=OFF
    -DDALEMBERT_BUILD_EXAMPLES=OFF
    -DDALEMBERT_BUILD_BENCH=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/dalembert)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc") # the licence goes where vcpkg looks for it
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
