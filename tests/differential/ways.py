# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs programs by the tool, in one way of many, and reads what they give."""
import ast
import collections
import json
import math
import os
import re
import shutil
import struct
import subprocess
import tempfile
import threading
import time

from model import BFLOAT16, CODES, model_of, packed
import relay

BACK_ENDS = ("onednn", "cpu_simd", "xnnpack", "openblas", "cpu_loops")
PLANS = ("--costs", "model")
INTERPRETER = ("--interpret",)


def single(kind):
    return (*PLANS, "--target", f"{kind}, reference", "--partitioner", f"single:{kind}")


# Name, options of `inlay run`, and how often a share of programs goes this way.
WAYS = {
    "default": (PLANS, 0),
    **{f"single:{k}": (single(k), 3) for k in BACK_ENDS},
    "no-rewrites": ((*PLANS, "--no-rewrites"), 3),
    "by-steps": ((*PLANS, "--by-steps"), 1),
    "eager": ((*PLANS, "--partitioner", "eager"), 2),
    "exhaustive": ((*PLANS, "--partitioner", "exhaustive"), 1),
    "threads": ((*PLANS, "--threads", "2"), 1),
    "unchecked": ((*PLANS, "--unchecked"), 3),
    **{f"single:{k} unchecked": ((*single(k), "--unchecked"), 2) for k in BACK_ENDS},
    "no-rewrites unchecked": ((*PLANS, "--no-rewrites", "--unchecked"), 1),
    "c": (PLANS, 2),
    # Programs of Relay beside their twins in ONNX.
    "twin": (INTERPRETER, 0),
}

# Loops are compiled without optimisation, which takes a fifth of the time; a share of programs has the tool's own level, and ways of this suffix.
OPTIMISED = " -O3"


def options_of(way):
    return INTERPRETER if way == "interpreter" else WAYS[way.removesuffix(OPTIMISED)][0]


def is_way(name):
    return name.removesuffix(OPTIMISED) in WAYS

# Words of refusals that are right: plain enumeration of too many covers, values whose shapes only the run finds, and forms of Relay that plans do not have.
UNPLANNED = ("too many for plain enumeration", "whose shape only the run finds", "whichever the run decides", "from here on unknown",
             "which no back end takes; fold it away", "`inline_calls` puts its body there", "--interpret` runs it")

# A claim that has no sound loop nest is a fault, although planning goes on without it.
UNSOUND = "may leave its extent"

# Without portable C are an operator without loops, and stacked slices whose first trip depends on an input.
NO_C = ("no chosen back end takes node", "a condition may keep it from its first trip")

# A kernel that a check refused; planning goes on without it.
REFUSED = re.compile(r"back end '([^']+)' has no kernel to run for p([0-9]+)_(\w+), and planning goes on without it: (.*)")


class Failure(Exception):
    """The tool does not give results: its exit status and what it says."""

    def __init__(self, status, said):
        said = "\n".join(line for line in said.splitlines() if not REFUSED.search(line)) or said
        super().__init__(f"the tool ends with status {status}: {said.strip()[-400:]}" if status is None or status not in (1, 2) else said.strip()[-400:])
        self.status = status
        self.is_crash = status not in (1, 2)
        self.is_unplanned = any(words in said for words in UNPLANNED)
        self.has_no_c = any(words in said for words in NO_C)


def read_npy(path, element):
    """(extents, values) of a file in NumPy's form, little-endian and row by row."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as fault:
        raise Failure(None, f"the tool wrote no file {os.path.basename(path)}") from fault
    wide = data[6] > 1
    start = 12 if wide else 10
    length = struct.unpack("<I" if wide else "<H", data[8:start])[0]
    header = ast.literal_eval(data[start:start + length].decode())
    shape, body, kind = list(header["shape"]), data[start + length:], header["descr"]
    if element == BFLOAT16 and kind.endswith("f4"):
        return shape, list(struct.unpack(f"<{len(body) // 4}f", body))
    if element == BFLOAT16:
        return shape, [struct.unpack("<f", b"\0\0" + body[i:i + 2])[0] for i in range(0, len(body), 2)]
    code = {"f2": "e", "f4": "f", "f8": "d", "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}[kind[1:]]
    if code != CODES[element]:
        raise Failure(None, f"{os.path.basename(path)} has elements of {kind}")
    return shape, list(struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body))


class Files:
    """A model of some programs with the files of their inputs, in a folder of its own."""

    def __init__(self, folder, programs):
        self.folder, self.programs = tempfile.mkdtemp(dir=folder), programs
        is_relay = programs[0].dialect == "relay"
        self.model = os.path.join(self.folder, "model.relay" if is_relay else "model.onnx")
        with open(self.model, "wb") as file:
            file.write(relay.text_of(programs).encode() if is_relay else model_of(programs))
        self.inputs, self.parameters, self.places = {}, {}, {}
        for i, p in enumerate(programs):
            for r in p.results:
                self.places[f"result{len(self.places)}" if is_relay else f"p{i}_{r}"] = i, r
            for name, tensor in p.inputs.items():
                self.inputs[f"p{i}_{name}"] = self.write(f"p{i}_{name}", tensor)
            for name, tensor in p.constants.items() if is_relay else ():
                if not p.is_inline(name):
                    self.parameters[f"p{i}_{name}"] = self.write(f"p{i}_{name}", tensor)

    def write(self, name, tensor):
        path = os.path.join(self.folder, f"{name}.pb")
        with open(path, "wb") as file:
            file.write(tensor.proto(name))
        return path

    def constants(self):
        return [word for name, path in self.parameters.items() for word in ("--param", f"{name}={path}")]

    def arguments(self):
        return [word for name, path in self.inputs.items() for word in ("--input", f"{name}={path}")] + self.constants()

    def read(self, folder):
        """For each program, its results by name."""
        read = [{} for _ in self.programs]
        for name, (i, r) in self.places.items():
            read[i][r] = read_npy(os.path.join(folder, name + ".npy"), self.programs[i].values[r].element)
        return read

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)


class Tool:
    """The tool, a folder for files, and the seconds that each way took."""

    def __init__(self, program, environment=None, limit=120):
        self.program, self.limit = os.path.abspath(program), limit
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.environment = {**os.environ, "INLAY_DATABASE": os.path.join(self.folder, "costs.sqlite"), "LC_ALL": "C",
                            "XDG_CACHE_HOME": os.path.join(self.folder, "cache"), **(environment or {})}
        self.environment.pop("INLAY_WORKER", None)
        # The last level on a compiler's command line holds.
        self.compiler = os.path.join(self.folder, "cc")
        with open(self.compiler, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {os.environ.get("CC") or "cc"} "$@" -O0\n')
        os.chmod(self.compiler, 0o755)
        # Kernels that checks refused, by back end and operator, with a program and the reason of the first.
        self.refused, self.examples = collections.Counter(), {}
        self.seconds, self.runs, self.unplanned, self.lock = collections.Counter(), collections.Counter(), 0, threading.Lock()

    def call(self, arguments, way, folder=None, programs=None, accepted=(0,)):
        start = time.monotonic()
        environment = self.environment if way.endswith(OPTIMISED) else {**self.environment, "CC": self.compiler}
        try:
            done = subprocess.run(arguments, cwd=folder or self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=self.limit,
                                  check=False)
        except subprocess.TimeoutExpired:
            raise Failure(None, f"it takes over {self.limit} s") from None
        finally:
            with self.lock:
                self.seconds[way] += time.monotonic() - start
        said = done.stderr.decode("utf-8", "replace")
        for kind, number, name, reason in REFUSED.findall(said) if programs else []:
            op = next((n.op for n in programs[int(number) % len(programs)].nodes if name in n.results), name)
            with self.lock:
                self.refused[kind, op] += 1
                self.examples.setdefault((kind, op), f"{programs[int(number) % len(programs)].key()}: {reason}")
        if UNSOUND in said:
            raise Failure(None, next(line for line in said.splitlines() if UNSOUND in line))
        if done.returncode not in accepted:
            raise Failure(done.returncode, said or done.stdout.decode("utf-8", "replace"))
        return done.stdout.decode("utf-8", "replace")

    def run(self, files, way):
        """Results of the programs in this way; 'interpreter' is a way, too."""
        options = options_of(way)
        folder = os.path.join(files.folder, "out")
        shutil.rmtree(folder, ignore_errors=True)
        self.call([self.program, "run", files.model, *options, *files.arguments(), "--output", folder, "--quiet"], way, programs=files.programs)
        with self.lock:
            self.runs[way] += len(files.programs)
        return files.read(folder)

    def run_c(self, files, expected, way):
        """Emits C, compiles it by its Makefile, and has its check compare the results with the expected ones. The check prints the largest error of each
        result alone, so each element of a result is returned as off by that error."""
        folder = os.path.join(files.folder, "c")
        shutil.rmtree(folder, ignore_errors=True)
        self.call([self.program, "emit", files.model, *files.constants(), "--target", "c", *PLANS, "--out", folder, "--quiet"], way, programs=files.programs)
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        # Constants that are defaults of inputs are inputs of the C function.
        tensors = {f"p{i}_{n}": t for i, p in enumerate(files.programs) for n, t in {**p.constants, **p.inputs}.items()}
        for i, row in enumerate(manifest["inputs"]):
            t = tensors[row["name"]]
            with open(os.path.join(folder, "check", f"input_{i}.bin"), "wb") as file:
                file.write(packed(t.element, t.values))
        place = {}
        for i, (row, (number, name)) in enumerate(zip(manifest["outputs"], files.places.values())):
            place[row["member"]] = number, name
            with open(os.path.join(folder, "check", f"output_{i}.bin"), "wb") as file:
                file.write(packed(files.programs[number].values[name].element, expected[number][name][1]))
        self.call(["make", "-s", "build/model_check", "CFLAGS=" + ("-O2" if way.endswith(OPTIMISED) else "-O0")], way, folder)
        said = self.call(["build/model_check", "check"], way, folder, accepted=(0, 1))
        found = [{name: (shape, list(values)) for name, (shape, values) in of.items()} for of in expected]
        for member, error in re.findall(r"^(\w+): [0-9]+ of [0-9]+ elements are off, the largest error is (\S+)$", said, re.MULTILINE):
            number, name = place.pop(member)
            shape, values = found[number][name]
            error = float(error)
            if math.isfinite(error) or all(math.isfinite(v) for v in values):
                found[number][name] = shape, [v + error for v in values]
        if place:
            raise Failure(None, f"the check says nothing of {', '.join(place)}: {said[-200:]}")
        with self.lock:
            self.runs[way] += len(files.programs)
        return found

    def command(self, way):
        """The call that shows a result of this way, for a model and its inputs."""
        if way.removesuffix(OPTIMISED) == "c":
            return f"inlay emit MODEL --target c {' '.join(PLANS)} --out DIR && make -C DIR check"
        words = [f"'{w}'" if " " in w else w for w in options_of(way)]
        return f"inlay run MODEL {' '.join(words)} --input NAME=FILE... --output DIR"
