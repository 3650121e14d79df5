# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""The tool's loop nests: loops.py PROGRAM"""
import json
import sys

from tool import Bench, Tap, chain, convolution

MODEL = ["--costs", "model", "--target", "reference"]


def lower(b):
    """lower prints the loop nest of each part, or why there is none."""
    out = b.answers(["lower", "conv.onnx", *MODEL], "// part 0 on reference: conv, relu\nnest part_0 {\n", "input x: float32[1, 3, 8, 8]\n",
                    "within(0 <= ", "max(")
    if not out.endswith("}\n"):
        b.problem(["lower"], "does not end with the nest")
    if b.answers(["lower", "conv.onnx", *MODEL, "--phase", "3"]) != out:
        b.problem(["lower", "--phase 3"], "changes a nest that no phase is for")
    b.answers(["lower", "none.onnx", *MODEL], "// no loops: the operator 'onnx.Hardmax' has no loop nest: they sort, or choose among equals by their order\n", status=1)
    whole = json.loads(b.answers(["lower", "conv.onnx", *MODEL, "--phase", "0", "--json"]) or "{}")
    parts = whole.get("parts", [{}])
    if whole.get("version") != 1 or whole.get("phase") != 0 or len(parts) != 1:
        b.problem(["lower", "--json"], f"gives {sorted(whole)}")
    one = parts[0]
    if one.get("backend") != "reference" or one.get("nodes") != ["conv", "relu"] or one.get("reason") is not None:
        b.problem(["lower", "--json"], f"says of its part {one}")
    if not str(one.get("nest", "")).startswith("nest part_0 {\n"):
        b.problem(["lower", "--json"], "has no nest")
    b.refuses(["lower", "conv.onnx", *MODEL, "--phase", "4"], "'--phase 4'", "0 to 3")
    b.refuses(["lower", "conv.onnx", *MODEL, "--phase", "-1"], "--phase")
    b.refuses(["lower", "conv.onnx", *MODEL, "--phase", "x"], "--phase")
    b.refuses(["lower"], "model")
    b.refuses(["lower", "lost.onnx", *MODEL], "lost.onnx")


def phases(b):
    """lower prints the nests of a back end with phases as these leave them."""
    loops = ["--costs", "model", "--target", "cpu_loops"]
    before = b.answers(["lower", "rows.onnx", *loops], "// part 0 on cpu_loops: r0\n", "scratch ")
    near = b.answers(["lower", "rows.onnx", *loops, "--phase", "0"], "// part 0 on cpu_loops: r0\n", "stack ")
    last = b.answers(["lower", "rows.onnx", *loops, "--phase", "3"], "// part 0 on cpu_loops: r0\n", " parallel {\n", " vector {\n")
    if "vector" in near or "parallel" in near or "vector" in before:
        b.problem(["lower", "--phase 0"], "has loops of a later phase")
    if "scratch " in last or len({before, near, last}) != 3:
        b.problem(["lower", "--phase"], "does not change the nest")


def cuda(b):
    """lower --cuda prints the kernels of each part in CUDA C++, planned without a device."""
    model = ["--costs", "model", "--target", "cuda_cxx -model=true -arch=sm_80"]
    b.answers(["lower", "large.onnx", *model, "--phase", "3"], "// part 0 on cuda_cxx: r0\n", " block_x {\n", " thread_x {\n", "shared ")
    b.answers(["lower", "large.onnx", *model, "--cuda"], "// part 0 on cuda_cxx: r0\n", 'extern "C" __global__ void', "__syncthreads();",
              "cudaStream_t inlay_stream")
    whole = json.loads(b.answers(["lower", "large.onnx", *model, "--cuda", "--json"]) or "{}")
    parts = [p for p in whole.get("parts", []) if p.get("backend") == "cuda_cxx"]
    if whole.get("phase") != 3 or not parts or not all("__global__" in str(p.get("cuda")) for p in parts):
        b.problem(["lower", "--cuda", "--json"], f"gives {whole}")
    b.refuses(["lower", "conv.onnx", "--costs", "model", "--target", "cuda_cxx -model=true -arch=sm_50"], "no model of sm_50", "sm_80")
    b.refuses(["lower", "conv.onnx", "--costs", "model", "--target", "cuda_cxx -arch=80"], "-arch", "sm_")


def main(arguments):
    b = Bench(arguments[0])
    b.write("conv.onnx", convolution())
    b.write("none.onnx", chain("Hardmax", [2, 3], 1))
    b.write("rows.onnx", chain("Softmax", [4, 40, 33], 1))
    # Large enough that the copies to a device and back are worth it.
    b.write("large.onnx", chain("Softmax", [512, 100, 330], 1))
    tap = Tap()
    for group in (lower, phases, cuda):
        group(b)
        tap.verdict(group.__doc__.splitlines()[0], b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
