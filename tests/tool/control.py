# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""The verbs on models with branches and loops: control.py PROGRAM"""
import json
import os
import struct
import sys

from emit import make
from place import npy
from tool import Bench, Tap, seeds

BOOL, INT64 = 9, 7


def scalar(name, element, value):
    """An initialiser of rank 0."""
    raw = struct.pack("<q", value) if element == INT64 else struct.pack("<?", value)
    return seeds.number(2, element) + seeds.block(8, name) + seeds.block(9, raw)


def branch(shape=(2, 8)):
    """If c: Relu(MatMul(x, w)), else Neg(Abs(x)); then Exp."""
    out = [seeds.value_info("b", shape)]
    yes = seeds.graph([seeds.node("MatMul", ["x", "w"], ["m"], "product"), seeds.node("Relu", ["m"], ["b"], "relu")], [], out)
    no = seeds.graph([seeds.node("Abs", ["x"], ["a"], "abs"), seeds.node("Neg", ["a"], ["b"], "neg")], [], out)
    nodes = [seeds.node("If", ["c"], ["chosen"], "choice", [seeds.graph_attribute("then_branch", yes), seeds.graph_attribute("else_branch", no)]),
             seeds.node("Exp", ["chosen"], ["y"], "exp")]
    weights = [seeds.tensor("w", [8, 8], [((7 * i) % 11 - 5) / 40 for i in range(64)])]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("c", [], BOOL), seeds.value_info("x", shape)], [seeds.value_info("y", shape)], weights))


def loop(trips, shape=(4,)):
    """Adds x so many times, and stacks what comes of it; trips None: an input says how many."""
    kept = [seeds.value_info("going", [], BOOL), seeds.value_info("sum", shape)]
    body = seeds.graph([seeds.node("Identity", ["on"], ["going"], "on"), seeds.node("Add", ["so_far", "x"], ["sum"], "add"),
                        seeds.node("Tanh", ["sum"], ["slice"], "tanh")],
                       [seeds.value_info("i", [], INT64), seeds.value_info("on", [], BOOL), seeds.value_info("so_far", shape)],
                       kept + ([seeds.value_info("slice", shape)] if trips is not None else []))
    results = ["last", "all"] if trips is not None else ["last"]
    nodes = [seeds.node("Loop", ["n", "", "x"], results, "loop", [seeds.graph_attribute("body", body)])]
    inputs = [seeds.value_info("x", shape)] + ([seeds.value_info("n", [], INT64)] if trips is None else [])
    outputs = [seeds.value_info("last", shape)] + ([seeds.value_info("all", [trips, *shape])] if trips is not None else [])
    return seeds.model(seeds.graph(nodes, inputs, outputs, [scalar("n", INT64, trips)] if trips is not None else []))


BY = ["--costs", "model", "--quiet"]


def runs(b):
    """Both sides of a branch, and a loop, run on back ends and give what they mean."""
    b.write("branch.onnx", branch())
    b.write("x.npy", npy("<f4", [2, 8], [((5 * i) % 13 - 6) / 4 for i in range(16)]))
    for condition in (True, False):
        b.write("c.npy", npy("|b1", [], [condition]))
        b.answers(["run", "branch.onnx", *BY, "--input", "c=c.npy", "--input", "x=x.npy", "--check"], "float32[2,8]", "agrees")
    b.write("loop.onnx", loop(5))
    b.answers(["run", "loop.onnx", *BY, "--check"], "last  float32[4]", "all  float32[5,4]", "agrees")
    b.write("open.onnx", loop(None))
    b.write("n.npy", npy("<i8", [], [3]))
    b.answers(["run", "open.onnx", *BY, "--input", "n=n.npy", "--check"], "agrees")


def plans(b):
    """partition shows the plan of each body, plans are kept in files, and priced side by side."""
    b.write("branch.onnx", branch())
    out = b.answers(["partition", "branch.onnx", *BY, "--target", "cpu_loops,reference", "--out", "plan.json"],
                    "control_flow", "body 0 of its control flow", "body 1 of its control flow", "single:cpu_loops: ")
    if "no cover" in out:
        b.problem(["partition"], f"finds no cover for a contender: {out!r}")
    if "single:control_flow" in out:
        b.problem(["partition"], "counts what holds a program together as a contender")
    b.answers(["run", "branch.onnx", "--quiet", "--plan", "plan.json", "--check"], "agrees")
    b.answers(["verify", "branch.onnx", "plan.json"])
    whole = json.loads(b.answers(["partition", "branch.onnx", *BY, "--json"]) or "{}")
    owners = [part["backend"] for part in whole.get("partitions", [])]
    if "control_flow" not in owners:
        b.problem(["partition", "--json"], f"has no part that chooses: {owners}")
    b.answers(["show", "branch.onnx"], "if")
    listed = b.answers(["partition", "branch.onnx", *BY, "--target", "reference"])
    if listed.count("reference") < 3:
        b.problem(["partition"], f"does not say who runs the bodies: {listed!r}")


def scan(steps, shape=(4,)):
    """Running sums over the columns of x, from the last on."""
    body = seeds.graph([seeds.node("Add", ["so_far", "column"], ["sum"], "add"), seeds.node("Sigmoid", ["sum"], ["seen"], "sigmoid")],
                       [seeds.value_info("so_far", shape), seeds.value_info("column", shape)], [seeds.value_info("sum", shape), seeds.value_info("seen", shape)])
    number = seeds.block(1, "num_scan_inputs") + seeds.number(3, 1) + seeds.number(20, 2)
    how = [number, seeds.integers("scan_input_axes", [1]), seeds.integers("scan_input_directions", [1]), seeds.integers("scan_output_axes", [-1])]
    nodes = [seeds.node("Scan", ["first", "x"], ["last", "all"], "scan", [seeds.graph_attribute("body", body)] + how)]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("first", shape), seeds.value_info("x", [*shape, steps])],
                                   [seeds.value_info("last", shape), seeds.value_info("all", [*shape, steps])]))


def leaves(b):
    """Branches and loops leave as C that builds strictly and agrees, by a plan in a file too."""
    c = ["--target", "c", *BY]
    for name, model, outputs in (("branch", branch(), 1), ("loop", loop(5), 2), ("open", loop(None), 1), ("scan", scan(6), 2)):
        b.write(f"{name}.onnx", model)
        b.answers(["emit", f"{name}.onnx", *c, "--out", name], f"{name}.h declares {name}_run")
        if (out := make(b, name, "check")).count(": 0 of ") != outputs:
            b.problem(["make", "check"], f"does not compare all outputs of {name}: {out!r}")
        b.answers(["run", f"{name}.onnx", *c, "--check"], "agrees")
    b.answers(["partition", "branch.onnx", *c, "--out", "c.json"], "control_flow")
    b.answers(["emit", "branch.onnx", "--quiet", "--plan", "c.json", "--out", "planned"])
    make(b, "planned", "check")
    b.answers(["emit", "branch.onnx", "--target", "accel, c", *BY, "--out", "mixed"], "mixed: branch.h")
    make(b, "mixed", "check")
    # Nothing of it runs here, so that nothing is compiled.
    b.write("cc", '#!/bin/sh\nif [ "$1" = --version ]; then echo "a compiler 1.0"; else echo "it was asked to compile" >&2; exit 1; fi\n')
    os.chmod(b.path("cc"), 0o755)
    b.answers(["emit", "loop.onnx", *c, "--target-portable_c-cc", b.path("cc"), "--out", "elsewhere"], "elsewhere: loop.h")


def refuses(b):
    """What the run decides is refused with the reason."""
    shape = (4,)
    out = [seeds.value_info("b", [None or "n"])]
    yes = seeds.graph([seeds.node("Neg", ["x"], ["b"], "neg")], [], out)
    no = seeds.graph([seeds.node("Concat", ["x", "x"], ["b"], "twice", [seeds.block(1, "axis") + seeds.number(3, 0) + seeds.number(20, 2)])], [], out)
    nodes = [seeds.node("If", ["c"], ["y"], "choice", [seeds.graph_attribute("then_branch", yes), seeds.graph_attribute("else_branch", no)])]
    model = seeds.model(seeds.graph(nodes, [seeds.value_info("c", [], BOOL), seeds.value_info("x", shape)], [seeds.value_info("y", ["n"])]))
    b.write("two.onnx", model)
    b.refuses(["partition", "two.onnx", *BY], "'choice'", "float32[4] or float32[8]", "--interpret", status=1)
    b.write("c.npy", npy("|b1", [], [True]))
    b.answers(["run", "two.onnx", "--interpret", "--input", "c=c.npy"], "y  float32[4]")


def main(program):
    tap = Tap()
    b = Bench(program)
    for check in (runs, plans, leaves, refuses):
        check(b)
        tap.verdict(check.__doc__, b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
