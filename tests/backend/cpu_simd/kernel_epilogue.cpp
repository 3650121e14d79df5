// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>

#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace inlay::simd;
using namespace cpu_simd_test;

TEST_CASE("a power is taken where a kernel has it") {
    using from = detail::elementwise_function;
    CHECK(steps_of({from::form::power, 2, -1})->front().what == step::form::reciprocal);
    CHECK(steps_of({from::form::power, 1, 2})->size() == 1);
    CHECK(steps_of({from::form::power, 3, 0.5})->size() == 2);
    CHECK(steps_of({from::form::power, 1, 7}).failure().message.find("7.0") != std::string::npos);
}

TEST_CASE("an addition and a range that come first are the kernel's own, the rest are steps") {
    small_graph t;
    const extents shape{1, 8, 4, 4};
    node_id y = t.call("onnx.Add", {t.input(shape), t.input(shape)});
    y = t.call("onnx.Sigmoid", {t.call("onnx.Relu", {y})});
    const whole_region w(t.finish(y));
    const auto chain = detail::read_anchored_chain(w.view(), w.view().results[0], [](const region_value&) { return false; });
    REQUIRE(chain.has_value());
    const auto made = kernel_epilogue::read(w.view(), chain->steps, shape, 1);
    REQUIRE(made.has_value());
    const float x[1] = {};
    const void* inputs[] = {x, x + 1};
    run_arguments a;
    a.inputs = inputs;
    const kernel_epilogue::ready ready = made->at(a);
    CHECK(ready.add == x + 1);
    CHECK(ready.low == 0);
    CHECK(ready.count == 1);
    CHECK(ready.steps[0].what == step::form::sigmoid);
    CHECK(made->reads(1));
    CHECK_FALSE(made->reads(0));
    const auto without = kernel_epilogue::read(w.view(), chain->steps, shape, 1, false);
    CHECK(without->at(a).count == 3);
}

TEST_CASE("a tensor that is neither whole nor one number for each channel is refused") {
    small_graph t;
    const whole_region w(t.finish(t.call("onnx.Add", {t.input({1, 8, 4, 4}), t.random({4, 4})})));
    const auto chain = detail::read_anchored_chain(w.view(), w.view().results[0], [](const region_value&) { return false; });
    CHECK(kernel_epilogue::read(w.view(), chain->steps, {1, 8, 4, 4}, 1).failure().message.find("float32[4,4]") != std::string::npos);
}
