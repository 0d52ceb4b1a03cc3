# The Conan recipe and its test package, as README has them made, by a Conan that begins with nothing.

require(CONAN conan)
set(ENV{CONAN_HOME} "${FOLDER}/home")
run("${CONAN}" profile detect)
run("${CONAN}" create "${LIBRARY_SOURCE}/cmake/packages/conan" -s compiler.cppstd=20 --build=missing)
expect_version_in("${output}")
message("${output}")
