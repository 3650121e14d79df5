# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Every C++ file stands as clang-format 14 and the project's .clang-format write it."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from names import tracked  # noqa: E402
from tap import Tap  # noqa: E402

VERSION = 14
TITLE = f"every C++ file is as clang-format {VERSION} writes it"


def formatter():
    """The program of the wanted version, or None: another version formats otherwise."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if shutil.which(name):
            said = subprocess.run([name, "--version"], capture_output=True, text=True, check=False).stdout
            if re.search(rf"version {VERSION}\.", said):
                return name
    return None


def main():
    tap = Tap()
    program = formatter()
    if program is None:
        tap.skip(TITLE, f"clang-format {VERSION} is not installed")
        return tap.done()
    files = [name for name in tracked() if name.endswith((".hpp", ".ipp", ".cpp"))]
    problems = []
    for first in range(0, len(files), 100):
        ran = subprocess.run([program, "--style=file", "--dry-run", "--Werror", "--ferror-limit=1", *files[first:first + 100]], cwd=source_tree.ROOT,
                             capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            wrong = re.findall(r"^(\S+?):(\d+):\d+: error", ran.stderr, re.MULTILINE)
            problems += [f"{name}:{line} is formatted otherwise; run {program} -i {name}" for name, line in wrong] or [ran.stderr[:2000]]
    tap.verdict(TITLE, sorted(set(problems)))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
