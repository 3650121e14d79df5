// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/bf16_convolution.hpp>

#include <cmath>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

taken taken_rounded(const ir_module& g, std::size_t nodes) {
    cpu_simd self;
    self.bf16 = true;
    self.threads = 2;
    const taken got = take_by(self, g, std::ldexp(1.0, -7), -2, 2);
    check_taken(got, nodes);
    return got;
}

}  // namespace

TEST_CASE("1 x 1 convolutions with channels last agree with their definition, whatever follows them") {
    for (const std::int64_t channels : {3, 16, 33})
        for (const std::int64_t size : {1, 6, 15}) {
            CAPTURE(channels);
            CAPTURE(size);
            small_graph t;
            const node_id conv = t.call("onnx.Conv", {t.input({2, channels, size, size}), t.random({41, channels, 1, 1}), t.random({41})});
            const node_id added = t.call("onnx.Add", {t.normalized(conv, 41), t.input({2, 41, size, size})});
            const taken got = taken_rounded(t.finish(t.call("onnx.Relu", {added})), 4);
            const bool is_offered = size == 1 || processor_has_bf16_pairs();
            CHECK(got.count("convolution_bf16") == (is_offered ? 1 : 0));
        }
}

TEST_CASE("one place is computed with weights alone rounded") {
    small_graph t;
    const taken got = taken_rounded(t.finish(t.call("onnx.Conv", {t.input({1, 20, 1, 1}), t.random({41, 20, 1, 1})})), 1);
    for (const taken_way& w : got.ways)
        if (w.composite == "convolution_bf16") {
            CHECK(w.formats == "channels_last->channels_last");
            CHECK(w.note == std::string(name_of(cpu_simd().table()->set)) + " pointwise with bf16 weights");
        }
    CHECK(got.count("convolution_bf16") == 1);
}

TEST_CASE("other windows, groups and back ends without the option round nothing") {
    const auto count = [](const extents& x, const extents& w, const attribute_map& a) {
        small_graph t;
        return taken_rounded(t.finish(t.call("onnx.Conv", {t.input(x), t.random(w)}, a)), 1).count("convolution_bf16");
    };
    CHECK(count({1, 16, 2, 2}, {16, 16, 1, 1}, {}) == 1);
    CHECK(count({1, 16, 2, 2}, {16, 16, 1, 1}, {{"strides", extents{2, 2}}}) == 0);
    CHECK(count({1, 16, 2, 2}, {16, 16, 1, 1}, {{"pads", extents{0, 1, 0, 0}}}) == 0);
    CHECK(count({1, 16, 3, 3}, {16, 16, 3, 3}, {}) == 0);
    CHECK(count({1, 16, 2, 2}, {16, 8, 1, 1}, {{"group", std::int64_t{2}}}) == 0);
    small_graph t;
    CHECK(expect_taken(t.finish(t.call("onnx.Conv", {t.input({1, 16, 2, 2}), t.random({16, 16, 1, 1})})), 1).count("convolution_bf16") ==
          0);
}
