# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's libraries as back ends, on a device that is played: cuda_libraries.py PROGRAM

The libraries of tests/backend/cuda/played stand for NVIDIA's driver and libraries. They compute on the processor what they are told, and an
address that is none of the played device's memory is an error, so that what a plan gives is held to the interpreter's numbers.
"""
import ctypes
import json
import math
import os
import re
import struct
import subprocess
import sys
from types import MappingProxyType

from tool import TESTS, Bench, Tap, seeds

PLAYED = os.path.join(TESTS, "backend", "cuda", "played")
BY_MODEL = ["--costs", "model", "--partitioner", "eager", "--quiet"]
ON_CUBLAS = ["--target", "cublas_lt", *BY_MODEL]
ON_CUDNN = ["--target", "cudnn", *BY_MODEL]


def compiled(b, folder, name, source, *more):
    """Compiles a played library into a folder."""
    os.makedirs(b.path(folder), exist_ok=True)
    done = subprocess.run(["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread", os.path.join(PLAYED, source), "-o",
                           b.path(f"{folder}/{name}"), f"-Wl,-soname,{name}", *more], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        b.problem(["gcc", name], done.stderr[-1000:])


def played(b):
    """Folders with played libraries: `whole` with all, `driver` with NVIDIA's driver alone, `calls` with a cuDNN that refuses a convolution in one call."""
    compiled(b, "driver", "libcuda.so.1", "cuda.c")
    compiled(b, "whole", "libcuda.so.1", "cuda.c")
    for name, source in (("libcublasLt.so.13", "cublas_lt.c"), ("libcudnn.so.9", "cudnn.c")):
        compiled(b, "whole", name, source, b.path("whole/libcuda.so.1"), "-lm")
    compiled(b, "calls", "libcuda.so.1", "cuda.c")
    compiled(b, "calls", "libcudnn.so.9", "cudnn.c", b.path("calls/libcuda.so.1"), "-lm", "-DPLAYED_WITHOUT_WHOLE=1")


def strict(b):
    """The played device knows which addresses are its memory, and which are not."""
    driver = ctypes.CDLL(b.path("driver/libcuda.so.1"))
    driver.played_bytes.restype = ctypes.c_void_p
    driver.played_bytes.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_size_t]
    at = ctypes.c_uint64()
    if driver.cuMemAlloc_v2(ctypes.byref(at), ctypes.c_size_t(64)) != 0:
        b.problem(["cuMemAlloc_v2"], "gives no block")
    inside = driver.played_bytes(b"a test", at.value, 64)
    if not inside or inside == at.value or not driver.played_bytes(b"a test", at.value + 60, 4):
        b.problem(["played_bytes"], "does not know its own block, or gives the processor's addresses out")
    for begin, size in ((at.value, 65), (at.value + 61, 4), (at.value - 1, 2), (inside, 4)):
        if driver.played_bytes(b"a test, which is right,", begin, size):
            b.problem(["played_bytes"], f"takes {size} bytes at {begin - at.value} for the device's")
    if driver.cuMemFree_v2(at) != 0 or driver.cuMemFree_v2(at) == 0 or driver.played_bytes(b"a test, which is right,", at.value, 4):
        b.problem(["cuMemFree_v2"], "takes a block back other than once")


def use(b, folder):
    """From now on the tool finds the libraries of that folder."""
    b.environment["LD_LIBRARY_PATH"] = b.path(folder)


def numbers(count):
    return [((7 * i + 3) % 23 - 11) / 9 for i in range(count)]


def floats(name, value):
    return seeds.block(1, name) + seeds.varint(2 << 3 | 5) + struct.pack("<f", value) + seeds.number(20, 1)


def window(kernel, *more):
    return [seeds.integers("kernel_shape", kernel), *more]


def pads(*values):
    return seeds.integers("pads", values)


def strides(*values):
    return seeds.integers("strides", values)


def whole_number(name, value):
    return seeds.block(1, name) + seeds.number(3, value) + seeds.number(20, 2)


def model(b, name, nodes, inputs, result, constants=MappingProxyType({})):
    """Writes a network; `inputs` and `constants` give extents by name, `result` those of y."""
    weights = [seeds.tensor(n, extents, numbers(math.prod(extents))) for n, extents in constants.items()]
    b.write(name, seeds.model(seeds.graph(nodes, [seeds.value_info(n, e) for n, e in inputs.items()], [seeds.value_info("y", result)], weights)))
    return name


def planned(b, name, on, kind, *nodes):
    """The plan, which has these nodes on a back end."""
    plan = json.loads(b.answers(["partition", name, *on, "--json"]) or '{"partitions": [], "conversions": []}')
    there = {n for p in plan["partitions"] if p["backend"] == kind for n in p["nodes"]}
    if not set(nodes) <= there:
        b.problem(["partition", name, *on], f"has {sorted(there)} on {kind}, and not all of {nodes}")
    return plan


def error_of(b, name, on, word, status=0):
    """How far a run is off the interpreter's numbers, over the largest; it says that it agrees, or that it differs."""
    out = b.answers(["run", name, *on, "--check"], word, status=status)
    errors = [float(e) for e in re.findall(r"of the largest value (\S+)", out)]
    return errors[0] if errors else math.nan


def agrees(b, name, on, kind, *nodes):
    """The plan has these nodes on a back end, and its run agrees with the interpreter. Gives the plan."""
    plan = planned(b, name, on, kind, *nodes)
    error = error_of(b, name, on, "agrees")
    if not error < 1e-6:
        b.problem(["run", name, *on, "--check"], f"is off by {error}")
    return plan


def absent(b):
    """Without a device, without the library, or with another one, a named target says so in one sentence."""
    name = model(b, "product.onnx", [seeds.node("MatMul", ["a", "b"], ["y"], "mm")], {"a": [7, 5], "b": [5, 9]}, [7, 9])
    b.environment.pop("LD_LIBRARY_PATH", None)
    for kind in ("cublas_lt", "cudnn"):
        use(b, "driver")
        b.refuses(["partition", name, "--target", f"{kind} -library=/no/such.so", "--costs", "model"], f"target '{kind}' cannot run here", "cannot be loaded from '/no/such.so'")
        b.refuses(["partition", name, "--target", f"{kind} -library={b.path('driver/libcuda.so.1')}", "--costs", "model"], "has no function", "install a newer one")
        b.refuses(["partition", name, "--target", f"{kind} -arch=80", "--costs", "model"], "-arch", "sm_")
        b.refuses(["partition", name, "--target", f"{kind} -model=true -arch=sm_50", "--costs", "model"], "no model of sm_50")
        b.refuses(["partition", name, "--target", f"{kind} -precision=int4", "--costs", "model"], "float32 or tf32")
    use(b, "driver")
    for words, told in (("-cutlass=/no/such", "no headers of NVIDIA's CUTLASS in '/no/such'"), ("-arch=sm_75", "sm_75 is older"),
                        ("-precision=int4", "float32 or tf32"), ("-model=true -arch=sm_50", "no model of sm_50")):
        b.refuses(["partition", name, "--target", f"cutlass {words}", "--costs", "model"], told)
    planned(b, name, ["--target", "cutlass -model=true -arch=sm_90", *BY_MODEL], "cutlass", "mm")
    out = b.answers(["partition", name, "--target", "cublas_lt -model=true -arch=sm_80", *BY_MODEL], "part 0  cublas_lt ")
    if "copy  a " not in out:
        b.problem(["partition", name], "copies nothing to the device")


def products(b):
    """Products with transposed operands, in batches and with transposed results are computed from the tensors where they stand."""
    use(b, "whole")

    def turned(x, y, *perm):
        return seeds.node("Transpose", [x], [y], y, [seeds.integers("perm", perm)])

    def product(a, c, y="y"):
        return seeds.node("MatMul", [a, c], [y], "mm")

    agrees(b, model(b, "p0.onnx", [product("a", "b")], {"a": [7, 5], "b": [5, 9]}, [7, 9]), ON_CUBLAS, "cublas_lt", "mm")
    agrees(b, model(b, "p1.onnx", [turned("a", "ta", 1, 0), turned("b", "tb", 1, 0), product("ta", "tb")], {"a": [5, 7], "b": [9, 5]}, [7, 9]), ON_CUBLAS,
           "cublas_lt", "mm", "ta", "tb")
    agrees(b, model(b, "p2.onnx", [product("a", "b", "t"), turned("t", "y", 1, 0)], {"a": [7, 5], "b": [5, 9]}, [9, 7]), ON_CUBLAS, "cublas_lt", "mm", "y")
    agrees(b, model(b, "p3.onnx", [product("a", "b")], {"a": [2, 3, 4, 5], "b": [2, 3, 5, 6]}, [2, 3, 4, 6]), ON_CUBLAS, "cublas_lt", "mm")
    # Heads of an attention: batches that lie between rows, and calls of their own for what is stretched.
    agrees(b, model(b, "p4.onnx", [turned("q", "tq", 0, 2, 1, 3), turned("k", "tk", 0, 2, 3, 1), product("tq", "tk")], {"q": [2, 7, 3, 4], "k": [2, 7, 3, 4]},
                    [2, 3, 7, 7]), ON_CUBLAS, "cublas_lt", "mm", "tq", "tk")
    agrees(b, model(b, "p5.onnx", [product("a", "b")], {"a": [5, 2, 3, 5], "b": [2, 5, 3]}, [5, 2, 3, 3]), ON_CUBLAS, "cublas_lt", "mm")
    agrees(b, model(b, "p6.onnx", [product("a", "b")], {"a": [3, 4, 5]}, [3, 4, 6], {"b": [5, 6]}), ON_CUBLAS, "cublas_lt", "mm")


def behind(b):
    """What follows a product goes along as far as the library computes exactly that, and is left to others where it does not."""
    use(b, "whole")
    gemm = [whole_number(n, 1) for n in ("transA", "transB")]
    half, double = floats("alpha", 0.5), floats("beta", 2.0)
    relu = seeds.node("Relu", ["s"], ["y"], "relu")
    agrees(b, model(b, "b0.onnx", [seeds.node("Gemm", ["a", "w", "c"], ["s"], "gemm", [*gemm, half, double]), relu], {"a": [5, 7]}, [7, 9],
                    {"w": [9, 5], "c": [9]}), ON_CUBLAS, "cublas_lt", "gemm", "relu")
    agrees(b, model(b, "b1.onnx", [seeds.node("Gemm", ["a", "w", "c"], ["s"], "gemm"), relu], {"a": [7, 5], "w": [5, 9], "c": [7, 9]}, [7, 9]), ON_CUBLAS,
           "cublas_lt", "gemm", "relu")
    agrees(b, model(b, "b2.onnx", [seeds.node("MatMul", ["a", "w"], ["p"], "mm"), seeds.node("Mul", ["p", "f"], ["q"], "times"),
                                   seeds.node("Add", ["q", "c"], ["r"], "plus"), seeds.node("Add", ["x", "r"], ["s"], "more"), relu],
                    {"a": [2, 7, 5], "x": [2, 7, 9]}, [2, 7, 9], {"w": [5, 9], "c": [9], "f": [1]}), ON_CUBLAS, "cublas_lt", "mm", "relu")
    plan = agrees(b, model(b, "b3.onnx", [seeds.node("MatMul", ["a", "w"], ["p"], "mm"), seeds.node("Tanh", ["p"], ["y"], "tanh")], {"a": [7, 5]}, [7, 9],
                              {"w": [5, 9]}), ON_CUBLAS, "cublas_lt", "mm")
    if len(plan["partitions"]) != 2:
        b.problem(["partition", "b3.onnx"], f"has the parts {plan['partitions']}")


def together(b):
    """What one product gives stands where the next one reads it, and is not copied between."""
    use(b, "whole")
    two = [seeds.node("MatMul", ["a", "v"], ["p"], "first"), seeds.node("MatMul", ["p", "w"], ["y"], "second")]
    plan = agrees(b, model(b, "two.onnx", two, {"a": [7, 5]}, [7, 4], {"v": [5, 9], "w": [9, 4]}), ON_CUBLAS, "cublas_lt", "first", "second")
    copied = sorted(c["node"] for c in plan["conversions"])
    if copied != ["a", "second"]:
        b.problem(["partition", "two.onnx"], f"copies {copied}")


def precision(b):
    """With tf32 numbers are rounded before they are multiplied, with float32 they are not."""
    use(b, "whole")
    product = model(b, "rounded.onnx", [seeds.node("MatMul", ["a", "w"], ["y"], "mm")], {"a": [7, 50]}, [7, 9], {"w": [50, 9]})
    conv = model(b, "conv.onnx", [seeds.node("Conv", ["a", "w"], ["y"], "conv", window([3, 3]))], {"a": [1, 6, 9, 9]}, [1, 4, 7, 7], {"w": [4, 6, 3, 3]})
    for name, kind, node in ((product, "cublas_lt", "mm"), (conv, "cudnn", "conv")):
        exactly, by_tf32 = ["--target", kind, *BY_MODEL], ["--target", f"{kind} -precision=tf32", *BY_MODEL]
        for on in (exactly, by_tf32):
            planned(b, name, on, kind, node)
        exact, rounded = error_of(b, name, exactly, "agrees"), error_of(b, name, by_tf32, "DIFFERS", status=1)
        if not exact < 1e-6 < 1e-4 < rounded < 1e-2:
            b.problem(["run", name, "--check"], f"is off by {exact} in float32 and by {rounded} in tf32")


def convolutions(b):
    """Convolutions of one to three axes, in groups, with a bias, another tensor and a Relu are computed, and others are left alone."""
    use(b, "whole")

    def conv(name, inputs, result, weights, *attributes, behind=(), takes=("conv",), bias=True):
        constants = {"w": weights, **({"c": [weights[0]]} if bias else {})}
        nodes = [seeds.node("Conv", ["x", "w", *(["c"] if bias else [])], ["s" if behind else "y"], "conv", window(weights[2:], *attributes)), *behind]
        return agrees(b, model(b, name, nodes, inputs, result, constants), ON_CUDNN, "cudnn", *takes)

    relu = seeds.node("Relu", ["s"], ["y"], "relu")
    conv("c0.onnx", {"x": [1, 3, 8, 7]}, [1, 6, 8, 7], [6, 3, 3, 3], pads(1, 1, 1, 1))
    conv("c1.onnx", {"x": [2, 4, 8, 7]}, [2, 6, 4, 4], [6, 2, 3, 3], pads(1, 1, 1, 1), strides(2, 2), whole_number("group", 2), behind=[relu], takes=("conv", "relu"))
    conv("c2.onnx", {"x": [1, 3, 9]}, [1, 5, 7], [5, 3, 3], bias=False)
    conv("c3.onnx", {"x": [1, 2, 5, 6, 7]}, [1, 3, 4, 5, 6], [3, 2, 2, 2, 2], behind=[relu], takes=("conv", "relu"), bias=False)
    sums = [seeds.node("Add", ["s", "z"], ["t"], "sum"), seeds.node("Relu", ["t"], ["y"], "relu")]
    conv("c4.onnx", {"x": [1, 3, 8, 7], "z": [1, 6, 8, 7]}, [1, 6, 8, 7], [6, 3, 3, 3], pads(1, 1, 1, 1), behind=sums, takes=("conv", "sum", "relu"))
    conv("c5.onnx", {"x": [1, 3, 8, 7], "z": [1, 6, 8, 7]}, [1, 6, 8, 7], [6, 3, 3, 3], pads(1, 1, 1, 1), behind=[seeds.node("Add", ["z", "s"], ["y"], "sum")],
         takes=("conv", "sum"))
    uneven = model(b, "c6.onnx", [seeds.node("Conv", ["x", "w"], ["y"], "conv", window([2, 2], pads(0, 0, 1, 1)))], {"x": [1, 3, 8, 7]}, [1, 6, 8, 7],
                   {"w": [6, 3, 2, 2]})
    b.answers(["why", uneven, "conv", "--target", "cudnn", "--costs", "model", "--quiet"], "where cuDNN has one number for both")


def in_calls(b):
    """Where the library refuses a convolution with all that follows in one call, one call for each operator is measured, taken and right."""
    b.write("pinned.json", json.dumps({"version": 1, "constraints": [{"rule": "pin", "nodes": ["conv", "sum", "relu"], "backend": "cudnn"}]}))
    on = ["--target", "cudnn", "--constraints", "pinned.json", "--quiet"]
    use(b, "calls")
    plan = planned(b, "c4.onnx", [*on, "--database", "calls.sqlite"], "cudnn", "conv", "sum", "relu")
    names = [c["name"] for p in plan["partitions"] for c in p["composites"]]
    if names != ["convolution_in_calls"]:
        b.problem(["partition", "c4.onnx", *on], f"takes {names}")
    for folder in ("calls", "whole"):
        use(b, folder)
        error = error_of(b, "c4.onnx", [*on, "--database", f"{folder}.sqlite"], "agrees")
        if not error < 1e-6:
            b.problem(["run", "c4.onnx", *on], f"is off by {error}")


def other_calls(b):
    """Poolings and softmax are computed as they are defined."""
    use(b, "whole")

    def alone(name, op, x, y, *attributes):
        agrees(b, model(b, name, [seeds.node(op, ["x"], ["y"], "it", attributes)], {"x": x}, y), ON_CUDNN, "cudnn", "it")

    alone("o0.onnx", "MaxPool", [2, 3, 8, 7], [2, 3, 4, 4], *window([3, 3], pads(1, 1, 1, 1), strides(2, 2)))
    for counts in (0, 1):
        alone(f"o{1 + counts}.onnx", "AveragePool", [2, 3, 8, 7], [2, 3, 4, 4], *window([3, 3], pads(1, 1, 1, 1), strides(2, 2), whole_number("count_include_pad", counts)))
    alone("o3.onnx", "GlobalAveragePool", [2, 3, 8, 7], [2, 3, 1, 1])
    alone("o4.onnx", "Softmax", [5, 40], [5, 40], whole_number("axis", -1))
    alone("o5.onnx", "Softmax", [2, 7, 3, 4], [2, 7, 3, 4], whole_number("axis", 1))
    alone("o6.onnx", "LogSoftmax", [2, 7, 3, 4], [2, 7, 3, 4], whole_number("axis", 3))


def both(b):
    """Both libraries have parts of one network, and what one gives the other reads where it stands."""
    use(b, "whole")
    nodes = [seeds.node("Conv", ["x", "w", "c"], ["s"], "conv", window([3, 3], pads(1, 1, 1, 1))), seeds.node("Relu", ["s"], ["t"], "relu"),
             seeds.node("GlobalAveragePool", ["t"], ["u"], "pool"), seeds.node("Flatten", ["u"], ["v"], "flat", [whole_number("axis", 1)]),
             seeds.node("Gemm", ["v", "m", "n"], ["p"], "gemm"), seeds.node("Softmax", ["p"], ["y"], "softmax", [whole_number("axis", -1)])]
    name = model(b, "both.onnx", nodes, {"x": [2, 3, 8, 7]}, [2, 5], {"w": [6, 3, 3, 3], "c": [6], "m": [6, 5], "n": [5]})
    on = ["--target", "cudnn, cublas_lt", *BY_MODEL]
    planned(b, name, on, "cublas_lt", "gemm")
    plan = agrees(b, name, on, "cudnn", "conv", "relu", "pool", "softmax")
    copied = sorted(c["node"] for c in plan["conversions"])
    # Flatten is nobody's here, and what stands around it crosses; between Gemm and Softmax nothing does.
    if "gemm" in copied or "relu" in copied or "softmax" not in copied:
        b.problem(["partition", name, *on], f"copies {copied}")


def measured(b):
    """What the libraries run is measured on the device, and the price is told as one of the library's."""
    use(b, "whole")
    for name, kind, version in (("product.onnx", "cublas_lt", "cuBLASLt 130000"), ("o4.onnx", "cudnn", "cuDNN 91900")):
        plan = json.loads(b.answers(["partition", name, "--target", kind, "--partitioner", "eager", "--quiet", "--json"]) or '{"partitions": []}')
        if [p["backend"] for p in plan["partitions"]] != [kind] or f"{version} in float32 for sm_80 on Played device" not in json.dumps(plan):
            b.problem(["partition", name], f"gives {plan}")


def main(arguments):
    b = Bench(arguments[0])
    played(b)
    tap = Tap()
    tap.verdict("the played libraries compile", b.take())
    for group in (strict, absent, products, behind, together, precision, convolutions, in_calls, other_calls, both, measured):
        group(b)
        tap.verdict(group.__doc__.splitlines()[0], b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
