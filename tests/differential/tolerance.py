# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""How far results may be off, and where they are off by more.

Integers, truth values, extents and types are equal. A floating-point result is compared in two steps:

1. Each element is within `K * eps * (|expected| + largest)`, where eps is the distance of 1 and the next number in the coarsest type of the program,
   and `largest` is the largest expected magnitude of the result. Most programs pass here.
   Programs without arithmetic are held to two units of the result's own type.
2. Otherwise the terms of its sums may be larger than the results. The size of the terms is found by the interpreter: it runs the program with each
   input and each constant moved by `STEP * eps` up or down, some times. Moving terms of magnitudes a_i changes a sum by about
   `STEP * eps * sqrt(sum a_i^2)`. Each operand of arithmetic in the middle moves by `ROUNDING * eps` too, as if operators rounded in another
   way; so a difference of two results that are equal in exact arithmetic may be off. The largest change, over the whole result and all tries, is allowed besides. This covers division by small numbers,
   exponentials, cancellation and rounding near a step. It is not done for programs without arithmetic, of which each element is exact.

Where the interpreter's result is not finite, nothing is compared. An integer that comes from rounded numbers (a Cast, an ArgMax, a comparison) may be another
one where these moves change it.
"""
import math

from model import EPSILON, FLOATS, indices_of
import relay

# For sums in another order, of a hundred terms each, one after the other; by whether the coarsest type is one of half precision.
K = {False: 64, True: 16}
STEP = {False: 512, True: 8}
ROUNDING = {False: 8, True: 1}
TRIES = 4

# Programs of these alone compute no sums: a result is an operand, or one rounding of one.
EXACT = {"Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Concat", "Split", "Slice", "Pad", "Tile", "Expand", "Gather", "GatherElements", "GatherND",
         "ScatterElements", "ScatterND", "DepthToSpace", "SpaceToDepth", "Trilu", "EyeLike", "Shape", "Size", "NonZero", "ReverseSequence", "OneHot",
         "ConstantOfShape", "Range", "Constant", "Identity", "Relu", "Max", "Min", "Clip", "Neg", "Abs", "Sign", "Floor", "Ceil", "Round", "Where", "Equal",
         "Less", "Greater", "LessOrEqual", "GreaterOrEqual", "And", "Or", "Xor", "Not", "Cast", "CastLike", "TopK", "ArgMax", "ArgMin", "MaxPool",
         "GlobalMaxPool", "ReduceMax", "ReduceMin", "IsNaN", "IsInf", "Dropout"} | relay.EXACT


def is_half(epsilon):
    return epsilon >= 2.0 ** -10


def is_exact(program):
    return program.operators() <= EXACT


def finite(value):
    return not isinstance(value, float) or math.isfinite(value)


def off(found, expected, allowed):
    """A sentence about the first element that is off by more than `allowed(element number, expected)`, or None."""
    if found[0] != expected[0]:
        return f"has extents {found[0]}, expected {expected[0]}"
    for i, (f, e) in enumerate(zip(found[1], expected[1])):
        if f == e or not finite(e) or (isinstance(f, float) and math.isnan(f) and math.isnan(e)):
            continue
        if not finite(f) or abs(f - e) > allowed(i, e):
            return f"is {f!r} at {indices_of(expected[0], i)}, expected {e!r}"
    return None


def largest(values):
    return max((abs(v) for v in values if finite(v)), default=0.0)


def plainly_off(program, found, expected):
    """{result: sentence} of the first step."""
    epsilon, wrong = program.float_epsilon(), {}
    k, exact = K[is_half(epsilon)], is_exact(program)
    for name, of in expected.items():
        if program.values[name].element in FLOATS and exact:
            own = 2 * EPSILON[program.values[name].element]
            said = off(found[name], of, lambda _, e, own=own: own * abs(e) + 1e-37)
        elif program.values[name].element in FLOATS:
            top = largest(of[1])
            said = off(found[name], of, lambda _, e, top=top: k * epsilon * (abs(e) + top) + 1e-37)
        else:
            said = off(found[name], of, lambda _, e: 0)
        if said:
            wrong[name] = said
    return wrong


def changes(program, expected, rng, interpret):
    """For each result, how far the interpreter's elements move with the inputs: the largest of a floating-point result, each of another one."""
    epsilon = program.float_epsilon()
    moved = {name: (0.0, [0] * len(of[1])) for name, of in expected.items()}
    half = is_half(epsilon)
    for other in interpret([program.perturbed(rng, STEP[half] * epsilon, ROUNDING[half] * epsilon, EXACT) for _ in range(TRIES)]):
        for name, of in expected.items():
            if other is None or other[name][0] != of[0]:
                # Extents that depend on values, as those of NonZero, moved.
                moved[name] = (math.inf, [math.inf] * len(of[1]))
                continue
            distances = [abs(a - b) if finite(a) and finite(b) else math.inf if a != b else 0 for a, b in zip(other[name][1], of[1])]
            top, each = moved[name]
            moved[name] = (max([top, *distances]), [max(p, q) for p, q in zip(each, distances)])
    return moved


def off_by_more(program, found, expected, rng, interpret, steps=False):
    """{result: sentence} of both steps. `steps`: the way computes with a quantiser's steps, and a result may be one off."""
    wrong = plainly_off(program, found, expected)
    if not wrong or (is_exact(program) and not steps):
        return wrong
    moved, epsilon = changes(program, expected, rng, interpret), program.float_epsilon()
    k = K[is_half(epsilon)]
    # Quantisers' steps are 0.1 at most.
    one = 1 if steps and "QuantizeLinear" in program.operators() else 0
    for name in list(wrong):
        of, (top, each) = expected[name], moved[name]
        if program.values[name].element in FLOATS:
            base = largest(of[1])
            said = off(found[name], of, lambda _, e, base=base, top=top: k * epsilon * (abs(e) + base) + top + one * 0.2)
        elif math.isinf(top):
            said = None
        else:
            said = off(found[name], of, lambda i, e, each=each: each[i] + one)
        if said is None:
            del wrong[name]
    return wrong
