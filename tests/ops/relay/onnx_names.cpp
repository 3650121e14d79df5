// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/onnx_names.hpp>

#include <string_view>

#include <doctest/doctest.h>

TEST_CASE("names are in order, so that they can be looked up") {
    std::string_view before;
    for (const auto& [relay, onnx] : inlay::detail::relay_as_onnx) {
        CHECK(before < relay);
        CHECK(onnx.starts_with("onnx."));
        before = relay;
    }
}
