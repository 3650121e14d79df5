// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/byte_mean.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take_bytes.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

node_id zero(picker& pick, small_graph& t, bool is_signed) { return t.constant(some_bytes(pick, {}, is_signed)); }
float scale(picker& pick) { return static_cast<float>(pick(1, 60)) / 700; }

/// The mean that `build(t, numbers)` makes, between bytes and bytes.
template <class Build>
ir_module between(picker& pick, const extents& x, bool is_signed, Build&& build) {
    small_graph t;
    const node_id in = t.input_of(tensor_type(is_signed ? element_type::int8 : element_type::uint8, shape(x.begin(), x.end())));
    const node_id numbers = t.call("onnx.DequantizeLinear", {in, t.scalar(scale(pick)), zero(pick, t, is_signed)});
    const bool is_signed_after = pick(0, 1) == 0;
    return t.finish(t.call("onnx.QuantizeLinear", {build(t, numbers), t.scalar(scale(pick)), zero(pick, t, is_signed_after)}));
}

}  // namespace

TEST_CASE("means of bytes over windows are the interpreter's bytes") {
    for (unsigned seed = 1; seed <= 80; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        const bool is_signed = pick(0, 1) == 0;
        extents x{pick(1, 2), pick(0, 3) == 0 ? pick(40, 80) : pick(1, 36)}, kernel, strides, pads, after;
        for (std::int64_t axes = pick(0, 3) == 0 ? 1 : 2; axes > 0; --axes) {
            const std::int64_t taps = pick(1, 4);
            kernel.push_back(taps);
            strides.push_back(pick(1, 3));
            pads.push_back(pick(0, taps > 1 ? 1 : 0));
            after.push_back(pick(0, taps > 1 ? 1 : 0));
            x.push_back(taps + pick(0, 8));
        }
        pads.insert(pads.end(), after.begin(), after.end());
        const std::int64_t counts_pads = pick(0, 1);
        const attribute_map how{{"kernel_shape", kernel},
                                {"strides", strides},
                                {"pads", pads},
                                {"count_include_pad", counts_pads},
                                {"ceil_mode", counts_pads == 1 ? 0 : pick(0, 1)}};
        const ir_module m =
            between(pick, x, is_signed, [&](small_graph& t, node_id numbers) { return t.call("onnx.AveragePool", {numbers}, how); });
        CHECK(expect_bytes(m, {some_bytes(pick, x, is_signed)}) >= 1);
    }
}

TEST_CASE("means of bytes over whole images are the interpreter's bytes, with their axes and without") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        picker pick{std::mt19937(seed)};
        const bool is_signed = pick(0, 1) == 0;
        extents x{pick(1, 3), pick(1, 70), pick(1, 9)};
        if (pick(0, 3) != 0) x.push_back(pick(1, 9));
        const std::int64_t spelled = pick(0, 2);
        const ir_module m = between(pick, x, is_signed, [&](small_graph& t, node_id numbers) {
            if (spelled == 0) return t.call("onnx.GlobalAveragePool", {numbers});
            const node_id axes = t.integers(x.size() == 4 ? extents{2, -1} : extents{2});
            return t.call("onnx.ReduceMean", {numbers, axes}, {{"keepdims", spelled - 1}});
        });
        CHECK(expect_bytes(m, {some_bytes(pick, x, is_signed)}) >= 1);
    }
}

TEST_CASE("a mean that is no such is refused with its reason") {
    picker pick{std::mt19937(1)};
    const auto why = [&](auto&& build) { return why_not(between(pick, {1, 4, 6, 6}, true, build)); };
    CHECK(why([](small_graph& t, node_id x) {
              return t.call("onnx.ReduceMean", {x, t.integers({1})});
          }).find("onnx.ReduceMean is no mean over all spatial axes and no others") != std::string::npos);
    const attribute_map beyond{{"kernel_shape", extents{3, 3}}, {"pads", extents{1, 1, 1, 1}}, {"ceil_mode", 1}, {"count_include_pad", 1}};
    CHECK(why([&](small_graph& t, node_id x) {
              return t.call("onnx.AveragePool", {x}, beyond);
          }).find("an average that counts pads may have windows beyond them") != std::string::npos);
}
