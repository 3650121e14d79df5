// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/attention.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("attention comes out alike, with heads in either place, shared keys, masks and caps [loops.lower.attention]") {
    const bool holds = rc::check([] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(1, 4); };
        const std::int64_t batch = n(), key_heads = n(), heads = key_heads * n(), rows = n(), keys = n(), size = n(), value_size = n();
        const bool has_head_axis = *rc::gen::arbitrary<bool>();
        const auto extents = [&](std::int64_t of_heads, std::int64_t row_count, std::int64_t of_size) {
            return has_head_axis ? std::vector{batch, of_heads, row_count, of_size} : std::vector{batch, row_count, of_heads * of_size};
        };
        attribute_map how{{"is_causal", *rc::gen::inRange<std::int64_t>(0, 2)}, {"softcap", *rc::gen::inRange(0, 3) * 0.5}};
        if (*rc::gen::arbitrary<bool>()) how.set("scale", 0.75);
        if (!has_head_axis) {
            how.set("q_num_heads", heads);
            how.set("kv_num_heads", key_heads);
        }
        std::vector<tensor> inputs{lowered::random_floats(extents(heads, rows, size)),
                                   lowered::random_floats(extents(key_heads, keys, size)),
                                   lowered::random_floats(extents(key_heads, keys, value_size))};
        const int mask = *rc::gen::inRange(0, 3);
        if (mask == 1) inputs.push_back(lowered::random_floats({heads, 1, keys}));
        if (mask == 2) {
            // The first key stays, so that no row is left without.
            tensor& kept = inputs.emplace_back(element_type::boolean, std::vector{rows, keys});
            for (std::size_t i = 0; i < kept.count(); ++i)
                kept.as<bool>()[i] = i % static_cast<std::size_t>(keys) == 0 || *rc::gen::arbitrary<bool>();
        }
        RC_ASSERT(lowered::difference(
                      inputs, [&](ir_builder& g, const std::vector<node_id>& in) { return g.call("onnx.Attention", in, how); }, nullptr,
                      1e-4) == "");
    });
    CHECK(holds);
}

TEST_CASE("attention on no keys gives zeros [loops.lower.attention]") {
    const tensor q = tensor::of<float>({1, 1, 1, 2}, {1, 2}), none(element_type::float32, {1, 1, 0, 2});
    CHECK(lowered::difference({q, none, none},
                              [](ir_builder& g, const std::vector<node_id>& in) { return g.call("onnx.Attention", in); }) == "");
}
