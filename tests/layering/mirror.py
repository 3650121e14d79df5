# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""tests/ mirrors include/inlay/ file for file: each header has a test of its name, and that test includes its header first.

Headers of plain structs, which have data members with defaults and no functions, need no test: it could only restate the defaults.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

# Headers without a test of their own, with the reason.
EXEMPT = {
    "inlay.hpp": "a list of includes",
    "fwd.hpp": "declarations alone",
    "config.hpp": "macros that the other headers' tests use",
}


COMMENT = re.compile(r"//[^\n]*|^[ \t]*#[^\n]*", re.MULTILINE)


def is_plain(header):
    """Whether a header has no functions, and so nothing to call."""
    return "(" not in COMMENT.sub("", source_tree.read(os.path.join(source_tree.INCLUDE, "inlay", header)))


def exempt(header):
    folder, slash, _ = header.partition("/")
    umbrella = not slash and header[: -len(".hpp")] in source_tree.FOLDERS
    return header in EXEMPT or umbrella


def main():
    missing, late = [], []
    names = {header[len("inlay/"):] for header in source_tree.headers()}
    for header in sorted(names):
        if exempt(header):
            continue
        test = os.path.join(source_tree.ROOT, "tests", header[: -len(".hpp")] + ".cpp")
        if not os.path.isfile(test):
            if is_plain(header):
                continue
            missing.append(f"include/inlay/{header} has no tests/{header[: -len('.hpp')]}.cpp")
            continue
        lines = source_tree.includes(test)
        if not lines or lines[0][0] != "inlay/" + header:
            late.append(f"tests/{header[: -len('.hpp')]}.cpp does not include <inlay/{header}> first")
    tap = Tap()
    tap.verdict("each header has a test of its name", missing)
    tap.verdict("each test includes its header first", late)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
