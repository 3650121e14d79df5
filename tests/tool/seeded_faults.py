# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Kernels with seeded faults are refused, whichever way they come in: seeded_faults.py PROGRAM [--seeds N] [--all] [--ways PART]

A model has a node for each fault and seed: its extent H says which fault, and W the seed. Prints how many of the seeds were refused, by
fault and way: a few seeds of each, or 100 with INLAY_EVERY_CASE=1.
"""
import argparse
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time

from tool import Bench, Tap, seeds

TESTS = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(TESTS)), "include")
# In the order of the enumeration in seeded_faults.h.
FAULTS = ["scattered", "stretch", "lane", "tail", "block", "share", "later", "unwritten", "held", "past_write", "past_read"]
# What a first run shows in the results. A write past the end may hit what is not used, and a second run comes later.
VISIBLE = ["scattered", "stretch", "lane", "tail", "block", "share", "unwritten"]
CHANNELS = 40

# The compiler of C with a fault in each store of an elementwise nest over images.
MISCOMPILER = r'''#!%(python)s -SE
import os, re, sys
words = sys.argv[1:]
for at, word in enumerate(words):
    if not word.endswith("/source.c"):
        continue
    with open(word) as file:
        text = file.read().replace("#pragma omp simd", "")
    number = 0
    def store(found):
        global number
        number += 1
        image, row = int(found["image"]), int(found["row"])
        inner = image // %(channels)d
        place, right = found["place"], found["right"]
        count = 2 * image
        return ("{ static int32_t runs; const seeded_fault fault = {%%d, %%du, %%d, %%d, %(channels)d, 0}; const int64_t at = %%s; if (at == 0) ++runs; "
                "fault_store(&fault, y, at, %%s, runs, at == %%d ? (x[%%d] > 0 ? x[%%d] : 0) : 0); }"
                %% (inner // row - 8, row - 12, count, inner, place, right, count - 1, count, count))
    text = re.sub(r"y\[(?P<place>(?P<image>\d+) \* i \+ \d+ \* i_1 \+ (?P<row>\d+) \* i_2 \+ i_3)\] = (?P<right>v\[0\]);", store, text)
    with open(word, "w") as file:
        file.write('#include "%(header)s"\n' + text.replace("restrict", ""))
os.execvp("gcc", ["gcc"] + words)
'''


def network(faults, numbers, only_relu=False):
    """A node for each fault and seed: Relu, and Add of seeds that are odd."""
    nodes, inputs, outputs = [], [], []
    for seed in numbers:
        for fault in faults:
            shape, name = [2, CHANNELS, 8 + FAULTS.index(fault), 12 + seed], f"{fault}_{seed}"
            has_two = seed % 2 == 1 and not only_relu
            operands = [f"x_{name}"] + ([f"z_{name}"] if has_two else [])
            nodes.append(seeds.node("Add" if has_two else "Relu", operands, [f"y_{name}"], name))
            inputs += [seeds.value_info(operand, shape) for operand in operands]
            outputs.append(seeds.value_info(f"y_{name}", shape))
    return seeds.model(seeds.graph(nodes, inputs, outputs))


# A reason behind the name and version.
REASON = (r"(it gives \S+ (at result 0\[\d+,\d+,\d+,\d+\]|behind the last channel of result 0), expected \S+( within \S+)?"
          r"( in the second run| in the first run of the program)?|it writes 4 bytes beyond result 0|it reports a failure)")


class Trial:
    """Calls the tool on models with seeded faults, and writes down what it refuses."""

    def __init__(self, b, count):
        self.b, self.count = b, count
        self.every = [f"{fault}_{seed}" for fault in FAULTS for seed in range(count)]
        self.table = {}
        # One model for ten seeds: planning takes more than twice as long for twice as many nodes.
        self.models, self.relus = [], []
        for first in range(0, count, 10):
            numbers = range(first, min(first + 10, count))
            self.models.append(b.write(f"all_{first}.onnx", network(FAULTS, numbers)))
            self.relus.append(b.write(f"relu_{first}.onnx", network(FAULTS, numbers, True)))

    def keep(self):
        """Keeps the database as it is now."""
        with sqlite3.connect(self.b.path("costs.sqlite")) as database, sqlite3.connect(self.b.path("kept.sqlite")) as kept:
            database.backup(kept)
        database.close()
        kept.close()

    def go_back(self):
        """Takes the database that was kept."""
        self.forget()
        os.rename(self.b.path("kept.sqlite"), self.b.path("costs.sqlite"))

    def forget(self):
        """Begins with an empty database: what failed in an earlier call takes no part in later ones."""
        for name in os.listdir(self.b.folder):
            if name.startswith("costs.sqlite"):
                os.remove(self.b.path(name))

    def set(self, faults="on", version="1"):
        self.b.environment["FAULTS"], self.b.environment["VERSION"] = faults, version

    def by(self, options="-gbps=1e6"):
        return ["--backend-dir", self.b.path("libs"), "--target", f"faulty {options}, reference"]

    def run_all(self, *arguments, models=None, **how):
        """Runs all models. Returns the sentences about nodes that were refused before they ran in the program."""
        return {node: sentence for model in models or self.models for node, sentence in self.run(model, *arguments, **how).items()}

    def run(self, model, *arguments, named="version 1: ", is_right=True):
        """Runs a model. Returns the same."""
        call = ["run", model, "--check", *arguments]
        code, out, err = self.b.call(*call, limit=3000)
        if is_right and (code != 0 or "DIFFERS" in out or "agrees" not in out):
            self.b.problem(call, f"ends with {code}, and prints {[line for line in out.splitlines() if 'agrees' not in line][:3]} {err[-300:]!r}")
        refused = dict(re.findall(r"has no kernel for (\w+), and planning goes on without it: (.*)", err))
        late = {node for node, sentence in refused.items() if sentence.endswith(" in the first run of the program")}
        for node, sentence in refused.items():
            self.hold(call, node, sentence, "" if node in late else named)
        return {node: sentence for node, sentence in refused.items() if node not in late}

    def hold(self, call, node, sentence, named):
        """A sentence about a node names the library's version, element and values, or how far beyond its tensors the kernel writes."""
        if not re.fullmatch(named + REASON, sentence):
            self.b.problem(call, f"says of {node}: {sentence!r}")

    def note(self, way, refused):
        """Writes down how many seeds of each fault were refused. One of a hundred may be missed."""
        for fault in FAULTS:
            missed = [seed for seed in range(self.count) if f"{fault}_{seed}" not in refused]
            self.table[fault, way] = self.count - len(missed)
            if len(missed) * 100 > self.count:
                self.b.problem([way], f"accepts {fault} for {len(missed)} of {self.count} seeds: {missed[:10]}")

    def failures(self):
        """The kernels and reasons that the database lists."""
        listed = json.loads(self.b.answers(["targets", "--failures", "--json", "--database", self.b.path("costs.sqlite")]) or '{"failures": []}')
        return [(f["kernel"], f["reason"]) for f in listed["failures"]]

    def show(self):
        ways = list(dict.fromkeys(way for _, way in self.table))
        print(f"# refused of {self.count} seeds")
        print("# " + " ".join([" " * 10] + [f"{i + 1:>4}" for i in range(len(ways))]))
        for fault in FAULTS:
            print("# " + " ".join([f"{fault:10}"] + [f"{self.table[fault, way]:>4}" for way in ways]))
        for i, way in enumerate(ways):
            print(f"# {i + 1}: {way}")


def modelled(t, way):
    """Prices that a back end states."""
    t.forget()
    t.note(way, t.run_all(*t.by(), "--costs", "model"))


def on_threads(t, way):
    t.forget()
    t.note(way, t.run_all(*t.by(), "--costs", "model", "--threads", "4"))


def in_layout(layout):
    def check(t, way):
        t.forget()
        t.note(way, t.run_all(*t.by(f"-layout={layout}"), "--costs", "model", "--partitioner", "eager"))
    return check


def isolated(t, way):
    t.forget()
    t.note(way, t.run_all(*t.by(), "--costs", "model", "--isolate", "faulty"))


def is_measured(t, way, kind, models, by, named):
    """Prices that are measured here: the worker refuses, and the database lists the sentences."""
    owners = {}
    for model in models:
        t.b.answers(["partition", model, *by, "--partitioner", "eager", "--quiet", "--out", "plan.json"], limit=3000)
        owners.update({node: p["backend"] for p in json.loads(t.b.read("plan.json"))["partitions"] for node in p["nodes"]})
        t.run(model, *(by[:2] if kind == "faulty" else []), "--quiet", "--plan", "plan.json")
    refused = [node for node in t.every if owners.get(node) != kind]
    t.note(way, refused)
    listed = [reason for kernel, reason in t.failures() if kernel.startswith(f"{kind}.") and re.match(named, reason)]
    if len(listed) != len(refused):
        t.b.problem(["targets", "--failures"], f"lists {len(listed)} kernels where {len(refused)} were refused")
    for reason in listed:
        t.hold(["targets", "--failures"], "a kernel", reason, named)


def measured(t, way):
    is_measured(t, way, "faulty", t.models, t.by(""), r"back end 'faulty' \(1\) is wrong: ")


def measured_apart(t, way):
    t.set("on", "6")
    is_measured(t, way, "faulty", t.models, [*t.by(""), "--isolate", "faulty"], r"back end 'faulty' \(6\) is wrong: ")


def measured_and_compiled(t, way):
    by = ["--target", "cpu_loops, reference", "--target-cpu_loops-cc", t.b.path("compiler")]
    is_measured(t, way, "cpu_loops", t.relus, by, r"back end 'cpu_loops' \(.*\) is wrong: ")


def from_plan(t, way):
    """A plan in a file: the call ends with status 1 and the sentence."""
    t.forget()
    refused = []
    for fault in FAULTS:
        for seed in range(t.count):
            t.b.write("one.onnx", network([fault], [seed]))
            t.set("off")
            t.b.answers(["partition", "one.onnx", *t.by(), "--costs", "model", "--quiet", "--out", "one.json"])
            t.set()
            call = ["run", "one.onnx", "--backend-dir", t.b.path("libs"), "--plan", "one.json", "--quiet"]
            code, out, err = t.b.call(*call)
            if code == 1 and not out and "in the first run" not in err:
                refused.append(f"{fault}_{seed}")
                sentence = re.fullmatch(r"inlay: back end 'faulty' could not emit composite '(?:relu|add)' at node '(\w+)': (.*)\n", err)
                t.hold(call, refused[-1], sentence[2] if sentence is not None and sentence[1] == refused[-1] else err, "version 1: ")
    t.note(way, refused)


def from_database(t, way):
    """Prices that an earlier call measured, when the rows of its checks are gone; while they are there, they are believed."""
    call = [*t.by(""), "--partitioner", "eager"]
    t.set("off", "3")
    if t.run_all(*call):
        t.b.problem(["run", t.models[0], *call], "refuses kernels that are right")
    t.keep()
    t.set("on", "3")
    # These show in no first run.
    refused = [node for node in t.run_all(*call, named="version 3: ", is_right=False) if node.startswith("past_write")]
    if refused:
        t.b.problem(["run", t.models[0], *call], f"compares again what a row calls right: {refused[:5]}")
    t.go_back()
    with sqlite3.connect(t.b.path("costs.sqlite")) as database:
        database.execute("DELETE FROM kernel_check")
    database.close()
    before = len(t.failures())
    refused = t.run_all(*call, named="version 3: ")
    t.note(way, refused)
    listed = len(t.failures()) - before
    if listed != len(refused):
        t.b.problem(["targets", "--failures"], f"lists {listed} more kernels after {len(refused)} were refused")


def of_other_version(t, way):
    """Prices that are stated, when the database has checks by another version of the library."""
    call = [*t.by(), "--partitioner", "eager"]
    t.set("off", "4")
    if t.run_all(*call):
        t.b.problem(["run", t.models[0], *call], "refuses kernels that are right")
    t.set("on", "5")
    t.note(way, t.run_all(*call, named="version 5: "))


def without_version(t, way):
    """A library that names no version is checked by each call."""
    call = [*t.by(), "--partitioner", "eager"]
    t.set("off", "")
    if t.run_all(*call):
        t.b.problem(["run", t.models[0], *call], "refuses kernels that are right")
    t.set("on", "")
    t.note(way, t.run_all(*call, named=""))


def compiled(kind, *more):
    def check(t, way):
        t.forget()
        call = ["--target", f"{kind}, reference", f"--target-{kind}-cc", t.b.path("compiler"), "--costs", "model", *more]
        t.note(way, t.run_all(*call, models=t.relus, named=r"version \S+ [^:]*: "))
    return check


def unchecked(t):
    """With --unchecked each of these kernels runs, and the faults show in the results."""
    for model in t.models:
        call = ["run", model, *t.by(), "--costs", "model", "--unchecked", "--check"]
        code, out, err = t.b.call(*call, limit=3000)
        right = [node for node in re.findall(r"^y_(\w+)  .* agrees", out, re.MULTILINE) if node.rsplit("_", 1)[0] in VISIBLE]
        if code != 1 or "has no kernel" in err or right or "DIFFERS" not in out:
            t.b.problem(call, f"ends with {code}, says {err[-300:]!r}, and gives right results of {right[:10]}")


def goes_on(t):
    """A database that is full of kernels that failed does not keep a call from going on without others."""
    with sqlite3.connect(t.b.path("costs.sqlite")) as database:
        full = "".join(f"{i:032x} it failed\n" for i in range(1000))
        database.execute("UPDATE decision SET decided = ? WHERE decided LIKE '%expected%'", (full,))
    database.close()
    t.set("on", "7")
    if len(t.run(t.models[0], *t.by(), "--partitioner", "eager", named="version 7: ")) < len(FAULTS):
        t.b.problem(["run", t.models[0]], "refuses too few kernels")


# In this order: the calls on prices of the database share one. The last are left out unless all are asked for.
WAYS = {
    "modelled": modelled,
    "modelled, on four threads": on_threads,
    "modelled, channels last": in_layout(1),
    "modelled, in blocks of 8 channels": in_layout(8),
    "modelled, in blocks of 16 channels": in_layout(16),
    "in a process of its own": isolated,
    "compiled by cpu_loops": compiled("cpu_loops"),
    "compiled by portable_c": compiled("portable_c"),
    "from a plan file": from_plan,
    "measured": measured,
    "from the database": from_database,
    "checked by another version": of_other_version,
    "without a version": without_version,
}
MORE = {
    "compiled by cpu_loops, on four threads": compiled("cpu_loops", "--target-cpu_loops-threads", "4", "--threads", "4"),
    "measured in a process of its own": measured_apart,
    "compiled by cpu_loops, measured": measured_and_compiled,
}


def main(program, count, is_all, part):
    tap = Tap()
    b = Bench(program)
    if not shutil.which("gcc"):
        tap.skip("kernels with seeded faults are refused", "there is no gcc")
        return tap.done()
    os.makedirs(b.path("libs"))
    done = subprocess.run(["gcc", "-std=c11", "-O1", "-shared", "-fPIC", "-I", INCLUDE, os.path.join(TESTS, "seeded_faults.c"), "-o", b.path("libs/faulty.so")],
                          capture_output=True, text=True)
    if done.returncode != 0:
        tap.fail("the back end with faults is compiled", done.stderr)
        return tap.done()
    b.write("compiler", MISCOMPILER % {"python": sys.executable, "channels": CHANNELS, "header": os.path.join(TESTS, "seeded_faults.h")})
    os.chmod(b.path("compiler"), 0o755)
    t = Trial(b, count)
    for way, check in {**WAYS, **(MORE if is_all else {})}.items():
        if not re.search(part, way):
            continue
        start = time.monotonic()
        t.set()
        check(t, way)
        print(f"# {way}: {time.monotonic() - start:.1f} s")
        tap.verdict(f"kernels with seeded faults are refused: {way}", b.take())
    for check in (unchecked, goes_on) if not part else ():
        t.set()
        check(t)
        tap.verdict(check.__doc__, b.take())
    t.show()
    return tap.done()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, help="of each fault and way; 100 with INLAY_EVERY_CASE, else 4")
    parser.add_argument("--all", action="store_true", help="all ways")
    parser.add_argument("--ways", default="", help="only those that a regular expression finds")
    arguments = parser.parse_args()
    every = bool(os.environ.get("INLAY_EVERY_CASE"))
    sys.exit(main(arguments.program, arguments.seeds or (100 if every else 4), arguments.all or every, arguments.ways))
