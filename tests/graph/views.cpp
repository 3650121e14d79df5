// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/views.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <range/v3/algorithm/count_if.hpp>
#include <range/v3/range/conversion.hpp>
#include <range/v3/range/operations.hpp>
#include <range/v3/view/join.hpp>
#include <range/v3/view/take.hpp>

#include <inlay/ir/ir_builder.hpp>

#include "two_vectors.hpp"

using inlay::node_id;
namespace views = ranges::views;

namespace {

using list = std::vector<node_id>;

two_vectors sample() {
    two_vectors g;
    g.add("x");
    g.add("conv", {0});
    g.add("relu", {1});
    g.add("conv", {2, 0, 2});
    return g;
}

template <class G>
concept has_nodes_of_temporary = requires(G g) {
    inlay::nodes(std::move(g));
};
template <class G>
concept has_nodes = requires(const G& g) {
    inlay::nodes(g);
};

static_assert(has_nodes<two_vectors> && !has_nodes_of_temporary<two_vectors>, "a view of a temporary would dangle");
static_assert(!has_nodes<std::vector<int>>);
static_assert(ranges::random_access_range<decltype(inlay::nodes(std::declval<const two_vectors&>()))>);
static_assert(ranges::random_access_range<decltype(inlay::operands(std::declval<const two_vectors&>(), 0))>);
static_assert(ranges::view_<decltype(inlay::calls(std::declval<const two_vectors&>()))>);
static_assert(ranges::view_<decltype(inlay::nodes_of_op(std::declval<const two_vectors&>(), "conv"))>);
static_assert(ranges::contiguous_range<decltype(inlay::users(std::declval<const inlay::user_lists&>(), 0))>);

}  // namespace

TEST_CASE("all nodes come operands first, or users first") {
    const two_vectors g = sample();
    CHECK((inlay::nodes(g) | ranges::to<list>) == list{0, 1, 2, 3});
    CHECK((inlay::topological(g) | ranges::to<list>) == list{0, 1, 2, 3});
    CHECK((inlay::reverse_topological(g) | ranges::to<list>) == list{3, 2, 1, 0});
    const two_vectors none;
    CHECK(ranges::empty(inlay::nodes(none)));
}

TEST_CASE("calls and the nodes of one operator come in topological order") {
    const two_vectors g = sample();
    CHECK((inlay::calls(g) | ranges::to<list>) == list{1, 2, 3});
    CHECK((inlay::nodes_of_op(g, "conv") | ranges::to<list>) == list{1, 3});
    CHECK((inlay::nodes_of_op(g, std::string("relu")) | ranges::to<list>) == list{2});
    CHECK(ranges::empty(inlay::nodes_of_op(g, "x")));
    CHECK((inlay::nodes_of_kind(g, inlay::node_kind::input) | ranges::to<list>) == list{0});
}

TEST_CASE("operators that are numbers are compared as numbers") {
    struct numbered : two_vectors {
        [[nodiscard]] int op(node_id n) const { return n == 0 ? 0 : 5; }
    };
    numbered g;
    g.add("x");
    g.add("f", {0});
    CHECK((inlay::nodes_of_op(g, 5) | ranges::to<list>) == list{1});
}

TEST_CASE("operands come in order, as often as they are read; users once, ascending") {
    const two_vectors g = sample();
    CHECK((inlay::operands(g, 3) | ranges::to<list>) == list{2, 0, 2});
    CHECK(ranges::empty(inlay::operands(g, 0)));
    const inlay::user_lists lists(g);
    CHECK((inlay::users(lists, 0) | ranges::to<list>) == list{1, 3});
    CHECK(ranges::empty(inlay::users(lists, 3)));
}

TEST_CASE("views compose: what the convolutions read, and how many calls have one user") {
    const two_vectors g = sample();
    auto read = inlay::nodes_of_op(g, "conv") | views::transform([&](node_id n) { return inlay::operands(g, n); }) | views::join;
    CHECK((read | ranges::to<list>) == list{0, 2, 0, 2});
    const inlay::user_lists lists(g);
    CHECK(ranges::count_if(inlay::calls(g), [&](node_id n) { return ranges::size(inlay::users(lists, n)) == 1; }) == 2);
    CHECK((inlay::reverse_topological(g) | views::take(1) | ranges::to<list>) == list{3});
}

TEST_CASE("views are lazy: they ask about no more nodes than are taken") {
    struct counting : two_vectors {
        mutable int asked = 0;
        [[nodiscard]] std::string_view op(node_id n) const {
            ++asked;
            return two_vectors::op(n);
        }
    };
    counting g;
    g.add("x");
    for (node_id n = 0; n < 100; ++n) g.add("f", {n});
    auto all = inlay::nodes_of_op(g, "f");
    CHECK(g.asked == 0);
    CHECK(*ranges::begin(all) == 1);
    CHECK(g.asked < 5);
}

TEST_CASE("a module's constants, functions and calls are told apart") {
    inlay::ir_builder b;
    b.open_block();
    const node_id c = b.constant(inlay::tensor::scalar(1.0f));
    const node_id f = b.call("neg", {c});
    b.declare(b.function({}, f, "main"));
    const inlay::ir_module m = b.finish();
    CHECK((inlay::calls(m) | ranges::to<list>) == list{f});
    CHECK((inlay::nodes_of_kind(m, inlay::node_kind::constant) | ranges::to<list>) == list{c});
    CHECK(ranges::empty(inlay::nodes_of_op(m, "function")));
}
