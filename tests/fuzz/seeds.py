# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""The first inputs of the fuzz targets: small files that are right, and the same cut short and with bytes changed."""
import base64
import glob
import json
import os
import random
import struct

ONNX_DATA = os.environ.get("INLAY_ONNX_TESTDATA", "/usr/share/libonnx-testdata/data")


def varint(value):
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def dimension(size):
    return block(1, block(2, size) if isinstance(size, str) else number(1, size))


def value_info(name, shape, element=1):
    tensor = number(1, element) + block(2, b"".join(dimension(d) for d in shape))
    return block(1, name) + block(2, block(1, tensor))


def tensor(name, dims, values):
    return b"".join(number(1, d) for d in dims) + number(2, 1) + block(8, name) + block(9, struct.pack(f"<{len(values)}f", *values))


def node(op, inputs, outputs, name="", attributes=(), domain=""):
    out = b"".join(block(1, i) for i in inputs) + b"".join(block(2, o) for o in outputs) + block(3, name) + block(4, op)
    out += b"".join(block(5, a) for a in attributes)
    return out + (block(7, domain) if domain else b"")


def integers(name, values):
    return block(1, name) + b"".join(number(8, v) for v in values) + number(20, 7)


def graph_attribute(name, graph):
    return block(1, name) + block(6, graph) + number(20, 5)


def graph(nodes, inputs, outputs, initializers=(), name="g"):
    out = b"".join(block(1, n) for n in nodes) + block(2, name) + b"".join(block(5, i) for i in initializers)
    return out + b"".join(block(11, i) for i in inputs) + b"".join(block(12, o) for o in outputs)


def model(body, opset=13, ir=7):
    return number(1, ir) + block(2, "seeds") + block(7, body) + block(8, block(1, "") + number(2, opset))


def onnx_models():
    yield model(graph([node("Relu", ["x"], ["y"], "r")], [value_info("x", [1, 3])], [value_info("y", [1, 3])]))
    convolution = node("Conv", ["x", "w", "b"], ["c"], "conv", [integers("strides", [1, 1]), integers("pads", [0, 0, 0, 0])])
    yield model(graph([convolution, node("Relu", ["c"], ["y"])], [value_info("x", ["N", 1, 3, 3])], [value_info("y", ["N", 1, 2, 2])],
                      [tensor("w", [1, 1, 2, 2], [1, 2, 3, 4]), tensor("b", [1], [0.5])]))
    yield model(graph([node("Add", ["x", "x"], ["a"]), node("MatMul", ["a", "w"], ["y"])], [value_info("x", [2, 2])],
                      [value_info("y", [2, 2])], [tensor("w", [2, 2], [1, 0, 0, 1])]), opset=9, ir=3)
    branch = graph([node("Relu", ["x"], ["t"])], [], [value_info("t", [2])], name="branch")
    yield model(graph([node("If", ["k"], ["y"], "if", [graph_attribute("then_branch", branch), graph_attribute("else_branch", branch)])],
                      [value_info("k", [], 9), value_info("x", [2])], [value_info("y", [2])]))
    # Wrong on purpose: a cycle, a huge claim, a negative dimension, too few values, an unknown operator.
    yield model(graph([node("Add", ["x", "b"], ["a"]), node("Relu", ["a"], ["b"])], [value_info("x", [1])], [value_info("b", [1])]))
    yield model(graph([node("Relu", ["x"], ["y"])], [value_info("x", [1 << 40, 1 << 40])], [value_info("y", [-1])]))
    yield model(graph([node("Relu", ["w"], ["y"])], [], [value_info("y", [-3])], [tensor("w", [1000000, 1000000], [1])]))
    yield model(graph([node("Unheard", ["x"], ["y"], domain="of.nobody")], [value_info("x", [1])], [value_info("y", [1])]))
    for folder in ("node/test_add", "node/test_averagepool_2d_pads", "node/test_if", "node/test_loop11", "node/test_softmax_example"):
        for path in glob.glob(os.path.join(ONNX_DATA, folder, "model.onnx")):
            with open(path, "rb") as file:
                yield file.read()


def search_instances():
    right = {
        "nodes": 4, "edges": [[0, 1], [1, 2], [0, 2], [2, 3]], "formats": 2,
        "conversions": {"default": [[0, 3], [3, 0]], "of_node": {"0": [[0, 5], [None, 0]]}}, "share_conversions": True, "acyclic": True,
        "candidates": [
            {"nodes": [0], "cost": 1.5, "backend": 0, "in": 0, "out": 0},
            {"nodes": [1, 2], "cost": 2.0, "backend": 1, "in": 1, "out": 1, "in_of": [[0, 0]], "out_of": [[2, 1]]},
            {"nodes": [3, 1], "cost": 1, "in": 0, "out": 0}]}
    yield json.dumps(right).encode()
    yield json.dumps({"nodes": 0, "edges": [], "formats": 1, "conversions": {"default": [[0]]}, "candidates": []}).encode()
    yield b"{}"
    for key, wrong in (("nodes", 10 ** 18), ("nodes", -1), ("formats", 1 << 62), ("edges", [[0, 1], [1, 0]]), ("candidates", [{"nodes": []}]),
                       ("candidates", None), ("conversions", {"default": [[1, 0], [0, -1]]}), ("unheard", 1)):
        yield json.dumps({**right, key: wrong}).encode()
    yield b"[" * 5000
    yield b'{"nodes": 1e999, "edges": [], "edges": [], "candidates": [{"cost": -0.0, "cost": "\\ud800"}]}'


def patterns():
    yield b"Relu?(?sum:Add~(?c:Conv[group=1, strides=[1,1], !pads, mode=\"a\\x00\"](?x{float32[1,?,n,*]}, const, ...), 0.5))"
    yield b"%a:%a:%a:h"
    yield b"%t:(add/mul~2(%t, %t) | repeat[1..4](f(_) | g(_, *), input \"x\") & !h)"
    yield b"dominates(conv, * | \"if\", (split(*).1.*, (a,), (b, ...), (), tuple~(*)){(int64[], ?, ...)})"
    yield b"fn(..., let(input, if(*, f, g), apply(fn(*), ...)))[Compiler=\"c\"] // a comment\n| match(*, construct(*), global \"main\")"
    yield b"write_ref(make_ref(const#00112233445566778899aabbccddeeff), read_ref(-1e-07)) & *(...)[a=[0.5,2], b=[]] & $f(*)"
    for hostile in (b"(" * 9000, b"*" + b"|*" * 5000, b"!" * 9000, b"?x:" * 3000, b"*" + b".0" * 5000, b"*{" + b"(" * 9000, b"f(" + b"%a:*," * 3000,
                    b"f?(" * 60 + b"x" + b")" * 60, b"\"" * 3, b"f(\xff\xc3\x28\x00)", b"repeat[0..99999999999999999999](f(_), *)", b"1e999"):
        yield hostile


def relay_texts():
    places = json.dumps({"root": 1, "nodes": [
        {"type_key": ""}, {"type_key": "Map", "keys": ["VirtualDevice", "relay.Constant"], "data": [2, 12]}, {"type_key": "Array", "data": [3]},
        {"type_key": "VirtualDevice", "attrs": {"device_type_int": "2", "memory_scope": "4", "target": "5", "virtual_device_id": "0"}},
        {"type_key": "runtime.String", "repr_b64": "AQAAAAAAAAAK"},
        {"type_key": "Target", "attrs": {"attrs": "10", "features": "9", "host": "0", "keys": "7", "kind": "6", "tag": "8"}},
        {"type_key": "TargetKind", "attrs": {"default_device_type": "2", "default_keys": "7", "name": "11"}},
        {"type_key": "Array", "data": [11]}, {"type_key": "runtime.String"}, {"type_key": "Map"},
        {"type_key": "Map", "keys": ["arch", "n"], "data": [8, 14]}, {"type_key": "runtime.String", "repr_str": "cuda"},
        {"type_key": "Array", "data": [13]},
        {"type_key": "relay.Constant", "attrs": {"_checked_type_": "0", "data": "0", "span": "0", "virtual_device_": "0"}},
        {"type_key": "IntImm", "attrs": {"dtype": "int64", "span": "0", "value": "3"}}],
        "b64ndarrays": [base64.b64encode(struct.pack("<QQiiiBBHqq2f", 0xDD5E40F096B4A13F, 0, 1, 0, 1, 2, 32, 1, 2, 8, 1.0, 2.0)).decode()]})
    yield f"""#[version = "0.0.5"]
type Chain[A] {{ Link(A, Chain[A]), End, }} extern type Far
extern def @g(%a {{virtual_device=meta[VirtualDevice][0]}}: Tensor[(2, ?, n), float32], virtual_device=meta[VirtualDevice][0]) -> (bool,);
def @main[T](%x: T, %c: bool, Primitive=1) -> fn (T) -> ref(Chain[T]) {{
  %0 = on_device(%x, virtual_device=meta[VirtualDevice][0], constrain_result=True);
  %1 = device_copy(%0, src_virtual_device=meta[VirtualDevice][0], dst_virtual_device=meta[VirtualDevice][0]);
  let %f = fn (%n: int64) {{ if (%c) {{ %f(%n - 1) }} else {{ match? (%x) {{ Link(%h, (_, Cons(%t, Nil))) => %t, _ => {{ %1 }} }} }} }};
  ref_write(%f, ref_read(ref(2.5f)));
  call_lowered(@g, (%0.0, meta[relay.Constant][0], -2i64 * 3 + 1 == 2), a=[[1, 2], [3]], b="x\\n", c=None, d=1e-05f64) }}
#[metadata]
{places}""".encode()
    yield b"def @main() { %0 = fn (%x) { %1 = f(%x); %1 }; (let %y = 1; %y, %0, 2;3) }"
    yield b"def @f(%x) { %0 = g(1); %0 } def @main() { Rose(%0, Nil) /* /* */ */ // }\n }"
    for hostile in (b"(" * 5000, b"f(" * 5000, b"{" * 9000, b"if(%x){" * 2000, b"let %x = " * 1000, b"match(1){Cons(" * 1000, b"fn(%x: " + b"(" * 3000,
                    b"/*" * 8000, b"f(a=" + b"[" * 9000, b"%x;" * 3000, b"1+" * 8000, b"1" + b".0" * 8000, b"99999999999999999999"):
        yield b"def @main(%x) { " + hostile


def broken(whole):
    """Each file cut at three places and with a byte changed at three places, always the same ones."""
    choose = random.Random(1)
    for content in whole:
        yield content
        for _ in range(3):
            if content:
                yield content[: choose.randrange(len(content))]
                at = choose.randrange(len(content))
                yield content[:at] + bytes([choose.randrange(256)]) + content[at + 1:]


def of(target):
    """The seeds of a fuzz target, by its name."""
    makers = {"import_onnx": onnx_models, "read_search_instance": search_instances, "parse_pattern": patterns, "read_relay": relay_texts}
    return list(broken(list(makers[target]()))) if target in makers else []
