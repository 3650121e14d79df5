# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Shows that prices stay true: tunes while busy loops run, and looks whether a quiet bench still ends with the plan of an undisturbed tuning.

    python3 benchmarks/networks/disturbed.py MODEL [--tool PROGRAM] [--threads 2] [--rounds 20] [--loops 1,2] [-- OPTION...]

Needs the tool (`sh examples/build.sh`). What follows `--` goes to every call of the tool: `--shape`, say. First the model is tuned and
benched with nothing beside it. Then, for each number of busy loops, it is tuned into a new database; half-way through so many processes begin to
spin, one core's worth each, and end with it; a bench with that database follows. A row: prices that tuning marked as disturbed, those that
the bench measured again, the median of exact, its parts, the ratio to the undisturbed plan, both benched in turns, and whether the two plans
are one. Exit status 1 where another plan is over 3 % slower.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

from shared import TOOL, fail, need_tool, own_and_tool_options

LOOP = [sys.executable, "-c", "while True: pass"]


class Runs:
    """Calls of the tool on one model."""

    def __init__(self, tool, model, threads, options):
        self.tool, self.model, self.options = os.path.abspath(tool), model, ["--threads", str(threads), "--quiet", "--json", *options]

    def start(self, verb, database, *more):
        return subprocess.Popen([self.tool, verb, self.model, *self.options, "--database", database, *more], stdout=subprocess.PIPE, text=True)

    def finish(self, process):
        out, _ = process.communicate()
        if process.returncode != 0:
            fail(f"the tool ended with status {process.returncode}")
        return json.loads(out)

    def call(self, verb, database, *more):
        return self.finish(self.start(verb, database, *more))

    def plan(self, database):
        """Who owns what."""
        return [(p["backend"], p["nodes"], [c["name"] for c in p["composites"]]) for p in self.call("price", database)["partitions"]]


def tune_beside_loops(runs, database, loops, after):
    """Tunes; so many loops begin after some seconds and end with it. Gives the tuning's answer and its seconds."""
    start = time.monotonic()
    process, spinning = runs.start("tune", database), []
    try:
        time.sleep(after)
        spinning = [subprocess.Popen(LOOP) for _ in range(loops)]
        answer = runs.finish(process)
    finally:
        for loop in spinning:
            loop.kill()
            loop.wait()
    return answer["models"][0], time.monotonic() - start


def median_of_exact(bench):
    """Of the plan that is believed in the end."""
    by_name = {c["name"]: c for c in bench["contenders"]}
    return by_name.get("exact_replanned", by_name["exact"])["median_ms"]


def main():
    own, options = own_and_tool_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--tool", default=TOOL)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--loops", default="1,2")
    arguments = parser.parse_args(own)
    need_tool(arguments.tool)
    runs, rounds, slower = Runs(arguments.tool, arguments.model, arguments.threads, options), ["--rounds", str(arguments.rounds)], False
    with tempfile.TemporaryDirectory() as folder:
        quiet = os.path.join(folder, "quiet.sqlite")
        told, seconds = tune_beside_loops(runs, quiet, 0, 0)
        first = runs.call("bench", quiet, *rounds)
        plan = runs.plan(quiet)
        print(f"loops -: tuned in {seconds:.1f} s, {told['measured']} prices, {told['disturbed']} disturbed; exact {median_of_exact(first):.3g} ms in {len(plan)} parts", flush=True)
        for loops in map(int, arguments.loops.split(",")):
            database = os.path.join(folder, f"loops_{loops}.sqlite")
            told, took = tune_beside_loops(runs, database, loops, seconds / 2)
            again = runs.call("tune", database)["models"][0]
            after, mine = runs.call("bench", database, *rounds), runs.plan(database)
            # In turns, so that a drift of the machine does not count as a difference.
            pairs = [(median_of_exact(after), median_of_exact(runs.call("bench", quiet, *rounds))),
                     (median_of_exact(runs.call("bench", database, *rounds)), median_of_exact(runs.call("bench", quiet, *rounds)))]
            ratio = min(a for a, _ in pairs) / min(b for _, b in pairs)
            same = mine == plan
            slower = slower or (not same and ratio > 1.03)
            print(f"loops {loops}: tuned in {took:.1f} s, {told['disturbed']} disturbed, {again['again']} measured again, {again['disturbed']} still disturbed; exact {median_of_exact(after):.3g} ms in "
                  f"{len(mine)} parts, {ratio:.3f} of the undisturbed plan, {'the same plan' if same else 'another plan'}", flush=True)
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
