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
/// inside it, and along links between its components, both ends agree. A candidate's cost is paid at its nodes, in equal shares: from
/// there dual ascent starts well. A conversion is paid along its edge where one node alone reads the tensor, or each reading part
/// pays for itself.
///
/// Where parts share a conversion, a value says besides in which formats the node's tensor is made ready, and pays for them; a
/// reader needs its own among them. So all remains pairwise over the graph's own edges, and exact because prices are not negative.
/// Where the sets of formats are too many, hub variables of the tensor stand for them instead, a few formats each.
struct cover_model {
    model m;
    std::size_t nodes = 0;
    /// Row v: the candidate that each value of variable v < nodes means, ascending; several values may mean the same one.
    rows<candidate_index> meaning;
    /// Row v: the formats in which each value has the tensor ready, one bit for each that the model tells apart at this node.
    rows<std::uint32_t> ready;
    /// For each hub, from variable `nodes` on, the node whose tensor it is about.
    std::vector<node_id> hub_of;
    /// For each candidate the one that stands for it: itself, the cheapest with the same nodes and formats, or `no_candidate` if
    /// it was not admitted.
    std::vector<candidate_index> standing;

    /// The values of variable v that mean candidate c: from `first`, up to but without `second`.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> values_of(node_id v, candidate_index c) const {
        const auto row = meaning[v];
        const auto [first, last] = std::equal_range(row.begin(), row.end(), c);
        return {static_cast<std::uint32_t>(first - row.begin()), static_cast<std::uint32_t>(last - row.begin())};
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
[[nodiscard]] inline std::vector<candidate_index> representatives(const problem_index& index,
                                                                  const std::vector<bool>& admitted) {
    const auto cost = [&](candidate_index c) { return index.of().candidates[c].cost; };
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
        return cost(a) != cost(b) ? cost(a) < cost(b) : a < b;
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
        for (const problem_candidate& c : index.of().candidates) cost_.push_back(unit.of(c.cost));
        made_.nodes = index.nodes();
        made_.standing = representatives(index, admitted);
        for (std::size_t v = 0; v < index.nodes(); ++v) {
            for (const candidate_index c : index.covering(static_cast<node_id>(v))) {
                if (made_.standing[c] == c) kept_.items.push_back(c);
            }
            kept_.close();
        }
    }

    [[nodiscard]] cover_model build() {
        tensors_.resize(index_->nodes());
        for (std::size_t u = 0; u < index_->nodes(); ++u) add_values(static_cast<node_id>(u));
        for (std::size_t u = 0; u < index_->nodes(); ++u) add_tensor(static_cast<node_id>(u));
        for (const auto& [a, b] : links_between_pieces(*index_, made_.standing)) add_agreement(a, b);
        std::sort(made_.m.pairs.begin(), made_.m.pairs.end(), [](const pair_table& x, const pair_table& y) {
            return x.a != y.a ? x.a < y.a : x.b < y.b;
        });
        return std::move(made_);
    }

private:
    static constexpr std::uint32_t nothing = 0xFFFF'FFFFu;
    /// Up to so many formats the sets of them are part of the values; more are split over hubs of so many each.
    static constexpr std::size_t most_in_sets = 4;

    using list = std::vector<std::uint32_t>;

    /// What the readers of a node's tensor want of it.
    struct tensor {
        /// Per kept candidate of the node the format in which it gives the tensor, `nothing` if it gives it to nobody.
        list given;
        /// Per reader and kept candidate of the reader the format that it wants, `nothing` if none (at that reader).
        std::vector<list> wanted;
        /// The formats that cost something from somewhere, if conversions are shared by several readers.
        list costly;
        bool by_sets = false;
    };

    /// Per kept candidate of v the format in which it wants u's tensor there.
    list wants(node_id u, node_id v) const {
        list made;
        for (const candidate_index c : kept_[v]) {
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

    list gives(node_id u) const {
        list made;
        for (const candidate_index c : kept_[u]) {
            const auto exits = index_->gives(c);
            const auto at = std::lower_bound(exits.begin(), exits.end(), u,
                                             [](const tensor_format& entry, node_id wanted) { return entry.node < wanted; });
            made.push_back(at != exits.end() && at->node == u ? at->format : nothing);
        }
        return made;
    }

    scaled conversion(node_id u, std::uint32_t f, std::uint32_t g) const {
        if (f == nothing || g == nothing || f == g) return 0;
        const double price = index_->conversion(u, f, g);
        return std::isfinite(price) ? unit_.of(price) : never;
    }

    static void sort_unique(list& values) {
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
    }

    void add_values(node_id u) {
        tensor& t = tensors_[u];
        const auto users = index_->users(u);
        t.given = gives(u);
        for (const node_id v : users) t.wanted.push_back(wants(u, v));
        if (index_->of().share_conversions && users.size() > 1) {
            for (const list& formats : t.wanted) t.costly.insert(t.costly.end(), formats.begin(), formats.end());
            sort_unique(t.costly);
            list from = t.given;
            sort_unique(from);
            const auto is_free = [&](std::uint32_t g) {
                return std::all_of(from.begin(), from.end(), [&](std::uint32_t f) { return conversion(u, f, g) == 0; });
            };
            t.costly.erase(std::remove_if(t.costly.begin(), t.costly.end(), is_free), t.costly.end());
            t.by_sets = !t.costly.empty() && t.costly.size() <= most_in_sets;
        }
        for (std::size_t k = 0; k < kept_[u].size(); ++k) {
            const candidate_index c = kept_[u][k];
            const auto members = index_->members(c);
            const auto shares = static_cast<scaled>(members.size());
            const scaled own = cost_[c] >= never ? never : cost_[c] / shares + (members[0] == u ? cost_[c] % shares : 0);
            if (!t.by_sets) {
                push_value(c, 0, own);
                continue;
            }
            add_sets(u, c, t, t.given[k], own);
        }
        made_.meaning.close();
        made_.ready.close();
        made_.m.unary.close();
    }

    void push_value(candidate_index c, std::uint32_t ready, scaled cost) {
        made_.meaning.items.push_back(c);
        made_.ready.items.push_back(ready);
        made_.m.unary.items.push_back(cost);
    }

    /// One value for each set of formats that readers outside c may want and that cost something from c's own.
    void add_sets(node_id u, candidate_index c, const tensor& t, std::uint32_t given, scaled own) {
        const auto users = index_->users(u);
        std::uint32_t free = 0;
        std::uint32_t askable = 0;
        std::size_t outside = 0;
        for (std::size_t r = 0; r < users.size(); ++r) {
            if (problem_index::has(index_->members(c), users[r])) continue;
            ++outside;
            for (const std::uint32_t g : t.wanted[r]) {
                const auto at = std::lower_bound(t.costly.begin(), t.costly.end(), g);
                if (at != t.costly.end() && *at == g) askable |= 1u << (at - t.costly.begin());
            }
        }
        for (std::size_t i = 0; i < t.costly.size(); ++i) {
            const scaled price = conversion(u, given, t.costly[i]);
            if (price == 0) free |= 1u << i;
            if (price == 0 || price >= never) askable &= ~(1u << i);
        }
        for (std::uint32_t set = 0; set < (1u << t.costly.size()); ++set) {
            if ((set & ~askable) != 0 || static_cast<std::size_t>(std::popcount(set)) > outside) continue;
            scaled cost = own;
            for (std::size_t i = 0; i < t.costly.size(); ++i) {
                if (((set >> i) & 1u) != 0) cost = add(cost, conversion(u, given, t.costly[i]));
            }
            push_value(c, set | free, cost);
        }
    }

    /// The class of each value of a node: that of its candidate among both-covering ones, else `both` plus the rank of `key`.
    template <class Key>
    class_map classes(node_id at, node_id other, const Key& key, std::uint32_t& both, list& keys) const {
        class_map map;
        both = 0;
        for (const candidate_index c : kept_[at]) both += problem_index::has(index_->members(c), other) ? 1u : 0u;
        const auto meaning = made_.meaning[at];
        std::uint32_t covering_both = 0;
        std::size_t k = 0;
        bool crosses = false;
        for (std::size_t x = 0; x < meaning.size(); ++x) {
            const bool new_candidate = x == 0 || meaning[x] != meaning[x - 1];
            if (new_candidate) {
                k += x == 0 ? 0u : 1u;
                crosses = problem_index::has(index_->members(meaning[x]), other);
                covering_both += crosses ? 1u : 0u;
            }
            if (crosses) {
                map.of.push_back(covering_both - 1);
                continue;
            }
            const std::uint32_t wanted = key(x, k);
            const auto known = std::find(keys.begin(), keys.end(), wanted);
            map.of.push_back(both + static_cast<std::uint32_t>(known - keys.begin()));
            if (known == keys.end()) keys.push_back(wanted);
        }
        map.count = both + static_cast<std::uint32_t>(keys.size());
        return map;
    }

    /// The table between two nodes: candidates that cover both agree; others pay `price(key of a, key of b)`.
    template <class AKey, class BKey, class Price>
    void add_pair(node_id a, node_id b, const AKey& a_key, const BKey& b_key, const Price& price) {
        pair_table table;
        table.a = a;
        table.b = b;
        std::uint32_t both = 0;
        list a_keys;
        list b_keys;
        table.a_map = classes(a, b, a_key, both, a_keys);
        table.b_map = classes(b, a, b_key, both, b_keys);
        for (std::uint32_t x = 0; x < table.a_map.count; ++x) {
            for (std::uint32_t y = 0; y < table.b_map.count; ++y) {
                const bool agree = x < both || y < both;
                table.cost.push_back(agree ? (x == y ? 0 : never) : price(a_keys[x - both], b_keys[y - both]));
            }
        }
        push(std::move(table));
    }

    void add_agreement(node_id a, node_id b) {
        const auto any = [](std::size_t, std::size_t) { return 0u; };
        add_pair(a, b, any, any, [](std::uint32_t, std::uint32_t) { return scaled{0}; });
    }

    void add_tensor(node_id u) {
        const tensor& t = tensors_[u];
        const auto users = index_->users(u);
        const bool by_edge = !index_->of().share_conversions || users.size() == 1;
        for (std::size_t r = 0; r < users.size(); ++r) {
            const auto wanted = [&](std::size_t, std::size_t k) { return t.wanted[r][k]; };
            if (by_edge) {
                add_pair(
                    u, users[r], [&](std::size_t, std::size_t k) { return t.given[k]; }, wanted,
                    [&](std::uint32_t f, std::uint32_t g) { return conversion(u, f, g); });
            } else if (t.by_sets) {
                add_pair(
                    u, users[r], [&](std::size_t x, std::size_t) { return made_.ready[u][x]; }, wanted,
                    [&](std::uint32_t ready, std::uint32_t g) {
                        const auto at = std::lower_bound(t.costly.begin(), t.costly.end(), g);
                        const bool costs = at != t.costly.end() && *at == g;
                        return !costs || ((ready >> (at - t.costly.begin())) & 1u) != 0 ? 0 : never;
                    });
            } else {
                add_agreement(u, users[r]);
            }
        }
        if (by_edge || t.by_sets || t.costly.empty()) return;
        const std::size_t hubs = (t.costly.size() + most_in_sets - 1) / most_in_sets;
        for (std::size_t h = 0; h < hubs; ++h) {
            const std::size_t first = t.costly.size() * h / hubs;
            const std::size_t last = t.costly.size() * (h + 1) / hubs;
            add_hub(u, t, std::span<const std::uint32_t>(t.costly).subspan(first, last - first));
        }
    }

    void push(pair_table&& table) {
        if (std::all_of(table.cost.begin(), table.cost.end(), [](scaled s) { return s == 0; })) return;
        made_.m.pairs.push_back(std::move(table));
    }

    void add_hub(node_id u, const tensor& t, std::span<const std::uint32_t> formats) {
        const auto hub = static_cast<std::uint32_t>(made_.m.variables());
        made_.hub_of.push_back(u);
        list sets;
        class_map each;
        for (std::uint32_t set = 0; set < (1u << formats.size()); ++set) {
            if (static_cast<std::size_t>(std::popcount(set)) > t.wanted.size()) continue;
            sets.push_back(set);
            each.of.push_back(each.count++);
        }
        made_.m.unary.items.insert(made_.m.unary.items.end(), sets.size(), 0);
        made_.m.unary.close();

        list from = t.given;
        sort_unique(from);
        pair_table maker{u, hub, {{}, static_cast<std::uint32_t>(from.size())}, each, {}};
        for (const std::uint32_t f : t.given) {
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
            // A reader may have several values for one candidate.
            pair_table reader{users[r], hub, {{}, static_cast<std::uint32_t>(formats.size()) + 1}, each, {}};
            const auto meaning = made_.meaning[users[r]];
            std::size_t k = 0;
            for (std::size_t x = 0; x < meaning.size(); ++x) {
                k += x > 0 && meaning[x] != meaning[x - 1] ? 1u : 0u;
                const auto at = std::find(formats.begin(), formats.end(), t.wanted[r][k]);
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
    std::vector<scaled> cost_;
    rows<candidate_index> kept_;
    std::vector<tensor> tensors_;
    cover_model made_;
};

}  // namespace detail

/// The model of covering a problem by its admitted candidates.
[[nodiscard]] inline cover_model make_cover_model(const problem_index& index, const scaling& unit, const std::vector<bool>& admitted) {
    return detail::cover_model_builder(index, unit, admitted).build();
}

}  // namespace inlay

#endif
