# Installed, moved elsewhere, found by pkg-config and compiled without CMake.

require(PKG_CONFIG pkg-config)
include("${CMAKE_CURRENT_LIST_DIR}/../use_pkg_config.cmake")

run(${CMAKE_COMMAND} --install "${LIBRARY_BUILD}" --prefix "${FOLDER}/prefix")
file(RENAME "${FOLDER}/prefix" "${FOLDER}/moved")
use_pkg_config("${FOLDER}/moved")
