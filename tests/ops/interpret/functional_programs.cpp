// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/interpret.hpp>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/math.hpp>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

namespace {

using few_ops = op_table<onnx_arithmetic<>, onnx_logic<>, onnx_math<>>;
using nodes = std::vector<node_id>;

const tensor_type number = f32({}), flag = tensor_type(element_type::boolean, {});

tensor num(float v) { return tensor::scalar(v); }
node_id value(ir_builder& b, float v) { return b.constant(num(v)); }
node_id less(ir_builder& b, node_id x, node_id y) { return b.call("onnx.Less", {x, y}); }

float run(const ir_module& m, const std::vector<tensor>& inputs, std::string* said = nullptr, const interpret_options& options = {}) {
    const auto results = interpret(m, inputs, few_ops(), options);
    if (!results && said != nullptr) *said = results.failure().message;
    return results ? (*results)[0].as<float>()[0] : -999.0f;
}
std::string failure(const ir_module& m, const std::vector<tensor>& inputs) {
    std::string said = "no error";
    run(m, inputs, &said);
    return said;
}

/// count(n, list) = if (n < 1) list else count(n - 1, Cons(n, list)); sum(list, so far) = match (list) { ... }; main(n)
ir_module sum_of_list() {
    ir_builder b;
    {
        const node_id n = b.input("n", number), list = b.input("list", {});
        const node_id again =
            b.apply(nodes{b.global("count", {}), b.call("onnx.Sub", {n, value(b, 1)}), b.construct("Cons", nodes{n, list})});
        b.declare(b.function(nodes{n, list}, b.if_else(less(b, n, value(b, 1)), list, again), "count"));
    }
    {
        const node_id list = b.input("list", {}), sum = b.input("sum", number), head = b.input("head", number), tail = b.input("tail", {});
        const node_id rest = b.apply(nodes{b.global("sum", {}), tail, b.call("onnx.Add", {sum, head})});
        const node_id found = b.add(node_kind::match, {list, head, tail, rest, sum}, 0, {}, {},
                                    {{"clause_sizes", ints{2, 0}}, {"patterns", strings{"Cons(%, %)", "Nil"}}});
        b.declare(b.function(nodes{list, sum}, found, "sum"));
    }
    const node_id n = b.input("n", number);
    const node_id list = b.apply(nodes{b.global("count", {}), n, b.construct("Nil", nodes{})});
    b.declare(b.function(nodes{n}, b.apply(nodes{b.global("sum", {}), list, value(b, 0)}), "main"));
    return b.finish_in_blocks();
}

/// even(n) = if (n < 1) 1 else odd(n - 1); odd(n) = if (n < 1) 0 else even(n - 1)
ir_module even_and_odd() {
    ir_builder b;
    const auto make = [&](const char* name, const char* other, float at_zero) {
        const node_id n = b.input("n", number);
        const node_id again = b.apply(nodes{b.global(other, {}), b.call("onnx.Sub", {n, value(b, 1)})});
        b.declare(b.function(nodes{n}, b.if_else(less(b, n, value(b, 1)), value(b, at_zero), again), name));
    };
    make("even", "odd", 1);
    make("odd", "even", 0);
    const node_id n = b.input("n", number);
    b.declare(b.function(nodes{n}, b.apply(nodes{b.global("even", {}), n}), "main"));
    return b.finish_in_blocks();
}

}  // namespace

TEST_CASE("Lists of a hundred thousand are made, summed and freed") {
    CHECK(run(sum_of_list(), {num(3)}) == 6);
    CHECK(run(sum_of_list(), {num(100'000)}) > 5e9f * 0.999f);
}

TEST_CASE("Functions of the module call each other a hundred thousand deep") {
    CHECK(run(even_and_odd(), {num(7)}) == 0);
    CHECK(run(even_and_odd(), {num(100'000)}) == 1);
    CHECK(failure(even_and_odd(), {num(300'000)}).find("interpret_options::deepest_call") != std::string::npos);
}

TEST_CASE("A nested pattern binds the parts of parts, and the first clause that matches is taken") {
    const auto make = [](bool swapped) {
        ir_builder b;
        const node_id x = b.input("x", number), y = b.input("y", number);
        const node_id inner = b.tuple(nodes{x, b.construct("Some", nodes{y})}), scrutinee = b.construct("Pair", nodes{inner, b.unit()});
        const node_id p = b.input("p", {}), q = b.input("q", {}), r = b.input("r", {});
        nodes first{p, q, b.call("onnx.Sub", {p, q})}, second{r, value(b, 7)}, operands{scrutinee};
        strings patterns{"Pair((%, Some(%)), _)", "%"};
        ints sizes{2, 1};
        if (swapped) {
            std::swap(first, second);
            std::swap(patterns[0], patterns[1]);
            std::swap(sizes[0], sizes[1]);
        }
        operands.insert(operands.end(), first.begin(), first.end());
        operands.insert(operands.end(), second.begin(), second.end());
        const node_id found = b.add(node_kind::match, operands, 0, "m", {}, {{"clause_sizes", sizes}, {"patterns", patterns}});
        b.declare(b.function(nodes{x, y}, found, "main"));
        return b.finish_in_blocks();
    };
    CHECK(run(make(false), {num(5), num(3)}) == 2);
    CHECK(run(make(true), {num(5), num(3)}) == 7);
}

TEST_CASE("A value without a clause is an error that names the constructor and the match") {
    ir_builder b;
    const node_id x = b.input("x", number);
    const node_id found = b.add(node_kind::match, {b.construct("Left", nodes{x}), x}, 0, "choice", {},
                                {{"clause_sizes", ints{0}}, {"patterns", strings{"Right(_)"}}, {"complete", std::int64_t{0}}});
    b.declare(b.function(nodes{x}, found, "main"));
    const std::string said = failure(b.finish_in_blocks(), {num(1)});
    CHECK(said.starts_with("node 'choice' (match): "));
    CHECK(said.find("'Left'") != std::string::npos);
}

TEST_CASE("An error names the place in the text where it is known") {
    ir_builder b;
    const node_id x = b.input("x", number), wrong = b.call("no.such", {x});
    b.set_position(wrong, {12, 5});
    b.declare(b.function(nodes{x}, wrong, "main"));
    CHECK(failure(b.finish_in_blocks(), {num(1)}).starts_with("line 12, column 5 (such): "));
}

TEST_CASE("Annotations of places leave any value as it is, functions, tuples and references too") {
    ir_builder b;
    const placement here = placement::on(device_type::cpu), there = placement::on(device_type::cuda);
    const node_id x = b.input("x", number), y = b.input("y", number);
    const node_id f = b.on_device(b.function(nodes{y}, b.call("onnx.Neg", {y})), here, true);
    const node_id cell = b.add(node_kind::make_ref, {b.device_copy(x, here, there)}, 0, {}, {});
    const node_id both = b.device_copy(b.tuple(nodes{f, b.on_device(cell, there, true)}), here, there);
    const node_id content = b.add(node_kind::read_ref, {b.projection(both, 1)}, 0, {}, {});
    b.declare(b.function(nodes{x}, b.apply(nodes{b.projection(both, 0), content}), "main"));
    CHECK(run(b.finish_in_blocks(), {num(4)}) == -4);
}

TEST_CASE("call_lowered applies a function to the fields of a tuple, and a lowered function has no body") {
    const auto make = [](bool lowered) {
        ir_builder b;
        const node_id p = b.input("p", number), q = b.input("q", number), out = b.input("out", number);
        b.declare(b.function(nodes{p, q}, lowered ? out : b.call("onnx.Sub", {p, q}), "g",
                             lowered ? attribute_map{{"extern", std::int64_t{1}}} : attribute_map()));
        const node_id x = b.input("x", number);
        b.declare(b.function(nodes{x}, b.call("call_lowered", {b.global("g", {}), b.tuple(nodes{x, value(b, 1)})}), "main"));
        return b.finish_in_blocks();
    };
    CHECK(run(make(false), {num(4)}) == 3);
    CHECK(failure(make(true), {num(4)}).find("the lowered function 'g'") != std::string::npos);
}

TEST_CASE("A program takes and gives values of any kind") {
    ir_builder b;
    const node_id pair = b.input("pair", node_type::tuple({node_type(number), node_type(number)})), x = b.input("x", {});
    const node_id sum = b.call("onnx.Add", {b.projection(pair, 0), b.projection(pair, 1)});
    b.declare(b.function(nodes{pair, x}, b.construct("Both", nodes{sum, x}), "main"));
    const ir_module m = b.finish_in_blocks();
    const std::vector<runtime_value> arguments{runtime_value::tuple({num(1), num(2)}), runtime_value::of_record("None", {})};
    const auto result = interpret_values(m, arguments, few_ops());
    REQUIRE(result.has_value());
    const auto* record = result->as_record();
    REQUIRE(record != nullptr);
    CHECK(record->constructor == "Both");
    CHECK(record->fields[0].as_tensor()->as<float>()[0] == 3);
    CHECK(record->fields[1].as_record()->constructor == "None");
    const std::vector<runtime_value> wrong{runtime_value::tuple({num(1), runtime_value::tuple({})}), arguments[1]};
    const auto refused = interpret_values(m, wrong, few_ops());
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.failure().message == "field 1 of input 'pair' is of type float32[] and was given a tuple");
    CHECK_FALSE(interpret_values(m, std::vector<runtime_value>{arguments[1], arguments[1]}, few_ops()).has_value());
    const auto as_tensors = interpret(m, std::vector<tensor>{num(1), num(2)}, few_ops());
    CHECK_FALSE(as_tensors.has_value());
}

TEST_CASE("A function that a reference holds may call itself through it, and is freed") {
    // let r = ref(fn (n) { n }); r := fn (n) { if (n < 1) n else (!r)(n - 1) }; (!r)(x)
    ir_builder b;
    const node_id x = b.input("x", number), r = b.input("r", {}), ignored = b.input("ignored", {}), n = b.input("n", number),
                  k = b.input("k", number);
    const node_id cell = b.add(node_kind::make_ref, {b.function(nodes{n}, n)}, 0, {}, {});
    const node_id again = b.apply(nodes{b.add(node_kind::read_ref, {r}, 0, {}, {}), b.call("onnx.Sub", {k, value(b, 1)})});
    const node_id knot = b.function(nodes{k}, b.if_else(less(b, k, value(b, 1)), k, again));
    const node_id write = b.add(node_kind::write_ref, {r, knot}, 0, {}, {});
    const node_id call = b.apply(nodes{b.add(node_kind::read_ref, {r}, 0, {}, {}), x});
    b.declare(b.function(nodes{x}, b.let(r, cell, b.let(ignored, write, call)), "main"));
    CHECK(run(b.finish_in_blocks(), {num(2.5f)}) == 0.5f);
}

TEST_CASE("References that come back out keep their content") {
    ir_builder b;
    const node_id x = b.input("x", number), r = b.input("r", {}), ignored = b.input("ignored", {});
    const node_id cell = b.add(node_kind::make_ref, {x}, 0, {}, {});
    const node_id write = b.add(node_kind::write_ref, {r, b.call("onnx.Neg", {x})}, 0, {}, {});
    b.declare(b.function(nodes{x}, b.let(r, cell, b.let(ignored, write, b.tuple(nodes{r, r}))), "main"));
    const auto result = interpret_values(b.finish_in_blocks(), std::vector<runtime_value>{num(2)}, few_ops());
    REQUIRE(result.has_value());
    const auto& fields = result->as_record()->fields;
    CHECK(fields[0].as_cell() == fields[1].as_cell());
    CHECK(fields[0].as_cell()->content.as_tensor()->as<float>()[0] == -2);
}

TEST_CASE("lets nested a hundred thousand deep run") {
    ir_builder b;
    const node_id x = b.input("x", number);
    nodes variables{x}, values;
    for (int i = 0; i < 100'000; ++i) {
        values.push_back(b.call("onnx.Neg", {variables.back()}));
        variables.push_back(b.input("v", number));
    }
    node_id body = variables.back();
    for (std::size_t i = values.size(); i-- > 0;) body = b.let(variables[i + 1], values[i], body);
    b.declare(b.function(nodes{x}, body, "main"));
    CHECK(failure(b.finish_in_blocks(), {num(3)}) == "no error");
}
