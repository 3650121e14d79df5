// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/written_windows.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "check_call.hpp"

#include <inlay/ops/loops/convert_elements.hpp>

using namespace inlay;
using namespace portable_c_test;

TEST_CASE("the greatest under windows and where they stand are those of the interpreter [portable_c.windows]") {
    CHECK(holds_in_few([] {
        const auto in = [](std::int64_t low, std::int64_t high) { return *rc::gen::inRange<std::int64_t>(low, high); };
        const std::size_t spatial = *rc::gen::inRange<std::size_t>(1, 4);
        std::vector<std::int64_t> x{in(1, 3), in(1, 3)}, kernel, strides, dilations, pads(2 * spatial);
        for (std::size_t d = 0; d < spatial; ++d) {
            kernel.push_back(in(1, 4));
            strides.push_back(in(1, 3));
            dilations.push_back(in(1, 3));
            x.push_back(in(1, 5) + (kernel[d] - 1) * dilations[d]);
            pads[d] = in(0, kernel[d]);
            pads[spatial + d] = in(0, kernel[d]);
        }
        const attribute_map how{{"kernel_shape", kernel}, {"strides", strides},    {"dilations", dilations},
                                {"pads", pads},           {"ceil_mode", in(0, 2)}, {"storage_order", in(0, 2)}};
        tensor values = some_floats(x);
        for (float& v : values.as<float>())
            if (in(0, 9) == 0) v = *rc::gen::element(std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity());
        check_call("onnx.MaxPool", {values}, how, 2);
        check_call("onnx.MaxPool", {some_integers<std::uint8_t>(x, 0, 4)}, how, 2);
        check_call("onnx.MaxPool", {some_integers<std::int8_t>(x, -4, 4)}, how, 2);
        check_call("onnx.MaxPool", {values}, how);
        check_call("onnx.MaxPool", {*convert_elements(values, element_type::bfloat16)}, how, 2, {}, 0);
    }));
}
