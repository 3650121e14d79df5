# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Names and residue: what must not stand in any file of the project, and what must stand in each header."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
# Written in pieces so that this file does not find itself.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(wo" r"rk|ho" r"me|ro" r"ot|mn" r"t)/\w")
TEXT = (".hpp", ".ipp", ".cpp", ".py", ".sh", ".build", ".txt", ".md", ".in", ".json", ".c", ".h", ".cu", ".cuh", ".clang-format", ".clang-tidy", "run")
TOP_LEVEL = {"meson.build", "meson_options.txt", "include", "examples", "tests", "benchmarks", "docs", "README.md", "LICENSE"}


def tracked():
    """The files of the project: those that git tracks, or all of them outside a checkout."""
    try:
        listed = subprocess.run(["git", "-C", source_tree.ROOT, "ls-files", "-z"], capture_output=True, check=True).stdout.decode()
        names = [name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = []
    if not names:
        names = [os.path.relpath(path, source_tree.ROOT) for path in source_tree.files_under(source_tree.ROOT, "")]
    return [name for name in sorted(names) if os.path.isfile(os.path.join(source_tree.ROOT, name))]


def main():
    names, residue, paths, form, top = [], [], [], [], []
    for name in tracked():
        parts = re.split(r"[/.]", name)
        if EMPTY_NAMES & set(parts):
            names.append(f"{name}: the name says nothing about what is inside")
        first = name.split("/")[0]
        if first not in TOP_LEVEL and not first.startswith("."):
            top.append(f"{name}: the top level holds only dot files and {' '.join(sorted(TOP_LEVEL))}")
        if not name.endswith(TEXT):
            continue
        text = source_tree.read(os.path.join(source_tree.ROOT, name))
        for number, line in enumerate(text.splitlines(), 1):
            if UNFINISHED.search(line):
                residue.append(f"{name}:{number}: a note about unfinished work: {line.strip()}")
            if MACHINE_PATH.search(line):
                paths.append(f"{name}:{number}: a path of one machine: {line.strip()}")
        if name.startswith("include/inlay/") and name.endswith((".hpp", ".ipp")):
            guard = re.sub(r"[/.]", "_", name[len("include/"):]).upper()
            start = f"// Copyright the inlay authors.\n// SPDX-License-Identifier: Apache-2.0\n#ifndef {guard}\n#define {guard}\n"
            if not text.startswith(start):
                form.append(f"{name}: does not start with the two-line header and the guard {guard}")
            if not text.endswith("#endif\n"):
                form.append(f"{name}: does not end with #endif")
            if re.search(r"^\s*using namespace std\b", text, re.MULTILINE):
                form.append(f"{name}: opens namespace std")
    tap = Tap()
    tap.verdict("file names say what is inside", names)
    tap.verdict("the top level holds what it should", top)
    tap.verdict("no note about unfinished work", residue)
    tap.verdict("no path of one machine", paths)
    tap.verdict("each header has the project's form", form)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
