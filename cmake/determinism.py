#!/usr/bin/env python3
"""Whether runs end in the same numbers, bit for bit: studies print a hash of all numbers of their last state, and this compares them
over one, two and three threads, one, two and four ranks of MPI where there is MPI, twice each, and with the compiled library and
without it. The studies are built with -O2 -march=x86-64-v3 -ffp-contract=off (elsewhere than on x86-64 without -march).

Hashes are compared with those of the table tests/data/hashes.json, too, where it has them for this compiler, Eigen, C library and
processor: the C library chooses its sine by what the processor has. A machine that the table does not know is reported, and no
failure. --record puts the hashes of this machine into the table. A hash that changes is a change of results: whoever changes one says
so on the page of changes. --brief: one run each, of studies that were built with whatever flags; nothing is looked up in the table.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

from compile_bench import ROOT, Parser, stop

TABLE = ROOT / "tests" / "data" / "hashes.json"
RUNS = ROOT / "build" / "determinism" / "runs"
TIMES = 2
# Arguments of each study, and over what it runs.
STUDIES = {
    "chaplygin_sleigh": (["--t-end", "5"], []),
    "rolling_rods": (["--t-end", "0.2", "--frames", "0"], []),
    "woven_net": (["--t-end", "0.05", "--frames", "0"], ["threads"]),
    "sleigh_basin": (["--columns", "40", "--rows", "25", "--t-end", "4"], ["threads", "ranks"]),
    "rods_basin": (["--columns", "4", "--rows", "3", "--t-end", "0.05"], ["threads", "ranks"]),
}
# More ranks than processors, also by root, in the words of Open MPI.
ENVIRONMENT = os.environ | {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                            "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def arguments():
    parser = Parser(prog="./cmake/bootstrap check determinism", description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"of {', '.join(STUDIES)} (default: all)")
    parser.add_argument("--record", action="store_true", help="put the hashes of this machine into the table")
    parser.add_argument("--brief", action="store_true", help="once each, and without the table")
    parser.add_argument("--build", action="append", default=[], metavar="NAME=FOLDER", help="a build, whose programs are in FOLDER/examples")
    parser.add_argument("--compiler", default="g++", metavar="NAME", help="with which they were built; default g++")
    parser.add_argument("--include", default="/usr/include/eigen3", metavar="FOLDER", help="where Eigen is")
    options = parser.parse_intermixed_args()
    for study in options.studies:
        if study not in STUDIES:
            parser.error(f"no study {study}: there are {' '.join(STUDIES)}")
    options.builds = dict(build.split("=", 1) for build in options.build)
    if not options.builds:
        parser.error("which build?")
    if options.brief and options.record:
        parser.error("--record needs the builds that the table is of, not --brief")
    return options


def machine(options):
    """All that hashes depend on besides the sources, in one line."""
    # Words of a list that CMake would take: the compiler first.
    compiler = options.compiler.split(";")
    first = subprocess.run([*compiler, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]
    # GNU compilers begin with the name that they were called by.
    first = re.sub(r"^\S*(?:\+\+|cc)\S* (?=\()", "g++ ", first)
    macros = pathlib.Path(options.include) / "Eigen" / "src" / "Core" / "util" / "Macros.h"
    text = macros.read_text(encoding="utf-8") if macros.is_file() else ""
    numbers = [re.search(rf"#define EIGEN_{part}_VERSION (\d+)", text) for part in ("WORLD", "MAJOR", "MINOR")]
    eigen = ".".join(found.group(1) for found in numbers) if all(numbers) else "unknown"
    cpu = pathlib.Path("/proc/cpuinfo")
    flags = re.search(r"^(?:flags|Features)\s*:(.*)$", cpu.read_text(), re.MULTILINE) if cpu.is_file() else None
    features = [word for word in ("avx2", "fma", "avx512f", "asimd", "sve") if flags and word in flags.group(1).split()]
    return f"{first}; Eigen {eigen}; {' '.join(platform.libc_ver())}; {platform.machine()} {' '.join(features)}"


def hash_of(command, folder):
    """The hash that a run leaves, and of its file of members if it has one."""
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run([*command, "--out", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=ENVIRONMENT, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        stop(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}")
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    text = f"{summary['state_hash']} after {summary['steps']:g} steps"
    members = folder / "members.runs"
    if members.is_file():
        value = 0xcbf29ce484222325  # FNV-1a
        for byte in members.read_bytes():
            value = (value ^ byte) * 0x100000001b3 % 2**64
        text += f", file {value:016x}"
    return text


def ways(study, mpiexec):
    """How a study runs: names, and what stands before and behind its program."""
    over = STUDIES[study][1]
    all_ways = {"alone": ([], ["--threads", "1"] if "threads" in over else [])}
    if "threads" in over:
        all_ways |= {f"{n} threads": ([], ["--threads", str(n)]) for n in (2, 3)}
    if "ranks" in over and mpiexec:
        all_ways |= {f"{n} ranks": ([mpiexec, "-n", str(n)], ["--over", "ranks"]) for n in (1, 2, 4)}
    return all_ways


def main():
    options = arguments()
    mpiexec = shutil.which("mpiexec")
    if not mpiexec:
        print("no mpiexec: nothing is said of ranks")
    found, faults = {}, 0
    for study in options.studies or STUDIES:
        for build, folder in options.builds.items():
            program = str(pathlib.Path(folder).resolve() / "examples" / study)
            for way, (before, behind) in ways(study, mpiexec).items():
                for time in range(1 if options.brief else TIMES):
                    result = hash_of([*before, program, *STUDIES[study][0], *behind], RUNS / study)
                    first = found.setdefault(study, result)
                    if result != first:
                        faults += 1
                        print(f"{study}, {build}, {way}, run {time + 1}: {result}, and not {first}")
            print(f"{study:17} {build:12} {', '.join(ways(study, mpiexec))}: {found[study]}", flush=True)

    if options.brief:
        return say(faults)
    key = machine(options)
    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.is_file() else {}
    known = table.get(key)
    if options.record and faults == 0:
        table[key] = (known or {}) | found
        TABLE.write_text(json.dumps(table, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        print(f"recorded for {key}")
    elif known is None:
        print(f"the table does not know this machine: {key}")
    else:
        for study, result in found.items():
            if study in known and known[study] != result:
                faults += 1
                print(f"{study}: {result}, and the table has {known[study]} for this machine: results have changed")
    return say(faults)


def say(faults):
    if faults:
        stop(f"{faults} runs ended in other numbers")
    print("the same numbers, whatever they were computed by")


if __name__ == "__main__":
    sys.exit(main())
