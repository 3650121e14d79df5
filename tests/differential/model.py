# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Small programs of ONNX with their inputs: built node by node, printed, and written as models, alone or several in one file."""
import copy
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "fuzz"))
import seeds  # noqa: E402

SCHEMAS = os.path.join(os.path.dirname(HERE), "ops", "attributes", "onnx_schemas.txt")

# Element types: ONNX's number, its name in ONNX's text form, and the code of Python's struct.
FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64, BOOL, FLOAT16, DOUBLE, UINT32, UINT64, BFLOAT16 = 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 16
FLOAT8 = {17: "float8e4m3fn", 18: "float8e4m3fnuz", 19: "float8e5m2", 20: "float8e5m2fnuz"}
NAMES = {**FLOAT8, 1: "float", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16", 11: "double", 12: "uint32",
         13: "uint64", 16: "bfloat16"}
CODES = {1: "f", 2: "B", 3: "b", 4: "H", 5: "h", 6: "i", 7: "q", 9: "?", 10: "e", 11: "d", 12: "I", 13: "Q", 16: "H"}
FLOATS = (FLOAT, FLOAT16, DOUBLE, BFLOAT16)
INTEGERS = (UINT8, INT8, UINT16, INT16, INT32, INT64, UINT32, UINT64)

# The distance of 1 and the next number.
EPSILON = {FLOAT: 2.0 ** -23, FLOAT16: 2.0 ** -10, DOUBLE: 2.0 ** -52, BFLOAT16: 2.0 ** -7, 17: 2.0 ** -3, 18: 2.0 ** -3, 19: 2.0 ** -2, 20: 2.0 ** -2}

# Extents: none, one, a few, and the widths of vectors with their neighbours.
EXTENTS = [1, 1, 2, 2, 3, 3, 4, 7, 8, 9, 15, 16, 17]


# Operands of floating-point numbers from which operators take extents and places.
FIXED = {"Resize": (1, 2), "Upsample": (1,), "Range": (0, 1, 2), "Tile": (1, 2), "Split": (1,), "arange": (0, 1, 2)}


class Unsuited(Exception):
    """The operator has no form for this operand or this version of the operator set."""


def count_of(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def indices_of(shape, at):
    indices = []
    for extent in reversed(shape):
        indices.append(at % extent)
        at //= extent
    return indices[::-1]


def packed(element, values):
    if element == BFLOAT16:
        return b"".join(struct.pack("<f", v)[2:] for v in values)
    return struct.pack(f"<{len(values)}{CODES[element]}", *values)


def unpacked(element, data):
    """Values of little-endian bytes."""
    if element == BFLOAT16:
        return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0] for i in range(0, len(data), 2)]
    return list(struct.unpack(f"<{len(data) // struct.calcsize(CODES[element])}{CODES[element]}", data))


def rounded(element, values):
    """The values as the element type holds them."""
    return unpacked(element, packed(element, values)) if element in FLOATS else list(values)


class Value:
    """A tensor of a program: its name, its element type, and its shape, or None if the generator does not compute it."""

    def __init__(self, name, element, shape):
        self.name, self.element, self.shape = name, element, None if shape is None else list(shape)

    @property
    def rank(self):
        return len(self.shape)


class Tensor:
    """A constant or an input with its values."""

    def __init__(self, element, shape, values):
        self.element, self.shape, self.values = element, list(shape), list(values)

    def sparse_proto(self, name):
        """The elements that are not 0, with their places in one row or, for two axes and more, by axis."""
        places = [i for i, v in enumerate(self.values) if v]
        by_axis = len(self.shape) > 1 and len(places) % 2 == 1
        rows = [digit for i in places for digit in indices_of(self.shape, i)] if by_axis else places
        values = Tensor(self.element, [len(places)], [self.values[i] for i in places])
        indices = Tensor(INT64, [len(places), len(self.shape)] if by_axis else [len(places)], rows)
        return seeds.block(1, values.proto(name)) + seeds.block(2, indices.proto()) + b"".join(seeds.number(3, d) for d in self.shape)

    def proto(self, name=""):
        return (b"".join(seeds.number(1, d) for d in self.shape) + seeds.number(2, self.element) + (seeds.block(8, name) if name else b"")
                + seeds.block(9, packed(self.element, self.values)))

    def text(self):
        def number(v):
            return repr(v) if self.element == DOUBLE or self.element not in FLOATS else f"{v:.9g}"
        values = [number(v) for v in self.values]
        return f"{NAMES[self.element]}[{','.join(map(str, self.shape))}] {{{', '.join(values[:64])}{', ...' if len(values) > 64 else ''}}}"


class Node:
    def __init__(self, op, operands, results, attributes=None, domain=""):
        self.op, self.operands, self.results, self.attributes, self.domain = op, list(operands), list(results), dict(attributes or {}), domain

    def reads(self):
        """Names that the node reads, those of its bodies included."""
        names = [n for n in self.operands if n]
        for value in self.attributes.values():
            if isinstance(value, Body):
                names += value.reads()
        return names


class Body:
    """A graph inside a node: what it takes and gives, its nodes and constants. It may read values around it."""

    def __init__(self, inputs=(), results=(), nodes=(), constants=None):
        self.inputs, self.results, self.nodes, self.constants = list(inputs), list(results), list(nodes), dict(constants or {})

    def reads(self):
        own = {v.name for v in self.inputs} | set(self.constants) | {r for n in self.nodes for r in n.results}
        return [name for n in self.nodes for name in n.reads() if name not in own] + [v.name for v in self.results if v.name not in own]


def attribute_proto(name, value, rename):
    head = seeds.block(1, name)
    if isinstance(value, Body):
        return seeds.graph_attribute(name, body_proto(value, rename))
    if isinstance(value, Tensor):
        return head + seeds.block(5, value.proto()) + seeds.number(20, 4)
    if isinstance(value, str):
        return head + seeds.block(4, value) + seeds.number(20, 3)
    if isinstance(value, float):
        return head + b"\x15" + struct.pack("<f", value) + seeds.number(20, 1)
    if isinstance(value, int):
        return head + seeds.number(3, value) + seeds.number(20, 2)
    if value and isinstance(value[0], float):
        return head + b"".join(b"\x3d" + struct.pack("<f", v) for v in value) + seeds.number(20, 6)
    return seeds.integers(name, value)


def attribute_text(value, indent):
    if isinstance(value, Body):
        return "graph " + body_text(value, indent + "  ")
    if isinstance(value, Tensor):
        return value.text()
    return f'"{value}"' if isinstance(value, str) else str(value)


def node_proto(node, rename):
    return seeds.node(node.op, [rename(n) for n in node.operands], [rename(n) for n in node.results], "",
                      [attribute_proto(k, v, rename) for k, v in node.attributes.items()], node.domain)


def info(value, rename, shaped=True):
    if value.shape is None or not shaped:
        return seeds.block(1, rename(value.name)) + seeds.block(2, seeds.block(1, seeds.number(1, value.element)))
    return seeds.value_info(rename(value.name), value.shape, value.element)


def body_proto(body, rename):
    return seeds.graph([node_proto(n, rename) for n in body.nodes], [info(v, rename) for v in body.inputs], [info(v, rename, False) for v in body.results],
                       [t.proto(rename(name)) for name, t in body.constants.items()], "body")


def value_text(value):
    return f"{NAMES[value.element]}{'' if value.shape is None else value.shape} {value.name}".replace(" ", "").replace("]", "] ")


def body_text(body, indent=""):
    lines = [f"({', '.join(map(value_text, body.inputs))}) => ({', '.join(v.name for v in body.results)}) {{"]
    for name, tensor in body.constants.items():
        lines.append(f"{indent}  {name} = {tensor.text()}")
    for n in body.nodes:
        attributes = ", ".join(f"{k}={attribute_text(v, indent)}" for k, v in n.attributes.items())
        lines.append(f"{indent}  {', '.join(r or '_' for r in n.results)} = {n.domain + '.' if n.domain else ''}{n.op}"
                     f"{'<' + attributes + '>' if attributes else ''}({', '.join(o or '_' for o in n.operands)})")
    return "\n".join(lines) + f"\n{indent}}}"


class Program:
    """Nodes with the values of their inputs. `results` may lie in the middle of the program."""

    dialect = "onnx"

    def __init__(self, opset, source="", seed=0):
        self.opset, self.source, self.seed = opset, source, seed
        self.inputs, self.constants, self.nodes, self.results, self.values = {}, {}, [], [], {}
        # Constants that the file has as sparse tensors or as defaults of inputs, and inputs whose defaults are other numbers.
        self.sparse, self.defaults = set(), set()

    def empty(self):
        """A program of the same kind without nodes."""
        other = Program(self.opset, self.source, self.seed)
        other.sparse, other.defaults = self.sparse, self.defaults
        return other

    def key(self):
        return f"{self.source}:{self.seed}:{self.opset}"

    def body(self):
        return Body([Value(n, t.element, t.shape) for n, t in self.inputs.items()], [self.values[r] for r in self.results], self.nodes, self.constants)

    def text(self):
        inputs = "".join(f"\n{name} = {t.text()}" for name, t in self.inputs.items())
        special = "".join(f"\n{kind}: {', '.join(sorted(names))}" for kind, names in (("sparse", self.sparse & set(self.constants)), ("defaults of inputs", (
            self.defaults & {*self.constants, *self.inputs}))) if names)
        return f"opset {self.opset}, {self.source} of seed {self.seed}\n{body_text(self.body())}\ninputs:{inputs if inputs else ' none'}{special}"

    def live(self):
        """The program without what no result reads."""
        wanted, nodes = set(self.results), []
        for n in reversed(self.nodes):
            if wanted & set(n.results):
                nodes.append(n)
                wanted |= set(n.reads())
        kept = self.empty()
        kept.nodes, kept.results, kept.values = nodes[::-1], list(self.results), self.values
        kept.inputs = {k: v for k, v in self.inputs.items() if k in wanted}
        kept.constants = {k: v for k, v in self.constants.items() if k in wanted}
        return kept

    def operators(self):
        def of(nodes):
            for n in nodes:
                yield n.op
                for a in n.attributes.values():
                    if isinstance(a, Body):
                        yield from of(a.nodes)
        return set(of(self.nodes))

    def float_epsilon(self):
        """The coarsest element type of the program's floating-point values, as the distance of 1 and its next number."""
        elements = {v.element for v in self.values.values()} | {t.element for t in [*self.inputs.values(), *self.constants.values()]}
        elements |= {v for n in self.nodes for k, v in n.attributes.items() if n.op == "Cast" and k == "to" and isinstance(v, int)}
        return max([EPSILON[e] for e in elements if e in EPSILON], default=0.0)

    @staticmethod
    def product(operands, result):
        return Node("Mul", operands, [result])

    def perturbed(self, rng, step, rounding, exact):
        """The program with each floating-point input and constant times 1 + step or 1 - step, and each result that a node of another operator than
        `exact` reads times 1 + rounding or 1 - rounding."""
        def moved(tensors):
            return {k: Tensor(t.element, t.shape, rounded(t.element, [v * (1 + rng.choice((-step, step))) for v in t.values]))
                    if t.element in FLOATS and k not in fixed else t for k, t in tensors.items()}
        other = self.live()
        # Numbers that say extents stay as they are.
        fixed = {o for n in other.nodes for i in FIXED.get(n.op, ()) for o in n.operands[i:i + 1]}
        other.inputs, other.constants = moved(other.inputs), moved(other.constants)
        read = {name for n in other.nodes if n.op not in exact for name in n.reads()}
        nodes, other.nodes = other.nodes, []
        for n in nodes:
            results = []
            for name in n.results:
                v = self.values.get(name)
                if (v is None or name not in read or v.shape is None or v.element not in FLOATS or not 0 < count_of(v.shape) <= 1 << 14
                        or v.element == BFLOAT16 and self.opset < 13):
                    results.append((name, name))
                    continue
                factors = Tensor(v.element, v.shape, rounded(v.element, [1 + rng.choice((-rounding, rounding)) for _ in range(count_of(v.shape))]))
                other.constants[name + "_r"] = factors
                results.append((name, name + "_m"))
            moved_node = copy.copy(n)
            moved_node.results = [m for _, m in results]
            other.nodes.append(moved_node)
            other.nodes += [self.product([m, name + "_r"], name) for name, m in results if m != name]
        return other


def ir_version(opset):
    return 3 if opset < 9 else 7 if opset < 15 else 8 if opset < 19 else 9 if opset < 21 else 10


def model_of(programs):
    """The bytes of one model with all of these programs, of one version of the operator set: names of program i begin with `p<i>_`."""
    nodes, inputs, results, constants, sparse = [], [], [], [], []
    for i, p in enumerate(programs):
        def rename(name, prefix=f"p{i}_"):
            return prefix + name if name else ""
        nodes += [node_proto(n, rename) for n in p.nodes]
        inputs += [info(Value(n, t.element, t.shape), rename) for n, t in p.inputs.items()]
        # Old files list constants among the inputs; the newer form leaves them out, and every reader takes it.
        constants += [t.proto(rename(n)) for n, t in p.constants.items() if n not in p.sparse]
        sparse += [t.sparse_proto(rename(n)) for n, t in p.constants.items() if n in p.sparse]
        inputs += [info(Value(n, t.element, t.shape), rename) for n, t in p.constants.items() if n in p.defaults and n not in p.sparse]
        constants += [Tensor(t.element, t.shape, t.values[::-1]).proto(rename(n)) for n, t in p.inputs.items() if n in p.defaults]
        results += [info(p.values[r], rename) for r in p.results]
    opset = programs[0].opset
    graph = seeds.graph(nodes, inputs, results, constants) + b"".join(seeds.block(15, t) for t in sparse)
    return seeds.model(graph, opset, 8 if sparse and ir_version(opset) < 8 else max(4, ir_version(opset)))


def read_schemas():
    """{operator: {attribute: (type, default, since)}}; the newest form of each."""
    table = {}
    with open(SCHEMAS, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            row = table.setdefault(words[0], {})
            if len(words) >= 5:
                row[words[1]] = (words[2], " ".join(words[3:-1]), int(words[-1]))
    return table


class Builder:
    """Adds nodes to a program; all choices come from one seed. `largest` bounds extents, so that a failing program can be tried smaller."""

    schemas = read_schemas()

    def __init__(self, seed, opset, source, largest=17):
        self.random = random.Random(f"{source} {seed}")
        self.program = Program(opset, source, seed)
        self.opset, self.largest = opset, largest
        self.count = 0
        self.scopes = [self.program]
        self.known = []

    def chance(self, p):
        return self.random.random() < p

    def choice(self, values):
        return self.random.choice(values)

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def since(self, version):
        if self.opset < version:
            raise Unsuited(f"needs opset {version}")

    def extent(self, zero=0.02):
        e = self.choice(EXTENTS)
        return 0 if self.chance(zero) else min(e, self.largest)

    def shape(self, low=0, high=5, zero=0.02, most=4096):
        rank = self.random.randint(low, high)
        how = self.choice(["any", "any", "equal", "different"])
        if how == "equal":
            made = [self.extent(zero)] * rank
        elif how == "different":
            pool = [e for e in (1, 2, 3, 7, 8, 9, 15, 16, 17) if e <= self.largest] or [1]
            made = [self.choice(pool) if rank > len(pool) else pool.pop(self.random.randrange(len(pool))) for _ in range(rank)]
        else:
            made = [self.extent(zero) for _ in range(rank)]
        while count_of(made) > most:
            at = max(range(rank), key=lambda i: made[i])
            made[at] = max(1, made[at] // 2)
            if how == "equal":
                made = [made[at]] * rank
        return made

    def numbers(self, element, count, low=None, high=None):
        """Random values: for floating-point ones some zeros, halves and whole values; for integers some ends of the range."""
        if element == BOOL:
            return [self.chance(0.5) for _ in range(count)]
        if element in FLOATS:
            low, high = -2.0 if low is None else low, 2.0 if high is None else high
            how = self.random.random()
            made = []
            for _ in range(count):
                v = self.random.uniform(low, high)
                if how < 0.3 and self.chance(0.3):
                    v = min(max(self.choice([0.0, 1.0, -1.0, 0.5, -0.5, 1.5]), low), high)
                made.append(v)
            return rounded(element, made)
        least = -8 if element in (INT8, INT16, INT32, INT64) else 0
        low, high = least if low is None else low, 9 if high is None else high
        return [self.random.randint(low, high) for _ in range(count)]

    def input(self, shape, element=FLOAT, low=None, high=None):
        name = self.name("x")
        self.program.inputs[name] = Tensor(element, shape, self.numbers(element, count_of(shape), low, high))
        if self.chance(0.05):
            self.program.defaults.add(name)
        return self.keep(Value(name, element, shape))

    def constant(self, shape, element=FLOAT, low=None, high=None, values=None):
        name = self.name("c")
        values = self.numbers(element, count_of(shape), low, high) if values is None else rounded(element, values)
        self.scopes[-1].constants[name] = Tensor(element, shape, values)
        if len(self.scopes) == 1 and self.chance(0.05):
            self.program.defaults.add(name)
        elif len(self.scopes) == 1 and self.opset >= 11 and element in (FLOAT, INT64, DOUBLE) and shape and self.chance(0.1):
            self.program.sparse.add(name)
        return self.keep(Value(name, element, shape))

    def integers(self, values, element=INT64):
        return self.constant([len(values)], element, values=values)

    def weight(self, shape, element=FLOAT):
        """A constant mostly, an input otherwise; its values are small where many of them are added."""
        bound = (3 / max(1, count_of(shape[1:]))) ** 0.5
        if self.chance(0.85) or len(self.scopes) > 1:
            return self.constant(shape, element, -bound, bound)
        return self.input(shape, element, -bound, bound)

    def operand(self, shape, element=FLOAT, low=None, high=None):
        same = [v for v in self.known if v.shape == list(shape) and v.element == element]
        if same and low is None and self.chance(0.3):
            return self.choice(same)
        if self.chance(0.6) or len(self.scopes) > 1:
            return self.constant(shape, element, low, high)
        return self.input(shape, element, low, high)

    def lain(self, shape):
        """A shape that broadcasts to this one: a scalar, a channel, a row, a column, all of it, or any other."""
        how, rank = self.random.randrange(8), len(shape)
        if how == 0 or rank == 0:
            return self.choice([[], [1], [1] * rank]) if rank else []
        if how == 1:
            return list(shape)
        if how == 2 and rank >= 2:
            return self.choice([[shape[1]] + [1] * (rank - 2), [1, shape[1]] + [1] * (rank - 2)])
        if how == 3:
            return [shape[-1]]
        if how == 4 and rank >= 2:
            return [shape[-2], 1]
        if how == 5:
            return [shape[0]] + [1] * (rank - 1)
        made = [e if self.chance(0.5) else 1 for e in shape]
        return made[self.random.randrange(rank):] if self.chance(0.4) else made

    def attributes(self, op, **special):
        """Attributes of a call: each left out, given as its default, or at one of the special values."""
        row, made = self.schemas.get(op, {}), {}
        for name, values in special.items():
            kind, default, since = row.get(name, ("", "-", 1))
            if since > self.opset:
                continue
            if default == "required":
                made[name] = self.choice(values)
            elif self.chance(0.4):
                continue
            elif default not in ("-", "") and self.chance(0.25) and kind in ("int", "float", "string"):
                made[name] = {"int": int, "float": float, "string": str}[kind](default)
            else:
                made[name] = self.choice(values)
        return {k: v for k, v in made.items() if v is not None}

    def keep(self, value):
        self.program.values[value.name] = value
        self.known.append(value)
        return value

    def call(self, op, operands, shape, element=None, attributes=None, results=1, domain=""):
        """Adds a node and returns its first result, or all of them if shapes are a list of lists."""
        element = operands[0].element if element is None else element
        made = [Value(self.name("t"), element, shape)] if results == 1 else [
            Value(self.name("t"), element[i] if isinstance(element, list) else element, None if shape is None else shape[i]) for i in range(results)]
        self.scopes[-1].nodes.append(Node(op, [o.name if o is not None else "" for o in operands], [v.name for v in made], attributes, domain))
        for v in made:
            self.keep(v)
        return made[0] if results == 1 else made

    def finished(self):
        """The program with its results: values without a reader, some in the middle; a few values are left without reader and result."""
        p = self.program
        made = [r for n in p.nodes for r in n.results if r]
        read = {name for n in p.nodes for name in n.reads()}
        ends = [r for r in made if r not in read]
        # A file of numbers has no 8-bit floats.
        ends = [r for r in ends if p.values[r].element not in FLOAT8]
        p.results = [r for r in ends if r == ends[-1] or not self.chance(0.15)]
        p.results += [r for r in made if r in read and p.values[r].element not in FLOAT8 and self.chance(0.12)]
        for n in p.nodes if p.dialect == "onnx" else ():
            kept = [r for r in n.results if r in read] or n.results[-1:]
            if len(n.results) > 1 and self.chance(0.3) and (len(kept) > 1 or kept[0] in {*read, *p.results}):
                p.results = [r for r in p.results if r not in n.results or r in kept]
                n.results = [r if r in kept else "" for r in n.results]
        return p if not p.nodes else self.with_used_inputs(p)

    @staticmethod
    def with_used_inputs(p):
        read = {name for n in p.nodes for name in n.reads()} | set(p.results)
        p.inputs = {k: v for k, v in p.inputs.items() if k in read}
        p.constants = {k: v for k, v in p.constants.items() if k in read}
        return p
