# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Calls of ONNX's operators in all the forms that they have had: each function adds one to a program, for an operand of its choice or a given one.

A function takes a builder and a value. It returns the call's result, or raises `Unsuited` if the operator has no form for that value.
"""
import struct

from model import BFLOAT16, BOOL, DOUBLE, FLOAT, FLOAT16, FLOAT8, FLOATS, INT32, INT64, INT8, INTEGERS, UINT16, UINT32, UINT64, UINT8, Body, Tensor
from model import Unsuited, Value, count_of

TABLE = {}
FLOAT32 = struct.Struct("<f")


def operator(*names, elements=(FLOAT,), low=0, high=5):
    """Registers a function for these operators: the element types and the ranks of its operand."""
    def add(function):
        for name in names:
            TABLE[name] = (function, elements, low, high)
        return function
    return add


def apply(b, name, x=None):
    """Adds a call of the operator to x, or to a new input."""
    function, elements, low, high = TABLE[name]
    if x is None:
        element = b.choice(elements) if b.chance(0.35) else elements[0]
        x = b.input(b.shape(low, high), element)
    elif x.shape is None or not low <= x.rank <= high or x.element not in elements:
        raise Unsuited(name)
    return function(b, name, x)


ANY_FLOAT = (FLOAT, FLOAT, DOUBLE, FLOAT16)
# Of what moves elements and computes none.
ANY = (FLOAT, FLOAT, FLOAT, INT64, INT64, UINT8, FLOAT16, INT8, UINT16, INT32, UINT32, UINT64, DOUBLE, BOOL)

UNARY = {
    "Abs": {}, "Ceil": {}, "Cos": {}, "Cosh": {"since": 9}, "Elu": {"alpha": [0.0, 0.5, 2.0]}, "Erf": {"since": 9}, "Exp": {}, "Floor": {},
    "HardSigmoid": {"alpha": [0.5, 1 / 6], "beta": [0.0, 0.25, 0.5]}, "HardSwish": {"since": 14}, "Identity": {},
    "LeakyRelu": {"alpha": [0.0, 0.25, 1.0, 2.0, -1.0]}, "Mish": {"since": 18}, "Neg": {}, "Relu": {}, "Round": {"since": 11},
    "Selu": {"alpha": [1.0, 2.0], "gamma": [1.0, 0.5]}, "Sigmoid": {}, "Sign": {"since": 9}, "Sin": {"since": 7}, "Sinh": {"since": 9}, "Softplus": {},
    "Softsign": {}, "Tanh": {}, "ThresholdedRelu": {"since": 10, "alpha": [0.0, 0.5, -0.5]}, "Celu": {"since": 12, "alpha": [0.5, 2.0]},
    "Gelu": {"since": 20, "approximate": ["none", "tanh"]}, "Swish": {"since": 24, "alpha": [0.5, 1.702]}, "Atan": {"since": 7},
    "Asinh": {"since": 9}, "Shrink": {"since": 9, "lambd": [0.0, 1.0], "bias": [0.0, 0.5]},
}


@operator(*UNARY, elements=ANY_FLOAT)
def unary(b, op, x):
    row = dict(UNARY[op])
    b.since(row.pop("since", 6))
    return b.call(op, [x], x.shape, attributes=b.attributes(op, **row))


@operator("Sqrt", "Log", "Reciprocal", "Acos", "Asin", "Atanh", "Acosh", "Tan", elements=ANY_FLOAT)
def of_a_domain(b, op, x):
    """Operators that are defined for some numbers alone: their operand is brought there."""
    b.since({"Atanh": 9, "Acosh": 9, "Acos": 7, "Asin": 7, "Tan": 7}.get(op, 6))
    half = b.constant([], x.element, values=[0.5])
    if op in ("Acos", "Asin", "Atanh", "Tan"):
        b.since(7)
        inside = b.call("Mul", [b.call("Tanh", [x], x.shape), half], x.shape)
    else:
        b.since(7)
        inside = b.call("Add", [b.call("Abs", [x], x.shape), b.constant([], x.element, values=[1.0]) if op == "Acosh" else half], x.shape)
    return b.call(op, [inside], x.shape)


@operator("Abs integers", "Neg integers", "Sign integers", "Relu integers", elements=(INT32, INT64, INT8))
def unary_of_integers(b, op, x):
    op = op.split()[0]
    b.since({"Sign": 9, "Relu": 14}.get(op, 6))
    return b.call(op, [x], x.shape)


@operator("Add", "Sub", "Mul", "Div", "Pow", "PRelu", elements=(FLOAT, FLOAT, FLOAT16, DOUBLE, INT32, INT64, *INTEGERS))
def binary(b, op, x):
    shape = b.lain(x.shape)
    if x.element not in FLOATS and op in ("Pow", "PRelu"):
        raise Unsuited(op)
    b.since(1 if op == "PRelu" else 14 if x.element in INTEGERS and x.element not in (INT32, INT64, UINT32, UINT64) else 7)
    low, high = (0.5, 2.0) if op == "Div" and x.element in FLOATS else (1, 5) if op == "Div" else (None, None)
    if op == "Pow":
        base = b.call("Abs", [x], x.shape)
        return b.call(op, [base, b.constant(shape, x.element, values=[b.choice([0.5, 1.0, 2.0, 3.0, 1.5])] * count_of(shape))], x.shape)
    other = b.weight(shape, x.element) if op == "PRelu" else b.operand(shape, x.element, low, high)
    if op == "PRelu" or (b.chance(0.6) or op == "Div"):
        if op == "PRelu":
            b.since(7)
        return b.call(op, [x, other], x.shape)
    return b.call(op, [other, x], x.shape)


@operator("Add of axis", "Mul of axis", low=2, high=4)
def binary_of_an_axis(b, op, x):
    """Broadcasting as versions below 7 state it."""
    if b.opset >= 7:
        raise Unsuited(op)
    axis = b.random.randrange(x.rank)
    last = b.random.randint(axis + 1, x.rank)
    return b.call(op.split()[0], [x, b.constant(x.shape[axis:last])], x.shape, attributes={"broadcast": 1, "axis": axis})


@operator("Max", "Min", "Mean", "Sum", elements=ANY_FLOAT)
def variadic(b, op, x):
    b.since(8)
    count = b.choice([1, 2, 2, 3])
    return b.call(op, [x] + [b.operand(b.lain(x.shape), x.element) for _ in range(count - 1)], x.shape)


@operator("Clip", elements=(FLOAT, FLOAT, FLOAT16, DOUBLE, INT32, INT8, UINT8))
def clip(b, op, x):
    b.since(6)
    floats = x.element in FLOATS
    low, high = b.choice([(None, None), (0, 6), (-1, 1), (0, None), (None, 1), (0, 0), (1, -1), (-100, 0)])
    if b.opset < 11:
        if not floats:
            raise Unsuited(op)
        return b.call(op, [x], x.shape, attributes={k: float(v) for k, v in (("min", low), ("max", high)) if v is not None})
    if not floats:
        b.since(12)
        low, high = (None if v is None else max(v, 0 if x.element == UINT8 else -100) for v in (low, high))
    bounds = [None if v is None else b.constant([], x.element, values=[v]) for v in (low, high)]
    while bounds and bounds[-1] is None and b.chance(0.7):
        bounds.pop()
    return b.call(op, [x, *bounds], x.shape)


@operator("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual", elements=(FLOAT, INT32, INT64, DOUBLE))
def compared(b, op, x):
    b.since({"LessOrEqual": 12, "GreaterOrEqual": 12, "Equal": 11}.get(op, 9))
    return b.call(op, [x, b.operand(b.lain(x.shape), x.element)], x.shape, BOOL)


@operator("And", "Or", "Xor", "Not", elements=(BOOL,))
def logical(b, op, x):
    b.since(7)
    return b.call(op, [x] if op == "Not" else [x, b.operand(b.lain(x.shape), BOOL)], x.shape)


@operator("Mod", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot", "BitShift", elements=INTEGERS)
def bits(b, op, x):
    b.since({"Mod": 10, "BitShift": 11}.get(op, 18))
    if op == "BitwiseNot":
        return b.call(op, [x], x.shape)
    if op == "BitShift" and x.element not in (UINT8, 12, 13):
        raise Unsuited(op)
    other = b.constant(b.lain(x.shape), x.element, 1, 5)
    attributes = {"direction": b.choice(["LEFT", "RIGHT"])} if op == "BitShift" else b.attributes(op, fmod=[0, 1]) if op == "Mod" else {}
    return b.call(op, [x, other], x.shape, attributes=attributes)


@operator("Where", elements=ANY)
def where(b, op, x):
    b.since(9)
    return b.call(op, [b.operand(b.lain(x.shape), BOOL), x, b.operand(b.lain(x.shape), x.element)], x.shape, x.element)


@operator("IsNaN", "IsInf", elements=(FLOAT, DOUBLE))
def unusual(b, op, x):
    b.since(10)
    return b.call(op, [x], x.shape, BOOL)


@operator("Cast", "CastLike", elements=(FLOAT, FLOAT, INT32, INT64, UINT8, INT8, BOOL, DOUBLE, FLOAT16))
def cast(b, op, x):
    b.since(15 if op == "CastLike" else 6)
    if b.opset >= 19 and x.element in (FLOAT, FLOAT16) and b.chance(0.3):
        small = b.choice(sorted(FLOAT8))
        narrow = (b.call(op, [x, b.call("Cast", [b.constant([1])], [1], small, {"to": small})], x.shape, small, b.attributes(op, saturate=[0, 1]))
                  if op == "CastLike" else b.call(op, [x], x.shape, small, {"to": small, **b.attributes(op, saturate=[0, 1])}))
        back = b.choice([FLOAT, FLOAT16])
        return b.call("Cast", [narrow], x.shape, back, {"to": back})
    to = b.choice([FLOAT, FLOAT, DOUBLE, INT32, INT64, BOOL, FLOAT16] + ([BFLOAT16] if b.opset >= 13 else []))
    if op == "CastLike":
        return b.call(op, [x, b.constant([1], to)], x.shape, to)
    return b.call(op, [x], x.shape, to, {"to": to})


# Shapes and places.

@operator("Transpose", elements=ANY, low=1)
def transpose(b, op, x):
    order = list(range(x.rank))
    b.random.shuffle(order)
    if b.chance(0.2):
        return b.call(op, [x], x.shape[::-1])
    return b.call(op, [x], [x.shape[i] for i in order], attributes={"perm": order})


def regrouped(b, shape):
    """A shape of as many elements: neighbours joined, ones added, or an extent split."""
    made = list(shape)
    for _ in range(b.random.randint(0, 2)):
        how = b.random.randrange(4)
        if how == 0 and len(made) >= 2:
            at = b.random.randrange(len(made) - 1)
            made[at:at + 2] = [made[at] * made[at + 1]]
        elif how == 1 and len(made) < 5:
            made.insert(b.random.randint(0, len(made)), 1)
        elif how == 2 and 1 in made:
            made.remove(1)
        elif made and len(made) < 5:
            at = b.random.randrange(len(made))
            for f in (2, 3):
                if made[at] % f == 0 and made[at] > f:
                    made[at:at + 1] = b.choice([[f, made[at] // f], [made[at] // f, f]])
                    break
    return made


@operator("Reshape", elements=ANY)
def reshape(b, op, x):
    target = regrouped(b, x.shape)
    asked = list(target)
    if asked and 0 not in target and b.chance(0.4):
        asked[b.random.randrange(len(asked))] = -1
    elif b.chance(0.3):
        asked = [0 if i < x.rank and e == x.shape[i] else e for i, e in enumerate(asked)]
    attributes = {}
    if 0 in asked and b.opset >= 14 and asked == target and b.chance(0.5):
        attributes["allowzero"] = 1
    elif any(e == 0 and (i >= x.rank or x.shape[i] != target[i]) for i, e in enumerate(asked)):
        raise Unsuited(op)
    if b.opset < 5:
        if not asked:
            raise Unsuited(op)
        return b.call(op, [x], target, attributes={"shape": asked})
    return b.call(op, [x, b.integers(asked)], target, attributes=attributes)


@operator("Flatten", elements=(FLOAT, INT32))
def flatten(b, op, x):
    axis = b.random.randint(-x.rank if b.opset >= 11 else 0, x.rank)
    if b.chance(0.3):
        if x.rank < 1:
            raise Unsuited(op)
        return b.call(op, [x], [count_of(x.shape[:1]), count_of(x.shape[1:])])
    at = axis + x.rank if axis < 0 else axis
    return b.call(op, [x], [count_of(x.shape[:at]), count_of(x.shape[at:])], attributes={"axis": axis})


def with_axes(b, op, x, axes, since, shape, attributes=None):
    """A call whose axes are an attribute in old versions and an operand from `since` on."""
    attributes = dict(attributes or {})
    if axes is None:
        return b.call(op, [x], shape, attributes=attributes)
    if b.opset < since:
        return b.call(op, [x], shape, attributes={**attributes, "axes": axes})
    return b.call(op, [x, b.integers(axes)], shape, attributes=attributes)


def negative(b, axes, rank, since=11):
    return [a - rank if b.opset >= since and b.chance(0.4) else a for a in axes]


@operator("Squeeze", "Unsqueeze", elements=ANY)
def squeeze(b, op, x):
    if op == "Squeeze":
        ones = [i for i, e in enumerate(x.shape) if e == 1]
        axes = b.random.sample(ones, b.random.randint(1, len(ones))) if ones else None
        if axes is None or b.chance(0.3):
            return b.call(op, [x], [e for e in x.shape if e != 1])
        return with_axes(b, op, x, negative(b, axes, x.rank), 13, [e for i, e in enumerate(x.shape) if i not in axes])
    rank = x.rank + b.choice([1, 1, 2])
    axes = sorted(b.random.sample(range(rank), rank - x.rank))
    rest = iter(x.shape)
    return with_axes(b, op, x, negative(b, axes, rank), 13, [1 if i in axes else next(rest) for i in range(rank)])


@operator("Concat", elements=ANY, low=1)
def concat(b, op, x):
    axis = b.random.randrange(x.rank)
    parts, total = [x], x.shape[axis]
    for _ in range(b.choice([0, 1, 1, 2])):
        shape = list(x.shape)
        shape[axis] = b.choice([b.extent(0.1), x.shape[axis]])
        parts.append(x if shape == x.shape and b.chance(0.3) else b.operand(shape, x.element))
        total += shape[axis]
    b.random.shuffle(parts)
    return b.call(op, parts, [total if i == axis else e for i, e in enumerate(x.shape)], x.element,
                  {} if b.opset < 4 and axis == 1 and b.chance(0.5) else {"axis": negative(b, [axis], x.rank)[0]})


@operator("Split", elements=ANY, low=1)
def split(b, op, x):
    axis = b.random.randrange(x.rank)
    extent = x.shape[axis]
    count = b.choice([1, 2, 3])
    attributes = {"axis": negative(b, [axis], x.rank)[0]} if axis or b.chance(0.5) else {}
    if extent % count == 0 and b.chance(0.5):
        sizes, given = [extent // count] * count, False
    else:
        cuts = sorted(b.random.randint(0, extent) for _ in range(count - 1))
        sizes, given = [q - p for p, q in zip([0, *cuts], [*cuts, extent])], True
    operands = [x]
    if given and b.opset < 2 and x.element in (FLOAT, DOUBLE) and b.chance(0.5):
        # The first version takes sizes of the data's type, too.
        operands.append(b.constant([count], x.element, values=[float(v) for v in sizes]))
    elif given and b.opset < 13:
        attributes["split"] = sizes
    elif given:
        operands.append(b.integers(sizes))
    elif b.opset >= 18:
        attributes["num_outputs"] = count
    shapes = [[s if i == axis else e for i, e in enumerate(x.shape)] for s in sizes]
    if count == 1:
        return b.call(op, operands, shapes[0], attributes=attributes)
    return b.choice(b.call(op, operands, shapes, x.element, attributes, count))


def taken(start, end, step, extent):
    """How many elements ONNX's Slice takes of an axis. Backwards from before the axis it begins at the first element, unlike Python's slices."""
    start = start + extent if start < 0 else start
    end = end + extent if end < 0 else end
    if step > 0:
        return len(range(min(max(start, 0), extent), min(max(end, 0), extent), step))
    return len(range(min(max(start, 0), extent - 1), min(max(end, -1), extent - 1), step))


@operator("Slice", elements=ANY, low=1)
def sliced(b, op, x):
    axes = b.random.sample(range(x.rank), b.random.randint(1, min(2, x.rank)))
    steps = [b.choice([1, 1, 2, 3, -1, -2]) if b.opset >= 10 else 1 for _ in axes]
    starts, ends, shape = [], [], list(x.shape)
    for a, step in zip(axes, steps):
        extent = x.shape[a]
        start = -extent - 2 if b.chance(0.1) else b.random.randint(-extent - 1, extent + 1)
        end = b.choice([b.random.randint(-extent - 1, extent + 1), 2 ** 31 - 1, -2 ** 31])
        starts.append(start)
        ends.append(end)
        shape[a] = taken(start, end, step, extent)
    if b.opset < 10:
        if any(v < 0 for v in (*starts, *ends)) and b.chance(0.5):
            raise Unsuited(op)
        return b.call(op, [x], shape, attributes={"axes": axes, "starts": starts, "ends": ends})
    kind = b.choice([INT64, INT32])
    operands = [x, b.integers(starts, kind), b.integers(ends, kind), b.integers(negative(b, axes, x.rank), kind)]
    return b.call(op, operands if steps == [1] * len(steps) and b.chance(0.5) else [*operands, b.integers(steps, kind)], shape)


@operator("Pad", elements=(FLOAT, FLOAT, INT32), low=1, high=5)
def pad(b, op, x):
    mode = b.choice(["constant", "constant", "reflect", "edge"] + (["wrap"] if b.opset >= 19 else []))
    if x.element not in FLOATS:
        b.since(11)
    amounts = []
    for _ in range(2):
        for e in x.shape:
            most = max(e - 1, 0) if mode == "reflect" else e if mode == "wrap" else 2 if e else (2 if mode == "constant" else 0)
            least = -1 if e >= 4 and b.chance(0.1) and mode == "constant" else 0
            amounts.append(b.random.randint(least, min(most, 3)) if b.chance(0.6) else 0)
    shape = [e + p + q for e, p, q in zip(x.shape, amounts, amounts[x.rank:])]
    attributes = {} if mode == "constant" and b.chance(0.5) else {"mode": mode}
    if b.opset < 11:
        return b.call(op, [x], shape, attributes={**attributes, ("pads" if b.opset >= 2 else "paddings"): amounts, **({"value": 0.5} if b.chance(0.3) else {})})
    operands = [x, b.integers(amounts)]
    if b.chance(0.5):
        operands.append(b.constant([], x.element))
    return b.call(op, operands, shape, attributes=attributes)


@operator("Tile", "Expand", elements=ANY)
def repeated(b, op, x):
    b.since(8 if op == "Expand" else 1)
    if op == "Tile" and b.opset < 6:
        if x.rank == 0 or x.element != FLOAT:
            raise Unsuited(op)
        axis, times = b.random.randrange(x.rank), b.choice([1, 2, 3])
        return b.call(op, [x, b.constant([1], FLOAT, values=[float(times)]), b.constant([1], FLOAT, values=[float(axis)])],
                      [e * times if i == axis else e for i, e in enumerate(x.shape)])
    if op == "Tile":
        times = [b.choice([1, 1, 2, 3]) for _ in x.shape]
        if not times:
            raise Unsuited(op)
        return b.call(op, [x, b.integers(times)], [e * t for e, t in zip(x.shape, times)])
    target = [b.extent() if e == 1 and b.chance(0.7) else e for e in x.shape]
    asked = [b.choice([1, e]) if e == x.shape[i] else e for i, e in enumerate(target)]
    if len(target) < 5 and b.chance(0.3):
        asked.insert(0, 2)
        target = [2, *target]
    return b.call(op, [x, b.integers(asked)], target)


@operator("Gather", "GatherElements", "GatherND", elements=ANY, low=1)
def gather(b, op, x):
    b.since({"Gather": 1, "GatherElements": 11, "GatherND": 11}[op])
    axis = b.random.randrange(x.rank)
    extent = x.shape[axis]
    if 0 in x.shape:
        raise Unsuited(op)
    least = -extent if b.opset >= 11 and b.chance(0.5) else 0
    kind = INT64 if op == "GatherND" else b.choice([INT64, INT32])
    if op == "GatherND":
        deep = b.random.randint(1, x.rank)
        lead = b.shape(0, 2)
        rows = [b.random.randint(-e, e - 1) for _ in range(count_of(lead)) for e in x.shape[:deep]]
        return b.call(op, [x, b.constant([*lead, deep], INT64, values=rows)], lead + x.shape[deep:])
    attributes = {"axis": negative(b, [axis], x.rank)[0]} if axis or b.chance(0.5) else {}
    if op == "Gather":
        shape = b.shape(0, 2)
        indices = b.constant(shape, kind, least, extent - 1)
        return b.call(op, [x, indices], x.shape[:axis] + shape + x.shape[axis + 1:], attributes=attributes)
    shape = [b.extent() if i == axis else b.random.randint(1, e) for i, e in enumerate(x.shape)]
    return b.call(op, [x, b.constant(shape, kind, least, extent - 1)], shape, attributes=attributes)


@operator("ScatterElements", "ScatterND", low=1)
def scatter(b, op, x):
    b.since(11)
    if 0 in x.shape:
        raise Unsuited(op)
    if op == "ScatterND":
        deep = b.random.randint(1, x.rank)
        rows = b.random.sample(range(count_of(x.shape[:deep])), b.random.randint(0, min(3, count_of(x.shape[:deep]))))
        indices = []
        for r in rows:
            place = []
            for e in reversed(x.shape[:deep]):
                place.append(r % e)
                r //= e
            indices += place[::-1]
        return b.call(op, [x, b.constant([len(rows), deep], INT64, values=indices), b.operand([len(rows)] + x.shape[deep:])], x.shape)
    axis = b.random.randrange(x.rank)
    count = b.random.randint(1, x.shape[axis])
    shape = [count if i == axis else e for i, e in enumerate(x.shape)]
    places = b.random.sample(range(x.shape[axis]), count)
    inner = count_of(shape[axis + 1:])
    indices = [places[(i // inner) % count] for i in range(count_of(shape))]
    return b.call(op, [x, b.constant(shape, INT64, values=indices), b.operand(shape)], x.shape, attributes={"axis": axis} if axis or b.chance(0.5) else {})


@operator("DepthToSpace", "SpaceToDepth", low=4, high=4)
def depth(b, op, x):
    n, c, h, w = x.shape
    size = b.choice([1, 2])
    if op == "SpaceToDepth":
        if h % size or w % size:
            raise Unsuited(op)
        return b.call(op, [x], [n, c * size * size, h // size, w // size], attributes={"blocksize": size})
    if c % (size * size):
        raise Unsuited(op)
    return b.call(op, [x], [n, c // size // size, h * size, w * size],
                  attributes={"blocksize": size, **b.attributes(op, mode=["DCR", "CRD"])})


@operator("Trilu", "EyeLike", elements=(FLOAT, INT64), low=2)
def trilu(b, op, x):
    b.since(14 if op == "Trilu" else 9)
    k = b.choice([0, 1, -1, 2, -3, 20, -20])
    if op == "EyeLike":
        if x.rank != 2:
            raise Unsuited(op)
        return b.call(op, [x], x.shape, attributes=b.attributes(op, k=[k]))
    return b.call(op, [x] + ([b.constant([], INT64, values=[k])] if b.chance(0.7) else []), x.shape, attributes=b.attributes(op, upper=[0, 1]))


@operator("Shape", "Size", elements=(FLOAT, INT64))
def shape_of(b, op, x):
    if op == "Size":
        return b.call(op, [x], [], INT64)
    if b.opset < 15 or b.chance(0.5):
        return b.call(op, [x], [x.rank], INT64)
    start, end = b.random.randint(-x.rank - 1, x.rank + 1), b.random.randint(-x.rank - 1, x.rank + 1)
    return b.call(op, [x], [len(range(*slice(start, end).indices(x.rank)))], INT64, {"start": start, "end": end})


@operator("NonZero", elements=(FLOAT, BOOL, INT64))
def non_zero(b, op, x):
    b.since(9)
    return b.call(op, [x], None, INT64)


@operator("ReverseSequence", low=2)
def reverse(b, op, x):
    b.since(10)
    time = b.choice([0, 1])
    if 0 in x.shape:
        raise Unsuited(op)
    return b.call(op, [x, b.constant([x.shape[1 - time]], INT64, 1, x.shape[time])], x.shape, attributes={"time_axis": time, "batch_axis": 1 - time})


@operator("OneHot", elements=(INT64, INT32))
def one_hot(b, op, x):
    b.since(9)
    axis = b.random.randint(-1 - x.rank, x.rank)
    at = axis + x.rank + 1 if axis < 0 else axis
    return b.call(op, [x, b.constant(b.choice([[], [1]]), INT64, values=[6]), b.constant([2], FLOAT)], x.shape[:at] + [6] + x.shape[at:], FLOAT,
                  {"axis": axis} if axis != -1 or b.chance(0.5) else {})


@operator("ConstantOfShape", elements=(INT64,), high=1, low=1)
def constant_of_shape(b, op, x):
    b.since(9)
    shape = b.shape()
    value = b.choice([None, Tensor(FLOAT, [1], [1.5]), Tensor(INT64, [1], [3])])
    return b.call(op, [b.integers(shape)], shape, FLOAT if value is None else value.element, {} if value is None else {"value": value})


@operator("Range", elements=(INT64,), high=0)
def ranged(b, op, x):
    b.since(11)
    element = b.choice([FLOAT, INT64, INT32])
    start, limit, delta = b.choice([(0, 5, 1), (5, 0, -2), (0, 0, 1), (3, 1, 1), (-2, 7, 3)])
    return b.call(op, [b.constant([], element, values=[v]) for v in (start, limit, delta)], [max(0, -(-(limit - start) // delta))], element)


@operator("Constant", high=0)
def constant(b, op, x):
    shape = b.shape()
    given = Tensor(FLOAT, shape, b.numbers(FLOAT, count_of(shape)))
    return b.call("Add", [x, b.call(op, [], shape, FLOAT, {"value": given})], shape) if b.opset >= 7 else b.call(op, [], shape, FLOAT, {"value": given})


@operator("CumSum", low=1)
def cumulated(b, op, x):
    b.since(11)
    axis = b.random.randint(-x.rank, x.rank - 1)
    return b.call(op, [x, b.constant(b.choice([[], [1]]) if b.opset < 14 else [], b.choice([INT64, INT32]), values=[axis])], x.shape,
                  attributes=b.attributes(op, exclusive=[0, 1], reverse=[0, 1]))


@operator("Dropout")
def dropout(b, op, x):
    b.since(6)
    if b.opset >= 12:
        operands = [x]
        if b.chance(0.4):
            operands.append(b.constant([], FLOAT, values=[b.choice([0.0, 0.5])]))
        if b.chance(0.3):
            # In training mode a ratio of 0 keeps every element.
            operands = [x, b.constant([], FLOAT, values=[0.0]), b.constant([], BOOL, values=[True])]
            return b.call(op, operands, [x.shape, x.shape], [FLOAT, BOOL], b.attributes(op, seed=[1]), 2)[0]
        return b.call(op, operands, x.shape, attributes=b.attributes(op, seed=[1]))
    return b.call(op, [x], x.shape, attributes={**b.attributes(op, ratio=[0.0, 0.3]), **({"is_test": 1} if b.opset < 7 else {})})


# Reductions and normalisations.

REDUCTIONS = {"ReduceSum": 13, "ReduceMean": 18, "ReduceMax": 18, "ReduceMin": 18, "ReduceProd": 18, "ReduceL1": 18, "ReduceL2": 18,
              "ReduceSumSquare": 18, "ReduceLogSumExp": 18}


@operator(*REDUCTIONS, elements=(FLOAT, FLOAT, DOUBLE, INT32, FLOAT16))
def reduced(b, op, x):
    since = REDUCTIONS[op]
    if x.element not in FLOATS and op in ("ReduceLogSumExp", "ReduceL2", "ReduceMean", "ReduceProd"):
        raise Unsuited(op)
    if 0 in x.shape and op in ("ReduceMean", "ReduceMax", "ReduceMin", "ReduceLogSumExp"):
        raise Unsuited(op)
    keep = b.choice([None, 0, 1])
    attributes = {} if keep is None else {"keepdims": keep}
    axes = b.random.sample(range(x.rank), b.random.randint(1, x.rank)) if x.rank and b.chance(0.85) else None
    if axes is None and b.opset >= since and b.chance(0.4):
        attributes["noop_with_empty_axes"] = b.choice([0, 1])
        if attributes["noop_with_empty_axes"] and op not in ("ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"):
            return b.call(op, [x] + ([b.integers([])] if b.chance(0.5) else []), x.shape, attributes=attributes)
        attributes.pop("noop_with_empty_axes")
    shape = [1 if axes is None or i in axes else e for i, e in enumerate(x.shape) if keep != 0 or not (axes is None or i in axes)]
    return with_axes(b, op, x, None if axes is None else negative(b, axes, x.rank), since, shape, attributes)


@operator("ArgMax", "ArgMin", elements=(FLOAT, FLOAT, INT32), low=1)
def arg(b, op, x):
    axis = b.random.randrange(x.rank)
    if 0 in x.shape:
        raise Unsuited(op)
    keep = b.choice([None, 0, 1])
    attributes = {**b.attributes(op, select_last_index=[0, 1]), **({} if axis == 0 and b.chance(0.5) else {"axis": negative(b, [axis], x.rank)[0]}),
                  **({} if keep is None else {"keepdims": keep})}
    return b.call(op, [x], [1 if i == axis else e for i, e in enumerate(x.shape) if keep != 0 or i != axis], INT64, attributes)


@operator("TopK", low=1)
def top(b, op, x):
    b.since(1)
    axis = b.random.randrange(x.rank)
    k = b.random.randint(0 if b.chance(0.2) else min(1, x.shape[axis]), x.shape[axis])
    shape = [k if i == axis else e for i, e in enumerate(x.shape)]
    attributes = {} if axis == x.rank - 1 and b.chance(0.5) else {"axis": negative(b, [axis], x.rank)[0]}
    if b.opset < 10:
        return b.choice(b.call(op, [x], [shape, shape], [FLOAT, INT64], {**attributes, "k": max(k, 1)}, 2)) if k else b.call("Identity", [x], x.shape)
    return b.choice(b.call(op, [x, b.integers([k])], [shape, shape], [FLOAT, INT64], {**attributes, **b.attributes(op, largest=[0, 1])}, 2))


@operator("Softmax", "LogSoftmax", "Hardmax", elements=(FLOAT, FLOAT, DOUBLE, FLOAT16), low=1)
def softmax(b, op, x):
    axis = b.random.randrange(x.rank)
    if 0 in x.shape:
        raise Unsuited(op)
    return b.call(op, [x], x.shape, attributes={} if b.chance(0.3) and (b.opset >= 13 or x.rank > 1) else {"axis": negative(b, [axis], x.rank)[0]})


@operator("BatchNormalization", low=2, high=5)
def batch_normalization(b, op, x):
    b.since(7)
    c = x.shape[1]
    operands = [x, b.weight([c]), b.weight([c]), b.constant([c]), b.constant([c], FLOAT, 0.25, 2.0)]
    return b.call(op, operands, x.shape, attributes=b.attributes(op, epsilon=[1e-3, 0.0, 0.5], momentum=[0.5]))


@operator("InstanceNormalization", low=3, high=5)
def instance_normalization(b, op, x):
    b.since(6)
    if 0 in x.shape:
        raise Unsuited(op)
    return b.call(op, [x, b.weight([x.shape[1]]), b.weight([x.shape[1]])], x.shape, attributes=b.attributes(op, epsilon=[1e-3, 0.5]))


@operator("GroupNormalization", low=3, high=5)
def group_normalization(b, op, x):
    b.since(18)
    c = x.shape[1]
    groups = b.choice([g for g in (1, 2, 4, c) if g and c % g == 0] or [1])
    if 0 in x.shape:
        raise Unsuited(op)
    extent = groups if b.opset < 21 else c
    return b.call(op, [x, b.weight([extent]), b.weight([extent])], x.shape,
                  attributes={"num_groups": groups, **b.attributes(op, epsilon=[1e-3, 0.5])})


@operator("LayerNormalization", "RMSNormalization", elements=(FLOAT, FLOAT, FLOAT16), low=1)
def layer_normalization(b, op, x):
    b.since(17 if op == "LayerNormalization" else 23)
    axis = b.random.randrange(x.rank)
    if 0 in x.shape:
        raise Unsuited(op)
    attributes = {**b.attributes(op, epsilon=[1e-3, 0.5]), **({} if axis == x.rank - 1 and b.chance(0.5) else {"axis": negative(b, [axis], x.rank)[0]})}
    shapes = [b.lain(x.shape[axis:]) if b.chance(0.2) else x.shape[axis:] for _ in range(2)]
    shapes = [[1] * (x.rank - axis - len(s)) + s for s in shapes]
    operands = [x, b.weight(shapes[0], x.element)]
    if op == "LayerNormalization" and b.chance(0.7):
        operands.append(b.weight(shapes[1], x.element))
    return b.call(op, operands, x.shape, attributes=attributes)


@operator("LpNormalization", "MeanVarianceNormalization", "LRN", low=2)
def other_normalization(b, op, x):
    if 0 in x.shape:
        raise Unsuited(op)
    if op == "LpNormalization":
        return b.call(op, [x], x.shape, attributes={"axis": b.random.randrange(x.rank), **b.attributes(op, p=[1, 2])})
    if x.rank != 4:
        raise Unsuited(op)
    if op == "LRN":
        return b.call(op, [x], x.shape, attributes={"size": b.choice([1, 3, 5]), **b.attributes(op, alpha=[0.1], beta=[0.5, 1.0], bias=[2.0])})
    b.since(9)
    return b.call(op, [x], x.shape, attributes=b.attributes(op, axes=[[0, 2, 3], [1, 2, 3]]))


# Windows and products.

def window(b, extents, pooled, known_kernel=None, longer=False):
    """(kernel, attributes of strides, pads, dilations and the like, extents of the result) for an operand of these spatial extents."""
    rank = len(extents)
    kernel = known_kernel or [b.choice([1, 2, 3, 3, 5]) for _ in extents]
    attributes = {}
    strides, dilations, pads = [1] * rank, [1] * rank, [0] * 2 * rank
    if b.chance(0.5):
        strides = attributes["strides"] = [b.choice([1, 2, 3]) for _ in extents]
    if b.chance(0.2) and not (pooled and b.opset < 19):
        dilations = attributes["dilations"] = [b.choice([1, 2]) for _ in extents]
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    auto = b.choice(["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"]) if b.chance(0.25) else None
    if auto:
        attributes["auto_pad"] = auto
    if auto in (None, "NOTSET") and b.chance(0.6):
        pads = [min(b.choice([0, 1, 1, 2]), k - 1) for k in kernel] + [min(b.choice([0, 1, 1, 2]), k - 1) for k in kernel]
        attributes["pads"] = pads
    result = []
    for i, e in enumerate(extents):
        if auto in ("SAME_UPPER", "SAME_LOWER"):
            result.append(-(-e // strides[i]))
        else:
            padded = e + pads[i] + pads[i + rank]
            room = padded - spans[i]
            if room < 0 and not (longer and b.chance(0.3)):
                raise Unsuited("the window exceeds the axis")
            # Where the window is longer than the axis, ONNX Runtime rounds the formula's quotient towards 0.
            result.append((room // strides[i] if room >= 0 else -(-room // strides[i])) + 1)
            if result[-1] < 0:
                raise Unsuited("fewer places than none")
    return kernel, attributes, result, (strides, pads, spans)


@operator("Conv", low=3, high=5)
def convolution(b, op, x):
    n, c, *extents = x.shape
    if 0 in x.shape:
        raise Unsuited(op)
    kernel, attributes, result, _ = window(b, extents, False)
    group = b.choice([1, 1, 1, c, 2 if c % 2 == 0 else 1])
    outputs = group * b.choice([1, 1, 2, 3, 4, 8, 16])
    if outputs > 64:
        outputs = group
    if group > 1 or b.chance(0.3):
        attributes["group"] = group
    if b.chance(0.5):
        attributes["kernel_shape"] = kernel
    operands = [x, b.weight([outputs, c // group, *kernel])] + ([b.weight([outputs])] if b.chance(0.6) else [])
    return b.call(op, operands, [n, outputs, *result], attributes=attributes)


@operator("ConvTranspose", low=3, high=4)
def transposed_convolution(b, op, x):
    n, c, *extents = x.shape
    if 0 in x.shape:
        raise Unsuited(op)
    group = b.choice([1, 1, c])
    outputs = b.choice([1, 2, 3, 8])
    kernel = [b.choice([1, 2, 3]) for _ in extents]
    attributes = {}
    strides, pads, more = [1] * len(extents), [0] * 2 * len(extents), [0] * len(extents)
    if b.chance(0.6):
        strides = attributes["strides"] = [b.choice([1, 2]) for _ in extents]
    if b.chance(0.5):
        pads = attributes["pads"] = [min(b.choice([0, 1]), k // 2) for k in kernel * 2]
    if b.chance(0.3):
        more = attributes["output_padding"] = [s - 1 for s in strides]
    if group > 1:
        attributes["group"] = group
    result = [(e - 1) * s + k + m - p - q for e, s, k, m, p, q in zip(extents, strides, kernel, more, pads, pads[len(extents):])]
    if min(result) < 1:
        raise Unsuited(op)
    operands = [x, b.weight([c, outputs, *kernel])] + ([b.weight([outputs * group])] if b.chance(0.5) else [])
    return b.call(op, operands, [n, outputs * group, *result], attributes=attributes)


@operator("MaxPool", "AveragePool", "LpPool", low=3, high=5)
def pooled(b, op, x):
    n, c, *extents = x.shape
    if 0 in x.shape:
        raise Unsuited(op)
    if op == "LpPool":
        b.since(2)
    kernel, attributes, result, (strides, pads, spans) = window(b, extents, op != "MaxPool" or b.opset < 10, longer=op == "AveragePool")
    if op == "MaxPool" and b.opset < 10:
        attributes.pop("dilations", None)
    if b.opset >= (18 if op == "LpPool" else 10) and b.chance(0.3) and attributes.get("auto_pad", "NOTSET") == "NOTSET":
        attributes["ceil_mode"] = 1
        rank = len(extents)
        result = []
        for i, e in enumerate(extents):
            last = -(-(e + pads[i] + pads[i + rank] - spans[i]) // strides[i])
            # A window that would begin in the padding behind is left out.
            result.append(last if last * strides[i] >= e + pads[i] else last + 1)
    if op == "AveragePool":
        attributes.update(b.attributes(op, count_include_pad=[0, 1]))
    if op == "LpPool":
        attributes.update(b.attributes(op, p=[1, 2]))
    attributes["kernel_shape"] = kernel
    if op == "MaxPool" and b.opset >= 8 and b.chance(0.15):
        return b.choice(b.call(op, [x], [[n, c, *result]] * 2, [FLOAT, INT64], {**attributes, **b.attributes(op, storage_order=[0])}, 2))
    return b.call(op, [x], [n, c, *result], attributes=attributes)


@operator("GlobalAveragePool", "GlobalMaxPool", low=3, high=5)
def pooled_whole(b, op, x):
    if 0 in x.shape:
        raise Unsuited(op)
    return b.call(op, [x], x.shape[:2] + [1] * (x.rank - 2))


@operator("MatMul", elements=(FLOAT, FLOAT, FLOAT, DOUBLE, FLOAT16), low=1, high=5)
def product(b, op, x):
    k, columns = x.shape[-1], b.extent()
    if b.chance(0.1):
        return b.call(op, [x, b.weight([k], x.element)], x.shape[:-1])
    if x.rank <= 2 or b.chance(0.5):
        other, lead = [k, columns], x.shape[:-2]
    else:
        other = [e if b.chance(0.6) else 1 for e in x.shape[:-2]] + [k, columns]
        lead = x.shape[:-2]
        other = other[b.random.randint(0, x.rank - 2):] if b.chance(0.3) else other
    return b.call(op, [x, b.operand(other, x.element, -0.5, 0.5)], columns_of(x, lead, columns))


def columns_of(x, lead, columns):
    return [columns] if x.rank == 1 else [*lead, x.shape[-2], columns]


@operator("Gemm", elements=(FLOAT, FLOAT, DOUBLE), low=2, high=2)
def gemm(b, op, x):
    b.since(7)
    attributes = b.attributes(op, alpha=[0.0, 0.5, 2.0], beta=[0.0, 0.5, -1.0])
    rows, k = x.shape
    if b.chance(0.3):
        rows, k = k, rows
        attributes["transA"] = 1
    columns = b.extent()
    other = [k, columns]
    if b.chance(0.5):
        other = [columns, k]
        attributes["transB"] = 1
    operands = [x, b.operand(other, x.element, -0.5, 0.5)]
    if b.opset < 11 or b.chance(0.7):
        operands.append(b.operand(b.choice([[], [1], [columns], [1, columns], [rows, 1], [rows, columns], [1, 1]]), x.element))
    return b.call(op, operands, [rows, columns], attributes=attributes)


@operator("Einsum", low=2, high=3)
def einsum(b, op, x):
    b.since(12)
    letters = "ijk"[:x.rank]
    other, result = b.choice([(letters[-1] + "m", letters[:-1] + "m"), (letters, ""), (letters, letters), (letters[::-1], letters)])
    extents = dict(zip(letters, x.shape), m=b.extent())
    return b.call(op, [x, b.operand([extents[c] for c in other])], [extents[c] for c in result], attributes={"equation": f"{letters},{other}->{result}"})


@operator("Resize", "Upsample", low=3, high=4)
def resize(b, op, x):
    if op == "Upsample" and not (7 <= b.opset <= 9 or b.opset == 1 and x.rank == 4):
        raise Unsuited(op)
    b.since(1 if op == "Upsample" else 10)
    if 0 in x.shape:
        raise Unsuited(op)
    scales = [1.0, 1.0] + [b.choice([1.0, 2.0, 0.5, 3.0, 1.5, 0.6]) for _ in x.shape[2:]]
    # The result has floor(extent * scale) places, with the scale in single precision.
    shape = [int(e * s + 1e-9) for e, s in zip(x.shape, scales)]
    if 0 in shape:
        raise Unsuited(op)
    if op == "Upsample" and b.opset == 1:
        return b.call(op, [x], shape, attributes={"height_scale": scales[2], "width_scale": scales[3], "mode": b.choice(["nearest", "bilinear"])})
    if op == "Upsample" and b.opset < 9:
        return b.call(op, [x], shape, attributes={"scales": scales, **b.attributes(op, mode=["nearest", "linear"])})
    if b.opset < 11:
        return b.call(op, [x, b.constant([x.rank], FLOAT, values=scales)], shape, attributes={"mode": b.choice(["nearest", "linear"])})
    attributes = b.attributes(op, mode=["nearest", "linear", "cubic"], coordinate_transformation_mode=[
        "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", *(["half_pixel_symmetric"] if b.opset >= 19 else [])], nearest_mode=["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"],
        cubic_coeff_a=[-0.5, -0.75], exclude_outside=[0, 1], antialias=[0, 1])
    if b.opset >= 18 and b.chance(0.15):
        attributes.update(mode=b.choice(["linear", "cubic"]), antialias=1)
    empty = None if b.opset >= 13 else b.constant([0], FLOAT)
    if b.chance(0.2) and x.rank == 4:
        # A part of the image is stretched over the result.
        attributes.update(coordinate_transformation_mode="tf_crop_and_resize", **b.attributes(op, extrapolation_value=[0.5]))
        attributes.pop("antialias", None)
        attributes.pop("exclude_outside", None)
        if attributes.get("mode") == "cubic":
            attributes["mode"] = "linear"
        begin, end = [b.choice([0.0, 0.2]) for _ in range(2)], [b.choice([1.0, 0.7, 1.2]) for _ in range(2)]
        region = b.constant([8], FLOAT, values=[0.0, 0.0, *begin, 1.0, 1.0, *end])
        return b.call(op, [x, region, empty, b.integers(shape)], shape, attributes=attributes)
    if b.opset >= 18 and b.chance(0.3):
        axes = [2, 3][:x.rank - 2]
        if b.chance(0.3):
            axes = axes[::-1]
        sizes = [b.choice([1, 2, 3, 5, 7, 9]) for _ in axes]
        policy = b.choice(["stretch", "not_larger", "not_smaller", "not_larger"])
        attributes.update(axes=axes, keep_aspect_ratio_policy=policy)
        attributes.pop("antialias", None)
        target = list(x.shape)
        scale = (min if policy == "not_larger" else max)(FLOAT32.unpack(FLOAT32.pack(s / x.shape[a]))[0] for s, a in zip(sizes, axes))
        for s, a in zip(sizes, axes):
            target[a] = s if policy == "stretch" else int(FLOAT32.unpack(FLOAT32.pack(scale * x.shape[a]))[0] + 0.5)
        if 0 in target:
            raise Unsuited(op)
        return b.call(op, [x, None, None, b.integers(sizes)], target, attributes=attributes)
    if b.chance(0.5):
        return b.call(op, [x, empty, empty, b.integers(shape)], shape, attributes=attributes)
    roi = None if b.opset >= 13 else b.constant([0], FLOAT)
    return b.call(op, [x, roi, b.constant([x.rank], FLOAT, values=scales)], shape, attributes=attributes)


@operator("QuantizeLinear", "DynamicQuantizeLinear")
def quantize(b, op, x):
    b.since(11 if op.startswith("Dyn") else 10)
    if op == "DynamicQuantizeLinear":
        if 0 in x.shape:
            raise Unsuited(op)
        return b.call(op, [x], [x.shape, [], []], [UINT8, FLOAT, UINT8], {}, 3)[0]
    return quantized(b, x)


def quantized(b, x, element=None, scale=None):
    """x as steps of one size, or of one for each place of an axis."""
    element = element or b.choice([UINT8, INT8])
    if b.opset >= 19 and b.chance(0.15):
        small, step = b.choice(sorted(FLOAT8)), b.constant([], FLOAT, values=[b.choice([0.02, 0.25])])
        zero = b.call("Cast", [b.constant([], FLOAT, values=[0.0])], [], small, {"to": small})
        narrow = b.call("QuantizeLinear", [x, step, zero], x.shape, small, b.attributes("QuantizeLinear", saturate=[0, 1]))
        return b.call("DequantizeLinear", [narrow, step] + ([zero] if b.chance(0.5) else []), x.shape, FLOAT)
    if b.opset >= 21 and x.rank >= 1 and 0 not in x.shape and b.chance(0.4):
        steps, zero, attributes = blocks_of(b, x, element)
        if zero is None and element != UINT8:
            attributes["output_dtype"] = element
        return b.call("QuantizeLinear", [x, steps] + ([zero] if zero is not None else []), x.shape, element, attributes)
    if b.opset >= 13 and x.rank >= 1 and b.chance(0.3):
        axis = b.random.randrange(x.rank)
        steps = b.constant([x.shape[axis]], FLOAT, 0.01, 0.1)
        zero = b.constant([x.shape[axis]], element, 0, 9)
        return b.call("QuantizeLinear", [x, steps, zero], x.shape, element, {} if axis == 1 and b.chance(0.5) else {"axis": axis})
    steps = b.constant([], FLOAT, values=[scale or b.choice([0.02, 0.1, 0.0625])])
    operands = [x, steps]
    if element != UINT8 or b.chance(0.7):
        operands.append(b.constant([], element, values=[b.choice([0, 0, 3, 100])]))
    return b.call("QuantizeLinear", operands, x.shape, element)


def blocks_of(b, x, element):
    """Steps and zero points, or None, for blocks of places along an axis, and the attributes."""
    axis = b.random.randrange(x.rank)
    size = b.choice([d for d in range(1, x.shape[axis] + 1) if x.shape[axis] % d == 0])
    shape = [e // size if i == axis else e for i, e in enumerate(x.shape)]
    zero = b.constant(shape, element, 0, 9) if element != INT32 and b.chance(0.6) else None
    return b.constant(shape, FLOAT, 0.01, 0.1), zero, {"block_size": size, "axis": negative(b, [axis], x.rank)[0]}


@operator("DequantizeLinear", elements=(UINT8, INT8, INT32))
def dequantize(b, op, x):
    b.since(10)
    if b.opset >= 21 and x.rank >= 1 and 0 not in x.shape and b.chance(0.4):
        steps, zero, attributes = blocks_of(b, x, x.element)
        return b.call(op, [x, steps] + ([zero] if zero is not None else []), x.shape, FLOAT, attributes)
    if b.opset >= 13 and x.rank >= 1 and b.chance(0.4):
        axis = b.random.randrange(x.rank)
        operands = [x, b.constant([x.shape[axis]], FLOAT, 0.01, 0.1)]
        if x.element != INT32 and b.chance(0.6):
            operands.append(b.constant([x.shape[axis]], x.element, 0, 9))
        return b.call(op, operands, x.shape, FLOAT, {} if axis == 1 and b.chance(0.5) else {"axis": negative(b, [axis], x.rank)[0]})
    operands = [x, b.constant([], FLOAT, values=[0.05])]
    if x.element != INT32 and b.chance(0.6):
        operands.append(b.constant([], x.element, values=[3]))
    return b.call(op, operands, x.shape, FLOAT)


@operator("MatMulInteger", elements=(UINT8, INT8), low=2, high=3)
def integer_product(b, op, x):
    b.since(10)
    columns = b.extent()
    other = b.constant([x.shape[-1], columns], b.choice([UINT8, INT8]))
    operands = [x, other]
    if b.chance(0.5):
        operands.append(b.constant([], x.element, values=[3]))
        if b.chance(0.5):
            operands.append(b.constant(b.choice([[], [columns]]), other.element, 0, 5))
    return b.call(op, operands, x.shape[:-1] + [columns], INT32)


@operator("QLinearMatMul", elements=(UINT8, INT8), low=2, high=3)
def quantized_product(b, op, x):
    b.since(10)
    columns = b.extent()
    def step(value):
        return b.constant([], FLOAT, values=[value])
    def zero(value):
        return b.constant([], x.element, values=[value])
    other = b.constant([x.shape[-1], columns], x.element)
    return b.call(op, [x, step(0.05), zero(b.choice([0, 3])), other, step(0.02), zero(b.choice([0, 5])), step(0.1), zero(b.choice([0, 7]))],
                  x.shape[:-1] + [columns])


@operator("Attention", low=4, high=4)
def attention(b, op, x):
    b.since(23)
    n, heads, rows, width = x.shape
    if 0 in x.shape:
        raise Unsuited(op)
    keys, wide = b.extent(0), b.extent(0)
    operands = [x, b.operand([n, heads, keys, width]), b.operand([n, heads, keys, wide])]
    if b.chance(0.4):
        operands.append(b.operand(b.choice([[rows, keys], [1, 1, rows, keys], [n, 1, rows, keys]])))
    return b.call(op, operands, [n, heads, rows, wide], attributes=b.attributes(op, is_causal=[0], scale=[0.5], softcap=[0.0, 2.0]))


# Bodies.

def body_of(b, inputs, make):
    """A body that `make` fills; it returns the results."""
    body = Body(inputs)
    b.scopes.append(body)
    before = list(b.known)
    for v in inputs:
        b.keep(v)
    try:
        body.results = make()
    finally:
        b.scopes.pop()
        b.known = before
    return body


def inside(b, x, grow, depth):
    """A value of x's type: x with calls applied to it, or a body around them down to the depth."""
    if depth > 0 and b.chance(0.6):
        return control(b, x, grow, depth - 1)
    y = grow(b, x)
    if y.shape != x.shape or y.element != x.element:
        return b.call("Identity" if b.opset < 7 else "Neg", [x], x.shape)
    return y


def control(b, x, grow, depth=0):
    """If, Loop or Scan with a result of x's type; bodies read values around them."""
    b.since(11)
    kind = b.choice(["If", "Loop", "Scan"] if x.rank else ["If", "Loop"])

    def given(y):
        """A result that the body itself computes, or for a branch, now and then, the outer value."""
        return y if y.name != x.name or b.chance(0.3) else b.call("Identity", [y], y.shape)

    if kind == "If":
        if b.chance(0.5):
            condition = b.choice([b.constant, b.input])([], BOOL)
        else:
            total = b.call("ReduceSum", [x], [], attributes={"keepdims": 0})
            condition = b.call("Less", [total, b.constant([], x.element, values=[0.5])], [], BOOL)
        branches = [body_of(b, [], lambda: [given(x if b.chance(0.25) else inside(b, x, grow, depth))]) for _ in range(2)]
        return b.call("If", [condition], x.shape, x.element, {"then_branch": branches[0], "else_branch": branches[1]})
    if kind == "Loop":
        times, carried = b.choice([0, 1, 2, 3]), named(b, x.element, x.shape)
        number, keep = named(b, INT64, []), named(b, BOOL, [])

        def fill():
            y = inside(b, carried, grow, depth)
            if b.opset >= 7 and b.chance(0.5):
                y = b.call("Add", [y, x], x.shape)
            half = b.call("Tanh", [y], y.shape) if y.element == FLOAT else b.call("Identity", [y], y.shape)
            return [b.call("Identity", [keep], [], BOOL), half] + ([b.call("Identity", [half], x.shape)] if scans else [])

        scans = b.chance(0.4)
        body = body_of(b, [number, keep, carried], fill)
        operands = [b.constant([], INT64, values=[times]), b.constant([], BOOL, values=[True]), x]
        if scans:
            made = b.call("Loop", operands, [x.shape, [times, *x.shape]], [x.element] * 2, {"body": body}, 2)
            return made[0]
        return b.call("Loop", operands, x.shape, x.element, {"body": body})
    rows = named(b, x.element, x.shape[1:])

    def fill_rows():
        y = inside(b, rows, grow, depth)
        return [b.call("Identity", [y], y.shape)]

    body = body_of(b, [rows], fill_rows)
    attributes = {"num_scan_inputs": 1, "body": body}
    if b.chance(0.3):
        attributes["scan_input_directions"] = [1]
    if b.chance(0.3):
        attributes["scan_output_directions"] = [1]
    return b.call("Scan", [x], x.shape, x.element, attributes)


def named(b, element, shape):
    """A value that a body takes."""
    return Value(b.name("v"), element, shape)
