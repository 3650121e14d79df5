// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit/nest_kernel.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../looping_backend.hpp"

#include <inlay/core/buffer.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/testing/compare.hpp>

using namespace inlay;

namespace {
tensor some_image() {
    tensor x(element_type::float32, {1, 2, 5, 5});
    for (std::size_t i = 0; i < x.count(); ++i) x.as<float>()[i] = static_cast<float>(i * 5 % 11) / 4 - 1;
    return x;
}
tensor result_of(const kernel& k, const tensor& x) {
    tensor y(element_type::float32, {1, 3});
    buffer workspace(k.workspace_bytes);
    const void* const inputs[] = {x.data()};
    void* const results[] = {y.data()};
    CHECK(k({inputs, results, workspace.data(), {}}));
    return y;
}
}  // namespace

TEST_CASE("a region goes through lowering, loop phases and the system's compiler to a kernel [codegen.loops.kernel]") {
    const toys::sample_region sample(toys::small_network());
    const tensor x = some_image();
    const auto meant = interpret(sample.m, std::vector{x});
    REQUIRE(meant);
    const auto made = emit_region(toys::looping(), sample.view());
    if (!made) FAIL(made.failure().message);
    CHECK(compare(result_of(*made, x), meant->front(), 1e-5, 1e-6).agrees);
    toys::looping cheating;
    cheating.cheats = true;
    const auto other = emit_region(cheating, sample.view());
    REQUIRE(other);
    CHECK_FALSE(compare(result_of(*other, x), meant->front(), 1e-5, 1e-6).agrees);
}

TEST_CASE("lifted constants reach the loops as inputs; values that lowering needs are then not known [codegen.loops.lifted]") {
    const toys::sample_region sample(toys::small_network());
    const auto refused = emit_region(toys::lifted_looping(), sample.view());
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message == "onnx.ReduceMean: a reduction over axes that are not known has no loop nest");
    ir_builder b;
    b.open_block();
    const tensor_type row(element_type::float32, {4});
    const node_id x = b.input("x", row);
    const node_id sum = b.call("onnx.Add", {x, b.constant(tensor::of({4}, std::vector<float>{1, 2, 3, 4}))}, {}, row);
    b.declare(b.function(std::vector<node_id>{x}, sum, "main"));
    const toys::sample_region shifted(b.finish());
    const auto made = emit_region(toys::lifted_looping(), shifted.view());
    if (!made) FAIL(made.failure().message);
    const float in[] = {1, 1, 2, 2};
    float out[4] = {};
    const void* const inputs[] = {in};
    void* const results[] = {out};
    REQUIRE((*made)({inputs, results, nullptr, {}}));
    CHECK(out[3] == 6);
}

TEST_CASE(
    "parallel loops run on the compiler's threads where it is asked for them, and code that has started some stays "
    "[codegen.loops.kernel]") {
    nest_builder n("n");
    const buffer_id x = n.buffer(buffer_scope::input, "x", element_type::float32, {64}),
                    y = n.buffer(buffer_scope::output, "y", element_type::float32, {64});
    const variable_id i = n.variable("i");
    const expression_id twice = n.apply(scalar_function::add, {n.load(x, {affine::of(i)}), n.load(x, {affine::of(i)})});
    const statement_id stored = n.store(y, {affine::of(i)}, twice), root = n.loop(i, 64, stored, loop_kind::parallel);
    const loop_nest whole = std::move(n).finish(root);
    for (int round = 0; round < 2; ++round) {
        const auto made = nest_kernel(whole, nest_compiler({"-O1", "-fopenmp"}));
        if (!made) FAIL(made.failure().message);
        float in[64], out[64] = {};
        for (int k = 0; k < 64; ++k) in[k] = static_cast<float>(k);
        const void* const inputs[] = {in};
        void* const results[] = {out};
        REQUIRE((*made)({inputs, results, nullptr, {}}));
        CHECK(out[63] == 126);
    }
}

TEST_CASE("what becomes of the compiler, or of a phase, is said once [codegen.loops.refused]") {
    const toys::sample_region sample(toys::small_network());
    toys::looping lost;
    lost.compiler = "inlay-no-such-compiler";
    const auto refused = emit_region(lost, sample.view());
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message.find("there is no compiler: the program 'inlay-no-such-compiler' cannot be started") == 0);
    nest_builder n("n");
    const buffer_id y = n.buffer(buffer_scope::output, "y", element_type::float16, {1});
    const expression_id one = n.number(1, element_type::float16);
    const statement_id root = n.store(y, {affine()}, n.apply(scalar_function::add, {one, one}));
    CHECK(nest_kernel(std::move(n).finish(root)).failure().message.find("C99 has no arithmetic on float16") == 0);
    compiler_request hides = nest_compiler({"-fvisibility=hidden"});
    nest_builder empty("empty");
    const statement_id nothing = empty.block({});
    CHECK(nest_kernel(std::move(empty).finish(nothing), hides).failure().message.find("has lost its function") != std::string::npos);
}
