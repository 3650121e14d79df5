// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/cuda_operand.hpp>

#include <doctest/doctest.h>

#include "../small_graph.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("an input is read where the run has it, and a constant needs a device") {
    small_graph t;
    const node_id x = t.input({3}), y = t.input({3});
    const whole_region whole(t.finish(t.call("onnx.Add", {t.call("onnx.Mul", {x, y}), t.random({3})})));
    const auto second = detail::cuda_operand::of(whole.view(), 1);
    REQUIRE(second);
    const float values[2] = {1, 2};
    const void* const inputs[] = {&values[0], &values[1]};
    run_arguments a;
    a.inputs = inputs;
    CHECK(second->at(a) == &values[1]);
    CHECK(second->constant() == nullptr);
    if (detail::cuda_device::here()) return;
    const auto none = detail::cuda_operand::of(tensor(element_type::float32, {3}));
    REQUIRE(!none);
    CHECK(none.failure().message.find("there is no CUDA device here: ") == 0);
}
