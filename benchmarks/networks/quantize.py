#!/usr/bin/env python3
# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Quantises a network with ONNX Runtime's static quantiser: quantize.py MODEL.onnx OUT.onnx [--shape NAME=N,...] [--samples N] [--seed N]

Batch normalisations are folded into convolutions first, as ONNX Runtime advises. Activations become uint8, weights int8 with a scale for
each output channel, written with QuantizeLinear and DequantizeLinear around each operator; `inlay ... --by-steps` makes operators on the
steps of that. Scales come from a few random inputs of a fixed seed: what is measured on such a network are its speed and its bytes, and
not how well it knows pictures. The file is written whole or not at all.
"""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shared  # noqa: E402

WORK = """
import os, sys, tempfile
import numpy, onnx
from onnx import version_converter
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

source, target, samples, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
model = onnx.load(source)
known = {t.name for t in model.graph.initializer}
inputs = [i for i in model.graph.input if i.name not in known]
shapes = dict(word.rsplit("=", 1) for word in sys.argv[5:])
for i in inputs:
    for d, extent in zip(i.type.tensor_type.shape.dim, shapes.get(i.name, "").split(",")):
        if extent:
            d.Clear()
            d.dim_value = int(extent)
    open_extents = [d.dim_param or "?" for d in i.type.tensor_type.shape.dim if not d.HasField("dim_value")]
    if i.type.tensor_type.elem_type != onnx.TensorProto.FLOAT or open_extents:
        sys.exit(f"input '{i.name}' has to be float32 of known extents; --shape {i.name}=... binds them")
# Weights that are listed as inputs too, as the format once wanted it, would be asked for when the network is run.
del model.graph.input[:]
model.graph.input.extend(inputs)
model.ir_version = max(model.ir_version, 4)
# Scales for each channel came with opset 13.
if next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx")) < 13:
    model = version_converter.convert_version(model, 13)


class Samples(CalibrationDataReader):
    def __init__(self):
        random = numpy.random.default_rng(seed)
        self.left = [{i.name: random.standard_normal([d.dim_value for d in i.type.tensor_type.shape.dim]).astype(numpy.float32) for i in inputs}
                     for _ in range(samples)]

    def get_next(self):
        return self.left.pop() if self.left else None


with tempfile.TemporaryDirectory() as folder:
    upgraded, folded, made = [os.path.join(folder, f"{name}.onnx") for name in ("in", "folded", "out")]
    onnx.save(model, upgraded)
    # Batch normalisations become part of the convolutions before them.
    quant_pre_process(upgraded, folded, skip_symbolic_shape=True)
    quantize_static(folded, made, Samples(), quant_format=QuantFormat.QDQ, per_channel=True, activation_type=QuantType.QUInt8,
                    weight_type=QuantType.QInt8)
    beside = target + ".part"
    onnx.save(onnx.load(made), beside)
    os.replace(beside, target)
"""


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("model")
    words.add_argument("out")
    words.add_argument("--shape", action="append", default=[], metavar="NAME=N,...", help="the extents of an input")
    words.add_argument("--samples", type=int, default=4, help="random inputs from which scales come")
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    if given.samples < 1:
        shared.fail(f"--samples takes 1 or more, not {given.samples}")
    if not os.path.exists(given.model):
        shared.fail(f"there is no file '{given.model}'")
    python = shared.environment("quantizer", ["numpy==2.4.6", "onnx==1.23.2", "sympy==1.14.0", shared.RIVALS["onnxruntime"]])
    done = subprocess.run([python, "-c", WORK, given.model, given.out, str(given.samples), str(given.seed), *given.shape], capture_output=True, text=True)
    if done.returncode != 0:
        shared.fail(f"'{given.model}' was not quantised: {shared.last_line(done)}")
    print(given.out)


if __name__ == "__main__":
    main()
