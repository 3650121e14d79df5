// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_GRAPH_REF_HPP
#define INLAY_GRAPH_GRAPH_REF_HPP

#include <concepts>
#include <cstddef>
#include <string_view>
#include <vector>

#include <inlay/graph/concepts.hpp>
#include <inlay/graph/shown_node.hpp>

namespace inlay {

/// An attributed graph whose type is not known where it is read: code that takes one is compiled once, for all graphs. It owns nothing;
/// each question costs a call through a pointer. Models `attributed_graph`.
class graph_ref {
public:
    template <attributed_graph G>
    requires(!std::same_as<G, graph_ref>) graph_ref(const G& g) : graph_(&g), ask_(&questions_of<G>) {}

    [[nodiscard]] std::size_t size() const { return ask_->size(graph_); }
    [[nodiscard]] std::string_view op(node_id n) const { return ask_->op(graph_, n); }
    [[nodiscard]] node_kind kind(node_id n) const { return ask_->kind(graph_, n); }
    [[nodiscard]] std::size_t arity(node_id n) const { return ask_->arity(graph_, n); }
    [[nodiscard]] node_id operand(node_id n, std::size_t i) const { return ask_->operand(graph_, n, i); }
    [[nodiscard]] const node_type& type(node_id n) const { return ask_->type(graph_, n); }
    [[nodiscard]] const attribute_map& attributes(node_id n) const { return ask_->attributes(graph_, n); }
    [[nodiscard]] const tensor* constant(node_id n) const { return ask_->constant(graph_, n); }
    /// What a graph may say beside: see `node_name`, `block_of` and `results_of`.
    [[nodiscard]] std::string_view name(node_id n) const { return ask_->name(graph_, n); }
    [[nodiscard]] block_id block(node_id n) const { return ask_->block(graph_, n); }
    [[nodiscard]] std::vector<node_id> results() const { return ask_->results(graph_); }

private:
    struct questions {
        std::size_t (*size)(const void*);
        std::string_view (*op)(const void*, node_id);
        node_kind (*kind)(const void*, node_id);
        std::size_t (*arity)(const void*, node_id);
        node_id (*operand)(const void*, node_id, std::size_t);
        const node_type& (*type)(const void*, node_id);
        const attribute_map& (*attributes)(const void*, node_id);
        const tensor* (*constant)(const void*, node_id);
        std::string_view (*name)(const void*, node_id);
        block_id (*block)(const void*, node_id);
        std::vector<node_id> (*results)(const void*);
    };
    template <class G>
    static const G& as(const void* g) {
        return *static_cast<const G*>(g);
    }
    template <class G>
    static constexpr questions questions_of{[](const void* g) -> std::size_t { return as<G>(g).size(); },
                                            [](const void* g, node_id n) -> std::string_view { return as<G>(g).op(n); },
                                            [](const void* g, node_id n) { return kind_of(as<G>(g), n); },
                                            [](const void* g, node_id n) -> std::size_t { return as<G>(g).arity(n); },
                                            [](const void* g, node_id n, std::size_t i) -> node_id { return as<G>(g).operand(n, i); },
                                            [](const void* g, node_id n) -> const node_type& { return as<G>(g).type(n); },
                                            [](const void* g, node_id n) -> const attribute_map& { return as<G>(g).attributes(n); },
                                            [](const void* g, node_id n) -> const tensor* { return as<G>(g).constant(n); },
                                            [](const void* g, node_id n) { return node_name(as<G>(g), n); },
                                            [](const void* g, node_id n) { return block_of(as<G>(g), n); },
                                            [](const void* g) { return results_of(as<G>(g)); }};

    const void* graph_;
    const questions* ask_;
};

static_assert(attributed_graph<graph_ref>);

}  // namespace inlay

#endif
