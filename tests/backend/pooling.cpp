// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/pooling.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

namespace {

outcome<detail::pooling> read(small_graph& s, node_id y, std::size_t least = 3, std::size_t most = 5) {
    const whole_region whole(s.finish(y));
    const region_view r = whole.view();
    return detail::read_pooling(r, r.results[0], least, most);
}

}  // namespace

TEST_CASE("an average over windows says whether it counts pads") {
    using list = std::vector<std::int64_t>;
    for (const std::int64_t counts : {0, 1}) {
        small_graph s;
        const auto p = read(s, s.call("onnx.AveragePool", {s.input({1, 2, 8, 8})},
                                      {{"kernel_shape", list{3, 3}}, {"pads", list{1, 1, 1, 1}}, {"count_include_pad", counts}}));
        REQUIRE(p.has_value());
        CHECK(p->average);
        CHECK(p->counts_pads == (counts == 1));
        CHECK_FALSE(p->global);
        CHECK(p->window.kernel == list{3, 3});
        CHECK(p->y_extents == list{1, 2, 8, 8});
    }
}

TEST_CASE("a reduction over the spatial axes is a pooling over all places") {
    small_graph s;
    const auto p = read(s, s.call("onnx.ReduceMax", {s.input({2, 3, 4, 5}), s.integers({3, -2})}, {{"keepdims", std::int64_t{0}}}));
    REQUIRE(p.has_value());
    CHECK(p->global);
    CHECK(p->dropped);
    CHECK_FALSE(p->average);
    CHECK(p->window.kernel == std::vector<std::int64_t>{4, 5});
    CHECK(p->y_extents == std::vector<std::int64_t>{2, 3, 1, 1});
}

TEST_CASE("other reductions, other calls and other ranks are refused with what was found") {
    small_graph s, t, u;
    CHECK(read(s, s.call("onnx.ReduceMean", {s.input({2, 3, 4, 5}), s.integers({1})})).failure().message.find("spatial axes") !=
          std::string::npos);
    CHECK(read(t, t.call("onnx.Relu", {t.input({2, 3, 4})})).failure().message == "onnx.Relu is no pooling");
    CHECK(read(u, u.call("onnx.GlobalMaxPool", {u.input({2, 3, 4})}), 4, 4).failure().message.find("takes 4") != std::string::npos);
}
