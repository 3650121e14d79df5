// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/read_relay.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/io/relay/relay_document.hpp>
#include <inlay/io/write_file.hpp>
#include <inlay/ir/compare_programs.hpp>
#include <inlay/ir/relay_text.hpp>

#include "io/relay/reading.hpp"
#include "io/temporary_folder.hpp"

using namespace inlay;
using namespace inlay_test;

namespace {

/// Two places, as TVM writes them: both on the CPU with a target that has a host, and the first in a memory of its own.
const std::string metadata = R"(
#[metadata]
{"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": ["VirtualDevice"], "data": [2]},
 {"type_key": "Array", "data": [3, 19, 21]},
 {"type_key": "VirtualDevice", "attrs": {"device_type_int": "1", "memory_scope": "18", "target": "4", "virtual_device_id": "0"}},
 {"type_key": "Target", "attrs": {"attrs": "11", "features": "12", "host": "13", "keys": "10", "kind": "5", "tag": "9"}},
 {"type_key": "TargetKind", "attrs": {"default_device_type": "1", "default_keys": "7", "name": "6"}},
 {"type_key": "runtime.String", "repr_str": "llvm"}, {"type_key": "Array", "data": [8]},
 {"type_key": "runtime.String", "repr_str": "cpu"}, {"type_key": "runtime.String"}, {"type_key": "Array", "data": [8]},
 {"type_key": "Map"}, {"type_key": "Map"},
 {"type_key": "Target", "attrs": {"attrs": "16", "features": "17", "host": "0", "keys": "15", "kind": "5", "tag": "14"}},
 {"type_key": "runtime.String"}, {"type_key": "Array", "data": [8]}, {"type_key": "Map"}, {"type_key": "Map"},
 {"type_key": "runtime.String", "repr_str": "near"},
 {"type_key": "VirtualDevice", "attrs": {"device_type_int": "1", "memory_scope": "20", "target": "4", "virtual_device_id": "0"}},
 {"type_key": "runtime.String"},
 {"type_key": "VirtualDevice", "attrs": {"device_type_int": "-1", "memory_scope": "18", "target": "0", "virtual_device_id": "-1"}}],
 "b64ndarrays": [], "attrs": {"tvm_version": "0.15.0"}}
)";

const std::string copied = R"(#[version = "0.0.5"]
def @main(%x {virtual_device=meta[VirtualDevice][0]}: Tensor[(4), float32], %y {virtual_device=meta[VirtualDevice][1]}:
    Tensor[(4), float32], virtual_device=meta[VirtualDevice][1]) -> Tensor[(4), float32] {
  %0 = negative(%x);  %1 = on_device(%0, virtual_device=meta[VirtualDevice][0], constrain_result=True);
  %2 = device_copy(%1, src_virtual_device=meta[VirtualDevice][0], dst_virtual_device=meta[VirtualDevice][1]);
  %3 = add(%2, %y);  let %z: Tensor[(4), float32] = on_device(%3, virtual_device=meta[VirtualDevice][1], constrain_result=True);
  multiply(%z, 2f) }
)";

const std::string functional = R"(
type Chain[A] { Link(A, Chain[A]), End, }
def @main(%c {virtual_device=meta[VirtualDevice][0]}: bool, %x {virtual_device=meta[VirtualDevice][0]}: int64,
    virtual_device=meta[VirtualDevice][0]) -> (int64, bool) {
  %0 = ref(%x);
  let %r: ref(int64) = on_device(%0, virtual_device=meta[VirtualDevice][0], constrain_result=True);
  let %f: fn (int64) -> int64 = fn (%a {virtual_device=meta[VirtualDevice][0]}: int64, virtual_device=meta[VirtualDevice][0])
    -> int64 { negative(%a) };
  %1 = ref_write(%r, 2i64);
  let %v: () = on_device(%1, virtual_device=meta[VirtualDevice][0], constrain_result=True);
  %2 = End;  %3 = Link(%x, %2);
  let %l: Chain[int64] = on_device(%3, virtual_device=meta[VirtualDevice][0], constrain_result=True);
  %5 = if (%c) { match? (%l) { Link(%h: int64, _) => { %h }, } } else { %4 = ref_read(%r);  %f(%4) };
  %6 = (%5, 1.5f);  %7 = %6.0;  %8 = fn (%b: int64, Primitive=1) -> int64 { add(%b, %b) };  %9 = %8(%7);  (%9, True) }
 extern def @g(%A {virtual_device=meta[VirtualDevice][2]}: int64, %B: int64, virtual_device=meta[VirtualDevice][2]) -> int64;
)";

/// The node of a kind, or of an operator, that there is.
node_id only(const ir_module& m, std::string_view op) {
    node_id found = no_node;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.op(n) == op) {
            CHECK(found == no_node);
            found = n;
        }
    REQUIRE(found != no_node);
    return found;
}

void check_round(const ir_module& m) {
    const std::string text = relay_document(m);
    const ir_module again = reading(text);
    CHECK(relay_document(again) == text);
    const auto difference = compare_programs(m, again);
    CHECK_MESSAGE(!difference, difference.value_or(std::string()));
}

std::string body_of(std::string_view statements) { return "def @main(%x: int64, %y) { " + std::string(statements) + " }"; }
/// What a main function of one body is printed as, without its head.
std::string printed(std::string_view statements) {
    const ir_module m = reading(body_of(statements));
    check_round(m);
    const std::string text = print_relay(m).text;
    const std::size_t begin = text.find("{\n", text.find("def @main")) + 2;
    return text.substr(begin, text.size() - begin - 2);
}

}  // namespace

TEST_CASE("a planned program has its places at parameters, the function, annotations and copies") {
    const ir_module m = reading(copied + metadata);
    check_round(m);
    const placement& near = m.where(m.inputs()[0]);
    const placement& there = m.where(m.inputs()[1]);
    CHECK(to_string(near) == "cpu:0 target='llvm' scope=near");
    CHECK(to_string(there) == "cpu:0 target='llvm'");
    CHECK(near.target.front().host == std::vector<target_instance>{schema_of<llvm_target>().bare()});
    CHECK(m.where(m.main()) == there);
    const node_id copy = only(m, "device_copy");
    CHECK(m.copied_from(copy) == near);
    CHECK(m.where(copy) == there);
    const node_id annotated = m.operand(copy, 0);
    CHECK(m.op(annotated) == "on_device");
    CHECK(m.where(annotated) == near);
    CHECK(m.attributes(annotated) == attribute_map{{"constrain_result", std::int64_t{1}}});
    CHECK(m.type(m.main()) == node_type::function({tensor_type(element_type::float32, {4}), tensor_type(element_type::float32, {4})},
                                                  tensor_type(element_type::float32, {4})));
    CHECK(m.position(annotated).line == 4);
    CHECK(m.position(annotated).column == 28);
    CHECK(m.position(m.inputs()[1]).column == 77);
}

TEST_CASE("a program of data types, references, functions and branches is read whole, and so is a function that is declared alone") {
    const ir_module m = reading(functional + metadata);
    check_round(m);
    CHECK(m.data_types().size() == 1);
    CHECK(m.data_types()[0].constructors[0].fields[1] == node_type::data("Chain", {node_type::variable("A")}));
    const node_id match = only(m, "match");
    CHECK(m.attributes(match).integer("complete", 1) == 0);
    CHECK(*m.attributes(match).get<std::vector<std::string>>("patterns") == std::vector<std::string>{"Link(%, _)"});
    CHECK(m.functions().size() == 2);
    const node_id lowered = m.functions().front();
    CHECK(m.symbol(lowered) == "g");
    CHECK(m.attributes(lowered).integer("extern", 0) == 1);
    CHECK(m.kind(m.result(lowered)) == node_kind::input);
    CHECK(m.parameters(lowered).size() == 2);
    CHECK(m.where(lowered) == placement::in_scope("near"));
    CHECK(m.where(m.result(lowered)) == placement::in_scope("near"));
    CHECK(m.where(lowered) == m.where(m.parameters(lowered)[0]));
    CHECK(m.where(m.parameters(lowered)[1]).is_free());
    CHECK(m.symbol(m.main()) == "main");
}

TEST_CASE("a shared value is one node, and is used wherever what it reads is bound") {
    CHECK(printed("%0 = add(%x, 1); (%0, %0)") == "  %0 = add(%x, 1);\n  (%0, %0)\n");
    CHECK(printed("(add(%x, 1), add(%x, 1))") == "  %0 = add(%x, 1);\n  %1 = add(%x, 1);\n  (%0, %1)\n");
    // Out of the block that it stands in, it belongs to the block around both.
    CHECK(printed("%1 = if (%x) { %0 = f(%x); %0 } else { 2 }; (%1, %0)") ==
          "  %0 = f(%x);\n  %1 = if (%x) {\n    %0\n  } else {\n    2\n  };\n  (%1, %0)\n");
    CHECK(printed("%7 = if (%x) { %00 = f(%x); %0 } else { %0 }; %7") == "  %0 = f(%x);\n  if (%x) {\n    %0\n  } else {\n    %0\n  }\n");
    CHECK(printed("%0 = 2; (%0, %0)") == "  %0 = 2;\n  (%0, %0)\n");
    // Out of its function as well.
    const ir_module m = reading("def @f(%x) { %0 = g(1); %0 } def @main(%x) { (%0, @f(%x)) }");
    check_round(m);
    CHECK(m.operand(m.result(m.main()), 0) == m.result(m.functions()[0]));
}

TEST_CASE("what stands in the body of a let is printed behind it") {
    CHECK(printed("let %r = ref(%x); ref_write(%r, 2); %0 = ref_read(%r); (%0, %0)") ==
          "  let %r = ref(%x);\n  ref_write(%r, 2);\n  %0 = ref_read(%r);\n  (%0, %0)\n");
    CHECK(printed("let %a = f(%x); let %b = g(); h()") ==
          "  %0 = f(%x);\n  let %a = %0;\n  %1 = g();\n  let %b = %1;\n  %2 = h();\n  %2\n");
    // As an operand it is no statement of the block around.
    CHECK(printed("f((let %a = g(); %a), let %b = 1; %b; 2)").empty() == false);
    CHECK(printed("f((let %a = g(); %a), let %b = 1; %b)") ==
          "  %1 = (\n    %0 = g();\n    let %a = %0;\n    %a\n  );\n  %2 = (\n    let %b = 1;\n    %b\n  );\n  %3 = f(%1, %2);\n  %3\n");
}

TEST_CASE("a let's value may read its variable") {
    CHECK(printed("let %f = fn (%n) { %f(%n) }; %f(%x)") == "  let %f = fn (%n) {\n    %0 = %f(%n);\n    %0\n  };\n  %1 = %f(%x);\n  %1\n");
    CHECK(printed("let %f = (fn (%n) { %f(%n) }, 1); %f.0(%x)") ==
          "  let %f = (\n    %1 = fn (%n) {\n      %0 = %f(%n);\n      %0\n    };\n    (%1, 1)\n  );\n  %2 = %f.0(%x);\n  %2\n");
}

TEST_CASE("variables that hide others get names of their own") {
    CHECK(printed("let %x = f(1); let %x = g(%x); fn (%x, %x_1) { h(%x, %x_1) }") ==
          "  %0 = f(1);\n  let %x_1 = %0;\n  let %x_2 = (\n    %1 = g(%x_2);\n    %1\n  );\n  %3 = fn (%x_3, %x_1_1) {\n    %2 = h(%x_3, "
          "%x_1_1);\n    %2\n  };\n  %3\n");
}

TEST_CASE("operators between values bind as in TVM, to the left") {
    CHECK(printed("%x + %x * 2 - 1 / %x") ==
          "  %0 = multiply(%x, 2);\n  %1 = add(%x, %0);\n  %2 = divide(1, %x);\n  %3 = subtract(%1, %2);\n  %3\n");
    CHECK(printed("%x -1 < 2 == %x >= -3") ==
          "  %0 = subtract(%x, 1);\n  %1 = less(%0, 2);\n  %2 = greater_equal(%x, -3);\n  %3 = equal(%1, %2);\n  %3\n");
    CHECK(printed("(%x != 1).0 * (1 + 2)") == "  %0 = not_equal(%x, 1);\n  %1 = add(1, 2);\n  %2 = multiply(%0.0, %1);\n  %2\n");
    CHECK(printed("%x <= 1 > 2") == "  %0 = less_equal(%x, 1);\n  %1 = greater(%0, 2);\n  %1\n");
}

TEST_CASE("tuples, fields, calls of values and blocks stand in each other") {
    CHECK(printed("((), (%x,), (1, 2,).1, ((%x)))") == "  ((), (%x,), (1, 2).1, %x)\n");
    CHECK(printed("fn (%a) { %a }(1)(2).0.1") == "  %0 = fn (%a) {\n    %a\n  };\n  %1 = %0(1);\n  %2 = %1(2);\n  %2.0.1\n");
    CHECK(printed("(2).0") == "  (2).0\n");
    CHECK(printed("{ { %x } }") == "  %x\n");
    CHECK(printed("if (%x) { 1 } else if (%y) { 2 } else { 3 }") ==
          "  if (%x) {\n    1\n  } else {\n    if (%y) {\n      2\n    } else {\n      3\n    }\n  }\n");
    CHECK(printed("call_lowered(@main, (%x, %y),)") == "  %0 = call_lowered(@main, (%x, %y));\n  %0\n");
}

TEST_CASE("comments, which stand in each other, and commas behind the last are nothing") {
    CHECK(printed("// a comment\n add(%x /* ty=int64 /* span=1 */ */, %y,) // }\n") == "  %0 = add(%x, %y);\n  %0\n");
    CHECK(faults_of("\xEF\xBB\xBF#[version = \"0.0.5\"]\r\ndef @main() { 1 }\r\n").empty());
    CHECK(faults_of("/* /* */ def @main() { 1 }") == "line 1, column 1: this comment is never closed; close it with '*/'\n");
}

TEST_CASE("clauses have patterns in patterns, and bodies with and without braces") {
    CHECK(printed("match (%x) { Cons(Some((%a: int64, _)), Nil()) => %0 = f(%a); g(%0, %0), Cons(_, %t) => { %t }, () => 1, %z => %z }") ==
          "  match (%x) {\n    Cons(Some((%a: int64, _)), Nil) => {\n      %0 = f(%a);\n      %1 = g(%0, %0);\n      %1\n    },\n    "
          "Cons(_, %t) => "
          "{\n      %t\n    },\n    () => {\n      1\n    },\n    %z => {\n      %z\n    },\n  }\n");
    CHECK(printed("match %x { }") == "  match (%x) {\n  }\n");
}

TEST_CASE("the prelude's types are known where they are used and not defined") {
    const auto types = [](std::string_view text) {
        std::string names;
        const ir_module m = reading(text);
        for (const data_type& t : m.data_types()) names += t.name + " ";
        return names;
    };
    CHECK(types("def @main(%x: int64) { %x }").empty());
    CHECK(types("def @main(%x: int64) { Cons(%x, Nil) }") == "List ");
    CHECK(types("def @main(%x: Option[int64]) { %x }") == "Option ");
    CHECK(types("def @main() { Rose(1, Nil) }") == "List Tree ");
    CHECK(types("def @main(%s: Storage[]) { %s }") == "Storage ");
    CHECK(types("type List[A] { Nil, More(A, List[A]) } def @main() { More(1, Nil) }") == "List ");
    CHECK(types("def @main() { Nope } extern type Far[A, B] type Maybe[A] { Nope }") == "Far Maybe ");
    CHECK(faults_of("type Maybe[A] { Some(A) } def @main(%x: Option[int64]) { %x }").find("the prelude's has the constructor 'Some'") !=
          std::string::npos);
}

TEST_CASE("attributes are numbers, texts, lists of them, nothing, or metadata") {
    const ir_module m = reading(
        body_of("nn.pad(%x, a=1, b=1e-05f64, c=0.1f, d=\"t\\\"x\\\\t\\n\\x41\\d\", e=True, f=False, g=None, h=[1, 2], i=[[0, 1], [2, 3]], "
                "j=[1, 0.5], k=[], l=[\"a\"], n=-3, o=inff64, p=(1, 2,), q.r=1, \"odd name\"=2)"));
    const attribute_map& a = m.attributes(m.result(m.main()));
    CHECK(a.integer("a", 0) == 1);
    CHECK(a.number("b", 0) == 1e-05);
    CHECK(a.number("c", 0) == 0.1);
    CHECK(a.text("d", "") == "t\"x\\t\nA\\d");
    CHECK(a.integer("e", 0) == 1);
    CHECK(a.integer("f", 1) == 0);
    CHECK(a.find("g") == nullptr);
    CHECK(a.integers("h") == std::vector<std::int64_t>{1, 2});
    CHECK(a.integers("i") == std::vector<std::int64_t>{0, 1, 2, 3});
    CHECK(*a.get<std::vector<double>>("j") == std::vector<double>{1, 0.5});
    CHECK(a.get<std::vector<std::int64_t>>("k")->empty());
    CHECK(*a.get<std::vector<std::string>>("l") == std::vector<std::string>{"a"});
    CHECK(a.integer("n", 0) == -3);
    CHECK(a.number("o", 0) > 1e308);
    CHECK(a.integers("p") == std::vector<std::int64_t>{1, 2});
    CHECK(a.integer("q.r", 0) == 1);
    CHECK(a.integer("odd name", 0) == 2);
    check_round(m);
}

TEST_CASE("more than a thousand attributes of one call are refused") {
    std::string many;
    for (int i = 0; i < 1001; ++i) many += ", a" + std::to_string(i) + "=1";
    CHECK(faults_of(body_of("f(%x" + many + ")")).find("there are more than 1000 attributes here") != std::string::npos);
}

TEST_CASE("types are read as they are written, and where none is written there is none") {
    const ir_module m = reading(
        "def @main[T](%a: Tensor[(1, ?, n, \"of the batch\"), float16], %b: _, %c: ref((T, (), (int64,))), %d: fn <X>(X, "
        "T) -> _, "
        "%e, %f: Tensor[(), uint8]) { %a }");
    check_round(m);
    std::vector<std::string> types;
    for (const node_id p : m.inputs()) types.push_back(to_string(m.type(p)));
    CHECK(types ==
          std::vector<std::string>{"float16[1,?,n,of the batch]", "?", "ref((T, (), (int64[])))", "<X> fn(X, T) -> ?", "?", "uint8[]"});
    CHECK(m.type(m.main()).variables == std::vector<std::string>{"T"});
    CHECK(m.type(m.main()).fields.back() == node_type());
}

TEST_CASE("each fault is told with its place, up to twenty, and reading goes on behind it") {
    CHECK(faults_of("def @main(%x) {\n  let %a = add(%x,;\n  let %b = ) 3;\n  %0 = mul(%a %b);\n  foo(%0, %zz)\n}\n"
                    "def @g(%x { %x }\ntype Foo { A(Bar) }\ndef @h() { @nix }\n") ==
          "line 2, column 19: a value was expected, and ';' stands here\n"
          "line 3, column 12: a value was expected, and ')' stands here\n"
          "line 4, column 15: a comma or ')' was expected, and '%b' stands here\n"
          "line 5, column 11: there is no variable '%zz' here (known: '%a', '%b', '%x')\n"
          "line 7, column 16: '=' was expected, and '}' stands here\n"
          "line 8, column 14: there is no type 'Bar' (known: 'Tensor', 'List', 'Option', 'Tree', 'Storage', 'Foo')\n"
          "line 9, column 12: there is no function '@nix' (known: '@g', '@h', '@main')\n");
    const std::string many = faults_of("def @main() {\n" + times(40, "%x;\n") + "1 }");
    CHECK(many.starts_with("line 2, column 1: there is no variable '%x' here\n"));
    CHECK(many.find("line 21,") != std::string::npos);
    CHECK(many.find("line 22,") == std::string::npos);
    const auto whole = read_relay("def @main(%xs) {\n  add(%x, 1)\n}");
    REQUIRE_FALSE(whole);
    CHECK(whole.failure().message == "line 2, column 7: there is no variable '%x' here (did you mean '%xs'?)\n    add(%x, 1)\n        ^");
}

TEST_CASE("names that nothing has are faults, and operators are not looked up") {
    CHECK(faults_of(body_of("of.nobody(anything(%x))")).empty());
    CHECK(faults_of(body_of("Conz(%x, Nil)")) == "line 1, column 28: there is no constructor 'Conz' (did you mean 'Cons'?)\n");
    CHECK(faults_of(body_of("match (%x) { Nul => 1 }")) == "line 1, column 41: there is no constructor 'Nul' (did you mean 'Nil'?)\n");
    CHECK(faults_of(body_of("@mian(%x)")) == "line 1, column 28: there is no function '@mian' (did you mean '@main'?)\n");
    CHECK(faults_of(body_of("add")) == "line 1, column 28: the operator 'add' stands alone; write its operands in brackets behind it\n");
    CHECK(faults_of(body_of("(Cons(%x), Nil(1), Cons)")) ==
          "line 1, column 29: the constructor 'Cons' has 2 fields, and is given 1\n"
          "line 1, column 39: the constructor 'Nil' has 0 fields, and is given 1\n"
          "line 1, column 47: the constructor 'Cons' has 2 fields, and is given 0\n");
    CHECK(faults_of(body_of("match (%x) { Cons(_) => 1, Nil(%a) => 2, Cons => 3 }")) ==
          "line 1, column 41: the constructor 'Cons' has 2 fields, and is given 1\n"
          "line 1, column 55: the constructor 'Nil' has 0 fields, and is given 1\n"
          "line 1, column 69: the constructor 'Cons' has 2 fields, and is given 0\n");
    CHECK(faults_of("def @main(%x: List[int64, bool], %y: Tensr[(1), float32]) { %x }") ==
          "line 1, column 15: the type 'List' has 1 variables, and is given 2 types\n"
          "line 1, column 38: there is no type 'Tensr' (did you mean 'Tensor'?)\n");
}

TEST_CASE("what is defined twice is a fault") {
    CHECK(faults_of(body_of("%0 = 1; %0 = 2; %0")) ==
          "line 1, column 36: '%0' stands for something already; numbers are unique in a text\n");
    CHECK(faults_of("def @f() { %0 = 1; %0 } def @main() { %0 = 2; %0 }").find("line 1, column 39: '%0' stands for") == 0);
    CHECK(faults_of(body_of("(%1, %2)")) ==
          "line 1, column 29: there is no '%1' before this place\nline 1, column 33: there is no '%2' before this place\n");
    CHECK(faults_of("type A { B, B }\ntype A { C }\ndef @main() { 1 }\ndef @main() { 2 }") ==
          "line 1, column 13: a constructor 'B' is defined twice; give one of them another name\n"
          "line 2, column 6: the type 'A' is defined twice; leave one of them out\n"
          "line 4, column 5: the function '@main' is defined twice; give one of them another name\n");
    CHECK(faults_of("def @main(%x, %x) { match (%x) { (%a, %a) => 1 } }") ==
          "line 1, column 15: the variable '%x' stands twice; give one of them another name\n"
          "line 1, column 39: the variable '%a' stands twice; give one of them another name\n");
}

TEST_CASE("a variable that is used out of its scope by way of a shared value is a fault") {
    const std::string told = "is read here for a value that is used outside of its scope; it is bound in line ";
    CHECK(faults_of("def @main(%y) {\n  %0 = fn (%x) {\n    %1 = add(%x, %x);\n    %1\n  };\n  %0(%1)\n}") ==
          "line 3, column 10: '%x' " + told + "2, column 12\n");
    CHECK(faults_of("def @main(%y) {\n%0 = fn (%x) { %1 = f(%x); %1 };\n%1 }") == "line 2, column 21: '%x' " + told + "2, column 10\n");
    CHECK(faults_of(body_of("(let %z = 1; %0 = f(%z); %0, %0)")) == "line 1, column 46: '%z' " + told + "1, column 33\n");
    CHECK(faults_of(body_of("match (%x) { Cons(%h, _) => { %0 = f(%h); 1 }, Nil => %0 }")) ==
          "line 1, column 63: '%h' " + told + "1, column 46\n");
    CHECK(faults_of("def @f(%a) { %0 = f(%a); 1 }\ndef @main(%y) { %0 }") == "line 1, column 19: '%a' " + told + "1, column 8\n");
    // Where nothing needs the value there is nothing wrong.
    CHECK(faults_of(body_of("%0 = fn (%a) { %1 = f(%a); %1 }; %2 = %1; 1")).empty());
}

TEST_CASE("brackets that are not closed are told where they are opened") {
    CHECK(faults_of("def @main(%x) {\n  f(%x\n") ==
          "line 2, column 4: this bracket is never closed: a comma or ')' was expected, and the text ends\n");
    CHECK(faults_of("def @a(%x) {\n  if (%x) { f(%x)\ndef @main(%x) { %x }") ==
          "line 2, column 11: this bracket is never closed: ';' or '}' was expected, and a definition begins in line 3\n");
    CHECK(faults_of("def @main(%x) { f(a=\"x) }") == "line 1, column 21: this quote is never closed; close it with '\"'\n");
}

TEST_CASE("what the words of the text need is told") {
    CHECK(faults_of(body_of("let %z = 1 %z")) == "line 1, column 39: ';' was expected, and '%z' stands here\n");
    CHECK(faults_of(body_of("if (%x) { 1 }")) == "line 1, column 42: 'else' was expected, and '}' stands here\n");
    CHECK(faults_of(body_of("-%x")) == "line 1, column 28: a minus stands before a number or between two values; write negative(...)\n");
    CHECK(faults_of(body_of("%x;")) == "line 1, column 32: a value was expected, and '}' stands here\n");
    CHECK(faults_of(body_of("300u8")).find("there is no number '300u8'") != std::string::npos);
    CHECK(faults_of(body_of("%x.y")) == "line 1, column 31: the number of a field was expected behind the point\n");
    CHECK(faults_of("#[version = \"0.0.4\"]\ndef @main() { 1 }") ==
          "line 1, column 13: this is another version of Relay's text; version \"0.0.5\" is read here\n");
    CHECK(faults_of("// nothing\n") == "line 2, column 1: there is no function in this text; define one, as def @main(%x: int64) { %x }\n");
    CHECK(faults_of("def @main() { 1 } }") ==
          "line 1, column 19: a definition, as def @main(%x: int64) { %x }, was expected, and '}' stands here\n");
    CHECK(faults_of("def @main(%x {a=1}: int64, b=1) { %x }") == "line 1, column 11: a variable has no attribute but virtual_device\n");
    CHECK(faults_of(body_of("\x01")) == "line 1, column 28: this character begins nothing in Relay's text\n");
}

TEST_CASE("metadata that is not there is a fault, and so is metadata that cannot be read") {
    CHECK(faults_of(body_of("meta[relay.Constant][0]")) ==
          "line 1, column 28: this refers to 'relay.Constant' number 0 of the metadata, which has none\n");
    CHECK(faults_of(copied).find("line 2, column 30: this refers to 'VirtualDevice' number 0 of the metadata, which has none\n") == 0);
    CHECK(faults_of("def @main(%x {virtual_device=meta[VirtualDevice][3]}) { %x }" + metadata) ==
          "line 1, column 30: this refers to 'VirtualDevice' number 3 of the metadata, which has 3\n");
    CHECK(faults_of(body_of("meta[VirtualDevice][0]") + metadata) ==
          "line 1, column 28: metadata of kind 'VirtualDevice' is no value; relay.Constant is\n");
    CHECK(faults_of(copied + "#[metadata]\n{\"root\": 1, \"nodes\": [}").find("line 8, column 1: the metadata is no JSON") == 0);
    CHECK(faults_of(copied + "#[metadata]\n{\"root\": 1}") == "line 8, column 1: the metadata's key 'nodes' must be a list\n");
}

TEST_CASE("on_device and device_copy take one value") {
    CHECK(faults_of(body_of("(device_copy(%x, %x), on_device(), ref_write(1), device_copy(%x, a=1))")) ==
          "line 1, column 29: device_copy takes one value, and is given 2\n"
          "line 1, column 50: on_device takes one value, and is given 0\n"
          "line 1, column 63: ref_write takes two values, and is given 1\n"
          "line 1, column 77: device_copy has no attribute 'a'\n");
}

TEST_CASE("a place of a call is its own, and one of on_device may be left open") {
    const ir_module m =
        reading(body_of("memory.alloc_storage(%x, %x, %x, virtual_device=meta[VirtualDevice][1], dtype=\"int8\")") + metadata);
    CHECK(to_string(m.where(m.result(m.main()))) == "cpu:0 target='llvm'");
    CHECK(m.attributes(m.result(m.main())) == attribute_map{{"dtype", std::string("int8")}});
    check_round(m);
    CHECK(printed("on_device(%x, constrain_result=False, constrain_body=False)") == "  %0 = on_device(%x, constrain_body=False);\n  %0\n");
    CHECK(printed("on_device(%x, constrain_result=True, constrain_body=True)") == "  %0 = on_device(%x, constrain_result=True);\n  %0\n");
}

TEST_CASE("a hundred thousand of anything in each other are read and printed, or refused in a sentence") {
    const std::size_t deep = 100'000;
    const auto check = [&](const std::string& body) {
        CAPTURE(body.substr(0, 40));
        CHECK(relay_text(reading("def @main(%x) { " + body + " }")).ends_with("}\n"));
    };
    check(times(deep, "(") + "%x" + times(deep, ")"));
    check(times(deep, "f(") + "%x" + times(deep, ")"));
    check(times(deep, "let %x = f(%x); ") + "%x");
    check(times(deep, "if (%x) { ") + "%x" + times(deep, " } else { %x }"));
    check(times(deep, "fn (%x) { ") + "%x" + times(deep, " }"));
    CHECK(faults_of("def @main(%x) { " + times(deep, "f((")) ==
          "line 1, column 300016: this bracket is never closed: a value was expected, and the text ends\n");
    const auto of_type = [](std::size_t count) { return "def @main(%x: " + times(count, "(") + "int64" + times(count, ",)") + ") { %x }"; };
    CHECK(faults_of(of_type(1900)).empty());
    CHECK(faults_of(of_type(deep)) == "line 1, column 2016: types stand in each other more than 2000 deep\n");
}

TEST_CASE("ten thousand of anything in each other are printed so that they read back") {
    const std::size_t deep = 10'000;
    const auto check = [&](const std::string& body) {
        CAPTURE(body.substr(0, 40));
        const std::string text = relay_text(reading("def @main(%x) { " + body + " }"));
        CHECK(relay_text(reading(text)) == text);
    };
    check(times(deep, "(") + "%x" + times(deep, ",)"));
    check(times(deep, "{") + "%x" + times(deep, "}"));
    check(times(deep, "f(") + "%x" + times(deep, ")"));
    check("%x" + times(deep, "(1)"));
    check("%x" + times(deep, ".0"));
    check("%x" + times(deep, " + %x * 2"));
    check(times(deep, "1 + (2 * ") + "%x" + times(deep, ")"));
    check(times(deep, "let %x = f(%x); ") + "%x");
    check(times(deep, "let %y = (") + "%x" + times(deep, "); %y"));
    check(times(deep, "if (%x) { ") + "%x" + times(deep, " } else { %x }"));
    check(times(deep, "if (%x) { %x } else ") + "{ %x }");
    check(times(deep, "if (") + "%x" + times(deep, ") { %x } else { %x }"));
    check(times(deep, "fn (%x) { ") + "%x" + times(deep, " }"));
    check(times(deep, "match (%x) { Cons(%a, _) => ") + "%x" + times(deep, ", Nil => %x, }"));
    check(times(deep, "match (") + "%x" + times(deep, ") { _ => %x }"));
    check("match (%x) { " + times(deep, "Cons(_, ") + "_" + times(deep, ")") + " => %x }");
    check(times(deep, "%x; ") + "%x");
    check("f(%x, a=" + times(deep, "[") + "1" + times(deep, "]") + ")");
    check(times(deep, "/*") + times(deep, "*/") + "%x");
}

TEST_CASE("a file is read, and errors name it") {
    const temporary_folder folder;
    REQUIRE(write_file(folder / "a.relay", "def @main(%x) { %x }"));
    CHECK(load_relay(folder / "a.relay").has_value());
    REQUIRE(write_file(folder / "b.relay", "def @main(%x) { %y }"));
    const auto wrong = load_relay(folder / "b.relay");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.failure().message.find("b.relay':\nline 1, column 17: there is no variable '%y' here") != std::string::npos);
    CHECK_FALSE(load_relay(folder / "none.relay"));
}
