"""A recipe of Conan 2, which packs the source tree that it lies in. In this tree:

    conan create cmake/packages/conan -s compiler.cppstd=20 --build=missing

A consumer then requires dalembert/<version>, takes the generators CMakeDeps and CMakeToolchain, calls find_package(dalembert) and
links dalembert::dalembert. One package serves every compiler and build type.
"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"

TREE = os.path.join("..", "..", "..")


class DalembertConan(ConanFile):
    name = "dalembert"
    description = "Nonholonomic rod dynamics, a header-only C++20 template library"
    license = "MIT"
    topics = ("mechanics", "nonholonomic", "rods", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, TREE, "include", "dalembert", "version.hpp"))
        self.version = re.search(r'string_view version = "([0-9.]+)"', text).group(1)

    def export_sources(self):
        tree = os.path.join(self.recipe_folder, TREE)
        for name in ("CMakeLists.txt", "LICENSE"):
            copy(self, name, src=tree, dst=self.export_sources_folder)
        for folder in ("include", "cmake"):
            copy(self, "*", src=os.path.join(tree, folder), dst=os.path.join(self.export_sources_folder, folder))

    def layout(self):
        self.folders.root = TREE  # of `conan build` in the tree itself
        cmake_layout(self)

    def requirements(self):
        self.requires("eigen/[>=3.4.0 <6]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCH"):
            toolchain.cache_variables["DALEMBERT_BUILD_" + part] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        CMake(self).configure()  # nothing is compiled

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        for folder in ("cmake", "doc", "pkgconfig"):  # Conan writes its own files for CMake and pkg-config
            rmdir(self, os.path.join(self.package_folder, "share", folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "dalembert")
        self.cpp_info.set_property("cmake_target_name", "dalembert::dalembert")
        self.cpp_info.set_property("pkg_config_name", "dalembert")
        self.cpp_info.set_property("cmake_build_modules", ["share/dalembert/compiled.cmake"])  # dalembert_add_compiled
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []

    def package_id(self):
        self.info.clear()
