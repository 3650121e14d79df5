// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/rearrange.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

static_assert(pattern<decltype(detail::xnnpack_rearrange::pattern_of_depth_to_space())>);
static_assert(pattern<decltype(detail::xnnpack_rearrange::pattern_of_shuffle())>);

namespace {
ir_module shuffled(extents x, extents middle, extents perm, extents y) {
    small_graph t;
    const node_id split = t.call("onnx.Reshape", {t.input(std::move(x)), t.integers(middle)});
    return t.finish(t.call("onnx.Reshape", {t.call("onnx.Transpose", {split}, {{"perm", perm}}), t.integers(y)}));
}
ir_module spread(std::int64_t block, const char* mode) {
    small_graph t;
    return t.finish(t.call("onnx.DepthToSpace", {t.input({2, 36, 3, 5})}, {{"blocksize", block}, {"mode", std::string(mode)}}));
}
}  // namespace

TEST_CASE("blocks of channels become places") {
    for (const std::int64_t block : {2, 3, 6}) CHECK(expect_taken(spread(block, "DCR"), 1, 0).has("channels_last->channels_last"));
    CHECK(why_not(spread(2, "CRD")).find("CRD") != std::string::npos);
    CHECK(why_not(spread(1, "DCR")).find("block size of 1") != std::string::npos);
}

TEST_CASE("channels are shuffled between groups") {
    for (const std::int64_t groups : {2, 3, 4, 6})
        CHECK(expect_taken(shuffled({2, 24, 3, 5}, {2, groups, 24 / groups, 3, 5}, {0, 2, 1, 3, 4}, {2, 24, 3, 5}), 3, 0).composite ==
              "channel_shuffle");
    CHECK(why_not(shuffled({2, 24, 3, 5}, {2, 1, 24, 3, 5}, {0, 2, 1, 3, 4}, {2, 24, 3, 5})).find("1 groups") != std::string::npos);
    CHECK(why_not(shuffled({2, 24, 3, 5}, {2, 4, 6, 3, 5}, {0, 1, 2, 4, 3}, {2, 24, 3, 5})).find("shuffle no channels") !=
          std::string::npos);
}
