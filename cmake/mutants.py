#!/usr/bin/env python3
"""Small wrong changes to the headers, one at a time, and whether the tests notice them.

Every changed statement carries both versions behind a switch, in a copy of the include tree, so that each test program is
compiled once:

    { if (::dalembert_mutant(17)) x -= h * k; else x += h * k; }

The environment variable DALEMBERT_MUTANT says which one is active; what is evaluated at compile time stays as it is. A change
that does not compile is dropped. The tests run once with no change active: they must pass, and they tell which test file
executes which changes, so that only those run again for each of them. A change that makes a test fail, crash or hang is seen.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutants"
SOURCE = WORK / "source"  # a copy of the project, in which the headers are changed
HEADERS = SOURCE / "include" / "dalembert"
MODULES = "laws core lie mechanics rod contact string integrate systems analysis io validation".split()

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

# ---- reading C++ -------------------------------------------------------------------------------------------


def blank(text, strings):
    """`text` with its comments as spaces, and with `strings` also what stands between quotes; newlines stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\''

    def spaces(match):
        found = match.group()
        if found[0] in "\"'":
            return found[0] + re.sub(r"[^\n]", "~", found[1:-1]) + found[0] if strings else found
        return re.sub(r"[^\n]", " ", found)

    return re.sub(pattern, spaces, text, flags=re.S | re.M)


class Site:
    """A place in a header where something may be changed. `edits` are (kind, begin, end, new text). The header gets, at `begin`,
    `head`, then `each` with the number and the text of every change, then `tail`; and `after` at `end`."""

    def __init__(self, begin, end, edits, head, each, tail, after, most):
        self.begin, self.end, self.edits, self.most = begin, end, edits, most
        self.head, self.each, self.tail, self.after = head, each, tail, after
        self.chosen = []


class Header:
    """The places of a header at which something can be changed. The source is formatted by clang-format, which this relies
    on: a binary operator stands between spaces, the bracket of a template does not, but for the one after `template`."""

    OPEN, CLOSE = "([{", ")]}"

    def __init__(self, path):
        self.path = path
        self.text = (ROOT / "include" / "dalembert" / path).read_text()
        self.code, self.mask = blank(self.text, False), blank(self.text, True)
        self.sites = []
        self.depth = self.template_depth()
        self.scope(0, at_class=False)

    def template_depth(self):
        """For each character how many template brackets it stands in."""
        depths, depth, m = [], 0, self.mask
        for i, c in enumerate(m):
            if c == "<" and (m[:i].endswith("template ") or (i and (m[i - 1].isalnum() or m[i - 1] in "_]"))):
                depth += not m[:i].endswith("operator")
            elif c == ">" and depth and m[i - 1] not in "-=" and not (m[i - 1] == " " and m[i + 1] in " ="):
                depth -= 1
            elif c == ";":
                depth = 0
            depths.append(depth)
        return depths

    def skip(self, i):
        """The first place from i on with code."""
        while i < len(self.mask) and self.mask[i].isspace():
            i += 1
        return i

    def match(self, i):
        """The place after the bracket that closes the one at i."""
        depth = 0
        for j in range(i, len(self.mask)):
            depth += (self.mask[j] in self.OPEN) - (self.mask[j] in self.CLOSE)
            if depth == 0:
                return j + 1
        return len(self.mask)

    def split(self, begin, end, separator):
        """The parts between separators outside all brackets, as (begin, end)."""
        parts, i = [], begin
        while i < end:
            if self.mask[i] in self.OPEN:
                i = self.match(i)
                continue
            if self.mask[i] == separator and not self.depth[i]:
                parts.append((begin, i))
                begin = i + 1
            i += 1
        return parts + [(begin, end)]

    def scope(self, i, at_class):
        """Declarations from i to the brace that closes their scope; returns the place after it."""
        m, begin, assigned, base = self.mask, self.skip(i), False, self.depth[i] if i else 0
        while i < len(m):
            c = m[i]
            head = m[begin:i].strip()
            if c == "}":
                return i + 1
            if c == ";" or (c == ":" and head in ("public", "private", "protected")):
                if c == ";" and at_class:
                    self.member(begin, i)
                begin, assigned = self.skip(i + 1), False
            elif c == "=" and self.depth[i] == base and not head.endswith("operator") and m[i + 1] != "=" and \
                    m[i - 1] not in "=!<>":
                assigned = True
            elif c in "([":
                i = self.match(i)
                continue
            elif c == "{":
                start, i = i, self.match(i)
                kind = re.sub(r"^(template <|\[\[).*?(?=\b(inline )?namespace|\bclass \w|\bstruct \w|\bunion \w|$)", "", head,
                              flags=re.S) if re.search(r"\b(class|struct|union)\s[^()]*$", head) else head
                if re.match(r"(inline )?namespace\b", head):
                    self.scope(start + 1, at_class=False)
                elif re.match(r"(class|struct|union)\b", kind) and not assigned:
                    self.scope(start + 1, at_class=True)
                    continue
                elif assigned or "(" not in head or re.match(r"enum\b", head) or re.search(r"requires$|requires requires", head):
                    continue
                elif re.search(r"\)\s*(noexcept\s*)?:\s", head) and re.search(r"[\w>]$", head):
                    self.initialisers(begin, start)
                    continue
                elif not re.search(r"\[\[noreturn|\bconsteval\b", head):
                    self.initialisers(begin, start)
                    self.block(start)
                begin, assigned = self.skip(i), False
                continue
            i += 1
        return i

    def member(self, begin, end):
        """A number or truth value that a data member begins with."""
        found = re.match(r"[\w:<>, ]+ \w+ = ([\d.]+|true|false)$", self.mask[begin:end].strip())
        if found and not re.match(r"static|using|friend|constexpr", self.mask[begin:end]):
            self.literals(begin + found.start(1), end)

    def initialisers(self, begin, end):
        """The members that a constructor begins with, each from one expression."""
        found = re.search(r"\)\s*(noexcept\s*)?:\s(?!:)", self.mask[begin:end])
        if not found:
            return
        for first, last in self.split(begin + found.end(), end, ","):
            inner = re.match(r"\s*\w+[({]", self.mask[first:last])
            if inner and self.mask[:last].rstrip()[-1] in ")}":
                first, last = first + inner.end(), len(self.mask[:last].rstrip()) - 1
                if len(self.split(first, last, ",")) == 1:
                    self.add(first, last, self.edits(first, last), "", "::dalembert_mutant(%d) ?\n(%s) :\n", "(", ")")

    def block(self, i):
        """The statements of the block that opens at i; returns the place after it."""
        end, i = self.match(i), self.skip(i + 1)
        while i < end - 1:
            i = self.skip(self.statement(i))
        return end

    def statement(self, i):
        """One statement that begins at i; returns the place after it."""
        m = self.mask
        if m[i] == "{":
            return self.block(i)
        label = re.compile(r"(case\b[^:;{}]*(::[^:;{}]*)*|default|public|private|protected):(?!:)").match(m, i)
        if label:
            return label.end()
        word = re.compile(r"[A-Za-z_]\w*|").match(m, i).group()
        if word in ("if", "while", "for", "switch", "catch"):
            constant = re.compile(r"if\s+(constexpr|consteval)").match(m, i)
            opening = m.index("(", i)
            closing = self.match(opening)
            parts = self.split(opening + 1, closing - 1, ";")
            if not constant and (word in ("if", "while") or (word == "for" and len(parts) == 3)):
                self.condition(*(parts[1] if word == "for" else parts[-1]))
            after = self.skip(self.statement(self.skip(closing)))
            if word == "if" and re.compile(r"else\b").match(m, after):
                after = self.statement(self.skip(after + 4))
            return after
        if word in ("do", "try", "else"):
            return self.statement(self.skip(i + len(word)))
        if word in ("struct", "class"):
            opening = m.index("{", i)
            self.scope(opening + 1, at_class=True)
            return m.index(";", self.match(opening)) + 1
        end, has_block = self.simple_end(i)
        self.simple(i, end, has_block, word)
        return end

    def simple_end(self, i):
        """The place after the semicolon of the statement at i, and whether there are statements within (of a lambda)."""
        m, has_block, stack = self.mask, False, []
        while i < len(m):
            if m[i] == "{":
                head = m[:i].rstrip()[-160:]
                if re.search(r"(\)|&\]|=\]|\W\[\w*\]|\bmutable|\bnoexcept|\) -> [\w:<>&, ]+)$", head) and \
                        not re.search(r"requires\s*\([^()]*\)$", head):
                    has_block, i = True, self.block(i)
                    continue
            if m[i] in self.OPEN:
                stack.append(i)
            elif m[i] in self.CLOSE:
                stack.pop()
            elif m[i] == ";" and not stack:
                return i + 1, has_block
            i += 1
        return i, has_block

    def simple(self, begin, end, has_block, word):
        """A statement without statements in it, but for those of lambdas: what can be changed in it as a whole."""
        code = self.mask[begin:end]
        if word in ("using", "static_assert", "static", "constexpr", "throw", "assert", "eigen_assert", "typedef", "template") or \
                re.match(r"\[\[|\(void\)|;|return;|.*\b(reserve|to_string)\b|std::string|const std::string", code, re.S):
            return
        if word == "return":
            if not has_block:
                self.add(begin, end, self.edits(begin + 6, end - 1), "{ ", "if (::dalembert_mutant(%d))\n%s\n", "", "\n}")
            return
        name = r"(?P<type>(?:const )?(?:typename )?[A-Za-z_][\w:]*(?:<.*?>(?:::\w+(?:<.*?>)?)*)?)(?P<mark>[*&]*) (?P<name>\w+)(?=\s*[={(;,])"
        declared = re.match(name, re.sub(r"\s", " ", code)) or re.match(r"(?P<type>(const )?auto)", code)
        if declared and word not in ("break", "continue", "delete", "goto", "else"):
            if "auto" in declared["type"]:
                if not has_block:
                    self.literals(begin + declared.end(), end)
            elif not has_block and "&" not in declared["mark"]:
                self.declarators(begin + declared.start("name"), end - 1, declared["type"], declared["mark"])
            return
        edits = [("skipped statement", begin, end, ";")] + ([] if has_block else self.edits(begin, end))
        self.add(begin, end, edits, "{ ", "if (::dalembert_mutant(%d))\n%s\nelse ", "\n", "\n}")

    def declarators(self, begin, end, kind, mark):
        """The initial values of variables that are declared with a type."""
        kind = re.sub(r"^const ", "", kind) + mark
        for first, last in self.split(begin, end, ","):
            found = re.match(r"\s*\w+\s*(=\s*)?", self.mask[first:last])
            first += found.end() if found else 0
            edits = self.edits(first, last)
            if found and found[1] and self.mask[first] != "{":
                self.add(first, last, edits, "", f"::dalembert_mutant(%d) ?\nstatic_cast<{kind}>(%s) :\n", f"static_cast<{kind}>(", ")")
            elif found and self.mask[first:first + 1] in ("{", "("):
                equals = "" if found[1] else " = "
                self.add(first, last, edits, equals, f"::dalembert_mutant(%d) ?\n{kind}%s :\n", kind, "")

    def condition(self, begin, end):
        """What an `if` or a loop asks."""
        if re.search(r"[^=!<>]=[^=]", self.mask[begin:end]) or not self.mask[begin:end].strip():
            return
        begin = self.skip(begin)
        edits = self.edits(begin, end)
        if not (self.mask.startswith("!(", begin) and self.match(begin + 1) == end):  # there is a `!` to drop
            edits.append(("negated condition", begin, end, f"!({self.code[begin:end]})"))
        self.add(begin, end, edits, "", "::dalembert_mutant(%d) ?\nbool(%s) :\n", "bool(", ")")

    def literals(self, begin, end):
        """Numbers and truth values where the whole has no type that could be named: each is switched by itself."""
        for edit in self.edits(begin, end):
            if edit[0] == "literal":
                self.add(edit[1], edit[2], [edit], "(", "::dalembert_mutant(%d) ?\n%s : ", "", ")", 1)

    def add(self, begin, end, edits, head, each, tail, after, most=2):
        if edits:
            self.sites.append(Site(begin, end, edits, head, each, tail, after, most))

    # What is changed in an expression: (kind, pattern, replacement).
    SWAPS = [
        ("sign", r"(?<=\s)\+(?=\s)", "-"), ("sign", r"(?<=\s)-(?=\s)", "+"),
        ("sign", r"(?<= )\+=(?=\s)", "-="), ("sign", r"(?<= )-=(?=\s)", "+="), ("sign", r"(?<![^\s({\[,])-(?=[\w(])", ""),
        ("factor", r"(?<= )\*=(?=\s)", "/="), ("factor", r"(?<= )/=(?=\s)", "*="),
        ("comparison", r"(?<= )<(?=\s)", "<="), ("comparison", r"(?<= )<=(?=\s)", "<"),
        ("comparison", r"(?<= )>(?=\s)", ">="), ("comparison", r"(?<= )>=(?=\s)", ">"),
        ("condition", r"(?<= )==(?=\s)", "!="), ("condition", r"(?<= )!=(?=\s)", "=="),
        ("condition", r"(?<= )&&(?=\s)", "||"), ("condition", r"(?<= )\|\|(?=\s)", "&&"), ("condition", r"(?<![^\s({\[,])!(?=[\w(])", ""),
        ("minimum", r"\bmin(?=\()", "max"), ("minimum", r"\bmax(?=\()", "min"),
        ("minimum", r"\bcwiseMin\b", "cwiseMax"), ("minimum", r"\bcwiseMax\b", "cwiseMin"), ("minimum", r"\bmaxCoeff\b", "minCoeff"),
        ("function", r"\bsin(?=\()", "cos"), ("function", r"\bcos(?=\()", "sin"), ("function", r"\babs(?=\()", ""),
        ("function", r"\brotate(?=\()", "rotate_back"), ("function", r"\brotate_back(?=\()", "rotate"),
        ("function", r"\.(transpose|inverse|conjugate|cwiseAbs)\(\)", ""),
        ("literal", r"\btrue\b", "false"), ("literal", r"\bfalse\b", "true"),
    ]

    def edits(self, begin, end):
        """Every change of one operator, number or name between two places, outside template brackets and strings."""
        found, m = [], self.mask[begin:end]

        def note(kind, first, last, new):
            if self.depth[begin + first] <= self.depth[begin]:
                found.append((kind, begin + first, begin + last, new))

        for kind, pattern, new in self.SWAPS:
            for hit in re.finditer(pattern, m):
                note(kind, hit.start(), hit.end(), new)
        for hit in re.finditer(r"(?<=\s)[+\-*/](?=\s)", m):
            note("dropped term" if hit.group() in "+-" else "factor", hit.start() - 1, self.operand(begin, hit, end), "")
        for hit in re.finditer(r"(?<=[\s(,{])[\w.]*[A-Za-z_](\[\w+\])?\s\*\s", m):
            note("factor", hit.start(), hit.end(), "")
        for hit in re.finditer(r"(?<![\w.)\]])(?<!e[-+])(\d+\.\d*|\d+)(?![\w.])", m):
            value = hit.group()
            if "." in value:
                new = repr(2 * float(value) or 1.0)
            else:  # of an index, another one that is there
                down = m[hit.start() - 1:hit.start()] == "[" and value != "0"
                new = str(int(value) - 1 if down else int(value) + 1)
            note("literal", hit.start(), hit.end(), new)
        return found

    def operand(self, begin, hit, end):
        """Where the right side of the operator ends, as an offset from `begin`."""
        stop = r"(?<=\s)([+\-<>?:]|[<>=!]=|&&|\|\||<<)\s|[;,)\]}]" if hit.group() in "+-" else \
            r"(?<=\s)([+\-*/%<>?:]|[<>=!]=|&&|\|\||<<)\s|[;,)\]}]"
        i = self.skip(begin + hit.end())
        while i < end:
            if self.mask[i] in self.OPEN:
                i = self.match(i)
            elif re.compile(stop).match(self.mask, i):
                break
            else:
                i += 1
        return len(self.mask[:i].rstrip()) - begin


# ---- changing the headers ----------------------------------------------------------------------------------


class Mutant:
    """One change: its number, where it is, and the line before and after it."""

    def __init__(self, header, site, edit):
        self.header, self.site, self.kind, self.number, self.dropped = header, site, edit[0], 0, False
        _, begin, end, new = edit
        code = header.code
        self.text = one_line(code[site.begin:begin] + new + code[end:site.end])
        self.line = code.count("\n", 0, begin) + 1
        first, last = code.rfind("\n", 0, begin) + 1, code.find("\n", end)
        self.before, self.after = one_line(code[first:last]), one_line(code[first:begin] + new + code[end:last])
        self.key = digest(header.text, str(edit))

    def __str__(self):
        return f"{self.header.path}:{self.line}: {self.kind}\n    - {self.before}\n    + {self.after}"


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
        made = [mutant for mutant in site.chosen if not mutant.dropped]
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
def includes(path):
    """The files of the project that a file includes, itself or by way of others."""
    found = set()
    for name in re.findall(r'#\s*include\s*["<]([^">]+)[">]', path.read_text()):
        for file in (ROOT / "include" / name, ROOT / "tests" / name, path.parent / name):
            if file.is_file():
                found |= {file} | includes(file)
                break
    return found


def prepare(headers, modules):
    """Make the copy of the project, with those tests of the modules that include one of the headers: {module: [name]}."""
    changed = {ROOT / "include" / "dalembert" / header.path for header in headers}
    shutil.rmtree(SOURCE / "tests", ignore_errors=True)
    (SOURCE / "tests").mkdir(parents=True)
    for name in ("CMakeLists.txt", "LICENSE", "cmake"):
        if not (SOURCE / name).is_symlink():
            (SOURCE / name).symlink_to(ROOT / name)
    for file in HEADERS.rglob("*.hpp"):
        if not (ROOT / file.relative_to(SOURCE)).exists() and file.name != "mutant.hpp":
            file.unlink()
    write(HEADERS / "mutant.hpp", SWITCH)
    for file in (ROOT / "include").rglob("*.hpp"):
        if file not in changed:
            write(SOURCE / file.relative_to(ROOT), file.read_text())
    tests = {}
    for entry in sorted((ROOT / "tests").iterdir()):
        copy = SOURCE / "tests" / entry.name
        if entry.name not in MODULES:
            copy.symlink_to(entry)
            continue
        copy.mkdir()
        for file in sorted(entry.iterdir()):
            if not file.name.endswith("_test.cpp"):
                (copy / file.name).symlink_to(file)
            elif entry.name in modules and includes(file) & changed:
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


def build(headers, tests, options):
    """Compile the tests; changes that do not compile are dropped. Headers keep their time then: only failed units go again."""
    folder, lines = WORK / "build", {}
    for header in headers:
        text, lines[header.path] = switched(header)
        write(HEADERS / header.path, text)
    command = ["cmake", "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DDALEMBERT_NATIVE=ON",
               "-DDALEMBERT_BUILD_TESTS=ON", "-DDALEMBERT_BUILD_EXAMPLES=OFF", "-DDALEMBERT_BUILD_BENCH=OFF",
               # A switch amid a sum must not change how the sum is rounded.
               "-DCMAKE_CXX_FLAGS=-w -ffp-contract=off -ftemplate-backtrace-limit=0"]
    if options.compiler:
        command.append(f"-DCMAKE_CXX_COMPILER={options.compiler}")
    if not (folder / "CMakeCache.txt").exists() and shutil.which("ninja"):
        command += ["-G", "Ninja"]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{done.stdout}\nmutants: CMake fails")
    command = ["cmake", "--build", folder, "--parallel", str(options.jobs), "--target", *[f"{name}_tests" for name in tests],
               "--", *(["-k", "0"] if (folder / "build.ninja").exists() else ["-k"])]
    while True:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        (WORK / "build.log").write_text(done.stdout)
        if done.returncode == 0:
            return
        guilty, stranger = blame(done.stdout, lines)
        if stranger or not guilty:
            sys.exit(f"mutants: does not compile, whatever is changed; see {WORK / 'build.log'}\n{stranger or ''}")
        for mutant in set(guilty):
            mutant.dropped = True
            record(mutant, "dropped", "", "")
        print(f"{len(set(guilty))} changes do not compile; again without them", flush=True)
        for header in headers:
            text, lines[header.path] = switched(header)
            write(HEADERS / header.path, text, keep_time=True)


# ---- running -----------------------------------------------------------------------------------------------


class Test:
    """The cases of one test file: how long they take, and which changes they execute."""

    def __init__(self, module, name, names):
        self.module, self.name = module, f"{module}/{name}" if name else f"{module}, cases of included files"
        self.filter = f"[#{name}]~[.]" if name else "".join(f"~[#{other}]" for other in names) + "~[.]"
        self.seconds, self.reached = 0.0, set()

    def run(self, *arguments, limit=None, **variables):
        """How it ends, and what it prints."""
        program = WORK / "build" / "tests" / f"{self.module}_tests"
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

    def distance(self, path):
        """When it is its turn for a header: the header's own, then those of its folder, laws, validation, the rest."""
        if self.name == re.sub(r"(detail/)?(\w+)\.hpp$", r"\2_test", path):
            return 0
        order = [path.split("/")[0], "laws", "validation"]
        return 1 + order.index(self.module) if self.module in order else 4


def judge(mutant, tests):
    """What becomes of a change: the first test that sees it, if any."""
    able = [test for test in tests if mutant.number in test.reached]
    for test in sorted(able, key=lambda test: (test.distance(mutant.header.path), test.seconds)):
        how, _ = test.run("-a", limit=3 * test.seconds + 5, DALEMBERT_MUTANT=str(mutant.number))
        if how != "passes":
            return "seen", f"{test.name} {how}"
    return "survived", f"test files that execute it: {len(able)}"


def record(mutant, status, where, tests):
    with open(WORK / "results.txt", "a", encoding="utf-8") as file:
        file.write("\t".join((mutant.key, tests, status, where, re.sub(r"\s+", " ", str(mutant)))) + "\n")


def recall(mutants, tests):
    """What earlier runs found. A change that survived is tried anew once the tests or any headers are others."""
    known, file = {}, WORK / "results.txt"
    for line in file.read_text().splitlines() if file.exists() else []:
        key, of_tests, status, where = line.split("\t")[:4]
        if status != "survived" or of_tests == tests:
            known[key] = (status, where)
    return {mutant: known[mutant.key] for mutant in mutants if mutant.key in known}


def run_tests(mutants, tests, results, everything, jobs):
    """Add to `results` what becomes of the changes that are not in it."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        faults = [fault for fault in pool.map(Test.measure, tests) if fault]
        if faults:
            sys.exit("\n".join(faults))
        print(f"they pass, in {sum(test.seconds for test in tests):.0f} s in all", flush=True)
        left = {pool.submit(judge, mutant, tests): mutant for mutant in mutants if mutant not in results}
        for turn, future in enumerate(concurrent.futures.as_completed(left), 1):
            mutant, (status, where) = left[future], future.result()
            results[mutant] = (status, where)
            record(mutant, status, where, everything)
            print(f"[{turn}/{len(left)}] {status:9}{mutant.header.path}:{mutant.line} {mutant.kind} ({where})", flush=True)


def report(headers, mutants, results):
    """Print the survivors and a table; returns the share of the changes that was seen."""
    print("\nSurvivors:")
    for mutant in mutants:
        if results[mutant][0] == "survived":
            print(f"{mutant}\n    ({results[mutant][1]})")
    print(f"\n{'header':44}{'made':>9}{'dropped':>9}{'seen':>9}{'survived':>9}")
    for name in [header.path for header in headers] + ["all"]:
        own = [results[mutant][0] for mutant in mutants if name in ("all", mutant.header.path)]
        if own:
            print(f"{name:44}{len(own):9}" + "".join(f"{own.count(status):9}" for status in ("dropped", "seen", "survived")))
    score = own.count("seen") / max(1, own.count("seen") + own.count("survived"))
    print(f"\n{100 * score:.1f} % of the changes were seen")
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
    return [Header(str(path.relative_to(root))) for path in sorted(found)]


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
    names = prepare(headers, options.tests or MODULES)
    sources = [file for folder in ("include", "tests") for file in sorted((ROOT / folder).rglob("*.?pp"))]
    everything = digest(*[file.read_text() for file in sources])
    results = recall(mutants, everything)
    for mutant in mutants:
        mutant.dropped = mutant in results and results[mutant][0] == "dropped"

    start = time.monotonic()
    print(f"{len(mutants)} changes in {len(headers)} headers; compiling {sum(map(len, names.values()))} test files", flush=True)
    build(headers, names, options)
    results.update((mutant, ("dropped", "")) for mutant in mutants if mutant.dropped)
    print(f"compiled in {time.monotonic() - start:.0f} s; running the tests with no change active", flush=True)
    tests = [Test(module, name, files) for module, files in names.items() for name in files + [None]]
    run_tests(mutants, tests, results, everything, options.jobs)
    return 0 if report(headers, mutants, results) >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
