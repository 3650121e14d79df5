# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Holds the pages of docs/ to what they describe: pages.py [BUILD_DIRECTORY]

A page about JSON has a table whose first two columns are `key` and `kind`, and a ```json block behind it. Keys are paths: `partitions` is a
member of the whole, `partitions[].nodes` of each object in that list, `of_node.*` any member of that object. A kind is `text`, `number`,
`whole number`, `truth value`, `null`, `object`, `list of` one of these in the plural, or several of them with `or` between; `optional`
stands before it where the key may be missing. The block has every key of the table that is not optional, and no other.

Comments before the block say which calls of the tool print it:
  <!-- printed by: inlay show MODEL --json -->                 what it prints has the keys of the table, and no others
  <!-- printed, but for search_ms, by: inlay search INSTANCE -->  and the values of the block, except for these keys
  <!-- written by: inlay tune MODEL --save-costs SCRATCH/c --> the same of the file that is the last argument
  <!-- read by: inlay partition MODEL --costs INSTANCE -->       the call ends with status 0; with an unknown key in the block, with 2
MODEL is a small model, PLAN a plan of it, PART a folder with one node of it, RULES a file of rules, INSTANCE the page's first block, SCRATCH a folder. A call that names a back end which cannot run
here is skipped.

A comment before a table holds its first column to a folder of the library:
  <!-- every header of: backend -->  it names each header that stands directly in include/inlay/backend once, and nothing else

A comment before a ```cpp block bounds its length:
  <!-- at most 60 lines to the end of: mine -->  from its first line to the last one of the type, blank lines not counted
"""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "fuzz"))
import seeds  # noqa: E402
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

DOCS = os.path.join(source_tree.ROOT, "docs")
TABLE = re.compile(r"^\| *key *\| *kind *\|.*\n\|[-| :]+\|\n((?:\|.*\n)+)", re.MULTILINE)
BLOCK = re.compile(r"((?:<!--[^\n]*-->\n)*)^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"<!-- (printed|written|read)(?:, but for ([\w, ]+),)? by: inlay (.*?) -->")
SHORT = re.compile(r"<!-- at most (\d+) lines to the end of: (\w+) -->\n```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADERS = re.compile(r"<!-- every header of: ([\w/]+) -->\n\|.*\n\|[-| ]+\|\n((?:\|.*\n)+)")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
PLURALS = {"texts": "text", "numbers": "number", "whole numbers": "whole number", "truth values": "truth value", "objects": "object",
           "lists": "list"}


class Row:
    def __init__(self, kind):
        self.optional = kind.startswith("optional ")
        self.kinds = kind.removeprefix("optional ").split(" or ")


class Call:
    """One call of the tool, and what the page says of it."""

    def __init__(self, verb, but_for, text):
        self.verb, self.but_for, self.text = verb, but_for.replace(",", " ").split() if but_for else None, text
        self.arguments = shlex.split(text)


class Described:
    """A table and the block that shows it."""

    def __init__(self, rows, block, calls):
        self.rows, self.block, self.calls = rows, block, calls


def rows_of(table):
    """The rows of a table by path; several paths in one cell share the rest of the row."""
    rows = {}
    for line in table.strip().split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for path in re.findall(r"`([^`]+)`", cells[0]):
            if path in rows:
                raise ValueError(f"key '{path}' stands twice in the table")
            rows[path] = Row(cells[1])
    return rows


def described(text):
    """Each JSON block of a page with the table before it."""
    found = []
    for block in BLOCK.finditer(text):
        tables = [t for t in TABLE.finditer(text) if t.end() <= block.start()]
        if not tables:
            raise ValueError("a ```json block has no table of keys before it")
        calls = [Call(*c.groups()) for c in CALL.finditer(block.group(1))]
        found.append(Described(rows_of(tables[-1].group(1)), block.group(2), calls))
    return found


def fits(kind, value):
    if kind.startswith("list of "):
        return isinstance(value, list) and all(fits(PLURALS[kind.removeprefix("list of ")], v) for v in value)
    if isinstance(value, bool):
        return kind == "truth value"
    types = {"text": str, "number": (int, float), "whole number": int, "null": type(None), "object": dict, "list": list}
    return kind in types and isinstance(value, types[kind])


def problems_of(value, rows, exhaustive):
    """What is wrong with a value by its table. An exhaustive one shows every key that is not optional at
    least once, but for those within an optional one that it leaves out."""
    problems, seen = [], set()

    def member(path, key):
        exact = f"{path}.{key}" if path else key
        return exact if exact in rows else f"{path}.*" if f"{path}.*" in rows else exact

    def visit(path, at):
        if isinstance(at, dict):
            for key, inside in at.items():
                name = member(path, key)
                seen.add(name)
                if name not in rows:
                    problems.append(f"key '{name}' is not in the table")
                    continue
                if not any(fits(kind, inside) for kind in rows[name].kinds):
                    problems.append(f"'{name}' is {json.dumps(inside)[:60]}, and the table says {' or '.join(rows[name].kinds)}")
                visit(name, inside)
            parent = path + "." if path else ""
            for name, row in rows.items():
                own = name.startswith(parent) and not re.search(r"[.\[]", name[len(parent):])
                if own and not row.optional and name[len(parent):] not in at and name[len(parent):] != "*":
                    problems.append(f"key '{name}' of the table is missing")
        elif isinstance(at, list):
            for inside in at:
                visit(path + "[]", inside)

    visit("", value)
    if exhaustive:
        left_out = [name for name, row in rows.items() if row.optional and name not in seen]
        problems += [f"key '{name}' of the table is not shown" for name, row in rows.items()
                     if not row.optional and name not in seen and not name.startswith(tuple(l + end for l in left_out for end in ".["))]
    if "version" in rows and list(value)[:1] != ["version"]:
        problems.append("'version' is not the first key")
    return sorted(set(problems))


def parsed(text):
    """The value of a JSON text; a repeated key is an error."""
    def unique(pairs):
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) != 1:
                raise ValueError(f"key '{key}' stands {keys.count(key)} times in one object")
        return dict(pairs)

    value = json.loads(text, object_pairs_hook=unique)
    if not isinstance(value, dict):
        raise ValueError("it is no object")
    return value


def small_model():
    """A convolution, Relu, Softmax and a sum, as an ONNX file's bytes."""
    nodes = [seeds.node("Conv", ["x", "w"], ["c"], "conv"), seeds.node("Relu", ["c"], ["r"], "relu"),
             seeds.node("Softmax", ["r"], ["s"], "softmax"), seeds.node("Add", ["s", "r"], ["y"], "sum")]
    weights = seeds.tensor("w", [8, 4, 1, 1], [0.25 * (i % 5 - 2) for i in range(32)])
    return seeds.model(seeds.graph(nodes, [seeds.value_info("x", [1, 4, 6, 6])], [seeds.value_info("y", [1, 8, 6, 6])], [weights]))


class Tool:
    """The built tool with a folder of its own."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.words = {"MODEL": os.path.join(folder, "model.onnx"), "PLAN": os.path.join(folder, "plan.json"),
                      "INSTANCE": os.path.join(folder, "instance.json"), "PART": os.path.join(folder, "part"), "RULES": os.path.join(folder, "rules.txt"), "SCRATCH": tempfile.mkdtemp(dir=folder)}
        with open(self.words["MODEL"], "wb") as file:
            file.write(small_model())
        with open(self.words["RULES"], "w", encoding="utf-8") as file:
            file.write("leaky: Relu(?x) => LeakyRelu(?x);\ndouble: Softmax(?x) => ReduceSum(?x);\n")
        self.call("partition MODEL --costs model --quiet --out PLAN".split())
        self.call("extract MODEL --nodes relu --out PART".split())
        self.usable = {t["kind"] for t in json.loads(self.call(["targets", "--json"]).stdout)["targets"] if t["usable"]}

    def absent(self, arguments):
        """The back ends that a call names and that cannot run here; the plain target `c` always can."""
        named = set(re.findall(r"single:(\w+)", " ".join(arguments))) | {b for a, b in zip(arguments, arguments[1:]) if a == "--target"}
        return sorted(named - self.usable - {"c"})

    def placed(self, arguments):
        for word, path in self.words.items():
            arguments = [re.sub(rf"\b{word}\b", lambda _: path, a) for a in arguments]
        return arguments

    def call(self, arguments):
        environment = {**os.environ, "INLAY_DATABASE": os.path.join(self.folder, "costs.sqlite")}
        return subprocess.run([self.path] + self.placed(arguments), capture_output=True, text=True, timeout=240, cwd=self.folder,
                              check=False, stdin=subprocess.DEVNULL, env=environment)

    def problems(self, call, page, instance):
        if call.verb == "read":
            return self.status(call, instance, 0) + self.status(call, instance.replace("{", '{"unheard_of": 1, ', 1), 2)
        problems = self.status(call, instance, 0)
        if problems:
            return problems
        try:
            value = parsed(self.printed if call.verb == "printed" else source_tree.read(self.placed(call.arguments)[-1]))
        except (OSError, ValueError) as wrong:
            return [f"it gives no JSON object: {wrong}", self.printed[:500]]
        problems = problems_of(value, page.rows, False)
        if call.but_for is not None:
            shown = parsed(page.block)
            for key in sorted((set(shown) | set(value)) - set(call.but_for)):
                if shown.get(key) != value.get(key):
                    problems.append(f"'{key}' is {json.dumps(value.get(key))} and the page says {json.dumps(shown.get(key))}")
        return problems

    def status(self, call, instance, wanted):
        """What is wrong with how a call ends; what it printed is kept."""
        with open(self.words["INSTANCE"], "w", encoding="utf-8") as file:
            file.write(instance)
        try:
            ran = self.call(call.arguments)
        except subprocess.TimeoutExpired:
            return ["it took over 240 s"]
        self.printed = ran.stdout
        return [] if ran.returncode == wanted else [f"exit status {ran.returncode}, where {wanted} is expected", ran.stderr[:2000]]


def links(page):
    return LINK.findall(CODE.sub("", source_tree.read(page)))


def pages():
    return sorted(glob.glob(os.path.join(DOCS, "*.md")))


def check_map(tap):
    """The map names every page, links lead somewhere, every room has a page, every verb that prints JSON has one."""
    on_map = set(links(os.path.join(DOCS, "README.md")))
    tap.verdict("docs/README.md names every page", [f"it does not link to {os.path.basename(p)}" for p in pages()
                                                    if os.path.basename(p) != "README.md" and os.path.basename(p) not in on_map])
    dead = []
    for page in pages():
        for link in links(page):
            if not os.path.exists(os.path.join(DOCS, link)):
                dead.append(f"{os.path.basename(page)} links to {link}, which is not there")
    tap.verdict("links of the pages lead somewhere", dead)
    rooms = sorted({h.split("/")[1] for h in source_tree.headers() if h.count("/") >= 2})
    places = ("include/inlay", "include", "", "examples")
    tap.verdict("files that the pages name are there",
                [f"{os.path.basename(page)} names {name}" for page in pages() for name in re.findall(r"`((?:\w+/)+\w+\.[hi]pp)`", source_tree.read(page))
                 if name not in ("folder/noun.hpp", "include/inlay/ROOM/x.hpp") and not any(os.path.isfile(os.path.join(source_tree.ROOT, place, name)) for place in places)])
    tap.verdict("every folder of the library has a page", [f"docs/{r}.md is not there" for r in rooms
                                                           if not os.path.isfile(os.path.join(DOCS, r + ".md"))])
    printing = {os.path.basename(path)[len("verb_"):-len(".cpp")]
                for path in glob.glob(os.path.join(source_tree.ROOT, "examples", "inlay", "verb_*.cpp"))
                if re.search(r"\bwrite_json\(|\bplan_json\(|\bwrite_search_answer\(", source_tree.read(path))}
    told = {shlex.split(call.group(3))[0] for page in pages() for call in CALL.finditer(source_tree.read(page))}
    tap.verdict("every verb of the tool that prints JSON has a page",
                [f"no page says what `inlay {verb}` prints" for verb in sorted(printing - told)])


def check_headers(tap):
    """Tables of the headers of a folder are whole."""
    for page in pages():
        text = source_tree.read(page)
        tables = HEADERS.findall(text)
        if text.count("<!-- every header of") != len(tables):
            tap.fail(f"docs/{os.path.basename(page)}: tables of headers", "a comment `every header of` does not stand right before a table")
        for folder, rows in tables:
            named = [name for row in rows.strip().split("\n") for name in re.findall(r"`([^`]+)`", row.split("|")[1])]
            place = os.path.join(source_tree.INCLUDE, "inlay", folder)
            there = {name for name in os.listdir(place) if name.endswith(".hpp")} if os.path.isdir(place) else set()
            tap.verdict(f"docs/{os.path.basename(page)} names every header of {folder} once",
                        [f"it does not name {name}" for name in sorted(there - set(named))]
                        + [f"it names {name}, which is not there or stands twice" for name in sorted(set(named)) if name not in there or named.count(name) > 1])


def check_lengths(tap):
    """Blocks that a page calls short are; the smallest back end is one of them."""
    found = set()
    for page in pages():
        name = os.path.basename(page)
        text = source_tree.read(page)
        if text.count("<!-- at most") != len(SHORT.findall(text)):
            tap.fail(f"docs/{name}: what is bounded", "a comment `at most` does not stand right before a ```cpp block as this file says")
        for most, of, block in SHORT.findall(text):
            found.add(name)
            to_its_end = re.search(rf"\A.*?^(?:struct|class) {of} \{{\n.*?^\}};$", block, re.MULTILINE | re.DOTALL)
            if not to_its_end:
                tap.fail(f"docs/{name}: {of} is short", f"the block has no type '{of}'")
                continue
            lines = sum(1 for line in to_its_end.group(0).split("\n") if line.strip())
            tap.verdict(f"docs/{name}: {of} is short", [f"it takes {lines} lines, more than the {most} that the page promises"] if lines > int(most) else [])
    tap.verdict("the page on back ends bounds the smallest one", [] if "adding_a_backend.md" in found else ["it has no comment `at most`"])


def main(arguments):
    tap = Tap()
    check_map(tap)
    check_headers(tap)
    check_lengths(tap)
    build = os.path.abspath(arguments[0] if arguments else os.path.join(source_tree.ROOT, "build"))
    path = os.path.join(build, "examples", "inlay", "inlay")
    folder = tempfile.mkdtemp(prefix="inlay_pages_")
    try:
        tool = Tool(path, folder) if os.path.exists(path) else None
        for page in pages():
            name = os.path.relpath(page, source_tree.ROOT)
            try:
                all_described = described(source_tree.read(page))
            except ValueError as wrong:
                tap.fail(name, wrong)
                continue
            for number, one in enumerate(all_described, 1):
                title = f"{name}: example {number}"
                try:
                    tap.verdict(f"{title} has the keys of its table", problems_of(parsed(one.block), one.rows, True))
                except (ValueError, KeyError) as wrong:
                    tap.fail(f"{title} has the keys of its table", f"it cannot be read: {wrong}")
                    continue
                for call in one.calls:
                    called = f"{name}: example {number} is as inlay {call.text} has it"
                    if tool is None:
                        tap.skip(called, "the tool was not built here")
                    elif tool.absent(call.arguments):
                        tap.skip(called, f"{' and '.join(tool.absent(call.arguments))} cannot run here")
                    else:
                        tap.verdict(called, tool.problems(call, one, all_described[0].block))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
