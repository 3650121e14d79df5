// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/copied_borders.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "../small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

TEST_CASE("what is copied is row-major, and of images in blocks and with channels last where runs are kept") {
    const auto layouts = [](std::vector<std::int64_t> x, bool blocks) {
        small_graph s;
        const std::size_t rank = x.size();
        const whole_region whole(s.finish(s.call("onnx.Relu", {s.input(std::move(x))})));
        std::vector<layout> found;
        const auto keeps = [&](const layout& l) { return blocks || l.kind != layout::form::channels_blocked; };
        for (const border_formats& b : simd::copied_borders(whole.view(), rank, 16, keeps)) {
            CHECK(b.inputs[0] == b.results[0]);
            found.push_back(b.results[0].order);
        }
        return found;
    };
    const layout plain = layout::plain(), blocked = layout::channels_blocked(16), last = layout::channels_last();
    CHECK(layouts({2, 3, 4}, true) == std::vector{plain});
    CHECK(layouts({1, 32, 4, 4}, true) == std::vector{plain, blocked, last});
    CHECK(layouts({1, 32, 4, 4, 4}, false) == std::vector{plain, last});
}
