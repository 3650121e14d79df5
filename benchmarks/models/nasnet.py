# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""NASNet-A 4 @ 1056 (Zoph et al. 2018): cells of separable convolutions and pools, found by a search, which read the two cells before."""
from onnx import TensorProto

from layers import batch_norm, classify, convolve, pool
from writer import Writer


def nasnet_a_mobile():
    w = Writer("nasnet_a_mobile")

    def active(x, path, channels, to, gain=1.0):
        x = w.node("Relu", [x], path)
        return convolve(w, x, path, channels, to, 1, gain=2 * gain)

    def separable(x, path, channels, to, kernel, stride=1):
        for i, (start, stride) in enumerate([(channels, stride), (to, 1)], 1):
            part = f"{path}/sep{i}"
            x = convolve(w, w.node("Relu", [x], part), part + "/depthwise", start, start, kernel, stride, start, gain=2, bias=False)
            x = convolve(w, x, part + "/pointwise", start, to, 1, gain=0.6)
        return x

    def halved(x, path, channels, to):
        """Every other place, and every other place one further on, each with half of the channels."""
        x = w.node("Relu", [x], path)
        ends = w.integers([0, 0, 0, 0, 0, 0, 1, 1], "pads")
        moved = w.node("Pad", [x, ends, w.number(0, "zero")], path, mode="constant")
        one, axes = w.integers([1, 1], "ones"), w.integers([2, 3], "picture")
        moved = w.node("Slice", [moved, one, w.integers([2**63 - 1] * 2, "ends"), axes], path)
        parts = []
        for i, y in enumerate([x, moved], 1):
            y = pool(w, y, f"{path}/path_{i}", "AveragePool", 1, 2)
            parts.append(convolve(w, y, f"{path}/path_{i}", channels, to // 2, 1, gain=1, bias=False))
        # No one convolution comes before this batch normalisation, so that it stays.
        return batch_norm(w, w.node("Concat", parts, path, axis=1), path + "/bn", to)

    def cell(path, last, before, filters, reduces):
        """The sums of five pairs, joined. LAST, BEFORE and what comes back: tensor, channels, extent."""
        h = active(last[0], path + "/conv_1x1", last[1], filters, 0.5)
        size = (last[2] + 1) // 2 if reduces else last[2]
        if before is None:
            p, width = last[0], last[1]
        elif before[2] != last[2]:
            p, width = halved(before[0], path + "/adjust", before[1], filters), filters
        else:
            p, width = active(before[0], path + "/prev_1x1", before[1], filters, 0.5), filters

        def add(number, left, right):
            return w.node("Add", [left(f"{path}/comb_iter_{number}_left"), right(f"{path}/comb_iter_{number}_right")], path)

        def sep(x, kernel, channels=filters, stride=1):
            return lambda at: separable(x, at, channels, filters, kernel, stride)

        def mean(x, stride=1):
            return lambda at: pool(w, x, at, "AveragePool", 3, stride)

        def most(x):
            return lambda at: pool(w, x, at, "MaxPool", 3, 2)

        def same(x):
            return lambda at: x

        if reduces:
            first = add(0, sep(h, 5, stride=2), sep(p, 7, width, 2))
            second = add(1, most(h), sep(p, 7, width, 2))
            third = add(2, mean(h, 2), sep(p, 5, width, 2))
            fourth = add(3, mean(first), same(second))
            fifth = add(4, sep(first, 3), most(h))
            parts = [second, third, fourth, fifth]
        else:
            parts = [p, add(0, sep(h, 5), sep(p, 3)), add(1, sep(p, 5), sep(p, 3)), add(2, mean(h), same(p)), add(3, mean(p), mean(p)),
                     add(4, sep(h, 3), same(h))]
        return w.node("Concat", parts, path, axis=1), filters * len(parts), size

    x = convolve(w, "input", "/conv0", 3, 32, 3, 2, padding=[0, 0])
    stem = (x, 32, 111)
    before, last = stem, cell("/cell_stem_0", stem, None, 11, True)
    before, last = last, cell("/cell_stem_1", last, before, 22, True)
    number = 0
    for filters in (44, 88, 176):
        if filters > 44:
            before, last = last, cell(f"/reduction_cell_{filters}", last, before, filters, True)
        for _ in range(4):
            before, last, number = last, cell(f"/cell_{number}", last, before, filters, False), number + 1
    x = w.node("GlobalAveragePool", [w.node("Relu", [last[0]])])
    x = classify(w, w.node("Flatten", [x], axis=1), "/last_linear", last[1], 1000)
    return w.finish_static([("input", TensorProto.FLOAT, [1, 3, 224, 224])], [(x, "output", [1, 1000])])
