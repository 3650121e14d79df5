// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/byte_pool.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "take_bytes.hpp"

using namespace inlay;
using namespace cpu_simd_test;

TEST_CASE("the largest bytes of windows are the interpreter's") {
    for (unsigned seed = 1; seed <= 80; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        const bool is_signed = pick(0, 1) == 0;
        extents x{pick(1, 2), pick(0, 3) == 0 ? pick(60, 150) : pick(1, 40)}, kernel, strides, dilations, pads, after;
        for (std::int64_t axes = pick(0, 3) == 0 ? 1 : 2; axes > 0; --axes) {
            const std::int64_t taps = pick(1, 4), dilation = taps == 1 ? 1 : pick(1, 2);
            kernel.push_back(taps);
            dilations.push_back(dilation);
            strides.push_back(pick(1, 3));
            // No window lies beside the image alone.
            pads.push_back(pick(0, taps > 1 && dilation == 1 ? 1 : 0));
            after.push_back(pick(0, taps > 1 && dilation == 1 ? 1 : 0));
            x.push_back((taps - 1) * dilation + 1 + pick(0, 9));
        }
        pads.insert(pads.end(), after.begin(), after.end());
        small_graph t;
        const node_id in = t.input_of(tensor_type(is_signed ? element_type::int8 : element_type::uint8, shape(x.begin(), x.end())));
        const attribute_map how{
            {"kernel_shape", kernel}, {"strides", strides}, {"dilations", dilations}, {"pads", pads}, {"ceil_mode", pick(0, 1)}};
        (void)expect_bytes(t.finish(t.call("onnx.MaxPool", {in}, how)), {some_bytes(pick, x, is_signed)});
    }
}

TEST_CASE("poolings of floats are no poolings of bytes") {
    small_graph t;
    const node_id y = t.call("onnx.MaxPool", {t.input({1, 2, 4, 4})}, {{"kernel_shape", extents{2, 2}}});
    const ir_module m = t.finish(y);
    const sized_match match = largest_match(cpu_simd(), m);
    for (const candidate& c : match.ways) CHECK(c.name != "quantized_pool");
}
