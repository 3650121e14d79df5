// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_WORKING_GRAPH_HPP
#define INLAY_REWRITE_WORKING_GRAPH_HPP

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <inlay/graph/concepts.hpp>
#include <inlay/rewrite/node_order.hpp>
#include <inlay/rewrite/use_lists.hpp>

namespace inlay {

/// A graph during rewriting: the nodes of the original graph under their numbers, and new nodes with larger numbers. It models the concepts
/// of the original graph with one exception: operands precede users by `rank`, not by number.
///
/// A new node is tentative until `place` inserts it in front of another node; `replace` redirects the users of a node to another one and
/// removes nodes without users. Each operation is linear in the edges that it changes. The original graph must outlive this object.
template <rewritable_graph G>
class working_graph {
public:
    explicit working_graph(const G& g)
        : g_(g), first_made_(static_cast<node_id>(g.size())), order_(g.size()), uses_(g), stands_for_(g.size(), no_node) {
        for (const node_id r : results_of(g)) uses_.keep(r);
    }

    [[nodiscard]] std::size_t size() const { return first_made_ + made_.size(); }
    [[nodiscard]] node_kind kind(node_id n) const { return is_made(n) ? made(n).kind : g_.kind(n); }
    [[nodiscard]] std::string_view op(node_id n) const { return is_made(n) ? made(n).op : std::string_view(g_.op(n)); }
    [[nodiscard]] std::size_t arity(node_id n) const { return uses_.arity(n); }
    [[nodiscard]] node_id operand(node_id n, std::size_t i) const { return uses_.operand(n, i); }
    [[nodiscard]] const node_type& type(node_id n) const { return is_made(n) ? *made(n).type : static_cast<const node_type&>(g_.type(n)); }
    [[nodiscard]] const attribute_map& attributes(node_id n) const {
        return is_made(n) ? made(n).attributes : static_cast<const attribute_map&>(g_.attributes(n));
    }
    [[nodiscard]] const tensor* constant(node_id n) const {
        if (!is_made(n)) return g_.constant(n);
        return made(n).kind == node_kind::constant ? &values_[made(n).payload] : nullptr;
    }
    [[nodiscard]] block_id block(node_id n) const { return is_made(n) ? made(n).block : g_.block(n); }
    [[nodiscard]] std::size_t field(node_id n) const { return is_made(n) ? made(n).payload : g_.field(n); }
    [[nodiscard]] std::string_view symbol(node_id n) const { return is_made(n) ? std::string_view() : std::string_view(g_.symbol(n)); }
    [[nodiscard]] std::string_view name(node_id n) const {
        if (is_made(n)) return made(n).name;
        if constexpr (has_names)
            return g_.name(n);
        else
            return {};
    }

    /// Where a node is, in a graph whose nodes are placed: the same number for two nodes if and only if they are in one place; 0 for all
    /// else.
    [[nodiscard]] std::uint32_t where_number(node_id n) const {
        if constexpr (has_places) {
            if (is_made(n)) return made(n).placed_like == no_node ? 0 : g_.where_number(made(n).placed_like);
            return g_.where_number(n);
        }
        return 0;
    }

    /// The place of a node among those that live: operands before users.
    [[nodiscard]] std::uint64_t rank(node_id n) const { return order_.rank(n); }
    /// The first of the living nodes, and the one after or before another; `no_node` where there is none.
    [[nodiscard]] node_id first() const { return order_.first(); }
    [[nodiscard]] node_id last() const { return order_.last(); }
    [[nodiscard]] node_id after(node_id n) const { return order_.after(n); }
    [[nodiscard]] node_id before(node_id n) const { return order_.before(n); }

    /// Who reads a node: `users()[n]`, as often as it is read.
    [[nodiscard]] const use_lists& users() const { return uses_; }
    [[nodiscard]] bool is_alive(node_id n) const { return order_.contains(n); }
    /// Whether node n is a node of the original graph.
    [[nodiscard]] bool is_original(node_id n) const { return !is_made(n); }

    /// Makes a tentative node, which has no place yet; `forget` removes it.
    node_id call(std::string_view op, std::span<const node_id> operands, const attribute_map& attributes, const node_type& type) {
        made_node m;
        m.kind = node_kind::call;
        m.op = operator_name(op);
        m.attributes = attributes;
        m.type = kept(type);
        return make(std::move(m), operands);
    }
    node_id constant(const tensor& value) {
        made_node m;
        m.kind = node_kind::constant;
        m.op = "constant";
        m.payload = static_cast<std::uint32_t>(values_.size());
        values_.push_back(value);
        m.type = kept(node_type(value.type()));
        return make(std::move(m), {});
    }
    node_id tuple(std::span<const node_id> fields) {
        made_node m;
        m.kind = node_kind::tuple;
        m.op = "tuple";
        std::vector<node_type> types;
        for (const node_id f : fields) types.push_back(type(f));
        m.type = kept(node_type::tuple(std::move(types)));
        return make(std::move(m), fields);
    }
    node_id projection(node_id of, std::size_t index) {
        made_node m;
        m.kind = node_kind::projection;
        m.op = "projection";
        m.payload = static_cast<std::uint32_t>(index);
        const node_type& whole = type(of);
        if (whole.is_tuple() && index < whole.fields.size()) m.type = kept(whole.fields[index]);
        return make(std::move(m), std::span<const node_id>(&of, 1));
    }
    /// Gives a node that was made the type, or the name, of another one.
    void set_type_like(node_id n, node_id other) { made_[n - first_made_].type = &type(other); }
    void set_name_like(node_id n, node_id other) { made_[n - first_made_].name = name(other); }
    /// Puts a node that was made where another one is.
    void set_where_like(node_id n, node_id other) { made_[n - first_made_].placed_like = is_made(other) ? made(other).placed_like : other; }
    /// Adds an origin: the name of a node that this one replaces. The names are views of the first graph's.
    void add_origin(node_id n, std::string_view origin) {
        if (origin.empty() || origin == name(n)) return;
        std::vector<std::string_view>& list = is_made(n) ? made_[n - first_made_].origins : more_origins_[n];
        for (const std::string_view o : list)
            if (o == origin) return;
        list.push_back(origin);
    }
    /// Adds another node's name and origins to the origins of a node.
    void add_origins_of(node_id n, node_id other) {
        if (n == other) return;
        add_origin(n, name(other));
        if (is_made(other)) {
            for (const std::string_view o : made(other).origins) add_origin(n, o);
            return;
        }
        if constexpr (has_origins)
            for (const std::string& o : g_.origins(other)) add_origin(n, o);
        if (const auto more = more_origins_.find(other); more != more_origins_.end())
            for (const std::string_view o : std::vector<std::string_view>(more->second)) add_origin(n, o);
    }
    /// Removes all nodes from this number on, none of which may have been placed.
    void forget(node_id from) {
        while (size() > from) {
            uses_.forget_last();
            made_.pop_back();
            stands_for_.pop_back();
        }
    }

    /// Puts the nodes made from this one on in front of another, or at the end for `no_node`, in the order in which they were made.
    void place(node_id from, node_id in_front_of, block_id b) {
        for (node_id n = from; n < size(); ++n) {
            made_[n - first_made_].block = b;
            order_.insert(n, in_front_of);
        }
    }

    /// Makes all who read a node read another, which stands in front of them; but for the nodes made from that one on. What nobody reads
    /// then dies: `died(n)` is told of each.
    template <class Died>
    void replace(node_id old, node_id now, node_id but_from, Died&& died) {
        uses_.replace(old, now, but_from);
        stands_for_[old] = now;
        bury(old, died);
    }
    /// Removes a node that has no user, and then its operands that have no other user.
    template <class Died>
    void bury(node_id n, Died&& died) {
        std::vector<node_id>& open = open_;
        open.assign(1, n);
        while (!open.empty()) {
            const node_id dead = open.back();
            open.pop_back();
            if (!is_alive(dead) || uses_.is_read(dead) || !may_die(dead)) continue;
            for (std::size_t i = 0; i < arity(dead); ++i) open.push_back(operand(dead, i));
            uses_.drop(dead);
            order_.erase(dead);
            died(dead);
        }
    }
    /// The current node for a node: itself, its replacement, or `no_node` if it was removed without one.
    [[nodiscard]] node_id stands_for(node_id n) const {
        while (!is_alive(n)) {
            if (stands_for_[n] == no_node) return no_node;
            n = stands_for_[n];
        }
        return n;
    }

    /// A copy of the current graph with new numbers. O(nodes + edges).
    [[nodiscard]] G finish() const {
        typename G::builder b;
        if constexpr (requires { b.copy_from(g_); }) b.copy_from(g_);
        std::vector<node_id> now(size(), no_node), operands;
        for (node_id n = first(); n != no_node; n = after(n)) {
            // A made node stands in the block of a node that was there: the one it was placed in front of, or what that one stands for.
            if constexpr (requires { b.go_to(g_, block_id{}); }) b.go_to(g_, block(n));
            operands.clear();
            for (std::size_t i = 0; i < arity(n); ++i) operands.push_back(now[operand(n, i)]);
            now[n] = is_made(n) ? build(b, made(n), operands) : static_cast<node_id>(b.copy(g_, n, operands));
            if constexpr (has_origins && requires { b.set_origins(n, std::vector<std::string>()); })
                if (const auto more = more_origins_.find(n); more != more_origins_.end())
                    b.set_origins(now[n], with_origins(n, more->second));
        }
        if constexpr (requires(std::span<const node_id> made) { b.finish_as(g_, made); }) {
            std::vector<node_id> made(first_made_);
            for (node_id n = 0; n < first_made_; ++n) {
                const node_id s = stands_for(n);
                made[n] = s == no_node ? no_node : now[s];
            }
            return b.finish_as(g_, made);
        } else {
            return b.finish();
        }
    }

private:
    static constexpr bool has_names = requires(const G& g, node_id n) {
        { g.name(n) } -> std::convertible_to<std::string_view>;
    };
    static constexpr bool has_origins = requires(const G& g, node_id n) {
        { g.origins(n) } -> std::convertible_to<const std::vector<std::string>&>;
    };
    static constexpr bool has_places = requires(const G& g, node_id n) {
        { g.where_number(n) } -> std::convertible_to<std::uint32_t>;
    };
    struct made_node {
        node_kind kind = node_kind::call;
        block_id block = 0;
        std::uint32_t payload = 0;      // of a projection its field, of a constant the place of its value
        node_id placed_like = no_node;  // an original node
        std::string_view op;
        attribute_map attributes;
        const node_type* type = &no_type;
        std::string_view name;
        std::vector<std::string_view> origins;
    };
    static inline const node_type no_type{};

    /// The stored copy of an operator's name.
    std::string_view operator_name(std::string_view op) {
        const auto at = operators_.find(op);
        if (at != operators_.end()) return *at;
        return *operators_.insert(texts_.emplace_back(op)).first;
    }
    /// Types repeat; the last few are looked at before one is kept anew.
    const node_type* kept(const node_type& type) {
        if (type.kind == node_type::form::unknown) return &no_type;
        for (std::size_t back = 1; back <= 4 && back <= types_.size(); ++back)
            if (types_[types_.size() - back] == type) return &types_[types_.size() - back];
        return &types_.emplace_back(type);
    }

    /// The origins of a node that was there, and others.
    [[nodiscard]] std::vector<std::string> with_origins(node_id n, const std::vector<std::string_view>& more) const {
        std::vector<std::string> all = g_.origins(n);
        for (const std::string_view o : more)
            if (std::find(all.begin(), all.end(), o) == all.end()) all.emplace_back(o);
        return all;
    }

    [[nodiscard]] bool is_made(node_id n) const { return n >= first_made_; }
    [[nodiscard]] const made_node& made(node_id n) const { return made_[n - first_made_]; }
    [[nodiscard]] bool may_die(node_id n) const {
        const node_kind k = kind(n);
        return k != node_kind::input && k != node_kind::function && k != node_kind::global && k != node_kind::write_ref;
    }
    node_id make(made_node&& m, std::span<const node_id> operands) {
        made_.push_back(std::move(m));
        stands_for_.push_back(no_node);
        return uses_.add(operands);
    }
    template <class Builder>
    [[nodiscard]] node_id build(Builder& b, const made_node& m, const std::vector<node_id>& operands) const {
        if constexpr (requires { b.place_new_nodes_like(g_, node_id{}); })
            if (m.placed_like != no_node) b.place_new_nodes_like(g_, m.placed_like);
        const node_id n = [&]() -> node_id {
            if (m.kind == node_kind::constant) return b.constant(values_[m.payload]);
            if constexpr (requires { b.tuple(operands); })
                if (m.kind == node_kind::tuple) return b.tuple(operands);
            if constexpr (requires { b.projection(node_id{}, std::size_t{}); })
                if (m.kind == node_kind::projection) return b.projection(operands[0], m.payload);
            return b.call(m.op, operands, m.attributes, *m.type);
        }();
        if constexpr (requires { b.set_name(n, m.name); })
            if (!m.name.empty()) b.set_name(n, m.name);
        if constexpr (requires { b.set_origins(n, std::vector<std::string>()); })
            if (!m.origins.empty()) b.set_origins(n, {m.origins.begin(), m.origins.end()});
        return n;
    }

    const G& g_;
    node_id first_made_;
    std::vector<made_node> made_;
    // Deques: what views and pointers show stays where it is.
    std::deque<std::string> texts_;
    std::deque<node_type> types_;
    std::deque<tensor> values_;
    std::unordered_set<std::string_view> operators_;
    std::unordered_map<node_id, std::vector<std::string_view>> more_origins_;  // of nodes that were there
    node_order order_;
    use_lists uses_;
    std::vector<node_id> stands_for_;
    std::vector<node_id> open_;
};

}  // namespace inlay

#endif
