"""Runs a Conan 2 recipe of headers and its test package as `conan create` does, with modules that stand in for Conan's.

What a recipe calls does here what it does in Conan, as far as headers need it: sources are exported to a folder of their own, and
the recipe goes on from a copy that no longer sees the tree; CMake finds a dependency only where the recipe requires it and has
asked for files by which CMake finds it; what the test package finds is written from the recipe's package_info. What a recipe uses
beyond that is an AttributeError or ImportError.
"""

import argparse
import fnmatch
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import types

options = None  # of the command line


class ConanException(Exception):
    pass


def fault(text):
    sys.exit("conan_stand_in: " + text)


def call(command, cwd=None):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode != 0:
        fault("status %d: %s\n%s" % (done.returncode, command, done.stdout))
    return done.stdout


# ---- conan -----------------------------------------------------------------------------------------------


class CppInfo:
    def __init__(self):
        self.includedirs, self.libdirs, self.bindirs = ["include"], ["lib"], ["bin"]
        self.properties = {}

    def set_property(self, name, value):
        self.properties[name] = value


class Info:
    cleared = False

    def clear(self):
        self.cleared = True


class ConanFile:
    settings = ()
    generators = ()
    no_copy_source = False

    def __init__(self, recipe_folder, cppstd):
        self.recipe_folder = recipe_folder
        self.cppstd = cppstd
        self.folders = types.SimpleNamespace(root=None, source="", build="", generators="")
        self.cpp = types.SimpleNamespace(build=types.SimpleNamespace(bindir="bin"))
        self.cpp_info, self.info = CppInfo(), Info()
        self.required = {}  # name: whether its headers are seen by those who require this
        self.packages = {}  # name: the recipe of what has been packed before

    def requires(self, reference, transitive_headers=False):
        self.required[reference.split("/")[0]] = transitive_headers

    def run(self, command, env=""):
        print(call([command], cwd=self.build_folder), end="")


def check_min_cppstd(recipe, least):
    if "compiler" not in recipe.settings or int(recipe.cppstd) < least:
        raise ConanException("C++%s is less than C++%s" % (recipe.cppstd, least))


def load(_, path):
    with open(path) as file:
        return file.read()


def copy(_, pattern, src, dst):
    copied = []
    for folder, _, names in os.walk(src):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), src)
            if fnmatch.fnmatch(path, pattern):
                target = os.path.join(dst, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                copied.append(shutil.copy2(os.path.join(src, path), target))
    return copied


def rmdir(_, path):
    shutil.rmtree(path, ignore_errors=True)


def cmake_layout(recipe):
    recipe.folders.source, recipe.folders.build, recipe.folders.generators = ".", "build", "build/generators"
    recipe.cpp.build.bindir = "."


class CMakeToolchain:
    def __init__(self, recipe):
        self.recipe, self.cache_variables = recipe, {}

    def generate(self):
        with open(os.path.join(self.recipe.generators_folder, "toolchain.json"), "w") as file:
            json.dump(self.cache_variables, file)


class CMakeDeps:
    """Writes the files by which CMake finds what the recipe requires: for Eigen where it is, for a package what it says of itself."""

    def __init__(self, recipe):
        self.recipe = recipe

    def generate(self):
        for name in self.recipe.required:
            if name == "eigen":
                self.write("Eigen3", 'include("%s/Eigen3Config.cmake")\n' % options.eigen)
                version = os.path.join(options.eigen, "Eigen3ConfigVersion.cmake")
                self.write("Eigen3", 'include("%s")\n' % version, "Version")
            else:
                self.write_package(self.recipe.packages[name])

    def write_package(self, packed):
        target = packed.cpp_info.properties["cmake_target_name"]
        folders = [os.path.join(packed.package_folder, folder) for folder in packed.cpp_info.includedirs]
        text = "include(CMakeFindDependencyMacro)\nadd_library(%s INTERFACE IMPORTED)\n" % target
        text += 'target_include_directories(%s INTERFACE "%s")\n' % (target, ";".join(folders))
        for name, headers_are_seen in packed.required.items():
            if name == "eigen" and headers_are_seen:
                self.write("Eigen3", 'include("%s/Eigen3Config.cmake")\n' % options.eigen)
                text += "find_dependency(Eigen3 CONFIG)\ntarget_link_libraries(%s INTERFACE Eigen3::Eigen)\n" % target
        self.write(packed.cpp_info.properties["cmake_file_name"], text)

    def write(self, package, text, kind=""):
        with open(os.path.join(self.recipe.generators_folder, "%sConfig%s.cmake" % (package, kind)), "w") as file:
            file.write(text)


class CMake:
    def __init__(self, recipe):
        self.recipe = recipe

    def configure(self):
        toolchain = os.path.join(self.recipe.generators_folder, "toolchain.json")
        if not os.path.exists(toolchain):
            fault("the recipe configures CMake without CMakeToolchain")
        with open(toolchain) as file:
            variables = json.load(file)
        # Nothing else is found than what generators wrote.
        variables.update(CMAKE_PREFIX_PATH=self.recipe.generators_folder, CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=False,
                         CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=False, CMAKE_FIND_USE_PACKAGE_REGISTRY=False,
                         CMAKE_CXX_COMPILER=options.compiler, CMAKE_MAKE_PROGRAM=options.make_program,
                         CMAKE_BUILD_TYPE="Debug")
        output = call([options.cmake, "-S", self.recipe.source_folder, "-B", self.recipe.build_folder,
                       "-G", options.generator] +
                      ["-D%s=%s" % (name, {True: "ON", False: "OFF"}.get(value, value))
                       for name, value in variables.items()])
        unused = re.findall(r"^ +(DALEMBERT_\w+)$", output.partition("variables were not used by the project:")[2], re.M)
        if unused:
            fault("the project knows nothing of %s" % ", ".join(unused))

    def build(self):
        call([options.cmake, "--build", self.recipe.build_folder])

    def install(self):
        call([options.cmake, "--install", self.recipe.build_folder, "--prefix", self.recipe.package_folder])


def install_modules():
    def module(name, **members):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__dict__.update(members)

    module("conan", ConanFile=ConanFile)
    module("conan.errors", ConanException=ConanException, ConanInvalidConfiguration=ConanException)
    module("conan.tools")
    module("conan.tools.build", check_min_cppstd=check_min_cppstd, can_run=lambda recipe: True)
    module("conan.tools.cmake", CMake=CMake, CMakeDeps=CMakeDeps, CMakeToolchain=CMakeToolchain, cmake_layout=cmake_layout)
    module("conan.tools.files", copy=copy, load=load, rmdir=rmdir)


# ---- conan create ----------------------------------------------------------------------------------------


def load_recipe(folder, cppstd="20"):
    path = os.path.join(folder, "conanfile.py")
    spec = importlib.util.spec_from_file_location("recipe", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    own = [value for value in vars(module).values()
           if isinstance(value, type) and issubclass(value, ConanFile) and value is not ConanFile]
    if len(own) != 1:
        fault("%s has %d recipes instead of one" % (path, len(own)))
    return own[0](folder, cppstd)


def lay_out(recipe, source, build, package):
    recipe.layout()
    recipe.source_folder = os.path.normpath(os.path.join(source, recipe.folders.source))
    recipe.build_folder = os.path.normpath(os.path.join(build, recipe.folders.build))
    recipe.generators_folder = os.path.normpath(os.path.join(build, recipe.folders.generators))
    recipe.package_folder = package
    for folder in (recipe.build_folder, recipe.generators_folder, package):
        os.makedirs(folder, exist_ok=True)


def generate(recipe):
    generators = {"CMakeDeps": CMakeDeps, "CMakeToolchain": CMakeToolchain}
    for name in recipe.generators:
        generators[name](recipe).generate()
    if hasattr(recipe, "generate"):
        recipe.generate()


def files_of(folder):
    return sorted(os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names)


def expect(found, expected, what):
    if found != expected:
        fault("%s is %r instead of %r" % (what, found, expected))


def create(folder):
    """Exports, builds and packs: the recipe of the package."""
    exported, sources = os.path.join(folder, "exported"), os.path.join(folder, "sources")
    recipe = load_recipe(options.recipe)
    recipe.set_version()
    recipe.export_sources_folder = sources
    os.makedirs(sources)
    recipe.export_sources()
    os.makedirs(exported)
    shutil.copy(os.path.join(options.recipe, "conanfile.py"), exported)
    version = recipe.version

    refused = load_recipe(exported, cppstd="17")
    try:
        refused.validate()
        fault("the recipe accepts C++17")
    except ConanException:
        pass

    recipe = load_recipe(exported)
    recipe.version = version
    recipe.requirements()
    recipe.validate()
    recipe.package_id()
    source = sources if recipe.no_copy_source else shutil.copytree(sources, os.path.join(folder, "built", "source"))
    lay_out(recipe, source, os.path.join(folder, "built"), os.path.join(folder, "package"))
    before = files_of(sources)
    generate(recipe)
    recipe.build()
    recipe.package()
    recipe.package_info()
    expect(files_of(sources), before, "the list of sources after the build")
    return recipe


def check_package(recipe):
    expect(recipe.name, "dalembert", "the name")
    expect(recipe.version, options.version, "the version")
    expect(recipe.description, options.description, "the description")
    expect(recipe.license, "MIT", "the licence")
    expect(recipe.package_type, "header-library", "the type of package")
    expect(recipe.info.cleared, True, "whether one package serves all settings")
    tree = os.path.join(options.recipe, "..", "..", "..", "include")
    expect([name for name in files_of(recipe.package_folder) if not name.startswith("include")],
           [os.path.join("licenses", "LICENSE")], "what is packed besides headers")
    expect(files_of(os.path.join(recipe.package_folder, "include")), files_of(tree), "the list of packed headers")
    info = recipe.cpp_info
    for folder in info.includedirs + info.libdirs + info.bindirs:
        if not os.path.isdir(os.path.join(recipe.package_folder, folder)):
            fault("package_info names the folder %s, which the package lacks" % folder)


def test(packed, folder):
    """Builds and runs the test package with what was packed."""
    recipe = load_recipe(os.path.join(options.recipe, "test_package"))
    recipe.tested_reference_str = "dalembert/" + packed.version
    recipe.packages["dalembert"] = packed
    recipe.requirements()
    lay_out(recipe, recipe.recipe_folder, os.path.join(folder, "tested"), os.path.join(folder, "none"))
    generate(recipe)
    recipe.build()
    recipe.test()


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("recipe", "folder", "version", "description", "eigen", "compiler", "generator", "make-program", "cmake"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    install_modules()
    packed = create(options.folder)
    check_package(packed)
    test(packed, options.folder)


main()
