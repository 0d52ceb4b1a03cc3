# Configures, builds and runs the project beside this script in one WAY: installed, subdirectory or fetched.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "status ${status}: ${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
set(location "-DDALEMBERT_DIR=${LIBRARY_SOURCE}")
if(WAY STREQUAL "installed")
  run(${CMAKE_COMMAND} --install "${LIBRARY_BUILD}" --prefix "${FOLDER}/prefix")
  set(location "-DCMAKE_PREFIX_PATH=${FOLDER}/prefix")
endif()

run(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${FOLDER}/build" -G "${GENERATOR}"
  "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=Debug
  "-DEigen3_DIR=${EIGEN_DIR}" "-DWAY=${WAY}" ${location})
run(${CMAKE_COMMAND} --build "${FOLDER}/build" --target run_consumer)

if(NOT output MATCHES "dalembert ${VERSION}")
  message(FATAL_ERROR "the program says:\n${output}\nbut the version is ${VERSION}")
endif()
