#!/usr/bin/env python3
"""What programs that include the library may cost to compile, by counting: bytes of machine code and constants, and memory that
the compiler asks for. Both are the same in every run, and together they foretell its time: on one machine it was
-1.3 + 0.92 per 100 kB + 0.5 per 100 MB, in units of the time of a small program with Eigen (R2 = 0.99).

The table bench/compile/budgets.json names the compiler, the Eigen and the flags it was counted with; with others there is nothing to
compare. A program may be 3 % above its budget. One that is below is tightened by --tighten, which lowers budgets, and gives one to
programs that have none; it raises none: who raises one does so by hand, and says why where it is committed. NAME.compiled is the
program NAME where it leaves common types to the compiled library.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from compile_bench import ROOT, Parser, positive, shown, stop

TABLE = ROOT / "bench" / "compile" / "budgets.json"
FOLDERS = [ROOT / "examples" / "first", ROOT / "bench" / "compile"]
FLAGS = ["-std=c++20", "-O3", "-march=x86-64-v3"]
SLACK = 0.03
# -ftime-report asks for the time at every turn, which takes twice as long as to compile; only what it says of memory is wanted.
CLOCK_AT_REST = "#include <sys/times.h>\nclock_t times(struct tms* t) { return *t = (struct tms){0}, 0; }\n"
# Programs that are counted once more as programs of the compiled library.
COMPILED = ["contact", "dropped_rods", "loads", "ring", "see", "two_rods"]
# Programs that every part of the table has.
ALWAYS = ["two_rods", "contact"]
# What a program may cost beside another that it contains: of two mixtures of kinds the second is to be cheap.
AT_MOST = [("mixtures", "mixture", 4 / 3)]
# What is counted: key, how it is said, its unit.
COUNTS = [("text", "machine code and constants", "bytes"), ("memory", "memory of the compiler", "MB")]


def arguments():
    parser = Parser(prog="./cmake/bootstrap check budgets", description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of examples/first and bench/compile (default: all)")
    parser.add_argument("--part", metavar="K/N", help="of the programs each N-th, beginning with K, and those of README")
    parser.add_argument("--tighten", action="store_true", help="lower the budgets to what is counted, and add those that are missing")
    parser.add_argument("--compiler", default="g++", metavar="NAME", help="default g++")
    parser.add_argument("--include", default="/usr/include/eigen3", metavar="FOLDER", help="where Eigen is")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="compilers at once (default 1)")
    options = parser.parse_intermixed_args()
    known = {file.stem: (file, []) for folder in FOLDERS for file in sorted(folder.glob("*.cpp"))}
    known |= {f"{name}.compiled": (known[name][0], ["-DDALEMBERT_COMPILED"]) for name in COMPILED}
    for name in options.programs:
        if name not in known:
            parser.error(f"no program {name}: there are {' '.join(known)}")
    names = options.programs or list(known)
    if options.part:
        turn, parts = (int(number) for number in options.part.split("/"))
        names = [name for i, name in enumerate(names) if i % parts == turn or name in ALWAYS]
    options.files = {name: known[name] for name in names}
    return options


def counted_with(options):
    """What the counts depend on besides the sources."""
    if not shutil.which(options.compiler):
        return {"compiler": f"no {options.compiler}"}
    version = subprocess.run([options.compiler, "-dumpfullversion"], stdout=subprocess.PIPE, text=True).stdout.strip()
    machine = subprocess.run([options.compiler, "-dumpmachine"], stdout=subprocess.PIPE, text=True).stdout.strip()
    macros = pathlib.Path(options.include) / "Eigen" / "src" / "Core" / "util" / "Macros.h"
    text = macros.read_text(encoding="utf-8") if macros.is_file() else ""
    numbers = [re.search(rf"#define EIGEN_{part}_VERSION (\d+)", text) for part in ("WORLD", "MAJOR", "MINOR")]
    eigen = ".".join(found.group(1) for found in numbers) if all(numbers) else f"none in {options.include}"
    return {"compiler": f"g++ {version} for {machine}", "eigen": eigen, "flags": " ".join(FLAGS)}


def megabytes(report):
    """The total of the last column of -ftime-report."""
    total = re.search(r"^ *TOTAL\b.* (\d+)([kMG]?) *$", report, re.MULTILINE)
    if not total:
        stop("the compiler's report has no line of totals")
    return int(total.group(1)) * {"": 1e-6, "k": 1e-3, "M": 1, "G": 1e3}[total.group(2)]


def clock_at_rest(options, folder):
    """A library that the compiler loads before others."""
    library = pathlib.Path(folder) / "clock.so"
    subprocess.run([options.compiler, "-x", "c", "-shared", "-fPIC", "-o", str(library), "-"], input=CLOCK_AT_REST, text=True, check=True)
    return library


def count(options, clock, name):
    file, flags = options.files[name]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.o"
        command = [options.compiler, *FLAGS, *flags, "-ftime-report", f"-I{ROOT / 'include'}", "-isystem", options.include, "-c", str(file),
                   "-o", str(program)]
        compiled = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "LD_PRELOAD": str(clock)})
        if compiled.returncode:
            print(compiled.stderr, file=sys.stderr)
            stop(f"{options.compiler} does not compile {shown(file)}")
        sizes = subprocess.run(["size", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {"text": int(sizes.split("\n")[1].split()[0]), "memory": round(megabytes(compiled.stderr))}


def compare(name, found, budget):
    """Sentences on what a program costs more than it may."""
    return [f"{name} costs {found[key]} {unit} of {what}, {100 * (found[key] / budget[key] - 1):.1f} % more than its budget of "
            f"{budget[key]} {unit}" for key, what, unit in COUNTS if found[key] > (1 + SLACK) * budget[key]]


def main():
    options = arguments()
    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.is_file() else {"programs": {}}
    here = counted_with(options)
    there = {key: table[key] for key in ("compiler", "eigen", "flags") if key in table}
    if there and there != here:
        if options.tighten:
            stop(f"the budgets are for {there}, this is {here}; remove {shown(TABLE)} to count all anew")
        print(f"Nothing is compared: the budgets are for {there}, this is {here}")
        return
    budgets, failures, lower, counted = table["programs"], [], [], {}
    print(f"{'program':18}{'text':>9}{'budget':>9}{'MB':>7}{'budget':>8}", flush=True)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        clock = clock_at_rest(options, folder)
        for name, found in zip(options.files, pool.map(lambda name: count(options, clock, name), options.files)):
            counted[name] = found
            budget = budgets.get(name, {key: 0 for key, _, _ in COUNTS})
            print(f"{name:18}{found['text']:9}{budget['text']:9}{found['memory']:7}{budget['memory']:8}", flush=True)
            if name not in budgets:
                budgets[name] = found
                if not options.tighten:
                    failures.append(f"{name} has no budget")
                continue
            failures += compare(name, found, budget)
            if any(found[key] < budget[key] for key, _, _ in COUNTS):
                lower.append(name)
                budgets[name] = {key: min(found[key], budget[key]) for key, _, _ in COUNTS}
    for whole, within, ratio in AT_MOST:
        if whole in counted and within in counted and counted[whole]["text"] > ratio * counted[within]["text"]:
            failures.append(f"{whole} has {counted[whole]['text']} bytes of machine code, more than {ratio:.2f} times the "
                            f"{counted[within]['text']} of {within}")
    if options.tighten:
        if not options.programs:
            budgets = {name: budgets[name] for name in sorted(options.files)}
        TABLE.write_text(json.dumps({**here, "programs": budgets}, indent=2) + "\n", encoding="utf-8")
        print(f"\n{shown(TABLE)}")
    elif lower:
        print(f"\nbelow their budgets: {' '.join(lower)}; check budgets --tighten lowers these")
    for failure in failures:
        print(f"bootstrap: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
