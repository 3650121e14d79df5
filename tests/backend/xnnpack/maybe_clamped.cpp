// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/maybe_clamped.hpp>

#include <doctest/doctest.h>

#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/match.hpp>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

namespace {
constexpr auto clamped_abs = detail::xnnpack_maybe_clamped(dsl::op<"onnx.Abs">);
}  // namespace

static_assert(pattern<std::remove_const_t<decltype(clamped_abs)>>);

TEST_CASE("a range that an operator's result is cut to belongs to it, whichever of the two spellings it has") {
    for (const char* cut : {"onnx.Relu", "onnx.Clip", "onnx.Sqrt"}) {
        small_graph t;
        const node_id y = t.call("onnx.Abs", {t.input({3})});
        const ir_module g = t.finish(t.call(cut, {y}));
        const user_lists users(g);
        const auto found = match(clamped_abs, g, users, g.results()[0]);
        CHECK(found.has_value() == (std::string_view(cut) != "onnx.Sqrt"));
        if (found) CHECK(found->nodes.size() == 2);
        CHECK(match(clamped_abs, g, users, y)->nodes == std::vector<node_id>{y});
    }
}
