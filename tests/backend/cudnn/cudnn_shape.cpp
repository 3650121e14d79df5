// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cudnn/cudnn_shape.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using detail::cudnn_shape;
using detail::cudnn_window;
using detail::spatial_window;

TEST_CASE("tensors have four axes at least, and no more elements than the library counts") {
    CHECK(cudnn_shape::of({2, 3, 5})->extents == std::vector<int>{2, 3, 1, 5});
    CHECK(cudnn_shape::of({2, 3})->extents == std::vector<int>{2, 3, 1, 1});
    CHECK(cudnn_shape::of({7})->extents == std::vector<int>{7, 1, 1, 1});
    CHECK(cudnn_shape::of({2, 3, 4, 5, 6})->strides() == std::vector<int>{360, 120, 30, 6, 1});
    CHECK(cudnn_shape::of({32768, 65535}));
    CHECK(cudnn_shape::of({32768, 65536}).failure().message == "a tensor has more than 2147483647 elements, which the library counts");
}

TEST_CASE("a window has one number of pads for both sides, where those behind make no other result") {
    spatial_window w = spatial_window::over({3, 2});
    w.begin = {1, 0};
    w.end = {1, 1};
    CHECK(!cudnn_window::of(w, {1, 1, 8, 8}, {1, 1, 8, 8}));
    CHECK(cudnn_window::of(w, {1, 1, 8, 8}, {1, 1, 8, 8}).failure().message ==
          "the window has pads of 0 and 1 along spatial axis 1, where cuDNN has one number for both");
    // The last place is never reached by a window that moves by two.
    w.strides = {1, 2};
    const auto made = cudnn_window::of(w, {1, 1, 8, 8}, {1, 1, 8, 4});
    REQUIRE(made);
    CHECK(*made == cudnn_window{{3, 2}, {1, 0}, {1, 2}, {1, 1}});
    const auto line = cudnn_window::of(spatial_window::over({3}), {1, 1, 8}, {1, 1, 6});
    REQUIRE(line);
    CHECK(*line == cudnn_window{{1, 3}, {0, 0}, {1, 1}, {1, 1}});
}
