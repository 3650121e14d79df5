# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Holds docs/rules.md and the tests to each other: each rule has a test whose name ends with its id in square brackets, and no other ids stand there.

An id is `room.topic.rule`, in small letters, digits and dashes, and stands under the heading of its room. A rule stands on one row of a table.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

PAGE = os.path.join(source_tree.ROOT, "docs", "rules.md")
ROW = re.compile(r"^\| *`([^`]+)` *\| *(.*?) *\|$")
ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+(-[a-z0-9_]+)*)+")
CASE = re.compile(r'TEST_CASE(?:_TEMPLATE(?:_DEFINE)?)?\(\s*"((?:[^"\\]|\\.|"\s*")*)"')
NAMED = re.compile(r"\[(" + ID.pattern + r")\]$")


def rules(text):
    """The ids of the page in order, and what is wrong with the page."""
    found, problems, room = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            room = line[3:].strip()
        row = ROW.match(line)
        if not row:
            continue
        name, sentence = row.groups()
        where = f"docs/rules.md:{number}"
        if not ID.fullmatch(name):
            problems.append(f"{where}: '{name}' is no id")
        if name in found:
            problems.append(f"{where}: the rule '{name}' stands twice")
        if not name.startswith(f"{room}."):
            problems.append(f"{where}: the rule '{name}' stands under '{room}'")
        if not sentence.endswith("."):
            problems.append(f"{where}: the rule '{name}' is no sentence")
        found.append(name)
    return found, problems


def tested(folder):
    """For each id that a test's name ends with, the places."""
    places = {}
    for path in source_tree.files_under(folder, ".cpp"):
        text = source_tree.read(path)
        for case in CASE.finditer(text):
            name = NAMED.search(case.group(1))
            if name:
                line = text.count("\n", 0, case.start()) + 1
                places.setdefault(name.group(1), []).append(f"{os.path.relpath(path, source_tree.ROOT)}:{line}")
    return places


def main():
    listed, problems = rules(source_tree.read(PAGE))
    places = tested(os.path.join(source_tree.ROOT, "tests"))
    tap = Tap()
    tap.verdict("the page of rules has its form", problems + ([] if listed else ["docs/rules.md lists no rule"]))
    tap.verdict("each rule has a test", [f"no test's name ends with [{name}]" for name in listed if name not in places])
    tap.verdict("each test names a rule that there is", [f"{where[0]}: docs/rules.md has no rule '{name}'" for name, where in sorted(places.items()) if name not in listed])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
