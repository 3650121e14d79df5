// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_BGL_HPP
#define INLAY_GRAPH_BGL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <boost/property_map/property_map.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/concepts.hpp>

// Between this library's graphs and Boost.Graph's, both ways: `bgl_view` sees a graph of Boost's as one of ours, `as_boost` one of ours
// as one of Boost's.

namespace inlay {

namespace detail {

// The declarations inside the blocks hide the concept `target` of this library, which would keep the call from being looked up.
template <class E, class G>
[[nodiscard]] auto bgl_source(const E& e, const G& g) {
    using boost::source;
    return source(e, g);
}
template <class E, class G>
[[nodiscard]] auto bgl_target(const E& e, const G& g) {
    using boost::target;
    return target(e, g);
}

/// The property that is bundled with a vertex, as its operator.
template <class BoostGraph>
struct bundled_op {
    const BoostGraph* graph;

    template <class Vertex>
    [[nodiscard]] decltype(auto) operator()(Vertex v) const {
        return (*graph)[v];
    }
};

/// Leaves operands in the order of the edges.
struct order_of_edges {
    template <class Edge>
    [[nodiscard]] std::size_t operator()(const Edge&) const {
        return 0;
    }
};

}  // namespace detail

/// A graph of Boost's seen as a `graph`. Vertices are operators, and `op_of(vertex)` says which; an edge leads from a producer to its
/// consumer, and two edges between the same vertices are two operands. Nodes are the vertices numbered anew, operands first, and among
/// those whose operands are all numbered the lowest vertex first.
///
/// The view refers to the graph, which must outlive it and stay as it is. `make_bgl_view` makes one.
/// Models `graph`, where operators are comparable.
template <class BoostGraph, class OpOf>
class bgl_view {
public:
    using vertex = typename boost::graph_traits<BoostGraph>::vertex_descriptor;
    static_assert(std::is_integral_v<vertex>,
                  "inlay: the vertices of a graph that bgl_view sees are numbers; give its vertices the list vecS");
    static_assert(std::is_convertible_v<typename boost::graph_traits<BoostGraph>::directed_category, boost::directed_tag>,
                  "inlay: the edges of a graph that bgl_view sees lead from producers to consumers; make it directed or bidirectional");

    /// See `make_bgl_view`.
    template <class OperandOf>
    [[nodiscard]] static outcome<bgl_view> make(const BoostGraph& g, OpOf op_of, const OperandOf& operand_of) {
        bgl_view view(g, std::move(op_of));
        const auto count = static_cast<std::size_t>(num_vertices(g));
        const auto edges_in_all = static_cast<std::size_t>(num_edges(g));
        if (count >= no_node || edges_in_all >= no_node)
            return error{"the Boost graph has " + std::to_string(count) + " vertices and " + std::to_string(edges_in_all) +
                         " edges, and a graph takes less than 4294967295 of each; cut it into parts"};
        const auto reads = producers(g, operand_of);

        std::vector<std::size_t> missing(count);
        std::vector<std::vector<std::size_t>> readers(count);
        std::vector<std::size_t> ready;  // a heap, the lowest vertex on top
        for (std::size_t v = 0; v < count; ++v) {
            missing[v] = reads[v].size();
            for (const std::size_t p : reads[v]) readers[p].push_back(v);
            if (missing[v] == 0) ready.push_back(v);
        }
        std::make_heap(ready.begin(), ready.end(), std::greater<>());
        view.node_of_.assign(count, no_node);
        while (!ready.empty()) {
            std::pop_heap(ready.begin(), ready.end(), std::greater<>());
            const std::size_t v = ready.back();
            ready.pop_back();
            view.node_of_[v] = static_cast<node_id>(view.vertex_of_.size());
            view.vertex_of_.push_back(static_cast<vertex>(v));
            for (const std::size_t p : reads[v]) view.operands_.push_back(view.node_of_[p]);
            view.operand_begin_.push_back(static_cast<std::uint32_t>(view.operands_.size()));
            for (const std::size_t r : readers[v])
                if (--missing[r] == 0) {
                    ready.push_back(r);
                    std::push_heap(ready.begin(), ready.end(), std::greater<>());
                }
        }
        if (view.vertex_of_.size() == count) return view;

        // What has no number lies on a cycle or behind one: walking back along what has none ends on a cycle.
        const auto unnumbered = [&](std::size_t v) { return view.node_of_[v] == no_node; };
        std::size_t at = 0;
        while (!unnumbered(at)) ++at;
        for (std::size_t step = 0; step < count; ++step) at = *std::find_if(reads[at].begin(), reads[at].end(), unnumbered);
        return error{"the Boost graph has a cycle through vertex " + std::to_string(at) +
                     ", where a dataflow graph has none; remove one of the cycle's edges"};
    }

    [[nodiscard]] std::size_t size() const { return vertex_of_.size(); }
    [[nodiscard]] decltype(auto) op(node_id n) const { return op_of_(vertex_of_[n]); }
    [[nodiscard]] std::size_t arity(node_id n) const { return operand_begin_[n + 1] - operand_begin_[n]; }
    [[nodiscard]] node_id operand(node_id n, std::size_t i) const { return operands_[operand_begin_[n] + i]; }

    /// The vertex that node n stands for, and the node that stands for vertex v.
    [[nodiscard]] vertex vertex_of(node_id n) const { return vertex_of_[n]; }
    [[nodiscard]] node_id node_of(vertex v) const { return node_of_[static_cast<std::size_t>(v)]; }

private:
    bgl_view(const BoostGraph&, OpOf op_of) : op_of_(std::move(op_of)) {}

    /// The producers that each vertex reads, in the order of its operands.
    template <class OperandOf>
    [[nodiscard]] static std::vector<std::vector<std::size_t>> producers(const BoostGraph& g, const OperandOf& operand_of) {
        struct read {
            std::size_t place;
            std::size_t producer;
        };
        std::vector<std::vector<read>> reads(static_cast<std::size_t>(num_vertices(g)));
        const auto note = [&](const auto& edge) {
            reads[static_cast<std::size_t>(detail::bgl_target(edge, g))].push_back(
                {static_cast<std::size_t>(operand_of(edge)), static_cast<std::size_t>(detail::bgl_source(edge, g))});
        };
        const auto [first, last] = vertices(g);
        for (auto v = first; v != last; ++v) {
            // Only a bidirectional graph remembers in which order the edges into a vertex came.
            if constexpr (std::is_convertible_v<typename boost::graph_traits<BoostGraph>::directed_category, boost::bidirectional_tag>) {
                const auto [in, in_end] = in_edges(*v, g);
                for (auto e = in; e != in_end; ++e) note(*e);
            } else {
                const auto [out, out_end] = out_edges(*v, g);
                for (auto e = out; e != out_end; ++e) note(*e);
            }
        }
        std::vector<std::vector<std::size_t>> in_order(reads.size());
        for (std::size_t v = 0; v < reads.size(); ++v) {
            std::stable_sort(reads[v].begin(), reads[v].end(), [](const read& a, const read& b) { return a.place < b.place; });
            for (const read& r : reads[v]) in_order[v].push_back(r.producer);
        }
        return in_order;
    }

    OpOf op_of_;
    std::vector<vertex> vertex_of_;
    std::vector<node_id> node_of_;
    std::vector<std::uint32_t> operand_begin_{0};
    std::vector<node_id> operands_;
};

/// A view of a graph of Boost's (`adjacency_list` with `vecS` vertices, directed or bidirectional) whose vertices are the operators
/// `op_of(vertex)`. `operand_of(edge)`, where it is given, says the place of an edge among its consumer's operands. Otherwise operands
/// stand in the order in which a bidirectional graph got their edges; a directed graph does not remember it, and orders them by
/// producer. An error where the graph has a cycle or is too large. O((V + E) log (V + E)).
template <class BoostGraph, class OpOf, class OperandOf = detail::order_of_edges>
[[nodiscard]] outcome<bgl_view<BoostGraph, OpOf>> make_bgl_view(const BoostGraph& g, OpOf op_of, OperandOf operand_of = {}) {
    return bgl_view<BoostGraph, OpOf>::make(g, std::move(op_of), operand_of);
}

/// The same of a graph whose vertices bundle their operators.
template <class BoostGraph>
[[nodiscard]] outcome<bgl_view<BoostGraph, detail::bundled_op<BoostGraph>>> make_bgl_view(const BoostGraph& g) {
    return make_bgl_view(g, detail::bundled_op<BoostGraph>{&g});
}
template <class BoostGraph>
void make_bgl_view(const BoostGraph&&) = delete;

namespace detail {

/// One operand of one node, as an edge from its producer.
struct boost_edge {
    node_id from = no_node;
    node_id to = no_node;
    std::uint32_t operand = 0;

    friend auto operator<=>(const boost_edge&, const boost_edge&) = default;
};

/// A graph of ours as one of Boost's. It stands in `detail` since Boost finds `source` and `target` beside it.
template <graph G>
class boost_graph {
    struct edge_at {
        const boost_edge* edges = nullptr;
        boost_edge operator()(std::size_t i) const { return edges[i]; }
    };
    struct operand_at {
        const G* graph = nullptr;
        node_id to = no_node;
        boost_edge operator()(std::size_t i) const {
            return {static_cast<node_id>(graph->operand(to, i)), to, static_cast<std::uint32_t>(i)};
        }
    };
    struct consumer_at {
        const boost_edge* edges = nullptr;
        node_id operator()(std::size_t i) const { return edges[i].to; }
    };
    using index_iterator = boost::counting_iterator<std::size_t, std::random_access_iterator_tag, std::ptrdiff_t>;

public:
    using vertex_descriptor = node_id;
    using edge_descriptor = boost_edge;
    using vertex_iterator = boost::counting_iterator<node_id, std::random_access_iterator_tag, std::ptrdiff_t>;
    using edge_iterator = boost::transform_iterator<edge_at, index_iterator>;
    using out_edge_iterator = edge_iterator;
    using in_edge_iterator = boost::transform_iterator<operand_at, index_iterator>;
    using adjacency_iterator = boost::transform_iterator<consumer_at, index_iterator>;
    using vertices_size_type = std::size_t;
    using edges_size_type = std::size_t;
    using degree_size_type = std::size_t;
    using directed_category = boost::bidirectional_tag;
    using edge_parallel_category = boost::allow_parallel_edge_tag;
    struct traversal_category : boost::bidirectional_graph_tag,
                                boost::adjacency_graph_tag,
                                boost::vertex_list_graph_tag,
                                boost::edge_list_graph_tag {};

    [[nodiscard]] static node_id null_vertex() { return no_node; }

    explicit boost_graph(const G& g) : graph_(&g), begin_(g.size() + 1, 0) {
        for (node_id n = 0; n < g.size(); ++n)
            for (std::size_t i = 0; i < g.arity(n); ++i) ++begin_[g.operand(n, i) + std::size_t{1}];
        for (std::size_t n = 0; n < g.size(); ++n) begin_[n + 1] += begin_[n];
        edges_.resize(begin_.back());
        std::vector<std::size_t> next(begin_.begin(), begin_.end());
        for (node_id n = 0; n < g.size(); ++n)
            for (std::size_t i = 0; i < g.arity(n); ++i) {
                const node_id from = g.operand(n, i);
                edges_[next[from]++] = {from, n, static_cast<std::uint32_t>(i)};
            }
    }

    friend std::size_t num_vertices(const boost_graph& g) { return g.graph_->size(); }
    friend std::pair<vertex_iterator, vertex_iterator> vertices(const boost_graph& g) {
        return {vertex_iterator(0), vertex_iterator(static_cast<node_id>(g.graph_->size()))};
    }
    friend std::size_t num_edges(const boost_graph& g) { return g.edges_.size(); }
    friend std::pair<edge_iterator, edge_iterator> edges(const boost_graph& g) {
        return g.template range<edge_iterator>(edge_at{g.edges_.data()}, 0, g.edges_.size());
    }

    friend node_id source(const boost_edge& e, const boost_graph&) { return e.from; }
    friend node_id target(const boost_edge& e, const boost_graph&) { return e.to; }

    friend std::pair<out_edge_iterator, out_edge_iterator> out_edges(node_id n, const boost_graph& g) {
        return g.template range<out_edge_iterator>(edge_at{g.edges_.data()}, g.begin_[n], g.begin_[n + std::size_t{1}]);
    }
    friend std::size_t out_degree(node_id n, const boost_graph& g) { return g.begin_[n + std::size_t{1}] - g.begin_[n]; }
    friend std::pair<in_edge_iterator, in_edge_iterator> in_edges(node_id n, const boost_graph& g) {
        return g.template range<in_edge_iterator>(operand_at{g.graph_, n}, 0, g.graph_->arity(n));
    }
    friend std::size_t in_degree(node_id n, const boost_graph& g) { return g.graph_->arity(n); }
    friend std::size_t degree(node_id n, const boost_graph& g) { return in_degree(n, g) + out_degree(n, g); }
    friend std::pair<adjacency_iterator, adjacency_iterator> adjacent_vertices(node_id n, const boost_graph& g) {
        return g.template range<adjacency_iterator>(consumer_at{g.edges_.data()}, g.begin_[n], g.begin_[n + std::size_t{1}]);
    }

    // Boost's transitive closure keeps what the index map gives in vectors of std::size_t.
    friend boost::typed_identity_property_map<std::size_t> get(boost::vertex_index_t, const boost_graph&) { return {}; }
    friend std::size_t get(boost::vertex_index_t, const boost_graph&, node_id n) { return n; }

private:
    template <class Iterator, class F>
    [[nodiscard]] std::pair<Iterator, Iterator> range(F f, std::size_t first, std::size_t last) const {
        return {Iterator(index_iterator(first), f), Iterator(index_iterator(last), f)};
    }

    const G* graph_;
    std::vector<std::size_t> begin_;
    std::vector<boost_edge> edges_;  // by producer, then consumer, then operand
};

}  // namespace detail

/// A graph as Boost.Graph's algorithms take it: a vertex list, edge list, adjacency and bidirectional graph whose vertices are the nodes,
/// with an edge from producer to consumer per operand, and a vertex index map. An edge descriptor says `from`, `to` and `operand`.
/// Refers to the graph, which must outlive it. Linear to make; degrees and ranges take constant time.
template <graph G>
[[nodiscard]] detail::boost_graph<G> as_boost(const G& g) {
    return detail::boost_graph<G>(g);
}
template <graph G>
void as_boost(const G&&) = delete;

}  // namespace inlay

namespace boost {

template <class G>
struct property_map<inlay::detail::boost_graph<G>, vertex_index_t> {
    using type = typed_identity_property_map<std::size_t>;
    using const_type = type;
};

}  // namespace boost

#endif
