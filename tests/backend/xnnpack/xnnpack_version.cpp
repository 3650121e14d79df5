// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/xnnpack_version.hpp>

#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/xnnpack/program.hpp>

using namespace inlay;
using namespace inlay::detail;

namespace {

/// The result of one operator on up to two tensors.
std::vector<float> result_of(const xnnpack_operator& what, const xnnpack_parameters& p, std::size_t count, std::vector<float> x,
                             std::vector<float> other = {}) {
    REQUIRE(xnn_initialize(nullptr) == xnn_status_success);
    xnnpack_program program(nullptr, false);
    std::vector<xnnpack_source> sources{{}};
    if (!other.empty()) {
        const auto kept = program.constant(other);
        REQUIRE(kept.has_value());
        sources.push_back({0, *kept});
    }
    REQUIRE(program.step({what, p, sources}));
    const kernel k = xnnpack_program::finish(std::move(program));
    buffer from(x.size() * sizeof(float)), to(count * sizeof(float));
    std::memcpy(from.data(), x.data(), x.size() * sizeof(float));
    const void* in[] = {from.data()};
    void* out[] = {to.data()};
    run_arguments a;
    a.inputs = in;
    a.results = out;
    REQUIRE(k(a));
    const auto* got = reinterpret_cast<const float*>(to.data());
    return {got, got + count};
}
using numbers = std::vector<float>;

}  // namespace

TEST_CASE("each status of the library has a text of its own") {
    CHECK(xnnpack_text(xnn_status_success) == "success");
    CHECK(xnnpack_text(xnn_status_out_of_memory) == "there is no memory");
}

TEST_CASE("a range cuts the result, whether the operator applies it or another operator follows") {
    xnnpack_parameters sum;
    sum.first_rank = 2;
    sum.second_rank = 1;
    sum.first = {2, 2};
    sum.second = {2};
    CHECK(result_of(xnnpack_operators::add, sum, 4, {1, 2, 3, 4}, {10, -20}) == numbers{11, -18, 13, -16});
    sum.low = -17;
    sum.high = 12;
    CHECK(result_of(xnnpack_operators::add, sum, 4, {1, 2, 3, 4}, {10, -20}) == numbers{11, -17, 12, -16});
    xnnpack_parameters mean = xnnpack_parameters::of_images({2, 2, 1, 2});
    CHECK(result_of(xnnpack_operators::global_average, mean, 4, {1, 10, 3, 30, 5, 50, 7, 70}) == numbers{2, 20, 6, 60});
    mean.high = 6.5f;
    CHECK(result_of(xnnpack_operators::global_average, mean, 4, {1, 10, 3, 30, 5, 50, 7, 70}) == numbers{2, 6.5f, 6, 6.5f});
}

TEST_CASE("slopes go with the channels of rows") {
    xnnpack_parameters p = xnnpack_parameters::of_rows(2, 2);
    const numbers slopes{0.5f, -2};
    p.weights = slopes.data();
    CHECK(result_of(xnnpack_operators::prelu, p, 4, {-4, -4, 3, 5}, slopes) == numbers{-2, 8, 3, 5});
}

TEST_CASE("a copy keeps the stride of its result") {
    xnnpack_parameters p = xnnpack_parameters::of_rows(2, 1);
    p.output_stride = 2;
    CHECK(result_of(xnnpack_operators::copy, p, 4, {1, 2}) == numbers{1, 0, 2, 0});
}

TEST_CASE("channels become places in blocks, and are shuffled between groups") {
    xnnpack_parameters p = xnnpack_parameters::of_images({1, 4, 1, 1});
    p.block = 2;
    CHECK(result_of(xnnpack_operators::depth_to_space, p, 4, {1, 2, 3, 4}) == numbers{1, 2, 3, 4});
    p.groups = 2;
    CHECK(result_of(xnnpack_operators::channel_shuffle, p, 4, {1, 2, 3, 4}) == numbers{1, 3, 2, 4});
}
