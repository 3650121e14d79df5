# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Tests of the tests: the rules that the scripts of this folder apply, on small made-up inputs."""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("", "layering", "snippets"):
    sys.path.insert(0, os.path.join(HERE, folder))
import layering  # noqa: E402
import names  # noqa: E402
import prints  # noqa: E402
import report  # noqa: E402
import rules  # noqa: E402
import source_tree  # noqa: E402
from tap import Tap  # noqa: E402

sys.path.insert(0, os.path.join(HERE, "snippets"))
import run as snippets  # noqa: E402

DOCTEST = "[doctest] test cases:  5 |  4 passed | 1 failed | 2 skipped\n[doctest] assertions: 9 | 8 passed | 1 failed |\n"


def unit(text, status=0, protocol="exitcode"):
    passed, failed, skips = report.judge({"protocol": protocol}, status, text)
    return passed, failed, len(skips)


def page(text):
    """The snippets of a page with this text, as (kind, text, expected, error)."""
    with tempfile.NamedTemporaryFile("w", suffix=".md", delete=False) as file:
        file.write(text)
    try:
        return [(s.kind, s.text, s.expected, s.error) for s in snippets.snippets_of(file.name)]
    finally:
        os.unlink(file.name)


def problems_of_rules(text):
    return len(rules.rules(text)[1])


def ids_of_tests(text):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.cpp"), "w", encoding="utf-8") as file:
            file.write(text)
        return sorted(rules.tested(folder))


def kept_passes():
    """What is known of a suite as (after it passed, after its program changed, anew, after it failed)."""
    with tempfile.TemporaryDirectory() as build:
        program = os.path.join(build, "test_room")
        test = {"name": "room", "cmd": [program], "env": {}, "suite": ["inlay:unit"]}

        def write(text):
            with open(program, "w", encoding="utf-8") as file:
                file.write(text)

        def known(fresh=False):
            return report.KeptPasses(build, fresh).of(test)

        write("one")
        report.KeptPasses(build, False).keep(test, 3, 0, [("a", "why")])
        passed = known()
        write("two")
        changed = known()
        write("one")
        anew = known(fresh=True)
        report.KeptPasses(build, False).keep(test, 3, 1, [])
        return passed, changed, anew, known()


def checks():
    yield "a suite that passed is not run again until something that it reads changes, it fails, or all are to run", (
        kept_passes() == ((3, [("a", "why")]), None, None, None))
    yield "a rule is a row of its room's table", rules.rules("## a\n| rule | what |\n|---|---|\n| `a.b.c-d` | It is. |\n") == (["a.b.c-d"], [])
    yield "a rule without a sentence is found", problems_of_rules("## a\n| `a.b` | It is |\n") == 1
    yield "a rule of another room is found", problems_of_rules("## a\n| `b.b` | It is. |\n") == 1
    yield "a rule that stands twice is found", problems_of_rules("## a\n| `a.b` | It is. |\n| `a.b` | It is. |\n") == 1
    yield "what is no id is found", problems_of_rules("## a\n| `a.B` | It is. |\n") == 1
    yield "a test's rule stands at the end of its name", ids_of_tests('TEST_CASE("x [a.b]") {}\nTEST_CASE("y [a.c] z") {}\nTEST_CASE("list[0]") {}') == ["a.b"]
    yield "doctest's cases are counted", unit(DOCTEST, 1) == (4, 1, 0)
    yield "a doctest case that skips itself is a skip", unit(DOCTEST.replace("4 passed", "5 passed").replace("1 failed |", "0 failed |", 1)
                                                            + "skip: a case: no device\n") == (4, 0, 1)
    yield "a program that dies without a summary is one failure", unit("", -11) == (0, 1, 0)
    yield "a program that dies after its summary is a failure", unit(DOCTEST.replace("1 failed", "0 failed"), -6)[1] == 1
    yield "a program that hangs is one failure", unit("", None) == (0, 1, 0)
    yield "a program that says nothing counts by its status", unit("") == (1, 0, 0)
    yield "TAP lines are counted", unit("ok 1 - a\nnot ok 2 - b\n# why\nok 3 - c # SKIP no clang\n1..3\n", 1, "tap") == (1, 1, 1)
    yield "a TAP program that dies is a failure", unit("ok 1 - a\n", -11, "tap") == (1, 1, 0)

    yield "text agrees with itself", prints.agrees("a\nb (1.5)\n", "a\nb (1.5)\n") and not prints.agrees("a.", "ab")
    yield "an ellipsis inside a line stands for text", prints.agrees("took ... ms", "took 1.5 ms") and not prints.agrees("took ... ms", "took 1 s")
    yield "an ellipsis alone stands for lines, or none", all(prints.agrees("a\n...\nb", t) for t in ("a\nx\ny\nb\n", "a\nb"))
    yield "a missing line is a difference", not prints.agrees("a\nb\nc", "a\nc") and not prints.agrees("a", "a\nb")
    yield "an example's promise is read", prints.promised("// x\n// Prints:\n//   a\n//   b\n\nint main() {}\n") == "a\nb"
    yield "an example without a promise has none", prints.promised("int main() {}\n") is None

    yield "folders stand in their order", layering.rank("core/id.hpp") < layering.rank("graph/x.hpp") < layering.rank("testing/x.hpp")
    yield "an umbrella stands where its folder stands", layering.rank("graph.hpp") == layering.rank("graph/x.hpp")
    yield "the version is to the left of all and the pipeline to the right", (
        layering.rank("version.hpp") < layering.rank("core/id.hpp") and layering.rank("testing/x.hpp") < layering.rank("pipeline.hpp"))
    yield "an unnamed folder has no place", layering.rank("helpers/x.hpp") is None
    yield "third parties are recognised", [source_tree.third_party_of(t) for t in (
        "boost/graph/x.hpp", "onnx/onnx_pb.h", "oneapi/dnnl/dnnl.hpp", "oneapi/tbb/parallel_for.h", "vector", "thread")] == [
        ["boost"], ["onnx"], ["onednn"], ["tbb"], [], ["threads"]]

    yield "notes about unfinished work are found", names.UNFINISHED.search("// TO" "DO: x") and not names.UNFINISHED.search("mastodon")
    yield "paths of one machine are found", names.MACHINE_PATH.search('"/ho' 'me/me/x"') and not names.MACHINE_PATH.search("/usr/share/x")

    yield "a block and what it prints are read", page("```cpp\nint main() {}\n```\nIt prints\n```text\nx\n```\n") == [
        ("cpp", "int main() {}\n", "x\n", None)]
    yield "shell blocks run only when they say so", [s[0] for s in page(
        "```sh\nrm x\n```\n<!-- snippet: run -->\n```sh\ntrue\n```\n")] == ["sh"]
    yield "an unknown word is an error", page("<!-- snippet: perhaps -->\n```cpp\n```\n")[0][3] is not None
    yield "a continuation of nothing is an error", page("<!-- snippet: continues -->\n```cpp\n```\n")[0][3] is not None


def main():
    tap = Tap()
    for name, holds in checks():
        if holds:
            tap.ok(name)
        else:
            tap.fail(name, "it does not hold")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
