// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_COVER_MODEL_HPP
#define INLAY_SEARCH_COVER_MODEL_HPP

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/model.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/scaled.hpp>

namespace inlay {

/// Covering a problem, but for cycles between parts, as a pairwise model.
///
/// Variable v < nodes says which candidate covers node v. That a candidate covers all its nodes or none is local: along each edge
/// inside it, and along links between its components, both ends agree. A candidate's cost is paid at its first node. A conversion
/// is paid along its edge where one node alone reads the tensor, or each reading part pays for itself. Where parts share a
/// conversion, hub variables of the tensor say in which formats it is made ready: the maker pays for each, a reader needs its own
/// among them; so all remains pairwise, and exact because prices are not negative.
struct cover_model {
    model m;
    std::size_t nodes = 0;
    /// Row v: the candidate that each value of variable v < nodes means, ascending.
    rows<candidate_index> meaning;
    /// For each hub, from variable `nodes` on, the node whose tensor it is about.
    std::vector<node_id> hub_of;
    /// For each candidate the one that stands for it: itself, the cheapest with the same nodes and formats, or `no_candidate` if
    /// it was not admitted.
    std::vector<candidate_index> standing;

    /// The place of candidate c among the values of variable v, which it must be.
    [[nodiscard]] std::uint32_t value_of(node_id v, candidate_index c) const {
        const auto row = meaning[v];
        return static_cast<std::uint32_t>(std::lower_bound(row.begin(), row.end(), c) - row.begin());
    }
};

/// The most that any cover can cost; finite for a valid problem.
[[nodiscard]] inline double largest_price(const problem_index& index) {
    std::vector<double> dearest_from(index.nodes(), 0);
    double total = 0;
    for (std::size_t c = 0; c < index.candidates(); ++c) {
        double& dearest = dearest_from[index.members(static_cast<candidate_index>(c))[0]];
        dearest = std::max(dearest, index.of().candidates[c].cost);
    }
    for (const double d : dearest_from) total += d;
    const auto dearest_in = [](const std::vector<double>& prices) {
        double dearest = 0;
        for (const double p : prices) dearest = std::isfinite(p) ? std::max(dearest, p) : dearest;
        return dearest;
    };
    std::vector<double> dearest_of(index.nodes(), dearest_in(index.of().conversions));
    for (const node_conversions& own : index.of().conversions_of) dearest_of[own.node] = dearest_in(own.prices);
    for (const problem_edge& e : index.of().edges) total += dearest_of[e.from];
    return total;
}

namespace detail {

/// For each admitted candidate the cheapest, then first, with the same nodes in the same formats.
[[nodiscard]] inline std::vector<candidate_index> representatives(const problem_index& index, const std::vector<scaled>& cost,
                                                                  const std::vector<bool>& admitted) {
    std::vector<candidate_index> order;
    for (std::size_t c = 0; c < index.candidates(); ++c) {
        if (admitted[c]) order.push_back(static_cast<candidate_index>(c));
    }
    const auto by_nodes = [&](candidate_index a, candidate_index b) {
        const auto x = index.members(a);
        const auto y = index.members(b);
        return std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
    };
    const auto by_format = [](std::span<const tensor_format> x, std::span<const tensor_format> y) {
        return std::lexicographical_compare_three_way(
            x.begin(), x.end(), y.begin(), y.end(),
            [](const tensor_format& s, const tensor_format& t) { return s.format <=> t.format; });
    };
    const auto compare = [&](candidate_index a, candidate_index b) {
        std::strong_ordering o = by_nodes(a, b);
        if (o == 0) o = by_format(index.reads(a), index.reads(b));
        if (o == 0) o = by_format(index.gives(a), index.gives(b));
        return o;
    };
    std::sort(order.begin(), order.end(), [&](candidate_index a, candidate_index b) {
        const std::strong_ordering o = compare(a, b);
        if (o != 0) return o < 0;
        return cost[a] != cost[b] ? cost[a] < cost[b] : a < b;
    });
    std::vector<candidate_index> standing(index.candidates(), no_candidate);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && compare(order[i - 1], order[i]) == 0;
        standing[order[i]] = same ? standing[order[i - 1]] : order[i];
    }
    return standing;
}

/// Pairs of nodes that must agree on a candidate though no edge joins them: for each candidate in several connected pieces, the
/// first nodes of one piece and the next.
[[nodiscard]] inline std::vector<std::pair<node_id, node_id>> links_between_pieces(const problem_index& index,
                                                                                   const std::vector<candidate_index>& standing) {
    std::vector<std::pair<node_id, node_id>> links;
    std::vector<std::uint32_t> piece;
    std::vector<std::uint32_t> stack;
    for (std::size_t i = 0; i < index.candidates(); ++i) {
        const auto c = static_cast<candidate_index>(i);
        const auto members = index.members(c);
        if (standing[c] != c || members.size() < 2) continue;
        piece.assign(members.size(), 0);
        node_id previous = 0;
        std::uint32_t pieces = 0;
        for (std::uint32_t first = 0; first < members.size(); ++first) {
            if (piece[first] != 0) continue;
            if (pieces++ > 0) links.emplace_back(previous, members[first]);
            previous = members[first];
            piece[first] = pieces;
            stack.assign(1, first);
            while (!stack.empty()) {
                const node_id v = members[stack.back()];
                stack.pop_back();
                for (const auto near : {index.users(v), index.producers(v)}) {
                    for (const node_id w : near) {
                        const auto at = std::lower_bound(members.begin(), members.end(), w);
                        if (at == members.end() || *at != w) continue;
                        const auto place = static_cast<std::uint32_t>(at - members.begin());
                        if (piece[place] != 0) continue;
                        piece[place] = pieces;
                        stack.push_back(place);
                    }
                }
            }
        }
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

/// Builds the tables of a cover model, tensor by tensor.
class cover_model_builder {
public:
    cover_model_builder(const problem_index& index, const scaling& unit, const std::vector<bool>& admitted)
        : index_(&index), unit_(unit) {
        std::vector<scaled> cost;
        for (const problem_candidate& c : index.of().candidates) cost.push_back(unit.of(c.cost));
        made_.nodes = index.nodes();
        made_.standing = representatives(index, cost, admitted);
        for (std::size_t v = 0; v < index.nodes(); ++v) {
            for (const candidate_index c : index.covering(static_cast<node_id>(v))) {
                if (made_.standing[c] != c) continue;
                made_.meaning.items.push_back(c);
                made_.m.unary.items.push_back(index.members(c)[0] == v ? cost[c] : 0);
            }
            made_.meaning.close();
            made_.m.unary.close();
        }
    }

    [[nodiscard]] cover_model build() {
        for (std::size_t u = 0; u < index_->nodes(); ++u) add_tensor(static_cast<node_id>(u));
        for (const auto& [a, b] : links_between_pieces(*index_, made_.standing)) add_agreement(a, b);
        std::sort(made_.m.pairs.begin(), made_.m.pairs.end(), [](const pair_table& x, const pair_table& y) {
            return x.a != y.a ? x.a < y.a : x.b < y.b;
        });
        return std::move(made_);
    }

private:
    static constexpr std::uint32_t nothing = 0xFFFF'FFFFu;

    /// The format in which value x of reader v wants u's tensor, `nothing` if it does not want it (at v).
    std::vector<std::uint32_t> wants(node_id u, node_id v) const {
        std::vector<std::uint32_t> made;
        for (const candidate_index c : made_.meaning[v]) {
            const auto members = index_->members(c);
            bool wanted = !problem_index::has(members, u);
            if (wanted && !index_->of().share_conversions) {
                // A part that reads a tensor at several nodes pays for it once: at the first.
                for (const node_id w : index_->users(u)) {
                    if (!problem_index::has(members, w)) continue;
                    wanted = w == v;
                    break;
                }
            }
            made.push_back(wanted ? problem_index::format_in(index_->reads(c), u) : nothing);
        }
        return made;
    }

    /// The format in which value x of variable u gives its tensor, `nothing` if it gives it to nobody.
    std::vector<std::uint32_t> gives(node_id u) const {
        std::vector<std::uint32_t> made;
        for (const candidate_index c : made_.meaning[u]) {
            const auto list = index_->gives(c);
            const auto at = std::lower_bound(list.begin(), list.end(), u,
                                             [](const tensor_format& entry, node_id wanted) { return entry.node < wanted; });
            made.push_back(at != list.end() && at->node == u ? at->format : nothing);
        }
        return made;
    }

    scaled conversion(node_id u, std::uint32_t f, std::uint32_t g) const {
        if (f == nothing || g == nothing || f == g) return 0;
        const double price = index_->conversion(u, f, g);
        return std::isfinite(price) ? unit_.of(price) : never;
    }

    void add_tensor(node_id u) {
        const auto users = index_->users(u);
        if (users.empty()) return;
        const std::vector<std::uint32_t> given = gives(u);
        const bool by_edge = !index_->of().share_conversions || users.size() == 1;
        std::vector<std::vector<std::uint32_t>> wanted;
        for (const node_id v : users) {
            wanted.push_back(wants(u, v));
            add_pair(u, v, by_edge ? given : std::vector<std::uint32_t>(given.size(), nothing),
                     by_edge ? wanted.back() : std::vector<std::uint32_t>(wanted.back().size(), nothing));
        }
        if (!by_edge) add_hubs(u, given, wanted);
    }

    void add_agreement(node_id a, node_id b) {
        add_pair(a, b, std::vector<std::uint32_t>(made_.meaning[a].size(), nothing),
                 std::vector<std::uint32_t>(made_.meaning[b].size(), nothing));
    }

    /// The table between two nodes: candidates that cover both agree; others pay the conversion of u's tensor.
    void add_pair(node_id u, node_id v, const std::vector<std::uint32_t>& given, const std::vector<std::uint32_t>& wanted) {
        pair_table table;
        table.a = u;
        table.b = v;
        std::uint32_t both = 0;
        const auto classes = [&](node_id at, node_id other, const std::vector<std::uint32_t>& format, class_map& map,
                                 std::vector<std::uint32_t>& formats) {
            both = 0;
            for (const candidate_index c : made_.meaning[at]) both += problem_index::has(index_->members(c), other) ? 1u : 0u;
            std::uint32_t next = 0;
            for (std::size_t x = 0; x < format.size(); ++x) {
                if (problem_index::has(index_->members(made_.meaning[at][x]), other)) {
                    map.of.push_back(next++);
                    continue;
                }
                const auto known = std::find(formats.begin(), formats.end(), format[x]);
                map.of.push_back(both + static_cast<std::uint32_t>(known - formats.begin()));
                if (known == formats.end()) formats.push_back(format[x]);
            }
            map.count = both + static_cast<std::uint32_t>(formats.size());
        };
        std::vector<std::uint32_t> a_formats;
        std::vector<std::uint32_t> b_formats;
        classes(u, v, given, table.a_map, a_formats);
        classes(v, u, wanted, table.b_map, b_formats);
        for (std::uint32_t a = 0; a < table.a_map.count; ++a) {
            for (std::uint32_t b = 0; b < table.b_map.count; ++b) {
                if (a < both || b < both) {
                    table.cost.push_back(a == b ? 0 : never);
                } else {
                    table.cost.push_back(conversion(u, a_formats[a - both], b_formats[b - both]));
                }
            }
        }
        push(std::move(table));
    }

    void push(pair_table&& table) {
        if (std::all_of(table.cost.begin(), table.cost.end(), [](scaled s) { return s == 0; })) return;
        made_.m.pairs.push_back(std::move(table));
    }

    void add_hubs(node_id u, const std::vector<std::uint32_t>& given, const std::vector<std::vector<std::uint32_t>>& wanted) {
        std::vector<std::uint32_t> formats;
        for (const auto& list : wanted) formats.insert(formats.end(), list.begin(), list.end());
        std::sort(formats.begin(), formats.end());
        formats.erase(std::unique(formats.begin(), formats.end()), formats.end());
        std::vector<std::uint32_t> from = given;
        std::sort(from.begin(), from.end());
        from.erase(std::unique(from.begin(), from.end()), from.end());
        const auto is_free = [&](std::uint32_t g) {
            return g == nothing || std::all_of(from.begin(), from.end(), [&](std::uint32_t f) { return conversion(u, f, g) == 0; });
        };
        formats.erase(std::remove_if(formats.begin(), formats.end(), is_free), formats.end());
        if (formats.empty()) return;
        // Few formats share one hub, whose values are sets of them: tighter bounds. Many are split evenly over hubs.
        constexpr std::size_t most = 4;
        const std::size_t hubs = (formats.size() + most - 1) / most;
        for (std::size_t h = 0; h < hubs; ++h) {
            const std::size_t first = formats.size() * h / hubs;
            const std::size_t last = formats.size() * (h + 1) / hubs;
            add_hub(u, from, given, wanted, std::span<const std::uint32_t>(formats).subspan(first, last - first));
        }
    }

    void add_hub(node_id u, const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& given,
                 const std::vector<std::vector<std::uint32_t>>& wanted, std::span<const std::uint32_t> formats) {
        const auto hub = static_cast<std::uint32_t>(made_.m.variables());
        made_.hub_of.push_back(u);
        std::vector<std::uint32_t> sets;
        for (std::uint32_t set = 0; set < (1u << formats.size()); ++set) {
            if (static_cast<std::size_t>(std::popcount(set)) <= wanted.size()) sets.push_back(set);
        }
        made_.m.unary.items.insert(made_.m.unary.items.end(), sets.size(), 0);
        made_.m.unary.close();
        class_map each;
        for (const std::uint32_t set : sets) {
            (void)set;
            each.of.push_back(each.count++);
        }

        pair_table maker{u, hub, {{}, static_cast<std::uint32_t>(from.size())}, each, {}};
        for (const std::uint32_t f : given) {
            maker.a_map.of.push_back(static_cast<std::uint32_t>(std::lower_bound(from.begin(), from.end(), f) - from.begin()));
        }
        for (const std::uint32_t f : from) {
            for (const std::uint32_t set : sets) {
                scaled cost = 0;
                for (std::size_t i = 0; i < formats.size(); ++i) {
                    if (((set >> i) & 1u) != 0) cost = add(cost, conversion(u, f, formats[i]));
                }
                maker.cost.push_back(cost);
            }
        }
        push(std::move(maker));

        const auto users = index_->users(u);
        for (std::size_t r = 0; r < users.size(); ++r) {
            pair_table reader{users[r], hub, {{}, static_cast<std::uint32_t>(formats.size()) + 1}, each, {}};
            for (const std::uint32_t g : wanted[r]) {
                const auto at = std::find(formats.begin(), formats.end(), g);
                reader.a_map.of.push_back(static_cast<std::uint32_t>(at - formats.begin()));
            }
            for (std::size_t i = 0; i <= formats.size(); ++i) {
                for (const std::uint32_t set : sets) {
                    reader.cost.push_back(i == formats.size() || ((set >> i) & 1u) != 0 ? 0 : never);
                }
            }
            push(std::move(reader));
        }
    }

    const problem_index* index_;
    scaling unit_;
    cover_model made_;
};

}  // namespace detail

/// The model of covering a problem by its admitted candidates.
[[nodiscard]] inline cover_model make_cover_model(const problem_index& index, const scaling& unit, const std::vector<bool>& admitted) {
    return detail::cover_model_builder(index, unit, admitted).build();
}

}  // namespace inlay

#endif
