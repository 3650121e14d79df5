# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Compiles each header alone, and included twice, without generating code: alone.py [HEADER...]

It includes what it uses, and its guard works. The compiler is clang++ 19 or 16, which is quick at this, or g++ without either. Headers without
a third party are compiled as users without exceptions and run-time types compile them.

clang compiles some headers that many others include beforehand, and each of those others starts from the largest that it includes itself: all
that comes from there is its own business, and what it leaves out of its own includes is missing as before.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Werror"]

STANDARD_BYTES = 40_000  # that a header of the standard library counts for


def path_of(header):
    return os.path.join(source_tree.INCLUDE, header)


def weight(header):
    """About how long a header takes with all that it includes."""
    own, others = source_tree.reached(path_of(header))
    return sum(os.path.getsize(path) for path in own) + STANDARD_BYTES * len(others)


def starts_from(header, hub):
    return header != hub and path_of(hub) in source_tree.reached(path_of(header))[0]


def parties_of(header):
    return set(source_tree.needs(path_of(header))) - source_tree.OF_THE_SYSTEM


def hubs_of(headers, users):
    """Those of `headers` that save most where `users` start from them, smaller ones first."""
    weights = {header: weight(header) for header in {*headers, *users}}
    starts = {hub: [header for header in users if starts_from(header, hub)] for hub in headers}
    saved, chosen = dict.fromkeys(users, 0), []
    while headers:
        gain, best = max((sum(max(0, weights[hub] - saved[user]) for user in starts[hub]), hub) for hub in headers)
        if gain <= weights[best]:
            break
        chosen.append(best)
        saved.update((user, max(saved[user], weights[best])) for user in starts[best])
    return sorted(chosen, key=lambda hub: weights[hub])


def command_for(header, compiler, has_parties):
    command = [compiler, "-std=c++20", "-O0", *WARNINGS, "-I" + source_tree.INCLUDE]
    # Threads are a matter of linking here, as libraries are.
    command += [flag for flag in source_tree.flags(source_tree.needs(path_of(header))) if not flag.startswith("-l") and flag != "-pthread"]
    return command if has_parties else [*command, "-fno-exceptions", "-fno-rtti"]


def precompiled(hub, compiler, has_parties, folder):
    """The path of the hub, compiled; None where it does not compile, which it says itself."""
    path = os.path.join(folder, hub.replace("/", "_") + (".parties" if has_parties else "") + ".pch")
    # Templates that a hub instantiates are a third of its time, and would be each user's again.
    command = [*command_for(hub, compiler, has_parties), "-fpch-instantiate-templates", "-x", "c++-header", path_of(hub), "-o", path]
    return path if subprocess.run(command, capture_output=True, timeout=300, check=False).returncode == 0 else None


def problems_of(header, compiler, hubs):
    has_parties = bool(parties_of(header))
    command = [*command_for(header, compiler, has_parties), "-fsyntax-only", "-x", "c++", "-"]
    started = [path for hub, path in hubs[has_parties].items() if path and starts_from(header, hub)]
    if started:
        command += ["-include-pch", started[-1]]
    try:
        ran = subprocess.run(command, input=f"#include <{header}>\n" * 2, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired as late:
        return [f"it took over {late.timeout:.0f} s"]
    return [] if ran.returncode == 0 else [ran.stderr[:3000]]


def main(arguments):
    compiler = next((name for name in ("clang++-19", "clang++-16", "g++") if shutil.which(name)), None)
    tap = Tap()
    headers = arguments or source_tree.headers()
    if compiler is None:
        tap.skip("each header compiles alone", "neither clang++ 19 or 16 nor g++ is installed")
        return tap.done()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        users = {kind: [header for header in headers if bool(parties_of(header)) == kind] for kind in (False, True)}
        hubs = {False: {}, True: {}}
        for has_parties in hubs if compiler.startswith("clang") else ():
            names = hubs_of([header for kind in {False, has_parties} for header in users[kind]], users[has_parties])
            hubs[has_parties] = dict(zip(names, pool.map(lambda hub, kind=has_parties: precompiled(hub, compiler, kind, folder), names)))
        for header, problems in zip(headers, pool.map(lambda h: problems_of(h, compiler, hubs), headers)):
            tap.verdict(f"{header} compiles alone with {compiler}", problems)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
