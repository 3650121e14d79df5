// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/schedule/where_legal.hpp>

#include <doctest/doctest.h>

#include "../nests.hpp"

using namespace inlay;

TEST_CASE("a nest is arranged where each step is legal, and else left as it is") {
    const loop_nest before = nests::parsed(nests::product);
    loop_nest n = before;
    CHECK_FALSE(inlay::detail::arrange_where_legal(n, loop_schedule().split("j", 2, "a", "b").run("k", loop_kind::parallel)));
    CHECK(n == before);
    CHECK(inlay::detail::arrange_where_legal(n, loop_schedule().run("i", loop_kind::parallel)));
    CHECK(inlay::detail::name_of_loop(n, n.root) == "i");
    CHECK(n.statements[n.root].runs == loop_kind::parallel);
}
