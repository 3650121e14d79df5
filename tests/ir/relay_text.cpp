// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/relay_text.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {

const tensor_type row(element_type::float32, {4});

/// The text of a program whose main function is made so, by a builder without blocks.
template <class Make>
relay_print printed(Make&& make) {
    ir_builder b;
    const node_id x = b.input("x", {});
    const node_id result = make(b, x);
    b.declare(b.function(std::span(&x, 1), result, "main"));
    return print_relay(b.finish_in_blocks());
}
/// The same without the lines around its body.
template <class Make>
std::string body(Make&& make) {
    const std::string text = printed(make).text;
    const std::string head = "#[version = \"0.0.5\"]\ndef @main(%x) {\n";
    REQUIRE(text.starts_with(head));
    return text.substr(head.size(), text.size() - head.size() - 2);
}

}  // namespace

TEST_CASE("a straight program prints one line per call, in order") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row);
    const node_id y = b.call("add", {x, b.constant(tensor::scalar(2.0f))}, {}, row);
    const node_id z = b.call("sum", {y}, {{"axis", std::vector<std::int64_t>{0}}, {"keepdims", std::int64_t{1}}}, row);
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, z, "main"));
    CHECK(relay_text(b.finish()) ==
          "#[version = \"0.0.5\"]\n"
          "def @main(%x: Tensor[(4), float32]) -> Tensor[(4), float32] {\n"
          "  %0 = add(%x, 2f);\n"
          "  %1 = sum(%0, axis=[0], keepdims=1);\n"
          "  %1\n"
          "}\n");
}

TEST_CASE("let, if and a closure that reads the function around it print as blocks") {
    ir_builder b;
    b.open_block();
    const node_type truth{tensor_type(element_type::boolean, {})};
    const node_id c = b.input("c", truth);
    const node_id x = b.input("x", row);
    const node_id v = b.input("v", row);
    const node_id value = b.call("negative", {x}, {}, row);
    b.open_block();
    const node_id a = b.input("a", row);
    const node_id inner = b.call("add", {a, x}, {}, row);
    const node_id closure_parameters[] = {a};
    const node_id closure = b.function(closure_parameters, inner);
    b.open_block();
    const node_id called[] = {closure, v};
    const node_id then_result = b.apply(called);
    b.close_block();
    b.open_block();
    const node_id else_result = b.call("relu", {v}, {}, row);
    b.close_block();
    const node_id branch = b.if_else(c, then_result, else_result);
    const node_id body = b.let(v, value, branch);
    const node_id parameters[] = {c, x};
    b.declare(b.function(parameters, body, "main"));
    const ir_module m = b.finish();
    CHECK(m.type(branch) == node_type(row));
    CHECK(relay_text(m) ==
          "#[version = \"0.0.5\"]\n"
          "def @main(%c: bool, %x: Tensor[(4), float32]) -> Tensor[(4), float32] {\n"
          "  %0 = negative(%x);\n"
          "  let %v: Tensor[(4), float32] = %0;\n"
          "  if (%c) {\n"
          "    %2 = fn (%a: Tensor[(4), float32]) -> Tensor[(4), float32] {\n"
          "      %1 = add(%a, %x);\n"
          "      %1\n"
          "    };\n"
          "    %3 = %2(%v);\n"
          "    %3\n"
          "  } else {\n"
          "    %4 = relu(%v);\n"
          "    %4\n"
          "  }\n"
          "}\n");
}

TEST_CASE("a chain of a hundred thousand calls prints without deep recursion") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row);
    node_id last = x;
    for (int i = 0; i < 100'000; ++i) last = b.call("relu", {last}, {}, row);
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, last, "main"));
    const std::string text = relay_text(b.finish());
    CHECK(text.find("%99999 = relu(%99998);") != std::string::npos);
}

TEST_CASE("places and large constants are handed out under the numbers that the text has") {
    const placement here = placement::on(device_type::cpu), there = placement::on(device_type::cuda, 1);
    const relay_print p = printed([&](ir_builder& b, node_id x) {
        b.set_where(x, here);
        const node_id large = b.constant(tensor(element_type::int8, {2}));
        const node_id copy = b.device_copy(b.on_device(x, here, true), here, there);
        const node_id made = b.call("f", {copy, large, large}, {{"value", tensor(element_type::int8, {3})}});
        return b.on_device(made, there, false, false);
    });
    CHECK(p.text ==
          "#[version = \"0.0.5\"]\n"
          "def @main(%x {virtual_device=meta[VirtualDevice][0]}) {\n"
          "  %0 = on_device(%x, virtual_device=meta[VirtualDevice][0], constrain_result=True);\n"
          "  %1 = device_copy(%0, src_virtual_device=meta[VirtualDevice][0], dst_virtual_device=meta[VirtualDevice][1]);\n"
          "  %2 = f(%1, meta[relay.Constant][0], meta[relay.Constant][0], value=meta[relay.Constant][1]);\n"
          "  %3 = on_device(%2, virtual_device=meta[VirtualDevice][1], constrain_body=False);\n"
          "  %3\n"
          "}\n");
    CHECK(p.placements == std::vector<placement>{here, there});
    REQUIRE(p.constants.size() == 2);
    CHECK(p.constants[0].count() == 2);
    CHECK(p.constants[1].count() == 3);
}

TEST_CASE("a branch that is an operand has a line, and its number is above those in it") {
    CHECK(body([](ir_builder& b, node_id x) {
              const node_id shared = b.call("f", {x});
              const node_id branch = b.if_else(x, b.call("g", {shared}), b.call("h", {shared}));
              return b.call("k", {branch, b.constant(tensor::scalar(2.0f))});
          }) ==
          "  %0 = f(%x);\n"
          "  %3 = if (%x) {\n"
          "    %1 = g(%0);\n"
          "    %1\n"
          "  } else {\n"
          "    %2 = h(%0);\n"
          "    %2\n"
          "  };\n"
          "  %4 = k(%3, 2f);\n"
          "  %4\n");
}

TEST_CASE("matches print their clauses, which bind names of their own") {
    CHECK(body([](ir_builder& b, node_id x) {
              const node_id h = b.input("x", row), t = b.input("t", {});
              const node_id operands[] = {x, h, t, b.call("f", {h, t}), x};
              return b.add(node_kind::match, operands, 0, {}, {},
                           {{"clause_sizes", std::vector<std::int64_t>{2, 0}},
                            {"patterns", std::vector<std::string>{"Cons(%, (_, %))", "Nil"}},
                            {"complete", std::int64_t{0}}});
          }) ==
          "  match? (%x) {\n"
          "    Cons(%x_1: Tensor[(4), float32], (_, %t)) => {\n"
          "      %0 = f(%x_1, %t);\n"
          "      %0\n"
          "    },\n"
          "    Nil => {\n"
          "      %x\n"
          "    },\n"
          "  }\n");
}

TEST_CASE("a let whose value reads its variable has the value's lines behind the variable, and one that nobody reads no name") {
    CHECK(body([](ir_builder& b, node_id x) {
              const node_id f = b.input("f", {}), n = b.input("n", {}), nameless = b.input({}, {});
              const node_id inner[] = {f, n}, outer[] = {f, x};
              const node_id closure = b.add(node_kind::function, {n, b.apply(inner)}, 0, {}, {});
              const node_id pair[] = {closure, closure};
              const node_id effect = b.add(node_kind::write_ref, {x, x}, 0, {}, {});
              return b.let(f, b.tuple(pair), b.let(nameless, effect, b.apply(outer)));
          }) ==
          "  let %f = (\n"
          "    %1 = fn (%n) {\n"
          "      %0 = %f(%n);\n"
          "      %0\n"
          "    };\n"
          "    (%1, %1)\n"
          "  );\n"
          "  ref_write(%x, %x);\n"
          "  %2 = %f(%x);\n"
          "  %2\n");
}

TEST_CASE("data types come first, functions may be generic or declared alone, and odd names stand in quotes") {
    ir_builder b;
    const node_type a = node_type::variable("A"), number = tensor_type(element_type::int64, {});
    b.declare(data_type{"Chain", {"A"}, {{"Link", {a, node_type::data("Chain", {a})}}, {"End", {}}}});
    const node_id p = b.input("p", number), buffer = b.input({}, number);
    b.set_where(p, placement::in_scope("near"));
    const node_id lowered = b.function(std::span(&p, 1), buffer, "lowered 1", {{"extern", std::int64_t{1}}, {"hash", std::string("x")}});
    b.set_where(lowered, placement::in_scope("near"));
    b.declare(lowered);
    const node_id x = b.input("x", a);
    const node_id link[] = {x, b.construct("End", {})}, one[] = {x};
    const node_id call = b.call("call_lowered", {b.global("lowered 1", {}), b.tuple(one)});
    const node_id both[] = {call, b.construct("Link", link), b.add(node_kind::make_ref, {x}, 0, {}, {}), b.projection(b.tuple(link), 1)};
    const node_id main = b.function(std::span(&x, 1), b.tuple(both), "main");
    node_type type = node_type::function({a}, node_type());
    type.variables = {"A"};
    b.set_type(main, type);
    b.declare(main);
    CHECK(print_relay(b.finish_in_blocks()).text ==
          "#[version = \"0.0.5\"]\n"
          "type Chain[A] {\n"
          "  Link(A, Chain[A]),\n"
          "  End,\n"
          "}\n"
          "extern def @\"lowered 1\"(%p {virtual_device=meta[VirtualDevice][0]}: int64, hash=\"x\", "
          "virtual_device=meta[VirtualDevice][0]) -> int64;\n"
          "def @main[A](%x: A) {\n"
          "  %0 = End;\n"
          "  %1 = call_lowered(@\"lowered 1\", (%x,));\n"
          "  (%1, Link(%x, %0), ref(%x), (%x, %0).1)\n"
          "}\n");
}

TEST_CASE("what two functions share has its line in the first") {
    ir_builder b;
    const node_id shared = b.call("f", {}), of_first[] = {shared, b.call("g", {shared})};
    b.declare(b.function({}, b.tuple(of_first), "first"));
    b.declare(b.function({}, shared, "main"));
    CHECK(relay_text(b.finish_in_blocks()) ==
          "#[version = \"0.0.5\"]\n"
          "def @first() -> (_, _) {\n"
          "  %0 = f();\n"
          "  %1 = g(%0);\n"
          "  (%0, %1)\n"
          "}\n"
          "def @main() {\n"
          "  %0\n"
          "}\n");
}

TEST_CASE("functions, ifs, lets and tuples a hundred thousand deep print, and lines begin not too far to the right") {
    const auto deep = [](auto&& wrap) {
        return printed([&](ir_builder& b, node_id x) {
                   node_id last = b.call("relu", {x});
                   for (int i = 0; i < 100'000; ++i) last = wrap(b, x, last);
                   return last;
               })
            .text;
    };
    const std::string functions = deep([](ir_builder& b, node_id, node_id last) { return b.add(node_kind::function, {last}, 0, {}, {}); });
    CHECK(functions.find("%100000 = fn () {\n  ") != std::string::npos);
    CHECK(functions.find("\n" + std::string(80, ' ') + "%0 = relu(%x);\n") != std::string::npos);
    CHECK(deep([](ir_builder& b, node_id x, node_id last) {
              return b.add(node_kind::if_else, {x, last, x}, 0, {}, {});
          }).ends_with("  }\n}\n"));
    CHECK(deep([](ir_builder& b, node_id x, node_id last) {
              return b.add(node_kind::let, {b.input("v", {}), x, last}, 0, {}, {});
          }).find("let %v_99999 = %x;\n  %0 = relu(%x);\n") != std::string::npos);
    CHECK(deep([](ir_builder& b, node_id, node_id last) { return b.add(node_kind::tuple, {last}, 0, {}, {}); }).ends_with("(%0" + [] {
        std::string closed;
        for (int i = 0; i < 100'000; ++i) closed += ",)";
        return closed;
    }() + "\n}\n"));
}
