# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs an example and compares what it prints with the comment that says so: prints.py SOURCE PROGRAM

The comment is a line `// Prints:` followed by lines that begin with `//   `. A line `...` stands for any lines, and ` ...` inside a line
for any text.
"""
import os
import re
import subprocess
import sys

from source_tree import read
from tap import Tap


def pattern_of(expected):
    """A regular expression for text in which `...` stands for anything: whole lines on a line of its own, else a part of its line."""
    pieces = []
    for line in expected.rstrip().split("\n"):
        if line.strip() == "...":
            pieces.append(r"(?:[^\n]*\n)*?")
        else:
            pieces.append(r"[^\n]*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n")
    return re.compile("".join(pieces))


def agrees(expected, output):
    return pattern_of(expected).fullmatch(output.rstrip() + "\n") is not None


def promised(source):
    """The lines after `// Prints:`, or None."""
    match = re.search(r"^// Prints:\n((?://(?:   .*)?\n)+)", source, re.MULTILINE)
    if match is None:
        return None
    return "\n".join(line[len("//   "):] for line in match.group(1).rstrip("\n").split("\n"))


def main(arguments):
    source, program = arguments[0], arguments[1:]
    name = os.path.basename(source)
    tap = Tap()
    expected = promised(read(source))
    if expected is None:
        tap.fail(name, "it has no comment that begins with '// Prints:'")
        return tap.done()
    try:
        result = subprocess.run(program, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        tap.fail(name, "it took over 120 s")
        return tap.done()
    problems = []
    if result.returncode != 0:
        problems += [f"exit status {result.returncode}", result.stderr]
    if not agrees(expected, result.stdout):
        problems += ["it should print:", expected, "it prints:", result.stdout]
    tap.verdict(f"{name} prints what its comment says", problems)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
