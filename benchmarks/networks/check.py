# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Compares results on whole networks: the chosen mix with the reference interpreter, and the interpreter with ONNX Runtime.

    python3 benchmarks/networks/check.py [--only NAME,NAME] [--threads N] [-- OPTION...]

Needs the tool (`sh examples/build.sh`). What follows `--` goes to `inlay run`. A row: the largest difference of the mix from the
interpreter, and of the interpreter from ONNX Runtime, both over the largest value of the last tensor before a softmax, where the network
ends with one. Bars: the tool's own for the first; 2e-5 for the second, 1e-3 for the detector of PP-OCR, whose head is ill-conditioned.
Exit status 1 where one is missed.
"""
import argparse
import os
import subprocess
import sys

from shared import (BUILD, TOOL, chosen_names, environment, fail, last_line, models, need_tool, own_and_tool_options, path_of, rival_command,
                    shape_options)

BARS = {"ppocr_det": 1e-3}

# Run by the Python that has ONNX: the model with what goes into its last Softmax as its first result.
CUT = """
import sys, onnx
model = onnx.load(sys.argv[1])
maker = {name: node for node in model.graph.node for name in node.output}
name = model.graph.output[0].name
while name in maker and maker[name].op_type in ("Softmax", "Identity", "Reshape", "Squeeze"):
    node = maker[name]
    name = node.input[0]
    if node.op_type == "Softmax":
        break
else:
    name = model.graph.output[0].name
del model.graph.output[:]
model.graph.output.append(onnx.helper.make_empty_tensor_value_info(name))
onnx.save(model, sys.argv[2])
"""

# Run by the Python that has numpy: makes inputs, or compares two folders of results.
INPUTS = """
import sys, numpy, onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
random = numpy.random.default_rng(7)
for text in sys.argv[3:]:
    name, extents = text.rsplit("=", 1)
    shape = [int(e) for e in extents.split(",")]
    kind = {i.name: i.type for i in session.get_inputs()}[name]
    value = random.standard_normal(shape).astype(numpy.float32) if kind == "tensor(float)" else random.integers(0, 2, shape).astype(numpy.int64)
    numpy.save(sys.argv[2] + "/" + name.replace("/", "_") + ".npy", value)
"""
DIFFERENCE = """
import glob, sys, numpy
one, other = (numpy.load(glob.glob(folder + "/*.npy")[0]).astype(numpy.float64) for folder in sys.argv[1:3])
print(numpy.abs(one - other).max() / numpy.abs(other).max() if one.shape == other.shape and numpy.isfinite(one).all() else numpy.inf)
"""


def python_of_models():
    return os.path.join(BUILD, "models-support", "env", "bin", "python")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{' '.join(command[:4])} ... failed: {last_line(done)}")
    return done.stdout


def folder_of(*names):
    path = os.path.join(BUILD, "checked", *names)
    os.makedirs(path, exist_ok=True)
    for name in os.listdir(path):
        if name.endswith(".npy"):
            os.remove(os.path.join(path, name))
    return path


def check(python, name, entry, threads, options):
    """The two differences of one network."""
    source = path_of(entry)
    cut = os.path.join(folder_of(name), "cut.onnx")
    run([python_of_models(), "-c", CUT, source, cut])
    given, mix, meant, rival = (folder_of(name, part) for part in ("inputs", "mix", "interpreter", "onnxruntime"))
    shapes = [f"{n}={','.join(map(str, e))}" for n, e in entry["shapes"].items()]
    run([python, "-c", INPUTS, source, given] + shapes)
    tool = [TOOL, "run", cut, "--quiet"] + shape_options(entry)
    for n in entry["shapes"]:
        tool += ["--input", f"{n}={given}/{n.replace('/', '_')}.npy"]
    run(tool + ["--threads", str(threads), "--output", mix] + options)
    run(tool + ["--interpret", "--output", meant])
    run(rival_command(python, "onnxruntime", cut, "--inputs", given, "--save", rival))
    os.remove(cut)
    return [float(run([python, "-c", DIFFERENCE, a, b])) for a, b in ((mix, meant), (meant, rival))]


def main():
    own, options = own_and_tool_options()
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args(own)
    need_tool()
    known, python = models(), environment()
    names = chosen_names(arguments.only or ",".join(known), known)
    missed = []
    print(f"{'model':15} {'mix - interpreter':>18} {'interpreter - ORT':>18} {'bar':>8}", flush=True)
    for name in names:
        mix, rival = check(python, name, known[name], arguments.threads, options)
        bar = BARS.get(name, 2e-5)
        print(f"{name:15} {mix:18.2e} {rival:18.2e} {bar:8.0e}", flush=True)
        if not (mix <= max(1e-3, bar) and rival <= bar):
            missed.append(name)
    print(f"{len(names) - len(missed)} of {len(names)} within their bars" + (": not " + ", ".join(missed) if missed else ""))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
