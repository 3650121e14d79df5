// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/channel_norm.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using list = std::vector<std::int64_t>;

namespace {
const std::string blocked = "channels_blocked" + std::to_string(detail::onednn_block());
}

TEST_CASE("batch normalisation runs in every layout, alone or with a Relu") {
    for (const bool relu : {false, true}) {
        small_graph s;
        const node_id y = s.normalized(s.input({2, 20, 5, 7}), 20);
        const taken t = expect_taken(s.finish(relu ? s.call("onnx.Relu", {y}) : y), relu ? 2 : 1);
        CHECK(t.has("plain->plain"));
        CHECK(t.has("channels_last->channels_last"));
        CHECK(t.has(blocked + "->" + blocked));
        CHECK(t.composite == "batch_norm");
    }
    small_graph s;
    expect_taken(s.finish(s.normalized(s.input({3, 32, 9}), 32)), 1);
}

TEST_CASE("local response normalisation is taken for odd sizes") {
    small_graph s;
    const attribute_map a{{"size", std::int64_t{5}}, {"alpha", 0.3}, {"beta", 0.75}, {"bias", 1.5}};
    const taken t = expect_taken(s.finish(s.call("onnx.LRN", {s.input({2, 32, 5, 7})}, a)), 1);
    CHECK(t.composite == "local_response_norm");
    small_graph u;
    CHECK(why_not(u.finish(u.call("onnx.LRN", {u.input({2, 32, 5, 7})}, {{"size", std::int64_t{4}}}))).find("size 4") != std::string::npos);
}

TEST_CASE("statistics that are computed are refused") {
    small_graph s;
    const node_id y =
        s.call("onnx.BatchNormalization", {s.input({1, 8, 4, 4}), s.input({8}), s.random({8}), s.random({8}), s.random({8}, 1, 2)});
    CHECK(why_not(s.finish(y)).find("statistics") != std::string::npos);
}

TEST_CASE("terms per channel are right for images of one place, at every rank and batch [onednn.channels.one-place]") {
    for (const std::int64_t batch : {1, 2, 3})
        for (const std::int64_t channels : {1, 2, 17, 32})
            for (const list& places : {list{}, list{1}, list{2}, list{1, 1}, list{2, 1}, list{1, 2}, list{1, 1, 1}, list{1, 1, 2}}) {
                list x{batch, channels};
                x.insert(x.end(), places.begin(), places.end());
                CAPTURE(x);
                for (const bool relu : {false, true}) {
                    small_graph s;
                    const node_id y = s.normalized(s.input(x), channels);
                    expect_taken(s.finish(relu ? s.call("onnx.Relu", {y}) : y), relu ? 2 : 1);
                }
            }
}
