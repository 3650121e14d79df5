# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""What it costs that a back end is a library, in instructions, which say the same on a busy machine:

    python3 benchmarks/loading/instructions.py build/models/squeezenet.onnx [--program build/benchmarks/loading]

Runs the program beside this script under callgrind, and prints what planning with six back ends takes with `reference` in the list and
with it through the C interface, once without and once with the contenders of `inlay partition`. Instructions are not time: they leave out
what memory makes an allocation cost.

Exit status: 0; 1 where the interface costs 2 % and more, or the program does not run; 2 for bad arguments.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

LINE = re.compile(r"^\s*([\d,]+) \(.*?:inlay::plan \(anonymous namespace\)::planned<inlay::(extended_list<)?.*?inlay::onednn,")


def fail(status, sentence):
    print(f"instructions.py: {sentence}", file=sys.stderr)
    sys.exit(status)


def main():
    reader = argparse.ArgumentParser()
    reader.add_argument("model")
    reader.add_argument("--program", default="build/benchmarks/loading")
    asked = reader.parse_args()
    if shutil.which("callgrind_annotate") is None:
        fail(1, "callgrind is not here; install valgrind")
    with tempfile.TemporaryDirectory() as folder:
        counts = os.path.join(folder, "counts")
        try:
            ran = subprocess.run(["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={counts}", asked.program, asked.model, "--rounds", "1"],
                                 capture_output=True, text=True, check=False)
        except OSError as error:
            fail(1, f"valgrind cannot be started ({error.strerror}); install it")
        # What it says of time, by its status too, is not meant here.
        if not os.path.exists(counts) or "loading: " in ran.stderr:
            fail(1, f"{asked.program} did not run to its end: {(ran.stderr.strip().splitlines() or ['it said nothing'])[-1]}")
        listed = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", counts], capture_output=True, text=True, check=True)
    most = {}
    for line in listed.stdout.splitlines():
        if found := LINE.match(line):
            through = found.group(2) is not None
            most[through] = max(most.get(through, 0), int(found.group(1).replace(",", "")))
    if len(most) != 2:
        fail(1, f"{asked.program} has no function 'planned' for both lists; build it from benchmarks/loading as it stands")
    percent = 100 * (most[True] / most[False] - 1)
    print(f"{most[False] / 1e6:.1f} million instructions in the list, {most[True] / 1e6:.1f} million through the interface: {percent:+.2f} %")
    return 0 if percent < 2 else 1


if __name__ == "__main__":
    sys.exit(main())
