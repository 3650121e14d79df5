// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/clean.hpp>

#include <cmath>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/cast.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/onnx/reduction.hpp>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

using few_ops = op_table<onnx_arithmetic<>, onnx_casts<>, onnx_logic<>, onnx_math<>, onnx_reductions<>>;

TEST_CASE("What passes its operand on goes, and its name stays as an origin") {
    const ir_module m = program({f32({2})}, [](ir_builder& b, auto& x) {
        const node_id a = b.call("onnx.Neg", {x[0]}, {}, f32({2}), "a");
        const node_id i = b.call("onnx.Identity", {a}, {}, f32({2}), "i");
        const node_id d = b.call("onnx.Dropout", {i}, {}, f32({2}), "d");
        const node_id c = b.call("onnx.Cast", {d}, {{"to", std::int64_t{1}}}, f32({2}), "c");
        const node_id t = b.call("onnx.Transpose", {c}, {{"perm", ints{0}}}, f32({2}), "t");
        const node_id r = b.call("onnx.Reshape", {t, b.constant(list(ints{-1}))}, {}, f32({2}), "r");
        const node_id j = b.call("onnx.Concat", {r}, {{"axis", std::int64_t{0}}}, f32({2}), "j");
        return b.call("onnx.Exp", {j}, {}, f32({2}), "e");
    });
    const ir_module c = clean(m);
    CHECK(c.size() == 4);
    CHECK(c.origins(named(c, "a")) == strings{"i", "d", "c", "t", "r", "j"});
}

TEST_CASE("What does something stays") {
    const ir_module m = program({f32({2, 3})}, [](ir_builder& b, auto& x) {
        const node_id t = b.call("onnx.Transpose", {x[0]}, {{"perm", ints{1, 0}}}, f32({3, 2}));
        const node_id r = b.call("onnx.Reshape", {t, b.constant(list(ints{2, 3}))}, {}, f32({2, 3}));
        const node_id c = b.call("onnx.Cast", {r}, {{"to", std::int64_t{11}}}, tensor_type(element_type::float64, {2, 3}));
        tensor training(element_type::boolean, {});
        training.as<bool>()[0] = true;
        const node_id d = b.call("onnx.Dropout", {c, b.unit(), b.constant(training)}, {}, tensor_type(element_type::float64, {2, 3}));
        const node_id first = b.call("onnx.RandomNormal", {}, {}, tensor_type(element_type::float64, {2, 3}));
        const node_id second = b.call("onnx.RandomNormal", {}, {}, tensor_type(element_type::float64, {2, 3}));
        return b.call("onnx.Sum", {d, first, second});
    });
    const ir_module c = clean(m);
    for (const char* op : {"onnx.Transpose", "onnx.Reshape", "onnx.Cast", "onnx.Dropout"}) CHECK(calls_of(c, op) == 1);
    CHECK(calls_of(c, "onnx.RandomNormal") == 2);
}

TEST_CASE("Equal nodes become one, dead ones none") {
    const ir_module m = program({f32({2})}, [](ir_builder& b, auto& x) {
        const node_id one = b.constant(list_of(floats{1, 1})), other = b.constant(list_of(floats{1, 1}));
        const node_id p = b.call("onnx.Add", {x[0], one}, {}, {}, "p"), q = b.call("onnx.Add", {x[0], other}, {}, {}, "q");
        b.call("onnx.Exp", {p}, {}, {}, "dead");
        return b.call("onnx.Mul", {p, q}, {}, {}, "m");
    });
    const ir_module c = clean(m);
    CHECK(c.size() == 5);
    CHECK(c.origins(named(c, "p")) == strings{"q"});
    const node_id product = named(c, "m");
    CHECK(c.operand(product, 0) == c.operand(product, 1));
}

TEST_CASE("Large constants are one where all their bytes are equal") {
    floats zeros(5000, 0), other = zeros, negative = zeros;
    other[1200] = 1;          // which no sample of a few bytes shows
    negative.back() = -0.0f;  // equal as a number
    const ir_module m = program({f32({5000})}, [&](ir_builder& b, auto& x) {
        node_id sum = x[0];
        for (const floats* values : {&zeros, &other, &zeros, &other, &negative})
            sum = b.call("onnx.Add", {sum, b.constant(list_of(*values))});
        return sum;
    });
    const ir_module c = clean(m);
    std::size_t constants = 0;
    for (node_id n = 0; n < c.size(); ++n) constants += c.constant(n) != nullptr;
    CHECK(constants == 3);
}

TEST_CASE("A branch reads what stands around it, and its neighbour nothing of it") {
    const ir_module m = program({f32({2}), tensor_type(element_type::boolean, {})}, [](ir_builder& b, auto& x) {
        const node_id outside = b.call("onnx.Neg", {x[0]}, {}, {}, "outside");
        b.open_block();
        const node_id yes = b.call("onnx.Add", {b.call("onnx.Neg", {x[0]}), b.call("onnx.Exp", {x[0]})});
        b.close_block();
        b.open_block();
        const node_id no = b.call("onnx.Sub", {outside, b.call("onnx.Exp", {x[0]})});
        b.close_block();
        return b.if_else(x[1], yes, no);
    });
    const ir_module c = clean(m);
    CHECK(calls_of(c, "onnx.Neg") == 1);
    CHECK(calls_of(c, "onnx.Exp") == 2);
}

TEST_CASE("A branch whose only node stands outside already leaves no block behind") {
    const ir_module m = program({f32({2}), tensor_type(element_type::boolean, {})}, [](ir_builder& b, auto& x) {
        const node_id outside = b.call("onnx.Exp", {x[0]}, {}, {}, "outside");
        b.open_block();
        const node_id yes = b.call("onnx.Exp", {x[0]}, {}, {}, "yes");
        b.close_block();
        b.open_block();
        const node_id no = b.call("onnx.Neg", {outside}, {}, {}, "no");
        b.close_block();
        return b.if_else(x[1], yes, no);
    });
    const ir_module once = clean(m);
    CHECK(same(once, clean(once)));
    CHECK(calls_of(once, "onnx.Exp") == 1);
}

TEST_CASE("Results keep their names and their order") {
    const ir_module m = program({f32({2})}, [](ir_builder& b, auto& x) {
        const node_id p = b.call("onnx.Neg", {x[0]}, {}, {}, "p"), q = b.call("onnx.Neg", {x[0]}, {}, {}, "q");
        return b.tuple(std::vector<node_id>{p, b.call("onnx.Identity", {q}, {}, {}, "i")});
    });
    const ir_module c = clean(m);
    CHECK(c.results().size() == 2);
    CHECK(c.results()[0] == c.results()[1]);
    CHECK(c.result_names() == strings{"p", "i"});
}

TEST_CASE("Cleaning keeps the meaning of random programs, and cleaning again changes nothing") {
    CHECK(rc::check("cleaning", [](const std::vector<std::uint8_t>& choices) {
        const auto typed = infer_types(random_program(choices), {}, few_ops());
        RC_ASSERT(typed.has_value());
        const ir_module once = clean(*typed), twice = clean(once);
        RC_ASSERT(same(once, twice));
        RC_ASSERT(calls_of(once, "onnx.Identity") == 0);
        RC_ASSERT(once.size() <= typed->size());
        const std::vector<tensor> inputs{noise({3}, 1), noise({3}, 2)};
        const auto before = interpret(*typed, inputs, few_ops()), after = interpret(once, inputs, few_ops());
        RC_ASSERT(before.has_value());
        RC_ASSERT(after.has_value());
        for (std::size_t i = 0; i < 2; ++i) RC_ASSERT((*before)[i].content() == (*after)[i].content());
        const auto wide = interpret_as<double>(once, inputs, few_ops());
        RC_ASSERT(wide.has_value());
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                const double exact = (*wide)[i].as<double>()[k], found = static_cast<double>((*after)[i].as<float>()[k]);
                RC_ASSERT(found == exact || std::abs(found - exact) <= 1e-2 * (1 + std::abs(exact)) || !(std::abs(exact) < 1e3));
            }
    }));
}
