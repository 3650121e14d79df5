// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ir/relay_lines.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {
std::vector<node_id> list(std::span<const node_id> nodes) { return {nodes.begin(), nodes.end()}; }
}  // namespace

TEST_CASE("calls and what is shared have lines, and what is the result of a scope alone has none") {
    ir_builder b;
    const node_id c = b.input("c", {});
    const node_id two = b.constant(tensor::scalar(2.0f)), large = b.constant(tensor(element_type::float32, {4}));
    const node_id f = b.call("f", {two, two, large, large});
    const node_id once[] = {f}, twice[] = {f, c};
    const node_id alone = b.tuple(once), shared = b.tuple(twice);
    const node_id g = b.call("g", {alone, shared, shared});
    const node_id inner = b.if_else(c, g, c), branch = b.if_else(c, inner, c);
    const node_id main = b.function(std::span(&c, 1), branch, "main");
    b.declare(main);
    const relay_lines lines(b.so_far());
    CHECK(lines.has_line(f));
    CHECK(lines.has_line(shared));
    CHECK(lines.has_line(g));
    CHECK(lines.has_line(two));
    CHECK_FALSE(lines.has_line(large));
    CHECK_FALSE(lines.has_line(alone));
    CHECK_FALSE(lines.has_line(c));
    CHECK_FALSE(lines.has_line(main));
    CHECK(lines.is_declared(main));
    CHECK(lines.is_in_place(branch));
    CHECK(lines.is_in_place(inner));
    CHECK_FALSE(lines.has_line(inner));
    CHECK(list(lines.in(lines.scopes().first(inner))) == std::vector<node_id>{two, f, shared, g});
    CHECK(lines.in(lines.scopes().first(main)).empty());
    CHECK(lines.within(branch) == 4);
    CHECK(lines.within(main) == 4);
    CHECK(lines.within(f) == 0);
    CHECK(lines.before(0).empty());
}

TEST_CASE("what stands in no function has its line in the first that needs it") {
    ir_builder b;
    const node_id shared = b.call("f", {});
    const node_id one = b.function({}, b.call("g", {shared}), "one"), main = b.function({}, shared, "main");
    b.declare(one);
    b.declare(main);
    const relay_lines lines(b.so_far());
    CHECK(list(lines.before(0)) == std::vector<node_id>{shared});
    CHECK(lines.before(1).empty());
}
