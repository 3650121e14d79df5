#!/usr/bin/env python3
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""How long the library's headers take to compile, as ratios to including range-v3's in the same run, against the budget.

    run.py [--rounds 3] [--compiler g++ --compiler clang++-16]

Each row is one source file: an empty one, range-v3's headers, the standard headers alone, headers of the library, each included with
`-O0 -fsyntax-only`; the same with `INLAY_SEPARATE_COMPILATION`, as programs that compile what is no template once include them;
`ten_patterns.cpp`, a whole back end that is asked for its candidates, and eight back ends with a hundred patterns (`many_patterns.py`),
both compiled to an object file with `-O0 -c`. All rows are compiled once to warm up, then in turn, round by round, so that what slows a
moment down slows all of them; processor time is counted, the median of the rounds is shown, and its ratio to range-v3's.
Without `--compiler` it takes $CXX, or else g++ and, where one is installed, clang++-16 or clang++-19. The budget is stated for g++ 12.
Exit status: 0 within the budget, 1 over it with the first compiler, 2 where something does not compile.
"""
import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import many_patterns

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "include")
BASIC = ["concepts", "cstddef", "cstdint", "string_view"]
VALUES = BASIC + ["array", "optional", "span", "string", "tuple", "utility", "variant", "vector"]

TEN_PATTERNS = os.path.join(HERE, "ten_patterns.cpp")
MANY_PATTERNS = "8 back ends, 100 patterns, -O0 -c"
APART = "-DINLAY_SEPARATE_COMPILATION"
YARDSTICK = "range/v3/all.hpp"
# (what, the headers or the file that is compiled, flags, most of it as a ratio to range-v3's or None)
ROWS = [
    ("nothing", [], [], None),
    (YARDSTICK, [YARDSTICK], [], None),
    ("the std headers that inlay.hpp needs", VALUES + ["charconv", "initializer_list"], [], None),
    ("  and <algorithm>", VALUES + ["algorithm"], [], None),
    ("  and <functional>, <memory>", VALUES + ["functional", "memory"], [], None),
    ("inlay/inlay.hpp", ["inlay/inlay.hpp"], [], 0.45),
    ("inlay/pipeline.hpp", ["inlay/pipeline.hpp"], [], 0.9),
    ("ten_patterns.cpp, -O0 -c", TEN_PATTERNS, [], 0.9),
    (MANY_PATTERNS, many_patterns.source, [], 2.5),
    ("inlay/graph/concepts.hpp", ["inlay/graph/concepts.hpp"], [], None),
    ("inlay/pattern/dsl/dsl.hpp, match.hpp", ["inlay/pattern/dsl/dsl.hpp", "inlay/pattern/match/match.hpp"], [], None),
    ("inlay/candidate/enumerate.hpp", ["inlay/candidate/enumerate.hpp"], [], None),
    ("inlay/search/select.hpp", ["inlay/search/select.hpp"], [], None),
    ("inlay/ops/onnx/onnx_ops.hpp", ["inlay/ops/onnx/onnx_ops.hpp"], [], None),
    ("inlay/pipeline.hpp, separate", ["inlay/pipeline.hpp"], [APART], None),
    ("inlay/search/select.hpp, separate", ["inlay/search/select.hpp"], [APART], None),
    ("inlay/ops/onnx/onnx_ops.hpp, separate", ["inlay/ops/onnx/onnx_ops.hpp"], [APART], None),
]


def compilers(named):
    if named:
        return named
    if os.environ.get("CXX"):
        return [os.environ["CXX"]]
    return ["g++"] + [name for name in ("clang++-16", "clang++-19") if shutil.which(name)][:1]


def command(compiler, *arguments):
    return compiler.split() + ["-std=c++20", "-I" + INCLUDE, *arguments]


def compile_once(compiler, source, flags, folder):
    """Milliseconds of processor time."""
    how = ["-O0", "-c", "-o", os.path.join(folder, "out.o")] if source == TEN_PATTERNS or source.endswith("many.cpp") else ["-O0", "-fsyntax-only"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command(compiler, *flags, *how, source), stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        print(f"{source} does not compile with {compiler}; the message is above", file=sys.stderr)
        sys.exit(2)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def lines_of(compiler, source, flags):
    text = subprocess.run(command(compiler, *flags, "-E", "-P", source), stdout=subprocess.PIPE, text=True, check=True).stdout
    return sum(1 for line in text.splitlines() if line.strip())


def measure(compiler, rounds, folder):
    """Prints the table of one compiler; how many rows are over their budget."""
    sources = []
    for number, (_, content, _, _) in enumerate(ROWS):
        if isinstance(content, str):
            sources.append(content)
            continue
        sources.append(os.path.join(folder, "many.cpp" if callable(content) else f"row{number}.cpp"))
        with open(sources[-1], "w", encoding="utf-8") as file:
            if callable(content):
                file.write(content())
                continue
            file.writelines(f"#include <{header}>\n" for header in content)
    times = [[] for _ in ROWS]
    for turn in range(rounds + 1):
        for number, source in enumerate(sources):
            taken = compile_once(compiler, source, ROWS[number][2], folder)
            if turn != 0:
                times[number].append(taken)
    version = subprocess.run(compiler.split() + ["--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]
    yardstick = statistics.median(times[[row[0] for row in ROWS].index(YARDSTICK)])
    print(f"{version}: -std=c++20 -O0, -fsyntax-only where nothing else is said, processor time, median of {rounds}")
    print(f"{'':40}{'ms':>7}{'ratio':>7}{'lines':>8}  budget")
    over = 0
    for (what, _, flags, budget), source, taken in zip(ROWS, sources, times):
        median = statistics.median(taken)
        verdict = ""
        if budget is not None:
            verdict = f"  {budget:.2f}: " + ("kept" if median <= budget * yardstick else "OVER")
            over += median > budget * yardstick
        print(f"{what:40}{median:7.0f}{median / yardstick:7.2f}{lines_of(compiler, source, flags):8}{verdict}")
    return over


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="how often each file is compiled after the warm-up")
    parser.add_argument("--compiler", action="append", help="a compiler; may be given several times")
    asked = parser.parse_args()
    if asked.rounds < 1:
        parser.error("--rounds is at least 1")
    over = []
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers(asked.compiler):
            over.append(measure(compiler, asked.rounds, folder))
            print()
    return 1 if over[0] else 0


if __name__ == "__main__":
    sys.exit(main())
