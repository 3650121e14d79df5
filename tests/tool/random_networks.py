# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Small random networks through every way to decide: random_networks.py PROGRAM

Each is planned by every partitioner for back ends chosen at random, run on one or two threads, and held against the reference interpreter:
INLAY_RANDOM_NETWORKS of them (12), from INLAY_SEED on. Plans of small ones cost what the best of all covers costs, which plain enumeration
finds: of up to INLAY_RANDOM_NODES nodes (6). A network that fails is told by its seed.
"""
import concurrent.futures
import json
import os
import random
import re
import struct
import sys

from tool import Bench, Tap, seeds

KINDS = ["onednn", "cpu_simd", "xnnpack", "openblas", "cpu_loops"]


def integer(name, value):
    return seeds.block(1, name) + seeds.number(3, value) + seeds.number(20, 2)


def list_of(name, values):
    """A tensor of int64."""
    return seeds.number(1, len(values)) + seeds.number(2, 7) + seeds.block(8, name) + seeds.block(9, struct.pack(f"<{len(values)}q", *values))


class Network:
    """A graph of images and matrices that grows by random operators; what is read is chosen at random, too."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.nodes, self.constants, self.inputs = [], [], []
        self.shapes, self.readers = {}, {}
        self.batch = self.random.choice([1, 1, 1, 2])
        for _ in range(self.random.randint(1, 2)):
            name = f"x{len(self.inputs)}"
            shape = [self.batch, self.random.choice([3, 8, 16, 20, 32]), self.random.randint(3, 9), self.random.randint(3, 9)]
            self.inputs.append(seeds.value_info(name, shape))
            self.shapes[name] = shape
        for _ in range(self.random.randint(3, 11)):
            self.grow()

    def constant(self, shape):
        name = f"c{len(self.constants)}"
        count = 1
        for extent in shape:
            count *= extent
        scale = (3 / max(count // shape[0], 1)) ** 0.5
        self.constants.append(seeds.tensor(name, shape, [self.random.uniform(-scale, scale) for _ in range(count)]))
        return name

    def integers(self, values):
        name = f"c{len(self.constants)}"
        self.constants.append(list_of(name, values))
        return name

    def call(self, op, operands, shapes, attributes=()):
        names = [f"t{len(self.nodes)}_{i}" for i in range(len(shapes))]
        self.nodes.append(seeds.node(op, operands, names, f"n{len(self.nodes)}", attributes))
        for name in operands:
            self.readers[name] = self.readers.get(name, 0) + 1
        self.shapes.update(zip(names, shapes))
        return names[0]

    def images(self, like=None):
        """Names of images, those that nobody reads yet three times as likely; of the shape `like` but for its None."""
        fit = [n for n, s in self.shapes.items() if len(s) == 4 and (like is None or all(a is None or a == b for a, b in zip(like, s)))]
        return [n for n in fit for _ in range(1 if n in self.readers else 3)]

    def grow(self):
        getattr(self, self.random.choice(["convolve", "convolve", "separate", "apply", "combine", "combine", "together", "together", "apart", "pool", "attend", "gate", "classify"]))()

    def image(self):
        return self.random.choice(self.images())

    def convolve(self):
        x = self.image()
        n, c, h, w = self.shapes[x]
        size, outputs = self.random.choice([1, 3]), self.random.choice([8, 16, 20, 32, 64])
        operands = [x, self.constant([outputs, c, size, size])] + ([self.constant([outputs])] if self.random.random() < 0.7 else [])
        y = self.call("Conv", operands, [[n, outputs, h, w]], [seeds.integers("pads", [size // 2] * 4)])
        if self.random.random() < 0.6:
            self.call("Relu", [y], [[n, outputs, h, w]])

    def separate(self):
        x = self.image()
        n, c, h, w = self.shapes[x]
        self.call("Conv", [x, self.constant([c, 1, 3, 3])], [[n, c, h, w]], [seeds.integers("pads", [1] * 4), integer("group", c)])

    def apply(self):
        x = self.image()
        self.call(self.random.choice(["Relu", "Sigmoid", "Tanh", "HardSwish", "Neg", "Abs"]), [x], [self.shapes[x]])

    def combine(self):
        x = self.image()
        self.call(self.random.choice(["Add", "Mul", "Sub", "Max"]), [x, self.random.choice(self.images(self.shapes[x]))], [self.shapes[x]])

    def together(self):
        x = self.image()
        n, _, h, w = self.shapes[x]
        parts = [x] + [self.random.choice(self.images([n, None, h, w])) for _ in range(self.random.randint(1, 2))]
        channels = sum(self.shapes[p][1] for p in parts)
        if channels <= 256:
            self.call("Concat", parts, [[n, channels, h, w]], [integer("axis", 1)])

    def apart(self):
        x = self.image()
        n, c, h, w = self.shapes[x]
        first = self.random.choice([8, 16, c // 2])
        if 0 < first < c:
            self.call("Split", [x, self.integers([first, c - first])], [[n, first, h, w], [n, c - first, h, w]], [integer("axis", 1)])

    def pool(self):
        x = self.image()
        n, c, h, w = self.shapes[x]
        op, step = self.random.choice(["MaxPool", "AveragePool"]), self.random.choice([1, 2])
        self.call(op, [x], [[n, c, (h - 1) // step + 1, (w - 1) // step + 1]],
                  [seeds.integers("kernel_shape", [3, 3]), seeds.integers("pads", [1] * 4), seeds.integers("strides", [step] * 2)])

    def attend(self):
        """Places of an image as rows of queries, keys and values."""
        x = self.image()
        n, c, h, w = self.shapes[x]
        # The scores of an attention are an image too, and theirs would have no room.
        if h * w > 4096:
            return
        rows = self.call("Transpose", [self.call("Reshape", [x, self.integers([n, c, h * w])], [[n, c, h * w]])], [[n, h * w, c]], [seeds.integers("perm", [0, 2, 1])])
        heads = 4 if c % 4 == 0 else 1
        shape = [n, h * w, heads, c // heads]
        q, k, v = (self.call("Reshape", [self.call("MatMul", [rows, self.constant([c, c])], [[n, h * w, c]]), self.integers(shape)], [shape]) for _ in range(3))
        first = [n, heads, h * w, c // heads]
        q, v = (self.call("Transpose", [t], [first], [seeds.integers("perm", [0, 2, 1, 3])]) for t in (q, v))
        k = self.call("Transpose", [k], [[n, heads, c // heads, h * w]], [seeds.integers("perm", [0, 2, 3, 1])])
        weights = self.call("Softmax", [self.call("MatMul", [q, k], [[n, heads, h * w, h * w]])], [[n, heads, h * w, h * w]], [integer("axis", -1)])
        mixed = self.call("Transpose", [self.call("MatMul", [weights, v], [first])], [shape], [seeds.integers("perm", [0, 2, 1, 3])])
        self.call("Reshape", [mixed, self.integers([n, c, h, w])], [[n, c, h, w]])

    def gate(self):
        """A factor for each channel from the mean of its places."""
        x = self.image()
        n, c, h, w = self.shapes[x]
        mean = self.call("GlobalAveragePool", [x], [[n, c, 1, 1]])
        self.call("Mul", [x, self.call("Sigmoid", [self.call("Conv", [mean, self.constant([c, c, 1, 1])], [[n, c, 1, 1]])], [[n, c, 1, 1]])], [[n, c, h, w]])

    def classify(self):
        x = self.image()
        n, c, h, w = self.shapes[x]
        flat = self.call("Flatten", [x], [[n, c * h * w]])
        self.call("Gemm", [flat, self.constant([c * h * w, 24]), self.constant([24])], [[n, 24]])

    def model(self):
        made = [n for n in self.shapes if not n.startswith("x")]
        if not made:
            self.apply()
            made = [n for n in self.shapes if not n.startswith("x")]
        results = [n for n in made if n not in self.readers]
        results += [n for n in made if n in self.readers and self.random.random() < 0.1]
        return seeds.model(seeds.graph(self.nodes, self.inputs, [seeds.value_info(n, self.shapes[n]) for n in results], self.constants), opset=14)


# How many nodes plain enumeration is asked for: twelve of many formats take minutes without optimisation.
SMALL = int(os.environ.get("INLAY_RANDOM_NODES", "6"))
TOO_MANY = "too many for plain enumeration"


def is_exact_cheapest(b, name, target):
    """Holds the price of a plan of exact against what plain enumeration finds under the same prices; None where that has too many covers."""
    seconds = []
    for way in ("exhaustive", "exact"):
        call = ["partition", name, "--target", target, "--costs", "model", "--partitioner", way, "--json", "--quiet"]
        code, out, err = b.call(*call)
        if code == 2 and TOO_MANY in err:
            return None
        if code != 0:
            b.problem(call, f"gives {code}, {err[-300:]!r}")
            return False
        seconds.append(json.loads(out)["seconds"])
    if abs(seconds[1] - seconds[0]) > 1e-9 * seconds[0]:
        b.problem(call, f"plans for {seconds[1]!r} s where plain enumeration finds {seconds[0]!r} s")
        return False
    return True


def main(arguments):
    b = Bench(arguments[0])
    count, first = int(os.environ.get("INLAY_RANDOM_NETWORKS", "12")), int(os.environ.get("INLAY_SEED", random.randrange(1 << 30)))
    calls, small = [], []
    for seed in range(first, first + count):
        network = Network(seed)
        name = b.write(f"{seed}.onnx", network.model())
        kinds = network.random.sample(KINDS, network.random.randint(1, len(KINDS)))
        ways = [("exact", kinds), ("eager", kinds), (f"single:{network.random.choice(kinds)}", kinds)]
        if len(network.nodes) <= SMALL:
            ways.append(("exhaustive", kinds[:1]))
            small.append((name, f"{kinds[0]}, reference"))
        for way, some in ways:
            calls.append(["run", name, "--target", ", ".join([*some, "reference"]), "--threads", str(network.random.choice([1, 2])), "--costs", "model",
                          "--partitioner", way, "--check", "--quiet"])

    def run(call):
        code, out, err = b.call(*call)
        # Few nodes may have many formats.
        if code == 2 and TOO_MANY in err and "exhaustive" in call:
            return
        # An element that is the small difference of large sums has few digits right: errors count against the largest value. A softmax of
        # large scores makes relative errors of these a hundred times as large, in the reference back end as well.
        errors = [float(e) for e in re.findall(r"of the largest value ([0-9.einfa+-]+)", out)]
        if code not in (0, 1) or not errors or len(errors) != out.count("largest absolute error") or not all(e <= 1e-4 for e in errors):
            b.problem(call, f"gives {code}, {out[-300:]!r}, {err[-300:]!r}")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, calls))
        agree = b.take()
        compared = [found for found in pool.map(lambda one: is_exact_cheapest(b, *one), small) if found is not None]
    # Where none of these networks was small enough, the next ones are asked until one is.
    for seed in range(first + count, first + count + 100):
        network = Network(seed)
        if not compared and len(network.nodes) <= SMALL:
            small.append((b.write(f"{seed}.onnx", network.model()), f"{KINDS[0]}, reference"))
            found = is_exact_cheapest(b, *small[-1])
            compared += [] if found is None else [found]
    if not compared:
        b.problem(["partition"], "has no small network whose covers can be enumerated")
    tap = Tap()
    tap.verdict(f"{count} random networks from seed {first} agree with the interpreter, {len(calls)} runs", agree)
    tap.verdict(f"exact's plans cost what the best of all covers costs, {len(compared)} of {len(small)} small networks compared", b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
