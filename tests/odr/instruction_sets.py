# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Reads the object code of the kernels: instruction_sets.py ARCHIVE

- A function that a linker may merge with another of its name stands in the namespace of one instruction set: otherwise code for one set could
  come to stand where another one's was meant.
- Code for one set uses no wider registers than the set has.
- Dot products of bfloat16, which not every processor with AVX-512 has, stand in functions that are asked for by name.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tap import Tap  # noqa: E402

SET = re.compile(r"N_(SCALAR|EMU128|SSE4|AVX2|AVX3|NEON)\b|N_(SCALAR|EMU128|SSE4|AVX2|AVX3|NEON)")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
FORBIDDEN = {"SCALAR": re.compile(r"%[yz]mm"), "EMU128": re.compile(r"%[yz]mm"), "SSE4": re.compile(r"%[yz]mm"), "AVX2": re.compile(r"%zmm|%k[1-7]")}

BF16 = re.compile(r"\bv(dpbf16ps|cvtne2?ps2bf16)")
BF16_FUNCTION = re.compile(r"N_AVX3::(pair_tile<|round_pairs\()")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def set_of(name):
    found = SET.search(name)
    return (found.group(1) or found.group(2)) if found else None


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    shared, wide, astray, seen = [], [], [], set()
    for line in output("nm", "-C", "--defined-only", arguments[0]).splitlines():
        words = line.split(maxsplit=2)
        if len(words) == 3 and words[1] == "W" and set_of(words[2]) is None:
            shared.append(f"{words[2]} may be merged, and belongs to no instruction set")
    set_now, name = None, ""
    for line in output("objdump", "-d", "-C", "--no-show-raw-insn", arguments[0]).splitlines():
        if start := FUNCTION.match(line):
            name = start.group(1)
            set_now = set_of(name)
            seen.add(set_now)
            continue
        if BF16.search(line) and not BF16_FUNCTION.search(name):
            astray.append(f"{name}: {line.strip()}")
        if set_now in FORBIDDEN and FORBIDDEN[set_now].search(line):
            wide.append(f"{name}: {line.strip()}")
            set_now = None
    tap = Tap()
    tap.verdict("code that linkers may merge stands in one instruction set's namespace", shared)
    tap.verdict("code uses no wider registers than its instruction set has", wide)
    tap.verdict("dot products of bfloat16 stand in functions of their own", astray)
    tap.verdict("there is code for several instruction sets", [] if len(seen - {None}) > 1 else [f"there is code for {sorted(map(str, seen))} alone"])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
