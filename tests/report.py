# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a build directory and counts them: report.py BUILD_DIRECTORY LABEL RESULTS_FILE [--fresh] [--without SUITE,...]

Prints one line per suite with its time, the output of what failed, and each skip with its reason. Adds `passed failed skipped` to the
results file. A doctest program counts by its cases, a TAP program by its lines, any other by its exit status.

A suite that passed is not run again while what it reads stays as it is, byte for byte: for a program of unit tests the program, the pages
and the data files beside the tests, for all others the whole source tree. With --fresh everything runs.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time

DOCTEST_SUMMARY = re.compile(r"\[doctest\] test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed\s*\|\s*(\d+) skipped")
TAP_LINE = re.compile(r"(not )?ok\b\s*\d*\s*-?\s*(.*?)(?:\s+#\s*SKIP\b\s*(.*))?$", re.IGNORECASE)


def run(test, build):
    """Runs one test; gives (test, seconds, status, output)."""
    environment = dict(os.environ)
    environment.update(test["env"])
    timeout = test["timeout"] * int(os.environ.get("INLAY_TIMEOUT_FACTOR", "1")) or None
    start = time.monotonic()
    if not os.path.exists(test["cmd"][0]):
        return test, 0.0, 127, "its program was not built\n"
    try:
        process = subprocess.Popen(test["cmd"], cwd=test["workdir"] or build, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as error:
        return test, 0.0, 126, "its program cannot be started (%s); delete it and build again\n" % error
    try:
        output, _ = process.communicate(timeout=timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        status = None
    return test, time.monotonic() - start, status, output.decode("utf-8", "replace")


def judge(test, status, output):
    """(passed, failed, skips as (name, reason), whether the output is worth showing)."""
    passed, failed, skips = 0, 0, []
    summary = DOCTEST_SUMMARY.search(output)
    if test["protocol"] == "tap":
        for line in output.splitlines():
            match = TAP_LINE.match(line)
            if match is None:
                continue
            if match.group(1):
                failed += 1
            elif match.group(3) is not None:
                skips.append((match.group(2), match.group(3)))
            else:
                passed += 1
    elif summary:
        passed, failed = int(summary.group(2)), int(summary.group(3))
        for line in output.splitlines():
            if line.startswith("skip: "):
                name, _, reason = line[len("skip: "):].partition(": ")
                skips.append((name, reason))
        # A case that skipped itself has passed in doctest's eyes.
        passed = max(0, passed - len(skips))
    elif status == 0:
        passed = 1
    if status != 0 and failed == 0:
        failed = 1
    return passed, failed, skips


def ended(status):
    if status is None:
        return "took too long and was stopped"
    if status < 0:
        return f"was ended by signal {signal.Signals(-status).name}"
    return f"ended with exit status {status}"


class KeptPasses:
    """The suites of a build directory that passed, and of what."""

    SOURCES = (".hpp", ".ipp", ".cpp", ".in", ".build", ".pyc")

    def __init__(self, build, fresh):
        self.path = os.path.join(build, "kept_passes.json")
        self.digests = {}
        try:
            with open(self.path, encoding="utf-8") as file:
                self.known = {} if fresh else json.load(file)
        except (OSError, ValueError):
            self.known = {}
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True, check=False)
        files = [os.path.join(root, name) for name in listed.stdout.decode().split("\0") if name]
        # Without git nobody can say what the tree is.
        self.usable = listed.returncode == 0 and bool(files)
        folders = tuple(os.path.join(root, name) + os.sep for name in ("docs", "tests"))
        self.data = [f for f in files if f.startswith(folders) and not f.endswith(self.SOURCES)]
        self.tree = files

    def digest(self, path):
        if path not in self.digests:
            try:
                with open(path, "rb") as file:
                    self.digests[path] = hashlib.sha256(file.read()).hexdigest()
            except OSError:
                self.digests[path] = "absent"
        return self.digests[path]

    def key(self, test):
        """What a suite reads, as one text."""
        inputs = self.data if test["suite"] and any(suite.endswith("unit") for suite in test["suite"]) else self.tree
        read = [os.path.abspath(word) for word in test["cmd"] if os.path.isfile(word)] + inputs
        ours = sorted((name, value) for name, value in os.environ.items() if name.startswith("INLAY_"))
        whole = hashlib.sha256(repr([test["cmd"], sorted(test["env"].items()), ours]).encode())
        for path in sorted(set(read)):
            whole.update(f"{path} {self.digest(path)}\n".encode())
        return whole.hexdigest()

    def of(self, test):
        """(passed, skips) where the suite passed with these inputs, else None."""
        kept = self.known.get(test["name"]) if self.usable else None
        return (kept["passed"], [tuple(skip) for skip in kept["skips"]]) if kept and kept["key"] == self.key(test) else None

    def keep(self, test, passed, failed, skips):
        self.known.pop(test["name"], None)
        if self.usable and not failed and passed:
            self.known[test["name"]] = {"key": self.key(test), "passed": passed, "skips": skips}
        partial = self.path + ".new"
        with open(partial, "w", encoding="utf-8") as file:
            json.dump(self.known, file)
        os.replace(partial, self.path)


def slow_compilations(build, limit):
    """Objects of test files that took longer than `limit` seconds to compile, by Ninja's log."""
    slow = {}
    try:
        with open(os.path.join(build, ".ninja_log"), encoding="utf-8") as log:
            for line in log:
                fields = line.split("\t")
                if len(fields) == 5 and fields[3].startswith("tests/") and fields[3].endswith(".o"):
                    slow[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    except OSError:
        return []
    return sorted(((seconds, name) for name, seconds in slow.items() if seconds > limit), reverse=True)


def main(arguments):
    reader = argparse.ArgumentParser()
    for name in ("build", "label", "results"):
        reader.add_argument(name)
    reader.add_argument("--fresh", action="store_true")
    reader.add_argument("--without", default="", metavar="SUITE,...")
    asked = reader.parse_args(arguments)
    label, build = asked.label, os.path.abspath(asked.build)
    tests = json.loads(subprocess.run(["meson", "introspect", "--tests", build], capture_output=True, check=True, text=True).stdout)
    known = {test["name"] for test in tests}
    left_out = set(asked.without.split(",")) - {""}
    if unknown := sorted(left_out - known):
        reader.error(f"there is no suite {unknown[0]}")
    tests = [test for test in tests if test["name"] not in left_out]
    kept = KeptPasses(build, asked.fresh)
    total_passed, total_failed, all_skips, unchanged = 0, 0, [], 0
    # The long ones first, so that none is left running alone at the end.
    tests.sort(key=lambda test: -test["timeout"])
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        jobs = {}
        for test in tests:
            if passed_before := kept.of(test):
                total_passed, unchanged = total_passed + passed_before[0], unchanged + 1
                all_skips += [(test["name"], name, reason) for name, reason in passed_before[1]]
            else:
                jobs[pool.submit(run, test, build)] = test["name"]
        waiting, begun = set(jobs), time.monotonic()
        while waiting:
            done, waiting = concurrent.futures.wait(waiting, timeout=30, return_when=concurrent.futures.FIRST_COMPLETED)
            if not done:
                running = ", ".join(jobs[job] for job in waiting if job.running())
                print(f"{label}: {running} still running, {len(waiting)} suites left: {time.monotonic() - begun:.0f} s so far", flush=True)
            for job in done:
                test, seconds, status, output = job.result()
                passed, failed, skips = judge(test, status, output)
                kept.keep(test, passed, failed, skips)
                total_passed, total_failed = total_passed + passed, total_failed + failed
                all_skips += [(test["name"], name, reason) for name, reason in skips]
                counts = f"{passed} passed, {failed} failed, {len(skips)} skipped"
                if passed or failed:
                    print(f"{label}: {test['name']}: {counts}: {seconds:.1f} s", flush=True)
                if failed:
                    print(output[-20000:].rstrip())
                    print(f"{label}: {test['name']} {ended(status)}", flush=True)
    if unchanged:
        print(f"{label}: {unchanged} suites passed before, and nothing that they read has changed; --fresh runs them again", flush=True)
    for suite, name, reason in all_skips:
        print(f"skipped: {label}: {name}: {reason}" if name == suite else f"skipped: {label}: {suite}: {name}: {reason}")
    for seconds, name in slow_compilations(build, 20)[:5]:
        print(f"note: {label}: {name} took {seconds:.0f} s to compile", flush=True)
    with open(asked.results, "a", encoding="utf-8") as file:
        file.write(f"{total_passed} {total_failed} {len(all_skips)}\n")
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
