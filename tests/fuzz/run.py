# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Builds each fuzz target of this folder with clang's libFuzzer, ASan and UBSan, and runs it for a bounded time: run.py BUILD_DIRECTORY

NAME.cpp defines LLVMFuzzerTestOneInput; seeds.py makes its first inputs. An input that crashes, leaks, hangs (over 10 s) or takes over
2 GB fails the test and is kept in BUILD_DIRECTORY/fuzz/NAME. INLAY_FUZZ_SECONDS is the time for each target; where it is unset, all are
skipped, since building them takes minutes.
"""
import base64
import glob
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import seeds  # noqa: E402

SANITIZERS = "-fsanitize=fuzzer,address,undefined"


def absent_header(path):
    """The first of our own headers that the target includes and that is not there, else None."""
    return next((t for t, _, _, _ in source_tree.includes(path) if t.startswith("inlay/")
                 and not os.path.isfile(os.path.join(source_tree.INCLUDE, t))), None)


def fuzz(name, path, build, compiler, seconds):
    """A list of problems."""
    folder = os.path.join(build, "fuzz", name)
    corpus = os.path.join(folder, "corpus")
    shutil.rmtree(corpus, ignore_errors=True)
    os.makedirs(corpus)
    for index, seed in enumerate(seeds.of(name)):
        with open(os.path.join(corpus, f"seed_{index:03}"), "wb") as file:
            file.write(seed)
    flags = source_tree.flags(source_tree.needs(path))
    common = ["-std=c++20", "-O1", "-g1", SANITIZERS, "-fno-sanitize-recover=undefined"]
    ccache = ["ccache"] if shutil.which("ccache") else []
    compiled = subprocess.run(ccache + [compiler] + common + ["-I" + source_tree.INCLUDE] + [f for f in flags if not f.startswith("-l")]
                              + ["-c", path, "-o", folder + ".o"], capture_output=True, text=True, timeout=600, check=False)
    if compiled.returncode == 0:
        compiled = subprocess.run([compiler] + common + [folder + ".o", "-o", folder + ".run"] + [f for f in flags if f.startswith("-l")],
                                  capture_output=True, text=True, timeout=300, check=False)
    if compiled.returncode != 0:
        return ["it does not build:", compiled.stderr[:4000]]
    for old in glob.glob(os.path.join(folder, "found_*")):
        os.remove(old)
    dictionary = os.path.join(HERE, name + ".dict")
    more = ["-dict=" + dictionary] if os.path.exists(dictionary) else []
    environment = {**os.environ, "ASAN_OPTIONS": "allocator_may_return_null=1:detect_stack_use_after_return=1"}
    ran = subprocess.run([folder + ".run", f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-malloc_limit_mb=1024",
                          "-max_len=16384", "-seed=1", "-print_final_stats=1", f"-artifact_prefix={folder}/found_"] + more + [corpus],
                         capture_output=True, text=True, timeout=seconds * 4 + 120, stdin=subprocess.DEVNULL, env=environment, check=False)
    if ran.returncode == 0:
        runs = [line for line in ran.stderr.splitlines() if "number_of_executed_units" in line]
        print(f"# {name}: {' '.join(runs)}")
        return []
    problems = [f"exit status {ran.returncode}", ran.stderr[-6000:]]
    for found in sorted(glob.glob(os.path.join(folder, "found_*"))):
        with open(found, "rb") as file:
            content = file.read()
        problems.append(f"the input is kept in {found}; in base64: {base64.b64encode(content[:3000]).decode()}")
    return problems


def main(arguments):
    build = os.path.abspath(arguments[0])
    seconds = int(os.environ.get("INLAY_FUZZ_SECONDS", "0"))
    compiler = shutil.which(source_tree.clang("clang++"))
    tap = Tap()
    for path in source_tree.files_under(HERE, ".cpp"):
        name = os.path.splitext(os.path.basename(path))[0]
        title = f"{name} survives {seconds} s of fuzzing" if seconds else f"{name} survives fuzzing"
        if not seconds:
            tap.skip(title, "it takes too long to build for every change; sh tests/run.sh --all runs it")
        elif compiler is None:
            tap.skip(title, "neither clang++ 16 nor 19 is installed")
        elif absent_header(path):
            tap.skip(title, f"<{absent_header(path)}> is not there yet")
        else:
            try:
                tap.verdict(title, fuzz(name, path, build, compiler, seconds))
            except subprocess.TimeoutExpired as late:
                tap.fail(title, f"it took over {late.timeout:.0f} s")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
