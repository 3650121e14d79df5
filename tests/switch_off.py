#!/usr/bin/env python3
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Switches rules of docs/rules.md off, one at a time, and sees their tests fail.

    switch_off.py [--compiler g++] [--jobs 1] [RULE...]    a RULE is an id, or the beginning of some: target.parse
    switch_off.py --check                                  compiles nothing: each switch fits the tree, and which rules lack one

What a rule is switched off by stands in tests/switches/ROOM.json: a list of {"rule", "file", "from", "to"}, where "from" stands in the file
exactly once, blanks and line breaks aside, and "to" takes its place in a copy of the headers; what stands there then must do without the rule. The file of the rule's
test is compiled with these headers, and the test run alone. It has to fail, or not to compile. Exit status 1 where one passes.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rules  # noqa: E402
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
# The rooms whose rules must have switches.
ROOMS = ("pattern", "rewrite", "target", "partition", "placement")
SECONDS = 600


def switches():
    """The switches of all rooms in order, and what is wrong with their form."""
    found, problems = [], []
    folder = os.path.join(HERE, "switches")
    for name in sorted(os.listdir(folder)):
        where = f"tests/switches/{name}"
        for number, one in enumerate(json.loads(source_tree.read(os.path.join(folder, name)))):
            if set(one) != {"rule", "file", "from", "to"}:
                problems.append(f"{where}[{number}] has {sorted(one)}, and must have rule, file, from and to")
            elif one["from"] == one["to"]:
                problems.append(f"{where}[{number}] changes nothing")
            else:
                found.append({**one, "where": f"{where}[{number}]"})
    return found, problems


def places_of(one, text):
    """Where "from" stands in a text, as (begin, end); blanks and line breaks between tokens do not count."""
    tokens = re.findall(r"\w+|[^\w\s]", one["from"])
    pattern = "".join((r"\s+" if re.fullmatch(r"\w+", before) and re.fullmatch(r"\w+", word) else r"\s*") + re.escape(word)
                      for before, word in zip([""] + tokens, tokens)).removeprefix(r"\s*")
    return [match.span() for match in re.finditer(pattern, text)]


def misfits(found, listed):
    """What does not fit the tree."""
    problems = []
    for one in found:
        path = os.path.join(source_tree.ROOT, one["file"])
        count = len(places_of(one, source_tree.read(path))) if os.path.isfile(path) else -1
        if one["rule"] not in listed:
            problems.append(f"{one['where']}: docs/rules.md has no rule '{one['rule']}'")
        elif not one["file"].startswith("include/"):
            problems.append(f"{one['where']}: '{one['file']}' is no header of the library")
        elif count != 1:
            problems.append(f"{one['where']}: " + (f"there is no file '{one['file']}'" if count < 0 else f"'from' stands {count} times in {one['file']}"))
    return problems


def compile_flags(test):
    flags = []
    for party in source_tree.needs(test):
        flags += source_tree.THIRD_PARTY[party][1]
    return flags


def switch_off(one, tests, compiler, folder):
    """What went wrong with a switch; nothing where its tests failed as they should."""
    work = tempfile.mkdtemp(dir=folder)
    try:
        include = os.path.join(work, "include")
        shutil.copytree(source_tree.INCLUDE, include)
        path = os.path.join(work, one["file"])
        text = source_tree.read(path)
        with open(path, "w", encoding="utf-8") as file:
            begin, end = places_of(one, text)[0]
            file.write(text[:begin] + one["to"] + text[end:])
        for test in tests:
            program = os.path.join(work, "test")
            command = compiler.split() + ["-std=c++20", "-O0", "-w", "-I" + include, "-I" + HERE, test, os.path.join(folder, "main.o"), "-o", program]
            built = subprocess.run(command + compile_flags(test), stderr=subprocess.PIPE, text=True, check=False)
            if built.returncode != 0:
                return ""
            try:
                ran = subprocess.run([program, f"-tc=*[{one['rule']}]", "--no-version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return ""
            if "test cases: 0" in " ".join(ran.stdout.split()):
                return f"{one['where']}: {os.path.relpath(test, source_tree.ROOT)} ran no test of '{one['rule']}'"
            if ran.returncode != 0:
                return ""
        return f"{one['where']}: the tests of '{one['rule']}' pass without the rule"
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", nargs="*", metavar="RULE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    listed, _ = rules.rules(source_tree.read(rules.PAGE))
    found, problems = switches()
    tap = Tap()
    tap.verdict("each switch fits the tree", problems + misfits(found, listed))
    have = {one["rule"] for one in found}
    tap.verdict("each rule of " + ", ".join(ROOMS) + " has a switch", [f"'{name}' has none" for name in listed if name.split(".")[0] in ROOMS and name not in have])
    if asked.check or problems or misfits(found, listed):
        return tap.done()
    places = rules.tested(HERE)
    wanted = [one for one in found if not asked.rules or any(one["rule"].startswith(r) for r in asked.rules)]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(asked.compiler.split() + ["-std=c++20", "-O0", "-c", os.path.join(HERE, "doctest_main.cpp"), "-o", os.path.join(folder, "main.o")], check=True)
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            def tests_of(one):
                return sorted({os.path.join(source_tree.ROOT, place.rsplit(":", 1)[0]) for place in places[one["rule"]]})
            for one, wrong in zip(wanted, pool.map(lambda o: switch_off(o, tests_of(o), asked.compiler, folder), wanted)):
                tap.verdict(f"without {one['rule']}", [wrong] if wrong else [])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
