// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/openblas/entry.hpp>

#include <cstdint>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace openblas_test;

TEST_CASE("an entry tells why it does not read a match, and makes code of the plan for the formats that it lists") {
    small_graph s;
    const node_id y = s.call("onnx.Conv", {s.input({1, 16, 8, 8}), s.random({16, 16, 1, 1})});
    const ir_module g = s.finish(y);
    const entries_asked asked = ask_entries(openblas(), g, [](const auto& listed) { CHECK(listed.size() == 2); });
    CHECK(asked.taken == 1);
    CHECK(asked.refused == 5);
}

TEST_CASE("emit refuses formats that were not chosen or not offered, and a thread count that is not usable") {
    small_graph t;
    const ir_module g = t.finish(t.call("onnx.MatMul", {t.input({4, 3}), t.random({3, 5})}));
    const sized_match best = largest_match(openblas(), g);
    REQUIRE_FALSE(best.ways.empty());
    const candidate& c = best.ways[0];
    const auto emit = [&](const openblas& self, std::span<const format> inputs, std::span<const format> results) {
        return emit_composite(self, {c.composite, &c.match->plan, c.match->body.view(inputs, results)});
    };
    CHECK_FALSE(emit(openblas(), {}, {}).has_value());
    format matrix = plain_format(element_type::float32);
    CHECK(emit(openblas(), {&matrix, 1}, {&matrix, 1}).has_value());
    openblas none;
    none.threads = -3;
    CHECK_FALSE(emit(none, {&matrix, 1}, {&matrix, 1}).has_value());
    matrix.order = layout::channels_last();
    const auto last = emit(openblas(), {&matrix, 1}, {&matrix, 1});
    REQUIRE_FALSE(last.has_value());
    CHECK(last.failure().message.find("float32:channels_last") != std::string::npos);
}

TEST_CASE("products of enough work are also offered in slices of rows, which agree with their definition") {
    for (const auto& [a, b] : {std::pair<extents, extents>{{100, 128}, {128, 96}},
                               {{3, 70, 64}, {64, 128}},
                               {{7, 33, 64}, {7, 64, 80}},
                               {{1, 400}, {400, 9000}}}) {
        small_graph t;
        const node_id y = t.call("onnx.Add", {t.call("onnx.MatMul", {t.input(a), t.random(b)}), t.random({b.back()})});
        // One row is not cut.
        CHECK(ways_in_slices(openblas(), t.finish(t.call("onnx.Relu", {y})), "matrix_product_in_slices") == (a.front() == 1 ? 0 : 1));
    }
    small_graph g;
    const node_id y = g.call("onnx.Gemm", {g.input({100, 128}), g.random({96, 128}), g.random({96})}, {{"transB", std::int64_t{1}}});
    CHECK(ways_in_slices(openblas(), g.finish(y), "gemm_in_slices") == 1);
    small_graph t;
    const node_id z = t.call("onnx.Conv", {t.input({2, 32, 20, 20}), t.random({64, 32, 1, 1}), t.random({64})});
    CHECK(ways_in_slices(openblas(), t.finish(t.call("onnx.Relu", {z})), "pointwise_convolution_in_slices") == 2);
    small_graph small;
    const node_id little = small.call("onnx.MatMul", {small.input({70, 8}), small.random({8, 9})});
    CHECK(ways_in_slices(openblas(), small.finish(little), "matrix_product_in_slices") == 0);
}

TEST_CASE("a kernel in slices wakes no threads of the library") {
    openblas self;
    self.threads = 2;
    CHECK(self.wakes_own_threads("gemm"));
    CHECK_FALSE(self.wakes_own_threads("gemm_in_slices"));
}
