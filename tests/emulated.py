# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of cpu_simd with instruction sets that the processor lacks, under QEMU: emulated.py BUILD_DIRECTORY [SET...]

NEON: the tests that need no library are compiled for AArch64 into build/emulated. x86's: the unit tests that stand in BUILD_DIRECTORY run again.
A set that the processor has is left to them, unless it is named here. Each case is one line of TAP, each set that no emulator has a skip.
Unless a set is named or INLAY_EMULATED is set, all is one skip, since this takes minutes.
"""
import concurrent.futures
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batches  # noqa: E402
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

TESTS = os.path.join(source_tree.ROOT, "tests")
ROOM = os.path.join(TESTS, "backend", "cpu_simd")
OUTPUT = os.path.join(source_tree.ROOT, "build", "emulated")
CROSS_COMPILER, ARM, X86 = "aarch64-linux-gnu-g++", "qemu-aarch64-static", "qemu-x86_64-static"
HEADERS_ALONE = {"doctest": "doctest", "highway": "hwy"}
# Of include/inlay/impl, what the tests' programs ask for; and what is optimised, since an emulator takes twenty times as long.
UNITS = ("backend_cpu_simd", "ops", "pattern", "runtime")
OPTIMISED = {"backend_cpu_simd.cpp", "by_definition.cpp", "take.cpp"}

PROBE = """
#include <cstdio>
#include <inlay/backend/cpu_simd/instruction_set.hpp>
int main() {
    for (std::size_t i = 0; i < inlay::instruction_set_names.size(); ++i)
        if (inlay::processor_has(static_cast<inlay::instruction_set>(i))) std::puts(inlay::instruction_set_names[i].data());
}
"""


def run_cases(tap, command, instruction_set):
    """A line for each test case of a doctest program."""
    label = f"{instruction_set} under {command[0]}"
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.xml")
        try:
            ran = subprocess.run(command + ["-r=junit", "-o=" + report], capture_output=True, text=True, timeout=3600, check=False,
                                 stdin=subprocess.DEVNULL, env={**os.environ, "INLAY_INSTRUCTION_SET": instruction_set})
            cases = list(ElementTree.parse(report).iter("testcase"))
        except (OSError, ElementTree.ParseError, subprocess.TimeoutExpired) as problem:
            tap.fail(label, f"it gave no report: {problem}")
            return
    failed = tap.failed
    for case in cases:
        tap.verdict(f"{label}: {case.get('name')}", [e.get("message", "") + (e.text or "") for e in case if e.tag in ("failure", "error")])
    if not cases or (ran.returncode != 0 and tap.failed == failed):
        tap.fail(label, f"{len(cases)} cases, exit status {ran.returncode}: {ran.stdout[-3000:]}{ran.stderr[-3000:]}")


def build_for_arm(tap):
    """The program, or None after saying why there is none."""
    include = os.path.join(OUTPUT, "include")
    os.makedirs(include, exist_ok=True)
    # Beside them in /usr/include stand the headers of this machine's own C library.
    for name in HEADERS_ALONE.values():
        if not os.path.islink(os.path.join(include, name)):
            os.symlink(os.path.join("/usr/include", name), os.path.join(include, name))
    near = [os.path.join(folder, name) for folder in (os.path.dirname(ROOM), ROOM) for name in sorted(os.listdir(folder)) if name.endswith(".cpp")]
    helpers = [path for path in near if os.path.isfile(path[:-len("cpp")] + "hpp")]
    files = []
    for path in source_tree.files_under(ROOM, ".cpp"):
        libraries = sorted(set(source_tree.needs(path)) - set(HEADERS_ALONE) - source_tree.OF_THE_SYSTEM)
        if libraries:
            tap.skip(f"neon: {os.path.relpath(path, TESTS)}", f"it needs {' and '.join(libraries)}, which is not there for AArch64")
        elif path not in helpers:
            files.append(path)
    batch = os.path.join(OUTPUT, "cpu_simd_tests.cpp")
    batches.write(batch, files)
    units = [os.path.join(source_tree.INCLUDE, "inlay", "impl", name + ".cpp") for name in UNITS]
    sources = [batch, *units, *helpers, os.path.join(TESTS, "doctest_main.cpp")]
    objects = [os.path.join(OUTPUT, os.path.relpath(path, source_tree.ROOT).replace(os.sep, "_") + ".o") for path in sources]

    def compiled(source, target):
        level = "-O1" if os.path.basename(source) in OPTIMISED else "-O0"
        command = ["ccache"] if shutil.which("ccache") else []
        command += [CROSS_COMPILER, "-std=c++20", level, "-I" + source_tree.INCLUDE, "-I" + TESTS, "-isystem", include]
        return subprocess.run(command + ["-DINLAY_SEPARATE_COMPILATION", "-c", source, "-o", target], capture_output=True, text=True,
                              timeout=1200, check=False)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [ran.stderr[:4000] for ran in pool.map(compiled, sources, objects) if ran.returncode != 0]
    program = os.path.join(OUTPUT, "test_cpu_simd")
    if not problems:
        linked = subprocess.run([CROSS_COMPILER, "-static", *objects, "-o", program], capture_output=True, text=True, timeout=600, check=False)
        problems = [linked.stderr[:4000]] if linked.returncode != 0 else []
    tap.verdict("neon: the tests compile for AArch64", problems)
    return None if problems else program


def instruction_sets(program, emulator):
    """Those that the processor has, or an emulator."""
    return subprocess.run(emulator + [program], capture_output=True, text=True, timeout=60, check=True).stdout.split()


def main(arguments):
    build, named = arguments[0], set(arguments[1:])
    tap = Tap()
    if not named and not os.environ.get("INLAY_EMULATED"):
        tap.skip("kernels of other instruction sets run under QEMU", "it takes too long for every change; sh tests/run.sh --all runs it")
        return tap.done()
    os.makedirs(OUTPUT, exist_ok=True)
    probe = os.path.join(OUTPUT, "probe")
    subprocess.run([*(os.environ.get("CXX") or "g++").split(), "-std=c++20", "-I" + source_tree.INCLUDE, "-x", "c++", "-", "-o", probe], input=PROBE, text=True,
                   timeout=120, check=True)
    own = set(instruction_sets(probe, [])) - named
    emulator = [X86, "-cpu", "max"]
    has_emulator = platform.machine() == "x86_64" and shutil.which(X86) is not None
    emulated = instruction_sets(probe, emulator) if has_emulator else []
    for name in ("sse4", "avx2", "avx512"):
        if name in own:
            tap.skip(name, "this processor has it, and the unit tests ran it")
        elif name in emulated:
            run_cases(tap, [*emulator, os.path.join(build, "tests", "test_backend"), "-sf=*backend/cpu_simd/*"], name)
        else:
            tap.skip(name, f"neither this processor nor {X86} has it" if has_emulator else f"this processor does not have it, and {X86} is not here")
    absent = [tool for tool in (CROSS_COMPILER, ARM) if shutil.which(tool) is None]
    if "neon" in own:
        tap.skip("neon", "this processor has it, and the unit tests ran it")
    elif absent:
        tap.skip("neon", f"this processor does not have it, and {' and '.join(absent)} is not installed")
    elif program := build_for_arm(tap):
        run_cases(tap, [ARM, program], "neon")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
