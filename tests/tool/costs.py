# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Cost tables through the tool: costs.py PROGRAM

What was priced can be written out and read back, and a table gives one plan, byte for byte, with any number of threads.
"""
import json
import os
import re
import sys

from tool import TESTS, Bench, Tap, convolution, relu


def plan(b, model, *options):
    """The plan as the bytes of its file."""
    if os.path.exists(b.path("plan.json")):
        os.remove(b.path("plan.json"))
    b.answers(["partition", model, "--quiet", "--out", "plan.json", *options])
    return b.read("plan.json") if os.path.exists(b.path("plan.json")) else b""


def decision(whole):
    """A plan without its proof: that tells prices which the plan did not need, and a search that starts elsewhere asks for others."""
    return whole.split(b',\n  "proof"')[0]


def same(b, what, first, *others):
    for other in others:
        if not first or first != other:
            at = next((i for i, (x, y) in enumerate(zip(first, other)) if x != y), 0)
            b.problems.append(f"{what}: the plans differ at byte {at}: {first[max(0, at - 100):at + 200]!r} and {other[max(0, at - 100):at + 200]!r}")


def written(b):
    """Modelled and measured prices, written out and read back, give the same plan with one thread and with two, and without a database."""
    for costs in ("model", "measured"):
        for model in ("conv.onnx", "chain.onnx"):
            first = plan(b, model, "--costs", costs, "--save-costs", "saved.json")
            again = [plan(b, model, "--costs", "saved.json", "--threads", str(n), "--database", "/proc/nowhere/none") for n in (1, 2)]
            same(b, f"{costs} prices of {model}, decided", decision(first), *map(decision, again))
            same(b, f"saved {costs} prices of {model}, proved", *again)
            b.answers(["verify", model, "plan.json"], "holds")
            plan(b, model, "--costs", "saved.json", "--save-costs", "twice.json")
            same(b, f"{costs} prices of {model}, saved again", again[0], plan(b, model, "--costs", "twice.json"))
    again = []
    for _ in range(5):
        call = ["tune", "conv.onnx", "chain.onnx", *again, "--save-costs", "tuned.json"]
        code, _, err = b.call(*call)
        if code != 0:
            return b.problem(call, f"gives {code}, {err[-300:]!r}")
        both = {m: [decision(plan(b, m, *options)) for options in (["--refresh=never"], ["--costs", "tuned.json"])] for m in ("conv.onnx", "chain.onnx")}
        # On the way to prices that are disturbed other programs are run than on the way back through them; these are tuned again.
        if "while something else ran" not in err or all(known == read for known, read in both.values()):
            break
        again = ["--refresh"]
    for model, (known, read) in both.items():
        same(b, f"tuned prices of {model}", known, read)


def documented(b):
    """The table in docs/costs.md says what it says that it says."""
    with open(os.path.join(os.path.dirname(TESTS), "docs", "costs.md"), encoding="utf-8") as page:
        table = re.search(r"```json\n(.*?)```", page.read(), re.DOTALL).group(1)
    b.write("documented.json", table)
    first = plan(b, "conv.onnx", "--costs", "documented.json", "--target", "reference")
    chosen = [c for p in json.loads(first or b'{"partitions": []}')["partitions"] for c in p["composites"]]
    stated = {"Conv": 0.00004, "": 0.0001}
    if not chosen or any(c["seconds"] not in stated.values() for c in chosen):
        b.problems.append(f"the prices of the plan are not the table's: {chosen}")
    targets = json.loads(b.answers(["targets", "--json"]))["targets"]
    if any(t["kind"] == "onednn" and t["usable"] for t in targets):
        mixed = json.loads(plan(b, "conv.onnx", "--costs", "documented.json", "--target", "onednn") or b"{}")
        if [(p["backend"], p["seconds"]) for p in mixed.get("partitions", [])] != [("onednn", 0.00003)] or abs(mixed["seconds"] - 0.000031) > 1e-12:
            b.problems.append(f"oneDNN row-major ought to be the cheapest: {mixed}")


def by_hand(b):
    """Tables by hand: general entries, launches, nulls, and what is missing."""
    target = ["--target", "reference"]

    def table(**members):
        return b.write("hand.json", json.dumps({"version": 1, **members}))

    one = {"backend": "reference", "seconds": 0.5}
    for launch, total in ((0, 2.0), (0.25, 3.0)):
        made = json.loads(plan(b, "chain.onnx", "--costs", table(regions=[one], launch=launch), *target, "--partitioner", "single:reference") or b"{}")
        if made and made["seconds"] not in (total, total / 4):
            b.problems.append(f"four Relus at 0.5 s with launches of {launch} s give {made['seconds']} s")
    missing = table(regions=[{"backend": "reference", "ops": ["Conv"], "seconds": 1}])
    b.refuses(["partition", "chain.onnx", "--costs", missing, *target], "no price for", "Relu", "by reference", "float32[1,3]")
    b.refuses(["price", "chain.onnx", "--costs", missing, *target], "no price for")
    b.answers(["partition", "chain.onnx", "--quiet", "--costs", table(missing="model"), *target], "exact")
    code, out, err = b.call("partition", "chain.onnx", "--costs", table(missing="never"), *target)
    if code != 1 or out or len(err.splitlines()) != 1:
        b.problem(["partition"], f"with no price at all gives {code}, {out!r}, {err!r}")
    code, out, err = b.call("partition", "chain.onnx", "--costs", table(regions=[{"backend": "reference", "seconds": None, "reason": "it smokes"}]), *target)
    if code != 1 or out or len(err.splitlines()) != 1:
        b.problem(["partition"], f"where nothing can run gives {code}, {out!r}, {err!r}")
    for members, word in (({"regoins": []}, "'regions'"), ({"missing": "modle"}, "'model'"), ({"regions": [{"backend": "reference", "sceonds": 1}]}, "'seconds'"),
                          ({"launch": -1}, "launch"), ({"version": 2}, "version 2"), ({"conversions": [{"seconds": "fast"}]}, "'fast'"),
                          ({"regions": [{"backend": "reference", "seconds": -1}]}, "-1"), ({"peaks": {}}, "flops")):
        b.refuses(["partition", "chain.onnx", "--costs", table(**members), *target], "'hand.json'", word)
    for content in (b"", b"[", b"{}", b"\xff\xfe", b"[" * 100000):
        b.refuses(["partition", "chain.onnx", "--costs", b.write("hand.json", content), *target], "'hand.json'")
    b.refuses(["partition", "chain.onnx", "--costs", ".", *target], "folder")


def main(arguments):
    b = Bench(arguments[0])
    b.write("conv.onnx", convolution())
    b.write("chain.onnx", relu([1, 3], 4))
    tap = Tap()
    for group in (written, documented, by_hand):
        group(b)
        tap.verdict(group.__doc__.splitlines()[0], b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
