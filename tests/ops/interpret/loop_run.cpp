// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/loop_run.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("Slices and stacks undo each other along every axis") {
    const tensor whole = counting({2, 3, 4});
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<tensor> slices;
        for (std::int64_t i = 0; i < whole.extents()[axis]; ++i) {
            auto slice = slice_at(whole, axis, i);
            REQUIRE(slice.has_value());
            CHECK(slice->rank() == 2);
            slices.push_back(*slice);
        }
        const auto again = stacked(slices, axis);
        REQUIRE(again.has_value());
        CHECK(again->content() == whole.content());
    }
    CHECK(elements_of<float>(*slice_at(whole, 1, 2)) == floats{8, 9, 10, 11, 20, 21, 22, 23});
}

static runtime_value body() { return runtime_value(runtime_value::closure{0, {}, runtime_value::npos}); }
static std::string why(std::string_view op, const attribute_map& attributes, const std::vector<runtime_value>& operands) {
    const auto run = loop_run::of(op, attributes, operands);
    return run ? "no error" : run.failure().message;
}

TEST_CASE("Loops that cannot start say why") {
    const runtime_value five(tensor::scalar(std::int64_t{5})), unit = runtime_value::tuple({}), number(tensor::scalar(1.0f));
    CHECK(why("onnx.Loop", {}, {five, unit}).find("function as its last operand") != std::string::npos);
    CHECK(why("onnx.Loop", {}, {number, unit, body()}).find("one integer") != std::string::npos);
    CHECK(why("onnx.Loop", {}, {five, five, body()}).find("one bool") != std::string::npos);
    CHECK(why("onnx.Loop", {}, {five, unit, body()}) == "no error");
    CHECK(why("onnx.Scan", {}, {number, body()}).find("num_scan_inputs") != std::string::npos);
    CHECK(why("onnx.Scan", {{"num_scan_inputs", std::int64_t{1}}}, {number, body()}).find("cannot slice") != std::string::npos);
    const attribute_map two{{"num_scan_inputs", std::int64_t{2}}};
    CHECK(why("onnx.Scan", two, {runtime_value(counting({2})), runtime_value(counting({3})), body()}).find("different lengths") !=
          std::string::npos);
}

TEST_CASE("A loop that makes no trip stacks nothing, of the type that its body says") {
    auto run = loop_run::of("onnx.Loop", {}, {runtime_value(tensor::scalar(std::int64_t{0})), runtime_value::tuple({}), body()});
    REQUIRE(run.has_value());
    CHECK_FALSE(run->next()->has_value());
    const node_type says = node_type::tuple({node_type(tensor_type(element_type::boolean, {})), node_type(f32({symbol("n"), 3}))});
    const auto values = run->finish({}, says, 1);
    REQUIRE(values.has_value());
    CHECK((*values)[0].as_tensor()->extents() == ints{0, 0, 3});
    CHECK_FALSE(run->finish({}, node_type(), 1).has_value());
}
