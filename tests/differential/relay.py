# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Programs of Relay, each with a twin in ONNX: the same inputs and results, in another spelling that states what Relay's text leaves out.

Defaults, codes of shapes, layouts and formulas of the twins follow TVM's operator documentation, not this library's readers. The way `twin` compares both.
"""
from model import BFLOAT16, BOOL, Builder, DOUBLE, FLOAT, FLOAT16, FLOATS, INT32, INT64, INT8, UINT8, Node, Program, Tensor, Unsuited, Value, count_of

DTYPES = {FLOAT: "float32", UINT8: "uint8", INT8: "int8", INT32: "int32", INT64: "int64", BOOL: "bool", FLOAT16: "float16", DOUBLE: "float64",
          BFLOAT16: "bfloat16"}
SUFFIXES = {FLOAT: "f", DOUBLE: "f64", INT32: "", INT64: "i64"}
TWIN_OPSET = 20

TABLE = {}


def type_text(value):
    return f"Tensor[({', '.join(map(str, value.shape))}{',' if len(value.shape) == 1 else ''}), {DTYPES[value.element]}]"


def attribute(value):
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return f"{value:.9g}f"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(attribute, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def expression(node, name, functions, values):
    """A node's call in Relay's text. `name` gives the text of an operand; definitions of functions are added to `functions`."""
    operands = [name(o) for o in node.operands]
    if node.op == "if":
        then, other = (f"{node.attributes[k]}({operands[1]})" for k in ("then", "else"))
        return f"if ({operands[0]}) {{\n    {then}\n  }} else {{\n    {other}\n  }}"
    if node.op in ("function", "closure"):
        inside = f"(%a: {type_text(values[node.operands[0]])}) {{\n    {node.attributes['of']}(%a)\n  }}"
        if node.op == "closure":
            return f"(fn {inside})({operands[0]})"
        functions.append(f"def @f{len(functions)}{inside}\n")
        return f"@f{len(functions) - 1}({operands[0]})"
    given = [f"({', '.join(operands)}{',' if len(operands) == 1 else ''})"] if node.is_tuple else operands
    return f"{node.op}({', '.join(given + [f'{k}={attribute(v)}' for k, v in node.attributes.items()])})"


def text_of(programs):
    """One module with these programs; names of program i begin with `p<i>_`. Its results are all of theirs, in order."""
    functions, lines, parameters, results, numbers = [], [], [], [], [0]
    for i, p in enumerate(programs):
        inline = {}

        def name(n, i=i, inline=inline):
            return inline.get(n, f"%p{i}_{n}")

        for n, t in [*p.inputs.items(), *p.constants.items()]:
            if p.is_inline(n):
                t = p.constants[n]
                number = f"{t.values[0]:.9g}" if t.element in FLOATS else str(t.values[0])
                inline[n] = number + SUFFIXES[t.element]
            else:
                parameters.append(f"%p{i}_{n}: {type_text(Value(n, t.element, t.shape))}")
        for number, n in enumerate(p.nodes):
            made = expression(n, name, functions, p.values)

            def bind(word, what, lets=p.lets, i=i, inline=inline):
                """A line that names a value: by `let`, or by a number."""
                text = f"%p{i}_{word}" if lets else f"%{numbers[0]}"
                numbers[0] += not lets
                inline[word] = text
                lines.append(f"  {'let ' if lets else ''}{text} = {what};")
                return text

            if len(n.results) == 1 and not n.field_of_tuple:
                bind(n.results[0], made)
                continue
            whole = bind(f"all{number}", made)
            for f, r in enumerate(n.results):
                if r:
                    bind(r, f"{whole}.{f}")
        fields = [name(r) for r in p.results]
        results += [f"({', '.join(fields)}{',' if len(fields) == 1 else ''})"] if p.nested else fields
    return (f'#[version = "0.0.5"]\n{"".join(functions)}def @main({", ".join(parameters)}) {{\n' + "\n".join(lines)
            + f"\n  ({', '.join(results)}{',' if len(results) == 1 else ''})\n}}\n")


class RelayNode(Node):
    """A call of Relay's. `is_tuple`: its operands are one tuple. `field_of_tuple`: it returns a tuple, of one field too."""

    def __init__(self, op, operands, results, attributes=None, is_tuple=False, field_of_tuple=False):
        super().__init__(op, operands, results, attributes)
        self.is_tuple, self.field_of_tuple = is_tuple, field_of_tuple


class RelayProgram(Program):
    """Nodes of Relay, and `twin`, a program of ONNX with the same inputs, constants and results, or None."""

    dialect = "relay"

    def __init__(self, opset, source, seed, twin=None):
        super().__init__(opset, source, seed)
        self.twin, self.inline, self.lets, self.nested = twin, set(), False, False

    def is_inline(self, name):
        """Whether the text has the number itself."""
        return name in self.inline and name in self.constants

    def empty(self):
        other = RelayProgram(self.opset, self.source, self.seed, self.twin)
        other.inline, other.lets, other.nested = self.inline, self.lets, self.nested
        return other

    def live(self):
        kept = super().live()
        if self.twin is not None:
            # All of the twin, since another result of it may be asked for later.
            kept.twin = self.twin.empty()
            kept.twin.inputs, kept.twin.values = {**self.twin.inputs, **self.inputs}, self.values
            kept.twin.constants = {**self.twin.constants, **self.constants}
            # A value may have become an input.
            kept.twin.nodes = [n for n in self.twin.nodes if not set(n.results) & set(self.inputs)]
        return kept

    def twin_program(self):
        """The twin with the same inputs, whether it reads them or not, and the same results."""
        self.twin.results = list(self.results)
        twin = self.twin.live()
        twin.inputs = dict(self.inputs)
        twin.constants = {k: v for k, v in twin.constants.items() if k not in twin.inputs}
        return twin

    @staticmethod
    def product(operands, result):
        return RelayNode("multiply", operands, [result])

    def text(self):
        inputs = "".join(f"\n{name} = {t.text()}" for name, t in {**self.inputs, **self.constants}.items())
        return f"{self.source} of seed {self.seed}\n{text_of([self])}values:{inputs}"


class RelayBuilder(Builder):
    """Adds calls to a program of Relay and what they mean to its twin."""

    def __init__(self, seed, source, largest):
        super().__init__(seed, TWIN_OPSET, source, largest)
        twin = Program(TWIN_OPSET, source, seed)
        self.program = RelayProgram(TWIN_OPSET, source, seed, twin)
        self.program.lets, self.program.nested = self.chance(0.1), self.chance(0.1)
        self.scopes = [self.program]
        twin.values = self.program.values

    def given(self, **all_attributes):
        """Attributes by (value, TVM's default): those at their default are mostly left out."""
        return {k: v for k, (v, default) in all_attributes.items() if v != default or self.chance(0.3)}

    def call(self, op, operands, shape, element=None, attributes=None, results=1, domain="", twin=None, is_tuple=False, field=False):
        element = operands[0].element if element is None else element
        several = results > 1
        made = [Value(self.name("t"), element[i] if isinstance(element, list) else element, shape[i] if several else shape) for i in range(results)]
        self.program.nodes.append(RelayNode(op, [o.name for o in operands], [v.name for v in made], attributes, is_tuple, field))
        for v in made:
            self.keep(v)
        if twin is None:
            self.program.twin = None
        elif self.program.twin is not None:
            names = twin(self.onnx)
            for v, n in zip(made, names if isinstance(names, list) else [names]):
                self.program.twin.nodes.append(Node("Identity", [n], [v.name]))
        return made if several else made[0]

    def onnx(self, op, operands, count=1, **attributes):
        """Adds a node to the twin and returns the name of its result, or all of them."""
        names = [self.name("o") for _ in range(count)]
        words = [o.name if isinstance(o, Value) else o or "" for o in operands]
        self.program.twin.nodes.append(Node(op, words, names, attributes))
        return names[0] if count == 1 else names

    def ints(self, values):
        name = self.name("k")
        self.program.twin.constants[name] = Tensor(INT64, [len(values)], values)
        return name

    def number(self, value, element=FLOAT):
        name = self.name("k")
        self.program.twin.constants[name] = Tensor(element, [], [value])
        return name

    def scalar(self, value, element=FLOAT):
        """A constant scalar, in the text now and then."""
        v = self.constant([], element, values=[value])
        if self.chance(0.5) and element in SUFFIXES and value >= 0:
            self.program.inline.add(v.name)
        return v

    def transposed(self, x, order):
        """The twin's value with axes in another order."""
        return x if list(order) == sorted(order) else self.onnx("Transpose", [x], perm=list(order))


def operator(*names, elements=(FLOAT,), low=0, high=5):
    def add(function):
        for name in names:
            TABLE[name] = (function, elements, low, high)
        return function
    return add


def apply(b, name, x=None):
    function, elements, low, high = TABLE[name]
    if x is None:
        x = b.input(b.shape(low, high), b.choice(elements) if b.chance(0.35) else elements[0])
    elif not low <= x.rank <= high or x.element not in elements:
        raise Unsuited(name)
    return function(b, name, x)


UNARY = {"abs": "Abs", "ceil": "Ceil", "cos": "Cos", "cosh": "Cosh", "erf": "Erf", "exp": "Exp", "floor": "Floor", "negative": "Neg", "nn.relu": "Relu",
         "sigmoid": "Sigmoid", "sign": "Sign", "sin": "Sin", "sinh": "Sinh", "tanh": "Tanh", "atan": "Atan", "asinh": "Asinh", "copy": "Identity"}


@operator(*UNARY, elements=(FLOAT, FLOAT, DOUBLE))
def unary(b, op, x):
    return b.call(op, [x], x.shape, twin=lambda t: t(UNARY[op], [x]))


@operator("if", "function", "closure", elements=(FLOAT, DOUBLE))
def language(b, op, x):
    """Forms of the language itself: a branch, a global function, a closure."""
    of, other = b.choice(["nn.relu", "negative", "tanh", "exp"]), b.choice(["negative", "abs"])
    if op == "if":
        condition = b.choice([b.input, b.constant])([], BOOL)
        return b.call(op, [condition, x], x.shape, x.element, {"then": of, "else": other},
                      twin=lambda t: t("Where", [condition, t(UNARY[of], [x]), t(UNARY[other], [x])]))
    return b.call(op, [x], x.shape, attributes={"of": of}, twin=lambda t: t(UNARY[of], [x]))


@operator("sqrt", "log", "rsqrt", "log2", "log10", "acosh", "acos", "asin", "atanh", "tan", elements=(FLOAT, DOUBLE))
def of_a_domain(b, op, x):
    half = b.scalar(1.0 if op == "acosh" else 0.5, x.element)
    if op in ("acos", "asin", "atanh", "tan"):
        inside = b.call("multiply", [unary(b, "tanh", x), half], x.shape, twin=lambda t: t("Mul", [t("Tanh", [x]), half]))
    else:
        inside = b.call("add", [unary(b, "abs", x), half], x.shape, twin=lambda t: t("Add", [t("Abs", [x]), half]))
    def meaning(t):
        if op == "rsqrt":
            return t("Reciprocal", [t("Sqrt", [inside])])
        if op in ("log2", "log10"):
            return t("Div", [t("Log", [inside]), b.number(0.6931471805599453 if op == "log2" else 2.302585092994046, x.element)])
        return t(op.capitalize(), [inside])
    return b.call(op, [inside], x.shape, twin=meaning)


@operator("round", "trunc")
def rounded_to_integer(b, op, x):
    """Halves of `round` go away from zero."""
    def meaning(t):
        size = t("Abs", [x])
        return t("Mul", [t("Sign", [x]), t("Floor", [t("Add", [size, b.number(0.5)]) if op == "round" else size])])
    return b.call(op, [x], x.shape, twin=meaning)


@operator("isnan", "isinf", "isfinite")
def unusual(b, op, x):
    def meaning(t):
        if op == "isfinite":
            return t("Not", [t("Or", [t("IsNaN", [x]), t("IsInf", [x])])])
        return t({"isnan": "IsNaN", "isinf": "IsInf"}[op], [x])
    return b.call(op, [x], x.shape, BOOL, twin=meaning)


BINARY = {"add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div", "maximum": "Max", "minimum": "Min"}
COMPARED = {"equal": "Equal", "less": "Less", "greater": "Greater", "less_equal": "LessOrEqual", "greater_equal": "GreaterOrEqual", "not_equal": None}


@operator(*BINARY, *COMPARED, "power", elements=(FLOAT, FLOAT, FLOAT, INT32, INT64, DOUBLE))
def binary(b, op, x):
    shape = b.lain(x.shape)
    if op == "power":
        if x.element not in FLOATS:
            raise Unsuited(op)
        x = unary(b, "abs", x)
        y = b.constant(shape, x.element, values=[b.choice([0.5, 2.0, 3.0, 1.5])] * count_of(shape))
    elif op == "divide":
        y = b.operand(shape, x.element, *((0.5, 2.0) if x.element in FLOATS else (1, 5)))
    else:
        y = b.operand(shape, x.element) if shape or b.chance(0.5) else b.scalar(b.choice([1, 2, 3]) * (1.0 if x.element in FLOATS else 1), x.element)
    of = [x, y] if op in ("power", "divide") or b.chance(0.6) else [y, x]
    def meaning(t):
        if op == "not_equal":
            return t("Not", [t("Equal", of)])
        return t({**BINARY, **COMPARED, "power": "Pow"}[op], of)
    return b.call(op, of, x.shape, BOOL if op in COMPARED else x.element, twin=meaning)


@operator("mod", "floor_mod", "floor_divide", "trunc_mod", "trunc_divide", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift",
          elements=(INT32, INT64))
def binary_of_integers(b, op, x):
    y = b.constant(b.lain(x.shape), x.element, 1, 4)
    def meaning(t):
        if op in ("floor_divide", "floor_mod"):
            rest = t("Mod", [x, y])
            return rest if op == "floor_mod" else t("Div", [t("Sub", [x, rest]), y])
        if op in ("left_shift", "right_shift"):
            factor = t("Pow", [b.number(2, x.element), y])
            return t("Mul", [x, factor]) if op == "left_shift" else t("Div", [t("Sub", [x, t("Mod", [x, factor])]), factor])
        if op.endswith("mod"):
            return t("Mod", [x, y], fmod=1)
        return t("Div", [x, y]) if op == "trunc_divide" else t("Bitwise" + op[8:].capitalize(), [x, y])
    return b.call(op, [x, y], x.shape, twin=meaning)


@operator("logical_and", "logical_or", "logical_xor", "logical_not", elements=(BOOL,))
def logical(b, op, x):
    of = [x] if op == "logical_not" else [x, b.operand(b.lain(x.shape), BOOL)]
    return b.call(op, of, x.shape, twin=lambda t: t(op[8:].capitalize(), of))


@operator("clip", elements=(FLOAT, INT32, DOUBLE))
def clip(b, op, x):
    low, high = b.choice([(-1.0, 1.0), (0.0, 6.0), (0.0, 0.0), (-100.0, 0.5)])
    if x.element not in FLOATS:
        low, high = float(int(low)), float(int(high + 0.5))
    return b.call(op, [x], x.shape, attributes={"a_min": low, "a_max": high},
                  twin=lambda t: t("Clip", [x, *(b.number(v if x.element in FLOATS else int(v), x.element) for v in (low, high))]))


@operator("cast", "cast_like", elements=(FLOAT, FLOAT, INT32, INT64, UINT8, BOOL, DOUBLE))
def cast(b, op, x):
    to = b.choice([FLOAT, DOUBLE, INT32, INT64, FLOAT16])
    if op == "cast_like":
        return b.call(op, [x, b.constant([2], to)], x.shape, to, twin=lambda t: t("Cast", [x], to=to))
    return b.call(op, [x], x.shape, to, {"dtype": DTYPES[to]}, twin=lambda t: t("Cast", [x], to=to))


@operator("where", elements=(FLOAT, INT64))
def where(b, op, x):
    condition, other = b.operand(b.lain(x.shape), BOOL), b.operand(b.lain(x.shape), x.element)
    return b.call(op, [condition, x, other], x.shape, x.element, twin=lambda t: t("Where", [condition, x, other]))


@operator("nn.leaky_relu", "nn.prelu")
def leaky(b, op, x):
    if op == "nn.leaky_relu":
        alpha = b.choice([0.25, 0.01, 0.0, 2.0])
        return b.call(op, [x], x.shape, attributes=b.given(alpha=(alpha, 0.25)), twin=lambda t: t("LeakyRelu", [x], alpha=alpha))
    axis = b.choice([1, b.random.randrange(max(1, x.rank))])
    if axis >= x.rank:
        raise Unsuited(op)
    slope = b.weight([x.shape[axis]])
    return b.call(op, [x, slope], x.shape, attributes=b.given(axis=(axis, 1)),
                  twin=lambda t: t("PRelu", [x, t("Reshape", [slope, b.ints([x.shape[axis]] + [1] * (x.rank - 1 - axis))])]))


@operator("nn.bias_add", low=1)
def bias(b, op, x):
    axis = b.choice([1, b.random.randrange(x.rank), -1])
    if axis >= x.rank:
        raise Unsuited(op)
    at = axis % x.rank
    y = b.weight([x.shape[at]])
    return b.call(op, [x, y], x.shape, attributes=b.given(axis=(axis, 1)),
                  twin=lambda t: t("Add", [x, t("Reshape", [y, b.ints([x.shape[at]] + [1] * (x.rank - 1 - at))])]))


@operator("nn.softmax", "nn.log_softmax", "nn.fast_softmax", low=1)
def softmax(b, op, x):
    if 0 in x.shape:
        raise Unsuited(op)
    axis = b.choice([-1, b.random.randrange(x.rank)])
    return b.call(op, [x], x.shape, attributes=b.given(axis=(axis, -1)), twin=lambda t: t("LogSoftmax" if "log" in op else "Softmax", [x], axis=axis))


def normalized(t, b, x, axes, epsilon):
    centred = t("Sub", [x, t("ReduceMean", [x, b.ints(axes)], keepdims=1)])
    variance = t("ReduceMean", [t("Mul", [centred, centred]), b.ints(axes)], keepdims=1)
    return t("Div", [centred, t("Sqrt", [t("Add", [variance, b.number(epsilon)])])])


@operator("nn.batch_norm", "nn.layer_norm", "nn.instance_norm", "nn.group_norm", low=2, high=5)
def normalization(b, op, x):
    if 0 in x.shape or (op in ("nn.instance_norm", "nn.group_norm") and x.rank < 3):
        raise Unsuited(op)
    usual = -1 if op == "nn.layer_norm" else 1
    axis = usual if op == "nn.group_norm" or b.chance(0.5) else b.random.randrange(0 if op == "nn.layer_norm" else 1, x.rank)
    at, epsilon = axis % x.rank, b.choice([1e-5, 1e-3, 0.5])
    c = x.shape[at]
    scale, centre = b.chance(0.75), b.chance(0.75)
    gamma, beta = b.weight([c]), b.weight([c])
    attributes = b.given(axis=(axis, usual), epsilon=(epsilon, 1e-5), scale=(scale, True), center=(centre, True))
    along = [c] + [1] * (x.rank - 1 - at)

    def placed(t, y):
        if scale:
            y = t("Mul", [y, t("Reshape", [gamma, b.ints(along)])])
        return t("Add", [y, t("Reshape", [beta, b.ints(along)])]) if centre else y

    if op == "nn.batch_norm":
        mean, variance = b.constant([c]), b.constant([c], FLOAT, 0.25, 2.0)

        def meaning(t):
            def side(v):
                return t("Reshape", [v, b.ints(along)])
            root = t("Sqrt", [t("Add", [side(variance), b.number(epsilon)])])
            return placed(t, t("Div", [t("Sub", [x, side(mean)]), root]))
        return b.call(op, [x, gamma, beta, mean, variance], x.shape, attributes=attributes, twin=meaning, field=True)
    if op == "nn.group_norm":
        groups = b.choice([g for g in (1, 2, 4, c) if c % g == 0])

        def grouped(t):
            parts = t("Reshape", [x, b.ints([x.shape[0], groups, c // groups, *x.shape[2:]])])
            return placed(t, t("Reshape", [normalized(t, b, parts, list(range(2, x.rank + 1)), epsilon), b.ints(x.shape)]))
        return b.call(op, [x, gamma, beta], x.shape, attributes={"num_groups": groups, **attributes}, twin=grouped)
    axes = [at] if op == "nn.layer_norm" else [i for i in range(1, x.rank) if i != at]
    return b.call(op, [x, gamma, beta], x.shape, attributes=attributes, twin=lambda t: placed(t, normalized(t, b, x, axes, epsilon)))


@operator("nn.l2_normalize", "nn.lrn", low=4, high=4)
def other_normalization(b, op, x):
    if 0 in x.shape:
        raise Unsuited(op)
    if op == "nn.lrn":
        size, alpha, beta, bias_ = b.choice([5, 3, 1]), b.choice([1e-4, 0.1]), b.choice([0.75, 0.5]), b.choice([2.0, 1.0])
        return b.call(op, [x], x.shape, attributes={"alpha": alpha, **b.given(size=(size, 5), beta=(beta, 0.75), bias=(bias_, 2.0))},
                      twin=lambda t: t("LRN", [x], size=size, alpha=alpha, beta=beta, bias=bias_))
    axis = sorted(b.random.sample(range(4), b.choice([1, 2])))
    epsilon = b.choice([1e-5, 0.5])
    return b.call(op, [x], x.shape, attributes={"eps": epsilon, "axis": axis},
                  twin=lambda t: t("Div", [x, t("Sqrt", [t("Max", [t("ReduceSum", [t("Mul", [x, x]), b.ints(axis)], keepdims=1), b.number(epsilon)])])]))


# Windows and products.

def padding_of(b, kernel, spans):
    """(attribute, pads as ONNX has them): one number, one for each axis, or one for each side."""
    rank = len(kernel)
    how = b.choice(["none", "one", "axes", "sides"])
    if how == "none":
        return None, [0] * 2 * rank
    if how == "one":
        p = min(b.choice([0, 1]), min(k - 1 for k in kernel))
        return [p], [p] * 2 * rank
    if how == "axes":
        pads = [min(b.choice([0, 1, 2]), k - 1) for k in kernel]
        return pads, pads * 2
    pads = [min(b.choice([0, 1, 2]), k - 1) for k in kernel * 2]
    return pads, pads


def window(b, extents):
    """(kernel, attributes, strides, dilations, pads)"""
    rank = len(extents)
    kernel = [b.choice([1, 2, 3, 3]) for _ in extents]
    strides = [b.choice([1, 2])] * rank if b.chance(0.5) else [b.choice([1, 1, 2, 3]) for _ in extents]
    dilations = [b.choice([1, 2]) for _ in extents] if b.chance(0.2) else [1] * rank
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    padding, pads = padding_of(b, kernel, spans)
    attributes = b.given(strides=(strides, [1] * rank), dilation=(dilations, [1] * rank))
    if padding is not None:
        attributes["padding"] = padding
    for i, e in enumerate(extents):
        if e + pads[i] + pads[rank + i] < spans[i]:
            raise Unsuited("the window exceeds the axis")
    return kernel, attributes, strides, dilations, pads, spans


LAST = {1: "NWC", 2: "NHWC", 3: "NDHWC"}
FIRST = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


@operator("nn.conv1d", "nn.conv2d", "nn.conv2d", "nn.conv2d", "nn.conv3d", low=3, high=5)
def convolution(b, op, x):
    rank = int(op[7])
    if x.rank != rank + 2 or 0 in x.shape:
        raise Unsuited(op)
    last = b.chance(0.35)
    n, c = x.shape[0], x.shape[-1] if last else x.shape[1]
    extents = x.shape[1:-1] if last else x.shape[2:]
    kernel, attributes, strides, dilations, pads, spans = window(b, extents)
    groups = b.choice([1, 1, 1, c, 2 if c % 2 == 0 else 1])
    outputs = groups * b.choice([1, 2, 3, 4, 8])
    if outputs > 64:
        outputs = groups
    result = [(e + pads[i] + pads[rank + i] - spans[i]) // strides[i] + 1 for i, e in enumerate(extents)]
    axes = "OIDHW"[:2] + "DHW"[3 - rank:]
    layouts = [axes] + ([axes[2:] + "IO", axes[2:] + "OI"] if rank == 2 and groups == 1 else [])
    layout = b.choice(layouts)
    sizes = dict(zip(axes, [outputs, c // groups, *kernel]))
    weight = b.weight([sizes[a] for a in layout])
    attributes.update(b.given(groups=(groups, 1), data_layout=((LAST if last else FIRST)[rank], FIRST[rank]), kernel_layout=(layout, axes)))
    if b.chance(0.6):
        attributes["channels"] = outputs
    if b.chance(0.6):
        attributes["kernel_size"] = kernel

    def meaning(t):
        to_first = [0, rank + 1, *range(1, rank + 1)]
        y = t("Conv", [b.transposed(x, to_first) if last else x, b.transposed(weight, [layout.index(a) for a in axes])], strides=strides, dilations=dilations,
              pads=pads, group=groups)
        return b.transposed(y, [0, *range(2, rank + 2), 1]) if last else y
    return b.call(op, [x, weight], [n, *result, outputs] if last else [n, outputs, *result], attributes=attributes, twin=meaning)


@operator("nn.conv1d_transpose", "nn.conv2d_transpose", low=3, high=4)
def transposed_convolution(b, op, x):
    rank = int(op[7])
    if x.rank != rank + 2 or 0 in x.shape:
        raise Unsuited(op)
    n, c, *extents = x.shape
    kernel, strides = [b.choice([1, 2, 3]) for _ in extents], [b.choice([1, 2]) for _ in extents]
    padding, pads = padding_of(b, [(k + 1) // 2 for k in kernel], None)
    more = [s - 1 for s in strides] if b.chance(0.3) else [0] * rank
    groups = b.choice([1, 1, c])
    outputs = b.choice([1, 2, 3])
    result = [(e - 1) * s + k + m - pads[i] - pads[rank + i] for i, (e, s, k, m) in enumerate(zip(extents, strides, kernel, more))]
    if min(result) < 1:
        raise Unsuited(op)
    weight = b.weight([c, outputs, *kernel])
    attributes = {"channels": outputs * groups, "kernel_size": kernel,
                  **b.given(strides=(strides, [1] * rank), output_padding=(more, [0] * rank), groups=(groups, 1))}
    if padding is not None:
        attributes["padding"] = padding
    return b.call(op, [x, weight], [n, outputs * groups, *result], attributes=attributes,
                  twin=lambda t: t("ConvTranspose", [x, weight], strides=strides, pads=pads, output_padding=more, group=groups))


POOLS = {f"nn.{kind}_pool{d}d": (kind, d) for kind in ("max", "avg") for d in (1, 2, 3)}


@operator(*POOLS, low=3, high=5)
def pooled(b, op, x):
    kind, rank = POOLS[op]
    if x.rank != rank + 2 or 0 in x.shape:
        raise Unsuited(op)
    last = rank == 2 and b.chance(0.3)
    extents = x.shape[1:-1] if last else x.shape[2:]
    kernel, attributes, strides, dilations, pads, spans = window(b, extents)
    ceil, counts = b.chance(0.4), kind == "avg" and b.chance(0.4)
    result, more = [], []
    for i, e in enumerate(extents):
        room = e + pads[i] + pads[rank + i] - spans[i]
        result.append((room + strides[i] - 1 if ceil else room) // strides[i] + 1)
        # All windows that the formula counts exist; what they reach beyond the pads is padding too.
        more.append(max(0, (result[-1] - 1) * strides[i] + spans[i] - (e + pads[i] + pads[rank + i])))
        if (result[-1] - 1) * strides[i] - pads[i] >= e or pads[i] >= kernel[i]:
            raise Unsuited("a window without an element")
    if counts and any(more):
        # Releases of TVM differ on whether what ceil_mode adds counts.
        raise Unsuited(op)
    attributes = {"pool_size": kernel, **attributes, **b.given(ceil_mode=(ceil, False), layout=((LAST if last else FIRST)[rank], FIRST[rank]))}
    if kind == "avg":
        attributes.update(b.given(count_include_pad=(counts, False)))
    ends = [p + m for p, m in zip(pads[rank:], more)]
    whole = [0, 0, *pads[:rank], 0, 0, *ends]

    def meaning(t):
        y = b.transposed(x, [0, rank + 1, *range(1, rank + 1)]) if last else x
        padded = t("Pad", [y, b.ints(whole), b.number(-3e38 if kind == "max" else 0.0)])
        how = {"kernel_shape": kernel, "strides": strides, "dilations": dilations}
        if kind == "max":
            y = t("MaxPool", [padded], **how)
        else:
            y = t("AveragePool", [padded], **how)
            if not counts:
                ones = t("Pad", [t("ConstantOfShape", [b.ints([1, 1, *extents])], value=Tensor(FLOAT, [1], [1.0])), b.ints(whole), b.number(0.0)])
                y = t("Div", [y, t("AveragePool", [ones], **how)])
        return b.transposed(y, [0, *range(2, rank + 2), 1]) if last else y
    shape = [x.shape[0], *result, x.shape[-1]] if last else [*x.shape[:2], *result]
    return b.call(op, [x], shape, attributes=attributes, twin=meaning)


@operator("nn.global_avg_pool2d", "nn.global_max_pool2d", "nn.adaptive_avg_pool2d", "nn.adaptive_max_pool2d", low=4, high=4)
def pooled_whole(b, op, x):
    if 0 in x.shape:
        raise Unsuited(op)
    last = b.chance(0.3)
    axes = [1, 2] if last else [2, 3]
    kind = "Average" if "avg" in op else "Max"
    size = [1, 1]
    if "adaptive" in op:
        size = [b.choice([d for d in (1, 2, 3) if x.shape[a] % d == 0]) for a in axes]
    attributes = b.given(layout=("NHWC" if last else "NCHW", "NCHW"))
    if "adaptive" in op:
        attributes["output_size"] = size
    how = {"kernel_shape": [x.shape[a] // s for a, s in zip(axes, size)]}
    how["strides"] = how["kernel_shape"]

    def meaning(t):
        y = t(kind + "Pool", [b.transposed(x, [0, 3, 1, 2]) if last else x], **how)
        return b.transposed(y, [0, 2, 3, 1]) if last else y
    return b.call(op, [x], [x.shape[0], *size, x.shape[3]] if last else [*x.shape[:2], *size], attributes=attributes, twin=meaning)


@operator("nn.dense", "nn.matmul", low=2, high=2)
def dense(b, op, x):
    columns = b.extent()
    if op == "nn.dense":
        weight = b.operand([columns, x.shape[1]], FLOAT, -0.5, 0.5)
        return b.call(op, [x, weight], [x.shape[0], columns], attributes={"units": columns} if b.chance(0.5) else {},
                      twin=lambda t: t("MatMul", [x, b.transposed(weight, [1, 0])]))
    left, right = b.chance(0.3), b.chance(0.4)
    rows, k = x.shape[::-1] if left else x.shape
    weight = b.operand([columns, k] if right else [k, columns], FLOAT, -0.5, 0.5)
    return b.call(op, [x, weight], [rows, columns], attributes=b.given(transpose_a=(left, False), transpose_b=(right, False)),
                  twin=lambda t: t("MatMul", [b.transposed(x, [1, 0] if left else [0, 1]), b.transposed(weight, [1, 0] if right else [0, 1])]))


@operator("nn.batch_matmul", low=3, high=3)
def batched(b, op, x):
    left, right = b.chance(0.3), b.chance(0.5)
    rows, k = x.shape[:0:-1] if left else x.shape[1:]
    columns, batch = b.extent(), b.choice([x.shape[0], x.shape[0], 1])
    other = b.operand([batch, columns, k] if right else [batch, k, columns], FLOAT, -0.5, 0.5)
    return b.call(op, [x, other], [x.shape[0], rows, columns], attributes=b.given(transpose_a=(left, False), transpose_b=(right, False)),
                  twin=lambda t: t("MatMul", [b.transposed(x, [0, 2, 1] if left else [0, 1, 2]), b.transposed(other, [0, 2, 1] if right else [0, 1, 2])]))


@operator("nn.pad", "nn.mirror_pad", low=1)
def pad(b, op, x):
    mode = "reflect" if op == "nn.mirror_pad" else b.choice(["constant", "constant", "edge", "reflect"])
    sides = [[min(b.choice([0, 1, 2]), 2 if mode == "constant" else max(0, e - 1)) for _ in range(2)] for e in x.shape]
    if 0 in x.shape and mode != "constant":
        raise Unsuited(op)
    shape = [e + p + q for e, (p, q) in zip(x.shape, sides)]
    pads = [p for p, _ in sides] + [q for _, q in sides]
    if op == "nn.mirror_pad" and b.chance(0.5):
        return b.call(op, [x], shape, attributes={"pad_width": sides, "mode": "REFLECT"}, twin=lambda t: t("Pad", [x, b.ints(pads)], mode="reflect"))
    if op == "nn.mirror_pad":
        def mirrored(t):
            """ONNX has no mode in which the outermost element stands twice."""
            y = x
            for a, (e, (before, behind)) in enumerate(zip(x.shape, sides)):
                def part(first, last, a=a, y=y):
                    return t("Slice", [y, b.ints([first]), b.ints([last]), b.ints([a]), b.ints([-1])])
                parts = ([part(before - 1, -e - 1)] if before else []) + [y] + ([part(e - 1, e - 1 - behind)] if behind else [])
                y = t("Concat", parts, axis=a)
            return y
        return b.call(op, [x], shape, attributes={"pad_width": sides, **b.given(mode=("SYMMETRIC", "SYMMETRIC"))}, twin=mirrored)
    value = b.scalar(b.choice([0.0, 0.5, -1.0]))
    attributes = {"pad_width": sides, **b.given(pad_mode=(mode, "constant"))}
    return b.call(op, [x, value], shape, attributes=attributes, twin=lambda t: t("Pad", [x, b.ints(pads)] + ([value] if mode == "constant" else []), mode=mode))


@operator("nn.depth_to_space", "nn.space_to_depth", low=4, high=4)
def resized(b, op, x):
    n, c, h, w = x.shape
    if 0 in x.shape:
        raise Unsuited(op)
    size = b.choice([1, 2])
    if op == "nn.depth_to_space":
        if c % (size * size):
            raise Unsuited(op)
        return b.call(op, [x], [n, c // size // size, h * size, w * size], attributes=b.given(block_size=(size, 1), mode=("DCR", "DCR")),
                      twin=lambda t: t("DepthToSpace", [x], blocksize=size, mode="DCR"))
    if h % size or w % size:
        raise Unsuited(op)
    return b.call(op, [x], [n, c * size * size, h // size, w // size], attributes=b.given(block_size=(size, 1)),
                  twin=lambda t: t("SpaceToDepth", [x], blocksize=size))


@operator("image.resize2d", low=4, high=4)
def resized_image(b, op, x):
    if 0 in x.shape:
        raise Unsuited(op)
    last = b.chance(0.3)
    method, mode = b.choice([("linear", "half_pixel"), ("linear", "align_corners"), ("linear", "asymmetric"), ("cubic", "half_pixel"),
                             ("nearest_neighbor", "asymmetric")])
    size = [b.choice([2, 3, 5, 8]) for _ in range(2)]
    attributes = {"size": size, **b.given(layout=("NHWC" if last else "NCHW", "NCHW"), method=(method, "linear"),
                                          coordinate_transformation_mode=(mode, "half_pixel"))}
    how = {"mode": method.partition("_")[0], "coordinate_transformation_mode": mode}
    if method == "nearest_neighbor":
        attributes["rounding_method"] = how["nearest_mode"] = "floor"
    if method == "cubic":
        alpha = b.choice([-0.5, -0.75])
        attributes.update(b.given(cubic_alpha=(alpha, -0.5), cubic_exclude=(0, 0)))
        how["cubic_coeff_a"] = alpha
    n, c, h, w = [x.shape[i] for i in ([0, 3, 1, 2] if last else range(4))]

    def meaning(t):
        y = b.transposed(x, [0, 3, 1, 2]) if last else x
        y = t("Resize", [y, None, None, b.ints([n, c, *size])], **how)
        return b.transposed(y, [0, 2, 3, 1]) if last else y
    return b.call(op, [x], [n, *size, c] if last else [n, c, *size], attributes=attributes, twin=meaning)


@operator("nn.batch_flatten", "nn.dropout", low=1)
def flat(b, op, x):
    if op == "nn.dropout":
        return b.call(op, [x], x.shape, attributes=b.given(rate=(b.choice([0.5, 0.0]), 0.5)), twin=lambda t: t("Identity", [x]), field=True)
    return b.call(op, [x], [x.shape[0], count_of(x.shape[1:])], twin=lambda t: t("Flatten", [x], axis=1))


# Shapes and places.

@operator("reshape", elements=(FLOAT, FLOAT, INT64))
def reshape(b, op, x):
    """Codes of `newshape`: 0 keeps an axis, -1 is what is left, -2 all axes that are left, -3 joins two, -4 splits one. A number takes an axis of the
    operand too, so that only numbers come behind an added 1."""
    if 0 in x.shape:
        raise Unsuited(op)
    codes, shape, at, left, added = [], [], 0, False, False
    while at < x.rank:
        how = "size" if added else b.choice(["keep", "keep", "size", "join", "split", "one", "rest"])
        if how == "rest":
            codes.append(-2)
            shape += x.shape[at:]
            at = x.rank
        elif how == "join" and at + 1 < x.rank:
            codes.append(-3)
            shape.append(x.shape[at] * x.shape[at + 1])
            at += 2
        elif how == "split":
            f = b.choice([f for f in (1, 2, 3) if x.shape[at] % f == 0])
            pair = [f, x.shape[at] // f]
            codes += [-4] + (b.choice([pair, [-1, pair[1]], [pair[0], -1]]))
            shape += pair
            at += 1
        elif how == "one":
            codes.append(1)
            shape.append(1)
            added = True
        else:
            use_left = how == "size" and not left and not added and b.chance(0.4) and not any(c in (-2, -3, -4) for c in codes)
            codes.append(0 if how == "keep" else -1 if use_left else x.shape[at])
            left = left or use_left
            shape.append(x.shape[at])
            at += 1
        if len(shape) > 6:
            raise Unsuited(op)
    if left and any(c in (-2, -3, -4) for c in codes):
        raise Unsuited(op)
    if not codes:
        codes, shape = [1], [1]
    return b.call(op, [x], shape, attributes={"newshape": codes}, twin=lambda t: t("Reshape", [x, b.ints(shape)]))


@operator("squeeze", "expand_dims", elements=(FLOAT, INT32))
def squeezed(b, op, x):
    if op == "squeeze":
        ones = [i for i, e in enumerate(x.shape) if e == 1]
        if not ones or b.chance(0.4):
            shape = [e for e in x.shape if e != 1]
            return b.call(op, [x], shape, twin=lambda t: t("Reshape", [x, b.ints(shape)], allowzero=1))
        axes = sorted(b.random.sample(ones, b.random.randint(1, len(ones))))
        shape = [e for i, e in enumerate(x.shape) if i not in axes]
        return b.call(op, [x], shape, attributes={"axis": [a - x.rank if b.chance(0.3) else a for a in axes]},
                      twin=lambda t: t("Reshape", [x, b.ints(shape)], allowzero=1))
    axis, count = b.random.randint(-x.rank - 1, x.rank), b.choice([1, 1, 2])
    at = axis + x.rank + 1 if axis < 0 else axis
    shape = x.shape[:at] + [1] * count + x.shape[at:]
    return b.call(op, [x], shape, attributes={"axis": axis, **b.given(num_newaxis=(count, 1))}, twin=lambda t: t("Reshape", [x, b.ints(shape)], allowzero=1))


@operator("transpose", "reverse", "nn.relu", elements=(FLOAT, INT64), low=1)
def moved(b, op, x):
    if op == "nn.relu":
        return unary(b, op, x)
    if op == "reverse":
        axis = b.random.randint(-x.rank, x.rank - 1)
        return b.call(op, [x], x.shape, attributes={"axis": axis},
                      twin=lambda t: t("Slice", [x, b.ints([-1]), b.ints([-2 ** 40]), b.ints([axis]), b.ints([-1])]))
    order = list(range(x.rank))
    b.random.shuffle(order)
    if b.chance(0.25):
        return b.call(op, [x], x.shape[::-1], twin=lambda t: t("Transpose", [x]))
    axes = [a - x.rank if b.chance(0.2) else a for a in order]
    return b.call(op, [x], [x.shape[i] for i in order], attributes={"axes": axes}, twin=lambda t: t("Transpose", [x], perm=order))


@operator("concatenate", "stack", elements=(FLOAT, INT64), low=1)
def joined(b, op, x):
    axis = b.choice([0, b.random.randrange(x.rank)])
    parts = [x]
    for _ in range(b.choice([0, 1, 2])):
        shape = list(x.shape)
        if op == "concatenate":
            shape[axis] = b.extent(0.05)
        parts.append(b.operand(shape, x.element))
    written = b.choice([axis, axis - x.rank - (op == "stack")])
    if op == "stack":
        shape = x.shape[:axis] + [len(parts)] + x.shape[axis:]
        return b.call(op, parts, shape, attributes=b.given(axis=(written, 0)), is_tuple=True,
                      twin=lambda t: t("Concat", [t("Unsqueeze", [p, b.ints([axis])]) for p in parts], axis=axis))
    shape = [sum(p.shape[axis] for p in parts) if i == axis else e for i, e in enumerate(x.shape)]
    return b.call(op, parts, shape, attributes=b.given(axis=(written, 0)), is_tuple=True, twin=lambda t: t("Concat", parts, axis=axis))


@operator("split", low=1)
def split(b, op, x):
    axis = b.choice([0, b.random.randrange(x.rank)])
    extent = x.shape[axis]
    if b.chance(0.5):
        sections = b.choice([d for d in (1, 2, 3) if extent % d == 0])
        given, sizes = sections, [extent // sections] * sections
    else:
        given = sorted(b.random.randint(0, extent) for _ in range(b.choice([1, 2])))
        sizes = [q - p for p, q in zip([0, *given], [*given, extent])]
    shapes = [[s if i == axis else e for i, e in enumerate(x.shape)] for s in sizes]
    attributes = {"indices_or_sections": given, **b.given(axis=(axis, 0))}

    def meaning(t):
        names = t("Split", [x, b.ints(sizes)], len(sizes), axis=axis)
        return names if isinstance(names, list) else [names]
    if len(sizes) == 1:
        return b.call(op, [x], shapes[0], attributes=attributes, twin=meaning, field=True)
    return b.choice(b.call(op, [x], shapes, attributes=attributes, results=len(sizes), twin=meaning, field=True))


@operator("strided_slice", elements=(FLOAT, INT64), low=1)
def sliced(b, op, x):
    axes = sorted(b.random.sample(range(x.rank), b.random.randint(1, x.rank)))
    if b.chance(0.5):
        axes = list(range(len(axes)))
    begins, ends, steps, shape = [], [], [], list(x.shape)
    sizes = b.chance(0.2)
    for a in axes:
        e = x.shape[a]
        step = 1 if sizes else b.choice([1, 1, 2, -1, -2])
        low, high = sorted([b.random.randint(0, e), b.random.randint(0, e)])
        if e == 0 or low == high:
            raise Unsuited(op)
        begin, end = (low, high) if step > 0 else (high - 1, low - 1)
        if end < 0:
            end = -e - 1
        elif b.chance(0.3):
            begin, end = begin - e, end - e if end < e else end + 3
        if sizes:
            begin, end = low, b.choice([high - low, -1])
        begins.append(begin)
        ends.append(end)
        steps.append(step)
        places = range(e)[low:high][::step] if step > 0 else list(range(high - 1, low - 1, step))
        shape[a] = e - low if sizes and end == -1 else len(places)
    attributes = {"begin": begins, "end": ends}
    if axes != list(range(len(axes))) or b.chance(0.3):
        attributes["axes"] = axes
    if sizes:
        attributes["slice_mode"] = "size"
        if b.chance(0.5):
            attributes["strides"] = [1]
        ends = [2 ** 40 if e < 0 else s + e for s, e in zip(begins, ends)]
    elif steps == [1] * len(steps):
        attributes.update(b.choice([{"strides": [1]}, {"strides": steps}, {"strides": [1], "slice_mode": "end"}]))
    else:
        attributes["strides"] = steps
    return b.call(op, [x], shape, attributes=attributes, twin=lambda t: t("Slice", [x, b.ints(begins), b.ints(ends), b.ints(axes), b.ints(steps)]))


@operator("take", "gather", "gather_nd", elements=(FLOAT, INT64), low=1)
def taken(b, op, x):
    if 0 in x.shape:
        raise Unsuited(op)
    axis = b.random.randrange(x.rank)
    if op == "gather":
        shape = [b.random.randint(1, 3) if i == axis else e for i, e in enumerate(x.shape)]
        indices = b.constant(shape, b.choice([INT32, INT64]), 0, x.shape[axis] - 1)
        return b.call(op, [x, indices], shape, attributes={"axis": axis}, twin=lambda t: t("GatherElements", [x, indices], axis=axis))
    if op == "gather_nd":
        # The first axis of the indices has one place for each axis that they go along.
        batch = b.choice([0, 0, 1]) if x.rank > 1 else 0
        deep = b.random.randint(1, x.rank - batch)
        lead = x.shape[:batch] + [b.extent(0) for _ in range(b.choice([0, 1]) if not batch else 1)]
        bounds = x.shape[batch:batch + deep]
        values = [b.random.randrange(e) for e in bounds for _ in range(count_of(lead))]
        indices = b.constant([deep, *lead], INT64, values=values)
        order = [*range(1, len(lead) + 1), 0]
        return b.call(op, [x, indices], lead + x.shape[batch + deep:], attributes=b.given(batch_dims=(batch, 0)),
                      twin=lambda t: t("GatherND", [x, t("Transpose", [indices], perm=order)], batch_dims=batch))
    mode = b.choice(["clip", "clip", "wrap", "fast"])
    flat_ = b.chance(0.2)
    batch = b.choice([0, 0, 1]) if axis >= 1 and not flat_ else 0
    extent = count_of(x.shape) if flat_ else x.shape[axis]
    shape = x.shape[:batch] + b.shape(0, 2, 0.0, 64)
    beyond = 3 if mode != "fast" else 0
    indices = b.constant(shape, b.choice([INT32, INT64]), -beyond, extent - 1 + beyond)
    attributes = {**b.given(mode=(mode, "clip"), batch_dims=(batch, 0)), **({} if flat_ else {"axis": axis})}

    def meaning(t):
        places = t("Cast", [indices], to=INT64)
        low, high = b.number(0, INT64), b.number(extent - 1, INT64)
        places = t("Mod", [places, b.number(extent, INT64)]) if mode == "wrap" else t("Max", [low, t("Min", [high, places])])
        if flat_:
            return t("Gather", [t("Reshape", [x, b.ints([extent])]), places], axis=0)
        if not batch:
            return t("Gather", [x, places], axis=axis)
        rows = [t("Gather", [t("Gather", [x, b.ints([i])], axis=0), t("Reshape", [t("Gather", [places, b.ints([i])], axis=0), b.ints(shape[1:])])],
                  axis=axis) for i in range(x.shape[0])]
        return t("Concat", rows, axis=0)
    if flat_:
        result = shape
    else:
        result = x.shape[:axis] + shape[batch:] + x.shape[axis + 1:]
    return b.call(op, [x, indices], result, attributes=attributes, twin=meaning)


@operator("tile", "repeat", "broadcast_to", "broadcast_to_like", low=1)
def repeated(b, op, x):
    if op == "repeat":
        times = b.choice([1, 2, 3])
        if b.chance(0.2):
            return b.call(op, [x], [count_of(x.shape) * times], attributes={"repeats": times}, twin=lambda t: t("Reshape", [
                t("Tile", [t("Reshape", [x, b.ints([count_of(x.shape), 1])], allowzero=1), b.ints([1, times])]), b.ints([count_of(x.shape) * times])], allowzero=1))
        axis = b.random.randrange(x.rank)
        shape = [e * times if i == axis else e for i, e in enumerate(x.shape)]
        split_ = x.shape[:axis + 1] + [1] + x.shape[axis + 1:]
        return b.call(op, [x], shape, attributes={"repeats": times, "axis": axis}, twin=lambda t: t("Reshape", [t("Tile", [
            t("Reshape", [x, b.ints(split_)], allowzero=1), b.ints([times if i == axis + 1 else 1 for i in range(x.rank + 1)])]), b.ints(shape)], allowzero=1))
    if op == "tile":
        # Fewer repeats than axes are of the last axes, more add axes before.
        times = [b.choice([1, 2, 3]) for _ in range(b.random.randint(1, min(5, x.rank + 1)))]
        rank = max(len(times), x.rank)
        whole, wide = [1] * (rank - len(times)) + times, [1] * (rank - x.rank) + x.shape
        return b.call(op, [x], [e * n for e, n in zip(wide, whole)], attributes={"reps": times},
                      twin=lambda t: t("Tile", [t("Reshape", [x, b.ints(wide)], allowzero=1), b.ints(whole)]))
    target = [b.extent() if e == 1 else e for e in x.shape]
    if x.rank < 5 and b.chance(0.3):
        target = [2, *target]
    if op == "broadcast_to":
        return b.call(op, [x], target, attributes={"shape": target}, twin=lambda t: t("Expand", [x, b.ints(target)]))
    return b.call(op, [x, b.constant(target)], target, twin=lambda t: t("Expand", [x, b.ints(target)]))


@operator("full", "zeros", "ones", "full_like", "zeros_like", "ones_like", "arange", elements=(FLOAT, INT32))
def filled(b, op, x):
    value = b.scalar(3.0 if x.element in FLOATS else 3, x.element)
    number = {"zeros": 0, "ones": 1}.get(op.split("_")[0])
    if op == "arange":
        start, stop, step = b.choice([(0, 5, 1), (5, 0, -2), (-2, 7, 3)])
        of = [b.scalar(float(v) if x.element in FLOATS else v, x.element) for v in (start, stop, step)]
        return b.call(op, of, [max(0, -(-(stop - start) // step))], x.element, {"dtype": DTYPES[x.element]},
                      twin=lambda t: t("Range", of))

    def meaning(t):
        fill = value if number is None else b.number(number * (1.0 if x.element in FLOATS else 1), x.element)
        return t("Expand", [fill, b.ints(shape)])
    if op.endswith("like"):
        shape = x.shape
        return b.call(op, [x] + ([value] if number is None else []), shape, twin=meaning)
    shape = b.shape()
    return b.call(op, [value] if number is None else [], shape, x.element, {"shape": shape, "dtype": DTYPES[x.element]}, twin=meaning)


REDUCTIONS = {"sum": "ReduceSum", "mean": "ReduceMean", "max": "ReduceMax", "min": "ReduceMin", "prod": "ReduceProd", "variance": None, "argmax": "ArgMax",
              "argmin": "ArgMin"}


@operator(*REDUCTIONS, low=1)
def reduced(b, op, x):
    if 0 in x.shape:
        raise Unsuited(op)
    keep, exclude = b.chance(0.4), b.chance(0.2)
    single = op.startswith("arg")
    axes = sorted(b.random.sample(range(x.rank), 1 if single else b.random.randint(1, x.rank)))
    written = [a - x.rank if b.chance(0.3) else a for a in axes]
    attributes = b.given(keepdims=(keep, False))
    if b.chance(0.25):
        axes = list(range(x.rank))
        exclude = False
    else:
        attributes["axis"] = written[0] if len(written) == 1 and b.chance(0.5) and not single else written
        attributes.update(b.given(exclude=(exclude, False)))
    over = [i for i in range(x.rank) if i not in axes] if exclude else axes
    if exclude and not over or single and len(over) not in (1, x.rank):
        raise Unsuited(op)
    shape = [1 if i in over else e for i, e in enumerate(x.shape) if keep or i not in over]
    if single:
        last = b.chance(0.3)
        attributes.update(b.given(select_last_index=(last, False)))

        def places(t):
            if len(over) == x.rank:
                y = t("ArgMax" if op == "argmax" else "ArgMin", [t("Reshape", [x, b.ints([-1])])], axis=0, keepdims=0, select_last_index=int(last))
                return t("Cast", [t("Reshape", [y, b.ints(shape)])], to=INT32)
            return t("Cast", [t(REDUCTIONS[op], [x], axis=over[0], keepdims=int(keep), select_last_index=int(last))], to=INT32)
        return b.call(op, [x], shape, INT32, attributes, twin=places)

    def meaning(t):
        if op == "variance":
            centred = t("Sub", [x, t("ReduceMean", [x, b.ints(over)], keepdims=1)])
            return t("ReduceMean", [t("Mul", [centred, centred]), b.ints(over)], keepdims=int(keep))
        return t(REDUCTIONS[op], [x, b.ints(over)], keepdims=int(keep))
    if op == "variance":
        mean = b.call("mean", [x], [1 if i in over else e for i, e in enumerate(x.shape)], attributes={"axis": over, "keepdims": True},
                      twin=lambda t: t("ReduceMean", [x, b.ints(over)], keepdims=1))
        return b.call(op, [x, mean], shape, attributes=attributes, twin=meaning)
    return b.call(op, [x], shape, attributes=attributes, twin=meaning)


@operator("all", "any", elements=(BOOL,), low=1)
def logical_reduction(b, op, x):
    if 0 in x.shape:
        raise Unsuited(op)
    axes, keep = sorted(b.random.sample(range(x.rank), b.random.randint(1, x.rank))), b.chance(0.4)
    shape = [1 if i in axes else e for i, e in enumerate(x.shape) if keep or i not in axes]
    return b.call(op, [x], shape, attributes={"axis": axes, **b.given(keepdims=(keep, False))}, twin=lambda t: t("Cast", [
        t("ReduceMin" if op == "all" else "ReduceMax", [t("Cast", [x], to=INT32), b.ints(axes)], keepdims=int(keep))], to=BOOL))


@operator("cumsum", "sort", "argsort", "topk", low=1)
def ordered(b, op, x):
    axis = b.random.randint(-x.rank, x.rank - 1)
    if 0 in x.shape:
        raise Unsuited(op)
    at, extent = axis % x.rank, x.shape[axis]
    if op == "cumsum":
        exclusive = b.chance(0.3)
        return b.call(op, [x], x.shape, attributes={"axis": axis, **b.given(exclusive=(exclusive, False))},
                      twin=lambda t: t("CumSum", [x, b.number(axis, INT64)], exclusive=int(exclusive)))
    up = b.chance(0.5)
    if op == "topk":
        k, kind = b.choice([1, b.random.randint(1, extent)]), b.choice(["both", "values", "indices"])
        shape = [k if i == at else e for i, e in enumerate(x.shape)]
        attributes = {"dtype": "int64", **b.given(k=(k, 1), axis=(axis, -1), ret_type=(kind, "both"), is_ascend=(up, False))}

        def best(t):
            names = t("TopK", [x, b.ints([k])], 2, axis=axis, largest=int(not up))
            return names if kind == "both" else names[kind == "indices"]
        if kind == "both":
            return b.choice(b.call(op, [x], [shape, shape], [FLOAT, INT64], attributes, 2, twin=best, field=True))
        return b.call(op, [x], shape, FLOAT if kind == "values" else INT64, attributes, twin=best)
    attributes = b.given(axis=(axis, -1), is_ascend=(up, True))
    if op == "argsort":
        attributes["dtype"] = "int64"
    return b.call(op, [x], x.shape, FLOAT if op == "sort" else INT64, attributes,
                  twin=lambda t: t("TopK", [x, b.ints([extent])], 2, axis=axis, largest=int(not up))[op == "argsort"])


@operator("one_hot", elements=(INT64, INT32), high=3)
def one_hot(b, op, x):
    axis, depth = b.choice([-1, b.random.randint(0, x.rank)]), b.choice([1, 6])
    at = x.rank if axis < 0 else axis
    on, off = b.scalar(1.5), b.scalar(-0.5)
    places = unary_max(b, x)
    return b.call(op, [places, on, off], x.shape[:at] + [depth] + x.shape[at:], FLOAT, {"dtype": "float32", **b.given(depth=(depth, 1), axis=(axis, -1))},
                  twin=lambda t: t("OneHot", [places, b.ints([depth]), t("Concat", [t("Reshape", [v, b.ints([1])]) for v in (off, on)], axis=0)], axis=axis))


def unary_max(b, x):
    """x without numbers below 0, which one_hot of ONNX counts from behind."""
    zero = b.scalar(0, x.element)
    return b.call("maximum", [x, zero], x.shape, twin=lambda t: t("Max", [x, zero]))


@operator("shape_of", "ndarray_size", "trilu", "slice_like", "reshape_like", "layout_transform", "scatter_elements", low=2)
def others(b, op, x):
    if op in ("shape_of", "ndarray_size"):
        name = "Shape" if op == "shape_of" else "Size"
        return b.call(op, [x], [x.rank] if op == "shape_of" else [], INT32, {"dtype": "int32"}, twin=lambda t: t("Cast", [t(name, [x])], to=INT32))
    if op == "trilu":
        k, upper = b.choice([0, 1, -1, 20, -20]), b.chance(0.5)
        at = b.scalar(k, INT32)
        return b.call(op, [x, at], x.shape, attributes=b.given(upper=(upper, True)), twin=lambda t: t("Trilu", [x, t("Cast", [at], to=INT64)], upper=int(upper)))
    if 0 in x.shape:
        raise Unsuited(op)
    if op == "slice_like":
        shape = [b.random.randint(1, e) for e in x.shape]
        like = b.constant(shape)
        axes = sorted(b.random.sample(range(x.rank), b.random.randint(1, x.rank))) if b.chance(0.5) else None
        result = [s if axes is None or i in axes else e for i, (s, e) in enumerate(zip(shape, x.shape))]
        return b.call(op, [x, like], result, attributes={} if axes is None else {"axes": axes},
                      twin=lambda t: t("Slice", [x, b.ints([0] * x.rank), b.ints(result)]))
    if op == "reshape_like":
        like = b.constant([count_of(x.shape)])
        return b.call(op, [x, like], like.shape, twin=lambda t: t("Reshape", [x, b.ints(like.shape)]))
    if op == "scatter_elements":
        axis = b.choice([0, b.random.randrange(x.rank)])
        places = b.random.sample(range(x.shape[axis]), b.random.randint(1, x.shape[axis]))
        shape = [len(places) if i == axis else e for i, e in enumerate(x.shape)]
        inner = count_of(shape[axis + 1:])
        indices = b.constant(shape, INT64, values=[places[(i // inner) % len(places)] for i in range(count_of(shape))])
        updates = b.operand(shape)
        return b.call(op, [x, indices, updates], x.shape, attributes=b.given(axis=(axis, 0), reduction=("update", "update")),
                      twin=lambda t: t("ScatterElements", [x, indices, updates], axis=axis))
    if x.rank != 4:
        raise Unsuited(op)
    n, c, h, w = x.shape
    if c % 4 == 0 and b.chance(0.5):
        return b.call(op, [x], [n, c // 4, h, w, 4], attributes={"src_layout": "NCHW", "dst_layout": "NCHW4c"},
                      twin=lambda t: t("Transpose", [t("Reshape", [x, b.ints([n, c // 4, 4, h, w])])], perm=[0, 1, 3, 4, 2]))
    return b.call(op, [x], [n, h, w, c], attributes={"src_layout": "NCHW", "dst_layout": "NHWC"}, twin=lambda t: t("Transpose", [x], perm=[0, 2, 3, 1]))


EXACT = {"transpose", "reshape", "squeeze", "expand_dims", "concatenate", "stack", "split", "strided_slice", "take", "gather", "gather_nd", "tile", "repeat",
         "broadcast_to", "broadcast_to_like", "reverse", "where", "clip", "cast", "cast_like", "full", "zeros", "ones", "full_like", "zeros_like", "ones_like",
         "arange", "argmax", "argmin", "max", "min", "sort", "argsort", "topk", "one_hot", "shape_of", "ndarray_size", "trilu", "slice_like", "reshape_like",
         "layout_transform", "scatter_elements", "copy", "nn.relu", "abs", "negative", "ceil", "floor", "sign", "maximum", "minimum", "nn.max_pool1d",
         "nn.max_pool2d", "nn.max_pool3d", "nn.pad", "nn.mirror_pad", "nn.batch_flatten", "nn.dropout", "nn.depth_to_space", "nn.space_to_depth", "equal",
         "less", "greater", "less_equal", "greater_equal", "not_equal", "all", "any", "logical_and", "logical_or", "logical_xor", "logical_not", "isnan", "isinf",
         "isfinite", "mod", "floor_mod", "floor_divide", "trunc_mod", "trunc_divide", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"}

FOLLOWERS = ["add", "multiply", "subtract", "nn.relu", "clip", "sigmoid", "nn.leaky_relu", "nn.bias_add", "nn.batch_norm", "reshape", "transpose", "tanh",
             "nn.softmax", "concatenate", "strided_slice", "nn.max_pool2d", "nn.avg_pool2d", "nn.conv2d", "nn.dense", "sum", "mean", "nn.pad", "function",
             "squeeze", "expand_dims", "maximum", "divide", "cast", "split"]


def program(source, seed, largest=17, name=""):
    """A call in one of its forms, followed by a few others."""
    b = RelayBuilder(seed, source, largest)
    try:
        y = apply(b, name or b.choice(sorted(TABLE)))
        for _ in range(b.choice([0, 0, 1, 2, 3])):
            for _ in range(6):
                try:
                    y = apply(b, b.choice(FOLLOWERS), y)
                    break
                except Unsuited:
                    continue
    except Unsuited:
        pass
    if not b.program.nodes:
        return None
    # A result that is an operand keeps its own name in a plan and not in the interpreter.
    p = b.finished()
    p = p.live()
    return p if p.results and p.nodes else None
