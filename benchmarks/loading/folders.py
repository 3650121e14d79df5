# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""What scanning and loading ten libraries of back ends costs: folders.py PROGRAM [ROUNDS]

Calls of `inlay targets` without a folder, with ten libraries that were tried before, and with ten that nobody has tried, in turns; medians in ms.
Exit status: 0; 1 where ten known libraries take 100 ms or more; 2 for a wrong call.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main(program, rounds):
    with tempfile.TemporaryDirectory() as folder:
        libraries = os.path.join(folder, "libraries")
        os.mkdir(libraries)
        for i in range(10):
            subprocess.run(["gcc", "-std=c99", "-O2", "-shared", "-fPIC", f'-DKIND="vector_{i}"', "-I", os.path.join(ROOT, "include"),
                            os.path.join(ROOT, "examples/backends/vector_c.c"), "-o", os.path.join(libraries, f"vector_{i}.so")], check=True)

        def timed(*arguments):
            start = time.perf_counter()
            out = subprocess.run([program, "targets", *arguments], capture_output=True, text=True, check=True,
                                 env={**os.environ, "INLAY_DATABASE": os.path.join(folder, "cache", "costs.sqlite")}).stdout
            if arguments and out.count(os.path.join(libraries, "vector_")) != 10:
                sys.exit("not all libraries were loaded")
            return 1e3 * (time.perf_counter() - start)

        without, known, new = [], [], []
        for _ in range(rounds):
            without.append(timed())
            shutil.rmtree(os.path.join(folder, "cache"), ignore_errors=True)
            new.append(timed("--backend-dir", libraries))
            known.append(timed("--backend-dir", libraries))
        base = statistics.median(without)
        cost = statistics.median(known) - base
        print(f"inlay targets: {base:.1f} ms; with ten libraries {cost:+.1f} ms, where none was tried before {statistics.median(new) - base:+.1f} ms ({rounds} rounds)")
        return 0 if cost < 100 else 1


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(2)
    sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 15))
