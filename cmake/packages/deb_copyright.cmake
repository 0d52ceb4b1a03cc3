# Run by cpack in the folder that becomes the package: puts the licence where Debian looks for it.

if(CPACK_GENERATOR STREQUAL "DEB")
  set(doc "${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc")
  file(MAKE_DIRECTORY "${doc}/${CPACK_PACKAGE_NAME}")
  file(RENAME "${doc}/dalembert/LICENSE" "${doc}/${CPACK_PACKAGE_NAME}/copyright")
  file(REMOVE_RECURSE "${doc}/dalembert")
endif()
