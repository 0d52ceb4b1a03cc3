# A package for Debian and Ubuntu. In a build folder:
#
#   cpack -G DEB                                 writes libdalembert-dev_<version>_all.deb
#   apt-get install ./libdalembert-dev_*.deb     installs it with Eigen; find_package and pkg-config then find the library
#
# Whoever hands the package on says who they are: cmake -DCPACK_PACKAGE_CONTACT="Name <address>".

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME libdalembert-dev)
set(CPACK_PACKAGE_VENDOR "The dalembert authors")
set(CPACK_PACKAGE_CONTACT "The dalembert authors" CACHE STRING "Maintainer of the Debian package, as Name <address>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_VERBATIM_VARIABLES ON)

# Folders are 755 whatever the umask of the one who builds.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4)")
string(CONCAT CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Elastic rods and rigid bodies that roll, slide, hinge and cross, and\n"
  "small rolling systems, on one engine. Headers only: programs need\n"
  "nothing of this package when they run.")

# Debian wants the licence as copyright in a folder of the package's name.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/deb_copyright.cmake)

include(CPack)
