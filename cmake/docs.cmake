# Target docs: the pages of the public interface in build/.../docs/html; an undocumented public name is an error.

find_package(Doxygen 1.9.2 QUIET)
if(NOT DOXYGEN_FOUND)
  message(STATUS "Docs are not built: they need doxygen 1.9.2 or later")
  return()
endif()
configure_file(cmake/Doxyfile.in docs/Doxyfile @ONLY)
add_custom_target(docs
  COMMAND Doxygen::doxygen ${CMAKE_CURRENT_BINARY_DIR}/docs/Doxyfile
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  VERBATIM)
