#!/usr/bin/env python3
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Switches rules of docs/rules.md off, one at a time, and checks that their tests fail.

    switch_off.py [--compiler g++] [--jobs 1] [RULE...]    RULE is an id or the beginning of ids: target.text
    switch_off.py --check                                  compiles nothing: each switch names a rule, and each rule of these rooms has a switch

A switch is `in_force<"room.topic.rule">()` in the code, which is false when that rule is off (include/inlay/core/in_force.hpp). Each test file is
compiled once, with INLAY_SWITCHES. All its rules must pass their tests there; then the program runs the tests of each rule while that rule is off.
Constant expressions keep all rules there. Therefore a test that still passes is compiled again with INLAY_SWITCHED_OFF. A test notices its rule
when it fails or does not compile. The exit status is 1 if a test does not notice.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rules  # noqa: E402
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
# The rooms whose rules must have switches.
ROOMS = ("pattern", "rewrite", "target", "partition", "placement")
SWITCH = re.compile(r'\bin_force<\s*"([^"]*)"\s*>')
# A test that runs longer has failed: without its rule a loop may have no end.
SECONDS = 120


def switches():
    """For each rule that the code names, the places."""
    found = {}
    for folder in ("include", "examples"):
        for path in source_tree.files_under(os.path.join(source_tree.ROOT, folder), ".hpp", ".ipp", ".cpp"):
            text = source_tree.read(path)
            for switch in SWITCH.finditer(text):
                line = text.count("\n", 0, switch.start()) + 1
                found.setdefault(switch.group(1), []).append(f"{os.path.relpath(path, source_tree.ROOT)}:{line}")
    return found


class Programs:
    """Compiles test files, and runs the tests of one rule in them."""

    def __init__(self, compiler, folder):
        self.compiler = compiler.split()
        self.folder = folder
        self.main = os.path.join(folder, "main.o")
        self.count = 0
        self.compile(os.path.join(HERE, "doctest_main.cpp"), self.main, [])

    def compile(self, source, to, flags):
        """Compiles one file. Throws CalledProcessError with the compiler's text."""
        command = self.compiler + ["-std=c++20", "-O0", "-w", "-I" + source_tree.INCLUDE, "-I" + HERE, *flags, "-c", source, "-o", to]
        subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True)

    def build(self, test, define):
        """The program of a test file, or None if it does not compile; and the compiler's text."""
        self.count += 1
        program = os.path.join(self.folder, f"test{self.count}")
        flags = source_tree.flags(source_tree.needs(test))
        try:
            self.compile(test, program + ".o", [define] + [f for f in flags if not f.startswith("-l")])
            subprocess.run(self.compiler + [program + ".o", self.main, "-o", program] + flags, stderr=subprocess.PIPE, text=True, check=True)
        except subprocess.CalledProcessError as failed:
            return None, failed.stderr
        os.remove(program + ".o")
        return program, ""

    @staticmethod
    def run(program, names, off=None):
        """Whether the tests of these rules pass while one rule is off, and what they print."""
        environment = {key: value for key, value in os.environ.items() if key != "INLAY_SWITCHED_OFF"}
        if off:
            environment["INLAY_SWITCHED_OFF"] = off
        try:
            ran = subprocess.run([program, "-tc=" + ",".join(f"*[{name}]" for name in names), "--no-version"], env=environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return False, f"the tests ran longer than {SECONDS} seconds"
        return ran.returncode == 0, ran.stdout


def with_all_rules(programs, test, names):
    """The program of a test file with switches, and what is wrong with it while all rules are in force."""
    program, text = programs.build(test, "-DINLAY_SWITCHES")
    if program is None:
        return None, [f"{test} does not compile with INLAY_SWITCHES"] + text.splitlines()[:10]
    passes, text = programs.run(program, names)
    return program, [] if passes else text.splitlines()[-20:]


def without(programs, rule, tests, built):
    """What is wrong with the tests of a rule; nothing if one of them notices that the rule is off."""
    if not all(built[test][0] and not built[test][1] for test in tests):
        return [f"the tests of '{rule}' do not pass while the rule is in force"]
    if any(not programs.run(built[test][0], [rule], rule)[0] for test in tests):
        return []
    for test in tests:
        program, _ = programs.build(test, f'-DINLAY_SWITCHED_OFF="{rule}"')
        if program is None or not programs.run(program, [rule])[0]:
            return []
        os.remove(program)
    return [f"the tests of '{rule}' pass without the rule"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", nargs="*", metavar="RULE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    began = time.monotonic()
    listed, _ = rules.rules(source_tree.read(rules.PAGE))
    tested = rules.tested(HERE)
    found = switches()
    wanted = [rule for rule in listed if rule in found and (not asked.rules or any(rule.startswith(r) for r in asked.rules))]
    tests = {rule: sorted({os.path.join(source_tree.ROOT, place.rsplit(":", 1)[0]) for place in tested.get(rule, [])}) for rule in wanted}
    misfits = [f"{', '.join(places)}: docs/rules.md has no rule '{rule}'" for rule, places in found.items() if rule not in listed]
    misfits += [f"'{rule}' has a switch, and no test's title ends with [{rule}]" for rule in wanted if not tests[rule]]
    misfits += [f"no switch has an id that begins with '{r}'" for r in asked.rules if not any(rule.startswith(r) for rule in wanted)]
    tap = Tap()
    tap.verdict("each switch names a rule of docs/rules.md that has a test", misfits)
    tap.verdict("each rule of " + ", ".join(ROOMS) + " has a switch", [f'no code reads in_force<"{rule}">()' for rule in listed if rule.split(".")[0] in ROOMS and rule not in found])
    if asked.check or misfits:
        return tap.done()
    rules_of = {}
    for rule in wanted:
        for test in tests[rule]:
            rules_of.setdefault(test, []).append(rule)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        programs = Programs(asked.compiler, folder)
        built = {}
        for test, result in zip(rules_of, pool.map(lambda t: with_all_rules(programs, t, rules_of[t]), rules_of)):
            built[test] = result
            tap.verdict(f"{os.path.relpath(test, source_tree.ROOT)} passes with all rules in force", result[1])
        for rule, wrong in zip(wanted, pool.map(lambda r: without(programs, r, tests[r], built), wanted)):
            tap.verdict(f"without {rule}", wrong)
        print(f"# {len(wanted)} rules, {len(rules_of)} test files, {programs.count} programs, {time.monotonic() - began:.1f} seconds")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
