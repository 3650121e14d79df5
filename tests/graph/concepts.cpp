// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/concepts.hpp>

#include <string_view>

#include <doctest/doctest.h>

#include "two_vectors.hpp"

using inlay::node_id;
using inlay::node_kind;

namespace {

struct typed : two_vectors {
    inlay::node_type all;
    [[nodiscard]] const inlay::node_type& type(node_id) const { return all; }
};
struct attributed : typed {
    inlay::attribute_map none;
    [[nodiscard]] const inlay::attribute_map& attributes(node_id) const { return none; }
    [[nodiscard]] const inlay::tensor* constant(node_id) const { return nullptr; }
};
struct scoped : attributed {
    [[nodiscard]] inlay::block_id block(node_id n) const { return n == 0 ? 0u : 7u; }
};
struct functional : scoped {
    [[nodiscard]] node_kind kind(node_id n) const { return n == 0 ? node_kind::constant : node_kind::call; }
    [[nodiscard]] std::size_t field(node_id) const { return 0; }
    [[nodiscard]] std::string_view symbol(node_id) const { return {}; }
};
struct rewritable : functional {
    struct builder;
};
struct rewritable::builder {
    rewritable made;
    node_id copy(const rewritable& from, node_id n, std::span<const node_id> operands) {
        return made.add(from.op(n), {operands.begin(), operands.end()});
    }
    node_id call(std::string_view op, std::span<const node_id> operands, const inlay::attribute_map&, const inlay::node_type&) {
        return made.add(op, {operands.begin(), operands.end()});
    }
    node_id constant(const inlay::tensor&) { return made.add("constant"); }
    rewritable finish() { return std::move(made); }
};

/// Near misses: each lacks or spoils one thing.
struct no_size {
    int op(node_id) const { return 0; }
    std::size_t arity(node_id) const { return 0; }
    node_id operand(node_id, std::size_t) const { return 0; }
};
struct changing_operands : no_size {
    std::size_t size() const { return 0; }
    node_id operand(node_id, std::size_t) { return 0; }
};
struct incomparable_op : no_size {
    struct word {};
    std::size_t size() const { return 0; }
    word op(node_id) const { return {}; }
};
struct numbered_ops : no_size {
    std::size_t size() const { return 0; }
};
struct type_as_text : two_vectors {
    std::string_view type(node_id) const { return "float32"; }
};
struct constants_by_value : typed {
    inlay::attribute_map none;
    const inlay::attribute_map& attributes(node_id) const { return none; }
    inlay::tensor constant(node_id) const { return {}; }
};
struct kind_as_number : scoped {
    int kind(node_id) const { return 0; }
    std::size_t field(node_id) const { return 0; }
    std::string_view symbol(node_id) const { return {}; }
};
struct builds_another : functional {
    struct builder : rewritable::builder {
        node_id copy(const builds_another&, node_id, std::span<const node_id>) { return 0; }
    };
};

}  // namespace

static_assert(inlay::graph<two_vectors>, "a struct of two vectors is a graph");
static_assert(inlay::graph<numbered_ops>, "operators may be numbers");
static_assert(!inlay::typed_graph<two_vectors>);
static_assert(inlay::typed_graph<typed> && !inlay::attributed_graph<typed>);
static_assert(inlay::attributed_graph<attributed> && !inlay::scoped_graph<attributed>);
static_assert(inlay::scoped_graph<scoped> && !inlay::functional_graph<scoped>);
static_assert(inlay::functional_graph<functional> && !inlay::rewritable_graph<functional>);
static_assert(inlay::rewritable_graph<rewritable>);

static_assert(!inlay::graph<int> && !inlay::graph<std::vector<std::vector<node_id>>>);
static_assert(!inlay::graph<no_size>);
static_assert(!inlay::graph<changing_operands>, "a graph is read through const");
static_assert(!inlay::graph<incomparable_op>, "operators are compared");
static_assert(inlay::graph<type_as_text> && !inlay::typed_graph<type_as_text>);
static_assert(inlay::typed_graph<constants_by_value> && !inlay::attributed_graph<constants_by_value>);
static_assert(inlay::scoped_graph<kind_as_number> && !inlay::functional_graph<kind_as_number>);
static_assert(!inlay::rewritable_graph<builds_another>, "a builder finishes the graph that it copies from");

TEST_CASE("a graph without kinds has inputs, which read nothing, and calls") {
    two_vectors g;
    const node_id x = g.add("x");
    const node_id f = g.add("f", {x});
    CHECK(inlay::kind_of(g, x) == node_kind::input);
    CHECK(inlay::kind_of(g, f) == node_kind::call);
    CHECK(inlay::block_of(g, f) == 0);
}

TEST_CASE("a graph that says its kinds and blocks is believed") {
    functional g;
    g.add("c");
    g.add("call without operands");
    CHECK(inlay::kind_of(g, 0) == node_kind::constant);
    CHECK(inlay::kind_of(g, 1) == node_kind::call);
    CHECK(inlay::block_of(g, 1) == 7);
    CHECK(inlay::block_of(scoped(g), 0) == 0);
}

TEST_CASE("the results are the calls that nobody reads, in order, where the graph does not say") {
    two_vectors g;
    const node_id x = g.add("x");
    g.add("input that nobody reads");
    const node_id a = g.add("a", {x});
    const node_id b = g.add("b", {a, a});
    const node_id c = g.add("c", {a});
    CHECK(inlay::results_of(g) == std::vector<node_id>{b, c});
    CHECK(inlay::results_of(two_vectors()).empty());
}

TEST_CASE("a graph that names its results is believed") {
    struct with_results : two_vectors {
        std::vector<node_id> results() const { return {1, 0}; }
    };
    with_results g;
    g.add("x");
    g.add("f", {0});
    CHECK(inlay::results_of(g) == std::vector<node_id>{1, 0});
}
