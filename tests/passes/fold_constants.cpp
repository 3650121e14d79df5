// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/fold_constants.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/cast.hpp>
#include <inlay/ops/onnx/gathering.hpp>
#include <inlay/ops/onnx/joining.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/onnx/reduction.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

using few_ops = op_table<onnx_arithmetic<>, onnx_casts<>, onnx_gathering<>, onnx_joining<>, onnx_logic<>, onnx_math<>, onnx_reductions<>,
                         onnx_reshaping<>>;

static ir_module folded(const ir_module& m, const fold_options& options = {}) {
    auto f = fold_constants(m, options, few_ops());
    if (!f) MESSAGE(f.failure().message);
    REQUIRE(f.has_value());
    return *f;
}

TEST_CASE("Calls on constants become constants, which remember whom they stand for") {
    const ir_module m = program({f32({2})}, [](ir_builder& b, auto& x) {
        const node_id c = b.constant(list_of(floats{1, 4}), "c");
        const node_id root = b.call("onnx.Sqrt", {c}, {}, {}, "root"), twice = b.call("onnx.Add", {root, root}, {}, {}, "twice");
        return b.call("onnx.Mul", {x[0], twice}, {}, {}, "product");
    });
    const ir_module f = folded(m);
    CHECK(calls_of(f, "onnx.Sqrt") + calls_of(f, "onnx.Add") == 0);
    CHECK(f.size() == 4);  // input, constant, product, main
    const node_id twice = named(f, "twice");
    REQUIRE(twice != no_node);
    REQUIRE(f.constant(twice) != nullptr);
    CHECK(elements_of<float>(*f.constant(twice)) == floats{2, 4});
    CHECK(f.origins(twice) == strings{"root"});
}

/// Reshape(x, Concat(Unsqueeze(Gather(Shape(x), 0)), [-1])), as exporters write a flattening.
static ir_module flattening(const tensor_type& type) {
    return program({type}, [](ir_builder& b, auto& x) {
        const node_id shape = b.call("onnx.Shape", {x[0]}, {}, {}, "shape");
        const node_id batch = b.call("onnx.Gather", {shape, b.constant(tensor::scalar(std::int64_t{0}))}, {}, {}, "batch");
        const node_id as_list = b.call("onnx.Unsqueeze", {batch, b.constant(list(ints{0}))}, {}, {}, "as_list");
        const node_id target = b.call("onnx.Concat", {as_list, b.constant(list(ints{12}))}, {{"axis", std::int64_t{0}}}, {}, "target");
        return b.call("onnx.Reshape", {x[0], target}, {}, {}, "flat");
    });
}

TEST_CASE("Shapes of known types fold all the way into a Reshape") {
    const ir_module f = folded(flattening(f32({2, 3, 4})));
    CHECK(f.size() == 4);
    CHECK(result_type(f) == "float32[2,12]");
    const node_id target = named(f, "target");
    REQUIRE(target != no_node);
    CHECK(f.origins(target) == strings{"shape", "batch", "as_list"});
}

TEST_CASE("Arithmetic on shapes known in part folds as well") {
    const ir_module f = folded(flattening(f32({symbol("n"), 3, 4})));
    CHECK(calls_of(f, "onnx.Shape") + calls_of(f, "onnx.Gather") + calls_of(f, "onnx.Concat") == 0);
    CHECK(result_type(f) == "float32[n,12]");
    const node_id flat = named(f, "flat");
    REQUIRE(f.constant(f.operand(flat, 1)) != nullptr);
    CHECK(elements_of<std::int64_t>(*f.constant(f.operand(flat, 1))) == ints{0, 12});
    const tensor x = counting({2, 3, 4});
    const auto after = interpret(f, std::vector{x}, few_ops());
    REQUIRE(after.has_value());
    CHECK((*after)[0].extents() == ints{2, 12});
    CHECK(result_type(folded(flattening(f32({symbol("n"), 3, 4})), {{{{"n", 5}}, {}}, 1000})) == "float32[5,12]");
}

TEST_CASE("An element that is quite unknown becomes -1") {
    const ir_module m = program({f32({symbol("n"), 6}), f32({symbol("m"), 2})}, [](ir_builder& b, auto& x) {
        const node_id shape = b.call("onnx.Shape", {x[1]}), rows = b.call("onnx.Gather", {shape, b.constant(list(ints{0}))});
        const node_id more = b.call("onnx.Mul", {rows, b.constant(list(ints{3}))});
        return b.call("onnx.Reshape",
                      {x[0], b.call("onnx.Concat", {b.constant(list(ints{2})), more}, {{"axis", std::int64_t{0}}}, {}, "target")}, {}, {},
                      "made");
    });
    const ir_module f = folded(m);
    const tensor* target = f.constant(f.operand(named(f, "made"), 1));
    REQUIRE(target != nullptr);
    CHECK(elements_of<std::int64_t>(*target) == ints{2, -1});
}

TEST_CASE("A branch whose condition is known stands where the if stood") {
    tensor yes(element_type::boolean, {});
    yes.as<bool>()[0] = true;
    const ir_module m = program({f32({2})}, [&](ir_builder& b, auto& x) {
        const node_id condition = b.call("onnx.Not", {b.constant(yes)});
        b.open_block();
        const node_id bad = b.call("onnx.Add", {x[0], b.constant(list_of(floats{1, 2, 3}))}, {}, {}, "bad");
        b.close_block();
        b.open_block();
        const node_id good = b.call("onnx.Neg", {x[0]}, {}, {}, "good");
        b.close_block();
        return b.call("onnx.Exp", {b.if_else(condition, bad, good, "chosen")});
    });
    const ir_module f = folded(m);
    CHECK(f.size() == 4);
    CHECK(result_type(f) == "float32[2]");
    const node_id good = named(f, "good");
    REQUIRE(good != no_node);
    CHECK(f.block(good) == f.block(named(f, "x0")));
    CHECK(f.origins(good) == strings{"chosen"});
}

TEST_CASE("Results of several outputs fold through their projections") {
    const ir_module m = program({f32({2})}, [](ir_builder& b, auto& x) {
        const node_id halves =
            b.call("onnx.Split", {b.constant(counting({4}))}, {{"axis", std::int64_t{0}}, {"num_outputs", std::int64_t{2}}},
                   node_type::tuple({node_type(f32({2})), node_type(f32({2}))}), "halves");
        return b.call("onnx.Add", {x[0], b.projection(halves, 1, "second")});
    });
    const ir_module f = folded(m);
    CHECK(calls_of(f, "onnx.Split") == 0);
    REQUIRE(f.constant(named(f, "second")) != nullptr);
    CHECK(elements_of<float>(*f.constant(named(f, "second"))) == floats{2, 3});
}

TEST_CASE("What would grow beyond the limit is left to the run") {
    const ir_module m = program({f32({1})}, [](ir_builder& b, auto& x) {
        const node_id wide = b.call("onnx.Add", {b.constant(counting({100, 1})), b.constant(counting({1, 100}))}, {}, {}, "wide");
        return b.call("onnx.Add", {x[0], wide});
    });
    CHECK(folded(m, {{}, 39'999}).constant(named(folded(m, {{}, 39'999}), "wide")) == nullptr);
    CHECK(folded(m, {{}, 40'000}).constant(named(folded(m, {{}, 40'000}), "wide")) != nullptr);
}

TEST_CASE("Random calls stay, and errors name the node") {
    const ir_module m = program({f32({1})}, [](ir_builder& b, auto& x) {
        return b.call("onnx.Add", {x[0], b.call("onnx.RandomNormal", {}, {}, f32({1}))});
    });
    CHECK(calls_of(folded(m), "onnx.RandomNormal") == 1);
    const ir_module bad = program({f32({2})}, [](ir_builder& b, auto& x) {
        return b.call("onnx.Add", {x[0], b.constant(counting({3}))}, {}, {}, "bad");
    });
    const auto f = fold_constants(bad, {}, few_ops());
    REQUIRE_FALSE(f.has_value());
    CHECK(f.failure().message.starts_with("node 'bad' (Add): "));
}

TEST_CASE("Folding keeps the meaning of random programs, and folding again changes nothing") {
    CHECK(rc::check("folding", [](const std::vector<std::uint8_t>& choices) {
        const ir_module m = random_program(choices);
        const auto once = fold_constants(m, {}, few_ops());
        RC_ASSERT(once.has_value());
        const auto twice = fold_constants(*once, {}, few_ops());
        RC_ASSERT(twice.has_value());
        RC_ASSERT(same(*once, *twice));
        const std::vector<tensor> inputs{noise({3}, 1), noise({3}, 2)};
        const auto before = interpret(m, inputs, few_ops()), after = interpret(*once, inputs, few_ops());
        RC_ASSERT(before.has_value());
        RC_ASSERT(after.has_value());
        for (std::size_t i = 0; i < 2; ++i) RC_ASSERT((*before)[i].content() == (*after)[i].content());
    }));
}
