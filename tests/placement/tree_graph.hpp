// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PLACEMENT_TREE_GRAPH_HPP
#define INLAY_TESTS_PLACEMENT_TREE_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/placement/concepts.hpp>

/// A program and places that are nothing of the library's: a list of structs, and rooms of houses.
namespace rooms {

using namespace inlay;

struct address {
    int house = 0, room = 0;  // 0: any
};

struct node {
    node_kind kind = node_kind::call;
    std::string op;
    std::vector<node_id> operands;
    node_type type;
    address where, from;
    attribute_map attributes;
};

struct tree_graph {
    std::vector<node> nodes;
    std::vector<node_id> tops;

    std::size_t size() const { return nodes.size(); }
    std::string_view op(node_id n) const { return nodes[n].op; }
    std::size_t arity(node_id n) const { return nodes[n].operands.size(); }
    node_id operand(node_id n, std::size_t i) const { return nodes[n].operands[i]; }
    const node_type& type(node_id n) const { return nodes[n].type; }
    const attribute_map& attributes(node_id n) const { return nodes[n].attributes; }
    const tensor* constant(node_id) const { return nullptr; }
    block_id block(node_id) const { return 0; }
    node_kind kind(node_id n) const { return nodes[n].kind; }
    std::size_t field(node_id) const { return 0; }
    std::string_view symbol(node_id n) const { return nodes[n].op; }
    const address& where(node_id n) const { return nodes[n].where; }
    const address& copied_from(node_id n) const { return nodes[n].from; }
    const std::vector<node_id>& functions() const { return tops; }

    node_id add(node n) {
        nodes.push_back(std::move(n));
        return static_cast<node_id>(nodes.size() - 1);
    }
};

/// House 1 is where the host lives; what nobody asks for goes to house 2, room 1.
struct house_lattice {
    using element = address;
    static constexpr unsigned all = 3, memory = 2;

    element free() const { return {}; }
    element host() const { return {1, 1}; }
    element otherwise() const { return {2, 1}; }
    outcome<element> of(const address& a) const {
        if (a.house > 9) return error{"there is no house " + std::to_string(a.house)};
        return a;
    }
    unsigned clash(const element& a, const element& b) const {
        return (a.house != 0 && b.house != 0 && a.house != b.house ? 1u : 0u) | (a.room != 0 && b.room != 0 && a.room != b.room ? 2u : 0u);
    }
    void join(element& into, const element& from, unsigned components) const {
        if ((components & 1) != 0 && into.house == 0) into.house = from.house;
        if ((components & 2) != 0 && into.room == 0) into.room = from.room;
    }
    bool is_whole(const element& e) const { return e.house != 0 && e.room != 0; }
    void fill(element& into, const element& from) const { join(into, from, all); }
    std::string text(const element& e) const { return "house " + std::to_string(e.house) + ", room " + std::to_string(e.room); }
};

inline bool operator==(const address& a, const address& b) { return a.house == b.house && a.room == b.room; }

static_assert(placed_graph<tree_graph>);
static_assert(lattice<house_lattice>);

}  // namespace rooms

#endif
