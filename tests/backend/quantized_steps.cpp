// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/quantized_steps.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

#include <inlay/graph/tensor.hpp>

using namespace inlay;

namespace {

outcome<detail::quantized_steps> steps_around_product(const tensor& weights, const tensor& w_zero) {
    inlay_test::small_graph t;
    const node_id s = t.scalar(0.5f), zero = t.constant(tensor::scalar(std::uint8_t{7}));
    const node_id x = t.call("onnx.QuantizeLinear", {t.input({2, 2}), s, zero});
    const node_id scales = t.constant(tensor::of<float>({2}, {0.25f, 2.0f}));
    static std::vector<inlay_test::whole_region> kept;
    kept.emplace_back(
        t.finish(t.call("onnx.QLinearMatMul", {x, s, zero, t.constant(weights), scales, t.constant(w_zero), t.scalar(4), zero})));
    const region_view r = kept.back().view();
    return detail::quantized_steps_of(r, r[r.results[0]]);
}

}  // namespace

TEST_CASE("scales, zero points and the range of a quantised product are read where they are known") {
    const auto read = steps_around_product(tensor::of<std::int8_t>({2, 2}, {1, 2, 3, 4}), tensor::scalar(std::int8_t{0}));
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(read->scale(0) == 0.5f * 0.25f / 4);
    CHECK(read->scale(1) == 0.25f);
    CHECK(read->x_zero == 7);
    CHECK(read->low == 0);
    CHECK(read->high == 255);
    CHECK(read->start(1) == 0);
    CHECK(read->check_centred());
    CHECK(steps_around_product(tensor::of<std::int8_t>({2, 2}, {1, 2, 3, 4}), tensor::of<std::int8_t>({2}, {5, -6}))->weight_zero(1) == -6);
    CHECK(steps_around_product(tensor::of<std::uint8_t>({2, 2}, {1, 2, 3, 4}), tensor::scalar(std::uint8_t{0}))
              ->check_centred()
              .failure()
              .message == "only weights of int8 are computed");
    CHECK(steps_around_product(tensor::of<std::int8_t>({2, 2}, {1, 2, 3, 4}), tensor::scalar(std::int8_t{1}))
              ->check_centred()
              .failure()
              .message == "only weights whose zero point is 0 are computed");
}
