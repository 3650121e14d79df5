// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/softmax.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using list = std::vector<std::int64_t>;

static_assert(pattern<decltype(detail::onednn_softmax::pattern_of_softmax())>);

TEST_CASE("softmax and its logarithm are computed right along the last axis") {
    for (const char* op : {"onnx.Softmax", "onnx.LogSoftmax"})
        for (const list& x : {list{7}, list{3, 40}, list{2, 3, 5, 33}, list{1, 6625}}) {
            small_graph s;
            const taken t = expect_taken(s.finish(s.call(op, {s.input(x)})), 1, {}, 2e-5, -8, 8);
            CHECK(t.composite == "softmax");
        }
}

TEST_CASE("softmax over channels runs with channels last") {
    small_graph s;
    const taken t = expect_taken(s.finish(s.call("onnx.Softmax", {s.input({2, 20, 3, 5})}, {{"axis", std::int64_t{1}}})), 1);
    CHECK(t.has("channels_last->channels_last"));
}

TEST_CASE("softmax along other axes is right where the library has generated code for it") {
    for (const std::int64_t axis : {0, 1, 2, -2}) {
        small_graph s;
        const taken t = take({}, s.finish(s.call("onnx.Softmax", {s.input({2, 20, 3, 5})}, {{"axis", axis}})));
        CHECK(t.refusal.empty());
    }
}
