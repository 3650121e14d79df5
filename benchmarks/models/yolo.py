# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""A one-stage detector of the YOLO line (Redmon et al. 2016) as of its eighth version, without the suppression of overlapping boxes.

Cross-stage partial blocks (Wang et al. 2020), pyramid pooling (He et al. 2014) by small pools in a row, three heads without anchors of their
own, and boxes whose sides are means of learnt distributions (Li et al. 2020).
"""
import numpy as np
from onnx import TensorProto

from layers import convolve, pool
from writer import Writer

# How many distances a side of a box is spread over.
BINS = 16


def yolo(name, size, classes):
    w = Writer(name)
    anchors = sum((size // stride) ** 2 for stride in (8, 16, 32))

    def silu(x, path, channels, to, kernel=1, stride=1, gain=1.0):
        return convolve(w, x, path + "/conv", channels, to, kernel, stride, activation="Silu", gain=gain)

    def partial(x, path, channels, to, repeats, adds):
        """Half of the channels goes through bottlenecks, and every stage of it into the result."""
        half = to // 2
        parts = w.split("Split", [silu(x, path + "/cv1", channels, to), w.integers([half, half], f"halves_of_{to}")], 2, path, axis=1)
        for i in range(repeats):
            inner = silu(parts[-1], f"{path}/m.{i}/cv1", half, half, 3)
            inner = silu(inner, f"{path}/m.{i}/cv2", half, half, 3, gain=0.4 if adds else 1)
            parts.append(w.node("Add", [parts[-1], inner], f"{path}/m.{i}") if adds else inner)
        return silu(w.node("Concat", parts, path, axis=1), path + "/cv2", half * len(parts), to)

    def pyramid(x, path, channels):
        parts = [silu(x, path + "/cv1", channels, channels // 2)]
        for _ in range(3):
            parts.append(pool(w, parts[-1], path, "MaxPool", 5))
        # Pools of pools have several times the mean square, which this convolution takes back.
        return silu(w.node("Concat", parts, path, axis=1), path + "/cv2", 2 * channels, channels, gain=0.1)

    def enlarged(x, path):
        return w.node("Resize", [x, "", w.constant(np.array([1, 1, 2, 2], np.float32), "twice")], path, coordinate_transformation_mode="asymmetric",
                      cubic_coeff_a=-0.75, mode="nearest", nearest_mode="floor")

    x = silu("images", "/model.0", 3, 16, 3, 2)
    x = partial(silu(x, "/model.1", 16, 32, 3, 2), "/model.2", 32, 32, 1, True)
    third = partial(silu(x, "/model.3", 32, 64, 3, 2), "/model.4", 64, 64, 2, True)
    fourth = partial(silu(third, "/model.5", 64, 128, 3, 2), "/model.6", 128, 128, 2, True)
    fifth = partial(silu(fourth, "/model.7", 128, 256, 3, 2), "/model.8", 256, 256, 1, True)
    fifth = pyramid(fifth, "/model.9", 256)
    x = w.node("Concat", [enlarged(fifth, "/model.10"), fourth], "/model.11", axis=1)
    fourth = partial(x, "/model.12", 384, 128, 1, False)
    x = w.node("Concat", [enlarged(fourth, "/model.13"), third], "/model.14", axis=1)
    third = partial(x, "/model.15", 192, 64, 1, False)
    x = w.node("Concat", [silu(third, "/model.16", 64, 64, 3, 2), fourth], "/model.17", axis=1)
    fourth = partial(x, "/model.18", 192, 128, 1, False)
    x = w.node("Concat", [silu(fourth, "/model.19", 128, 128, 3, 2), fifth], "/model.20", axis=1)
    fifth = partial(x, "/model.21", 384, 256, 1, False)

    head, rows = "/model.22", []
    box_width, class_width = 4 * BINS, max(64, min(classes, 100))
    for i, (x, channels) in enumerate([(third, 64), (fourth, 128), (fifth, 256)]):
        box = silu(silu(x, f"{head}/cv2.{i}.0", channels, box_width, 3), f"{head}/cv2.{i}.1", box_width, box_width, 3)
        box = convolve(w, box, f"{head}/cv2.{i}.2", box_width, 4 * BINS, 1)
        kind = silu(silu(x, f"{head}/cv3.{i}.0", channels, class_width, 3), f"{head}/cv3.{i}.1", class_width, class_width, 3)
        kind = convolve(w, kind, f"{head}/cv3.{i}.2", class_width, classes, 1)
        both = w.node("Concat", [box, kind], head, axis=1)
        rows.append(w.node("Reshape", [both, w.integers([1, 4 * BINS + classes, -1], "rows")], head))
    rows = w.node("Concat", rows, head, axis=2)
    boxes, kinds = w.split("Split", [rows, w.integers([4 * BINS, classes], "boxes_and_classes")], 2, head, axis=1)

    path = head + "/dfl"
    y = w.node("Reshape", [boxes, w.integers([1, 4, BINS, anchors], "sides")], path)
    y = w.node("Softmax", [w.node("Transpose", [y], path, perm=[0, 2, 1, 3])], path, axis=1)
    means = w.constant(np.arange(BINS, dtype=np.float32).reshape(1, BINS, 1, 1), path + ".weight")
    y = w.node("Conv", [y, means], path, kernel_shape=[1, 1], strides=[1, 1], pads=[0] * 4, dilations=[1, 1], group=1)
    y = w.node("Reshape", [y, w.integers([1, 4, anchors], "boxes")], path)

    grids, strides = [], []
    for stride in (8, 16, 32):
        side = np.arange(size // stride, dtype=np.float32) + np.float32(0.5)
        grids.append(np.stack([np.tile(side, len(side)), np.repeat(side, len(side))]))
        strides.append(np.full((1, len(side) ** 2), stride, np.float32))
    centres = w.constant(np.concatenate(grids, axis=1)[np.newaxis], "centres")
    zero, two, four, axis = (w.integers([i], f"index_{i}") for i in (0, 2, 4, 1))
    low = w.node("Sub", [centres, w.node("Slice", [y, zero, two, axis], head)], head)
    high = w.node("Add", [centres, w.node("Slice", [y, two, four, axis], head)], head)
    middle = w.node("Div", [w.node("Add", [low, high], head), w.number(2, "two")], head)
    y = w.node("Concat", [middle, w.node("Sub", [high, low], head)], head, axis=1)
    y = w.node("Mul", [y, w.constant(np.concatenate(strides, axis=1), "strides")], head)
    y = w.node("Concat", [y, w.node("Sigmoid", [kinds], head)], head, axis=1)
    return w.finish_static([("images", TensorProto.FLOAT, [1, 3, size, size])], [(y, "output0", [1, 4 + classes, anchors])])
