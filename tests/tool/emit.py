# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Programs that leave as C: emit.py PROGRAM"""
import json
import os
import shutil
import struct
import subprocess
import sys

from tool import Bench, Tap, convolution, relu, seeds
import source_tree

BY = ["--target", "c", "--costs", "model", "--quiet"]
INT64, FLOAT16 = 7, 10


def network():
    """Convolutions, a pooling, rows named by indices, a concatenation, a product: of all ways to make C one."""
    pads = [seeds.integers("kernel_shape", [3, 3]), seeds.integers("pads", [1, 1, 1, 1])]
    nodes = [seeds.node("Conv", ["x", "w"], ["a"], "conv", pads), seeds.node("Relu", ["a"], ["b"], "relu"),
             seeds.node("MaxPool", ["b"], ["c"], "pool", [seeds.integers("kernel_shape", [2, 2]), seeds.integers("strides", [2, 2])]),
             seeds.node("Conv", ["c", "v"], ["d"], "again", pads), seeds.node("Concat", ["c", "d"], ["e"], "side_by_side", [seeds.block(1, "axis") + seeds.number(3, 1) + seeds.number(20, 2)]),
             seeds.node("Gather", ["e", "at"], ["f"], "rows"), seeds.node("Flatten", ["f"], ["g"], "flat"),
             seeds.node("MatMul", ["g", "m"], ["h"], "product"), seeds.node("Softmax", ["h"], ["y"], "softmax")]
    some = lambda n: [((7 * i) % 23 - 11) / 20 for i in range(n)]  # noqa: E731
    weights = [seeds.tensor("w", [4, 3, 3, 3], some(108)), seeds.tensor("v", [4, 4, 3, 3], some(144)), seeds.tensor("m", [8 * 16, 5], some(640))]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("x", [2, 3, 8, 8]), seeds.value_info("at", [3], INT64)],
                                   [seeds.value_info("y", [3, 5]), seeds.value_info("f", [3, 8, 4, 4])], weights))


def raw_tensor(name, element, extents, data):
    """An initialiser of any element type."""
    return b"".join(seeds.number(1, e) for e in extents) + seeds.number(2, element) + seeds.block(8, name) + seeds.block(9, data)


def quantised(channels=3, filters=6):
    """A convolution between QuantizeLinear and DequantizeLinear, as quantisers write it: with DequantizeLinear before each operand."""
    weights = bytes((37 * i + 11) % 256 for i in range(filters * channels * 3 * 3))
    known = [seeds.tensor("s", [], [0.02]), raw_tensor("z", 2, [], b"\x80"), raw_tensor("w", 3, [filters, channels, 3, 3], weights), seeds.tensor("t", [], [0.01]),
             raw_tensor("n", 3, [], b"\0"), seeds.tensor("u", [], [0.05]), raw_tensor("y0", 2, [], b"\x07")]
    pads = [seeds.integers("kernel_shape", [3, 3]), seeds.integers("pads", [1, 1, 1, 1])]
    nodes = [seeds.node("QuantizeLinear", ["x", "s", "z"], ["q"], "steps"), seeds.node("DequantizeLinear", ["q", "s", "z"], ["d"], "back"),
             seeds.node("DequantizeLinear", ["w", "t", "n"], ["v"], "weights"), seeds.node("Conv", ["d", "v"], ["c"], "conv", pads),
             seeds.node("QuantizeLinear", ["c", "u", "y0"], ["r"], "again"), seeds.node("DequantizeLinear", ["r", "u", "y0"], ["y"], "out")]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("x", [1, channels, 9, 9])], [seeds.value_info("y", [1, filters, 9, 9])], known))


def separable():
    """Quantised: a depthwise convolution, then one of a single place, as MobileNet has them, between QuantizeLinear and DequantizeLinear."""
    weights = bytes((37 * i + 11) % 256 for i in range(20 * 9 + 6 * 20))
    known = [seeds.tensor("s", [], [0.02]), raw_tensor("z", 2, [], b"\x80"), raw_tensor("w", 3, [20, 1, 3, 3], weights[:180]), seeds.tensor("t", [], [0.01]),
             raw_tensor("n", 3, [], b"\0"), raw_tensor("v", 3, [6, 20, 1, 1], weights[180:]), seeds.tensor("u", [], [0.05]), raw_tensor("y0", 2, [], b"\x07")]
    deep = [seeds.integers("kernel_shape", [3, 3]), seeds.integers("pads", [1, 1, 1, 1]), seeds.block(1, "group") + seeds.number(3, 20) + seeds.number(20, 2)]
    nodes = [seeds.node("QuantizeLinear", ["x", "s", "z"], ["q"], "steps"), seeds.node("DequantizeLinear", ["q", "s", "z"], ["d"], "back"),
             seeds.node("DequantizeLinear", ["w", "t", "n"], ["wf"], "deep_weights"), seeds.node("Conv", ["d", "wf"], ["c"], "deep", deep),
             seeds.node("QuantizeLinear", ["c", "u", "y0"], ["r"], "again"), seeds.node("DequantizeLinear", ["r", "u", "y0"], ["e"], "between"),
             seeds.node("DequantizeLinear", ["v", "t", "n"], ["vf"], "mixed_weights"), seeds.node("Conv", ["e", "vf"], ["m"], "mixed"),
             seeds.node("QuantizeLinear", ["m", "u", "y0"], ["o"], "last"), seeds.node("DequantizeLinear", ["o", "u", "y0"], ["y"], "out")]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("x", [1, 20, 9, 9])], [seeds.value_info("y", [1, 6, 9, 9])], known))


def make(b, folder, *arguments, status=0):
    """Runs GNU make in an emitted folder and gives what it prints."""
    done = subprocess.run(["make", "-s", *arguments], cwd=b.path(folder), capture_output=True, text=True, timeout=300)
    if done.returncode != status:
        b.problem(["make", *arguments], f"gives {done.returncode} where {status} was expected: {(done.stdout + done.stderr)[-600:]}")
    return done.stdout


def builds(b):
    """A program builds with each compiler, strictly, and gives what the interpreter gives."""
    b.write("net.onnx", network())
    b.answers(["emit", "net.onnx", *BY, "--out", "net"], "net.h declares net_run")
    for compiler in ("gcc", source_tree.clang()):
        if shutil.which(compiler):
            out = make(b, "net", "check", f"CC={compiler}", f"BUILD=build-{compiler}")
            if out.count(": 0 of ") != 2:
                b.problem(["make", "check"], f"does not compare both outputs: {out!r}")
    b.answers(["emit", "net.onnx", *BY, "--out", "beside", "--weights", "in_file", "--name", "other"], "other_weights.bin")
    make(b, "beside", "check")
    with open(b.path("net/check/output_0.bin"), "r+b") as file:
        file.write(b"\0\0\0\x7f")
    make(b, "net", "check", "BUILD=build-gcc", status=2)


def halves(b):
    """A program of half precision builds strictly, agrees within its steps, and what is off by more is found."""
    numbers = lambda n: struct.pack(f"<{n}e", *(((7 * i) % 23 - 11) / 20 for i in range(n)))  # noqa: E731
    known = [raw_tensor("w", FLOAT16, [4, 3, 3, 3], numbers(108)), raw_tensor("s", FLOAT16, [4, 1, 1], numbers(4)), raw_tensor("m", FLOAT16, [64, 5], numbers(320))]
    nodes = [seeds.node("Conv", ["x", "w"], ["a"], "conv", [seeds.integers("kernel_shape", [3, 3]), seeds.integers("pads", [1, 1, 1, 1])]),
             seeds.node("Add", ["a", "s"], ["b"], "shift"), seeds.node("Sigmoid", ["b"], ["c"], "sigmoid"), seeds.node("Transpose", ["c"], ["d"], "turn"),
             seeds.node("Reshape", ["d", "to"], ["e"], "rows"), seeds.node("MatMul", ["e", "m"], ["f"], "product"), seeds.node("Softmax", ["f"], ["y"], "softmax")]
    known.append(raw_tensor("to", INT64, [2], struct.pack("<2q", 8, 64)))
    b.write("narrow.onnx", seeds.model(seeds.graph(nodes, [seeds.value_info("x", [2, 3, 8, 8], FLOAT16)], [seeds.value_info("y", [8, 5], FLOAT16)], known)))
    b.answers(["emit", "narrow.onnx", *BY, "--out", "narrow"], "narrow.h declares narrow_run")
    for compiler in ("gcc", source_tree.clang()):
        if shutil.which(compiler):
            out = make(b, "narrow", "check", f"CC={compiler}", f"BUILD=build-{compiler}")
            if out.count(": 0 of 40 ") != 1:
                b.problem(["make", "check"], f"does not compare the output: {out!r}")
    with open(b.path("narrow/check/output_0.bin"), "r+b") as file:
        first = struct.unpack("<e", file.read(2))[0]
        file.seek(0)
        file.write(struct.pack("<e", first * 1.25))
    make(b, "narrow", "check", "BUILD=build-gcc", status=2)
    for target in ("c", "llvm"):
        b.answers(["run", "narrow.onnx", "--target", target, "--costs", "model", "--quiet", "--check"], "agrees")


def tells(b):
    """The manifest says what there is; the same call gives the same bytes."""
    b.write("net.onnx", network())
    told = json.loads(b.answers(["emit", "net.onnx", *BY, "--out", "one", "--json"]) or "{}")
    b.answers(["emit", "net.onnx", *BY, "--out", "two"])
    if json.loads(b.read("one/manifest.json")) != told:
        b.problem(["emit", "--json"], "prints another manifest than it writes")
    for name in told.get("files", []) + ["manifest.json"]:
        if b.read(f"one/{name}") != b.read(f"two/{name.replace('one', 'two')}"):
            b.problem(["emit"], f"gives other bytes the second time: {name}")
    if [(t["name"], t["shape"]) for t in told["inputs"]] != [("x", [2, 3, 8, 8]), ("at", [3])] or told["outputs"][0]["bytes"] != 60:
        b.problem(["emit", "--json"], f"says of inputs and outputs {told['inputs']}, {told['outputs']}")
    if not 0 < told["workspace_bytes"] <= 1.1 * told["workspace_bound"]:
        b.problem(["emit"], f"needs {told['workspace_bytes']} bytes where {told['workspace_bound']} are alive")
    b.answers(["emit", "net.onnx", *BY, "--out", "bare", "--without-data"])
    if os.path.exists(b.path("bare/check")) or os.path.exists(b.path("bare/net_check.c")):
        b.problem(["emit", "--without-data"], "writes data")
    make(b, "bare")


def keeps_plans(b):
    """A plan that was written down is emitted, and one of code that stays is refused."""
    b.write("conv.onnx", convolution())
    b.answers(["partition", "conv.onnx", *BY, "--out", "c.json"], "portable_c")
    b.answers(["emit", "conv.onnx", "--quiet", "--plan", "c.json", "--out", "planned"])
    make(b, "planned", "check")
    b.answers(["partition", "conv.onnx", "--target", "reference", "--costs", "model", "--quiet", "--out", "stays.json"])
    b.refuses(["emit", "conv.onnx", "--quiet", "--plan", "stays.json", "--out", "none"], "'reference'", "does not leave as C", status=1)


def runs_here(b):
    """The plain target c is run by the same text, and reference takes part where it is named."""
    b.write("net.onnx", network())
    b.answers(["run", "net.onnx", *BY, "--check"], "agrees")
    listed = b.answers(["partition", "net.onnx", *BY])
    if "portable_c" not in listed or "reference" in listed:
        b.problem(["partition", "--target", "c"], f"has another owner than portable_c: {listed!r}")
    names = [t["kind"] for t in json.loads(b.answers(["targets", "--json"]))["targets"] if t["by_default"]]
    if "portable_c" in names:
        b.problem(["targets"], "lists portable_c among those that take part by default")


def refuses(b):
    """What has no C is said, and nothing is half written."""
    b.write("relu.onnx", relu([2]))
    nodes = [seeds.node("NonZero", ["x"], ["y"], "where")]
    b.write("open.onnx", seeds.model(seeds.graph(nodes, [seeds.value_info("x", [3])], [seeds.value_info("y", [1, "n"], INT64)])))
    b.refuses(["emit", "open.onnx", *BY, "--out", "none"], "'where'", "portable_c", status=1)
    b.write("free.onnx", relu(["n"]))
    b.refuses(["emit", "free.onnx", *BY, "--out", "none"], "--shape")
    b.write("file", "in the way")
    b.refuses(["emit", "relu.onnx", *BY, "--out", "file"], "file", "cannot be made")
    b.refuses(["emit", "relu.onnx", *BY, "--out", "none", "--weights", "somewhere"], "--weights")
    b.refuses(["emit", "relu.onnx", *BY], "--out")
    b.refuses(["emit", "missing.onnx", *BY, "--out", "none"], "missing.onnx")
    b.refuses(["emit", "relu.onnx", "--target", "reference, c", "--costs", "model", "--quiet", "--partitioner", "single:reference", "--out", "none"],
              "'reference'", status=1)


def names(b):
    """Whatever a model is called, its C has names that compilers take."""
    nodes = [seeds.node("Relu", ["in put*/"], ["int"], "a"), seeds.node("Neg", ["int"], ["3"], "b")]
    b.write("3 while.onnx", seeds.model(seeds.graph(nodes, [seeds.value_info("in put*/", [2])], [seeds.value_info("3", [2]), seeds.value_info("int", [2])])))
    b.answers(["emit", "3 while.onnx", *BY, "--out", "odd"])
    make(b, "odd", "check")


def accelerates(b):
    """An accelerator takes quantised layers, its prices are taken apart, and one program in C runs it and the rest."""
    b.write("q.onnx", quantised())
    both = ["--target", "accel -rows=4 -cols=8, c", "--costs", "model", "--quiet", "--by-steps"]
    parts = json.loads(b.answers(["price", "q.onnx", *both, "--partitioner", "eager", "--json"]) or "{}").get("partitions", [])
    owned = [p for p in parts if p["backend"] == "accel"]
    if len(owned) != 1 or owned[0]["macs"] != 81 * 27 * 6 or owned[0]["cycles"] != owned[0]["compute_cycles"] + owned[0]["stall_cycles"]:
        b.problem(["price"], f"takes prices apart as {owned}")
    elif abs(owned[0]["utilization"] - owned[0]["macs"] / (32 * owned[0]["cycles"])) > 1e-12 or sorted(owned[0]["bytes"]) != ["accumulator", "dram", "scratchpad"]:
        b.problem(["price"], f"says of utilisation and bytes {owned[0]}")
    b.answers(["run", "q.onnx", *both, "--partitioner", "eager"], "float32[1,6,9,9]")
    b.answers(["emit", "q.onnx", *both, "--partitioner", "eager", "--out", "accelerated"], "q.h declares q_run")
    if b"accel_run(" not in b.read("accelerated/q.c"):
        b.problem(["emit"], "has no program for the accelerator")
    out = make(b, "accelerated", "check")
    if ": 0 of 486 elements are off" not in out:
        b.problem(["make", "check"], f"says {out!r}")
    b.refuses(["partition", "q.onnx", "--target", "accel -rows=999, c", "--costs", "model", "--quiet"], "'-rows'", "1 to 256")
    # What one back end alone does not take falls back on the plain target.
    alone = b.answers(["partition", "q.onnx", *both, "--partitioner", "single:accel"])
    if "accel" not in alone or "portable_c" not in alone:
        b.problem(["partition"], f"has no plan of accel and what is left: {alone!r}")
    b.refuses(["partition", "q.onnx", *both, "--partitioner", "single:accel", "--fallback", "require"], "require", status=1)
    plain = b.answers(["partition", "q.onnx", "--target", "accel, c", "--costs", "model", "--quiet"])
    if "accel " in plain.split("\n")[0]:
        b.problem(["partition"], "computes with steps though nobody asked")


def saves_energy(b):
    """The plan of least energy mixes the accelerator and C, takes less than C alone, and has the accelerator's own count in its sum."""
    # Large enough that products outweigh what crosses the borders.
    b.write("deep.onnx", quantised(32, 32))
    call = ["deep.onnx", "--costs", "model", "--quiet", "--by-steps", "--target"]
    mixed, alone = (json.loads(b.answers(["partition", *call, targets, "--objective", "energy", "--json"]) or "{}") for targets in ("accel, c", "c"))
    kinds = {p["backend"] for p in mixed.get("partitions", [])}
    least = mixed.get("objective", {}).get("value", 0)
    if kinds != {"accel", "portable_c"} or mixed["status"] != "optimal" or not 0 < least < alone["objective"]["value"]:
        b.problem(["partition", "--objective", "energy"], f"gives {kinds} and {mixed.get('objective')}, C alone {alone.get('objective')}")
    priced = json.loads(b.answers(["price", *call, "accel, c", "--partitioner", "eager", "--json"]) or "{}").get("partitions", [])
    counted = sum(p.get("energy_pj", 0) for p in priced) * 1e-12
    if not 0 < counted < least:
        b.problem(["price"], f"counts {counted} J for the accelerator alone, of {least} J")


def accelerates_by_two(b):
    """Two accelerators share a network: each takes what it has, has prices of its own, and one program in C runs both."""
    b.write("s.onnx", separable())
    three = ["--target", "accel -rows=4 -cols=8, vector_dsp -lanes=16, c", "--costs", "model", "--quiet", "--by-steps", "--partitioner", "eager"]
    parts = json.loads(b.answers(["price", "s.onnx", *three, "--json"]) or "{}").get("partitions", [])
    array, vectors = ([p for p in parts if p["backend"] == kind] for kind in ("accel", "vector_dsp"))
    if len(array) != 1 or array[0]["macs"] != 81 * 20 * 6 or sorted(array[0]["bytes"]) != ["accumulator", "dram", "scratchpad"]:
        b.problem(["price"], f"gives the array {array}")
    # Taps that stand beside the image are not computed: 25 of 27 along each axis are.
    if len(vectors) != 1 or vectors[0]["macs"] != 25 * 25 * 20 or sorted(vectors[0]["bytes"]) != ["dram", "local"]:
        b.problem(["price"], f"gives the vectors {vectors}")
    elif abs(vectors[0]["utilization"] - vectors[0]["macs"] / (16 * vectors[0]["cycles"])) > 1e-12:
        b.problem(["price"], f"says of utilisation {vectors[0]}")
    b.answers(["emit", "s.onnx", *three, "--out", "shared"], "s.h declares s_run")
    program = b.read("shared/s.c")
    if b"accel_run(" not in program or b"vector_dsp_run(" not in program:
        b.problem(["emit"], "has not a program for each accelerator")
    if ": 0 of 486 elements are off" not in make(b, "shared", "check"):
        b.problem(["make", "check"], "does not agree")
    b.refuses(["partition", "s.onnx", "--target", "vector_dsp -lanes=6, c", "--costs", "model", "--quiet"], "'-lanes'", "whole words")


def reads_text(tap, b):
    """PP-OCR's recogniser as one program in C reads the line of text, where its model was fetched."""
    label = "PP-OCR's recogniser as one program in C reads the line of text"
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    reader = os.path.join(os.path.dirname(os.path.dirname(b.program)), "read_text", "read_text")
    if not os.path.exists(os.path.join(root, "build/models/rapidocr/ch_PP-OCRv4_rec_infer.onnx")) or not os.path.exists(reader):
        return tap.skip(label, "the model is not here; sh examples/run.sh fetches it")
    done = subprocess.run(["sh", os.path.join(root, "examples/read_text/as_c.sh"), b.path("line")], capture_output=True, text=True, timeout=300,
                          env={**b.environment, "INLAY": b.program, "READ_TEXT": reader, "CFLAGS": "-Wall -Wextra -Werror -pedantic"})
    if done.stdout != "The line reads: Cheapest mix, proven\n":
        b.problem(["as_c.sh"], f"gives {done.returncode} and prints {done.stdout!r} {done.stderr[-400:]!r}")
    tap.verdict(label, b.take())
    return None


def crosses(tap, b):
    """The same program for RISC-V, under QEMU and without an operating system, where the tools for that are installed."""
    label = "the program runs on RISC-V under QEMU, and is one object without an operating system"
    missing = [t for t in ("riscv64-linux-gnu-gcc", "qemu-riscv64-static", "riscv64-unknown-elf-gcc") if not shutil.which(t)]
    if missing:
        return tap.skip(label, f"{missing[0]} is not installed; sh tests/run.sh --all installs it")
    b.write("net.onnx", network())
    b.answers(["emit", "net.onnx", *BY, "--out", "net"])
    if make(b, "net", "check-riscv64").count(": 0 of ") != 2:
        b.problem(["make", "check-riscv64"], "does not compare both outputs")
    make(b, "net", "freestanding")
    left = subprocess.run(["riscv64-unknown-elf-nm", "-u", b.path("net/build-freestanding/net_all.o")], capture_output=True, text=True).stdout.split()
    if set(left) - {"U", "exp", "expf"}:
        b.problem(["make", "freestanding"], f"leaves open: {left}")
    tap.verdict(label, b.take())
    return None


def main(program):
    tap = Tap()
    b = Bench(program)
    for check in (builds, halves, tells, keeps_plans, runs_here, refuses, names, accelerates, saves_energy, accelerates_by_two):
        check(b)
        tap.verdict(check.__doc__, b.take())
    reads_text(tap, b)
    crosses(tap, b)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
