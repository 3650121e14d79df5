// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/layer_norm.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace onednn_test;
using list = std::vector<std::int64_t>;

static_assert(pattern<decltype(detail::onednn_layer_norm::pattern_of_spelling())>);

namespace {

struct spelling {
    bool power = true, twice = false, scale = true, shift = true;
};

node_id spelled(small_graph& s, node_id x, std::int64_t columns, const spelling& f) {
    const auto mean = [&](node_id n) { return s.call("onnx.ReduceMean", {n, s.integers({-1})}); };
    const node_id d = s.call("onnx.Sub", {x, mean(x)}), e = f.twice ? s.call("onnx.Sub", {x, mean(x)}) : d;
    const node_id square = f.power ? s.call("onnx.Pow", {e, s.scalar(2)}) : s.call("onnx.Mul", {e, e});
    const node_id root = s.call("onnx.Sqrt", {s.call("onnx.Add", {mean(square), s.scalar(1e-3f)})});
    node_id y = s.call("onnx.Div", {d, root});
    if (f.scale) y = s.call("onnx.Mul", {y, s.random({columns}, 0.5f, 1.5f)});
    if (f.shift) y = s.call("onnx.Add", {s.random({columns}), y});
    return y;
}

}  // namespace

TEST_CASE("layer normalisation as one operator is taken over one or several last axes") {
    small_graph s;
    const taken t = expect_taken(
        s.finish(s.call("onnx.LayerNormalization", {s.input({2, 5, 48}), s.random({48}), s.random({48})}, {{"epsilon", 1e-3}})), 1);
    CHECK(t.composite == "layer_norm");
    small_graph u;
    expect_taken(u.finish(u.call("onnx.LayerNormalization", {u.input({2, 5, 6, 7}), u.random({6, 7})}, {{"axis", std::int64_t{2}}})), 1);
}

TEST_CASE("layer normalisation as exporters spell it is one match") {
    for (const bool power : {false, true})
        for (const bool twice : {false, true})
            for (const bool both : {false, true}) {
                CAPTURE(power);
                CAPTURE(twice);
                CAPTURE(both);
                small_graph s;
                const std::size_t nodes = 7 + (both ? 2u : 0u) + (twice ? 2u : 0u);
                const taken t = expect_taken(s.finish(spelled(s, s.input({2, 5, 48}), 48, {power, twice, both, both})), nodes);
                CHECK(t.composite == "layer_norm_spelled");
            }
    small_graph s;
    expect_taken(s.finish(spelled(s, s.input({3, 16}), 16, {true, false, true, false})), 8);
}

TEST_CASE("a normalisation over other axes, or of another power, is refused with the reason") {
    small_graph s;
    const node_id x = s.input({2, 5, 48});
    const auto mean = [&](node_id n) { return s.call("onnx.ReduceMean", {n, s.integers({1})}); };
    const node_id d = s.call("onnx.Sub", {x, mean(x)});
    const node_id root = s.call("onnx.Sqrt", {s.call("onnx.Add", {mean(s.call("onnx.Mul", {d, d})), s.scalar(1e-3f)})});
    CHECK(why_not(s.finish(s.call("onnx.Div", {d, root}))).find("last axis") != std::string::npos);
    small_graph u;
    CHECK(why_not(u.finish(u.call("onnx.LayerNormalization", {u.input({2, 48}), u.input({48})}))).find("no float32 constant along") !=
          std::string::npos);
}
