// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/loop_schedule.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a schedule is a value, and its short words are steps [loops.schedule.words]") {
    CHECK(loop_schedule().unroll("i") == loop_schedule().run("i", loop_kind::unrolled));
    CHECK(loop_schedule().vectorise("i") == loop_schedule().run("i", loop_kind::vector));
    CHECK(loop_schedule().bind("i", loop_kind::block_x) == loop_schedule().run("i", loop_kind::block_x));
    CHECK(loop_schedule().tile({"i", "j"}, {4, 8}, {"a", "b"}, {"c", "d"}) ==
          loop_schedule().split("i", 4, "a", "c").split("j", 8, "b", "d").reorder({"a", "b", "c", "d"}));
    CHECK_FALSE(loop_schedule().cache("x", "i", "y") == loop_schedule().cache("x", "i", "z"));
    loop_nest named;
    named.name = "f";
    CHECK_FALSE(loop_schedule().call("i", named) == loop_schedule().call("i", loop_nest()));
    CHECK_FALSE(loop_schedule().compute_at("x", "i") == loop_schedule().inline_stage("x"));
}
