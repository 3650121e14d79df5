# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Options of the tool do what they say, or are refused: options.py PROGRAM"""
import json
import os
import re
import struct
import sys

from tool import Bench, Tap, chain, convolution, relu, seeds

MODEL = ["--costs", "model", "--quiet"]


def parsed(b, arguments, status=0):
    """The one JSON object that a call prints."""
    out = b.answers(arguments, status=status)
    try:
        value = json.loads(out)
    except ValueError as wrong:
        b.problem(arguments, f"prints no JSON object ({wrong}): {out[:300]!r}")
        return {}
    if list(value)[:1] != ["version"] and arguments[0] != "search":
        b.problem(arguments, f"prints {list(value)[:3]} where 'version' comes first")
    return value


def expect(b, arguments, what, got, wanted):
    if got != wanted:
        b.problem(arguments, f"gives {what} {got!r} where {wanted!r} was expected")


def takers(b):
    """The back ends that can run the convolution of conv.onnx here, most preferred first."""
    return [one["backend"] for one in parsed(b, ["why", "conv.onnx", "conv", *MODEL, "--json"]).get("back_ends", []) if one["offers"]]


def check(b):
    """check --json is one object with what the lines say, in the order of the folders."""
    b.answers(["extract", "chain.onnx", "--nodes", "r1", "--out", "good"])
    b.answers(["extract", "chain.onnx", "--nodes", "r1", "--out", "wrong"])
    os.replace(b.path("wrong/test_data_set_0/input_0.pb"), b.path("wrong/test_data_set_0/output_0.pb"))
    b.answers(["extract", "chain.onnx", "--nodes", "r1", "--seed", "2", "--out", "other"])
    os.replace(b.path("other/test_data_set_0/input_0.pb"), b.path("wrong/test_data_set_0/input_0.pb"))
    folders = ["good", "nowhere", "wrong"]
    call = ["check", *folders, "--target", "reference", "--prefer", "reference"]
    lines = [line.split("\t") for line in b.answers(call, "1 passed, 2 failed, 0 unsupported", status=1).splitlines()[:-1]]
    told = parsed(b, call + ["--json"], status=1)
    if told:
        expect(b, call, "keys", sorted(told), ["failed", "folders", "passed", "unsupported", "version"])
        expect(b, call, "counts", [told["passed"], told["failed"], told["unsupported"]], [1, 2, 0])
        as_lines = [[f["answer"], f["folder"], "-" if f["taken"] is None else str(f["taken"]), f["reason"]] for f in told["folders"]]
        expect(b, call, "folders", as_lines, lines)
        expect(b, call, "taken nodes", [f["taken"] for f in told["folders"]], [1, None, None])
    expect(b, call, "what passes", parsed(b, ["check", "good", "--target", "reference", "--json"]).get("passed"), 1)
    # Without data there is nothing to compare with.
    os.makedirs(b.path("no_sets"), exist_ok=True)
    b.write("no_sets/model.onnx", relu([1, 3]))
    os.makedirs(b.path("no_outputs/test_data_set_0"), exist_ok=True)
    b.write("no_outputs/model.onnx", relu([1, 3]))
    out = b.answers(["check", "no_sets", "no_outputs", "--target", "reference"], "0 passed, 0 failed, 2 unsupported", "no test_data_set_*", "no output_0.pb")
    expect(b, ["check"], "answers without data", [line.split("\t")[0] for line in out.splitlines()[:2]], ["unsupported"] * 2)
    b.refuses(["check", "good", "--costs", "measured"], "'--costs'")
    b.refuses(["check", "good", "--database", "d.sqlite"], "'--database'")
    b.refuses(["check", "good", "--target", "refrence", "--json"], "'refrence'", "'reference'")


def weights(b):
    """run --weights keeps packed weights in a folder: the next call maps them, and one that is damaged is packed anew."""
    node = seeds.node("Conv", ["x", "w"], ["y"], "conv", [seeds.integers("kernel_shape", [3, 3])])
    filters = seeds.tensor("w", [96, 64, 3, 3], [0.001 * (i % 97) for i in range(96 * 64 * 9)])
    b.write("big.onnx", seeds.model(seeds.graph([node], [seeds.value_info("x", [1, 64, 5, 5])], [seeds.value_info("y", [1, 96, 3, 3])], [filters])))
    call = ["run", "big.onnx", *MODEL, "--target", "cpu_simd", "--fallback", "require", "--output"]
    plain = b.answers([*call, "without"])
    result = next(f for f in sorted(b.files()) if f.startswith("without/"))
    for out in ("first", "second"):
        expect(b, call, "lines", b.answers([*call, out, "--weights", "packed/here"]), plain)
        expect(b, call, "results", b.read(result.replace("without", out)), b.read(result))
    kept = [f for f in b.files() if f.startswith("packed/here/")]
    if not kept:
        b.problem(call, "keeps no packed weights")
    for f in kept:
        content = bytearray(b.read(f))
        content[len(content) // 2] ^= 255
        b.write(f, bytes(content))
    b.answers([*call, "third", "--weights", "packed/here"])
    expect(b, call, "results", b.read(result.replace("without", "third")), b.read(result))
    b.write("file", "text")
    b.refuses([*call, "fourth", "--weights", "file/here"], "'--weights'", "'file/here'")


def defaults(b):
    """an initialiser that is also an input has the value that a run gives, else its own, and no other with --fixed-defaults."""
    def row(*values):
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}".ljust(117) + "\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values)

    inputs = [seeds.value_info("x", [3]), seeds.value_info("k", [3])]
    body = seeds.graph([seeds.node("Add", ["x", "k"], ["y"], "add", [])], inputs, [seeds.value_info("y", [3])], [seeds.tensor("k", [3], [1, 2, 3])])
    b.write("default.onnx", seeds.model(body))
    b.write("old.onnx", seeds.model(body, opset=7, ir=3))
    b.write("x.npy", row(10, 10, 10))
    b.write("k.npy", row(5, 6, 7))
    given = ["--input", "x=x.npy", "--input", "k=k.npy"]
    for call, wanted in ((["run", "default.onnx", *MODEL, "--check", *given[:2]], row(11, 12, 13)), (["run", "default.onnx", *MODEL, "--check", *given], row(15, 16, 17)),
                         (["run", "default.onnx", *MODEL, "--arg", "x.npy", "--arg", "k.npy"], row(15, 16, 17)), (["run", "old.onnx", *MODEL, *given[:2]], row(11, 12, 13))):
        b.answers([*call, "--output", "out"])
        expect(b, call, "y", b.read("out/y.npy")[-12:], wanted[-12:])
    for name, option in (("default.onnx", "--fixed-defaults"), ("old.onnx", "--quiet")):
        b.refuses(["run", name, *MODEL, option, *given], "no input 'k'")
    expect(b, ["show"], "inputs", b.answers(["show", "default.onnx"]).count("\tinput\t"), 2)
    expect(b, ["show", "--fixed-defaults"], "inputs", b.answers(["show", "default.onnx", "--fixed-defaults"]).count("\tinput\t"), 1)
    b.answers(["partition", "default.onnx", *MODEL, "--out", "default.json"])
    b.answers(["run", "default.onnx", "--quiet", "--plan", "default.json", *given, "--output", "out"])
    expect(b, ["run", "--plan"], "y", b.read("out/y.npy")[-12:], row(15, 16, 17)[-12:])
    # A plan says that defaults were fixed, and its readers fix them too.
    b.answers(["partition", "default.onnx", *MODEL, "--fixed-defaults", "--out", "fixed.json"])
    expect(b, ["partition", "--fixed-defaults"], "fixed_defaults", json.loads(b.read("fixed.json")).get("fixed_defaults"), True)
    b.answers(["run", "default.onnx", "--quiet", "--plan", "fixed.json", *given[:2], "--output", "out"])
    expect(b, ["run", "--plan"], "y", b.read("out/y.npy")[-12:], row(11, 12, 13)[-12:])
    b.refuses(["run", "default.onnx", "--quiet", "--plan", "fixed.json", *given], "no input 'k'")
    b.answers(["verify", "default.onnx", "fixed.json"], "holds")


def extract(b):
    """extract --json names the files that were written and the nodes that are in them."""
    call = ["extract", "chain.onnx", "--nodes", "r2,r1", "--out", "two", "--json"]
    told = parsed(b, call)
    expect(b, call, "keys", sorted(told), ["inputs", "model", "nodes", "outputs", "version"])
    if told:
        expect(b, call, "nodes", told["nodes"], ["r1", "r2"])
        written = sorted(f for f in b.files() if f.startswith("two/"))
        expect(b, call, "files", sorted([told["model"], *told["inputs"], *told["outputs"]]), written)
    part = parsed(b, ["extract", "chain.onnx", *MODEL, "--target", "reference", "--part", "0", "--out", "part", "--json"])
    expect(b, ["extract", "--part"], "model", part.get("model"), "part/model.onnx")
    b.answers(["check", "two", "part", "--target", "reference"], "2 passed, 0 failed")
    for option, value in (("--target", "reference"), ("--costs", "model"), ("--partitioner", "eager"), ("--part", "0")):
        b.refuses(["extract", "chain.onnx", "--nodes", "r1", option, value, "--out", "three"], "--nodes", option)
    b.refuses(["extract", "chain.onnx", "--nodes", "r9", "--out", "three", "--json"], "'r9'")


def verify(b):
    """verify takes the targets that the plan was made with."""
    b.answers(["partition", "chain.onnx", *MODEL, "--target", "reference", "--out", "plan.json"])
    laws = b.answers(["verify", "chain.onnx", "plan.json", "--target", "reference"], "holds")
    expect(b, ["verify"], "laws without --target", b.answers(["verify", "chain.onnx", "plan.json"]), laws)
    for call in (["verify", "chain.onnx", "plan.json"], ["run", "chain.onnx", "--plan", "plan.json"]):
        b.refuses([*call, "--target", "reference", "--target-reference-threads", "2"], "'plan.json'", "made with 'reference'", "-threads=2")
    told = json.loads(b.read("plan.json"))
    version = told["targets"][0]["version"]
    b.write("older.json", json.dumps({**told, "targets": [{"target": "reference", "version": "0"}]}))
    b.refuses(["run", "chain.onnx", "--plan", "older.json"], "'older.json'", "version '0'", version)
    b.write("bare.json", json.dumps({key: value for key, value in told.items() if key != "targets"}))
    expect(b, ["verify"], "laws of a plan without targets", b.answers(["verify", "chain.onnx", "bare.json", "--target", "reference"]), laws)
    b.refuses(["verify", "chain.onnx", "plan.json", "--target", "refrence"], "'refrence'", "'reference'")
    b.refuses(["verify", "chain.onnx", "plan.json", "--target-reference-threads", "two"], "threads")
    b.refuses(["verify", "chain.onnx", "plan.json", "--costs", "model"], "'--costs'")
    plan = json.loads(b.read("plan.json"))
    b.write("reason.json", json.dumps({**plan, "status": "gap", "reason": "there was no room."}))
    expect(b, ["verify"], "laws of a plan with a reason", b.answers(["verify", "chain.onnx", "reason.json", "--target", "reference"]), laws)
    b.write("reason.json", json.dumps({**plan, "status": "gap", "reason": 5}))
    b.refuses(["verify", "chain.onnx", "reason.json", "--target", "reference"], "reason")
    for option, value in (("--costs", "model"), ("--partitioner", "eager")):
        b.refuses(["run", "chain.onnx", "--plan", "plan.json", option, value], "--plan", option)
    kinds = [t["kind"] for t in parsed(b, ["targets", "--json"])["targets"] if t["usable"] and t["by_default"] and t["kind"] != "reference"]
    for kind in kinds:
        plan = f"{kind}.json"
        # What is dear elsewhere goes to this back end.
        costs = b.write("dear.json", json.dumps({"version": 1, "missing": "model", "regions": [{"backend": "reference", "seconds": 1}]}))
        b.answers(["partition", "conv.onnx", "--costs", costs, "--target", kind, "--quiet", "--out", plan], kind)
        b.answers(["verify", "conv.onnx", plan, "--target", kind], "holds")
        b.refuses(["verify", "conv.onnx", plan, "--target", "reference"], f"'{plan}'", "targets")


def targets(b):
    """Targets may be a text, JSON, a file, or options of their own, and mean the same."""
    def took_part(*arguments):
        told = parsed(b, ["why", "conv.onnx", "conv", *MODEL, *arguments, "--json"])
        return [one["backend"] for one in told.get("back_ends", [])]

    listed = parsed(b, ["targets", "--json"])["targets"]
    usable = [t["kind"] for t in listed if t["usable"] and t["by_default"]]
    for t in listed:
        for option in t["options"]:
            if option["type"] not in ("bool", "int", "float", "string", "strings", "ints"):
                b.problem(["targets"], f"lists an option of type {option['type']}")
    others = [kind for kind in usable if kind != "reference"]
    expect(b, ["why"], "back ends without --target", took_part(), usable)
    for kind in others:
        alone = took_part("--target", kind)
        expect(b, ["why", "--target", kind], "back ends", alone, [kind, "reference"])
        objects = [{"kind": "reference", "threads": 2}, {"kind": kind, "threads": 1}]
        b.write("targets.json", json.dumps(objects))
        b.write("by_device.json", json.dumps({"cpu": f"{kind} -threads=2"}))
        for same in (f"llvm -compiler={kind}", f"llvm, {kind} -threads 2", f"{kind} -threads=2 -keys=a,b, llvm", json.dumps([kind]), json.dumps({"kind": kind}), json.dumps({"1": kind}), "by_device.json"):
            expect(b, ["why", "--target", same], "back ends", took_part("--target", same), alone)
        with_c = f"{kind} -threads=2 -keys=a,b, c"
        expect(b, ["why", "--target", with_c], "back ends with plain C as the last resort", took_part("--target", with_c), [kind, "portable_c"])
        for turned in (f"reference -threads=2, {kind}", json.dumps(objects), "targets.json"):
            expect(b, ["why", "--target", turned], "back ends", took_part("--target", turned), alone[::-1])
        expect(b, ["why", "--target", "--target"], "back ends", took_part("--target", "reference", "--target", kind), alone[::-1])
        expect(b, ["why", "--target-..."], "back ends", took_part("--target", kind, f"--target-{kind}-threads", "2", "--target-reference-threads=2"), alone)
        b.refuses(["why", "conv.onnx", "conv", *MODEL, "--target", "reference", f"--target-{kind}-threads", "2"], f"'--target-{kind}-threads'", "takes no part")
        b.refuses(["why", "conv.onnx", "conv", *MODEL, "--target", kind, f"--target-{kind}-threads", "two"], "threads", "'two'")
        b.refuses(["why", "conv.onnx", "conv", *MODEL, f"--target-{kind}-threads", ""], "threads", "''")
    b.answers(["check", "good", "--target", '["reference"]', "--target-reference-threads", "2"], "1 passed, 0 failed")


def search(b):
    """search gives one answer on any number of threads."""
    b.write("wide.json", json.dumps(wide_instance()))
    answers = []
    for threads in ("1", "2", "5"):
        told = parsed(b, ["search", "wide.json", "--threads", threads])
        told.pop("search_ms", None)
        answers.append(told)
    if not answers[0].get("chosen") or any(a != answers[0] for a in answers):
        b.problem(["search", "wide.json"], f"gives {answers}")
    for threads in ("0", "-1", "two", "99999"):
        b.refuses(["search", "wide.json", "--threads", threads], "--threads")


def proof(b):
    """search --certificate proves its lower bound, and verify believes nothing that is not so."""
    b.write("wide.json", json.dumps(wide_instance()))
    told = parsed(b, ["search", "wide.json", "--certificate"])
    call = ["verify", "wide.json", "answer.json"]

    def saying(change=lambda a: None):
        answer = json.loads(json.dumps(told))
        change(answer)
        b.write("answer.json", json.dumps(answer))
        return call

    laws = b.answers(saying(), "holds")
    expect(b, call, "laws", [line.split("\t")[0] for line in laws.splitlines()], ["holds"] * 4)
    whole = parsed(b, saying() + ["--json"])
    expect(b, call, "laws as JSON", [law["law"] for law in whole["laws"]], [line.split("\t")[1] for line in laws.splitlines()])
    prices = told["certificate"]["steps"][0]["prices"][0]
    for change in (lambda a: a["chosen"].pop(), lambda a: a["chosen"].append(10**9), lambda a: a["chosen"].append(a["chosen"][0]),
                   lambda a: a.update(cost=a["cost"] + 1), lambda a: a.update(cost=a["cost"] + 1, lower_bound=a["lower_bound"] + 1),
                   lambda a: a.update(lower_bound=a["lower_bound"] - 1), lambda a: a.pop("certificate"),
                   lambda a: a["certificate"].update(bound=a["certificate"]["bound"] + 1), lambda a: a["certificate"].update(bound=0),
                   lambda a: a["certificate"].update(steps=[]), lambda a: a["certificate"].update(exponent=1900),
                   lambda a: a["certificate"]["steps"][0]["prices"][0]["of_node"].pop(),
                   lambda a: a["certificate"]["steps"][0]["prices"][0].update(of_reader=[2**62] * len(prices["of_reader"])),
                   lambda a: a["certificate"]["steps"][0].update(split=5), lambda a: a["certificate"]["steps"][0].update(split=10**9),
                   lambda a: a["certificate"]["steps"].extend([{"prices": []}] * 3)):
        b.answers(saying(change), "BROKEN", status=1)
    for change, word in ((lambda a: a.update(status="good"), "status"), (lambda a: a.update(cost=None), "'answer.json'"), (lambda a: a.update(cost="1"), "cost"),
                         (lambda a: a.update(certificat=1), "'certificate'"), (lambda a: a["certificate"].update(exponent=99999), "exponent"),
                         (lambda a: a["certificate"].pop("steps"), "'steps'"), (lambda a: a["certificate"].update(steps=5), "certificate.steps"),
                         (lambda a: a["certificate"]["steps"][0].update(split=-1), "certificate.steps[0].split"),
                         (lambda a: a["certificate"]["steps"][0]["prices"][0].update(of_node=[0.5]), "of_node[0]"), (lambda a: a.update(chosen=[-1]), "chosen[0]")):
        b.refuses(saying(change), "'answer.json'", word)
    b.refuses(["verify", "wide.json", "nowhere.json"], "'nowhere.json'")
    b.refuses(["verify", "nowhere.json", "answer.json"], "'nowhere.json'")


def why(b):
    """why tells what every other way of running a node would cost the plan, in parts that add up."""
    call = ["why", "conv.onnx", "conv", *MODEL]
    told = parsed(b, call + ["--json"])
    plan = parsed(b, ["partition", "conv.onnx", *MODEL, "--json"])
    if told and plan:
        expect(b, call, "seconds", told["seconds"], plan["seconds"])
        chosen = [(p["backend"], c["name"], c["nodes"], c["seconds"]) for p in plan["partitions"] for c in p["composites"] if "conv" in c["nodes"]]
        expect(b, call, "chosen", [tuple(told["chosen"][k] for k in ("backend", "name", "nodes", "seconds"))], chosen)
        expect(b, call, "back ends", [one["backend"] for one in told["back_ends"]], [t["kind"] for t in parsed(b, ["targets", "--json"])["targets"] if t["usable"] and t["by_default"]])
        offers = [offer for one in told["back_ends"] for offer in one["offers"]]
        if not offers:
            b.problem(call, "knows of no other way")
        for offer in offers:
            if offer["regret"] is None:
                continue
            parts = offer["own"] + offer["conversions"] + offer["elsewhere"]
            if offer["regret"] < -1e-12 or abs(offer["regret"] - parts) > 1e-12 or (offer["break_even"] or 0) > offer["seconds"] + 1e-12:
                b.problem(call, f"says what cannot be: {offer}")
        lines = b.answers(call, "goes to " + told["chosen"]["backend"]).splitlines()
        expect(b, call, "lines that say proved", sum(", proved" in line for line in lines), sum(offer.get("proved", False) for offer in offers))
        expect(b, call, "times of which nothing is seen", [line for line in lines if re.search(r"\b0\.0000 ms", line)], [])
        for offer in offers:
            if any(0 < abs(offer.get(share) or 0) < 1e-13 * told["seconds"] for share in ("regret", "own", "conversions", "elsewhere", "break_even")):
                b.problem(call, f"gives what rounding left for a share: {offer}")
        causes = [obstacle["cause"] for one in told["back_ends"] for obstacle in one["obstacles"]]
        expect(b, call, "unknown causes", set(causes) - {"no pattern", "predicate", "unknown shape", "duplicates a node", "not convex", "over a limit", "no format", "crosses blocks", "same code", "pinned", "does not run"}, set())
        silent = [one["backend"] for one in told["back_ends"] if not one["offers"] and not one["obstacles"] and one["backend"] != told["chosen"]["backend"]]
        expect(b, call, "back ends with nothing to say", silent, [])
        expect(b, call, "lines", len(lines), 1 + len(offers) + sum(len(one["obstacles"]) for one in told["back_ends"]))
    alone = parsed(b, call[:3] + ["reference", *MODEL, "--json"])
    expect(b, call, "one back end", [one["backend"] for one in alone.get("back_ends", [])], ["reference"])
    b.refuses(["why", "conv.onnx", "cnov", *MODEL], "'cnov'", "'conv'")
    b.refuses(["why", "conv.onnx", "conv", "refrence", *MODEL], "'refrence'", "'reference'")
    b.refuses(["why", "conv.onnx", "x", *MODEL], "'x'")
    b.refuses(["why", "conv.onnx", *MODEL], "node")
    b.refuses(["why", "nowhere.onnx", "conv", *MODEL], "nowhere.onnx")


def decided(b):
    """why names the constraint that decided, weighs preferences apart, and keeps to its budget."""
    def under(*rules):
        b.write("why.json", json.dumps({"version": 1, "constraints": list(rules)}))
        return parsed(b, ["why", "conv.onnx", "conv", *MODEL, "--constraints", "why.json", "--json"])

    free = parsed(b, ["why", "conv.onnx", "conv", *MODEL, "--json"])
    other = next((kind for kind in takers(b) if kind != free["chosen"]["backend"]), None)
    if other is None:
        return
    call = ["why", "--constraints"]
    for rule, key in (({"rule": "pin", "nodes": ["conv"], "backend": other}, "pin"), ({"rule": "forbid", "nodes": ["conv"], "backend": free["chosen"]["backend"]}, "forbid")):
        told = under(rule)
        reasons = [o["reason"] for one in told["back_ends"] if one["backend"] == free["chosen"]["backend"] for o in one["obstacles"] if o["cause"] == "pinned"]
        if not reasons or not all(f"constraints[0] ({key} {rule['backend']})" in reason for reason in reasons):
            b.problem(call, f"does not name the {key}: {reasons}")
    expect(b, call, "who asks for the node", under({"rule": "pin", "nodes": ["conv"], "backend": other})["chosen"].get("asked_by"), [f"constraints[0] (pin {other})"])
    # Worth more than anything else can be.
    told = under({"rule": "prefer", "nodes": ["conv"], "backend": other, "seconds": 1})
    expect(b, call, "chosen under a preference", told["chosen"]["backend"], other)
    expect(b, call, "who prefers it", told["chosen"]["asked_by"], [f"constraints[0] (prefer {other})"])
    if not told["chosen"]["seconds"] < 0.5 or not told["seconds"] < 0.5:
        b.problem(call, f"adds a preference to prices: {told['chosen']}, {told['seconds']}")
    against = [o for one in told["back_ends"] if one["backend"] != other for o in one["offers"]]
    if not against:
        b.problem(call, "offers no way that is not preferred")
    for offer in against:
        parts = offer["own"] + offer["conversions"] + offer["elsewhere"] + offer.get("preferences", 0)
        if abs(offer.get("preferences", 0) - 1) > 1e-9 or abs(offer["regret"] - parts) > 1e-9 or not offer["seconds"] < 0.5:
            b.problem(call, f"weighs a preference wrongly: {offer}")
    named = [offer for offer in against if offer.get("decided_by") == [f"constraints[0] (prefer {other})"]]
    if not any(offer["nodes"] == free["chosen"]["nodes"] and offer["backend"] == free["chosen"]["backend"] for offer in named):
        b.problem(call, f"does not say that the preference decided: {against}")
    b.answers(["why", "conv.onnx", "conv", *MODEL, "--constraints", "why.json"], "preferences +1000", f"which constraints[0] (prefer {other}) decided")
    # Without time nothing is proved, and all ways are told all the same.
    hasty = parsed(b, ["why", "conv.onnx", "conv", *MODEL, "--budget", "0", "--json"])
    count = lambda told: sum(len(one["offers"]) for one in told["back_ends"])
    expect(b, ["why", "--budget", "0"], "ways", count(hasty), count(free))
    if any(o.get("proved") for one in hasty["back_ends"] for o in one["offers"]):
        b.problem(["why", "--budget", "0"], "proves something in no time")


def constraints(b):
    """What --constraints asks for is so in the plan, or what clashes is named."""
    kinds = takers(b)

    def call(*rules, verb="partition"):
        b.write("rules.json", json.dumps({"version": 1, "constraints": list(rules)}))
        return [verb, "conv.onnx", *MODEL, "--constraints", "rules.json"]

    def owners(plan):
        return {node: part["backend"] for part in plan.get("partitions", []) for node in part["nodes"]}

    nodes = sorted(owners(parsed(b, ["partition", "conv.onnx", *MODEL, "--json"])))
    for kind in kinds:
        pinned = parsed(b, call({"rule": "pin", "nodes": ["conv"], "backend": kind}) + ["--json"])
        expect(b, call(), f"pinned to {kind}", owners(pinned).get("conv"), kind)
        b.answers(call({"rule": "pin", "nodes": ["conv"], "backend": kind}) + ["--out", "pinned.json"])
        b.answers(["verify", "conv.onnx", "pinned.json"], "holds")
        if len(kinds) > 1:
            for ops in ("Conv", "onnx.Conv"):
                away = parsed(b, call({"rule": "forbid", "ops": [ops], "backend": kind}) + ["--json"])
                if owners(away).get("conv") == kind:
                    b.problem(call(), f"leaves conv to {kind}")
            liked = parsed(b, call({"rule": "prefer", "nodes": ["conv"], "backend": kind, "seconds": 1}) + ["--json"])
            expect(b, call(), f"preferred {kind}", owners(liked).get("conv"), kind)
            if liked.get("seconds", 1) > 0.5:
                b.problem(call(), f"counts the preference as time: {liked.get('seconds')}")
    together = parsed(b, call({"rule": "colocate", "nodes": nodes}) + ["--json"])
    expect(b, call(), "back ends of colocated nodes", len(set(owners(together).values())), 1)
    pin = {"rule": "pin", "nodes": ["conv"], "backend": "reference"}
    forbid = {"rule": "forbid", "nodes": ["conv"], "backend": "reference"}
    harmless = {"rule": "prefer", "nodes": ["conv"], "backend": "reference", "seconds": 0}
    code, out, err = b.call(*call(harmless, pin, forbid))
    if code != 1 or out or len(err.splitlines()) != 1 or "constraints[1]" not in err or "constraints[2]" not in err or "constraints[0]" in err:
        b.problem(call(), f"where two clash gives {code}, {out!r}, {err!r}")
    if len(kinds) > 1:
        b.answers(call({"rule": "forbid", "nodes": ["conv"], "backend": kinds[0]}, verb="why")[:2] + ["conv", kinds[0], *MODEL, "--constraints", "rules.json"], f"constraints[0] (forbid {kinds[0]}) rules it out")
    for rule, word in (({"rule": "pun", "nodes": ["conv"], "backend": "reference"}, "'pin'"), ({"rule": "pin", "nodes": ["conv"]}, "backend"), ({"rule": "pin", "backend": "reference"}, "nodes"),
                       ({"rule": "pin", "nodes": ["cnov"], "backend": "reference"}, "'cnov'"), ({"rule": "pin", "ops": ["Cnov"], "backend": "reference"}, "'Cnov'"),
                       ({"rule": "pin", "nodes": ["conv"], "backend": "refrence"}, "'reference'"), ({"rule": "colocate", "nodes": ["conv"], "backend": "reference"}, "backend"),
                       ({"rule": "prefer", "nodes": ["conv"], "backend": "reference"}, "seconds"), ({"rule": "prefer", "nodes": ["conv"], "backend": "reference", "seconds": -1}, "seconds"),
                       ({"rule": "pin", "nodes": ["conv"], "backend": "reference", "seconds": 1}, "seconds"), ({"rule": "pin", "node": ["conv"], "backend": "reference"}, "'nodes'"),
                       ({"nodes": ["conv"]}, "'rule'"), ({"rule": "pin", "nodes": ["x"], "backend": "reference"}, "constraints[0]"), ({"rule": "pin", "nodes": "conv", "backend": "reference"}, "list")):
        b.refuses(call(rule), "constraints[0]", word)
    b.answers(call(pin) + ["--partitioner", "eager"], "part 0")
    warned = parsed(b, call({"rule": "fallback", "policy": "warn", "nodes": ["conv"]}, pin) + ["--json"])
    expect(b, call(), "fallbacks", warned.get("fallbacks"), ["conv"])
    other = call({"rule": "fallback", "policy": "warn", "nodes": ["conv"]}) + ["--partitioner", "single:reference"]
    expect(b, other, "fallbacks", parsed(b, other + ["--json"]).get("fallbacks"), ["conv"])
    code, out, err = b.call("partition", "conv.onnx", *MODEL, "--target", "reference", "--fallback", "warn")
    if code != 0 or "conv (onnx.Conv) falls back on reference" not in err:
        b.problem(["partition", "--fallback", "warn"], f"gives {code}, {err!r}")
    code, out, err = b.call("partition", "conv.onnx", *MODEL, "--target", "reference", "--fallback", "require")
    if code != 1 or out or "must not fall back on 'reference' by --fallback require" not in err:
        b.problem(["partition", "--fallback", "require"], f"gives {code}, {out!r}, {err!r}")
    if len(kinds) > 1:
        held = parsed(b, call({"rule": "fallback", "policy": "require", "nodes": ["conv"]}) + ["--json"])
        if not held or owners(held)["conv"] == "reference" or "fallbacks" in held:
            b.problem(call(), "falls back where it must not")
    b.refuses(["partition", "conv.onnx", *MODEL, "--fallback", "requires"], "'requires'", "'require'")
    b.refuses(call({"rule": "fallback", "nodes": ["conv"]}), "constraints[0]", "'policy'")
    b.refuses(call({"rule": "fallback", "policy": "wran"}), "constraints[0]", "'warn'")
    b.refuses(["partition", "conv.onnx", *MODEL, "--constraints", "nowhere.json"], "'nowhere.json'")
    for content in (b"", b"[]", b'{"version": 2, "constraints": []}', b'{"version": 1}', b'{"version": 1, "constraints": 5}', b'{"version": 1, "constrains": []}'):
        b.refuses(["partition", "conv.onnx", *MODEL, "--constraints", b.write("rules.json", content)], "'rules.json'")


def rules(b):
    """Kept parts, part limits, capacities and limits are so in the plan, or what clashes is named."""
    kinds = takers(b)

    def call(*rules, verb="partition", model="conv.onnx"):
        b.write("rules.json", json.dumps({"version": 1, "constraints": list(rules)}))
        return [verb, model, *MODEL, "--constraints", "rules.json"]

    def parts(arguments):
        return [(p["backend"], p["nodes"]) for p in parsed(b, arguments + ["--json"]).get("partitions", [])]

    def verified(*rules, model="conv.onnx"):
        b.answers(call(*rules, model=model) + ["--out", "ruled.json"])
        b.answers(["verify", model, "ruled.json"], "holds")

    # A chain of four at one back end is one part, but for what is kept or limited.
    alone = ["--target", "reference"]
    b.answers(["partition", "steps.onnx", *MODEL, *alone, "--out", "whole.json"])
    first = {"rule": "keep", "nodes": ["r1", "r2"], "backend": "reference"}
    expect(b, call(first, model="steps.onnx"), "parts", parts(call(first, model="steps.onnx") + alone), [("reference", ["r0"]), ("reference", ["r1", "r2"]), ("reference", ["r3"])])
    verified(first, model="steps.onnx")
    two = {"rule": "part_limit", "backend": "reference", "most_nodes": 2}
    for part in parts(call(two, model="steps.onnx") + alone):
        if len(part[1]) > 2:
            b.problem(call(two), f"makes the part {part}")
    verified(two, model="steps.onnx")
    for node in ({"nodes": ["r3"]}, {"ops": ["LeakyRelu"]}, {}):
        kept = {"rule": "keep", "plan": "whole.json", **node}
        expect(b, call(kept), "parts", parts(call(kept, model="steps.onnx") + alone), parts(["partition", "steps.onnx", *MODEL, *alone]))
    b.answers(call({"rule": "keep", "plan": "whole.json"}, two, model="steps.onnx") + alone, status=1)
    for rule in ({"rule": "capacity", "backend": "reference", "bytes": 10**6}, {"rule": "limit", "of": "seconds", "most": 1}, {"rule": "limit", "of": "peak_bytes", "most": 1e9},
                 {"rule": "limit", "of": "load", "backend": "reference", "most": 1}):
        expect(b, call(rule), "a plan", len(parts(call(rule))) > 0, True)
    owners = [p[0] for p in parts(call({"rule": "capacity", "backends": kinds[:-1], "bytes": 0})) if "conv" in p[1]] if len(kinds) > 1 else kinds[-1:]
    expect(b, call(), "what keeps the weights", owners, kinds[-1:])
    for clash in (({"rule": "limit", "of": "seconds", "most": 0},), ({"rule": "limit", "of": "peak_bytes", "most": 10},), ({"rule": "capacity", "backends": kinds, "bytes": 0},),
                  tuple({"rule": "part_limit", "backend": k, "most_bytes": 1} for k in kinds),
                  ({"rule": "keep", "nodes": ["conv", "relu"], "backend": "reference"}, {"rule": "part_limit", "backend": "reference", "most_nodes": 1})):
        harmless = {"rule": "limit", "of": "seconds", "most": 100}
        code, out, err = b.call(*call(harmless, *clash))
        named = all(f"constraints[{i + 1}]" in err for i in range(len(clash)))
        if code != 1 or out or len(err.splitlines()) != 1 or not named or "constraints[0]" in err:
            b.problem(call(*clash), f"where these clash gives {code}, {out!r}, {err!r}")
    if len(kinds) > 1:
        liked = {"rule": "prefer", "nodes": ["conv"], "backend": kinds[-1], "seconds": 1e-9}
        verified(liked)
        b.refuses(call(liked, verb="pareto"), "constraints[0]", "preference")
        b.refuses(call({"rule": "keep", "nodes": ["conv"], "backend": kinds[0]}) + alone, "constraints[0]", "takes no part")
        b.refuses(call({"rule": "capacity", "backends": ["reference", kinds[0]], "bytes": 1}) + alone, "backends[1]", "takes no part")
    b.write("broken.json", "{")
    b.answers(["partition", "conv.onnx", *MODEL, "--out", "other.json"])
    b.refuses(call({"rule": "keep", "plan": "other.json"}, model="steps.onnx"), "constraints[0]", "'other.json'")
    for rule, word in (({"rule": "keep", "plan": "nowhere.json"}, "'nowhere.json'"), ({"rule": "keep", "plan": "broken.json"}, "'broken.json'"), ({"rule": "keep", "plan": 5}, "text"),
                       ({"rule": "keep", "plan": "other.json", "backend": "reference"}, "backend"), ({"rule": "keep", "plan": "other.json", "nodes": ["cnov"]}, "'cnov'"),
                       ({"rule": "keep", "plan": "other.json", "nodes": []}, "nodes"), ({"rule": "keep", "nodes": ["conv"]}, "backend"), ({"rule": "keep", "backend": "reference"}, "nodes"),
                       ({"rule": "part_limit", "backend": "reference"}, "most_nodes"), ({"rule": "part_limit", "most_nodes": 1}, "backend"),
                       ({"rule": "part_limit", "backend": "reference", "most_nodes": -1}, "most_nodes"), ({"rule": "part_limit", "backend": "reference", "most_node": 1}, "'most_nodes'"),
                       ({"rule": "part_limit", "backend": "refrence", "most_nodes": 1}, "'reference'"), ({"rule": "part_limit", "backend": "reference", "most_bytes": "1"}, "most_bytes"),
                       ({"rule": "part_limit", "backend": "reference", "most_nodes": 1, "nodes": ["conv"]}, "nodes"), ({"rule": "capacity", "bytes": 1}, "backend"),
                       ({"rule": "capacity", "backend": "reference"}, "'bytes'"), ({"rule": "capacity", "backend": "reference", "bytes": -1}, "bytes"),
                       ({"rule": "capacity", "backends": [], "bytes": 1}, "backends"), ({"rule": "capacity", "backends": ["refrence"], "bytes": 1}, "'reference'"),
                       ({"rule": "capacity", "backend": "reference", "backends": ["reference"], "bytes": 1}, "backends"), ({"rule": "limit", "most": 1}, "'of'"),
                       ({"rule": "limit", "of": "secnods", "most": 1}, "'seconds'"), ({"rule": "limit", "of": "seconds"}, "'most'"), ({"rule": "limit", "of": "seconds", "most": -1}, "most"),
                       ({"rule": "limit", "of": "load", "most": 1}, "backend"), ({"rule": "limit", "of": "seconds", "backend": "reference", "most": 1}, "backend"),
                       ({"rule": "pin", "nodes": ["conv"], "backend": "reference", "most": 1}, "most")):
        b.refuses(call(rule), "constraints[0]", word)


def objectives(b):
    """partition --objective tells value and bound, in the plan as well, and is refused where it means nothing."""
    seconds = parsed(b, ["partition", "conv.onnx", *MODEL, "--json"])["seconds"]
    if "objective" in parsed(b, ["partition", "conv.onnx", *MODEL, "--objective", "latency", "--json"]):
        b.problem(["partition", "--objective", "latency"], "says more than the plan")
    for objective in ("peak", "load", "energy"):
        call = ["partition", "conv.onnx", *MODEL, "--objective", objective]
        told = parsed(b, call + ["--json", "--out", "by.json"])
        of = told.get("objective", {})
        expect(b, call, "objective", of.get("of"), objective)
        expect(b, call, "status", told["status"], "optimal")
        if not 0 < of.get("lower_bound", 0) <= of.get("value", 0) <= of["lower_bound"] * (1 + 1e-6) or of["gap"] > 1e-6 or told["seconds"] < seconds * (1 - 1e-9):
            b.problem(call, f"says {of} at {told['seconds']} s")
        b.answers(call, f"{objective}: ", "lower bound", "gap")
        expect(b, call, "the plan file", parsed(b, ["run", "conv.onnx", "--plan", "by.json", "--json", "--quiet"]) != {}, True)
        b.write("rules.json", json.dumps({"version": 1, "constraints": [{"rule": "limit", "of": "seconds", "most": seconds}]}))
        limited = parsed(b, call + ["--constraints", "rules.json", "--json"])
        if limited["seconds"] > seconds * (1 + 1e-6) or limited["objective"]["value"] < of["value"] * (1 - 1e-6):
            b.problem(call, f"under a limit of {seconds} s gives {limited['seconds']} s and {limited['objective']}")
        b.refuses(call + ["--partitioner", "eager"], "'eager' does not keep the objective")
    b.answers(["partition", "conv.onnx", *MODEL, "--objective", "load", "--budget", "60000"], "load: ")
    b.refuses(["partition", "conv.onnx", *MODEL, "--budget", "-1"], "--budget")
    b.refuses(["partition", "conv.onnx", *MODEL, "--objective", "paek"], "'paek'", "'peak'")
    b.refuses(["run", "conv.onnx", *MODEL, "--objective", "peak"], "'--objective'")


def pareto(b):
    """pareto lists plans from the cheapest to the one with the least of the second, as partition finds both."""
    for second in ("peak", "load", "energy"):
        call = ["pareto", "conv.onnx", *MODEL, "--second", second]
        told = parsed(b, call + ["--json"])
        plans = told["plans"]
        expect(b, call, "second", told["second"], second)
        expect(b, call, "complete", told["complete"], True)
        for one in plans:
            if one["lower_bound"] > one["seconds"] or one["second_lower_bound"] > one["second"] or not one["proved"] or not one["priced"]:
                b.problem(call, f"says {one}")
            expect(b, call, "nodes", sum(s["nodes"] for s in one["back_ends"]), 2)
        if any(x["seconds"] >= y["seconds"] or x["second"] <= y["second"] for x, y in zip(plans, plans[1:])):
            b.problem(call, f"lists a plan that is beaten: {plans}")
        cheapest = parsed(b, ["partition", "conv.onnx", *MODEL, "--json"])["seconds"]
        least = parsed(b, ["partition", "conv.onnx", *MODEL, "--objective", second, "--json"])["objective"]["value"]
        if abs(plans[0]["seconds"] - cheapest) > 1e-6 * cheapest or abs(plans[-1]["second"] - least) > 1e-6 * least:
            b.problem(call, f"goes from {plans[0]} to {plans[-1]}, where partition finds {cheapest} s and {least}")
        expect(b, call, "lines", len(b.answers(call, "none is missing").splitlines()), len(plans) + 1)
    code, out, err = b.call("pareto", "conv.onnx", *MODEL, "--budget", "0", "--json")
    if code not in (0, 1) or (code == 1 and (out or len(err.splitlines()) != 1)):
        b.problem(["pareto", "--budget", "0"], f"gives {code}, {out!r}, {err!r}")
    b.write("rules.json", json.dumps({"version": 1, "constraints": [{"rule": "limit", "of": "seconds", "most": 0}]}))
    b.refuses(["pareto", "conv.onnx", *MODEL, "--constraints", "rules.json"], "constraints[0]", status=1)
    b.answers(["pareto", "conv.onnx", *MODEL, "--save-costs", "asked.json"])
    b.answers(["pareto", "conv.onnx", "--costs", "asked.json", "--quiet"], "none is missing")
    for option, value, word in (("--second", "latency", "'latency'"), ("--second", "paek", "'peak'"), ("--budget", "-1", "--budget"), ("--budget", "x", "--budget"), ("--target", "refrence", "'reference'"),
                                ("--partitioner", "exact", "'--partitioner'"), ("--constraints", "nowhere.json", "'nowhere.json'"), ("--costs", "nowhere.json", "'nowhere.json'")):
        b.refuses(["pareto", "conv.onnx", "--quiet", option, value], word)
    b.refuses(["pareto"], "model")
    b.refuses(["pareto", "nowhere.onnx", *MODEL], "nowhere.onnx")


def grep(b):
    """grep prints root and captures per line, counts, and ends with 1 where nothing matches."""
    lines = b.answers(["grep", "Relu(?x:Conv(?y, ?w:const, ...))", "conv.onnx"]).splitlines()
    expect(b, ["grep"], "lines", lines, ["relu\tx=conv\ty=x\tw=w"])
    expect(b, ["grep", "--count"], "count", b.answers(["grep", "Relu", "chain.onnx", "--count"]).split(), ["4"])
    expect(b, ["grep", "--root"], "roots", b.answers(["grep", "Relu", "chain.onnx", "--root"]).split(), ["r3"])
    expect(b, ["grep", "repeat"], "chains", b.answers(["grep", "repeat[2..2](Relu(_), ?x)", "chain.onnx"]).splitlines(), ["r1\tx=x", "r2\tx=r0", "r3\tx=r1"])
    expect(b, ["grep", "attributes"], "count", b.answers(["grep", "Conv[kernel_shape=[3,3]]{float32[1,16,*]}", "conv.onnx", "--count"]).split(), ["1"])
    # What the node leaves out has the operator's default.
    expect(b, ["grep", "defaults"], "count", b.answers(["grep", "Conv[group=1, dilations=[1,1]]", "conv.onnx", "--count"]).split(), ["1"])
    told = parsed(b, ["grep", "Relu(?x:Relu)", "chain.onnx", "--json"])
    expect(b, ["grep", "--json"], "matches", [m["captures"]["x"] for m in told.get("matches", [])], ["r0", "r1", "r2"])
    b.refuses(["grep", "Tanh", "chain.onnx", "--quiet"], "no match in 'chain.onnx'", status=1)
    b.refuses(["grep", "Relu(?x:Relu)", "chain.onnx", "--at", "r0", "--quiet"], "no match at node r0", status=1)
    # Repetitions inside of repetitions have a bound, and say that they reached it.
    ladder = "?x"
    for _ in range(6):
        ladder = f"repeat[0..500](LeakyRelu(_), {ladder})"
    code, out, err = b.call("grep", f"Tanh({ladder.replace('?x', 'const')})", "ladder.onnx", limit=60)
    if code != 1 or "more ways to match than are looked at" not in err:
        b.problem(["grep", "ladder"], f"gives {code} and says {err[-400:]!r}")
    expect(b, ["grep", "--count"], "count of nothing", b.answers(["grep", "Tanh", "chain.onnx", "--count"], status=1).split(), ["0"])
    expect(b, ["grep", "--at"], "lines", b.answers(["grep", "Relu(?x:Relu)", "chain.onnx", "--at", "r2"]).splitlines(), ["r2\tx=r1"])
    at = b.call("grep", "Relu(?x:Relu)", "chain.onnx", "--at", "r0")
    if at[0] != 1 or at[1] or "Relu" not in at[2] or "x" not in at[2]:
        b.problem(["grep", "--at", "r0"], f"gives {at}, and does not say what stands where the operand was asked for")
    b.refuses(["grep", "Relu", "chain.onnx", "--at", "r9"], "'r9'")
    # A list stops at the limit, and says so; a count does not.
    for limit, listed in (("2", 2), ("0", 4), ("4", 4)):
        code, out, err = b.call("grep", "Relu", "chain.onnx", "--limit", limit)
        expect(b, ["grep", "--limit", limit], "lines", len(out.splitlines()), listed)
        expect(b, ["grep", "--limit", limit], "notes", err.splitlines(), [] if listed == 4 else ["inlay: 2 of 4 matches are listed; --limit 0 lists all"])
        told = parsed(b, ["grep", "Relu", "chain.onnx", "--limit", limit, "--json"])
        expect(b, ["grep", "--limit", limit], "matches", [told["found"], len(told["matches"])], [4, listed])
    expect(b, ["grep", "--limit", "--count"], "count", b.answers(["grep", "Relu", "chain.onnx", "--limit", "1", "--count"]).split(), ["4"])
    expect(b, ["grep"], "lines of many", len(b.answers(["grep", "LeakyRelu", "long.onnx"]).splitlines()), 1000)
    # A mistyped operator is named with the one that is meant.
    hint = "no operator 'Rleu' in the model or the operator set; did you mean 'Relu'?"
    code, out, err = b.call("grep", "Rleu(?x)", "chain.onnx")
    if code != 1 or out or hint not in err:
        b.problem(["grep", "Rleu(?x)"], f"gives {code}, {out!r}, {err!r}")
    expect(b, ["grep", "Rleu"], "unknown operators", parsed(b, ["grep", "Rleu | Relu", "chain.onnx", "--json"])["unknown_operators"], [hint])
    expect(b, ["grep", "Tanh"], "unknown operators", parsed(b, ["grep", "Tanh", "chain.onnx", "--json"], status=1)["unknown_operators"], [])
    b.refuses(["grep", "Relu(?x", "chain.onnx"], "line 1, column 8", "^")
    b.refuses(["grep", "Relu", "chain.onnx", "--count", "--json"], "--count", "--json")
    b.refuses(["grep", "Relu", "nowhere.onnx"], "'nowhere.onnx'")
    b.refuses(["grep", "(" * 100000, "chain.onnx"], "deep")
    b.refuses(["grep", "Relu"], "model")


def rewriting(b):
    """rewrite prints the program and what fired; rules without end are named."""
    b.write("rules.txt", b"twice: Relu(?r:Relu) => ?r;\n")
    out = b.answers(["rewrite", "rules.txt", "chain.onnx", "--out", "short.onnx"], "twice: fired 3 of 3 matches")
    expect(b, ["rewrite"], "calls", out.count("onnx.Relu"), 1)
    expect(b, ["rewrite", "--out"], "count", b.answers(["grep", "Relu", "short.onnx", "--count"]).split(), ["1"])
    expect(b, ["rewrite", "--json"], "fired", parsed(b, ["rewrite", "rules.txt", "chain.onnx", "--json"]).get("fired"), 3)
    # A rule states its class; one that cancels is applied on request alone.
    b.write("cancels.txt", b"gone [cancelling]: Relu(?r:Relu) => ?r;\n")
    b.answers(["rewrite", "cancels.txt", "chain.onnx"], "gone: fired 0 of ", "such rules are applied only on request")
    b.answers(["rewrite", "cancels.txt", "chain.onnx", "--reassociate"], "gone: fired 3 of 3 matches", "// cancelling: gone")
    classes = [r.get("class") for r in parsed(b, ["rewrite", "rules.txt", "chain.onnx", "--json"])["rules"]]
    expect(b, ["rewrite", "--json"], "classes", classes, ["bounded"])
    b.answers(["check", "good", "--reassociate", "--target", "reference"], "1 passed, 0 failed")
    b.write("endless.txt", b"there: Relu(?x) => LeakyRelu(?x);\nback: LeakyRelu(?x) => Relu(?x);\n")
    told = parsed(b, ["rewrite", "endless.txt", "chain.onnx", "--json", "--fuel", "100"], status=1)
    expect(b, ["rewrite", "endless"], "ring", [told.get("stopped_by"), told.get("chasing")], ["out_of_fuel", ["there", "back"]])
    # Both sides of each rule are run before any is applied.
    out = b.answers(["rewrite", "rules.txt", "chain.onnx", "--check"], "// checked twice: 53 trials, the same results", "twice: fired 3 of 3 matches")
    expect(b, ["rewrite", "--check"], "trials", [r.get("trials") for r in parsed(b, ["rewrite", "rules.txt", "chain.onnx", "--check", "--json"])["rules"]], [53])
    b.write("changes.txt", b"twice: Relu(?r:Relu) => ?r;\ngone: Relu(?x) => ?x;\n")
    before = b.files()
    code, out, err = b.call("rewrite", "changes.txt", "chain.onnx", "--check", "--out", "changed.onnx")
    if code != 1 or out:
        b.problem(["rewrite", "--check"], f"gives {code}, {out!r} for a rule that changes results")
    for word in ("rule 'gone' changes results in ", " of 50 trials", "should be", "result before float32", "result after float32"):
        if word not in err:
            b.problem(["rewrite", "--check"], f"does not say {word!r}: {err!r}")
    if "\ninput x0 float32" not in err and "\nconstant 0 float32" not in err:
        b.problem(["rewrite", "--check"], f"does not show what the program was given: {err!r}")
    b.leaves(["rewrite", "--check"], before)
    b.answers(["rewrite", "changes.txt", "chain.onnx"], "gone: fired")
    for text, words in ((b"a: Relu(?x) => ?y;", ("line 1, column 16",)), (b"a: Relu(?x) ==> ?x;", ("'=>'",)), (b"\xff\x00", ("line 1, column 1",)),
                        (b"a: " + b"(" * 100000, ("deep",)), (b"a: Relu(?x) => ?x", ("';'",))):
        b.write("wrong.txt", text)
        b.refuses(["rewrite", "wrong.txt", "chain.onnx"], "'wrong.txt'", *words)
    b.refuses(["rewrite", "nowhere.txt", "chain.onnx"], "'nowhere.txt'")
    # A rule that nothing tries is refused, unless it is trusted; one is tried at the model's own matches too.
    b.write("untried.txt", "lost: Relu(Not(?x)) => ?x;")
    b.refuses(["rewrite", "untried.txt", "chain.onnx", "--check"], "'lost' is not checked", "--unchecked", status=1)
    b.answers(["rewrite", "untried.txt", "chain.onnx", "--check", "--unchecked"], "// checked lost: 0 trials")
    b.refuses(["rewrite", "untried.txt", "chain.onnx", "--unchecked"], "--check")
    b.refuses(["rewrite", "rules.txt", "nowhere.onnx"], "'nowhere.onnx'")
    b.refuses(["rewrite", "rules.txt", "chain.onnx", "--fuel", "-1"], "--fuel")
    b.refuses(["rewrite", "rules.txt", "chain.onnx", "--out", "nowhere/short.onnx"], "nowhere/short.onnx")


def normalising(b):
    """What is partitioned is normalised, unless --no-rewrites says otherwise; what went answers by its name; extracted nodes are those of the file."""
    def nodes(*arguments):
        told = parsed(b, [*arguments, *MODEL, "--target", "reference", "--json"])
        return [node for part in told.get("partitions", []) for node in part["nodes"]]

    expect(b, ["partition"], "nodes", nodes("partition", "chain.onnx"), ["r0"])
    expect(b, ["partition", "--no-rewrites"], "nodes", nodes("partition", "chain.onnx", "--no-rewrites"), ["r0", "r1", "r2", "r3"])
    b.answers(["why", "chain.onnx", "r2", *MODEL], "r0 (onnx.Relu) goes to")
    b.answers(["why", "chain.onnx", "r2", *MODEL, "--no-rewrites"], "r2 (onnx.Relu) goes to")
    for arguments in ([], ["--no-rewrites"]):
        b.answers(["partition", "chain.onnx", *MODEL, *arguments, "--out", "normal.json"])
        # The plan says whether there were rules.
        b.answers(["verify", "chain.onnx", "normal.json"], "holds")
        b.answers(["run", "chain.onnx", "--plan", "normal.json", "--check"], "agrees")
        b.answers(["verify", "chain.onnx", "normal.json", *arguments], "holds")
        b.answers(["run", "norm.onnx", *MODEL, "--check", *arguments], "agrees")
    # A plan says that sums were joined, and its readers join them too.
    steps = [seeds.node("Add", ["x", "a"], ["s"], "first", []), seeds.node("Add", ["s", "b"], ["y"], "second", [])]
    ends = [seeds.value_info("x", [3])], [seeds.value_info("y", [3])]
    b.write("sums.onnx", seeds.model(seeds.graph(steps, *ends, [seeds.tensor("a", [3], [1, 2, 3]), seeds.tensor("b", [3], [4, 5, 6])])))
    for arguments, count in (([], 2), (["--reassociate"], 1)):
        b.answers(["partition", "sums.onnx", *MODEL, *arguments, "--target", "reference", "--out", "sums.json"])
        told = json.loads(b.read("sums.json"))
        expect(b, ["partition", *arguments], "nodes", sum(len(p["nodes"]) for p in told["partitions"]), count)
        expect(b, ["partition", *arguments], "reassociate", told.get("reassociate", False), count == 1)
        b.answers(["run", "sums.onnx", "--plan", "sums.json", "--check"], "agrees")
        b.answers(["verify", "sums.onnx", "sums.json"], "holds")
    b.answers(["partition", "sums.onnx", *MODEL, "--target", "reference", "--out", "sums.json"])
    b.refuses(["run", "sums.onnx", "--plan", "sums.json", "--reassociate"], "'sums.json'")
    b.answers(["partition", "chain.onnx", *MODEL, "--out", "normal.json"])
    b.refuses(["verify", "chain.onnx", "normal.json", "--no-rewrites"], "'normal.json'")
    told = json.loads(b.read("normal.json"))
    b.refuses(["verify", "chain.onnx", b.write("normal.json", json.dumps({**told, "rewrites": 5}))], "'normal.json'", "true or false")
    shown = b.answers(["show", "norm.onnx", "--text"], "onnx.Conv")
    expect(b, ["show"], "batch normalisations", shown.count("BatchNormalization"), 0)
    expect(b, ["show"], "transposes", shown.count("Transpose"), 0)
    shown = b.answers(["show", "norm.onnx", "--text", "--no-rewrites"], "onnx.BatchNormalization")
    expect(b, ["show", "--no-rewrites"], "transposes", shown.count("onnx.Transpose("), 2)
    b.answers(["check", "good", "--no-rewrites", "--target", "reference"], "1 passed, 0 failed")
    b.refuses(["rewrite", "rules.txt", "chain.onnx", "--no-rewrites"], "--no-rewrites")
    b.answers(["rewrite", "book:normal", "norm.onnx"], "conv_batch_norm: fired 1 of 1 match", "transpose_of_transpose: fired 1 of 1 match")
    b.refuses(["rewrite", "book:nromal", "norm.onnx"], "'nromal'", "'normal'")


def normalised():
    """Conv and BatchNormalization, and a Relu between two Transposes that cancel."""
    numbers = [seeds.tensor(name, [2], values) for name, values in (("s", [1, 2]), ("t", [0, 0.5]), ("m", [0.25, 0]), ("v", [1, 4]))]
    nodes = [seeds.node("Conv", ["x", "w"], ["c"], "conv"), seeds.node("BatchNormalization", ["c", "s", "t", "m", "v"], ["n"], "norm"),
             seeds.node("Transpose", ["n"], ["a"], "there", [seeds.integers("perm", [0, 2, 3, 1])]), seeds.node("Relu", ["a"], ["r"], "relu"),
             seeds.node("Transpose", ["r"], ["y"], "back", [seeds.integers("perm", [0, 3, 1, 2])])]
    weights = [seeds.tensor("w", [2, 3, 1, 1], [0.25 * i - 1 for i in range(6)]), *numbers]
    return seeds.model(seeds.graph(nodes, [seeds.value_info("x", [1, 3, 4, 4])], [seeds.value_info("y", [1, 2, 4, 4])], weights))


def wide_instance():
    """Each node reads all that stand before it, which is too wide to be eliminated."""
    count = 40
    edges = [[u, v] for v in range(count) for u in range(max(0, v - 14), v)]
    candidates = [{"nodes": [v], "cost": 1 + (v * 7 + k * 3) % 5, "backend": k, "in": k, "out": k} for v in range(count) for k in range(4)]
    table = [[0 if f == g else 1 + (f + g) % 3 for g in range(4)] for f in range(4)]
    return {"nodes": count, "edges": edges, "formats": 4, "conversions": {"default": table}, "candidates": candidates}


def main(arguments):
    b = Bench(arguments[0])
    b.write("chain.onnx", relu([1, 3], 4))
    b.write("norm.onnx", normalised())
    b.write("steps.onnx", chain("LeakyRelu", [1, 3], 4))
    b.write("conv.onnx", convolution())
    b.write("long.onnx", chain("LeakyRelu", [1, 3], 1100))
    b.write("ladder.onnx", seeds.model(seeds.graph([seeds.node("LeakyRelu", ["x" if i == 0 else f"t{i}"], [f"t{i + 1}"], f"r{i}") for i in range(60)] +
                                                   [seeds.node("Tanh", ["t60"], [f"y{i}"], f"end{i}") for i in range(40)],
                                                   [seeds.value_info("x", [1, 3])], [seeds.value_info(f"y{i}", [1, 3]) for i in range(40)])))
    tap = Tap()
    for group in (check, weights, defaults, extract, verify, targets, search, proof, why, decided, constraints, rules, objectives, pareto, grep, rewriting, normalising):
        group(b)
        tap.verdict(group.__doc__.splitlines()[0], b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
