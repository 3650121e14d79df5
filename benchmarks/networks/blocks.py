# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Times single blocks of networks: the cheapest plan of all back ends beside the cheapest mix of library kernels, in the same rounds.

    python3 benchmarks/networks/blocks.py [--threads 1,2] [--rounds 40] [--only NAME,NAME] [-- OPTION...]

Needs the tool (`sh examples/build.sh`); prepares the models the first time. The mix of libraries is as exact a plan as ours, without the kernels
of this tree but for the reference ones, where no library has the operator. A row: medians in milliseconds, theirs over ours, and the pieces of
our plan. What follows `--` goes to both calls. Exit status 1 where the mix of libraries is as quick or quicker.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

from shared import TOOL, chosen_names, models, need_tool, own_and_tool_options, path_of, shape_options

BLOCKS = "mobilenet_block,attention_layer"
LIBRARIES = "onednn, xnnpack, openblas, reference"


def race(path, words, options, rounds, plan):
    """The answer of `inlay bench` with the mix of libraries as a rival."""
    subprocess.run([TOOL, "partition", path, *words, *options, "--target", LIBRARIES, "--json", "--out", plan], stdout=subprocess.DEVNULL, check=True)
    rival = "libraries=exec " + shlex.join([TOOL, "run", path, *words, "--plan", plan, "--serve"])
    done = subprocess.run([TOOL, "bench", path, *words, *options, "--exact-alone", "--json", "--rounds", str(rounds), "--rival", rival],
                          stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def main():
    own, options = own_and_tool_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", default=BLOCKS)
    arguments = parser.parse_args(own)
    need_tool()
    known = models()
    print(f"{'block':16} thr {'ours':>9} {'libraries':>9} {'theirs/ours':>11}  pieces of ours", flush=True)
    lost, failed = [], []
    for name in chosen_names(arguments.only, known):
        for threads in map(int, arguments.threads.split(",")):
            words = ["--threads", str(threads), "--quiet", *shape_options(known[name])]
            with tempfile.TemporaryDirectory() as folder:
                try:
                    answer = race(path_of(known[name]), words, options, arguments.rounds, os.path.join(folder, "plan.json"))
                except subprocess.CalledProcessError as wrong:
                    failed.append(f"{name} on {threads} threads: {wrong}")
                    continue
            ours, theirs = answer["contenders"][0], answer["rivals"][0]
            if ours["median_ms"] is None or theirs["median_ms"] is None:
                failed.append(f"{name} on {threads} threads: {ours.get('reason') or theirs.get('reason')}")
                continue
            if theirs["ratio_to_exact"][0] <= 1:
                lost.append(f"{name} on {threads} threads")
            pieces = ", ".join(f"{count} {which}" for which, count in sorted(ours["composites"].items()))
            print(f"{name:16} {threads:3} {ours['median_ms']:9.3f} {theirs['median_ms']:9.3f} {theirs['median_ms'] / ours['median_ms']:11.3f}  {pieces}", flush=True)
    for text in failed:
        print(f"failed: {text}")
    print(f"not shown to be quicker than the mix of libraries: {', '.join(lost) or 'none'}")
    sys.exit(1 if lost or failed else 0)


if __name__ == "__main__":
    main()
