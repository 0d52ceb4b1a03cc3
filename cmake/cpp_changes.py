"""Where a header can be changed, and how: what cmake/mutants.py puts behind switches."""

import re


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
    # Statements without effect at run time, or only on words or on time.
    NO_CHANGE = re.compile(r"(using|static_assert|static|thread_local|constexpr|throw|assert|eigen_assert|typedef|template)\b|\[\[|\(void\)|;|"
                           r"return;|(const )?std::string |[\w:]+<[^()]*>\(\);|.*\b(reserve|to_string|prefetch|fetch_columns)\b", re.S)
    DECLARATION = re.compile(r"(?P<type>(?:const )?(?:(?:typename|long|unsigned) )?[A-Za-z_][\w:]*(?:<.*?>(?:::\w+(?:<.*?>)?)*)?)"
                             r"(?P<mark>[*&]*(?: const)?(?: __restrict)?| &) ?(?<!\w)(?P<name>\w+)(?=\s*[={(;,[])")

    def __init__(self, root, path):
        self.path = path
        self.text = (root / path).read_text()
        self.code, self.mask = blank(self.text, False), blank(self.text, True)
        self.sites = []
        self.depth = self.template_depth()
        self.scope(0, False)

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

    def scope(self, i, in_class):
        """Declarations from i to the brace that closes their scope."""
        begin, assigned = self.skip(i), False
        while i < len(self.mask) and self.mask[i] != "}":
            c, head = self.mask[i], self.mask[begin:i].strip()
            if c == ";" or (c == ":" and head in ("public", "private", "protected")):
                if in_class and assigned:
                    self.member(begin, i)
                begin, assigned = self.skip(i + 1), False
            elif c == "=" and not self.depth[i] and not re.search(r"operator\W*$", head) and \
                    not re.search("[=!<>]", self.mask[i - 1] + self.mask[i + 1]):
                assigned = True
            elif c == "{":
                kind = self.what_opens(begin, i, assigned)
                if kind in ("namespace", "class"):
                    self.scope(i + 1, kind == "class")
                elif kind == "function":
                    self.initialisers(begin, i)
                    self.block(i)
                i = self.match(i)
                if kind in ("namespace", "function", "not at run time"):
                    begin, assigned = self.skip(i), False
                continue
            i = self.match(i) if c in "([" else i + 1

    def what_opens(self, begin, i, assigned):
        """What the brace at i belongs to, in the declaration that begins at `begin`; if to none of these, it goes on after it."""
        head = "".join(self.mask[k] for k in range(begin, i) if not self.depth[k]).strip()
        head = re.sub(r"\balignas\([^()]*\) ", "", head)
        if re.match(r"(inline )?namespace\b", head):
            return "namespace"
        if assigned or re.match(r"enum\b", head) or re.search(r"\brequires$|\brequires\s+requires\b[^{}]*$", head):
            return "value"
        if re.search(r"\b(class|struct|union)\s+\w[^()]*$", head):
            return "class"
        if "(" not in head or re.search(r"\)\s*(noexcept\s*)?:\s[^{]*\w\s*$|[})],\s*\w+$", head):
            return "value"
        return "not at run time" if re.search(r"\[\[noreturn|\bconsteval\b", head) else "function"

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
            likely = re.compile(r"\s*\[\[(un)?likely\]\]").match(m, closing)
            after = self.skip(self.statement(self.skip(likely.end() if likely else closing)))
            if word == "if" and re.compile(r"else\b").match(m, after):
                after = self.statement(self.skip(after + 4))
            return after
        if word in ("do", "try", "else"):
            return self.statement(self.skip(i + len(word)))
        if word in ("struct", "class"):
            opening = m.index("{", i)
            self.scope(opening + 1, True)
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
        if self.NO_CHANGE.match(code):
            return
        if word == "return":
            if not has_block:
                self.add(begin, end, self.edits(begin + 6, end - 1), "{ ", "if (::dalembert_mutant(%d))\n%s\n", "", "\n}")
            return
        declared = self.DECLARATION.match(re.sub(r"\s", " ", code)) or re.match(r"(?P<type>(const )?auto)", code)
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
        kind = kind + re.sub(r" .*", "", mark) if mark else re.sub(r"^const ", "", kind)
        for first, last in self.split(begin, end, ","):
            found = re.match(r"\s*\w+\s*(=\s*)?", self.mask[first:last])
            first += found.end() if found else 0
            edits = self.edits(first, last)
            if found and found[1] and self.mask[first] != "{":
                self.add(first, last, edits, "", f"::dalembert_mutant(%d) ?\nstatic_cast<{kind}>(%s) :\n",
                         f"static_cast<{kind}>(", ")")
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
        ("condition", r"(?<= )&&(?=\s)", "||"), ("condition", r"(?<= )\|\|(?=\s)", "&&"),
        ("condition", r"(?<![^\s({\[,])!(?=[\w(])", ""),
        ("minimum", r"\bmin(?=\()", "max"), ("minimum", r"\bmax(?=\()", "min"),
        ("minimum", r"\bcwiseMin\b", "cwiseMax"), ("minimum", r"\bcwiseMax\b", "cwiseMin"),
        ("minimum", r"\bmaxCoeff\b", "minCoeff"),
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
