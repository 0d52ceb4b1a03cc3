#!/usr/bin/env python3
"""How long benchmarks run with the compiled library, beside the headers alone: ratios of processor time.

Each benchmark runs in turn in the program NAME and in NAME_compiled, on one processor, so that a machine that is busy with other
things falsifies both alike. Listed are those that take more than 1.05 times as long in two of three runs, which may be where code
came to lie: try them again, linked in another order.
"""

import json
import math
import re
import shutil
import statistics
import subprocess
import sys

from compile_bench import ROOT, stop

PROGRAMS = ROOT / "build" / "bench" / "bench"
RESULTS = ROOT / "build" / "bench" / "results" / "compiled.json"
RUNS = 3
MOST = 1.05


def output_of(program, *options):
    pin = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    return subprocess.run([*pin, PROGRAMS / program, *options], capture_output=True, text=True, check=True).stdout


def time_of(program, name):
    """The processor time of one iteration of a benchmark, None where it was skipped."""
    pattern = "^" + re.sub(r"([()+*\[\]{}.^$?|])", r"\\\1", name) + "$"
    text = output_of(program, "--benchmark_min_time=0.03", "--benchmark_format=json", f"--benchmark_filter={pattern}")
    times = [run["cpu_time"] for run in json.loads(text[text.index("{"):])["benchmarks"] if "cpu_time" in run]
    return times[0] if times else None


def ratios(program, name):
    both = [program, f"{program}_compiled"]
    found = []
    for i in range(RUNS):
        times = {p: time_of(p, name) for p in (both if i % 2 == 0 else both[::-1])}
        if None not in times.values():
            found.append(times[both[1]] / times[both[0]])
    return found


def say(what, medians):
    mean = math.exp(statistics.mean(math.log(x) for x in medians))
    print(f"{what:24} {len(medians):4} benchmarks, geometric mean {mean:.4f}", flush=True)


def main():
    medians = {}
    for program in sys.argv[1:]:
        of_program = {}
        for name in filter(None, output_of(program, "--benchmark_list_tests").splitlines()):
            found = ratios(program, name)
            if not found:
                continue
            of_program[name] = statistics.median(found)
            if 3 * sum(x > MOST for x in found) >= 2 * len(found):
                print(f"  above {MOST}: {name}", *(f"{x:.3f}" for x in found), flush=True)
        if of_program:
            say(program, of_program.values())
            medians[program] = of_program
    if not medians:
        stop("no benchmark ran")
    say("all", [x for of_program in medians.values() for x in of_program.values()])
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(medians, indent=1) + "\n")


if __name__ == "__main__":
    main()
