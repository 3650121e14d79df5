// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/border_formats.hpp>

#include <doctest/doctest.h>

#include "toy_backends.hpp"

#include <inlay/candidate/region.hpp>

static_assert(inlay::has_formats<toys::rows>);
static_assert(!inlay::has_formats<inlay::border_formats>);

TEST_CASE("plain borders hold a row-major format for each input and result, of its own element type") {
    using namespace inlay;
    const tensor_type whole(element_type::int64, {2, 3}), real(element_type::float32, {2, 3});
    const ir_module m = toys::program_of(whole, [&](ir_builder& b, node_id x) { return b.call("toy.Cast", {x}, {}, real); });
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    const region r(m, users, results, results);
    const border_formats b = plain_borders(r.view());
    CHECK(b.inputs == std::vector<format>{plain_format(element_type::int64)});
    CHECK(b.results == std::vector<format>{plain_format(element_type::float32)});
}
