# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Compares the plans of two builds of the tool on whole networks, run in turns.

    python3 benchmarks/networks/builds.py OTHER_TOOL [--tool PROGRAM] [--threads 1,2] [--rounds 40] [--only NAME,NAME] [-- OPTION...]

Each build measures its own prices into a database of its own and plans, and a process of it runs the plan (`inlay run --serve`), in turns with the
other's: each round asks the one and then the other, the next round in the other order. What follows `--` goes to both tools. A row: medians in
milliseconds, the 95 % bootstrap interval of the ratio of our median to the other's, and the composites of oneDNN that convolve in our plan.
Exit status 1 where ours is slower: where that interval lies above 1.03.
"""
import argparse
import collections
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

from shared import TOOL, chosen_names, models, need_tool, own_and_tool_options, path_of, shape_options

WARM_UP = 5
SLICE_S = 0.02


class Server:
    """A build's plan of a network, ready to run."""

    def __init__(self, tool, path, words, options, folder, name):
        self.plan = os.path.join(folder, f"{name}.json")
        database = ["--database", os.path.join(folder, f"{name}.sqlite")]
        subprocess.run([tool, "partition", path, *words, *options, *database, "--json", "--out", self.plan], stdout=subprocess.DEVNULL, check=True)
        self.process = subprocess.Popen([tool, "run", path, *words, "--plan", self.plan, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            raise subprocess.CalledProcessError(self.process.wait(), tool)

    def seconds(self):
        self.process.stdin.write("run\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def turn(self, times):
        return statistics.median(self.seconds() for _ in range(times))

    def convolutions(self):
        """How often the plan has each composite of oneDNN that convolves."""
        with open(self.plan, encoding="utf-8") as file:
            parts = json.load(file)["partitions"]
        return collections.Counter(c["name"] for part in parts if part["backend"] == "onednn" for c in part["composites"] if "convolution" in c["name"])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def interval(pairs):
    """The middle 95 % of the ratio of medians, rounds drawn anew 2000 times."""
    draw = random.Random(1)
    ratios = []
    for _ in range(2000):
        sample = draw.choices(pairs, k=len(pairs))
        ratios.append(statistics.median(a for a, _ in sample) / statistics.median(b for _, b in sample))
    ratios.sort()
    return ratios[50], ratios[-51]


def race(ours, other, rounds):
    """Seconds of both by round."""
    least = min(min(ours.seconds(), other.seconds()) for _ in range(WARM_UP))
    # As many runs in a row as a slice of time has room for, so that neither always finds the other's data in the caches.
    times = max(1, round(SLICE_S / least))
    pairs = []
    for i in range(rounds):
        if i % 2 == 0:
            pairs.append((ours.turn(times), other.turn(times)))
        else:
            second = other.turn(times)
            pairs.append((ours.turn(times), second))
    return pairs


def main():
    own, options = own_and_tool_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("other")
    parser.add_argument("--tool", default=TOOL)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args(own)
    for tool in (arguments.tool, arguments.other):
        need_tool(tool)
    known = models()
    names = chosen_names(arguments.only, known)
    print(f"{'model':15} thr {'ours':>9} {'other':>9} {'ours/other 95 %':>16}", flush=True)
    logarithms, slower, mixed, failed = [], 0, 0, []
    for name in names:
        for threads in map(int, arguments.threads.split(",")):
            path = path_of(known[name])
            words = ["--threads", str(threads), "--quiet", *shape_options(known[name])]
            with tempfile.TemporaryDirectory() as folder:
                try:
                    ours = Server(os.path.abspath(arguments.tool), path, words, options, folder, "ours")
                    other = Server(os.path.abspath(arguments.other), path, words, options, folder, "other")
                    pairs = race(ours, other, arguments.rounds)
                    used = ours.convolutions()
                    ours.close()
                    other.close()
                except (subprocess.CalledProcessError, ValueError) as wrong:
                    failed.append(f"{name} on {threads} threads: {wrong}")
                    continue
            mine, its, (low, high) = statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), interval(pairs)
            logarithms.append(math.log(mine / its))
            slower += low > 1.03
            mixed += len(used) > 1
            print(f"{name:15} {threads:3} {mine * 1e3:9.3f} {its * 1e3:9.3f} {low:7.3f} {high:8.3f}  {', '.join(f'{count} {which}' for which, count in sorted(used.items()))}", flush=True)
    for text in failed:
        print(f"failed: {text}")
    if logarithms:
        print(f"geometric mean of ours over the other's: {math.exp(sum(logarithms) / len(logarithms)):.3f}; slower in {slower} of {len(logarithms)} rows")
        print(f"several composites of oneDNN for convolutions in our plan: {mixed} of {len(logarithms)} rows")
    sys.exit(1 if slower or failed else 0)


if __name__ == "__main__":
    main()
