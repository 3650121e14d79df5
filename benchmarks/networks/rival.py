# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""What the rivals of `inlay bench --rival` share: their command line, values for inputs, and their answers.

A rival is a class: `Rival(path, threads, shapes)` loads a network for these `Shapes`, which it has checked first; `inputs` lists what goes
in as `Input`s, `bind(values)` takes an array for each by name, `run()` infers once, and `results()` gives names and arrays of the last run.
`main(Rival)` is the rest: without `--save` it says `ready` and answers each line `run` with the seconds of one inference; where the rival
does not start, it says why in one sentence instead.
"""
import argparse
import collections
import importlib
import os
import sys
import time

import numpy

# `element` is a name in ELEMENTS.
Input = collections.namedtuple("Input", "name element extents")

# The element types that numpy has, and bfloat16 as its bits.
ELEMENTS = {name: numpy.dtype(name) for name in
            "float32 float16 float64 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()} | {"bfloat16": numpy.dtype("uint16")}

MOST_SAID = 400


class Refused(Exception):
    """One sentence on why a network does not run."""


def give_up(why):
    # Libraries write pages; the bench quotes the last line that a rival said.
    print(" ".join(why.split())[:MOST_SAID], file=sys.stderr if "--save" in sys.argv else sys.stdout)
    sys.exit(2)


def library(name):
    """The library of a rival, which may not be installed here."""
    try:
        return importlib.import_module(name)
    except ImportError as wrong:
        return give_up(f"the package {name} is not there or cannot be loaded ({wrong})")


def element_of(name, told, known):
    """The name in ELEMENTS of what the rival's library calls `told`. Refused: an input of texts, or of numbers that numpy cannot hold."""
    element = known.get(told, told)
    if element not in ELEMENTS:
        raise Refused(f"the input '{name}' has elements of {told}; it takes {', '.join(ELEMENTS)}: leave this network out")
    return element


def values_of(inputs):
    """An array for each input: random numbers from 0 to 1, of whole numbers 0 and 1, always the same."""
    random = numpy.random.default_rng(1)
    values = {}
    for one in inputs:
        if one.element == "bfloat16":
            values[one.name] = (numpy.asarray(random.random(one.extents), numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16)
        elif one.element.startswith("float"):
            values[one.name] = numpy.asarray(random.random(one.extents), one.element)
        else:
            values[one.name] = numpy.asarray(random.integers(0, 2, one.extents), one.element)
    return values


def file_of(folder, name):
    return os.path.join(folder, name.replace("/", "_") + ".npy")


class Shapes:
    """The extents of inputs: as `--shape` says, or as the files of `--inputs` have them, or 1 where a network leaves them open."""

    def __init__(self, texts, folder):
        self.stated, self.folder = {}, folder
        for text in texts:
            name, equals, extents = text.rpartition("=")
            numbers = extents.split(",") if extents else []
            if not equals or not all(n.isdecimal() and int(n) > 0 for n in numbers):
                raise Refused(f"'--shape' wants NAME=1,3,224,224, but '{text}' is none")
            self.stated[name] = [int(n) for n in numbers]

    def extents(self, name, dimensions):
        """Of an input; `dimensions` has None or a name for what the network leaves open."""
        if name in self.stated:
            return self.stated[name]
        if self.folder:
            return list(numpy.load(file_of(self.folder, name), mmap_mode="r").shape)
        return [d if isinstance(d, int) else 1 for d in dimensions]

    def check(self, names, path):
        """Refuses what was stated for an input that the network does not have."""
        for name in self.stated:
            if name not in names:
                raise Refused(f"'--shape' names '{name}', which is no input of {path}; its inputs are {', '.join(names)}")


def start(rival, arguments):
    made = rival(arguments.model, arguments.threads, Shapes(arguments.shape, arguments.inputs))
    given = arguments.inputs
    made.bind({one.name: numpy.load(file_of(given, one.name)) for one in made.inputs} if given else values_of(made.inputs))
    made.run()
    return made


def main(rival):
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--shape", action="append", default=[])
    parser.add_argument("--inputs")
    parser.add_argument("--save")
    arguments = parser.parse_args()
    try:
        made = start(rival, arguments)
    except Exception as wrong:  # whatever a library raises
        give_up(str(wrong) or type(wrong).__name__)
    if arguments.save:
        for name, value in made.results():
            numpy.save(file_of(arguments.save, name), value)
        return
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "run":
            begin = time.perf_counter()
            made.run()
            print(f"{time.perf_counter() - begin:.9f}", flush=True)
