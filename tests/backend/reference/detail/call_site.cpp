// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/call_site.hpp>

#include <cstdint>
#include <string>

#include "../run_region.hpp"

#include "../../small_graph.hpp"

using namespace reference_test;

TEST_CASE("a call of a region becomes a site: constants with their values, what is left out not there") {
    inlay_test::small_graph s;
    const node_id x = s.input({1, 2, 4}), scales = s.constant(tensor::of<float>({3}, {1, 1, 2}));
    const inlay_test::whole_region whole(s.finish(s.call("onnx.Resize", {x, s.absent(), scales})));
    const region_view r = whole.view();
    REQUIRE(on_eigen::is_static_call(r, r[r.results[0]]));
    const on_eigen::call_site c = on_eigen::site_of(r, r[r.results[0]], 2);
    CHECK(c.op == "onnx.Resize");
    CHECK(c.threads == 2);
    CHECK(c.has(0));
    CHECK_FALSE(c.known(0));
    CHECK_FALSE(c.has(1));
    CHECK(c.known(2));
    CHECK_FALSE(c.has(3));
    CHECK(c.out().shape == shape64{1, 2, 8});
    CHECK(c.out().bytes() == 64);
    CHECK(on_eigen::refuse_unless_float(c).empty());
}

TEST_CASE("numbers and lists of integers are read off constants alone") {
    const attribute_map none;
    const auto c = site(
        "onnx.Clip", {given(tensor(element_type::float32, {2})), known(tensor::scalar(0.5f)), absent(), known(list<std::int64_t>({3, 4}))},
        none, {float_type({2})});
    CHECK(c.number(1, 9.0f) == 0.5f);
    CHECK(c.number(2, 9.0f) == 9.0f);
    CHECK_FALSE(c.number(0, 9.0f).has_value());
    CHECK_FALSE(c.number(3, 9.0f).has_value());
    CHECK(c.integers(3) == shape64{3, 4});
    CHECK_FALSE(c.integers(0).has_value());
    CHECK(on_eigen::refuse_unless_float(c) == "an operand is int64; the kernel takes float32");
}

TEST_CASE("axes count from either end, and extents multiply") {
    CHECK(on_eigen::is_axis(-3, 3));
    CHECK_FALSE(on_eigen::is_axis(3, 3));
    CHECK(on_eigen::axis_of(-1, 3) == 2);
    CHECK(on_eigen::axis_of(1, 3) == 1);
    CHECK(on_eigen::product({2, 3, 4}, 1, 3) == 12);
    CHECK(on_eigen::product({2, 3, 4}, 1, 1) == 1);
}

TEST_CASE("a kernel of a function object fails where that says so") {
    int calls = 0;
    CHECK(on_eigen::kernel_of([&](const run_arguments&) { ++calls; })({}));
    CHECK_FALSE(on_eigen::kernel_of([&](const run_arguments&) { return ++calls == 0; }, 8)({}));
    CHECK(calls == 2);
    CHECK(on_eigen::kernel_of([](const run_arguments&) {}, 8).workspace_bytes == 8);
}
