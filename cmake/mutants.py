#!/usr/bin/env python3
"""Small wrong changes to the headers, one at a time, and whether the tests notice them.

Every changed statement carries both versions behind a switch, in a copy of the include tree, so that each test program is
compiled once:

    { if (::dalembert_mutant(17)) x -= h * k; else x += h * k; }

The environment variable DALEMBERT_MUTANT says which one is active; what is evaluated at compile time stays as it is. A change
that does not compile is dropped. The tests run once with no change active: they must pass, and they tell which test file
executes which changes, so that only those run again for each of them. A change that makes a test fail, crash or hang is seen.
A change that no test executes may stand in what the compiler evaluates: it is made in the text, and the test file named after
the header is compiled with it. A change is seen as well if that does not compile then.

Changes after which a program does the same as before are in equal_changes.txt, each with the reason. They are tried as well, and
are counted apart; a test that sees one of them, or one whose line is gone, fails the check.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from cpp_changes import Header

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutants"
BUILD = WORK / "build"
SOURCE = WORK / "source"  # a copy of the project, in which the headers are changed
HEADERS = SOURCE / "include" / "dalembert"
EQUAL = ROOT / "cmake" / "equal_changes.txt"
# The folders whose *_test.cpp make one program.
MODULES = sorted(folder.name for folder in (ROOT / "tests").iterdir()
                 if any(folder.glob("*_test.cpp")) and not (folder / "CMakeLists.txt").exists())

SWITCH = """#pragma once
#include <cstdio>
#include <cstdlib>
#include <type_traits>
namespace dalembert_mutants {
inline const int active = std::getenv("DALEMBERT_MUTANT") ? std::atoi(std::getenv("DALEMBERT_MUTANT")) : 0;
struct Reached {
  bool at[1 << 14] = {};
  ~Reached() {
    const char* name = std::getenv("DALEMBERT_REACHED");
    std::FILE* file = name ? std::fopen(name, "w") : nullptr;
    for (int k = 0; file && k < (1 << 14); ++k)
      if (at[k]) std::fprintf(file, "%d\\n", k);
    if (file) std::fclose(file);
  }
};
inline Reached reached;
}
constexpr bool dalembert_mutant(int k) noexcept {
  if (std::is_constant_evaluated()) return false;
  dalembert_mutants::reached.at[k] = true;
  return dalembert_mutants::active == k;
}
"""

# ---- changing the headers ----------------------------------------------------------------------------------


class Mutant:
    """One change: its number, where it is, and the line before and after it."""

    def __init__(self, header, site, edit):
        self.header, self.site, self.kind, self.number = header, site, edit[0], 0
        self.status, self.where, self.executed_by = "", "", 0
        _, begin, end, new = edit
        code = header.code
        self.text = one_line(code[site.begin:begin] + new + code[end:site.end])
        self.line = code.count("\n", 0, begin) + 1
        first, last = code.rfind("\n", 0, begin) + 1, code.find("\n", end)
        self.before, self.after = one_line(code[first:last]), one_line(code[first:begin] + new + code[end:last])
        self.changed = header.text[:begin] + new + header.text[end:]
        self.key = digest(header.text, str(edit))

    def __str__(self):
        return f"{self.header.path}:{self.line}: {self.kind}\n    - {self.before}\n    + {self.after}"


    def named(self):
        """How the list of equal changes names it."""
        return self.header.path, self.before, self.after


def equal_changes():
    """The changes of equal_changes.txt: {(header, line before, line after): reason}. Paragraphs of a header, `- before`, `+ after`
    and lines of the reason; those that begin with # are comments."""
    changes = {}
    for paragraph in re.split(r"\n\s*\n", EQUAL.read_text()):
        lines = [line.strip() for line in paragraph.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            continue
        if len(lines) < 4 or lines[1][:2] != "- " or lines[2][:2] != "+ ":
            sys.exit(f"mutants: {EQUAL.name}: a header, `- before`, `+ after` and a reason are expected, not\n{paragraph}")
        changes[lines[0], lines[1][2:], lines[2][2:]] = " ".join(lines[3:])
    return changes


def faults_of_equal(headers, mutants, equal):
    """What is wrong in the list of equal changes, as far as these headers tell."""
    code = {header.path: one_line(header.code) for header in headers}
    faults = [f"{path} has no line `{before}`" for path, before, _ in equal if path in code and before not in code[path]]
    return faults + [f"{mutant.where} sees\n{mutant}" for mutant in mutants if mutant.status == "seen" and mutant.named() in equal]


def one_line(text):
    return re.sub(r"\s*\n\s*", " ", text).strip()


def digest(*texts):
    return hashlib.sha1("\0".join(texts).encode()).hexdigest()[:16]


def choose(headers, count, seed):
    """`count` changes, from one header after the other until none has more; at most two in a statement."""
    queues = []
    for header in headers:
        chance, queue, seconds = random.Random(f"{seed} {header.path}"), [], []
        for site in chance.sample(header.sites, len(header.sites)):
            for turn in (queue, seconds)[:site.most]:
                kinds = sorted({edit[0] for edit in site.edits})
                if kinds:
                    # Of `<` and `<=` between numbers with rounding nobody can tell.
                    kind = chance.choices(kinds, [0.3 if kind == "comparison" else 1.0 for kind in kinds])[0]
                    turn.append((site, chance.choice([edit for edit in site.edits if edit[0] == kind])))
                    site.edits = [edit for edit in site.edits if edit[0] != kind]
        queues.append((header, queue + seconds))
    mutants = []
    while len(mutants) < count and any(queue for _, queue in queues):
        for header, queue in queues:
            if queue and len(mutants) < count:
                mutants.append(Mutant(header, *queue.pop(0)))
    mutants.sort(key=lambda mutant: (mutant.header.path, mutant.line, mutant.key))
    for number, mutant in enumerate(mutants, 1):
        mutant.number = number
        mutant.site.chosen.append(mutant)
    return mutants


def switched(header):
    """The text of the header with its changes behind switches, and to which changes its lines belong: {line: changes}."""
    inserts = []
    for site in header.sites:
        made = [mutant for mutant in site.chosen if mutant.status != "dropped"]
        if made:
            each = "".join(site.each % (mutant.number, mutant.text) for mutant in made)
            inserts += [(site.begin, 1, site.head + each + site.tail), (site.end, 0, site.after)]
    pieces, last = ["#include <dalembert/mutant.hpp>\n"], 0
    for place, _, text in sorted(inserts):
        pieces += [header.text[last:place], text]
        last = place
    text = "".join(pieces) + header.text[last:]
    lines, of_number = {}, {mutant.number: mutant for site in header.sites for mutant in site.chosen}
    for number, line in enumerate(text.split("\n"), 1):
        for k in re.findall(r"::dalembert_mutant\((\d+)\)", line):
            mutant = of_number[int(k)]
            lines[number] = lines[number + 1] = [mutant]  # the switch, and the changed text
            lines[number + 2] = mutant.site.chosen  # what it was before, if it does not go with the change
    return text, lines


def write(path, text, keep_time=False):
    """Write a file unless that is what it contains; with `keep_time`, what was compiled from it stays up to date."""
    old = path.stat() if path.exists() else None
    if old and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    if old and keep_time:
        os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))


# ---- building ----------------------------------------------------------------------------------------------


@functools.cache
def included_by(path):
    """The files of the project that a file includes itself."""
    found = set()
    for name in re.findall(r'#\s*include\s*["<]([^">]+)[">]', path.read_text()):
        for file in (ROOT / "include" / name, ROOT / "tests" / name, path.parent / name):
            if file.is_file():
                found.add(file)
                break
    return found


def includes(path):
    """The files of the project that a file includes, itself or by way of others."""
    found, left = set(), [path]
    while left:
        new = included_by(left.pop()) - found
        found |= new
        left += new
    return found


def prepare(headers, modules):
    """Make the copy of the project, with those tests of the modules that include one of the headers: {module: [name]}."""
    changed = {ROOT / "include" / "dalembert" / header.path for header in headers}
    shutil.rmtree(SOURCE / "tests", ignore_errors=True)
    (SOURCE / "tests").mkdir(parents=True)
    for name in ("CMakeLists.txt", "LICENSE", "cmake", "examples"):
        if not (SOURCE / name).is_symlink():
            (SOURCE / name).symlink_to(ROOT / name)
    for file in filter(pathlib.Path.is_file, HEADERS.rglob("*")):
        if not (ROOT / file.relative_to(SOURCE)).exists() and file.name != "mutant.hpp":
            file.unlink()
    write(HEADERS / "mutant.hpp", SWITCH)
    for file in filter(pathlib.Path.is_file, (ROOT / "include").rglob("*")):
        if file not in changed:
            write(SOURCE / file.relative_to(ROOT), file.read_text())
    tests = {}
    for entry in sorted((ROOT / "tests").iterdir()):
        copy = SOURCE / "tests" / entry.name
        if entry.name not in MODULES:
            copy.symlink_to(entry)
            continue
        copy.mkdir()
        files = sorted(entry.iterdir())
        # Whatever the other files of a folder include may be reached by way of any of its tests.
        reached_by_all = any(file.suffix == ".cpp" and not file.name.endswith("_test.cpp") and includes(file) & changed
                             for file in files)
        for file in files:
            if not file.name.endswith("_test.cpp"):
                (copy / file.name).symlink_to(file)
            elif entry.name in modules and (reached_by_all or includes(file) & changed):
                (copy / file.name).symlink_to(file)
                tests.setdefault(entry.name, []).append(file.stem)
    return tests


def blame(output, lines):
    """The changes that a compiler complains about: those at the place of the error, or at the nearest that led there. And an
    error that belongs to none of them."""
    guilty, context, stranger = [], [], None
    for line in output.splitlines():
        found = re.match(r"(\S.*?):(\d+):(?:\d+:)?\s+(fatal error|error|note|required|in )", line)
        if not found:
            continue
        header = re.search(r"source/include/dalembert/(.*)$", found[1])
        here = lines.get(header[1], {}).get(int(found[2]), []) if header else []
        if found[3] in ("fatal error", "error"):
            if stranger:
                break
            known = next((place for place in [here] + context if place), [])
            guilty += known
            stranger, context = (None if known else line), []
        elif found[3] != "note":  # g++ says before an error what led there,
            context.append(here)
        elif stranger and here and "in instantiation of" in line:  # and clang++ after it
            guilty += here
            stranger = None
    return guilty, stranger


def configure(options):
    command = ["cmake", "-S", SOURCE, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DDALEMBERT_NATIVE=ON",
               "-DDALEMBERT_BUILD_TESTS=ON", "-DDALEMBERT_BUILD_EXAMPLES=OFF", "-DDALEMBERT_BUILD_BENCH=OFF",
               "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
               # A switch amid a sum must not change how the sum is rounded.
               "-DCMAKE_CXX_FLAGS=-w -ffp-contract=off -ftemplate-backtrace-limit=0"]
    if options.compiler:
        command.append(f"-DCMAKE_CXX_COMPILER={options.compiler}")
    if not (BUILD / "CMakeCache.txt").exists() and shutil.which("ninja"):
        command += ["-G", "Ninja"]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{done.stdout}\nmutants: CMake fails")


def build(headers, module, jobs):
    """Compile the tests of a folder. Changes that do not compile are dropped: headers keep their time then, so that only failed
    units go again."""
    command = ["cmake", "--build", BUILD, "--parallel", str(jobs), "--target", f"{module}_tests", "--",
               *(["-k", "0"] if (BUILD / "build.ninja").exists() else ["-k"])]
    while True:
        with open(WORK / "build.log", "w", encoding="utf-8") as log:
            if subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode == 0:
                return
        guilty, stranger = blame((WORK / "build.log").read_text(errors="replace"),
                                 {header.path: switched(header)[1] for header in headers})
        if stranger or not guilty:
            sys.exit(f"mutants: does not compile, and not for a change; see {WORK / 'build.log'}\n{stranger or ''}")
        for mutant in set(guilty):
            record(mutant, "dropped", "", "")
        print(f"{len(set(guilty))} changes do not compile; again without them", flush=True)
        for header in headers:
            write(HEADERS / header.path, switched(header)[0], keep_time=True)


# ---- running -----------------------------------------------------------------------------------------------


class Test:
    """The cases of one test file: how long they take, and which changes they execute."""

    def __init__(self, module, name, names):
        self.module, self.name = module, f"{module}/{name}" if name else f"{module}, cases of included files"
        self.filter = f"[#{name}]~[.]" if name else "".join(f"~[#{other}]" for other in names) + "~[.]"
        self.seconds, self.reached = 0.0, set()

    def run(self, *arguments, limit=None, **variables):
        """How it ends, and what it prints."""
        program = BUILD / "tests" / f"{self.module}_tests"
        try:
            done = subprocess.run([program, "-#", self.filter, *arguments], text=True, errors="replace", timeout=limit, cwd=WORK,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **variables})
        except subprocess.TimeoutExpired:
            return "hangs", ""
        return "passes" if done.returncode == 0 else "crashes" if done.returncode < 0 else "fails", done.stdout

    def measure(self):
        """Run it with no change active; returns what is wrong then."""
        reached = WORK / ("reached-" + re.sub(r"\W+", "-", self.name))
        reached.unlink(missing_ok=True)
        start = time.monotonic()
        how, output = self.run(DALEMBERT_MUTANT="0", DALEMBERT_REACHED=str(reached))
        self.seconds = time.monotonic() - start
        if how != "passes":
            return f"{output[-3000:]}\nmutants: {self.name} {how} with no change active"
        self.reached = set(map(int, reached.read_text().split()))
        reached.unlink()
        return None


def judge(mutant, tests):
    """The first test that sees a change, and how; nothing if none does. The one named after the header comes first."""
    able = [test for test in tests if mutant.number in test.reached]
    mutant.executed_by += len(able)
    own = f"{pathlib.Path(mutant.header.path).stem}_test"
    for test in sorted(able, key=lambda test: (not test.name.endswith(own), test.seconds)):
        how, _ = test.run("-a", limit=3 * test.seconds + 5, DALEMBERT_MUTANT=str(mutant.number))
        if how != "passes":
            return f"{test.name} {how}"
    return None


def run_tests(mutants, tests, jobs):
    """Find out which of the changes are seen by the tests."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        faults = [fault for fault in pool.map(Test.measure, tests) if fault]
        if faults:
            sys.exit("\n".join(faults))
        left = {pool.submit(judge, mutant, tests): mutant for mutant in mutants}
        for future in concurrent.futures.as_completed(left):
            mutant, where = left[future], future.result()
            if where:
                record(mutant, "seen", where, "")
                print(f"  {mutant.header.path}:{mutant.line} {mutant.kind}: {where}", flush=True)


def own_tests(mutant, tests):
    """The test files that a header belongs to: the one named after it, else those that include it directly: [(folder, file)]."""
    path = pathlib.Path(mutant.header.path)
    files = [(module, SOURCE / "tests" / module / f"{name}.cpp") for module in tests for name in tests[module]]
    named = [(module, file) for module, file in files if file.stem == f"{path.stem}_test"]
    same = [(module, file) for module, file in named if module == path.parts[0]]
    return same or named or [(module, file) for module, file in files if f"<dalembert/{path}>" in file.read_text()][:3]


def commands(module, file, object_file, program, folder):
    """How CMake compiles and links a test file, but with the headers in `folder` first, and the file for a program by itself."""
    entry = next(entry for entry in json.loads((BUILD / "compile_commands.json").read_text()) if entry["file"] == str(file))
    compiling = shlex.split(entry["command"])
    compiling[compiling.index("-o") + 1] = str(object_file)
    compiling.insert(1, f"-I{folder}")
    if (BUILD / "build.ninja").exists():
        text = subprocess.run(["ninja", "-t", "commands", f"tests/{module}_tests"], cwd=BUILD, text=True, check=True,
                              stdout=subprocess.PIPE).stdout.splitlines()[-1]
        where, text = BUILD, text.split("&&")[1]
    else:
        where = BUILD / "tests"
        text = (where / "CMakeFiles" / f"{module}_tests.dir" / "link.txt").read_text()
    linking = [word for word in shlex.split(text) if not word.endswith("_test.cpp.o")]
    linking[linking.index("-o") + 1] = str(program)
    return (entry["directory"], compiling), (where, [*linking, str(object_file)])


def judge_in_text(mutant, tests):
    """How the header's own tests see a change that is made in the text; nothing if they do not."""
    folder = WORK / "text" / str(mutant.number)
    header = folder / "dalembert" / mutant.header.path
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(mutant.changed)
    for module, file in own_tests(mutant, tests):
        program = folder / file.stem
        for where, command in commands(module, file, folder / "test.o", program, folder):
            if subprocess.run(command, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
                return f"{module}/{file.stem} does not compile"
        try:
            if subprocess.run([program, "~[.]"], cwd=WORK, timeout=120, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode:
                return f"{module}/{file.stem} fails"
        except subprocess.TimeoutExpired:
            return f"{module}/{file.stem} hangs"
    return None


def run_in_text(mutants, headers, tests, jobs):
    """Find out which of the changes that no test executes are seen once they are made in the text."""
    if not mutants:
        return
    print(f"compiling tests with {len(mutants)} changes that none executes", flush=True)
    for header in headers:  # the others are as they were
        write(HEADERS / header.path, header.text)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, where in zip(mutants, pool.map(lambda mutant: judge_in_text(mutant, tests), mutants)):
            if where:
                record(mutant, "seen", where, "")
                print(f"  {mutant.header.path}:{mutant.line} {mutant.kind}: {where}", flush=True)
    shutil.rmtree(WORK / "text")


def record(mutant, status, where, tests):
    """Note what became of a change, for this run and for later ones."""
    mutant.status, mutant.where = status, where
    with open(WORK / "results.txt", "a", encoding="utf-8") as file:
        file.write("\t".join((mutant.key, tests, status, where, re.sub(r"\s+", " ", str(mutant)))) + "\n")


def recall(mutants, tests):
    """What earlier runs found. A change that survived is tried anew once the tests or any headers are others."""
    known, file = {}, WORK / "results.txt"
    for line in file.read_text().splitlines() if file.exists() else []:
        key, of_tests, status, where = line.split("\t")[:4]
        if status != "survived" or of_tests == tests:
            known[key] = (status, where)
    for mutant in mutants:
        mutant.status, mutant.where = known.get(mutant.key, ("", ""))


def report(headers, mutants):
    """Print the survivors and a table; returns the share of the changes that was seen, of those that can be."""
    print("\nSurvivors:")
    for mutant in mutants:
        if mutant.status == "survived":
            print(f"{mutant}\n    ({mutant.where})")
    states = ("dropped", "equal", "seen", "survived")
    print(f"\n{'header':44}{'made':>9}" + "".join(f"{state:>9}" for state in states))
    for name in [header.path for header in headers] + ["all"]:
        own = [mutant.status for mutant in mutants if name in ("all", mutant.header.path)]
        if own:
            print(f"{name:44}{len(own):9}" + "".join(f"{own.count(state):9}" for state in states))
    score = own.count("seen") / max(1, own.count("seen") + own.count("survived"))
    print(f"\n{100 * score:.1f} % of the changes that make a difference were seen")
    return score


def find_headers(names):
    """The headers that names of folders and files stand for."""
    root, found = ROOT / "include" / "dalembert", set()
    for name in names:
        short = re.sub(r"^(.*include/)?(dalembert/)?|\.hpp$|/$", "", name)
        if (root / short).is_dir():
            found |= set((root / short).rglob("*.hpp"))
        elif (root / f"{short}.hpp").is_file():
            found.add(root / f"{short}.hpp")
        else:
            sys.exit(f"mutants: no folder or header {short} in {root}")
    return [Header(root, str(path.relative_to(root))) for path in sorted(found)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], prog="./cmake/bootstrap check mutants")
    parser.add_argument("headers", nargs="*", default=["rod", "contact", "mechanics", "integrate"], metavar="HEADER",
                        help="a header or a folder of include/dalembert (default: rod contact mechanics integrate)")
    parser.add_argument("--count", type=int, default=200, help="how many changes (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of changes (default 1)")
    parser.add_argument("--tests", action="append", choices=MODULES, help="only tests of this folder; may be repeated")
    parser.add_argument("--list", action="store_true", help="print the changes and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help=argparse.SUPPRESS)
    parser.add_argument("--compiler", help=argparse.SUPPRESS)
    options = parser.parse_args()

    headers = find_headers(options.headers)
    mutants = choose(headers, options.count, options.seed)
    if options.list:
        print("\n".join(map(str, mutants)))
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    tests = prepare(headers, options.tests or MODULES)
    sources = [file for folder in ("include", "tests") for file in sorted((ROOT / folder).rglob("*.?pp"))]
    everything = digest(str(options.tests), *[file.read_text() for file in sources])
    recall(mutants, everything)
    for header in headers:
        write(HEADERS / header.path, switched(header)[0])
    configure(options)

    first = [header.path.split("/")[0] for header in headers] + ["laws", "validation"]
    print(f"{len(mutants)} changes in {len(headers)} headers, {sum(map(len, tests.values()))} test files", flush=True)
    for module in sorted(tests, key=lambda name: first.index(name) if name in first else len(first)):
        left = [mutant for mutant in mutants if not mutant.status]
        if not left:
            break
        start = time.monotonic()
        print(f"compiling {len(tests[module])} test files of {module}; see {WORK / 'build.log'}", flush=True)
        build(headers, module, options.jobs)
        left = [mutant for mutant in left if not mutant.status]
        print(f"compiled in {time.monotonic() - start:.0f} s; running them with {len(left)} changes", flush=True)
        run_tests(left, [Test(module, name, tests[module]) for name in tests[module] + [None]], options.jobs)
    run_in_text([mutant for mutant in mutants if not mutant.status and not mutant.executed_by], headers, tests, options.jobs)
    for mutant in mutants:
        if not mutant.status:
            files = f"test files that execute it: {mutant.executed_by}"
            record(mutant, "survived", files if mutant.executed_by else "no test executes it", everything)
    equal = equal_changes()
    for mutant in mutants:
        if mutant.status == "survived" and mutant.named() in equal:
            mutant.status = "equal"
    faults = faults_of_equal(headers, mutants, equal)
    score = report(headers, mutants)
    for fault in faults:
        print(f"{EQUAL.name}: {fault}")
    return 0 if score >= 0.95 and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
