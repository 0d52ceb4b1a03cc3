#!/usr/bin/env python3
"""What programs that include the library cost to compile: processor time, and memory at its peak.

The unit of time is T0: what the program `eigen`, which includes Eigen and solves four equations, takes with the same compiler.
It is compiled before and after every other program, and their ratio is taken, so that a machine that is busy with other things
falsifies both alike. A program NAME.compiled is NAME where it leaves common types to the compiled library.
"""

import argparse
import json
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "compile"
RESULTS = ROOT / "build" / "bench" / "results" / "compile.json"

UNIT = "eigen"
COMPILED = ".compiled"  # after the name of a program that leaves common types to the compiled library
PROGRAMS = [UNIT, "umbrella", "own_system", "sleigh", "oscillator", "double_pendulum", "two_rods", "dropped_rods", "bicycle",
            "slowest_test",
            *(name + COMPILED for name in ("two_rods", "contact", "see", "ring", "loads", "own_contact", "dropped_rods"))]
SLOWEST_TEST = "tests/validation/bicycle_stability_test.cpp"

FLAGS = ["-std=c++20", "-O3"]
# As tests/CMakeLists.txt and cmake/own.cmake have it.
TEST_FLAGS = ["-std=c++20", "-O1", "-UNDEBUG", "-Dflatten=__unused__"]
GNU_TEST_FLAGS = ["--param=ggc-min-heapsize=600000", "--param=ggc-min-expand=30"]


def stop(message, status=1):
    print(f"bootstrap: {message}", file=sys.stderr)
    sys.exit(status)


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong, as cmake/bootstrap does."""

    def error(self, message):
        stop(f"{message} (see {self.prog} --help)", 2)


def positive(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"it must be a number from 1 on, not '{text}'")
    return int(text)


def arguments():
    parser = Parser(prog="./cmake/bootstrap bench compile", description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)} (default: all)")
    parser.add_argument("--repeat", type=positive, default=3, metavar="N", help="medians of so many (default 3)")
    parser.add_argument("--compiler", action="append", metavar="NAME",
                        help="may be repeated (default: those of g++ and clang++ that are here)")
    parser.add_argument("--test", default=SLOWEST_TEST, metavar="FILE",
                        help=f"what slowest_test is (default {SLOWEST_TEST})")
    options = parser.parse_intermixed_args()
    for name in options.programs:
        if name not in PROGRAMS:
            parser.error(f"no program {name}: there are {' '.join(PROGRAMS)}")
    for name in options.compiler or []:
        if not shutil.which(name):
            parser.error(f"no compiler {name}")
    if not (ROOT / options.test).is_file():
        parser.error(f"no file {options.test}")
    options.programs = list(dict.fromkeys(options.programs)) or PROGRAMS
    options.compiler = list(dict.fromkeys(options.compiler or filter(shutil.which, ["g++", "clang++"])))
    if not options.compiler:
        parser.error("neither g++ nor clang++ is here: give a --compiler")
    return options


def source(program, test):
    """The file that a program is."""
    if program == "slowest_test":
        return ROOT / test
    name = program.removesuffix(COMPILED) + ".cpp"
    first = ROOT / "examples" / "first" / name
    return first if first.is_file() else ROOT / "bench" / "compile" / name


def shown(path):
    """A path as seen from the root of the project."""
    return os.path.relpath(path, ROOT)


def found_flags(compiler):
    """The flags with which CMake tells this compiler where the libraries are, and for which machine to compile."""
    folder = WORK / compiler.replace("/", "_")
    command = ["cmake", "-S", ROOT, "-B", folder, f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
               "-DDALEMBERT_NATIVE=ON", "-DDALEMBERT_BUILD_TESTS=ON", "-DDALEMBERT_BUILD_EXAMPLES=OFF",
               "-DDALEMBERT_BUILD_BENCH=OFF"]
    if shutil.which("ninja") and not (folder / "CMakeCache.txt").exists():
        command += ["-G", "Ninja"]
    configured = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if configured.returncode:
        print(configured.stdout, file=sys.stderr)
        stop(f"configuring {shown(folder)} failed")
    entries = json.loads((folder / "compile_commands.json").read_text())
    words = next(shlex.split(entry["command"]) for entry in entries if "DALEMBERT_TEST_DATA" in entry["command"])
    flags = []
    for word, following in zip(words, words[1:] + [""]):
        if word in ("-isystem", "-isysroot"):
            flags += [word, following]
        elif word.startswith(("-I", "-DDALEMBERT", "-march=", "-mcpu=")):
            flags.append(word)
    return flags


def compile_once(compiler, flags, file):
    """User seconds of the compiler and all that it starts, and the most memory that one of them holds [MB]."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen([compiler, *flags, "-c", file, "-o", pathlib.Path(folder) / "program.o"], stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            messages.seek(0)
            print(messages.read(), file=sys.stderr)
            stop(f"{compiler} does not compile {shown(file)}")
    return usage.ru_utime, usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e6 / 1024)


def measure(compiler, options):
    """The compiler's version, and for each program the medians of its seconds, its time over T0 and its memory."""
    found = found_flags(compiler)
    version = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True).stdout.split("\n")[0]
    test_flags = TEST_FLAGS + ([] if "clang" in version else GNU_TEST_FLAGS)
    seconds, memory, ratios = {}, {}, {}

    def once(program):
        flags = test_flags if program == "slowest_test" else FLAGS
        if program.endswith(COMPILED):
            flags = [*flags, "-DDALEMBERT_COMPILED"]
        used, peak = compile_once(compiler, flags + found, source(program, options.test))
        seconds.setdefault(program, []).append(used)
        memory.setdefault(program, []).append(peak)
        return used

    for _ in range(options.repeat):
        before = once(UNIT)
        for program in options.programs:
            if program != UNIT:
                used, after = once(program), once(UNIT)
                ratios.setdefault(program, []).append(2 * used / (before + after))
                before = after
    programs = {program: {"user_seconds": round(statistics.median(seconds[program]), 3),
                          "T0": round(statistics.median(ratios.get(program, [1])), 3),
                          "peak_megabytes": round(statistics.median(memory[program]), 1),
                          "source": shown(source(program, options.test))} for program in seconds}
    return {"version": version, "programs": programs}


def main():
    options = arguments()
    results = {}
    print(f"{'program':22}{'compiler':12}{'user s':>8}{'T0':>8}{'peak MB':>9}")
    for compiler in options.compiler:
        results[compiler] = measure(compiler, options)
        for program, figures in results[compiler]["programs"].items():
            print(f"{program:22}{compiler:12}{figures['user_seconds']:8.2f}{figures['T0']:8.2f}"
                  f"{figures['peak_megabytes']:9.0f}", flush=True)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps({"unit": UNIT, "repeat": options.repeat, "compilers": results}, indent=2) + "\n")
    print(f"\n{shown(RESULTS)}")


if __name__ == "__main__":
    main()
