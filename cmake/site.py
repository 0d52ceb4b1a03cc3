#!/usr/bin/env python3
"""The documentation site, around what Doxygen does: which studies its pages show, the pages that Doxygen reads, what lies beside them, its links.

  site.py studies SOURCE                 names of the studies whose pictures and views the pages of SOURCE/cmake/site name
  site.py pages SOURCE OUT PAGES         the pages, ready for Doxygen, in PAGES: lists of pages, and tables of what the studies in OUT measured
  site.py gather SOURCE OUT SITE         copy pictures, views and what typesets formulas into SITE
  site.py check SITE                     every link, picture and view of SITE is there, and nothing is loaded from elsewhere

A page names a picture as pictures/<study>/<file>, a view as views/<study>.html (a study's view.html) or views/<study>/<file>.
"""

import html.parser
import json
import pathlib
import re
import shutil
import sys
import urllib.parse

NAMED = re.compile(r"(pictures|views)/([A-Za-z0-9_]+)(?:/([A-Za-z0-9_.-]+)|\.html)")


def sources(source):
    return sorted((source / "cmake" / "site").rglob("*.md"))


def named(source):
    """(kind, study, file or None) of everything that pages show."""
    found = set()
    for page in sources(source):
        for match in NAMED.finditer(page.read_text()):
            found.add(match.groups())
    return sorted(found, key=str)


# ---- pages -----------------------------------------------------------------------------------------------


def list_of_pages(folder):
    """A list of the pages of a folder, in the order of their titles."""
    pages = []
    for page in folder.glob("*.md"):
        head = re.match(r"# (.*?) \{#(\w+)\}", page.read_text())
        if not head:
            sys.exit(f"{page}: the first line is not '# Title {{#name}}'")
        pages.append(head.groups())
    return "\n".join(f"- @subpage {name}" for title, name in sorted(pages))


def version(source):
    header = (source / "include" / "dalembert" / "version.hpp").read_text()
    return re.search(r'string_view version = "([0-9.]+)"', header).group(1)


def figure(number):
    return "0" if number == 0 else f"{number:.1e}".replace("e-0", "e-").replace("e+0", "e")


def measured(out):
    """What integrator_comparison measured, a table for each of its problems."""
    path = out / "integrator_comparison" / "summary.json"
    if not path.exists():
        return "*These pages were made without measuring; `./cmake/bootstrap docs` measures.*"
    summary = json.loads(path.read_text())
    titles = {
        "oscillator": "A chaotic oscillator, reversible",
        "driver_forward": "A pendulum that drives a transmission, not reversible: energy of the driven part",
        "driver_backward": "The same, backward",
        "sleigh": "Chaplygin's sleigh through its turn",
        "rods": "Two rods that roll on each other",
    }
    text = []
    tables = {name: rows for name, rows in tables_in(summary) if rows}
    if not tables:
        sys.exit(f"{path}: no tables of integrators")
    for name, rows in tables.items():
        least = min(row["step_ns"] for row in rows)
        text += [
            f"\n### {titles.get(name, name)}\n",
            "| integrator | order | largest error of energy | its course | largest slip | time of a step, of the shortest |",
            "|---|---|---|---|---|---|",
        ]
        for row in rows:
            end = "" if row["finished"] else f" (ended at {row['t_reached']:.3g} s)"
            text.append(
                f"| {row['integrator']}{end} | {row['order']} | {figure(row['energy_error_max'])} | {row['drift']} "
                f"| {figure(row['slip_max'])} | {row['step_ns'] / least:.1f} |"
            )
    return "\n".join(text)


def tables_in(value, name=""):
    """Every list of integrators' rows in a summary, with its key."""
    if isinstance(value, list) and value and isinstance(value[0], dict) and "integrator" in value[0]:
        yield name, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from tables_in(each, key)


def claims(source):
    """What pages say of the tree and is not so: tests that they name, headers, and headers that a room's page forgets."""
    faults = []
    library = source / "include" / "dalembert"
    for page in sources(source):
        text, name = page.read_text(), page.relative_to(source / "cmake" / "site")
        for file, test in re.findall(r'`(tests/[\w/]+\.cpp)`, "([^"]*)"', text):
            path = source / file
            # Names of tests may be written in pieces.
            code = re.sub(r'"\s*\n\s*"', "", path.read_text()) if path.exists() else ""
            if not re.search(r'TEST_CASE\(\s*"' + re.escape(test) + r'"', code):
                faults.append(f'{name}: {file} has no test case "{test}"')
        room = library / page.stem if page.parent.name == "rooms" else library
        said = set()
        for header in re.findall(r"`([\w/]+\.hpp)`", text):
            found = [path for path in (library / header, room / header, source / header) if path.exists()]
            said.update(found)
            if not found:
                faults.append(f"{name}: there is no {header}")
        if page.parent.name == "rooms":
            faults += [f"{name}: does not name {path.name}" for path in sorted(room.glob("*.hpp")) if path not in said]
    if faults:
        sys.exit("\n".join(faults))


def pages(source, out, target):
    claims(source)
    site = source / "cmake" / "site"
    shutil.rmtree(target, ignore_errors=True)
    for page in sources(source):
        text = page.read_text()
        text = re.sub(r"^\[\[pages (\w+)\]\]$", lambda m: list_of_pages(site / m.group(1)), text, flags=re.M)
        text = re.sub(r"^\[\[measured integrators\]\]$", lambda m: measured(out), text, flags=re.M)
        text = text.replace("@@VERSION@@", version(source))
        # Doxygen knows no frames.
        text = re.sub(r"^(<iframe .*</iframe>)$", r"@htmlonly\n\1\n@endhtmlonly", text, flags=re.M)
        place = target / page.relative_to(site)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


# ---- what lies beside ------------------------------------------------------------------------------------

MATHJAX = pathlib.Path("/usr/share/javascript/mathjax")
MATHJAX_PARTS = [
    "MathJax.js",
    "config/TeX-AMS_SVG.js",
    "jax/element",
    "jax/input/TeX",
    "jax/output/SVG/autoload",
    "jax/output/SVG/config.js",
    "jax/output/SVG/jax.js",
    "jax/output/SVG/fonts/TeX",
    "extensions",
]


def copy(origin, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if origin.is_dir():
        shutil.copytree(origin, target, dirs_exist_ok=True)
    else:
        shutil.copyfile(origin, target)


def gather(source, out, site):
    missing = []
    for kind, study, file in named(source):
        target = site / kind / (f"{study}/{file}" if file else f"{study}.html")
        origin = out / study / (file or "view.html")
        if origin.exists():
            copy(origin, target)
        else:
            missing.append(str(origin))
    if MATHJAX.exists():
        for part in MATHJAX_PARTS:
            copy(MATHJAX / part, site / "mathjax" / part)
    else:
        print("MathJax is not installed: formulas stay as they are written")
    for path in missing:
        print(f"not there: {path}")


# ---- links -----------------------------------------------------------------------------------------------


def page_names(site):
    """Of the pages that are ours: Doxygen lists them by the names that their first lines give."""
    pages = site.parent / "pages"
    return [m.group(1) for page in pages.rglob("*.md") for m in [re.match(r"# .*? \{#(\w+)\}", page.read_text())] if m]


class Links(html.parser.HTMLParser):
    """What a page links to, what it loads, and the names that can be linked to."""

    def __init__(self):
        super().__init__()
        self.links, self.loads, self.names = [], [], set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        for key in ("id", "name"):
            if given.get(key):
                self.names.add(given[key])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag == "link" and given.get("href"):
            self.loads.append(given["href"])
        elif tag in ("img", "script", "iframe", "source", "video") and given.get("src"):
            self.loads.append(given["src"])


def check(site):
    # Doxygen's pages of the code link to members that it then leaves out: of links from these only the page must be there.
    own = {"index.html"} | {f"{name}.html" for name in page_names(site)}
    parsed = {}
    for path in site.rglob("*.html"):
        if (site / "views") in path.parents or (site / "mathjax") in path.parents:
            continue  # whole by themselves
        links = Links()
        links.feed(path.read_text(errors="replace"))
        parsed[path.resolve()] = links
    faults, count = set(), 0
    for path, links in parsed.items():
        for url in links.loads + links.links:
            count += 1
            parts = urllib.parse.urlsplit(url)
            if parts.scheme == "data" or parts.scheme == "javascript":
                continue
            if parts.scheme or parts.netloc:
                if url in links.loads:
                    faults.add(f"{path.name} loads {url} from elsewhere")
                continue
            target = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
            if not target.exists():
                faults.add(f"{path.name} links to {url}, which does not exist")
            elif path.name in own and parts.fragment and target in parsed and urllib.parse.unquote(parts.fragment) not in parsed[target].names:
                faults.add(f"{path.name} links to {url}, where no such name is")
    for fault in sorted(faults):
        print(fault)
    print(f"{len(parsed)} pages, {count} links, {len(faults)} faults")
    return 1 if faults or not parsed else 0


def main(arguments):
    paths = [pathlib.Path(a) for a in arguments[1:]]
    command = arguments[0] if arguments else ""
    if command == "studies" and len(paths) == 1:
        print("\n".join(sorted({study for _, study, _ in named(paths[0])} | {"integrator_comparison"})))
        return 0
    if command == "pages" and len(paths) == 3:
        pages(*paths)
        return 0
    if command == "gather" and len(paths) == 3:
        gather(*paths)
        return 0
    if command == "check" and len(paths) == 1:
        return check(*paths)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
