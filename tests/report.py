# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a build directory and counts them: report.py BUILD_DIRECTORY LABEL RESULTS_FILE

Prints one line per suite with its time, the output of what failed, and each skip with its reason. Adds `passed failed skipped` to the
results file. A doctest program counts by its cases, a TAP program by its lines, any other by its exit status.
"""
import concurrent.futures
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
    build, label, results = arguments
    build = os.path.abspath(build)
    tests = json.loads(subprocess.run(["meson", "introspect", "--tests", build], capture_output=True, check=True, text=True).stdout)
    total_passed, total_failed, all_skips = 0, 0, []
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        # The long ones first, so that none is left running alone at the end.
        tests.sort(key=lambda test: -test["timeout"])
        for job in [pool.submit(run, test, build) for test in tests]:
            test, seconds, status, output = job.result()
            passed, failed, skips = judge(test, status, output)
            total_passed, total_failed = total_passed + passed, total_failed + failed
            all_skips += [(test["name"], name, reason) for name, reason in skips]
            counts = f"{passed} passed, {failed} failed, {len(skips)} skipped"
            if passed or failed:
                print(f"{label}: {test['name']}: {counts}: {seconds:.1f} s", flush=True)
            if failed:
                print(output[-20000:].rstrip())
                print(f"{label}: {test['name']} {ended(status)}", flush=True)
    for suite, name, reason in all_skips:
        print(f"skipped: {label}: {name}: {reason}" if name == suite else f"skipped: {label}: {suite}: {name}: {reason}")
    for seconds, name in slow_compilations(build, 20)[:5]:
        print(f"note: {label}: {name} took {seconds:.0f} s to compile", flush=True)
    with open(results, "a", encoding="utf-8") as file:
        file.write(f"{total_passed} {total_failed} {len(all_skips)}\n")
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
