// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/sample/sampled_call.hpp>

#include <doctest/doctest.h>

#include "one_call.hpp"

TEST_CASE("an operand that is left out is none, and needs no value") {
    sample_test::one_call clip("onnx.Clip", {sample_test::counted({3}), inlay::tensor(), inlay::tensor::scalar(2.0f)});
    CHECK(clip.c.op() == "onnx.Clip");
    CHECK(clip.c.has(0));
    CHECK_FALSE(clip.c.has(1));
    CHECK_FALSE(clip.c.has(7));
    CHECK(clip.c.is_known(1));
    CHECK(clip.c.is_known(2));
    CHECK(clip.c.result().count() == 3);
}
