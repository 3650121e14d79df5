# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""The verbs about places of Relay programs: place.py PROGRAM"""
import json
import re
import struct
import subprocess
import sys

from tool import LIMIT_S, Bench, Tap, convolution, relu

# Places by name: device type as DLPack numbers it, kind of the target, memory scope.
PLACES = {"cpu": (1, None, ""), "gpu": (2, None, ""), "near": (1, None, "near"), "dev": (12, None, ""), "llvm": (1, "llvm", ""), "cuda": (2, "cuda", ""), "scope": (-1, None, "far")}
KEYS = {"llvm": ["cpu"], "cuda": ["cuda", "gpu"]}


def relay(body):
    """A program in which a place is a name in square brackets, `virtual_device=[cpu]`, with its metadata."""
    nodes = [{"type_key": ""}, {"type_key": "Map", "keys": ["VirtualDevice"], "data": [2]}, {"type_key": "Array", "data": []}]

    def add(key, **what):
        nodes.append({"type_key": key, **what})
        return str(len(nodes) - 1)

    def string(text):
        return add("runtime.String", **({"repr_str": text} if text else {}))

    def target(kind):
        keys = [int(string(k)) for k in KEYS[kind]]
        return add("Target", attrs={"attrs": add("Map"), "features": add("Map"), "host": "0", "keys": add("Array", data=keys), "tag": string(""),
                                    "kind": add("TargetKind", attrs={"default_device_type": "1", "default_keys": "0", "name": string(kind)})})

    for number, (name, (device, kind, scope)) in enumerate(PLACES.items()):
        body = body.replace(f"=[{name}]", f"=meta[VirtualDevice][{number}]")
        attributes = {"device_type_int": str(device), "memory_scope": string(scope), "target": target(kind) if kind else "0",
                      "virtual_device_id": "0" if device > 0 else "-1"}
        nodes[2]["data"].append(int(add("VirtualDevice", attrs=attributes)))
    whole = {"root": 1, "nodes": nodes, "b64ndarrays": [], "attrs": {"tvm_version": "0.15.0"}}
    return f'#[version = "0.0.5"]\n{body}\n#[metadata]\n{json.dumps(whole)}\n'


ROW = "Tensor[(4), float32]"
PLANNED = f"""def @main(%x {{virtual_device=[cpu]}}: {ROW}, %y {{virtual_device=[gpu]}}: {ROW}, virtual_device=[gpu]) -> {ROW} {{
  %0 = negative(%x);
  %1 = on_device(%0, virtual_device=[cpu], constrain_result=True);
  %2 = device_copy(%1, src_virtual_device=[cpu], dst_virtual_device=[gpu]);
  %3 = add(%2, %y);
  let %z: {ROW} = on_device(%3, virtual_device=[gpu], constrain_result=True);
  multiply(%z, 2f)
}}"""
ANNOTATED = f"""def @main(%x: {ROW}, %y: {ROW}) -> {ROW} {{
  %0 = negative(%x);
  %1 = on_device(%0, virtual_device=[cpu]);
  let %z = add(%1, %y);
  multiply(%z, 2f)
}}"""
# All kinds of expressions, everything in one place.
EVERYTHING = """type Chain[A] { Link(A, Chain[A]), End, }
def @main(%c {virtual_device=[gpu]}: bool, %x {virtual_device=[gpu]}: int64, virtual_device=[gpu]) -> (int64, bool) {
  %0 = ref(%x);
  let %r: ref(int64) = on_device(%0, virtual_device=[gpu], constrain_result=True);
  let %f: fn (int64) -> int64 = fn (%a {virtual_device=[gpu]}: int64, virtual_device=[gpu]) -> int64 { negative(%a) };
  %1 = ref_write(%r, 2i64);
  let %v: () = on_device(%1, virtual_device=[gpu], constrain_result=True);
  %2 = End;
  %3 = Link(%x, %2);
  let %l: Chain[int64] = on_device(%3, virtual_device=[gpu], constrain_result=True);
  %5 = if (%c) { match? (%l) { Link(%h: int64, _) => { %h }, } } else { %4 = ref_read(%r);  %f(%4) };
  %6 = (%5, 1.5f);
  %7 = %6.0;
  %8 = fn (%b: int64, Primitive=1) -> int64 { add(%b, %b) };
  %9 = %8(%7);
  (%9, True)
}"""


def npy(letters, shape, values):
    code = {"<f4": "f", "<i8": "q", "|b1": "?"}[letters]
    header = f"{{'descr': '{letters}', 'fortran_order': False, 'shape': ({''.join(f'{s},' for s in shape)}), }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}{code}", *values)


def values(content):
    """The shape and the elements of an .npy file."""
    length = struct.unpack("<H", content[8:10])[0]
    header = content[10:10 + length].decode()
    code = {"<f4": "f", "<i8": "q", "|b1": "?", "|u1": "B"}[re.search(r"'descr': '([^']*)'", header).group(1)]
    shape = tuple(int(s) for s in re.findall(r"\d+", re.search(r"'shape': \(([^)]*)\)", header).group(1)))
    body = content[10 + length:]
    return shape, [v for (v,) in struct.iter_unpack("<" + code, body)]


def write(b, name, body):
    return b.write(name, relay(body))


def expect(b, arguments, what, got, wanted):
    if got != wanted:
        b.problem(arguments, f"gives {what} {got!r} where {wanted!r} was expected")


def complains(b, arguments, status, *words):
    """The call is refused with more than a sentence."""
    code, out, err = b.call(*arguments)
    if code != status or out or not err.startswith("inlay: "):
        b.problem(arguments, f"gives {code} and {out[:100]!r} where {status} was expected: {err[-300:]}")
    for word in words:
        if word not in err:
            b.problem(arguments, f"does not say {word!r}: {err[-500:]!r}")


def equal(b):
    """equal finds the first difference, and is silent where there is none."""
    write(b, "planned.relay", PLANNED)
    same = PLANNED.replace("%x", "%first").replace("%z", "%other").replace("%0", "%70").replace("constrain_result=True", "constrain_body=True, constrain_result=1")
    write(b, "same.txt", same)
    expect(b, ["equal"], "an answer", b.answers(["equal", "planned.relay", "same.txt"]), "")
    expect(b, ["equal"], "an answer", b.answers(["equal", "planned.relay", "planned.relay"]), "")
    for change, words in ((("negative", "exp"), ("'negative'", "'exp'")), (("2f", "3f"), ("constant",)),
                          (("constrain_result=True);\n  %2", "constrain_result=False);\n  %2"), ("constrain_result",)),
                          (("dst_virtual_device=[gpu]", "dst_virtual_device=[cuda]"), ("destination",)),
                          (("%x {virtual_device=[cpu]}", "%x {virtual_device=[near]}"), ("place", "'x'", "near")),
                          (("add(%2, %y)", "add(%y, %2)"), ("'device_copy'",)), (("%3 = add(%2, %y);", "%3 = add(%2, %2);"), ("'device_copy'",))):
        body = PLANNED.replace(*change)
        if body == PLANNED:
            b.problem(["equal"], f"was not given {change}")
        write(b, "changed.rly", body)
        told = b.answers(["equal", "planned.relay", "changed.rly"], *words, status=1)
        if told.count("\n") != 1 or not told.startswith("in @main, ") or " of the first program" not in told:
            b.problem(["equal"], f"does not say the difference and where it is in one line: {told!r}")
        b.answers(["equal", "changed.rly", "planned.relay"], status=1)
    whole = json.loads(b.answers(["equal", "planned.relay", "changed.rly", "--json"], status=1) or "{}")
    expect(b, ["equal", "--json"], "keys", list(whole), ["version", "equal", "difference"])
    expect(b, ["equal", "--json"], "an answer", json.loads(b.answers(["equal", "planned.relay", "same.txt", "--json"]) or "{}"), {"version": 1, "equal": True})
    b.write("broken.relay", "def @main(")
    complains(b, ["equal", "planned.relay", "broken.relay"], 2, "'broken.relay'", "line 1, column 11", "^")
    write(b, "ill_typed.relay", PLANNED.replace("2f", "2"))
    b.refuses(["equal", "planned.relay", "ill_typed.relay"], "'ill_typed.relay'", "line 8, column 3 (multiply)")
    b.refuses(["equal", "lost.relay", "planned.relay"], "lost.relay")
    b.refuses(["equal", "planned.relay"], "other")
    b.refuses(["equal", "-", "-"], "standard input")


def devices(b):
    """devices numbers the expressions of main in post order, and says where each is."""
    write(b, "planned.relay", PLANNED)
    lines = [line.split("\t")[:2] for line in b.answers(["devices", "planned.relay"]).splitlines()]
    expect(b, ["devices"], "lines", lines,
           [["0", "cpu"], ["1", "cuda"], ["6", "cpu"], ["7", "cpu"]] + [[str(i), "cuda"] for i in (8, 9, 10, 11, 13, 14, 15, 16)])
    write(b, "everything.relay", EVERYTHING)
    out = b.answers(["devices", "everything.relay"])
    expect(b, ["devices"], "devices", {line.split("\t")[1] for line in out.splitlines()}, {"cuda"})
    # 2 is on_device, 7 negative, 15 and 16 the constructors, 22 add.
    expect(b, ["devices"], "indices", [int(line.split("\t")[0]) for line in out.splitlines()],
           [i for i in range(41) if i not in (2, 7, 15, 16, 22)])
    whole = json.loads(b.answers(["devices", "planned.relay", "--json"]) or "{}")
    expect(b, ["devices", "--json"], "the first", whole.get("expressions", [{}])[0],
           {"index": 0, "device_type": "cpu", "place": "cpu:0", "what": "%x", "line": 2, "column": 11})
    b.refuses(["devices", "lost.relay"], "lost.relay")


def simulate(b):
    """run --simulate runs a planned program, and refuses one that finds a tensor in the wrong memory."""
    write(b, "planned.relay", PLANNED)
    b.write("x.npy", npy("<f4", [4], [1, 2, 3, 4]))
    b.write("y.npy", npy("<f4", [4], [10, 20, 30, 40]))
    inputs = ["--arg", "x.npy", "--arg", "y.npy", "--simulate"]
    b.answers(["run", "planned.relay", *inputs, "--out", "z.npy", "--check"], "float32[4]", "agrees")
    expect(b, ["run"], "a result", values(b.read("z.npy")), ((4,), [18.0, 36.0, 54.0, 72.0]))
    for change, words in ((("%3 = add(%2, %y);", "%3 = add(%1, %y);"), ("add", "operand 0 is in the memory of cpu", "in the memory of cuda")),
                          (("src_virtual_device=[cpu]", "src_virtual_device=[near]"), ("device_copy", "the memory 'near' of cpu")),
                          (("virtual_device=[gpu]) ->", "virtual_device=[cpu]) ->"), ("memory",)),
                          (("%y {virtual_device=[gpu]}", "%y {virtual_device=[cpu]}"), ("add", "operand 1")),
                          (("negative(%x)", "nowhere(%x)"), ("'nowhere'",))):
        write(b, "changed.relay", PLANNED.replace(*change))
        b.refuses(["run", "changed.relay", *inputs, "--out", "wrong.npy"], "line ", *words, status=1)
    write(b, "everything.relay", EVERYTHING)
    b.write("n.npy", npy("<i8", [], [5]))
    for condition, wanted in ((True, 10), (False, -4)):
        b.write("c.npy", npy("|b1", [], [condition]))
        b.answers(["run", "everything.relay", "--arg", "c.npy", "--arg", "n.npy", "--simulate", "--out", "one.npy", "--out", "two.npy"], "int64[]")
        expect(b, ["run"], "a result", values(b.read("one.npy"))[1], [wanted])
        expect(b, ["run"], "a result", values(b.read("two.npy"))[1], [1])
    b.refuses(["run", "everything.relay", "--arg", "n.npy", "--arg", "n.npy", "--simulate"], "'c'", status=1)
    nested = PLANNED.replace(f"-> {ROW} {{\n  %0", f"-> (({ROW}, {ROW}), Box) {{\n  %0").replace("multiply(%z, 2f)", "((%z, %y), Made(%z))")
    write(b, "nested.relay", f"type Box {{ Made({ROW}), }}\n" + nested)
    out = b.answers(["run", "nested.relay", *inputs, "--check"], "agrees")
    expect(b, ["run"], "results", [line.split()[0] for line in out.splitlines()], ["result0", "result1", "result2"])
    # The interpreter and a plan name results alike, an operand and a single result too.
    for text, names in (("nn.relu(%x)", ["result0"]), ("(%x, nn.relu(%x))", ["result0", "result1"])):
        write(b, "named.relay", f"def @main(%x: {ROW}) {{\n  {text}\n}}\n")
        for how in ([], ["--interpret"]):
            out = b.answers(["run", "named.relay", *how])
            expect(b, ["run", *how], "results", [line.split()[0] for line in out.splitlines()], names)
    b.refuses(["run", "everything.relay", "--arg", "lost.npy", "--simulate"], "lost.npy")
    b.write("model.onnx", relu([1, 3]))
    b.refuses(["run", "model.onnx", "--simulate"], "'--simulate'")
    b.refuses(["run", "planned.relay", "--simulate", "--interpret"], "--simulate", "--interpret")


def place(b):
    """place plans a program, which then runs and is its own plan."""
    write(b, "program.relay", ANNOTATED)
    b.write("x.npy", npy("<f4", [4], [1, 2, 3, 4]))
    b.write("y.npy", npy("<f4", [4], [10, 20, 30, 40]))
    targets = ["--target", "llvm, cuda -arch=sm_50 -max_num_threads=1024", "--fallback-device", "cuda"]
    planned = b.answers(["place", "program.relay", *targets], '#[version = "0.0.5"]\n', "device_copy(", "constrain_result=True", "#[metadata]")
    b.write("planned.relay", planned)
    b.answers(["run", "planned.relay", "--arg", "x.npy", "--arg", "y.npy", "--simulate", "--out", "z.npy"])
    expect(b, ["place"], "a program that gives", values(b.read("z.npy")), ((4,), [18.0, 36.0, 54.0, 72.0]))
    seen = {line.split("\t")[1] for line in b.answers(["devices", "planned.relay"]).splitlines()}
    expect(b, ["devices"], "devices", seen, {"cpu", "cuda"})
    b.write("again.relay", b.answers(["place", "planned.relay", *targets]))
    expect(b, ["place"], "a plan of the plan that", b.answers(["equal", "planned.relay", "again.relay"]), "")
    # A host is the host of all, and itself has none.
    hosted = b.answers(["place", "program.relay", "--target", "llvm, cuda -arch=sm_50", "--host", "llvm -mcpu=core-avx2", "--fallback-device", "cuda"], "core-avx2")
    b.write("hosted.relay", hosted)
    b.answers(["equal", "planned.relay", "hosted.relay"], "the place of", "-host=", "core-avx2", status=1)
    b.refuses(["place", "program.relay", "--target", "cuda"], "device of type cpu", status=1)
    plain = b.answers(["place", "program.relay"], "virtual_device=")
    if "device_copy" in plain:
        b.problem(["place"], "copies though there is one device")
    whole = json.loads(b.answers(["place", "program.relay", *targets, "--json"]) or "{}")
    expect(b, ["place", "--json"], "the program", whole.get("program"), planned)
    twice = ANNOTATED.replace("add(%1, %y)", "add(%1, add(%1, %y))")
    write(b, "twice.relay", twice)
    copies = [b.answers(["place", "twice.relay", *targets, *more]).count("device_copy(") for more in ([], ["--share-copies"])]
    expect(b, ["place", "--share-copies"], "copies", copies, [2, 1])
    clash = ANNOTATED.replace("on_device(%0, virtual_device=[cpu])", "on_device(%0, virtual_device=[cpu], constrain_result=True)")
    write(b, "clash.relay", clash.replace("%y: ", "%y {virtual_device=[gpu]}: ").replace("let %z = add(%1, %y)", "let %z = add(%1, negative(%y))"))
    complains(b, ["place", "clash.relay", *targets], 1, "on cuda:0", "on cpu:0", "the parameter %y (line 2, column 37)", "the call of on_device (line 4, column 8)")
    b.refuses(["place", "program.relay", "--target", "cdua"], "'cdua'", "'cuda'")
    b.refuses(["place", "program.relay", "--target", "cuda -arhc=sm_50"], "arhc")
    b.refuses(["place", "program.relay", "--fallback-device", "cuda"], "cuda")
    b.refuses(["place", "program.relay", "--fallback-device", "gpu"], "'gpu'")
    b.refuses(["place", "program.relay", "--host", "what"], "--host", "'what'")
    b.refuses(["place", "lost.relay"], "lost.relay")
    write(b, "unknown.relay", ANNOTATED.replace("%0 = negative(%x)", "%0 = somewhere.else(%x)"))
    # An operator without a type rule leaves a type open, and stops neither planning nor reading what it gave.
    text = b.answers(["place", "unknown.relay", *targets], "somewhere.else(%x)", "device_copy(", "#[metadata]")
    b.write("unknown_planned.relay", text)
    expect(b, ["equal"], "an answer", b.answers(["equal", "unknown_planned.relay", "unknown_planned.relay"]), "")
    b.write("unknown_again.relay", b.answers(["place", "unknown_planned.relay", *targets]))
    expect(b, ["place"], "a plan of the plan that", b.answers(["equal", "unknown_planned.relay", "unknown_again.relay"]), "")
    seen = {line.split("\t")[2].split()[0]: line.split("\t")[1] for line in b.answers(["devices", "unknown_planned.relay"]).splitlines()}
    expect(b, ["devices"], "places", (seen.get("somewhere.else"), seen.get("add")), ("cpu", "cuda"))
    b.answers(["show", "unknown_planned.relay"], "somewhere.else")
    write(b, "every.relay", f"""def @main(%x {{virtual_device=[cpu]}}: {ROW}, %y: _) -> {ROW} {{
  %0 = on_device(somewhere.else(%x, axis=1), virtual_device=[cpu]);
  let %z = %0.1;
  let %f = fn (%a) {{ nowhere(%a, %z) }};
  %1 = if (lost(%x)) {{ %f(%y) }} else {{ found(%z) }};
  let %t = (%1, %x);
  let %r = ref(%t.0);
  let %g = other(%f);
  %2 = on_device(ref_read(%r), virtual_device=[cpu]);
  %3 = on_device(%g(%y), virtual_device=[cpu]);
  let %q = on_device(gone(%2, %3), virtual_device=[gpu]);
  add(%q, %q)
}}""")
    b.write("every_planned.relay", b.answers(["place", "every.relay", "--target", "llvm, cuda"], "device_copy(", "(_, Tensor[(4), float32])"))
    b.write("every_again.relay", b.answers(["place", "every_planned.relay", "--target", "llvm, cuda"]))
    expect(b, ["place"], "a plan of the plan that", b.answers(["equal", "every_planned.relay", "every_again.relay"]), "")
    # The attributes of targets: those that were given, and those that a kind has by default.
    for target, wanted in (("cuda", {"arch": "sm_50", "max_num_threads": "1024", "thread_warp_size": "32"}),
                           ("vulkan", {"max_num_threads": "256", "max_threads_per_block": "256", "supports_float32": "1", "supports_int32": "1",
                                       "thread_warp_size": "1"}),
                           ("rocm", {"max_num_threads": "256", "max_shared_memory_per_block": "65536", "max_threads_per_block": "256", "mcpu": "gfx900",
                                     "mtriple": "amdgcn-amd-amdhsa-hcc", "thread_warp_size": "64"}),
                           ("cuda -arch=sm_50 -max_num_threads=1024 -l2_cache_size_bytes=0",
                            {"arch": "sm_50", "l2_cache_size_bytes": "0", "max_num_threads": "1024", "thread_warp_size": "32"}),
                           ("llvm", {}), ("llvm -opt-level=0 -fast-math=0", {"fast-math": "0", "opt-level": "0"}),
                           ("llvm -device=arm_cpu", {"device": "arm_cpu"}), ("ext_dev -model=x", {"model": "x"})):
        b.write("bare.relay", f'#[version = "0.0.5"]\ndef @main(%x: {ROW}) -> {ROW} {{ negative(%x) }}\n')
        told = json.loads(b.answers(["place", "bare.relay", "--target", target]).split("#[metadata]\n")[1])["nodes"]
        found = [one for one in told if one["type_key"] == "Target" and told[int(told[int(one["attrs"]["kind"])]["attrs"]["name"])]["repr_str"] == target.split()[0]]
        for one in found:
            attributes = told[int(one["attrs"]["attrs"])]
            got = {k: told[v].get("repr_str") or told[v]["attrs"]["value"] for k, v in zip(attributes.get("keys", []), attributes.get("data", []))}
            expect(b, ["place", target], "attributes", got, wanted)
        expect(b, ["place", target], "a target", len(found) > 0, True)
    # A kernel whose argument is in another memory.
    write(b, "kernel.relay", """def @main(%x {virtual_device=[scope]}: int64) -> int64 {
  %0 = fn (%b: int64, Primitive=1) -> int64 { add(%b, %b) };
  %0(%x)
}""")
    b.write("kernel_planned.relay", b.answers(["place", "kernel.relay", "--target", "llvm, ext_dev"]))
    b.write("n.npy", npy("<i8", [], [5]))
    b.answers(["run", "kernel_planned.relay", "--simulate", "--arg", "n.npy", "--out", "r.npy", "--check"], "agrees")
    expect(b, ["run"], "a result", values(b.read("r.npy"))[1], [10])


def params(b):
    """--param makes constants of a saved program's weights, for every verb that takes a model."""
    square = "Tensor[(2, 2), float32]"
    write(b, "saved.relay", f"""def @main(%x: {square}, %w {{virtual_device=[cpu]}}: {square}, %b: Tensor[(2), float32]) -> {square} {{
  %0 = nn.dense(%x, %w, units=None);
  nn.bias_add(%0, %b)
}}""")
    b.write("x.npy", npy("<f4", [2, 2], [1, 2, 3, 4]))
    b.write("w.npy", npy("<f4", [2, 2], [1, 0, 2, 1]))
    b.write("b.npy", npy("<f4", [2], [10, 20]))
    bound, by = ["--param", "w=w.npy", "--param", "b=b.npy"], ["--costs", "model", "--quiet", "--target", "reference"]
    wanted = ((2, 2), [11.0, 24.0, 13.0, 30.0])
    b.answers(["run", "saved.relay", *bound, *by, "--arg", "x.npy", "--out", "y.npy", "--check"], "agrees")
    expect(b, ["run"], "a result", values(b.read("y.npy")), wanted)
    b.answers(["run", "saved.relay", "--param", "w=w.npy", *by, "--input", "b=b.npy", "--input", "x=x.npy", "--out", "y.npy"])
    expect(b, ["run"], "a result", values(b.read("y.npy")), wanted)
    b.answers(["partition", "saved.relay", *bound, *by], "reference")
    b.write("placed.relay", b.answers(["place", "saved.relay", *bound, "--target", "llvm"], "meta[relay.Constant][1]", "def @main(%x {"))
    b.answers(["run", "placed.relay", "--simulate", "--arg", "x.npy", "--out", "z.npy", "--check"], "agrees")
    expect(b, ["run"], "a result", values(b.read("z.npy")), wanted)
    b.answers(["show", "saved.relay", *bound], "w\tconstant\tfloat32[2,2]")
    b.answers(["emit", "saved.relay", *bound, *by[:3], "--target", "c", "--out", "made"])
    b.refuses(["run", "saved.relay", "--param", "v=w.npy", *by], "'v'", "no parameter")
    b.refuses(["run", "saved.relay", "--param", "w=b.npy", *by], "'saved.relay'", "parameter 'w' is of type float32[2,2], and was given float32[2]")
    b.refuses(["run", "saved.relay", "--param", "w=w.npy", "--param", "w=w.npy", *by], "'w'", "twice")
    b.refuses(["show", "saved.relay", "--param", "w"], "NAME=FILE")
    b.refuses(["show", "saved.relay", "--param", "w=lost.npy"], "lost.npy")
    b.write("model.onnx", relu([1, 3]))
    b.write("r.npy", npy("<f4", [1, 3], [-1, 2, -3]))
    b.answers(["show", "model.onnx", "--param", "x=r.npy"])


def others(b):
    """All verbs that take a model read Relay text, from standard input too."""
    write(b, "program.relay", PLANNED)
    out = b.answers(["show", "program.relay"], "negative", "cpu:0", "cuda:0")
    told = json.loads(b.answers(["show", "program.relay", "--json"]) or "{}")
    places = {one["op"]: one.get("place") for one in told.get("nodes", [])}
    expect(b, ["show", "--json"], "places", [places.get("negative"), places.get("add")], ["cpu:0", "cuda:0"])
    b.answers(["show", "program.relay", "--dot"], "digraph", "cuda:0")
    b.write("shown.relay", b.answers(["show", "program.relay", "--text"], "#[metadata]"))
    expect(b, ["show", "--text"], "a program that", b.answers(["equal", "program.relay", "shown.relay"]), "")
    done = subprocess.run([b.program, "show", "-"], cwd=b.folder, env=b.environment, input=relay(PLANNED).encode(), capture_output=True, timeout=LIMIT_S, check=False)
    expect(b, ["show", "-"], "an answer", (done.returncode, done.stdout.decode()), (0, out))
    simple = f"def @main(%x: {ROW}) -> {ROW} {{\n  %0 = nn.relu(%x);\n  nn.relu(%0)\n}}"
    write(b, "simple.relay", simple)
    expect(b, ["grep"], "matches", b.answers(["grep", "nn.relu(?x)", "simple.relay", "--count"]), "2\n")
    expect(b, ["grep"], "matches", b.answers(["grep", "add(negative(...), ?y)", "program.relay", "--count"], status=1), "0\n")
    expect(b, ["grep"], "matches", b.answers(["grep", "add(?x, ?y)", "program.relay"]), "add#5\tx=device_copy#4\ty=y\n")
    b.write("rules.txt", "twice: nn.relu(?r:nn.relu) => ?r;\nplain: add(?x, ?x) => multiply(?x, ?x);\n")
    b.answers(["rewrite", "rules.txt", "simple.relay"], "%0 = nn.relu(%x);\n  %0\n", "// twice: fired 1")
    b.answers(["partition", "simple.relay", "--costs", "model", "--target", "reference", "--quiet"], "reference")
    b.write("x.npy", npy("<f4", [4], [-1, 2, -3, 4]))
    b.answers(["run", "simple.relay", "--costs", "model", "--target", "reference", "--quiet", "--arg", "x.npy", "--out", "y.npy"])
    expect(b, ["run"], "a result", values(b.read("y.npy"))[1], [0, 2, 0, 4])


def circle(b):
    """A saved program is planned, mapped, partitioned, run, and goes out as a text that reads back; so does an ONNX model."""
    by = ["--costs", "model", "--quiet", "--target"]
    square = "Tensor[(4, 4), float32]"
    program = f"""def @part(%a: {square}, Compiler="reference", Primitive=1, Inline=1, global_symbol="part") -> {square} {{ nn.relu(nn.relu(%a)) }}
def @twice(%f: fn ({square}) -> {square}, %x: {square}) -> {square} {{ %f(%f(%x)) }}
def @main(%x: {square}, %w: {square}) -> {square} {{
  let %y: {square} = @part(%x);
  let %g: fn ({square}) -> {square} = fn (%a: {square}) -> {square} {{ nn.dense(%a, %w, units=None) }};
  %0 = on_device(add(%y, %x), virtual_device=[dev]);
  @twice(%g, %0)
}}"""
    write(b, "saved.relay", program)
    b.write("x.npy", npy("<f4", [4, 4], [((7 * i) % 11 - 5) / 4 for i in range(16)]))
    b.write("w.npy", npy("<f4", [4, 4], [((5 * i) % 13 - 6) / 4 for i in range(16)]))
    inputs = ["--arg", "x.npy", "--arg", "w.npy"]
    b.write("placed.relay", b.answers(["place", "saved.relay", "--target", "llvm, ext_dev", "--fallback-device", "cpu"]))
    b.answers(["run", "placed.relay", "--simulate", *inputs, "--out", "meant.npy", "--check"], "agrees")
    both = by + ["simulated_device,reference"]
    for name in ("saved", "placed"):
        b.answers(["partition", f"{name}.relay", *both], "simulated_device", "copy  ", "bytes copied between memories")
        b.answers(["run", f"{name}.relay", *both, *inputs, "--out", "run.npy", "--check"], "agrees")
        expect(b, ["run"], "a result", values(b.read("run.npy")), values(b.read("meant.npy")))
        text = b.answers(["partition", f"{name}.relay", *both, "--text"], 'Compiler="reference"', 'Compiler="simulated_device"')
        b.write("parted.relay", text)
        b.answers(["show", "parted.relay"], "onnx.Relu")
        b.write("planned.relay", b.answers(["place", "parted.relay"]))
        b.answers(["run", "parted.relay", *both, *inputs, "--out", "again.npy"])
        expect(b, ["run"], "a result", values(b.read("again.npy")), values(b.read("meant.npy")))
    json_plan = json.loads(b.answers(["partition", "saved.relay", *both, "--json"]) or "{}")
    owners = {node: part["backend"] for part in json_plan.get("partitions", []) for node in part["nodes"]}
    expect(b, ["partition"], "owners of the part and of what is on the device",
           [owners.get("onnx.Relu#2"), {o for n, o in owners.items() if "Add" in n}], ["reference", {"simulated_device"}])
    b.refuses(["partition", "saved.relay", *by, "reference"], "'onnx.Add'", "is placed on ext_dev", status=1)
    write(b, "other.relay", program.replace('"reference"', '"onednn"'))
    b.refuses(["partition", "other.relay", *both], "'part' of 'onednn'", "takes no part", status=1)

    b.write("model.onnx", convolution())
    b.write("parted.relay", b.answers(["partition", "model.onnx", *by, "reference", "--text"], "#[metadata]"))
    b.write("planned.relay", b.answers(["place", "parted.relay"]))
    expect(b, ["equal"], "an answer", b.answers(["equal", "parted.relay", "parted.relay"]), "")
    b.answers(["run", "model.onnx", *by, "reference", "--out", "first.npy"])
    for call in (["parted.relay", *by, "reference"], ["planned.relay", "--simulate"]):
        b.answers(["run", *call, "--out", "second.npy", "--check"], "agrees")
        expect(b, ["run"], "a shape", values(b.read("second.npy"))[0], values(b.read("first.npy"))[0])
    b.write("again.relay", b.answers(["partition", "parted.relay", *by, "reference", "--text"]))
    expect(b, ["partition"], "parts of parts that", b.answers(["equal", "parted.relay", "again.relay"]), "")


def main(program):
    tap = Tap()
    b = Bench(program)
    for check in (equal, devices, simulate, place, params, others, circle):
        check(b)
        tap.verdict(check.__doc__, b.take())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
