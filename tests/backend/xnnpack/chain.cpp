// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/chain.hpp>

#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

namespace {

/// The chain on an Exp that ends at the program's result, over all of its calls.
outcome<detail::xnnpack_chain> chain_of(const ir_module& g, std::size_t behind) {
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    std::vector<node_id> nodes;
    for (node_id n = 0; n <= results[0]; ++n)
        if (g.kind(n) == node_kind::call) nodes.push_back(n);
    const region r(g, users, results, nodes);
    return detail::xnnpack_read_chain(r.view(), behind, [](const region_value& v) { return v.op == "onnx.Exp"; });
}

}  // namespace

TEST_CASE("factors and terms per channel fold in the order in which they follow, then ranges") {
    small_graph t;
    node_id y = t.call("onnx.Exp", {t.input({2, 3})});
    y = t.call("onnx.Mul", {t.scalar(2), y});
    y = t.call("onnx.Sub", {t.scalar(1), y});
    y = t.call("onnx.Div", {y, t.scalar(4)});
    y = t.call("onnx.Relu", {y});
    const auto chain = chain_of(t.finish(t.call("onnx.Clip", {y, t.absent(), t.scalar(6)})), 0);
    REQUIRE(chain.has_value());
    CHECK(chain->line.scale == std::vector<double>(3, -0.5));
    CHECK(chain->line.shift == std::vector<double>(3, 0.25));
    CHECK(chain->range.low == 0);
    CHECK(chain->range.high == 6);
}

TEST_CASE("a chain without a range is unbounded") {
    small_graph t;
    const auto chain = chain_of(t.finish(t.call("onnx.Exp", {t.input({2, 3})})), 1);
    REQUIRE(chain.has_value());
    CHECK(chain->line.scale.size() == 2);
    CHECK(chain->range.low == -std::numeric_limits<float>::infinity());
    CHECK(chain->range.high == std::numeric_limits<float>::infinity());
}

TEST_CASE("what does not fit a chain is refused with the values found") {
    small_graph t;
    CHECK(chain_of(t.finish(t.call("onnx.Add", {t.call("onnx.Relu", {t.call("onnx.Exp", {t.input({3})})}), t.scalar(1)})), 0)
              .failure()
              .message.find("comes last") != std::string::npos);
    small_graph u;
    CHECK(chain_of(u.finish(u.call("onnx.Add", {u.call("onnx.Exp", {u.input({3})}), u.random({2, 3})})), 0)
              .failure()
              .message.find("float32[2,3]") != std::string::npos);
    small_graph v;
    CHECK(chain_of(v.finish(v.call("onnx.Div", {v.scalar(1), v.call("onnx.Exp", {v.input({3})})})), 0).failure().message.find("Div") !=
          std::string::npos);
    small_graph w;
    CHECK(chain_of(w.finish(w.call("onnx.Relu", {w.call("onnx.Abs", {w.input({3})})})), 0).failure().message.find("onnx.Abs") !=
          std::string::npos);
    small_graph x;
    CHECK(chain_of(x.finish(x.call("onnx.Exp", {x.input({0, 3})})), 0).failure().message.find("no elements") != std::string::npos);
}
