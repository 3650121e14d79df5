# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Compiles each file of this folder and expects an error: run.py COMPILER...

The first line of a file is `// expect-error: SENTENCE`. The compiler must fail and SENTENCE must be in its output. Where the second line is
`// expect-type: TYPE`, the output also names that type as a template argument, and there is no other error. Every file is tried with
the given compiler; `sh tests/run.sh --all` gives both. So that an error of another cause is not taken for the expected
one, a file that mentions the macro INLAY_COMPILES must compile when it is defined.
"""
import concurrent.futures
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PREFIX = "// expect-error: "
TYPE = "// expect-type: "


def precompiled(compiler, folder):
    """Compiles what all files include beforehand; gives the arguments that take it from there."""
    header = os.path.join(folder, "common.hpp")
    with open(header, "w", encoding="utf-8") as file:
        file.write("#include <inlay/inlay.hpp>\n")
    kind = "pch" if "clang" in os.path.basename(compiler[0]) else "gch"
    subprocess.run(compiler + ["-std=c++20", "-I" + source_tree.INCLUDE, "-x", "c++-header", header, "-o", f"{header}.{kind}"], check=True, timeout=120)
    return ["-include", header]


def compile_file(compiler, path, *more):
    """The exit status and the output on one line, as a message may be broken into several."""
    command = compiler + ["-std=c++20", "-fsyntax-only", "-I" + source_tree.INCLUDE] + list(more)
    command += source_tree.flags(source_tree.needs(path)) + [path]
    result = subprocess.run([c for c in command if not c.startswith("-l")], capture_output=True, text=True, timeout=120,
                            env={**os.environ, "LC_ALL": "C"}, check=False)
    return result.returncode, " ".join((result.stdout + result.stderr).split())


def check(compiler, path):
    """None, or what is wrong."""
    text = source_tree.read(path)
    first, second = (text.splitlines() + ["", ""])[:2]
    if not first.startswith(PREFIX) or not first[len(PREFIX):].strip():
        return f"the first line is not '{PREFIX}SENTENCE'"
    sentence = " ".join(first[len(PREFIX):].split())
    try:
        status, output = compile_file(compiler, path)
        if status == 0:
            return f"compiles, but should fail with: {sentence}"
        if sentence not in output:
            return f"fails without saying: {sentence}\nIt says: {output[:2000]}"
        if second.startswith(TYPE):
            blame = second[len(TYPE):].strip()
            # The one compiler leaves out the namespaces that it stands in, and sets a blank before the asterisk.
            named = {blame, blame.rpartition("::")[2], blame.replace("*", " *"), blame.partition("::")[2]}
            if not any(f"<{name}>" in output for name in named if name):
                return f"fails without naming {blame}\nIt says: {output[:2000]}"
            if output.count(" error: ") != 1:
                return f"fails with more than one error\nIt says: {output[:2000]}"
        if "INLAY_COMPILES" in text:
            status, output = compile_file(compiler, path, "-DINLAY_COMPILES")
            if status != 0:
                return f"fails even with INLAY_COMPILES: {output[:2000]}"
    except subprocess.TimeoutExpired:
        return "the compiler took over 120 s"
    return None


def main(arguments):
    own = [a for a in arguments if os.path.basename(a) != "ccache"] or ["g++"]
    name = os.path.basename(own[0])
    tap = Tap()
    files = source_tree.files_under(HERE, ".cpp")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compiler = own[:1] + precompiled(own[:1], folder)
        jobs = [(f"{os.path.basename(path)} fails to compile as it should with {name}", pool.submit(check, compiler, path)) for path in files]
        for title, job in jobs:
            problem = job.result()
            if problem:
                tap.fail(title, problem)
            else:
                tap.ok(title)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
