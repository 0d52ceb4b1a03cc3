include(${CMAKE_CURRENT_SOURCE_DIR}/support/ranks.cmake)
