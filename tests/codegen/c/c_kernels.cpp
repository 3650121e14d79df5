// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_kernels.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "vendor_library.hpp"

using namespace inlay;

TEST_CASE("parts of one module run with their constants, and views are copied where they stand elsewhere [c.kernels]") {
    c_part scaled;
    scaled.name = "part";
    scaled.text =
        "static void part(const float* x, const float* w, float* y, unsigned char* workspace) {\n    ((float*)(void*)workspace)[0] = x[0] "
        "* "
        "w[0];\n    y[0] = ((float*)(void*)workspace)[0];\n}\n";
    scaled.constants = {tensor::scalar(3.0f)};
    scaled.workspace_bytes = 64;
    c_part view;
    view.views = {{0, 4}};
    const c_part parts[] = {scaled, view};
    const c_borders borders[] = {{1, 1}, {1, 1}};
    const auto made = c_kernels(parts, borders, nest_compiler({"-O1"}));
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    const float x = 5;
    float y = 0;
    alignas(64) std::byte workspace[64];
    const void* const from[] = {&x};
    void* to[] = {&y};
    REQUIRE((*made)[0]({from, to, workspace, {}}));
    CHECK(y == 15);
    REQUIRE((*made)[1]({from, to, nullptr, {}}));
    CHECK(y == 5);
    CHECK((*made)[1].view_of == std::vector<std::int32_t>{0});
    CHECK((*made)[0].workspace_bytes == 64);
}

TEST_CASE("a part that calls a library is compiled with it, and why there is none is passed on [c.kernels]") {
    const region_nest n = c_programs::scaled_rows();
    const auto made = c_kernel(part_of_nest(n, c_programs::scaling_library()), c_borders::of(n));
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    const float x[] = {1, 2, 3, 4, 5, 6};
    float y[6] = {};
    const void* const from[] = {x};
    void* to[] = {y};
    REQUIRE((*made)({from, to, nullptr, {}}));
    CHECK(std::vector<float>(y, y + 6) == std::vector<float>{2, 4, 6, 12, 15, 18});
    CHECK(c_kernel(error{"no part"}, {}).failure().message == "no part");
}
