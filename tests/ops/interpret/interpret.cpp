// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/interpret.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/cast.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/math.hpp>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

// A few families, so that this file compiles few loops.
using few_ops = op_table<onnx_arithmetic<>, onnx_casts<>, onnx_logic<>, onnx_math<>>;

static tensor flag(bool value) {
    tensor t(element_type::boolean, {});
    t.as<bool>()[0] = value;
    return t;
}

/// The results of a program as a list of numbers, all results one after the other; empty, and the error said, where it fails.
static floats run(const ir_module& m, const std::vector<tensor>& inputs, std::string* said = nullptr,
                  const interpret_options& options = {}) {
    const auto results = interpret(m, inputs, few_ops(), options);
    if (!results) {
        if (said != nullptr) *said = results.failure().message;
        return {};
    }
    floats all;
    for (const tensor& t : *results) {
        const floats values = elements_of<float>(t);
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

static std::string failure(const ir_module& m, const std::vector<tensor>& inputs, const interpret_options& options = {}) {
    std::string said;
    run(m, inputs, &said, options);
    return said;
}

/// A program of one function with these inputs; `body` gives its result.
template <class Body>
static ir_module program(const std::vector<tensor_type>& inputs, Body body) {
    ir_builder b;
    b.open_block();
    std::vector<node_id> parameters;
    for (std::size_t i = 0; i < inputs.size(); ++i) parameters.push_back(b.input("x" + std::to_string(i), inputs[i]));
    const node_id result = body(b, parameters);
    b.declare(b.function(parameters, result, "main"));
    return b.finish();
}

static const tensor_type number = f32({});
static tensor num(float v) { return tensor::scalar(v); }

TEST_CASE("A chain of twenty thousand calls runs, and its depth costs no native stack") {
    const ir_module m = program({number}, [](ir_builder& b, auto& x) {
        node_id n = x[0];
        for (int i = 0; i < 20'000; ++i) n = b.call("onnx.Neg", {n});
        return n;
    });
    CHECK(run(m, {num(3)}) == floats{3});
}

TEST_CASE("Tuples, projections, results in order") {
    const ir_module m = program({number, number}, [](ir_builder& b, auto& x) {
        const node_id t = b.tuple(std::vector<node_id>{x[0], x[1]});
        const node_id sum = b.call("onnx.Add", {b.projection(t, 0), b.projection(t, 1)});
        return b.tuple(std::vector<node_id>{b.projection(t, 1), sum, b.constant(num(7))});
    });
    CHECK(run(m, {num(1), num(2)}) == floats{2, 3, 7});
}

TEST_CASE("Only the taken branch runs") {
    const auto make = [](bool poisoned_then) {
        return program({tensor_type(element_type::boolean, {}), number}, [&](ir_builder& b, auto& x) {
            b.open_block();
            const node_id yes = b.call(poisoned_then ? "no.such" : "onnx.Neg", {x[1]}, {}, {}, "poison");
            b.close_block();
            b.open_block();
            const node_id no = b.call(poisoned_then ? "onnx.Exp" : "no.such", {x[1]});
            b.close_block();
            return b.if_else(x[0], yes, no);
        });
    };
    CHECK(run(make(true), {flag(false), num(0)}) == floats{1});
    CHECK(run(make(false), {flag(true), num(5)}) == floats{-5});
    const std::string said = failure(make(true), {flag(true), num(0)});
    CHECK(said.find("'poison'") != std::string::npos);
    CHECK(said.find("no.such") != std::string::npos);
}

TEST_CASE("Closures keep what they captured, also when applied elsewhere") {
    const ir_module m = program({number}, [](ir_builder& b, auto& x) {
        const node_id twice = b.call("onnx.Add", {x[0], x[0]});
        b.open_block();
        const node_id y = b.input("y", number);
        b.open_block();
        const node_id z = b.input("z", number);
        const node_id inner = b.function(std::vector<node_id>{z}, b.call("onnx.Sub", {b.call("onnx.Mul", {twice, y}), z}));
        const node_id outer = b.function(std::vector<node_id>{y}, inner);  // gives a function
        const node_id by_ten = b.apply(std::vector<node_id>{outer, b.constant(num(10))});
        return b.tuple(std::vector<node_id>{b.apply(std::vector<node_id>{by_ten, b.constant(num(1))}),
                                            b.apply(std::vector<node_id>{by_ten, b.constant(num(2))})});
    });
    CHECK(run(m, {num(3)}) == floats{59, 58});
}

/// let f = fn(n, sum) { if (n <= 0) sum else f(n - 1, sum + n) }; f(x, 0)
static ir_module recursion() {
    return program({number}, [](ir_builder& b, auto& x) {
        const node_id f = b.input("f", node_type::function({number, number}, number));
        b.open_block();
        const node_id n = b.input("n", number), sum = b.input("sum", number);
        const node_id ended = b.call("onnx.LessOrEqual", {n, b.constant(num(0))});
        b.open_block();
        const node_id again = b.apply(std::vector<node_id>{f, b.call("onnx.Sub", {n, b.constant(num(1))}), b.call("onnx.Add", {sum, n})});
        b.close_block();
        const node_id value = b.function(std::vector<node_id>{n, sum}, b.if_else(ended, sum, again));
        return b.let(f, value, b.apply(std::vector<node_id>{f, x[0], b.constant(num(0))}));
    });
}

TEST_CASE("A let binds a function to itself, and its depth is bounded") {
    CHECK(run(recursion(), {num(100)}) == floats{5050});
    CHECK(run(recursion(), {num(4'000)}) == floats{8'002'000});
    CHECK(failure(recursion(), {num(1'000'000)}).find("200000 deep") != std::string::npos);
    interpret_options few;
    few.most_slots = 100;
    CHECK(failure(recursion(), {num(1'000)}, few).find("more than 100 values") != std::string::npos);
}

TEST_CASE("Functions of the module call each other by name") {
    ir_builder b;
    b.open_block();
    const node_id y = b.input("y", number);
    b.declare(b.function(std::vector<node_id>{y}, b.call("onnx.Neg", {y}), "negate"));
    b.open_block();
    const node_id x = b.input("x", number);
    const node_id known = b.apply(std::vector<node_id>{b.global("negate", {}), x});
    b.declare(b.function(std::vector<node_id>{x}, known, "main"));
    CHECK(run(b.finish(), {num(4)}) == floats{-4});

    ir_builder c;
    c.open_block();
    const node_id z = c.input("z", number);
    c.declare(c.function(std::vector<node_id>{z}, c.apply(std::vector<node_id>{c.global("nobody", {}), z}), "main"));
    CHECK(failure(c.finish(), {num(4)}).find("'nobody'") != std::string::npos);
}

TEST_CASE("References are written and read in the order of lets") {
    const ir_module m = program({number}, [](ir_builder& b, auto& x) {
        const node_id cell = b.input("cell", {}), made = b.add(node_kind::make_ref, {x[0]}, 0, {}, {});
        const node_id before = b.input("before", number), first = b.add(node_kind::read_ref, {cell}, 0, {}, {});
        const node_id ignored = b.input("ignored", {}), write = b.add(node_kind::write_ref, {cell, b.constant(num(9))}, 0, {}, {});
        const node_id after = b.add(node_kind::read_ref, {cell}, 0, {}, {});
        const node_id both = b.call("onnx.Sub", {after, before});
        return b.let(cell, made, b.let(before, first, b.let(ignored, write, both)));
    });
    CHECK(run(m, {num(2)}) == floats{7});
}

TEST_CASE("A match takes the clause of the constructor and binds its fields") {
    const auto make = [](bool some) {
        return program({number}, [&](ir_builder& b, auto& x) {
            const node_id data = b.construct(some ? "Some" : "None", some ? std::vector<node_id>{x[0]} : std::vector<node_id>{});
            b.open_block();
            const node_id v = b.input("v", number), one = b.call("onnx.Neg", {v});
            b.close_block();
            b.open_block();
            const node_id other = b.call("onnx.Exp", {b.constant(num(0))});
            b.close_block();
            return b.add(node_kind::match, {data, v, one, other}, 0, {}, {},
                         {{"clause_sizes", ints{1, 0}}, {"patterns", strings{"Some(%)", "None"}}});
        });
    };
    CHECK(run(make(true), {num(6)}) == floats{-6});
    CHECK(run(make(false), {num(6)}) == floats{1});
}

TEST_CASE("A Loop carries values, stacks slices, and ends by its number of trips or its condition") {
    const auto make = [](bool has_limit) {
        return program({tensor_type(element_type::int64, {}), number}, [&](ir_builder& b, auto& x) {
            tensor yes(element_type::boolean, {});
            yes.as<bool>()[0] = true;
            const node_id limit = has_limit ? x[0] : b.unit(), condition = b.constant(yes);
            b.open_block();
            const node_id trip = b.input("trip", tensor_type(element_type::int64, {})),
                          going = b.input("going", tensor_type(element_type::boolean, {}));
            const node_id sum = b.input("sum", number), more = b.call("onnx.Add", {sum, x[1]}, {}, number);
            const node_id on = b.call("onnx.Less", {more, b.constant(num(10))}, {}, tensor_type(element_type::boolean, {}));
            static_cast<void>(going);
            const node_id as_float = b.call("onnx.Cast", {trip}, {{"to", std::int64_t{1}}}, number);
            const node_id body = b.function(std::vector<node_id>{trip, going, sum}, b.tuple(std::vector<node_id>{on, more, as_float}));
            const node_id loop =
                b.call("onnx.Loop", {limit, condition, b.constant(num(0)), body}, {}, node_type::tuple(std::vector<node_type>(2)));
            return b.tuple(std::vector<node_id>{b.projection(loop, 0), b.projection(loop, 1)});
        });
    };
    CHECK(run(make(true), {tensor::scalar(std::int64_t{2}), num(1)}) == floats{2, 0, 1});
    CHECK(run(make(true), {tensor::scalar(std::int64_t{100}), num(4)}) == floats{12, 0, 1, 2});
    CHECK(run(make(false), {tensor::scalar(std::int64_t{0}), num(6)}) == floats{12, 0, 1});
    CHECK(run(make(true), {tensor::scalar(std::int64_t{0}), num(6)}) == floats{0});
    interpret_options few;
    few.longest_loop = 1'000;
    CHECK(failure(make(false), {tensor::scalar(std::int64_t{0}), num(0)}, few).find("1000 trips") != std::string::npos);
}

TEST_CASE("A Scan slices its inputs, either way and along any axis, and stacks what its body gives") {
    const ir_module m = program({f32({2, 3})}, [](ir_builder& b, auto& x) {
        b.open_block();
        const node_id sum = b.input("sum", f32({2})), column = b.input("column", f32({2}));
        const node_id more = b.call("onnx.Add", {sum, column});
        const node_id body = b.function(std::vector<node_id>{sum, column}, b.tuple(std::vector<node_id>{more, more}));
        const attribute_map attributes{{"num_scan_inputs", std::int64_t{1}},
                                       {"scan_input_axes", ints{1}},
                                       {"scan_input_directions", ints{1}},
                                       {"scan_output_axes", ints{1}}};
        const node_id scan =
            b.call("onnx.Scan", {b.constant(list_of(floats{0, 0})), x[0], body}, attributes, node_type::tuple(std::vector<node_type>(2)));
        return b.tuple(std::vector<node_id>{b.projection(scan, 0), b.projection(scan, 1)});
    });
    CHECK(run(m, {tensor::of<float>({2, 3}, floats{1, 2, 3, 4, 5, 6})}) == floats{6, 15, 3, 5, 6, 6, 11, 15});
}

TEST_CASE("Errors name the node, the input, and what is wrong") {
    const ir_module m = program({f32({2}), f32({3})}, [](ir_builder& b, auto& x) {
        return b.call("onnx.Add", {x[0], x[1]}, {}, {}, "sum");
    });
    CHECK(failure(m, {list_of(floats{1, 2}), list_of(floats{1, 2, 3})}).starts_with("node 'sum' (Add): "));
    CHECK(failure(m, {list_of(floats{1, 2})}).find("2 inputs and was given 1") != std::string::npos);
    CHECK(failure(m, {list_of(floats{1, 2, 3}), list_of(floats{1, 2, 3})}).find("'x0' is of type float32[2]") != std::string::npos);
    CHECK(failure(m, {tensor(), list_of(floats{1, 2, 3})}).find("holds nothing") != std::string::npos);
    const ir_module bad = program({number}, [](ir_builder& b, auto& x) { return b.apply(std::vector<node_id>{x[0], x[0]}); });
    CHECK(failure(bad, {num(1)}).find("where a function was expected") != std::string::npos);
    const ir_module unbound = program({number}, [](ir_builder& b, auto&) { return b.call("onnx.Neg", {b.input("free", number)}); });
    CHECK(failure(unbound, {num(1)}).find("'free'") != std::string::npos);
    CHECK_FALSE(interpret(ir_module(), {}, few_ops()).has_value());
}

TEST_CASE("float64 is nearer to the real numbers, also through casts to float") {
    const ir_module m = program({number}, [](ir_builder& b, auto& x) {
        node_id n = x[0];
        for (int i = 0; i < 20; ++i) n = b.call("onnx.Sqrt", {n});
        for (int i = 0; i < 20; ++i) n = b.call("onnx.Mul", {n, n});
        return b.call("onnx.Cast", {n}, {{"to", std::int64_t{1}}});
    });
    const auto wide = interpret_as<double>(m, std::vector{num(5)}, few_ops());
    REQUIRE(wide.has_value());
    REQUIRE((*wide)[0].element() == element_type::float64);
    const double from_wide = std::abs((*wide)[0].as<double>()[0] - 5), from_narrow = std::abs(static_cast<double>(run(m, {num(5)})[0]) - 5);
    CHECK(from_wide < 1e-8);
    CHECK(from_narrow > 1e-4);
}
