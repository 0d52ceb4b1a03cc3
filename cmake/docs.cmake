# Target docs: the site in build/.../docs/html, the pages of cmake/site and those of the public interface; an undocumented public name, and a
# reference to nothing, is an error. `./cmake/bootstrap docs` adds pictures and views, which the studies make.

find_package(Doxygen 1.9.2 QUIET)
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT DOXYGEN_FOUND OR NOT Python3_FOUND)
  message(STATUS "Docs are not built: they need doxygen 1.9.2 or later and python3")
  return()
endif()
configure_file(cmake/Doxyfile.in docs/Doxyfile @ONLY)
add_custom_target(docs
  COMMAND ${Python3_EXECUTABLE} cmake/site.py pages . out ${CMAKE_CURRENT_BINARY_DIR}/docs/pages
  COMMAND Doxygen::doxygen ${CMAKE_CURRENT_BINARY_DIR}/docs/Doxyfile
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  VERBATIM)
