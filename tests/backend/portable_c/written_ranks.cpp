// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/written_ranks.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "check_call.hpp"

#include <inlay/ops/loops/convert_elements.hpp>

using namespace inlay;
using namespace portable_c_test;

TEST_CASE("the first by size, and the greatest alone, are those of the interpreter [portable_c.ranks]") {
    CHECK(holds_in_few([] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(1, 5); };
        std::vector<std::int64_t> x{n(), n(), n()};
        const std::int64_t axis = *rc::gen::inRange<std::int64_t>(-3, 3);
        tensor values = some_floats(x);
        for (float& v : values.as<float>())
            if (*rc::gen::inRange(0, 8) == 0)
                v = *rc::gen::arbitrary<bool>() ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::infinity();
        const std::int64_t kept = *rc::gen::inRange<std::int64_t>(0, x[static_cast<std::size_t>(axis + 3) % 3] + 1);
        check_call("onnx.TopK", {values}, {{"axis", axis}, {"largest", std::int64_t{*rc::gen::arbitrary<bool>()}}}, 2,
                   {tensor::of<std::int64_t>({1}, {kept})});
        check_call("onnx.TopK", {some_integers<std::uint8_t>(x, 0, 4)}, {{"axis", axis}}, 2, {tensor::of<std::int64_t>({1}, {kept})});
        check_call("onnx.Hardmax", {values}, {{"axis", axis}});
        const tensor halves = *convert_elements(values, element_type::float16);
        check_call("onnx.TopK", {halves}, {{"axis", axis}}, 2, {tensor::of<std::int64_t>({1}, {kept})}, 0);
        check_call("onnx.Hardmax", {halves}, {{"axis", axis}}, 1, {}, 0);
    }));
}
