# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Hours of random programs in many ways: run.py [PROGRAM] --hours N [options of tests/differential/run.py]

A share of `--seconds` each has a seed of its own, so that a failure is printed soon. The last line sums the shares.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    parser = argparse.ArgumentParser(description="Compares random programs in many ways with the interpreter, for hours.")
    parser.add_argument("program", nargs="?", default=os.path.join(ROOT, "build", "examples", "inlay", "inlay"), help="the tool")
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=900.0, help="of one share")
    options, others = parser.parse_known_args()
    end, programs, failures, shares = time.monotonic() + 3600 * options.hours, 0, 0, 0
    while shares == 0 or time.monotonic() < end:
        seconds = max(1.0, min(options.seconds, end - time.monotonic()))
        call = [sys.executable, os.path.join(ROOT, "tests", "differential", "run.py"), options.program, "--seed", str(random.randrange(1 << 30)),
                "--seconds", f"{seconds:.0f}", *others]
        said = subprocess.run(call, stdout=subprocess.PIPE, text=True, check=False).stdout
        print(said, flush=True)
        counted = re.search(r"^# ([0-9]+) programs in", said, re.MULTILINE)
        programs += int(counted.group(1)) if counted else 0
        failures += len(re.findall("^not ok .* - program ", said, re.MULTILINE)) + (counted is None)
        shares += 1
    print(f"{programs} programs in {shares} shares, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
