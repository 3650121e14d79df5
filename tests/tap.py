# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Prints test results as TAP lines, which both Meson and tests/report.py read."""


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, name):
        self.count += 1
        print(f"ok {self.count} - {clean(name)}", flush=True)

    def fail(self, name, reason):
        self.count += 1
        self.failed += 1
        print(f"not ok {self.count} - {clean(name)}")
        for line in str(reason).splitlines() or [""]:
            print(f"# {line}", flush=True)

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} - {clean(name)} # SKIP {clean(reason)}", flush=True)

    def verdict(self, name, problems):
        """One test that passes when the list of problems is empty."""
        if problems:
            self.fail(name, "\n".join(problems))
        else:
            self.ok(name)

    def done(self):
        """Prints the plan and gives the exit status."""
        print(f"1..{self.count}", flush=True)
        return 1 if self.failed else 0


def clean(text):
    return " ".join(str(text).replace("#", " ").split())
