# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Where programs come from: one operator in all its forms, chains as back ends take them, spelled-out forms that rules know, and bodies."""
import operators
import relay
from model import Builder, FLOAT, FLOAT16, INT8, UINT8, Unsuited

# Versions of the operator set, the newest more often.
OPSETS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 14, 15, 16, 17, 17, 18, 18, 19, 20, 20, 21, 22, 23, 24]

STARTS = ["Conv", "Conv", "Conv", "ConvTranspose", "Gemm", "MatMul", "MatMul", "MaxPool", "AveragePool", "GlobalAveragePool", "BatchNormalization",
          "LayerNormalization", "Softmax", "ReduceMean", "Resize", "Transpose", "Concat", "Add", "Mul", "InstanceNormalization", "GlobalMaxPool"]

FOLLOWERS = ["BatchNormalization", "BatchNormalization", "Add", "Add", "Mul", "Mul", "Sub", "Div", "Relu", "Relu", "Clip", "Sigmoid", "HardSwish", "LeakyRelu",
             "Tanh", "PRelu", "Max", "Min", "Transpose", "Reshape", "Concat", "Flatten", "Squeeze", "Unsqueeze", "Slice", "Pad", "MaxPool", "AveragePool",
             "Softmax", "ReduceMean", "ReduceSum", "ReduceMax", "Identity", "Elu", "Conv", "MatMul", "Gemm", "Split", "Gather", "Expand", "Dropout", "Neg",
             "Abs", "Cast", "Where", "LayerNormalization", "Gelu", "Softplus"]

ELEMENTWISE = ["Add", "Mul", "Sub", "Relu", "Sigmoid", "Tanh", "LeakyRelu", "Neg", "Abs", "Clip", "Identity", "Elu"]


def attempt(b, names, x, tries=6):
    """The result of one of these operators on x; x if none is suited."""
    for _ in range(tries):
        try:
            return operators.apply(b, b.choice(names), x)
        except Unsuited:
            continue
    return x


def one_operator(b, name=None):
    """One call, with a second one now and then."""
    name = name or b.choice(sorted(operators.TABLE))
    y = operators.apply(b, name)
    if b.chance(0.3) and y.shape is not None:
        attempt(b, FOLLOWERS, y)


def start(b):
    """An input as images, rows or any other shape."""
    how = b.random.randrange(4)
    if how == 0:
        return b.input(b.shape(4, 4, 0.01, 2048))
    if how == 1:
        return b.input([b.choice([1, 1, 2, 3]), b.extent(0), b.extent(0), b.extent(0)])
    return b.input(b.shape(2, 3, 0.01, 2048) if how == 2 else b.shape(1, 5, 0.01, 2048))


def chain(b):
    """An operator that back ends take whole, and some that they take with it."""
    x = start(b)
    y = attempt(b, STARTS, x)
    for _ in range(b.random.randint(1, 5)):
        if b.chance(0.15):
            same = [v for v in b.known if v.shape is not None and v.element in (FLOAT, FLOAT16)]
            y = b.choice(same) if same else y
        if y.shape is None:
            break
        y = attempt(b, FOLLOWERS, y)
    if b.chance(0.25) and y.shape is not None and b.opset >= 7 and y.element == FLOAT:
        # A second reader of a value in the middle.
        other = b.choice([v for v in b.known if v.shape is not None and v.element == FLOAT])
        attempt(b, ELEMENTWISE, other)


def scalar(b, value):
    return b.constant(b.choice([[], [], [1]]), FLOAT, values=[value])


def mean(b, x, axes):
    shape = [1 if i in axes else e for i, e in enumerate(x.shape)]
    return operators.with_axes(b, "ReduceMean", x, list(axes), 18, shape, b.choice([{}, {"keepdims": 1}]))


def spelled_layer_normalization(b, x):
    """(x - mean) / sqrt(variance + epsilon) * scale + shift, with the scale and the shift anywhere that broadcasts."""
    last = b.choice([1, 1, 2])
    if x.rank < last or 0 in x.shape:
        raise Unsuited("form")
    axes = list(range(x.rank - last, x.rank))
    if b.chance(0.15):
        axes = [b.random.randrange(x.rank)]
    centred = b.call("Sub", [x, mean(b, x, axes)], x.shape)
    again = centred if b.chance(0.7) else b.call("Sub", [x, mean(b, x, axes)], x.shape)
    square = b.call("Mul", [again, again], x.shape) if b.chance(0.5) else b.call("Pow", [again, scalar(b, b.choice([2.0, 2.0, 2.0, 3.0]))], x.shape)
    variance = mean(b, square, axes)
    root = b.call("Sqrt", [b.call("Add", [b.call("Abs", [variance], variance.shape), scalar(b, b.choice([1e-5, 1e-3, 0.5]))], variance.shape)
                           if b.chance(0.2) else b.call("Add", [variance, scalar(b, b.choice([1e-5, 1e-2]))], variance.shape)], variance.shape)
    y = (b.call("Div", [centred, root], x.shape) if b.chance(0.6)
         else b.call("Mul", [centred, b.call("Reciprocal", [root], root.shape)], x.shape))
    y = b.call("Mul", [y, b.weight(b.lain(x.shape))], x.shape)
    return b.call("Add", [y, b.weight(b.lain(x.shape))], x.shape) if b.chance(0.8) else y


def spelled_gelu(b, x):
    b.since(9)
    if b.chance(0.5):
        inner = b.call("Erf", [b.call("Div", [x, scalar(b, b.choice([1.4142135, 1.4142135, 1.5]))], x.shape)], x.shape)
    else:
        cube = b.call("Pow", [x, scalar(b, 3.0)], x.shape)
        term = b.call("Add", [x, b.call("Mul", [cube, scalar(b, 0.044715)], x.shape)], x.shape)
        inner = b.call("Tanh", [b.call("Mul", [term, scalar(b, 0.7978846)], x.shape)], x.shape)
    one = b.call("Add", [inner, scalar(b, 1.0)], x.shape)
    if b.chance(0.5):
        return b.call("Mul", [b.call("Mul", [x, one], x.shape), scalar(b, 0.5)], x.shape)
    return b.call("Mul", [b.call("Mul", [x, scalar(b, 0.5)], x.shape), one], x.shape)


def spelled_softmax(b, x):
    if 0 in x.shape or x.rank < 1:
        raise Unsuited("form")
    axis = b.choice([x.rank - 1, x.rank - 1, b.random.randrange(x.rank)])
    shape = [1 if i == axis else e for i, e in enumerate(x.shape)]
    if b.chance(0.7):
        x = b.call("Sub", [x, operators.with_axes(b, "ReduceMax", x, [axis], 18, shape)], x.shape)
    e = b.call("Exp", [x], x.shape)
    other = axis if b.chance(0.85) else b.random.randrange(x.rank)
    total = operators.with_axes(b, "ReduceSum", e, [other], 13, [1 if i == other else n for i, n in enumerate(x.shape)])
    return b.call("Div", [e, total], x.shape)


def spelled_activation(b, x):
    """x * sigmoid(x), hard swish, hard sigmoid, Relu6, Mish, and the same with other numbers."""
    how = b.random.randrange(5)
    if how == 0:
        return b.call("Mul", [x, b.call("Sigmoid", [x], x.shape)], x.shape)
    if how == 1:
        inner = b.call("Add", [x, scalar(b, b.choice([3.0, 3.0, 2.0]))], x.shape)
        inner = operators.clip(b, "Clip", inner)
        return b.call("Div", [b.call("Mul", [x, inner], x.shape), scalar(b, b.choice([6.0, 6.0, 5.0]))], x.shape)
    if how == 2:
        return b.call("Mul", [x, b.call("HardSigmoid", [x], x.shape, attributes=b.attributes("HardSigmoid", alpha=[1 / 6], beta=[0.5]))], x.shape)
    if how == 3:
        return b.call("Mul", [x, b.call("Tanh", [b.call("Softplus", [x], x.shape)], x.shape)], x.shape)
    return b.call("Min", [b.call("Max", [x, scalar(b, 0.0)], x.shape), scalar(b, 6.0)], x.shape) if b.opset >= 8 else b.call("Relu", [x], x.shape)


def spelled_attention(b, x):
    if x.rank not in (3, 4) or 0 in x.shape:
        raise Unsuited("form")
    lead, (rows, width) = x.shape[:-2], x.shape[-2:]
    keys, wide = b.extent(0), b.extent(0)
    k, v = b.operand([*lead, width, keys]), b.operand([*lead, keys, wide])
    if b.chance(0.5):
        order = list(range(x.rank - 2)) + [x.rank - 1, x.rank - 2]
        k = b.call("Transpose", [b.operand([*lead, keys, width])], [*lead, width, keys], attributes={"perm": order})
    scores = b.call("MatMul", [x, k], [*lead, rows, keys])
    if b.chance(0.7):
        scores = b.call(b.choice(["Mul", "Div"]), [scores, scalar(b, b.choice([0.5, 2.0, 0.125]))], scores.shape)
    if b.chance(0.4):
        scores = b.call("Add", [scores, b.operand(b.lain(scores.shape))], scores.shape)
    weights = b.call("Softmax", [scores], scores.shape, attributes={"axis": -1 if b.opset >= 11 else x.rank - 1})
    return b.call("MatMul", [weights, v], [*lead, rows, wide])


def cancelling(b, x):
    """Neighbours that rules join, or that cancel."""
    how = b.random.randrange(6)
    if how == 0:
        for _ in range(2):
            x = operators.apply(b, "Transpose", x)
        return x
    if how == 1:
        for _ in range(2):
            x = operators.apply(b, "Reshape", x)
        return x
    if how == 2:
        return b.call(b.choice(["Add", "Mul"]), [b.call(b.choice(["Add", "Mul"]), [x, b.weight(b.lain(x.shape))], x.shape), b.weight(b.lain(x.shape))], x.shape)
    if how == 3:
        return b.call("Neg", [b.call("Neg", [x], x.shape)], x.shape)
    if how == 4:
        many = b.constant([], FLOAT, values=[b.choice([8388608.0, 3.0, 1.0])])
        return b.call("Sub", [b.call("Add", [x, many], x.shape), many], x.shape)
    return b.call("Mul", [x, b.constant(b.lain(x.shape), FLOAT, values=None, low=1.0, high=1.0)], x.shape)


def product_and_bias(b, x):
    """A product with a summand of any shape, or a convolution with factors and summands of any shape behind it."""
    y = attempt(b, ["MatMul", "Conv", "Gemm", "AveragePool", "GlobalAveragePool", "ConvTranspose"], x)
    if y.shape is None:
        return y
    for _ in range(b.random.randint(1, 3)):
        how = b.choice(["Add", "Mul", "Sub", "Div"])
        y = b.call(how, [y, b.constant(b.lain(y.shape), y.element, *((0.5, 2.0) if how == "Div" else (-1.0, 1.0)))], y.shape)
        if b.chance(0.4):
            y = attempt(b, ["Relu", "Clip", "Sigmoid", "BatchNormalization", "HardSwish", "LeakyRelu"], y)
    return y


def quantized_layer(b, x):
    """DequantizeLinear before and QuantizeLinear behind an operator, as quantisers write it."""
    b.since(10)
    element = b.choice([UINT8, INT8])

    def step(value):
        return b.constant([], FLOAT, values=[value])

    def steps_of(v, size):
        zero = b.constant([], element, values=[b.choice([0, 3])])
        q = b.call("QuantizeLinear", [v, step(size), zero], v.shape, element)
        return b.call("DequantizeLinear", [q, step(size), zero], v.shape, FLOAT)

    y = attempt(b, ["Conv", "MatMul", "Gemm", "AveragePool", "MaxPool", "Add", "GlobalAveragePool", "Concat"], steps_of(x, 0.02))
    if b.chance(0.5):
        y = attempt(b, ["Relu", "Add", "Clip"], y)
    return steps_of(y, b.choice([0.02, 0.05])) if y.shape is not None and y.element == FLOAT else y


FORMS = [spelled_layer_normalization, spelled_layer_normalization, spelled_gelu, spelled_softmax, spelled_activation, spelled_attention, cancelling, cancelling,
         product_and_bias, product_and_bias, product_and_bias, quantized_layer]


def form(b):
    """A form that rules recognise, right or nearly so, between other operators."""
    b.since(7)
    y = start(b)
    if b.chance(0.3):
        y = attempt(b, STARTS, y)
    for _ in range(b.choice([1, 1, 2])):
        if y.shape is None or y.element != FLOAT or y.rank == 0:
            break
        y = b.choice(FORMS)(b, y)
    if b.chance(0.4) and y.shape is not None:
        attempt(b, FOLLOWERS, y)


def grow(b, x):
    y = attempt(b, ELEMENTWISE + ["MatMul", "Conv", "Softmax", "Transpose", "BatchNormalization"], x)
    return attempt(b, ELEMENTWISE, y) if y.shape is not None and b.chance(0.4) else y


def bodies(b):
    """If, Loop and Scan down to the third depth, between other operators."""
    b.since(11)
    x = b.input(b.shape(0, 3, 0.01, 256))
    y = attempt(b, ELEMENTWISE, x) if b.chance(0.6) else x
    y = operators.control(b, y, grow, b.choice([0, 0, 1, 2]))
    if b.chance(0.4) and y.shape is not None:
        # A branch or loop that reads the result of another one.
        y = operators.control(b, y, grow, b.choice([0, 1]))
    if b.chance(0.4):
        attempt(b, FOLLOWERS, y)


SOURCES = {"operator": one_operator, "chain": chain, "form": form, "bodies": bodies, "relay": None}


def is_source(name):
    """Whether there is a source of this name. `operator/Resize@10` and `relay/take` are programs that begin with this operator, of this version of the
    operator set."""
    name, _, version = name.partition("@")
    kind, _, of = name.partition("/")
    return kind in SOURCES and (not version or version.isdigit()) and (not of or of in {"operator": operators.TABLE, "relay": relay.TABLE}.get(kind, ()))


def program(source, seed, opset, largest=17):
    """The program of this source and seed, or None if its first choice is unsuited for the version of the operator set."""
    kind, _, name = source.partition("@")[0].partition("/")
    if kind == "relay":
        return relay.program(source, seed, largest, name)
    b = Builder(seed, opset, source, largest)
    try:
        if name:
            one_operator(b, name)
        else:
            SOURCES[kind](b)
    except Unsuited:
        pass
    if not b.program.nodes:
        return None
    p = b.finished()
    return p if p.results else None
