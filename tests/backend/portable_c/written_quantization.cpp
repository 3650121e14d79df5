// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/written_quantization.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "check_call.hpp"

using namespace inlay;
using namespace portable_c_test;

TEST_CASE("numbers in steps of their own range are those of the interpreter, with the scale and the zero [portable_c.quantization]") {
    CHECK(holds_in_few([] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(0, 5); };
        tensor values = some_floats({n(), n()});
        const float shift = *rc::gen::element(0.0f, 100.0f, -100.0f);
        for (float& v : values.as<float>()) {
            v += shift;
            if (*rc::gen::inRange(0, 9) == 0)
                v = *rc::gen::element(std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 0.0f);
        }
        check_call("onnx.DynamicQuantizeLinear", {values}, {}, 3);
        check_call("onnx.DynamicQuantizeLinear", {values}, {}, 1);
    }));
    check_call("onnx.DynamicQuantizeLinear", {tensor::of<float>({2}, {0, 0})}, {}, 3);
}
