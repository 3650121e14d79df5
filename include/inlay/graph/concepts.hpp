// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_CONCEPTS_HPP
#define INLAY_GRAPH_CONCEPTS_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// What a node of a program is. A graph without `kind(n)` has two kinds: `input` (no operands) and `call`.
enum class node_kind : std::uint8_t {
    input,       // a parameter of the block's function, or a variable that a let or a match clause binds
    constant,    // a tensor known before the run
    call,        // an operator applied to operands
    tuple,       // operands side by side; none at all is the unit value, which also stands for an operand left out
    projection,  // one field of a tuple
    function,    // operands: parameters, then the result; the body is a block of its own
    apply,       // operands: a function value, then arguments
    let,         // operands: variable, value, body
    if_else,     // operands: condition, result of the one branch, result of the other; each branch is a block
    match,       // operands: scrutinee, then per clause its variables and its result; each clause is a block
    construct,   // a constructor of an algebraic data type applied to operands
    make_ref,    // a new reference cell
    read_ref,    // the content of a cell
    write_ref,   // operands: cell, new content
    global       // a function of the program, by name
};

/// A dataflow graph seen from outside: numbered nodes, and the operands of each.
///
/// Requires, for `g` of type `const G`:  `g.size()`  `g.op(n)` (comparable)  `g.arity(n)`  `g.operand(n, i)`
/// Models: any type with these members; `ir_module`; `boost::adjacency_list` through `bgl_view`.
/// Not: a graph that cannot number its nodes with operands first.
/// Not checked: `operand(n, i) < n`.
template <class G>
concept graph = requires(const G& g, node_id n, std::size_t i) {
    { g.size() } -> std::convertible_to<std::size_t>;
    { g.op(n) } -> std::equality_comparable;
    { g.arity(n) } -> std::convertible_to<std::size_t>;
    { g.operand(n, i) } -> std::convertible_to<node_id>;
};

/// A graph that knows the type of what each node makes.  Requires `g.type(n)`.
template <class G>
concept typed_graph = graph<G> && requires(const G& g, node_id n) {
    { g.type(n) } -> std::convertible_to<const node_type&>;
};

/// A typed graph whose operators have names as text, attributes by name, and whose constants have values.
/// Requires `g.op(n)` as text, `g.attributes(n)`, `g.constant(n)` (null for what is no constant).
template <class G>
concept attributed_graph = typed_graph<G> && requires(const G& g, node_id n) {
    { g.op(n) } -> std::convertible_to<std::string_view>;
    { g.attributes(n) } -> std::convertible_to<const attribute_map&>;
    { g.constant(n) } -> std::convertible_to<const tensor*>;
};

/// A graph whose nodes stand in basic blocks: code that runs as a whole or not at all. A region never crosses blocks.
/// Requires `g.block(n)`.
template <class G>
concept scoped_graph = attributed_graph<G> && requires(const G& g, node_id n) {
    { g.block(n) } -> std::convertible_to<block_id>;
};

/// A graph with functions, branches, tuples and references as nodes of their own kinds.
/// Requires `g.kind(n)`, `g.field(n)` (of a projection), `g.symbol(n)` (of a global, a constructor or a function, else empty).
template <class G>
concept functional_graph = scoped_graph<G> && requires(const G& g, node_id n) {
    { g.kind(n) } -> std::same_as<node_kind>;
    { g.field(n) } -> std::convertible_to<std::size_t>;
    { g.symbol(n) } -> std::convertible_to<std::string_view>;
};

/// A graph that can be built anew with some nodes replaced: the builder copies a node of an old graph onto new operands, makes
/// constants and calls, and gives the finished graph. A graph is never changed under a reader's feet.
template <class G>
concept rewritable_graph = functional_graph<G> &&
    requires(typename G::builder& b, const G& g, node_id n, std::span<const node_id> operands, std::string_view op,
             const attribute_map& attributes, const node_type& type, const tensor& value) {
    { b.copy(g, n, operands) } -> std::convertible_to<node_id>;
    { b.call(op, operands, attributes, type) } -> std::convertible_to<node_id>;
    { b.constant(value) } -> std::convertible_to<node_id>;
    { b.finish() } -> std::same_as<G>;
};

/// The kind of node n, for any graph.
template <graph G>
[[nodiscard]] node_kind kind_of(const G& g, node_id n) {
    if constexpr (requires {
                      { g.kind(n) } -> std::same_as<node_kind>;
                  })
        return g.kind(n);
    else
        return g.arity(n) == 0 ? node_kind::input : node_kind::call;
}

/// The block of node n, for any graph: 0 where the graph has no blocks.
template <graph G>
[[nodiscard]] block_id block_of(const G& g, node_id n) {
    if constexpr (requires {
                      { g.block(n) } -> std::convertible_to<block_id>;
                  })
        return g.block(n);
    else
        return 0;
}

/// The nodes whose values leave the graph, in order: `g.results()` where the graph says so, else the calls that nobody reads.
/// Linear in the graph.
template <graph G>
[[nodiscard]] std::vector<node_id> results_of(const G& g) {
    if constexpr (requires {
                      { g.results() } -> std::convertible_to<std::vector<node_id>>;
                  }) {
        return g.results();
    } else {
        std::vector<char> read(g.size());
        for (node_id n = 0; n < g.size(); ++n)
            for (std::size_t i = 0; i < g.arity(n); ++i) read[g.operand(n, i)] = 1;
        std::vector<node_id> results;
        for (node_id n = 0; n < g.size(); ++n)
            if (read[n] == 0 && kind_of(g, n) == node_kind::call) results.push_back(n);
        return results;
    }
}

}  // namespace inlay

#endif
