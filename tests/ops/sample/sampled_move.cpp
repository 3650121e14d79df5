// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/sample/sampled_move.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "one_call.hpp"

using namespace inlay;
using sample_test::counted;
using sample_test::one_call;

TEST_CASE("each element of a moving operator has its source") {
    const one_call turned("onnx.Transpose", {counted({2, 3})});
    const auto sources = detail::move_sources::of(turned.c);
    REQUIRE(sources.has_value());
    CHECK((*sources)(0, 1).at == 3);
    CHECK((*sources)(0, 2).at == 1);
    const one_call joined("onnx.Concat", {counted({2, 1}), counted({2, 2})}, {{"axis", std::int64_t{-1}}});
    const auto parts = detail::move_sources::of(joined.c);
    REQUIRE(parts.has_value());
    CHECK((*parts)(0, 3).operand == 0);
    CHECK((*parts)(0, 3).at == 1);
    CHECK((*parts)(0, 5).operand == 1);
    CHECK((*parts)(0, 5).at == 3);
}

TEST_CASE("where an operator makes elements of its own, there is no source") {
    const tensor pads = tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{1, 1});
    const one_call padded("onnx.Pad", {counted({2}), pads}), filled("onnx.Pad", {counted({2}), pads, tensor::scalar(9.0f)});
    const auto zeros = detail::move_sources::of(padded.c), nines = detail::move_sources::of(filled.c);
    REQUIRE((zeros && nines));
    CHECK((*zeros)(0, 0).operand == -1);
    CHECK((*zeros)(0, 2).at == 1);
    CHECK((*nines)(0, 3).operand == 2);
}
