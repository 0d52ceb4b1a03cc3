# The Conan recipe: its steps run by Python with modules that stand in for Conan's, then its test package with what they packed.

require(PYTHON python3)
run(${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 "${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/../conan_stand_in.py"
  --recipe "${LIBRARY_SOURCE}/cmake/packages/conan" --folder "${FOLDER}" --version "${VERSION}"
  --description "${DESCRIPTION}" --eigen "${EIGEN_DIR}" --compiler "${COMPILER}" --generator "${GENERATOR}"
  --make-program "${MAKE_PROGRAM}" --cmake "${CMAKE_COMMAND}")
message("${output}")
