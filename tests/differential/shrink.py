# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Makes a failing program smaller while it fails in the same way."""
import time

import sources
from model import Tensor


def with_result(program, name):
    other = program.live()
    other.results = [name]
    return other.live()


def from_here(program, at, values):
    """The program with the results of node `at` as inputs of these values."""
    other = program.empty()
    other.inputs, other.constants, other.values, other.results = dict(program.inputs), dict(program.constants), program.values, list(program.results)
    other.nodes = program.nodes[:at] + program.nodes[at + 1:]
    for name in program.nodes[at].results:
        if name not in values or name in program.results:
            return None
        other.inputs[name] = Tensor(program.values[name].element, *values[name])
    return other.live()


def candidates(program, interpret):
    """Smaller programs, the smallest first."""
    for n in program.nodes:
        for name in n.results:
            if name:
                yield with_result(program, name)
    if len(program.results) > 1:
        for name in program.results:
            yield with_result(program, name)
    everything = program.live()
    everything.results = [r for n in program.nodes for r in n.results if r]
    values = interpret(everything)
    if values is not None:
        for at in range(len(program.nodes)):
            other = from_here(program, at, values)
            if other is not None and other.nodes:
                yield other


def smaller(program, fails, interpret, seconds=20):
    """The smallest program that `fails` accepts, found greedily within the time."""
    end = time.monotonic() + seconds
    for largest in (1, 2, 3, 4, 7, 8, 9):
        other = sources.program(program.source, program.seed, program.opset, largest)
        if other is not None and time.monotonic() < end and fails(other):
            program = other
            break
    size = len(program.nodes) + len(program.results)
    while time.monotonic() < end:
        for other in candidates(program, interpret):
            if time.monotonic() > end:
                return program
            if other.nodes and len(other.nodes) + len(other.results) < size and fails(other):
                program, size = other, len(other.nodes) + len(other.results)
                break
        else:
            return program
    return program
