// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PATTERN_NAIVE_MATCHER_HPP
#define INLAY_TESTS_PATTERN_NAIVE_MATCHER_HPP

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <inlay/graph/graph_ref.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

namespace pattern_test {

using namespace inlay;

/// A match in the making: the node of each slot, and the nodes that are covered, in the order in which they were.
struct partial {
    std::vector<node_id> bound, covered;

    friend bool operator==(const partial&, const partial&) = default;
};
using partials = std::vector<partial>;

/// The meaning of each kind of term, told as what it makes of a partial match: the list of all partial matches that go on from it, in
/// order. It recurses, copies lists, and follows every path; it gives up where that takes more than its budget.
class naive_matcher {
public:
    naive_matcher(const ir_module& g, const user_lists& users, const pattern_view& p, std::size_t budget)
        : g_(g), users_(users), p_(p), budget_(budget) {}

    /// Nothing where the budget is spent.
    std::optional<partials> at(node_id root) {
        spent_ = 0;
        partial start;
        start.bound.assign(p_.slots.size(), no_node);
        partials found = match(p_.root, root, start, nullptr);
        if (spent_ > budget_) return std::nullopt;
        return found;
    }

private:
    /// What a hole means: the repetition of that term, whose step stands around it so many times; and what a hole outside of it means.
    struct around {
        term_id repetition;
        std::uint32_t times;
        const around* outer;
    };

    partials match(term_id id, node_id n, const partial& p, const around* in) {
        if (++spent_ > budget_) return {};
        const pattern_term& t = p_[id];
        switch (t.kind) {
            case term_kind::any:
                return {p};
            case term_kind::node:
                return node(t, n, p, in);
            case term_kind::literal:
                return is_number(n, t.number) ? partials{p} : partials{};
            case term_kind::value:
                return g_.kind(n) == node_kind::constant && g_.constant(n)->content() == t.content ? partials{p} : partials{};
            case term_kind::either: {
                partials all;
                for (const term_id c : p_.children(t)) append(all, match(c, n, p, in));
                return all;
            }
            case term_kind::both: {
                partials all{p};
                for (const term_id c : p_.children(t)) all = each(all, c, n, in);
                return all;
            }
            case term_kind::no:
                return match(p_.child(t, 0), n, p, in).empty() ? partials{p} : partials{};
            case term_kind::capture: {
                partial now = p;
                node_id& slot = now.bound[t.place];
                if (slot != no_node && slot != n) return {};
                slot = n;
                return match(p_.child(t, 0), n, now, in);
            }
            case term_kind::attributes:
                for (const attribute_guard& guard : t.guards)
                    if (!accepts(guard, g_.attributes(n).find(guard.name))) return {};
                return match(p_.child(t, 0), n, p, in);
            case term_kind::type:
                return accepts(*t.type, g_.type(n)) ? match(p_.child(t, 0), n, p, in) : partials{};
            case term_kind::repeat:
                return repeated({id, 0, in}, n, p);
            case term_kind::hole:
                return repeated(*in, n, p);
            case term_kind::reference:
                return match(p_.child(t, 0), n, p, nullptr);
            case term_kind::custom_matcher:
                return read(t, n, p, in);
            case term_kind::dominates:
                return dominated(t, n, p, in);
        }
        return {};
    }

    /// The repetition unrolled once more, and its base.
    partials repeated(const around at, node_id n, const partial& p) {
        const pattern_term& t = p_[at.repetition];
        partials all;
        if (at.times < t.most) {
            const around inside{at.repetition, at.times + 1, at.outer};
            all = match(p_.child(t, 0), n, p, &inside);
        }
        if (at.times >= t.least) append(all, match(p_.child(t, 1), n, p, at.outer));
        return all;
    }

    partials node(const pattern_term& t, node_id n, partial p, const around* in) {
        const node_kind k = g_.kind(n);
        const std::size_t arity = g_.arity(n);
        if (k != t.node || arity < t.count || (!t.open && arity != t.count)) return {};
        if (k == node_kind::projection && t.place != pattern_term::unbounded && t.place != g_.field(n)) return {};
        const std::string_view name = k == node_kind::call ? g_.op(n) : k == node_kind::input ? g_.name(n) : g_.symbol(n);
        if (!t.names.empty() && std::find(t.names.begin(), t.names.end(), name) == t.names.end()) return {};
        if (k != node_kind::input && k != node_kind::constant && k != node_kind::global) p.covered.push_back(n);
        if (t.unordered) return assigned(t, n, 0, std::vector<bool>(arity), p, in);
        const std::size_t from = k == node_kind::function && t.open ? arity - t.count : 0;
        partials all{p};
        for (std::size_t i = 0; i < t.count; ++i) all = each(all, p_.child(t, i), g_.operand(n, from + i), in);
        return all;
    }
    partials assigned(const pattern_term& t, node_id n, std::size_t child, std::vector<bool> used, const partial& p, const around* in) {
        if (child == t.count) return {p};
        partials all;
        for (std::size_t i = 0; i < used.size() && i < t.most; ++i) {
            if (used[i]) continue;
            used[i] = true;
            for (const partial& q : match(p_.child(t, child), g_.operand(n, i), p, in)) append(all, assigned(t, n, child + 1, used, q, in));
            used[i] = false;
        }
        return all;
    }

    partials read(const pattern_term& t, node_id n, partial p, const around* in) {
        if (g_.kind(n) != node_kind::call) return {};
        if (!t.names.empty() && std::find(t.names.begin(), t.names.end(), g_.op(n)) == t.names.end()) return {};
        const auto r = t.read(graph_ref(g_), n);
        if (!r) return {};
        p.covered.insert(p.covered.end(), r->covered.begin(), r->covered.end());
        return match(p_.child(t, 0), r->source, p, in);
    }

    /// For every node, every path up from n has to end in it.
    partials dominated(const pattern_term& t, node_id n, const partial& p, const around* in) {
        partials all;
        for (const partial& q : match(p_.child(t, 2), n, p, in))
            for (node_id parent = n; parent-- > 0;) {
                std::set<node_id, std::greater<>> between;
                if (flowing(n).empty() || !all_end_in(parent, n, between)) continue;
                const auto inside = [&](node_id m) {
                    return std::all_of(users_[m].begin(), users_[m].end(), [&](node_id u) { return u == n || between.count(u) != 0; });
                };
                const auto fine = [&](node_id m) { return inside(m) && !match(p_.child(t, 1), m, q, in).empty(); };
                if (!inside(parent) || !std::all_of(between.begin(), between.end(), fine)) continue;
                partial with = q;
                with.covered.insert(with.covered.end(), between.begin(), between.end());
                append(all, match(p_.child(t, 0), parent, with, in));
            }
        return all;
    }
    std::vector<node_id> flowing(node_id n) const {
        std::vector<node_id> list;
        for (const node_id o : g_.operands(n))
            if (g_.kind(o) != node_kind::constant && g_.kind(o) != node_kind::function && g_.kind(o) != node_kind::global)
                list.push_back(o);
        return list;
    }
    bool all_end_in(node_id parent, node_id n, std::set<node_id, std::greater<>>& between) {
        if (++spent_ > budget_) return false;
        for (const node_id o : flowing(n)) {
            if (o == parent) continue;
            between.insert(o);
            if (flowing(o).empty() || !all_end_in(parent, o, between)) return false;
        }
        return true;
    }

    partials each(const partials& list, term_id c, node_id n, const around* in) {
        partials all;
        for (const partial& q : list) append(all, match(c, n, q, in));
        return all;
    }
    static void append(partials& all, const partials& more) { all.insert(all.end(), more.begin(), more.end()); }

    bool is_number(node_id n, double v) const {
        if (g_.kind(n) != node_kind::constant || g_.constant(n)->count() != 1) return false;
        const tensor& c = *g_.constant(n);
        if (c.element() == element_type::float32) return c.as<float>()[0] == static_cast<float>(v);
        return c.element() == element_type::int64 && static_cast<double>(c.as<std::int64_t>()[0]) == v;
    }

    const ir_module& g_;
    const user_lists& users_;
    const pattern_view& p_;
    std::size_t budget_, spent_ = 0;
};

}  // namespace pattern_test

#endif
