// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/split.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/cpu_simd/backend.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/runtime/convert.hpp>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

/// What an entry reads of a match.
struct region_of {
    region_view view;
    [[nodiscard]] const region_view& region() const { return view; }
};

/// A tensor whose elements count up, in a layout.
buffer counted(const extents& e, const format& f) {
    std::vector<float> numbers(static_cast<std::size_t>(*element_count(e)));
    std::iota(numbers.begin(), numbers.end(), 1.0f);
    buffer to(stored_bytes(e, f));
    layout_conversion::make(e, plain_format(element_type::float32), f)->run(numbers.data(), to.data());
    return to;
}
std::vector<float> plainly(const buffer& from, const extents& e, const format& f) {
    std::vector<float> numbers(static_cast<std::size_t>(*element_count(e)));
    layout_conversion::make(e, f, plain_format(element_type::float32))->run(from.data(), numbers.data());
    return numbers;
}

/// Splits a tensor along an axis and holds two of its parts, in every layout that is offered, against their definition; how many layouts.
std::size_t check_split(const extents& whole, std::size_t axis, const extents& lengths, std::vector<std::size_t> wanted) {
    small_graph t;
    const node_id split =
        t.call("onnx.Split", {t.input(whole), t.integers(lengths)}, {{"axis", static_cast<std::int64_t>(axis)}}, lengths.size());
    const whole_region region(t.finish({t.output(split, wanted[0]), t.output(split, wanted[1])}));
    const cpu_simd self;
    const simd::split_entry entry;
    const auto p = entry.read(self, region_of{region.view()});
    REQUIRE_MESSAGE(p.has_value(), p.failure().message);
    const auto tuples = entry.formats(self, *p, region.view());
    for (const border_formats& b : tuples) {
        region_view view = region.view();
        view.input_formats = b.inputs;
        view.result_formats = b.results;
        const auto k = entry.emit(self, *p, view);
        REQUIRE_MESSAGE(k.has_value(), k.failure().message);
        buffer x = counted(whole, b.inputs[0]);
        for (const bool in_place : {false, true}) {
            if (in_place && k->view_at.empty()) continue;
            std::vector<buffer> results;
            std::vector<void*> to;
            for (std::size_t i = 0; i < 2; ++i) {
                extents e = whole;
                e[axis] = lengths[wanted[i]];
                results.emplace_back(stored_bytes(e, b.results[i]));
                to.push_back(in_place ? x.data() + k->view_at[i] : results[i].data());
            }
            const void* from[] = {x.data()};
            run_arguments a;
            a.inputs = from;
            a.results = to.data();
            REQUIRE((*k)(a));
            for (std::size_t i = 0; i < 2; ++i) {
                extents e = whole;
                e[axis] = lengths[wanted[i]];
                std::memcpy(results[i].data(), to[i], results[i].size());
                const std::vector<float> got = plainly(results[i], e, b.results[i]);
                const std::int64_t before =
                    std::accumulate(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(wanted[i]), std::int64_t{0});
                std::int64_t inner = 1;
                for (std::size_t d = axis + 1; d < whole.size(); ++d) inner *= whole[d];
                bool right = true;
                for (std::size_t n = 0; n < got.size(); ++n) {
                    const auto at = static_cast<std::int64_t>(n), outer = at / (inner * e[axis]), rest = at % (inner * e[axis]);
                    right = right && got[n] == static_cast<float>(outer * inner * whole[axis] + before * inner + rest + 1);
                }
                CHECK(right);
            }
        }
    }
    return tuples.size();
}

}  // namespace

TEST_CASE("parts along every axis agree with their definition in every layout, in their places and copied") {
    CHECK(check_split({1, 48, 5, 6}, 1, {16, 32}, {0, 1}) == 3);
    CHECK(check_split({2, 52, 5, 6}, 1, {16, 16, 20}, {2, 0}) == 3);
    CHECK(check_split({1, 40, 5, 6}, 1, {20, 20}, {0, 1}) == 2);
    CHECK(check_split({2, 20, 5, 6}, 3, {1, 2, 3}, {1, 2}) == 2);
    CHECK(check_split({4, 20, 5, 6}, 0, {1, 3}, {1, 0}) == 3);
    CHECK(check_split({3, 7, 8}, 0, {1, 1, 1}, {1, 2}) == 1);
    CHECK(check_split({1, 64, 70, 33}, 1, {32, 32}, {1, 0}) == 3);
}

TEST_CASE("parts that are runs say where they stand, others do not") {
    const auto places = [](std::int64_t images) {
        small_graph t;
        const node_id split = t.call("onnx.Split", {t.input({images, 32, 2, 2}), t.integers({16, 16})}, {{"axis", std::int64_t{1}}}, 2);
        const whole_region region(t.finish({t.output(split, 0), t.output(split, 1)}));
        const cpu_simd self;
        const auto p = simd::split_entry().read(self, region_of{region.view()});
        REQUIRE(p.has_value());
        region_view view = region.view();
        const border_formats b = simd::split_entry().formats(self, *p, view)[0];
        view.input_formats = b.inputs;
        view.result_formats = b.results;
        return simd::split_entry().emit(self, *p, view)->view_at;
    };
    CHECK(places(1) == std::vector<std::int64_t>{0, 256});
    CHECK(places(2).empty());
}

TEST_CASE("a tensor without elements, and a part without any, are left to others") {
    const auto refusal = [](const extents& whole, const extents& lengths) {
        small_graph t;
        const node_id split = t.call("onnx.Split", {t.input(whole), t.integers(lengths)}, {{"axis", std::int64_t{1}}}, lengths.size());
        const whole_region region(t.finish({t.output(split, 0), t.output(split, 1)}));
        const auto p = simd::split_entry().read(cpu_simd(), region_of{region.view()});
        return p ? std::string() : p.failure().message;
    };
    CHECK(refusal({1, 4, 0, 3}, {2, 2}) == "what is split has no elements");
    CHECK(refusal({1, 4, 2, 3}, {4, 0}) == "a part of the split has no elements");
}
