# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Compiles each file of this folder and expects an error: run.py COMPILER...

The first line of a file is `// expect-error: SENTENCE`. The compiler must fail and SENTENCE must be in its output. Where the second line is
`// expect-type: TYPE`, the output also names that type as a template argument, and there is no other error. Every file is tried with
the given compiler; `sh tests/run.sh --all` gives both. So that an error of another cause is not taken for the expected
one, a file that mentions the macro INLAY_COMPILES must compile when it is defined: at first together with the others, each in a namespace of
its own, and where these do not compile, alone.
"""
import concurrent.futures
import os
import re
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


def compile_together(compiler, paths, folder):
    """Whether all of these compile with INLAY_COMPILES, side by side."""
    includes, cases = {}, []
    macros = {name for path in source_tree.files_under(HERE, ".cpp", ".hpp") for name in re.findall(r"^#define (\w+)", source_tree.read(path), re.MULTILINE)}
    for path in [*source_tree.files_under(HERE, ".hpp"), *paths]:
        includes.update((f"#include <{target}>", None) for target, _, _, quote in source_tree.includes(path) if quote == "<")
    for number, path in enumerate(paths):
        # What one of them takes out of a header stands there for the next.
        undone = "".join(f"#undef {name}\n" for name in sorted(macros))
        cases.append(f'{undone}namespace case_{number} {{\n#include "{path}"\n}}\n')
    text = "#define INLAY_COMPILES\n" + "\n".join(includes) + "\n" + "".join(cases)
    together = os.path.join(folder, "together.cpp")
    with open(together, "w", encoding="utf-8") as file:
        file.write(text)
    return compile_file(compiler, together)[0] == 0


def check(compiler, path, compiles):
    """None, or what is wrong; `compiles` says whether it is known to compile with INLAY_COMPILES."""
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
        if "INLAY_COMPILES" in text and not compiles:
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
        all_compile = compile_together(compiler, [path for path in files if "INLAY_COMPILES" in source_tree.read(path)], folder)
        jobs = [(f"{os.path.basename(path)} fails to compile as it should with {name}", pool.submit(check, compiler, path, all_compile))
                for path in files]
        for title, job in jobs:
            problem = job.result()
            if problem:
                tap.fail(title, problem)
            else:
                tap.ok(title)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
