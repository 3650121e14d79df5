// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/placement.hpp>

#include <doctest/doctest.h>

#include <inlay/target/plain_target.hpp>
#include <inlay/target/target_schema.hpp>

using inlay::device_type;
using inlay::placement;

TEST_CASE("a placement says what it leaves open") {
    CHECK(placement().is_free());
    CHECK_FALSE(placement::in_scope("near").is_free());
    CHECK(to_string(placement()) == "?");
    CHECK(to_string(placement::on(device_type::cuda)) == "cuda:0");
    CHECK(to_string(placement::in_scope("near")) == "any device scope=near");
    const auto target = inlay::instance_of(inlay::cuda_target{.arch = "sm_80", .model = {}});
    CHECK(to_string(placement::on(target, 1, "shared")) == "cuda:1 target='cuda -arch=sm_80' scope=shared");
    CHECK(placement::on(target) == placement::on(target));
    CHECK(placement::on(target) != placement::on(device_type::cuda));
}
