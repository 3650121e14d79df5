# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Holds a tutorial of examples/uma to what it says: tutorials.py PROGRAM VENDOR

PROGRAM takes targets, a partitioner and a folder, in which a program in C and its Makefile stand afterwards; VENDOR has the accelerator's header
and source. The C is compiled by gcc and clang as C99 without a warning, and for RISC-V; options change it, and a wrong function of the vendor's
is found out.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import source_tree
from tap import Tap

# By accelerator: an option and a value that is not its default; a text of the vendor's source, and one by which results are wrong; options, and
# what is refused under them.
WITH = {
    "vanilla_accelerator": ("dimension", "4", ("sum += ifmap", "sum -= ifmap"), "",
                            "not vanilla_accelerator.conv2d shrunk: it takes strides of one"),
    "scratchpad_npu": ("scratchpad", "4096", ("sum += rows", "sum -= rows"), " -scratchpad=256",
                       "not scratchpad_npu.conv second: the weights of one output take 288 bytes of its scratchpad"),
}


class Tutorial:
    def __init__(self, program, vendor, folder):
        self.program, self.vendor, self.folder = program, vendor, folder
        self.name = os.path.basename(vendor)
        self.option, self.value, self.change, self.small, self.reason = WITH[self.name]

    def run(self, into, partitioner="exact", options="", vendor=None):
        """How the program ends whose C stands in the folder INTO afterwards."""
        targets = f"{self.name} -sdk={vendor or self.vendor}{options}"
        return subprocess.run([self.program, targets, partitioner, self.path(into)], capture_output=True, text=True, timeout=120, check=False,
                              stdin=subprocess.DEVNULL)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def text(self, into):
        with open(self.path(into, "net.c"), encoding="utf-8") as file:
            return file.read()

    def broken_vendor(self):
        """The vendor's files, of which one computes something else."""
        made = shutil.copytree(self.vendor, self.path("broken"))
        source = os.path.join(made, self.name + ".c")
        with open(source, encoding="utf-8") as file:
            text = file.read()
        if self.change[0] not in text:
            raise ValueError(f"{source} has no '{self.change[0]}'")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text.replace(*self.change))
        return made


def ended(result, status):
    return [] if result.returncode == status else [f"exit status {result.returncode}, where {status} is expected", result.stdout, result.stderr]


def main(arguments):
    tap = Tap()
    folder = tempfile.mkdtemp(prefix="inlay_tutorial_")
    try:
        one = Tutorial(os.path.abspath(arguments[0]), arguments[1], folder)
        tap.verdict("the cheapest plan leaves and agrees", ended(one.run("exact"), 0))
        tap.verdict("so does the eager one", ended(one.run("eager", "eager"), 0))
        tap.verdict("which is another", [] if one.text("exact") != one.text("eager") else ["both leave as the same C"])
        tap.verdict(f"-{one.option}={one.value} leaves and agrees", ended(one.run("option", "eager", f" -{one.option}={one.value}"), 0))
        tap.verdict("in other code", [] if one.text("option") != one.text("eager") else ["the option changes nothing"])
        small = one.run("small", "exact", one.small)
        tap.verdict("what it cannot do it refuses, and the plain target does it",
                    ended(small, 0) + ([] if one.reason in small.stdout else [f"it does not say '{one.reason}'", small.stdout]))
        refused = one.run("refused", "exact", f" -{one.option}=0")
        tap.verdict(f"-{one.option}=0 is refused in one sentence",
                    ended(refused, 1) + ([] if f"-{one.option}=0" in refused.stderr and refused.stderr.count("\n") == 1 else [refused.stderr]))
        for compiler in ("gcc", source_tree.clang()):
            title = f"{compiler} compiles the C without a warning, and it agrees"
            if shutil.which(compiler) is None:
                tap.skip(title, f"there is no {compiler}")
                continue
            made = subprocess.run(["make", "-s", "-C", one.path("exact"), f"CC={compiler}", f"BUILD=build-{compiler}", "check"],
                                  capture_output=True, text=True, timeout=120, check=False)
            tap.verdict(title, ended(made, 0) + ([] if made.stderr == "" else [made.stderr]))
        title = "so does a static program for RISC-V"
        if shutil.which("riscv64-linux-gnu-gcc") is None or shutil.which("qemu-riscv64-static") is None:
            tap.skip(title, "there is no riscv64-linux-gnu-gcc or no qemu-riscv64-static")
        else:
            made = subprocess.run(["make", "-s", "-C", one.path("exact"), "check-riscv64"], capture_output=True, text=True, timeout=120, check=False)
            tap.verdict(title, ended(made, 0))
        wrong = one.run("wrong", "exact", "", one.broken_vendor())
        again = subprocess.run(["make", "-s", "-C", one.path("wrong"), "check"], capture_output=True, text=True, timeout=120, check=False)
        tap.verdict("a wrong function of the vendor's is found out, here and by make check",
                    ended(wrong, 1) + ([] if "run here: agrees" not in wrong.stdout else [wrong.stdout]) +
                    ([] if again.returncode != 0 and "elements are off" in again.stdout else [again.stdout, again.stderr]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
