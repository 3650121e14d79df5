// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/accelerator/systolic_array.hpp>

#include <cstdint>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("folds cover a product, and no product is faster than one multiplication for each element and cycle") {
    for (const array_flow flow : {array_flow::weight_stationary, array_flow::output_stationary, array_flow::input_stationary}) {
        const systolic_array a{4, 6, flow};
        const product_extents p{9, 10, 13};
        std::int64_t covered = 0, kinds = 0;
        each_fold(a, p, [&](const array_fold& f, std::int64_t count) {
            covered += count * f.rows * f.columns * f.streamed;
            ++kinds;
        });
        CHECK(covered == p.macs());
        CHECK(kinds <= 4);
        CHECK(product_cycles(a, p) >= least_product_cycles(a, p));
        CHECK(product_cycles(a, {0, 3, 3}) == 0);
        CHECK(array_flow_named(name_of(flow)) == flow);
    }
    CHECK_FALSE(array_flow_named("rs"));
}
