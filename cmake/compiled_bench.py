#!/usr/bin/env python3
"""How long the benchmarks run with the compiled library, beside the headers alone: ratios of processor time.

Each benchmark runs in turn in the program NAME and in NAME_compiled, on one processor, so that a machine that is busy with other
things falsifies both alike. Listed are those that take more than 1.05 times as long in two of three runs or more, which may be
where code came to lie: try them again, linked in another order.
"""

import argparse
import json
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "bench" / "results" / "compiled.json"
MOST = 1.05


def arguments():
    parser = argparse.ArgumentParser(prog="./cmake/bootstrap bench compiled", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="where the programs are")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of both (default 3)")
    return parser.parse_args()


def seconds(program, name):
    """The processor time of one iteration of a benchmark, None where it was skipped."""
    pattern = "^" + re.sub(r"([()+*\[\]{}.^$?|])", r"\\\1", name) + "$"
    command = [program, "--benchmark_min_time=0.03", "--benchmark_format=json", f"--benchmark_filter={pattern}"]
    if shutil.which("taskset"):
        command = ["taskset", "-c", "0", *command]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for run in json.loads(text[text.index("{"):])["benchmarks"]:
        if "cpu_time" in run:
            return run["cpu_time"]
    return None


def ratios(folder, program, name, repeat):
    headers, compiled = folder / program, folder / f"{program}_compiled"
    found = []
    for i in range(repeat):
        times = {p: seconds(p, name) for p in ((headers, compiled) if i % 2 == 0 else (compiled, headers))}
        if None not in times.values():
            found.append(times[compiled] / times[headers])
    return found


def mean(values):
    return math.exp(statistics.mean(math.log(x) for x in values))


def main():
    asked = arguments()
    medians = {}
    for program in asked.programs:
        listed = subprocess.run([asked.folder / program, "--benchmark_list_tests"], capture_output=True, text=True, check=True)
        of_program = {}
        for name in filter(None, listed.stdout.splitlines()):
            found = ratios(asked.folder, program, name, asked.repeat)
            if not found:
                continue
            of_program[name] = statistics.median(found)
            if 3 * sum(x > MOST for x in found) >= 2 * len(found):
                print(f"  above {MOST}: {name}", *(f"{x:.3f}" for x in found), flush=True)
        if of_program:
            print(f"{program:24} {len(of_program):4} benchmarks, geometric mean {mean(of_program.values()):.4f}", flush=True)
            medians[program] = of_program
    everything = [x for of_program in medians.values() for x in of_program.values()]
    if not everything:
        sys.exit("bootstrap: no benchmark ran")
    print(f"{'all':24} {len(everything):4} benchmarks, geometric mean {mean(everything):.4f}")
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(medians, indent=1) + "\n")


if __name__ == "__main__":
    main()
