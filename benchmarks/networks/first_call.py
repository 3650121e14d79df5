# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Times `inlay run` on whole networks from an empty database and an empty folder of compiled code, and the calls after it.

    python3 benchmarks/networks/first_call.py [--threads 1,2] [--calls 3] [--only NAME,NAME] [--keep FOLDER] [-- OPTION...]

Needs the tool (`sh examples/build.sh`); prepares the models the first time. A row: the seconds of the first call, which measures, compiles,
decides and runs, and of each call after it. `--keep` leaves each database in FOLDER as NAME_THREADS.sqlite. What follows `--` goes to `inlay run`.
The last lines say how many first calls took under 60 s and how many last calls under 2 s. Exit status 1 where a call failed.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

from shared import TOOL, chosen_names, last_line, models, need_tool, own_and_tool_options, path_of, shape_options

FIRST_S, WARM_S = 60, 2


def timed_call(entry, threads, database, options):
    """The seconds of one call, and the reason where it failed."""
    command = [TOOL, "run", path_of(entry), "--quiet", "--threads", str(threads), "--database", database, *shape_options(entry), *options]
    begin = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "INLAY_CODE": os.path.join(os.path.dirname(database), "code_" + os.path.basename(database))})
    return time.monotonic() - begin, last_line(done) if done.returncode != 0 else None


def main():
    own, options = own_and_tool_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--calls", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", default="")
    arguments = parser.parse_args(own)
    need_tool()
    known = models()
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.abspath(arguments.keep or scratch)
        os.makedirs(folder, exist_ok=True)
        print(f"seconds of inlay run; {os.cpu_count()} CPUs")
        print(f"{'model':15} thr {'first':>8}  later calls", flush=True)
        for name in chosen_names(arguments.only, known):
            for threads in map(int, arguments.threads.split(",")):
                database = os.path.join(folder, f"{name}_{threads}.sqlite")
                if os.path.exists(database):
                    failed.append(f"{name} on {threads} threads: there is {database} already")
                    continue
                seconds = []
                for _ in range(max(1, arguments.calls)):
                    took, reason = timed_call(known[name], threads, database, options)
                    if reason:
                        failed.append(f"{name} on {threads} threads: {reason}")
                        break
                    seconds.append(took)
                else:
                    rows.append(seconds)
                if seconds:
                    print(f"{name:15} {threads:3} {seconds[0]:8.1f}  {' '.join(f'{s:.1f}' for s in seconds[1:])}", flush=True)
    print(f"first call under {FIRST_S} s: {sum(r[0] < FIRST_S for r in rows)} of {len(rows)}")
    print(f"last call under {WARM_S} s: {sum(r[-1] < WARM_S for r in rows)} of {len(rows)}")
    for text in failed:
        print(f"failed: {text}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
