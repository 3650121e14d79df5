# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Compiles each header alone, and included twice, without generating code: alone.py [HEADER...]

It includes what it uses, and its guard works. The compiler is clang++-16, which is quick at this, or g++ where there is none. Headers without
a third party are compiled as users without exceptions and run-time types compile them.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Werror"]


def problems_of(header, compiler):
    parties = source_tree.needs(os.path.join(source_tree.INCLUDE, header))
    command = [compiler, "-std=c++20", "-fsyntax-only", "-O0", *WARNINGS, "-I" + source_tree.INCLUDE, "-x", "c++", "-"]
    command += [flag for flag in source_tree.flags(parties) if not flag.startswith("-l")]
    if not set(parties) - source_tree.OF_THE_SYSTEM:
        command += ["-fno-exceptions", "-fno-rtti"]
    try:
        ran = subprocess.run(command, input=f"#include <{header}>\n" * 2, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired as late:
        return [f"it took over {late.timeout:.0f} s"]
    return [] if ran.returncode == 0 else [ran.stderr[:3000]]


def main(arguments):
    compiler = next((name for name in ("clang++-16", "g++") if shutil.which(name)), None)
    tap = Tap()
    headers = arguments or source_tree.headers()
    if compiler is None:
        tap.skip("each header compiles alone", "neither clang++-16 nor g++ is installed")
        return tap.done()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, problems in zip(headers, pool.map(lambda h: problems_of(h, compiler), headers)):
            tap.verdict(f"{header} compiles alone with {compiler}", problems)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
