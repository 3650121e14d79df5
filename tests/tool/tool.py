# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the tool in a folder of its own and holds it to its contract: exit codes, what it prints where, what it leaves behind."""
import os
import re
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTS)
sys.path.insert(0, os.path.join(TESTS, "fuzz"))
import seeds  # noqa: E402,F401
from tap import Tap  # noqa: E402,F401

LIMIT_S = 120


class Bench:
    """A folder with files, the tool, and what was found wrong since `take` was last called."""

    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.problems = []
        self.environment = {**os.environ, "INLAY_DATABASE": os.path.join(self.folder, "costs.sqlite"), "LC_ALL": "C"}
        self.environment.pop("INLAY_WORKER", None)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return {os.path.relpath(os.path.join(base, n), self.folder) for base, _, names in os.walk(self.folder) for n in names}

    def call(self, *arguments, limit=LIMIT_S, before=None, stdout=subprocess.PIPE):
        """(exit status, standard output, standard error); a call that hangs or crashes is a problem."""
        try:
            done = subprocess.run([self.program, *arguments], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=stdout,
                                  stderr=subprocess.PIPE, timeout=limit, preexec_fn=before, check=False)
        except subprocess.TimeoutExpired:
            self.problem(arguments, f"takes over {limit} s")
            return None, "", ""
        if done.returncode not in (0, 1, 2):
            self.problem(arguments, f"ends with status {done.returncode}: {done.stderr[-500:]}")
        return done.returncode, (done.stdout or b"").decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    def problem(self, arguments, what):
        self.problems.append(f"inlay {' '.join(a if len(a) < 200 else a[:200] + '...' for a in arguments)}: {what}")

    def refuses(self, arguments, *words, status=2, **how):
        """The call is refused: status, nothing on standard output, one sentence with these words on standard error, no file left behind."""
        before = self.files()
        code, out, err = self.call(*arguments, **how)
        if code is None:
            return
        if code != status:
            self.problem(arguments, f"gives {code} where {status} was expected: {err.strip()[-300:]}")
        if out:
            self.problem(arguments, f"prints {out[:100]!r} though it refuses")
        # A call that takes over a second says so.
        lines = [line for line in err.splitlines() if not re.fullmatch("[a-z][^:]*(: [^:]*)?: [0-9]+ s so far", line)]
        # Behind the sentence the line of a text may stand, and a caret under the place.
        if len(lines) == 3 and lines[1].startswith("  ") and re.fullmatch(" *\\^", lines[2]):
            lines = lines[:1]
        if len(lines) != 1 or not lines[0].startswith("inlay: ") or len(lines[0]) > 1000:
            self.problem(arguments, f"does not say what is wrong in one sentence: {err[-500:]!r}")
        for word in words:
            if word not in err:
                self.problem(arguments, f"does not say {word!r}: {err.strip()[-400:]!r}")
        self.leaves(arguments, before)

    def leaves(self, arguments, before, *made):
        """No file has come but those."""
        new = {f for f in self.files() - before if not f.startswith("costs.sqlite")} - set(made)
        if new:
            self.problem(arguments, f"leaves {sorted(new)} behind")
            for name in new:
                os.remove(self.path(name))

    def answers(self, arguments, *words, status=0, **how):
        """The call is answered: status, words on standard output. Gives the output."""
        code, out, err = self.call(*arguments, **how)
        if code is not None and code != status:
            self.problem(arguments, f"gives {code} where {status} was expected: {err.strip()[-300:]}")
        for word in words:
            if word not in out:
                self.problem(arguments, f"does not print {word!r}: {out[-400:]!r}")
        return out

    def take(self):
        problems, self.problems = self.problems, []
        return problems


def chain(op, shape, count):
    """A model of some calls of one operator, one after the other: r0, r1, ..."""
    names = ["x"] + [f"t{i}" for i in range(count - 1)] + ["y"]
    nodes = [seeds.node(op, [a], [b], f"r{i}") for i, (a, b) in enumerate(zip(names, names[1:]))]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("x", shape)], [seeds.value_info("y", shape)]))


def relu(shape, count=1):
    """A model of some Relus one after the other, of which the first is enough."""
    return chain("Relu", shape, count)


def convolution():
    """Conv and Relu on eight by eight pixels of three channels."""
    nodes = [seeds.node("Conv", ["x", "w", "b"], ["c"], "conv", [seeds.integers("kernel_shape", [3, 3]), seeds.integers("pads", [1, 1, 1, 1])]),
             seeds.node("Relu", ["c"], ["y"], "relu")]
    weights = [seeds.tensor("w", [16, 3, 3, 3], [0.01 * i for i in range(16 * 27)]), seeds.tensor("b", [16], [0.5] * 16)]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("x", [1, 3, 8, 8])], [seeds.value_info("y", [1, 16, 8, 8])], weights))
