# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""The tool against bad input: bad_input.py PROGRAM

Whatever a call or a file says, the tool ends with 0, 1 or 2, in time; where it refuses, it prints nothing but one sentence and leaves no file.
Of broken files every third is taken, unless INLAY_EVERY_CASE is set.
"""
import copy
import json
import os
import re
import resource
import signal
import sqlite3
import struct
import subprocess
import sys
import time

from tool import TESTS, Bench, Tap, chain, convolution, relu, seeds

MODEL = ["--costs", "model"]
MANY = 60  # kernels that are measured
EVERY = 1 if os.environ.get("INLAY_EVERY_CASE") else 3  # which of the broken files are taken


def npy(descr, shape, data, version=1, order="False"):
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}"
    header += " " * (-(11 + len(header)) % 64) + "\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H", len(header)) + header.encode() + data


def names(b):
    """Names that nobody knows get the nearest known one."""
    b.refuses([], "verb")
    b.refuses(["partitoin", "relu.onnx"], "'partitoin'", "'partition'")
    b.refuses(["--nope"], "'--nope'")
    b.refuses(["partition"], "model")
    b.refuses(["partition", "relu.onnx", "--taget", "reference"], "'--taget'", "'--target'")
    b.refuses(["partition", "relu.onnx", "--taget=reference"], "'--taget'", "'--target'")
    b.refuses(["show", "relu.onnx", "more"], "'more'")
    b.refuses(["show", "relu.onnx", "--text", "--dot"], "--text", "--dot")
    b.refuses(["partition", "relu.onnx", "--text", "--json"], "--text", "--json")
    b.refuses(["partition", "relu.onnx", "--target", "refrence"], "'refrence'", "'reference'")
    b.refuses(["partition", "relu.onnx", "--target", "reference -thraeds=2"], "'thraeds'", "'threads'")
    b.refuses(["partition", "relu.onnx", "--target", "reference -thraeds"], "'-thraeds'", "'threads'")
    b.refuses(["partition", "relu.onnx", "--target", "reference 2"], "'2'", "-name=value")
    b.refuses(["partition", "relu.onnx", "--target", ""], "names no target")
    b.refuses(["partition", "relu.onnx", "--target", "reference,, reference"], "names no target")
    b.refuses(["partition", "relu.onnx", "--target", "reference -a='1"], "never closed")
    b.refuses(["partition", "relu.onnx", "--target-reference-thraeds", "2"], "'--target-reference-thraeds'")
    b.refuses(["partition", "relu.onnx", "--target", "reference, reference"], "stands twice")
    b.refuses(["partition", "relu.onnx", "--target", "llvm", "--target", "c"], "'llvm' and 'c'")
    b.refuses(["partition", "relu.onnx", "--target", "llvm -mcpu=x"], "'llvm'", "no options here")
    b.refuses(["partition", "relu.onnx", "--target", "cuda -arch=80"], "'sm_80'")
    b.refuses(["partition", "relu.onnx", "--target", "cuda -keys=cuda,gpu -arch=sm_80, llvm"], "nothing in this build runs on 'cuda'")
    b.refuses(["partition", "relu.onnx", "--target", '[{"kind": "reference", "thraeds": 2}]'], "targets[0].thraeds", "'threads'")
    b.refuses(["partition", "relu.onnx", "--target", '{"kind": "refrence"}'], "'reference'")
    b.refuses(["partition", "relu.onnx", "--target", "["], "JSON")
    for nothing in ("[]", " [ ] ", b.write("none.json", "[]")):
        for verb in ("partition", "run", "price"):
            b.refuses([verb, "relu.onnx", *MODEL, "--target", nothing], "no target")
    b.refuses(["partition", "relu.onnx", *MODEL, "--target", "{}"])
    b.refuses(["partition", "relu.onnx", "--target", "nowhere.json"], "'nowhere.json'")
    b.refuses(["partition", "relu.onnx", "--target", b.write("list.json", '["refrence"]')], "'list.json'", "'reference'")
    b.refuses(["partition", "relu.onnx", "--threads", "0"], "--threads")
    b.refuses(["partition", "relu.onnx", "--threads", "99999999999999999999"], "--threads")
    b.refuses(["partition", "relu.onnx", "--threads", "two"], "--threads")
    b.refuses(["partition", "relu.onnx", *MODEL, "--partitioner", "exakt"], "'exakt'", "'exact'")
    b.refuses(["partition", "relu.onnx", *MODEL, "--partitioner", "single:refrence"], "'reference'")
    b.refuses(["partition", "relu.onnx", "--costs", "mesured"], "'mesured'", "'measured'")
    b.refuses(["run", "relu.onnx", *MODEL, "--seed", "-1"], "--seed", "below 0")
    b.refuses(["run", "relu.onnx", *MODEL, "--seed", "one"], "--seed")
    b.refuses(["search", "search.json", "--budget", "-1"], "--budget", "below 0")
    b.refuses(["extract", "relu.onnx", *MODEL, "--part", "-1", "--out", "e"], "--part", "below 0")
    b.refuses(["extract", "relu.onnx", *MODEL, "--part", "7", "--out", "e"], "7")
    b.refuses(["extract", "relu.onnx", *MODEL, "--out", "e"], "--part", "--nodes")
    b.refuses(["extract", "relu.onnx", "--nodes", "r9", "--out", "e"], "'r9'", "'r0'")
    b.refuses(["extract", "relu.onnx", "--nodes", "x", "--out", "e"], "'x' is an input")
    b.refuses(["extract", "relu.onnx", "--nodes", ",", "--out", "e"], "no node ''")
    b.refuses(["extract", "relu.onnx", "--nodes", "r0", "--part", "0", "--out", "e"], "--part", "--nodes")


def shapes(b):
    """Shapes and sizes that are none, and inputs without one."""
    for text, word in (("x", "NAME=1,3"), ("x=", "'x'"), ("x=1,,2", "x=1,,2"), ("x=a", "x=a"), ("z=1,3", "'z'"), ("x=-1,3", "-1"), ("x=1,4", "4"),
                       ("x=1,3,1", "'x'"), ("x=99999999999999999999,1", "15 digits"), ("=1,3", "=1,3"), ("x=1,3\n", "x")):
        b.refuses(["show", "relu.onnx", "--shape", text], word)
    for text, word in (("M=3", "'N'"), ("N", "NAME=VALUE"), ("N=-1", "N=-1"), ("N=1e3", "N=1e3"), ("N=", "N="), ("=3", "=3")):
        b.refuses(["show", "symbolic.onnx", "--set", text], word)
    for size in (1 << 20, 1 << 42, 999999999999999):
        b.refuses(["run", "symbolic.onnx", *MODEL, "--set", f"N={size}"], "'x'", "memory")
        b.answers(["partition", "symbolic.onnx", *MODEL, "--set", f"N={size}"])
    for verb in ("partition", "price", "run", "tune"):
        b.refuses([verb, "symbolic.onnx", *MODEL], "'x'", "--shape")
    b.refuses(["extract", "symbolic.onnx", "--nodes", "r0", "--out", "e"], "'x'", "--shape")
    b.answers(["run", "symbolic.onnx", *MODEL, "--set", "N=0"])


def models(b):
    """Models that are none: each refusal names the file."""
    value, node, graph, model, tensor = seeds.value_info, seeds.node, seeds.graph, seeds.model, seeds.tensor
    x, y = [value("x", [1])], [value("y", [1])]
    one = node("Relu", ["x"], ["y"], "r")
    whole = relu([1, 3])
    bad = {
        "empty": (b"", "empty"), "text": (b"hello world", "no ONNX model"), "zeros": (bytes(100), "no ONNX model"),
        "claim": (seeds.varint(7 << 3 | 2) + seeds.varint((1 << 31) - 1) + b"x" * 90, "damaged"),
        "tensor_claim": (model(graph([node("Relu", ["w"], ["y"])], [], y, [seeds.number(1, 1 << 29) + seeds.number(2, 1) + seeds.block(8, "w") +
                                                                             seeds.varint(9 << 3 | 2) + seeds.varint((1 << 31) - 1)])), "damaged"),
        "few": (model(graph([node("Relu", ["w"], ["y"])], [], y, [tensor("w", [10 ** 6, 10 ** 6], [1])])), "'w'"),
        "many": (model(graph([node("Relu", ["w"], ["y"])], [], [value("y", [2])], [tensor("w", [2], [1, 2, 3])])), "'w'"),
        "below_zero": (model(graph([one], [value("x", [-2])], [value("y", [-2])])), "-2"),
        "huge": (model(graph([one], [value("x", [1 << 40, 1 << 40])], y)), "memory"),
        "cycle": (model(graph([node("Add", ["x", "b"], ["a"], "first"), node("Relu", ["a"], ["b"])], x, [value("b", [1])])), "'first'"),
        "self": (model(graph([node("Add", ["x", "y"], ["y"], "it")], x, y)), "'it'"),
        "unsorted": (model(graph([node("Relu", ["a"], ["y"], "late"), node("Relu", ["x"], ["a"])], x, y)), "'late'"),
        "twice": (model(graph([one, one], x, y)), "'y'"),
        "two_inputs": (model(graph([one], x + x, y)), "'x'"),
        "missing": (model(graph([node("Add", ["x", "nope"], ["y"], "sum")], x, y)), "'nope'"),
        "no_output": (model(graph([one], x, [value("z", [1])])), "'z'"),
        "unknown": (model(graph([node("Rleu", ["x"], ["y"], "r")], x, y)), "Rleu"),
        "domain": (model(graph([node("Relu", ["x"], ["y"], "r", domain="of.nobody")], x, y)), "of.nobody"),
        "no_operand": (model(graph([node("Relu", [], ["y"], "r")], x, y)), "'r'"),
        "stretch": (model(graph([node("Add", ["x", "w"], ["y"], "sum")], [value("x", [4])], [value("y", [4])], [tensor("w", [3], [1, 2, 3])])), "'sum'"),
        "stride": (model(graph([node("Conv", ["x", "w"], ["y"], "c", [seeds.integers("strides", [0, 0])])], [value("x", [1, 1, 3, 3])],
                               [value("y", [1, 1, 2, 2])], [tensor("w", [1, 1, 2, 2], [1, 2, 3, 4])])), "strides"),
        "pads": (model(graph([node("Conv", ["x", "w"], ["y"], "c", [seeds.integers("pads", [1 << 60] * 4)])], [value("x", [1, 1, 3, 3])],
                             [value("y", [1, 1, 2, 2])], [tensor("w", [1, 1, 2, 2], [1, 2, 3, 4])])), "pads"),
        "no_graph": (seeds.number(1, 7), ""),
    }
    for name, (content, word) in bad.items():
        file = b.write(f"bad_{name}.onnx", content)
        b.refuses(["show", file], f"'{file}'", word)
        b.refuses(["run", file, *MODEL], f"'{file}'", word)
    for cut in range(1, len(whole), 7):
        b.refuses(["show", b.write("cut.onnx", whole[:cut])], "'cut.onnx'")
    b.refuses(["show", "nowhere.onnx"], "'nowhere.onnx'")
    b.refuses(["show", "."], "folder")
    b.refuses(["show", "nowhere.relay"], "'nowhere.relay'")
    b.refuses(["tune", "relu.onnx", "nowhere.onnx", *MODEL], "'nowhere.onnx'")
    b.refuses(["partition", "big.onnx", *MODEL, "--partitioner", "exhaustive"], "plain enumeration", "exact")


def every_verb(b):
    """Each verb refuses a model that is none, whatever else it is asked for: an empty file, a folder, junk, a file cut short, sizes beyond memory."""
    whole = convolution()
    value, node = seeds.value_info, seeds.node
    b.write("hostile_empty.onnx", b"")
    b.write("hostile_junk.onnx", bytes((i * i * 7 + i) % 256 for i in range(4096)))
    b.write("hostile_cut.onnx", whole[:len(whole) // 2])
    b.write("hostile_huge.onnx", seeds.model(seeds.graph([node("Relu", ["x"], ["y"], "r")], [value("x", [1 << 40, 1 << 40])], [value("y", [1 << 40, 1 << 40])])))
    os.makedirs(b.path("hostile_folder.onnx"), exist_ok=True)
    b.call("partition", "relu.onnx", *MODEL, "--out", "hostile_plan.json")
    b.write("hostile_rules.txt", "twice: Relu(?r:Relu) => ?r;\n")
    # The verbs, with their arguments before and behind the model.
    verbs = [([], "show", []), (["Relu"], "grep", []), (["hostile_rules.txt"], "rewrite", []), ([], "partition", MODEL), ([], "verify", ["hostile_plan.json"]),
             ([], "run", MODEL), ([], "bench", MODEL), ([], "price", MODEL), ([], "tune", MODEL), ([], "extract", ["--nodes", "r", "--out", "hostile_part"]),
             ([], "why", ["r", *MODEL]), ([], "pareto", MODEL)]
    for kind in ("empty", "junk", "cut", "huge", "folder"):
        file = f"hostile_{kind}.onnx"
        for before, verb, behind in verbs:
            b.refuses([verb, *before, file, *behind], f"'{file}'")
            b.refuses([verb, *before, file, *behind, "--json"], f"'{file}'")
    # What a verb reads beside a model.
    for kind in ("empty", "junk", "folder"):
        file = f"hostile_{kind}.onnx"
        for call in (["rewrite", file, "conv.onnx"], ["rewrite", file, "conv.onnx", "--check"], ["verify", "conv.onnx", file], ["run", "conv.onnx", "--plan", file], ["search", file],
                     ["partition", "conv.onnx", "--costs", file], ["partition", "conv.onnx", *MODEL, "--constraints", file],
                     ["why", "conv.onnx", "conv", *MODEL, "--constraints", file], ["pareto", "conv.onnx", *MODEL, "--constraints", file],
                     ["run", "conv.onnx", *MODEL, "--input", f"x={file}"], ["run", "conv.onnx", *MODEL, "--arg", file]):
            b.refuses(call, file)
    for call in (["targets", "more"], ["peak", "more"], ["targets", "--limit", "3"], ["peak", "--threads", "0"], ["grep", "", "conv.onnx"], ["grep", "\xff\xfe", "conv.onnx"],
                 ["grep", "Relu", "conv.onnx", "--limit", "-1"], ["grep", "Relu", "conv.onnx", "--limit", "many"], ["why", "conv.onnx", "conv", *MODEL, "--budget", "-1"],
                 ["why", "conv.onnx", "conv", *MODEL, "--budget", "soon"]):
        b.refuses(call)


def foreign_names(b):
    """Names from files stay on one line of what is printed, and of what is refused."""
    name = "two\nlines\x1b[31m"
    b.write("foreign.onnx", seeds.model(seeds.graph([seeds.node("Relu", ["x"], ["y"], name)], [seeds.value_info("x", [1, 3])], [seeds.value_info("y", [1, 3])])))
    shown = "two\\x0alines\\x1b[31m"
    for call in (["show", "foreign.onnx"], ["grep", "?r:Relu(?x)", "foreign.onnx"], ["partition", "foreign.onnx", *MODEL], ["why", "foreign.onnx", name, *MODEL, "--target", "reference"],
                 ["price", "foreign.onnx", *MODEL]):
        out = b.answers(call, shown)
        if "\x1b" in out or any(line.startswith("lines") for line in out.splitlines()):
            b.problem(call, f"prints a name as it stands: {out!r}")
    b.refuses(["why", "foreign.onnx", "two", *MODEL], shown)
    unknown = seeds.model(seeds.graph([seeds.node("Re\nlu", ["x"], ["y"], name)], [seeds.value_info("x", [1, 3])], [seeds.value_info("y", [1, 3])]))
    b.refuses(["run", b.write("foreign_op.onnx", unknown), *MODEL], "foreign_op.onnx")


def foreign_bytes(b):
    """Names that are not UTF-8 are escaped in all JSON, and come back."""
    name = b"relu\xff\\x41"
    b.write("bytes.onnx", seeds.model(seeds.graph([seeds.node("Relu", [b"x\xfe"], [b"t\xe2\x28"], name), seeds.node("Tanh", [b"t\xe2\x28"], [b"y\xc3"], b"\xf5")],
                                                  [seeds.value_info(b"x\xfe", [1, 3])], [seeds.value_info(b"y\xc3", [1, 3])])))
    shown = "relu\\xff\\x41"
    model = ["bytes.onnx", *MODEL, "--target", "reference"]
    b.answers(["partition", *model, "--out", "bytes.json"])
    nodes = [n for p in json.loads(b.read("bytes.json").decode("utf-8"))["partitions"] for n in p["nodes"]]
    if sorted(nodes) != sorted([shown, "\\xf5"]):
        b.problem(["partition"], f"writes the nodes {nodes}")
    b.answers(["verify", "bytes.onnx", "bytes.json"])
    b.answers(["run", "bytes.onnx", "--plan", "bytes.json", "--check"], "agrees")
    b.answers(["why", *model[:1], shown, *model[1:]], shown)
    b.answers(["run", *model, "--profile", "trace.json"])
    json.loads(b.read("trace.json").decode("utf-8"))
    b.write("twice.txt", "twice: Relu(?r:Relu) => ?r;")
    for call in (["show", "bytes.onnx"], ["grep", "Relu(?x)", "bytes.onnx"], ["grep", "Sin", "bytes.onnx"], ["rewrite", "twice.txt", "bytes.onnx"], ["partition", *model],
                 ["verify", "bytes.onnx", "bytes.json"], ["run", *model, "--check"], ["price", *model], ["why", *model[:1], shown, *model[1:]], ["pareto", *model],
                 ["tune", "bytes.onnx", "--target", "reference"], ["extract", *model, "--part", "0", "--out", "bytes_part"], ["emit", "bytes.onnx", *MODEL, "--target", "c", "--out", "bytes_c"],
                 ["bench", *model, "--rounds", "1"], ["lower", "bytes.onnx", *MODEL, "--target", "cpu_loops, reference"], ["equal", "bytes.onnx", "bytes.onnx"]):
        process = subprocess.run([b.program, *call, "--json", "--quiet"], cwd=b.folder, env=b.environment, capture_output=True, timeout=120, check=False)
        try:
            json.loads(process.stdout.decode("utf-8"))
        except ValueError as fault:
            b.problem([*call, "--json"], f"gives {process.returncode} and no JSON ({fault}): {process.stdout[-300:]!r} {process.stderr[-300:]!r}")


def mutations(b):
    """Models cut short and with bytes changed are shown and run, or refused."""
    for i, content in list(enumerate(seeds.broken(list(seeds.onnx_models()) + [relu([1, 3], 4), convolution()])))[::EVERY]:
        file = b.write("mutated.onnx", content)
        kept = len(b.problems)
        code, _, _ = b.call("show", file)
        if code == 2:
            b.refuses(["show", file])
        else:
            b.call("run", file, *MODEL, "--target", "reference")
        if len(b.problems) > kept:
            b.problems.append(f"(mutation {i} of seeds.broken; in hexadecimal {content[:2000].hex()})")


def tensors(b):
    """Inputs that do not fit, and files that hold none."""
    ones = struct.pack("<3f", 1, -2, 3)
    run = ["run", "relu.onnx", *MODEL, "--target", "reference"]
    b.answers(run + ["--input", "x=" + b.write("ok.npy", npy("<f4", "(1, 3)", ones))], "y  float32[1,3]")
    for name, content, word in (("shape", npy("<f4", "(3,)", ones), "float32[1,3]"), ("type", npy("<f8", "(1, 3)", ones + ones), "float64[1,3]"),
                                ("short", npy("<f4", "(1, 3)", ones[:8]), "8 bytes"), ("long", npy("<f4", "(1, 3)", ones + ones), "24 bytes"),
                                ("object", npy("|O", "(1, 3)", ones), "'|O'"), ("below_zero", npy("<f4", "(-1, 3)", ones), "header"),
                                ("huge", npy("<f4", "(1, 536870912000)", ones), "12 bytes"), ("overflow", npy("<f4", f"({1 << 62}, {1 << 62})", ones), ""),
                                ("version", npy("<f4", "(1, 3)", ones, version=9), "version 9"), ("text", b"hello", "NumPy"), ("empty", b"", "NumPy"),
                                ("cut", npy("<f4", "(1, 3)", ones)[:40], "NumPy"), ("no_header", b"\x93NUMPY\x01\x00\xff\xff", "NumPy")):
        file = b.write(f"bad_{name}.npy", content)
        b.refuses(run + ["--input", "x=" + file], word)
        b.refuses(run + ["--arg", file], word)
    for name, content in (("junk", b"\xff" * 50), ("empty", b""), ("claim", seeds.varint(9 << 3 | 2) + seeds.varint(1 << 31) + b"x" * 9)):
        b.refuses(run + ["--input", "x=" + b.write(f"bad_{name}.pb", content)], f"'bad_{name}.pb'")
    b.refuses(run + ["--input", "z=ok.npy"], "'z'", "'x'")
    b.refuses(run + ["--input", "x"], "NAME=FILE")
    b.refuses(run + ["--input", "x=nowhere.npy"], "'nowhere.npy'")
    b.refuses(run + ["--input", "x=."], "folder")
    b.refuses(run + ["--input", "x=ok.npy", "--input", "x=ok.npy"], "twice")
    b.refuses(run + ["--input", "x=ok.npy", "--arg", "ok.npy"], "twice")
    b.refuses(run + ["--arg", "ok.npy", "--arg", "ok.npy"], "--arg")
    b.refuses(run + ["--out", "a.npy", "--out", "b.npy"], "--out")


def folders(b):
    """Conformance folders that are none are failures of their own, one line each; one without data has nothing to compare with."""
    for name, files in (("no_model", {}), ("no_data", {"model.onnx": relu([1, 3])}), ("damaged", {"model.onnx": relu([1, 3])[:30], "test_data_set_0/input_0.pb": b"\xff"}),
                        ("junk", {"model.onnx": relu([1, 3]), "test_data_set_0/input_0.pb": b"\xff" * 50})):
        for file, content in files.items():
            os.makedirs(os.path.dirname(b.path(f"{name}/{file}")), exist_ok=True)
            b.write(f"{name}/{file}", content)
        os.makedirs(b.path(name), exist_ok=True)
    out = b.answers(["check", "nowhere", "no_model", "no_data", "damaged", "junk", "relu.onnx", "--target", "reference"], status=1)
    lines = out.splitlines()
    words = [line.split("\t")[0] for line in lines[:-1]]
    if len(words) != 6 or "pass" in words or [words[0], words[1], words[2], words[5]] != ["fail", "fail", "unsupported", "fail"]:
        b.problem(["check"], f"prints {out!r}")
    b.refuses(["check", "no_model", "--prefer", "refrence"], "'refrence'", "'reference'")
    b.refuses(["check", "no_model", "--rtol", "x"], "--rtol")
    b.refuses(["check"], "folders")


def stale_files(b):
    """A part is written over an older one with more inputs, and nothing of that one is left."""
    b.answers(["extract", "sum.onnx", "--nodes", "sum", "--out", "part"], "part/model.onnx")
    b.answers(["extract", "relu.onnx", *MODEL, "--target", "reference", "--part", "0", "--out", "part"], "part/model.onnx")
    if sorted(os.listdir(b.path("part/test_data_set_0"))) != ["input_0.pb", "output_0.pb"]:
        b.problem(["extract"], f"leaves {sorted(os.listdir(b.path('part/test_data_set_0')))}")
    b.answers(["check", "part", "--target", "reference"], "1 passed, 0 failed")


def no_growth(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def outputs(b):
    """Results that cannot be written."""
    os.makedirs(b.path("taken"), exist_ok=True)
    run, part = ["run", "relu.onnx", *MODEL], ["partition", "relu.onnx", *MODEL]
    for option, command in (("--out", run), ("--profile", run), ("--out", part), ("--save-costs", part)):
        b.refuses(command + [option, "taken"], "'taken'", "directory")
        b.refuses(command + [option, "nowhere/file"], "'nowhere/file'")
        b.refuses(command + [option, "/dev/full"], "No space")
        b.refuses(command + [option, "file"], "'file'", "too large", before=no_growth(0))
    b.refuses(run + ["--output", "relu.onnx"], "'relu.onnx'")
    b.refuses(run + ["--output", "/proc/nowhere/at/all"], "/proc/nowhere")
    b.refuses(["extract", "relu.onnx", *MODEL, "--part", "0", "--out", "relu.onnx"], "relu.onnx")
    b.refuses(["extract", "relu.onnx", *MODEL, "--part", "0", "--out", "e"], "too large", before=no_growth(0))
    before = b.files()
    for command in (["show", "relu.onnx"], part, part + ["--json"], ["targets"], ["search", "search.json"]):
        with open("/dev/full", "wb") as full:
            code, _, err = b.call(*command, "--quiet", stdout=full)
        if code != 2 or len(err.splitlines()) != 1 or "standard output" not in err:
            b.problem(command, f"does not mind a full disk behind its standard output: {code}, {err!r}")
    b.leaves(["..."], before)
    # What stood there before stays as it was.
    b.write("kept.json", "old")
    b.refuses(part + ["--out", "kept.json"], "too large", before=no_growth(1))
    if b.read("kept.json") != b"old":
        b.problem(part, "spoils a file that it cannot write anew")


def plans(b):
    """Plan files that are none of this model's."""
    b.answers(["partition", "relu.onnx", *MODEL, "--out", "plan.json"])
    right = json.loads(b.read("plan.json"))
    b.answers(["verify", "relu.onnx", "plan.json"], "holds")

    def changed(change):
        plan = copy.deepcopy(right)
        change(plan)
        return b.write("changed.json", json.dumps(plan))

    def composite(key, value):
        return lambda p: p["partitions"][0]["composites"][0].__setitem__(key, value)

    for change, word in ((lambda p: p.update(version=2), "version 2"), (lambda p: p.update(version="1"), "version"), (lambda p: p.pop("version"), "version"),
                         (lambda p: p.update(partitons=[]), "'partitions'"), (lambda p: p.update(partitions=None), "partitions"),
                         (lambda p: p.update(status="fine"), "'fine'"), (lambda p: p.update(gap="x"), "gap"), (lambda p: p.update(seconds=-1), "seconds"),
                         (lambda p: p.update(objective={"of": "luck", "value": 1, "lower_bound": 1, "gap": 0}), "'luck'"), (lambda p: p.update(objective=5), "objective"),
                         (lambda p: p.update(objective={"of": "peak", "value": -1, "lower_bound": 1, "gap": 0}), "objective.value"),
                         (lambda p: p.update(objective={"of": "peak", "value": 1, "gap": 0}), "'lower_bound'"), (lambda p: p.update(fines=-1), "fines"),
                         (lambda p: p.update(partitioner="luck"), "'luck'"), (lambda p: p.update(others=5), "others"),
                         (lambda p: p.update(conversions=5), "conversions"), (lambda p: p.pop("conversions"), "conversions"),
                         (lambda p: p.update(conversions=[{"node": "r0", "from": "float32:plain", "to": "x", "seconds": 0}]), "conversions[0]"),
                         (lambda p: p["partitions"][0].update(nodes=["r9"]), "'r9'"), (lambda p: p["partitions"][0].update(seconds=5), "add up"),
                         (lambda p: p["partitions"][0].update(backend="nobody"), "'nobody'"), (lambda p: p["partitions"][0].update(composites=[]), "composites"),
                         (composite("name", "x" * 10000), "composites[0]"), (composite("nodes", ["r9"]), "composites[0]"),
                         (lambda p: p.update(proof=5), "proof"), (lambda p: p["proof"]["costs"].pop(), "candidates"), (lambda p: p["proof"].pop("formats"), "'formats'"),
                         (lambda p: p["proof"]["costs"].__setitem__(0, -1), "proof.costs[0]"), (lambda p: p["proof"].update(price=1), "'price'"),
                         (lambda p: p["proof"]["conversions"][0]["seconds"].pop(), "proof.conversions[0]"),
                         (lambda p: p["proof"]["certificate"].pop("bound"), "'bound'"),
                         (composite("inputs", []), "composites[0]"), (composite("seconds", None), "seconds"), (composite("sceonds", 1), "'seconds'")):
        file = changed(change)
        b.refuses(["verify", "relu.onnx", file], "'changed.json'", word)
        b.refuses(["run", "relu.onnx", "--plan", file], "'changed.json'", word)
    # Plans that can be read and break a law.
    for change, word in ((lambda p: p.update(partitions=p["partitions"] * 2), "exactly once"), (lambda p: p.update(partitions=[]), "exactly once"),
                         (lambda p: p["partitions"][0]["nodes"].append("r0"), "exactly its composites")):
        file = changed(change)
        b.answers(["verify", "relu.onnx", file], "BROKEN", word, status=1)
        b.refuses(["run", "relu.onnx", "--plan", file], "law", word)
    b.answers(["verify", "relu.onnx", changed(lambda p: p.update(seconds=1))], "BROKEN", status=1)
    b.answers(["verify", "relu.onnx", changed(lambda p: p.pop("proof"))], "BROKEN", "no proof", status=1)
    b.answers(["verify", "relu.onnx", changed(lambda p: p["proof"].update(costs=[c and c * 1.5 for c in p["proof"]["costs"]]))], "BROKEN", "it costs", status=1)
    b.answers(["verify", "relu.onnx", changed(lambda p: p.update(lower_bound=1))], "BROKEN", status=1)
    b.answers(["verify", "relu.onnx", changed(lambda p: p.update(fines=1))], "BROKEN", "it costs", status=1)
    b.answers(["verify", "relu.onnx", changed(lambda p: p.update(objective={"of": "peak", "value": 1, "lower_bound": 2, "gap": 0}))], "BROKEN", status=1)
    for content in (b"", b"[", b"[]", b"null", b"[" * 100000, b"\xff\xfe\x00", b"hello", json.dumps(right)[:60].encode(), b'{"version": 1e999}'):
        b.refuses(["verify", "relu.onnx", b.write("changed.json", content)], "'changed.json'")
    b.refuses(["verify", "relu.onnx", "nowhere.json"], "'nowhere.json'")
    b.refuses(["verify", "conv.onnx", "plan.json"], "'plan.json'")


def instances(b):
    """Search instances that are none."""
    right = json.loads(b.read("search.json"))
    for key, value in (("nodes", 10 ** 18), ("nodes", -1), ("formats", 1 << 40), ("edges", [[0, 1], [1, 0]]), ("edges", [[0, 0]]), ("candidates", None),
                       ("candidates", [{"nodes": [0], "cost": -1, "in": 0, "out": 0}]), ("candidates", [{"nodes": [0, 0], "cost": 1, "in": 0, "out": 0}]),
                       ("candidates", [{"nodes": [9], "cost": 1, "in": 0, "out": 0}]), ("conversions", {"default": [[1, 0], [0, -1]]}), ("unheard", 1)):
        b.refuses(["search", b.write("bad.json", json.dumps({**right, key: value}))], "bad.json")
    b.refuses(["search", b.write("bad.json", json.dumps({**right, "candidates": [{"nodes": [0], "csot": 1, "in": 0, "out": 0}]}))], "'cost'")
    for content in (b"", b"[" * 100000, json.dumps(right).replace("1.5", "NaN").encode(), json.dumps(right).replace("1.5", "1e999").encode(), b"\xff"):
        b.refuses(["search", b.write("bad.json", content)], "bad.json")
    b.refuses(["search", "nowhere.json"], "'nowhere.json'")
    b.refuses(["search", "search.json", "--partitioner", "single:x"], "'single:x'")
    chain = {"nodes": 100, "edges": [[i, i + 1] for i in range(99)], "formats": 1, "conversions": {"default": [[0]]},
             "candidates": [{"nodes": [i], "cost": 1, "in": 0, "out": 0} for i in range(100)]}
    b.refuses(["search", b.write("chain.json", json.dumps(chain)), "--partitioner", "exhaustive"], "plain enumeration", "exact")
    code, out, err = b.call("search", b.write("bad.json", json.dumps({**right, "candidates": right["candidates"][:1]})))
    if code != 1 or "infeasible" not in out or len(err.splitlines()) != 1:
        b.problem(["search", "bad.json"], f"gives {code}, {out!r}, {err!r} where no cover exists")


def rows_of(path):
    connection = sqlite3.connect(path)
    try:
        return connection.execute("select count(*), coalesce(sum(failure != ''), 0) from measurement").fetchone()
    except sqlite3.Error:
        return 0, 0
    finally:
        connection.close()


def databases(b):
    """Databases that are none, damaged, or cannot grow: the work is done, and a sentence says what is the matter."""
    partition = ["partition", "relu.onnx", "--target", "reference", "--quiet"]

    def goes_on(name, *words, **how):
        code, out, err = b.call(*partition, "--database", name, **how)
        if code != 0 or "part 0" not in out:
            b.problem(partition, f"does not go on without the database {name}: {code}, {err!r}")
        for word in words:
            if word not in err or len(err.splitlines()) != 1:
                b.problem(partition, f"says of the database {name}: {err!r}")

    for name, content in (("text.sqlite", b"hello"), ("random.sqlite", bytes(i * i * 7 % 256 for i in range(8192)))):
        b.write(name, content)
        goes_on(name, "'" + name + "'")
        if b.read(name) != content:
            b.problem(partition, f"writes to {name}, which is no database of ours")
    foreign = sqlite3.connect(b.path("foreign.sqlite"))
    foreign.execute("create table theirs (a)")
    foreign.commit()
    foreign.close()
    content = b.read("foreign.sqlite")
    goes_on("foreign.sqlite", "another program")
    if b.read("foreign.sqlite") != content:
        b.problem(partition, "writes to another program's database")
    goes_on("taken", "'taken'")
    goes_on("/proc/nowhere/costs.sqlite", "'/proc/nowhere/costs.sqlite'")
    goes_on("full.sqlite", "'full.sqlite'", before=no_growth(12000))
    goes_on("good.sqlite")
    goes_on("good.sqlite")
    whole = b.read("good.sqlite")
    for at in range(0, len(whole), max(1, EVERY * len(whole) // 12)):
        b.write("damaged.sqlite", whole[:at] + b"\xa5" * 64 + whole[at + 64:])
        goes_on("damaged.sqlite")
        b.write("damaged.sqlite", whole[:at])
        goes_on("damaged.sqlite")
    two = [subprocess.Popen([b.program, "tune", "many.onnx", "--target", "reference", "--database", "shared.sqlite", "--quiet", "--json"], cwd=b.folder,
                            env=b.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    for process in two:
        try:
            out, err = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            b.problem(["tune", "many.onnx"], "two at once hang")
            continue
        if process.returncode != 0 or err:
            b.problem(["tune", "many.onnx"], f"two at once: {process.returncode}, {err!r}")
    counts = json.loads(b.answers(["tune", "many.onnx", "--target", "reference", "--database", "shared.sqlite", "--quiet", "--json"]) or "{}")
    if not counts or counts["models"][0]["measured"] != 0:
        b.problem(["tune", "many.onnx"], f"lost what two processes measured at once: {counts}")


def interruption(b):
    """Ctrl-C and SIGTERM, which reach the workers as well, end measuring soon; what was measured is kept and not measured again."""
    for how in (signal.SIGINT, signal.SIGTERM):
        interrupted_by(b, how)


def interrupted_by(b, how):
    kept = 0
    if os.path.exists(b.path("interrupted.sqlite")):
        os.remove(b.path("interrupted.sqlite"))
    for seconds in (0.4, 0.8, 1.6, 3.2, 6.4, 12.8):
        process = subprocess.Popen([b.program, "tune", "many.onnx", "--target", "reference", "--database", "interrupted.sqlite", "--quiet"], cwd=b.folder,
                                   env=b.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        time.sleep(seconds)
        if process.poll() is not None:
            process.communicate()
            kept = 0
            b.problems.append(f"measuring was over within {seconds} s, too soon to be interrupted")
            break
        os.killpg(process.pid, how)
        try:
            out, err = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            b.problems.append(f"tune does not end within 20 s of {how.name}")
            return
        if process.returncode != 1 or out or len(err.splitlines()) != 1 or b"interrupted" not in err:
            b.problems.append(f"interrupted by {how.name}, tune gives {process.returncode}, {out!r}, {err!r}")
        kept, failed = rows_of(b.path("interrupted.sqlite"))
        if failed:
            b.problems.append(f"{how.name} made {failed} measurements failures")
        if kept:
            break
    if not kept:
        b.problems.append("nothing that was measured is kept")
        return
    report = json.loads(b.answers(["tune", "many.onnx", "--target", "reference", "--database", "interrupted.sqlite", "--quiet", "--json"]) or "{}")
    if not report or report["models"][0]["known"] < min(kept, MANY):
        b.problems.append(f"{kept} measurements were kept, and the next run says {report}")


def waits(b):
    """What takes over a second says so on standard error, unless it is told to be quiet; so do the scripts that build."""
    for quiet in ([], ["--quiet"]):
        process = subprocess.Popen([b.program, "tune", "many.onnx", "--target", "reference", "--database", "waits.sqlite", *quiet], cwd=b.folder,
                                   env=b.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # Stopped, it grows older and does not get on.
        time.sleep(0.3)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.5)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.5)
        over = process.poll() is not None
        process.send_signal(signal.SIGINT)
        try:
            _, err = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            b.problems.append("tune does not end within 20 s of Ctrl-C")
            return
        said = re.search("^tune.*: [0-9]+ s so far$", err.decode(), re.MULTILINE) is not None
        if said == bool(quiet):
            b.problem(["tune", *quiet], f"says {err!r} within two seconds{', at the end of which it was over' if over else ''}")
    watch = [os.path.join(os.path.dirname(TESTS), "examples", "watch.sh"), "build", b.path("watched.log")]
    for command, status, words in (("echo '[2/7] step'; sleep 2.5; exit 3", 3, ["build: [2/7] "]), ("true", 0, [])):
        done = subprocess.run(["sh", *watch, "sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != status or done.stdout or len(done.stderr.splitlines()) != len(words) or any(w not in done.stderr for w in words):
            b.problems.append(f"watch.sh of {command!r} gives {done.returncode}, {done.stdout!r}, {done.stderr!r}")


def main(arguments):
    b = Bench(arguments[0])
    b.write("relu.onnx", relu([1, 3]))
    b.write("big.onnx", chain("LeakyRelu", [1, 3], 60))
    b.write("sum.onnx", seeds.model(seeds.graph([seeds.node("Add", ["x", "z"], ["y"], "sum")], [seeds.value_info("x", [4]), seeds.value_info("z", [4])],
                                                [seeds.value_info("y", [4])])))
    b.write("symbolic.onnx", relu(["N", 1 << 20]))
    b.write("conv.onnx", convolution())
    # Many Relus of different sizes, large enough that each takes its time to be measured.
    sizes = [(1 << 18) + 64 * i for i in range(MANY)]
    b.write("many.onnx", seeds.model(seeds.graph([seeds.node("Relu", [f"x{s}"], [f"y{s}"], f"r{s}") for s in sizes],
                                                 [seeds.value_info(f"x{s}", [s]) for s in sizes], [seeds.value_info(f"y{s}", [s]) for s in sizes])))
    b.write("search.json", json.dumps({
        "nodes": 3, "edges": [[0, 1], [1, 2]], "formats": 2, "conversions": {"default": [[0, 3], [3, 0]]}, "share_conversions": True, "acyclic": True,
        "candidates": [{"nodes": [0], "cost": 1.5, "backend": 0, "in": 0, "out": 0}, {"nodes": [1, 2], "cost": 2, "backend": 1, "in": 1, "out": 1}]}))
    tap = Tap()
    for group in (names, shapes, models, every_verb, foreign_names, foreign_bytes, mutations, tensors, folders, stale_files, outputs, plans, instances, databases, interruption, waits):
        group(b)
        tap.verdict(group.__doc__.splitlines()[0], b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
