# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Faults of the past, each with the switch that puts it back, and the sources whose programs can show it."""

# What was wrong; the switch; sources; ways, or none for the usual ones. That (x + c) - c is joined is not among them: what it loses is within
# the bound of rounding errors, and tests of its own rules find it.
FAULTS = [
    ("a scale per row is taken for one per element", "graph.broadcast.axes", "form", ""),
    ("Resize of version 10 takes the element below", "io.onnx.first-resize", "operator/Resize@10", ""),
    ("Resize computes coordinates in double", "ops.resize.in-float", "operator/Resize", ""),
    ("Resize ignores its policy", "ops.resize.policy", "operator/Resize@18", ""),
    ("Resize ignores antialias", "ops.resize.antialias", "operator/Resize@19", ""),
    ("pads of the first AveragePool do not count", "io.onnx.first-average-pool", "operator/AveragePool@1", ""),
    ("NonZero of a scalar has an axis", "ops.non-zero.scalar", "operator/NonZero", ""),
    ("Slice backwards from before the axis is empty", "ops.slice.backwards", "operator/Slice", ""),
    ("Relay's defaults are those of the Python functions", "ops.relay.defaults", "relay/nn.leaky_relu,relay/nn.batch_matmul", ""),
    ("take has no batch_dims", "ops.relay.batch-dims", "relay/take", ""),
    ("reshape has no codes", "ops.relay.reshape", "relay/reshape", ""),
    ("a pool has no ceil_mode", "ops.relay.ceil", "relay/nn.max_pool2d", ""),
    ("a result of nested tuples is refused", "passes.results.flat", "relay", ""),
    ("a branch or loop that gives a value around it crashes", "passes.control.outer-values", "bodies", ""),
    ("results without a reader are refused", "io.onnx.empty-outputs", "operator/Split,operator/TopK", ""),
    ("a default of an input cannot be given", "io.onnx.defaults", "operator", ""),
    ("a sparse constant is refused", "io.onnx.sparse", "operator", ""),
    ("Dropout in training mode with a ratio of 0 is refused", "ops.dropout.ratio-zero", "operator/Dropout", ""),
    ("Cast does not know 8-bit floats", "ops.float8.cast", "operator/Cast@20", ""),
    ("sizes of the first Split are no operand", "io.onnx.split-operand", "operator/Split@1", ""),
    ("a claim at an extent of 0 or 1 cannot be emitted", "loops.check.never", "operator,chain", "single:cpu_loops unchecked,c"),
    ("blocks of steps are refused", "ops.quantization.blocks", "operator/QuantizeLinear@21,operator/DequantizeLinear@23", ""),
    ("oneDNN is wrong for images of 1x1", "onednn.channels.one-place", "chain", "single:onednn unchecked,unchecked"),
    ("a window longer than its axis is refused", "ops.window.longer-than-axis", "operator/AveragePool", ""),
    ("empty tensors share a place in C", "codegen.c.empty-places", "operator,chain,bodies", "c"),
    ("a piece of a loop has an unused buffer in C", "loops.c.used-buffers", "operator,chain,form", "c"),
]
WAYS = ("unchecked,no-rewrites unchecked,single:onednn unchecked,single:cpu_loops unchecked,single:cpu_simd unchecked,single:xnnpack unchecked,"
        "single:openblas unchecked,c")
