# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Random programs in many ways, each compared with the interpreter: run.py PROGRAM [options], with TAP on standard output

Programs come from the sources of sources.py. Several of them make one model, since starting the tool takes longer than running a small program; a
program that fails there is run alone, made smaller, and printed with the call that shows it. ways.py lists the ways, tolerance.py says how far results
may be off. Each model goes through the interpreter, the default plan and some other ways, chosen from the seed:

    run.py build/examples/inlay/inlay --seed 7 --programs 3000 --seconds 600
    run.py build/examples/inlay/inlay --ways 'unchecked,single:onednn unchecked' --sources chain
    run.py build/examples/inlay/inlay --show chain:123:18 --ways default         one program: SOURCE:SEED:OPSET

A fault of the past is put back by its switch. Build the tool with `-DINLAY_SWITCHES` (`meson setup build/switched -Dcpp_args=-DINLAY_SWITCHES`), and
name the switch; kernels go unchecked, or the check refuses the fault before the program runs:

    run.py build/switched/examples/inlay/inlay --off NAME --ways 'unchecked,no-rewrites unchecked'

`--table` does so for every fault of faults.py, and prints a table of what was found and how soon. Faults of the interpreter need `--rivals`:

    run.py build/switched/examples/inlay/inlay --table --seconds 120 --rivals build/venv/bin/python

With `--rivals PYTHON`, a Python that has `onnxruntime` and `onnx`, the interpreter is compared with ONNX Runtime and with ONNX's reference evaluator. It is
wrong where both of them agree with each other and not with it; where they differ, the program is counted as disputed.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import io
import os
import random
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.dirname(HERE))
import faults  # noqa: E402
import rivals  # noqa: E402
import shrink  # noqa: E402
import sources  # noqa: E402
from tap import Tap  # noqa: E402
from tolerance import off_by_more, plainly_off  # noqa: E402
from ways import Failure, Files, is_way, OPTIMISED, Tool, WAYS  # noqa: E402

IN_A_MODEL = 32
OTHER_WAYS = 3
# One model in so many has its loops compiled with optimisation.
OPTIMISED_SHARE = 8
# Seconds between lines of progress.
PROGRESS = 60


class Harness:
    def __init__(self, tool, options):
        self.tool, self.options = tool, options
        self.lock = threading.Lock()
        self.by_source, self.refused, self.disputed, self.failures = collections.Counter(), collections.Counter(), collections.defaultdict(list), []
        self.end = time.monotonic() + options.seconds
        self.rivals = rivals.Rivals(options.rivals) if options.rivals else None
        # The tool with all rules in force, which tells a fault from what the reader never takes.
        self.whole = Tool(options.program) if options.off else None

    def interpret(self, program):
        """Results of one program, or None if the interpreter refuses it."""
        return self.interpret_all([program])[0]

    def interpret_all(self, programs):
        """Results of each program, or None for those that the interpreter refuses."""
        try:
            with Files(self.tool.folder, programs) as files:
                return self.tool.run(files, "interpreter")
        except Failure:
            return [None] if len(programs) == 1 else [self.interpret(p) for p in programs]

    def wrong(self, program, way):
        """What is wrong with this program alone in this way, or None."""
        expected = self.interpret(program)
        if expected is None:
            return None
        rng = random.Random(program.seed)
        if way == "rivals":
            return self.rival_opinion(program, expected)
        if way == "twin" and getattr(program, "twin", None) is None:
            return None
        with Files(self.tool.folder, [program]) as files:
            try:
                found = self.found(files, [expected], way)[0]
            except Failure as failure:
                return None if self.is_refusal(failure, way) else str(failure)
        said = off_by_more(program, found, expected, rng, self.interpret_all, way.startswith("by-steps"))
        return "; ".join(f"{name} {what}" for name, what in said.items()) or None

    @staticmethod
    def is_refusal(failure, way):
        return failure.is_unplanned or failure.has_no_c and way.removesuffix(OPTIMISED) == "c"

    def found(self, files, expected, way):
        """Results of the programs in this way."""
        if way == "twin":
            with Files(self.tool.folder, [p.twin_program() for p in files.programs]) as twins:
                return self.tool.run(twins, way)
        return self.tool.run_c(files, expected, way) if way.removesuffix(OPTIMISED) == "c" else self.tool.run(files, way)

    def rival_opinion(self, program, expected):
        with Files(self.tool.folder, [program]) as files:
            answers = self.rivals.run(files)
        def agrees(found, of):
            try:
                return not off_by_more(program, found, of, random.Random(program.seed), self.interpret_all)
            except (KeyError, TypeError):
                return False
        given = {kind: a for kind, a in answers.items() if isinstance(a, dict)}
        with self.lock:
            for kind in answers:
                self.tool.runs[kind] += kind in given
        differing = {kind for kind, a in given.items() if not agrees(a, expected)}
        if not differing:
            return None
        if self.whole is not None:
            # With a fault put back, a rival with which the tool otherwise agrees is enough.
            with Files(self.whole.folder, [program]) as files:
                without = self.whole.run(files, "interpreter")[0]
            for kind in sorted(differing):
                if agrees(given[kind], without):
                    return f"the interpreter differs from {kind}: " + "; ".join(f"{r} {what}" for r, what in plainly_off(program, expected, given[kind]).items())
        if len(differing) == 2 and agrees(given["onnxruntime"], given["reference"]):
            found = plainly_off(program, expected, given["onnxruntime"])
            return "the interpreter's result " + "; ".join(f"{name} {what}" for name, what in found.items())
        with self.lock:
            others = "alone" if len(given) == 1 else "against the rest"
            self.disputed[f"{' and '.join(sorted(differing))} {others}: {', '.join(sorted(program.operators()))[:100]}"].append(program.key())
        return None

    def report(self, program, way, said):
        with self.lock:
            if any(f[0] == program.key() for f in self.failures):
                return
            self.failures.append([program.key(), way, said, program])
            if self.options.first:
                self.end = 0
            index = len(self.failures) - 1
            print(f"# {program.key()} in the way '{way}': {said[:300]}", flush=True)
        if index < self.options.shrunk:
            small = shrink.smaller(program, lambda p: self.wrong(p, way) is not None, self.interpret)
            said = self.wrong(small, way) or said
            with self.lock:
                self.failures[index][2:] = [said, small]

    def one_way(self, programs, expected, way):
        """Runs some programs as one model and looks at each that is off alone."""
        try:
            with Files(self.tool.folder, programs) as files:
                found = self.found(files, expected, way)
        except Failure as failure:
            if len(programs) > 1:
                half = len(programs) // 2
                self.one_way(programs[:half], expected[:half], way)
                self.one_way(programs[half:], expected[half:], way)
            elif self.is_refusal(failure, way):
                with self.lock:
                    self.tool.unplanned += 1
            else:
                self.report(programs[0], way, self.wrong(programs[0], way) or str(failure))
            return
        for p, f, e in zip(programs, found, expected):
            if not plainly_off(p, f, e):
                continue
            said = off_by_more(p, f, e, random.Random(p.seed), self.interpret_all, way.startswith("by-steps"))
            if said:
                alone = self.wrong(p, way)
                self.report(p, way, alone or f"in a model with others: {said}")

    def is_taken(self, program):
        """Whether the interpreter takes a program if no fault is put back."""
        if self.whole is None:
            return False
        try:
            with Files(self.whole.folder, [program]) as files:
                self.whole.run(files, "interpreter")
        except Failure:
            return False
        return True

    def bundle(self, programs, ways):
        """Programs of one version of the operator set, through the interpreter and these ways."""
        if time.monotonic() > self.end:
            return
        try:
            with Files(self.tool.folder, programs) as files:
                expected = self.tool.run(files, "interpreter")
        except Failure as failure:
            if len(programs) > 1:
                half = len(programs) // 2
                self.bundle(programs[:half], ways)
                self.bundle(programs[half:], ways)
            elif failure.is_crash or self.is_taken(programs[0]):
                self.report(programs[0], "interpreter", str(failure))
            else:
                with self.lock:
                    self.refused[str(failure).rsplit("model.onnx': ", maxsplit=1)[-1]] += 1
            return
        for p, of in zip(programs, expected):
            with self.lock:
                self.by_source[p.source.partition("/")[0].partition("@")[0]] += 1
            # The generator computes shapes in its own way.
            said = "; ".join(f"{r} has extents {of[r][0]}, the generator has {p.values[r].shape}" for r in p.results
                             if p.values[r].shape is not None and p.values[r].shape != of[r][0])
            if said:
                self.report(p, "interpreter", said)
        for way in [*ways, "twin"] if programs[0].dialect == "relay" else ways:
            if time.monotonic() > self.end and self.options.first:
                return
            # Plain enumeration is for small programs.
            if way.removesuffix(OPTIMISED) == "exhaustive":
                for p, e in list(zip(programs, expected))[:2]:
                    if len(p.nodes) <= 5:
                        self.one_way([p], [e], way)
            elif way == "twin":
                both = [(p, e) for p, e in zip(programs, expected) if p.dialect == "relay" and p.twin is not None]
                if both:
                    self.one_way(*map(list, zip(*both)), way)
            else:
                self.one_way(programs, expected, way)
        if self.rivals and programs[0].dialect == "onnx":
            for p, e in zip(programs, expected):
                if time.monotonic() > self.end and self.options.first:
                    return
                said = self.rival_opinion(p, e)
                if said:
                    self.report(p, "rivals", said)


def bundles(options):
    """Programs, some at a time, and the ways that they go."""
    rng = random.Random(options.seed)
    chosen = options.sources.split(",")
    named = options.ways.split(",") if options.ways else None
    others = [w for w, (_, weight) in WAYS.items() for _ in range(weight)]
    seed, made = options.seed * 1000003, 0
    while made < options.programs:
        opset = rng.choice(sources.OPSETS)
        # A model is of one language.
        language = rng.choice(chosen)
        version = int(language.partition("@")[2] or 0)
        opset = version or opset
        of_model = [language] if version else [s for s in chosen if s.startswith("relay") == language.startswith("relay")]
        programs = []
        while len(programs) < min(8 if options.first else IN_A_MODEL, options.programs - made):
            seed += 1
            p = sources.program(rng.choice(of_model), seed, opset)
            if p is not None:
                programs.append(p)
            elif not programs and not version:
                opset = rng.choice(sources.OPSETS)
        ways = named or ["default", *dict.fromkeys(rng.choice(others) for _ in range(OTHER_WAYS))]
        if named is None and rng.randrange(OPTIMISED_SHARE) == 0:
            ways = [w + OPTIMISED for w in ways]
        made += len(programs)
        yield programs, list(WAYS) if ways == ["all"] else ways


def options_of(arguments):
    parser = argparse.ArgumentParser(description="Compares random programs in many ways with the interpreter.")
    parser.add_argument("program", help="the tool")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("INLAY_SEED", random.SystemRandom().randrange(1 << 30))), help="a fresh one without it")
    parser.add_argument("--programs", type=int, default=1 << 40, help="how many at most")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long at most")
    parser.add_argument("--at-least", type=int, default=1, help="fewer programs than these are a failure")
    parser.add_argument("--ways", default="", help=f"'all', or names with commas between: {', '.join(WAYS)}; without it, 'default' and {OTHER_WAYS} "
                        "others a model")
    parser.add_argument("--sources", default="operator,operator,operator,chain,chain,chain,form,form,bodies,relay,relay", help="names with commas between; twice is twice as many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--shrunk", type=int, default=8, help="how many failures are made smaller")
    parser.add_argument("--rivals", default="", help="a Python with onnxruntime and onnx, with which the interpreter is compared")
    parser.add_argument("--off", default="", help="a switch to put a fault back; needs a tool that was built with -DINLAY_SWITCHES")
    parser.add_argument("--table", action="store_true", help="puts the faults of faults.py back, one after the other, and prints how soon each is found; "
                        "--seconds is for each, --off for one alone")
    parser.add_argument("--show", default="", help="SOURCE:SEED:OPSET: prints one program, and runs it in the given ways")
    parser.add_argument("--save", default="", help="a folder for the models of failures and their inputs")
    options = parser.parse_args(arguments)
    options.first = False
    for name in filter(None, options.ways.split(",")):
        if not is_way(name) and name != "all":
            parser.error(f"there is no way '{name}': {', '.join(WAYS)}")
    for name in options.sources.split(","):
        if not sources.is_source(name):
            parser.error(f"there is no source '{name}': {', '.join(sources.SOURCES)}")
    return options


def save(folder, number, program):
    with Files(folder, [program]) as files:
        kept = os.path.join(folder, f"failure_{number}")
        os.rename(files.folder, kept)
    return kept


def show(tool, options):
    source, seed, opset = options.show.split(":")
    program = sources.program(source, int(seed), int(opset))
    print(program.text())
    harness, status = Harness(tool, options), 0
    if options.rivals:
        expected = harness.interpret(program)
        with Files(tool.folder, [program]) as files:
            for kind, answer in harness.rivals.run(files).items():
                if expected is None or not isinstance(answer, dict):
                    print(f"{kind}: {answer}")
                else:
                    said = off_by_more(program, answer, expected, random.Random(program.seed), harness.interpret_all)
                    print(f"{kind}: {said or 'agrees'}")
    for way in (options.ways or "default").split(","):
        said = harness.wrong(program, way)
        print(f"{way}: {said or 'agrees'}")
        status |= said is not None
    return status


def search(harness, options):
    """Runs programs until there are enough, or the time is over."""
    start = time.monotonic()
    progress = start + PROGRESS
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = set()
        for programs, ways in bundles(options):
            if time.monotonic() > harness.end:
                break
            waiting.add(pool.submit(harness.bundle, programs, ways))
            if len(waiting) > 2 * options.jobs:
                done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for one in done:
                    one.result()
            if time.monotonic() > progress and not options.first:
                progress += PROGRESS
                print(f"# {sum(harness.by_source.values())} programs after {time.monotonic() - start:.0f} s, {len(harness.failures)} differ", flush=True)
        for one in waiting:
            one.result()


def table(tap, options):
    """Puts each fault back, one after the other, and looks for the first program that shows it."""
    print("# | fault | switch | seed | programs | seconds | shown by |\n# |---|---|---|---|---|---|---|", flush=True)
    for fault, switch, of, ways in faults.FAULTS:
        if options.off not in ("", switch):
            continue
        one = argparse.Namespace(**{**vars(options), "off": switch, "sources": of, "ways": ways or faults.WAYS, "first": True, "shrunk": 0})
        start = time.monotonic()
        harness = Harness(Tool(options.program, {"INLAY_SWITCHED_OFF": switch}), one)
        with contextlib.redirect_stdout(io.StringIO()):
            search(harness, one)
        found, seconds = harness.failures[:1], time.monotonic() - start
        shown = f"`{found[0][0]}`, {found[0][1]}" if found else "not found"
        print(f"# | {fault} | `{switch}` | {options.seed} | {sum(harness.by_source.values())} | {seconds:.0f} | {shown} |", flush=True)
        tap.verdict(f"{fault}: found", [] if found else [f"not within {options.seconds:.0f} s by {of} in {one.ways}"])
        if found:
            print(f"# {found[0][2][:300]}", flush=True)
    return tap.done()


def main(arguments):
    options = options_of(arguments)
    tool = Tool(options.program, {"INLAY_SWITCHED_OFF": options.off} if options.off else None)
    if options.show:
        return show(tool, options)
    tap, start = Tap(), time.monotonic()
    if options.table:
        return table(tap, options)
    print(f"# seed {options.seed}", flush=True)
    harness = Harness(tool, options)
    search(harness, options)
    total = sum(harness.by_source.values())
    print(f"# {total} programs in {time.monotonic() - start:.0f} s: {', '.join(f'{n} {s}' for s, n in sorted(harness.by_source.items()))}")
    for way in sorted(tool.runs):
        print(f"# {way}: {tool.runs[way]} programs, {tool.seconds[way]:.1f} s")
    for (kind, op), count in tool.refused.most_common(20):
        print(f"# checks refused {count} kernels of {kind} for {op}; the first in {tool.examples[kind, op][:200]}")
    print(f"# {tool.unplanned} programs have values of which only the run finds the shape, too many covers or no loops for C, and have no plan in a way")
    print(f"# {sum(harness.refused.values())} programs are refused by the reader")
    for said, count in harness.refused.most_common(10):
        print(f"#   {count}: {said[:200]}")
    if harness.disputed:
        print(f"# {sum(map(len, harness.disputed.values()))} programs are disputed between ONNX Runtime and ONNX's reference evaluator")
        # A rival that gives the only answer may be right; those come first.
        for said, keys in sorted(harness.disputed.items(), key=lambda row: (" alone: " not in row[0], "onnxruntime" not in row[0], -len(row[1])))[:30]:
            print(f"#   {said}: {' '.join(keys[:4])}")
    for number, (name, way, said, program) in enumerate(harness.failures):
        kept = f"\nsaved in {save(options.save, number, program)}" if options.save else ""
        tap.fail(f"program {name} in the way '{way}'", f"{said}\n{program.text()}\nshown by: tests/differential/run.py PROGRAM --show {name} --ways '{way}'\n"
                 f"or: {tool.command(way) if way != 'rivals' else tool.command('interpreter')}{kept}")
    if total < options.at_least:
        tap.fail(f"at least {options.at_least} programs are compared", f"{total} in {options.seconds:.0f} s")
    tap.verdict(f"{total} programs of seed {options.seed} agree with the interpreter in {sum(tool.runs.values()) - tool.runs['interpreter']} runs",
                [f"{len(harness.failures)} differ"] if harness.failures else [])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
