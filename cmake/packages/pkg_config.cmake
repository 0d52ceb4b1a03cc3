# Installs dalembert.pc, by which pkg-config finds the library.

set(pc_folder ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix ${pc_folder} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH pc_includedir ${pc_folder} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
file(GLOB pc_names RELATIVE ${CMAKE_CURRENT_LIST_DIR}/../compiled ${CMAKE_CURRENT_LIST_DIR}/../compiled/*.cpp)
file(RELATIVE_PATH pc_compiled ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_DATADIR}/dalembert/compiled)
list(TRANSFORM pc_names PREPEND "\${prefix}/${pc_compiled}/")
list(JOIN pc_names " " pc_sources)
configure_file(${CMAKE_CURRENT_LIST_DIR}/dalembert.pc.in dalembert.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/dalembert.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
