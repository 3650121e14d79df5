// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_MAKE_COVER_NETWORK_HPP
#define INLAY_SEARCH_MODEL_MAKE_COVER_NETWORK_HPP

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/model/cost_network.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/model/piece_links.hpp>
#include <inlay/search/model/representatives.hpp>
#include <inlay/search/model/rows.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

namespace detail {

/// Builds the tables of a cover model, tensor by tensor.
class cover_model_builder {
public:
    cover_model_builder(const problem_index& index, const scaling& unit, const std::vector<bool>& admitted, double most_entries)
        : index_(&index),
          unit_(unit),
          most_entries_(most_entries),
          rank_(std::max<std::size_t>(index.of().formats, 1u << most_in_sets) + 1, nothing) {
        cost_.reserve(index.candidates());
        for (const problem_candidate& c : index.of().candidates) cost_.push_back(unit.of(c.cost));
        price_of_.assign(index.nodes(), 0);
        note_conversions(index.of().conversions);
        for (const node_conversions& own : index.of().conversions_of) {
            price_of_[own.node] = prices_.size();
            note_conversions(own.prices);
        }
        made_.nodes = index.nodes();
        made_.representative = representatives(index, admitted);
        for (std::size_t v = 0; v < index.nodes(); ++v) {
            for (const candidate_index c : index.covering(static_cast<node_id>(v))) {
                if (made_.representative[c] == c) kept_.items.push_back(c);
            }
            kept_.close();
        }
    }

    [[nodiscard]] cover_network build() {
        const std::size_t nodes = index_->nodes();
        for (std::size_t u = 0; u < nodes; ++u) note_formats(static_cast<node_id>(u));
        for (std::size_t u = 0; u < nodes; ++u) add_values(static_cast<node_id>(u));
        for (std::size_t u = 0; u < nodes && !made_.too_large; ++u) add_tensor(static_cast<node_id>(u));
        for (const auto& [a, b] : links_between_pieces(*index_, made_.representative)) {
            if (made_.too_large) break;
            add_agreement(a, b);
        }
        made_.m.sort_pairs();
        return std::move(made_);
    }

private:
    static constexpr std::uint32_t nothing = 0xFFFF'FFFFu;
    /// Up to so many formats the sets of them are part of the values; more are split over auxiliaries of so many each.
    static constexpr std::size_t most_in_sets = 4;

    using list = std::vector<std::uint32_t>;

    /// How the conversions of a tensor are paid: along its edges, by sets in its node's values, or by auxiliaries.
    enum class way : std::uint8_t { by_edge, by_sets, by_auxiliaries };

    /// Per kept candidate of node u the format in which it gives the tensor, `nothing` if it gives it to nobody.
    [[nodiscard]] std::span<const std::uint32_t> given(node_id u) const {
        return std::span<const std::uint32_t>(given_).subspan(kept_.begin[u], kept_[u].size());
    }
    /// Per kept candidate of the r-th reader of node u the format that it wants, `nothing` if none (at that reader).
    [[nodiscard]] std::span<const std::uint32_t> wanted(node_id u, std::size_t r) const { return wanted_[first_reader_[u] + r]; }

    void note_formats(node_id u) {
        for (const candidate_index c : kept_[u]) {
            const auto exits = index_->gives(c);
            const auto at = std::lower_bound(exits.begin(), exits.end(), u,
                                             [](const tensor_format& entry, node_id wanted) { return entry.node < wanted; });
            given_.push_back(at != exits.end() && at->node == u ? at->format : nothing);
        }
        const auto users = index_->users(u);
        first_reader_.push_back(wanted_.size());
        for (const node_id v : users) {
            for (const candidate_index c : kept_[v]) wanted_.items.push_back(format_wanted(c, u, v));
            wanted_.close();
        }
        costly_of(u, users);
    }

    /// In which format candidate c wants u's tensor at its node v.
    [[nodiscard]] std::uint32_t format_wanted(candidate_index c, node_id u, node_id v) const {
        const auto members = index_->members(c);
        bool wanted = members.size() == 1 || !problem_index::has(members, u);
        if (wanted && !index_->of().share_conversions && members.size() > 1) {
            // A part that reads a tensor at several nodes pays for it once: at the first. The shorter list is gone through.
            const auto users = index_->users(u);
            const auto& shorter = users.size() < members.size() ? users : members;
            const auto& longer = users.size() < members.size() ? members : users;
            const auto both = [&](node_id w) { return problem_index::has(longer, w); };
            wanted = *std::find_if(shorter.begin(), shorter.end(), both) == v;
        }
        return wanted ? problem_index::format_in(index_->reads(c), u) : nothing;
    }

    /// The formats that cost something from somewhere, if conversions are shared by several readers.
    void costly_of(node_id u, std::span<const node_id> users) {
        const std::size_t first = costly_.items.size();
        if (index_->of().share_conversions && users.size() > 1) {
            list& all = scratch_;
            all.clear();
            for (std::size_t r = 0; r < users.size(); ++r) add_new(wanted(u, r), all);
            forget(all);
            std::sort(all.begin(), all.end());
            list& from = more_scratch_;
            from.clear();
            add_new(given(u), from);
            forget(from);
            for (const std::uint32_t g : all) {
                if (std::any_of(from.begin(), from.end(), [&](std::uint32_t f) { return conversion(u, f, g) != 0; }))
                    costly_.items.push_back(g);
            }
        }
        costly_.close();
        const std::size_t count = costly_.items.size() - first;
        const bool by_edge = !index_->of().share_conversions || users.size() == 1;
        way_.push_back(by_edge ? way::by_edge : count != 0 && count <= most_in_sets ? way::by_sets : way::by_auxiliaries);
    }

    void note_conversions(const std::vector<double>& table) {
        for (const double price : table) prices_.push_back(std::isfinite(price) ? unit_.of(price) : infinite_cost);
    }
    fixed_cost conversion(node_id u, std::uint32_t f, std::uint32_t g) const {
        if (f == nothing || g == nothing || f == g) return 0;
        return prices_[price_of_[u] + static_cast<std::size_t>(f) * index_->of().formats + g];
    }

    /// The rank that a key has been given, `nothing` if none.
    [[nodiscard]] std::uint32_t& rank_of(std::uint32_t key) { return rank_[key == nothing ? rank_.size() - 1 : key]; }
    /// Appends the keys that have no rank yet, and gives them one.
    void add_new(std::span<const std::uint32_t> keys, list& to) {
        for (const std::uint32_t key : keys) {
            std::uint32_t& rank = rank_of(key);
            if (rank != nothing) continue;
            rank = static_cast<std::uint32_t>(to.size());
            to.push_back(key);
        }
    }
    void forget(const list& keys) {
        for (const std::uint32_t key : keys) rank_of(key) = nothing;
    }

    void add_values(node_id u) {
        for (std::size_t k = 0; k < kept_[u].size(); ++k) {
            const candidate_index c = kept_[u][k];
            const auto members = index_->members(c);
            const auto shares = static_cast<fixed_cost>(members.size());
            const fixed_cost own =
                cost_[c] >= infinite_cost ? infinite_cost : cost_[c] / shares + (members[0] == u ? cost_[c] % shares : 0);
            if (way_[u] == way::by_sets)
                add_sets(u, c, given(u)[k], own);
            else
                push_value(c, 0, own);
        }
        made_.meaning.close();
        made_.ready.close();
        made_.m.unary.close();
    }

    void push_value(candidate_index c, std::uint32_t ready, fixed_cost cost) {
        made_.meaning.items.push_back(c);
        made_.ready.items.push_back(ready);
        made_.m.unary.items.push_back(cost);
    }

    /// One value for each set of formats that readers outside c may want and that cost something from c's own.
    void add_sets(node_id u, candidate_index c, std::uint32_t from, fixed_cost own) {
        const auto users = index_->users(u);
        const auto costly = costly_[u];
        std::uint32_t free = 0;
        std::uint32_t askable = 0;
        std::size_t outside = 0;
        for (std::size_t r = 0; r < users.size(); ++r) {
            if (problem_index::has(index_->members(c), users[r])) continue;
            ++outside;
            for (const std::uint32_t g : wanted(u, r)) {
                for (std::size_t i = 0; i < costly.size(); ++i) askable |= costly[i] == g ? 1u << i : 0u;
            }
        }
        fixed_cost price[most_in_sets] = {};
        for (std::size_t i = 0; i < costly.size(); ++i) {
            price[i] = conversion(u, from, costly[i]);
            if (price[i] == 0) free |= 1u << i;
            if (price[i] == 0 || price[i] >= infinite_cost) askable &= ~(1u << i);
        }
        for (std::uint32_t set = 0; set < (1u << costly.size()); ++set) {
            if ((set & ~askable) != 0 || static_cast<std::size_t>(std::popcount(set)) > outside) continue;
            fixed_cost cost = own;
            for (std::size_t i = 0; i < costly.size(); ++i) {
                if (((set >> i) & 1u) != 0) cost = add(cost, price[i]);
            }
            push_value(c, set | free, cost);
        }
    }

    /// The class of each value of a node: that of its candidate among those that cover the other node as well, else their number plus the
    /// rank of `key(value, place of its candidate)` among `keys`, in order of first appearance. Returns how many cover both.
    template <class Key>
    std::uint32_t classes(node_id at, node_id other, const Key& key, list& of, list& keys) {
        of.clear();
        keys.clear();
        std::uint32_t both = 0;
        for (const candidate_index c : kept_[at]) both += crosses(c, other) ? 1u : 0u;
        const auto meaning = made_.meaning[at];
        std::uint32_t covering_both = 0;
        std::size_t k = 0;
        bool is_crossing = false;
        for (std::size_t x = 0; x < meaning.size(); ++x) {
            if (x == 0 || meaning[x] != meaning[x - 1]) {
                k += x == 0 ? 0u : 1u;
                is_crossing = crosses(meaning[x], other);
                covering_both += is_crossing ? 1u : 0u;
            }
            if (is_crossing) {
                of.push_back(covering_both - 1);
                continue;
            }
            const std::uint32_t wanted = key(x, k);
            std::uint32_t& rank = rank_of(wanted);
            if (rank == nothing) {
                rank = static_cast<std::uint32_t>(keys.size());
                keys.push_back(wanted);
            }
            of.push_back(both + rank);
        }
        forget(keys);
        return both;
    }

    [[nodiscard]] bool crosses(candidate_index c, node_id other) const {
        const auto members = index_->members(c);
        return members.size() > 1 && problem_index::has(members, other);
    }

    /// The table between two nodes: candidates that cover both agree; others pay `price(key of a, key of b)`.
    template <class AKey, class BKey, class Price>
    void add_pair(node_id a, node_id b, const AKey& a_key, const BKey& b_key, const Price& price) {
        const std::uint32_t both = classes(a, b, a_key, a_of_, a_keys_);
        classes(b, a, b_key, b_of_, b_keys_);
        const std::size_t height = both + a_keys_.size(), width = both + b_keys_.size();
        if (!has_room(static_cast<double>(height) * static_cast<double>(width))) return;
        table_.assign(height * width, infinite_cost);
        for (std::size_t x = 0; x < both; ++x) table_[x * width + x] = 0;
        for (std::size_t x = both; x < height; ++x) {
            for (std::size_t y = both; y < width; ++y) table_[x * width + y] = price(a_keys_[x - both], b_keys_[y - both]);
        }
        tables_.add(made_.m, a, b, a_of_, height, b_of_, width, table_);
    }

    /// Whether so many entries more are within the limit.
    [[nodiscard]] bool has_room(double more) {
        made_.entries += more;
        made_.too_large = made_.too_large || made_.entries > most_entries_;
        return !made_.too_large;
    }

    void add_agreement(node_id a, node_id b) {
        const auto any = [](std::size_t, std::size_t) { return 0u; };
        add_pair(a, b, any, any, [](std::uint32_t, std::uint32_t) { return fixed_cost{0}; });
    }

    void add_tensor(node_id u) {
        const auto users = index_->users(u);
        const auto costly = costly_[u];
        for (std::size_t r = 0; r < users.size(); ++r) {
            const auto wants = [&](std::size_t, std::size_t k) { return wanted(u, r)[k]; };
            if (way_[u] == way::by_edge) {
                add_pair(
                    u, users[r], [&](std::size_t, std::size_t k) { return given(u)[k]; }, wants,
                    [&](std::uint32_t f, std::uint32_t g) { return conversion(u, f, g); });
            } else if (way_[u] == way::by_sets) {
                add_pair(
                    u, users[r], [&](std::size_t x, std::size_t) { return made_.ready[u][x]; }, wants,
                    [&](std::uint32_t ready, std::uint32_t g) {
                        const auto at = std::find(costly.begin(), costly.end(), g);
                        return at == costly.end() || ((ready >> (at - costly.begin())) & 1u) != 0 ? 0 : infinite_cost;
                    });
            } else {
                add_agreement(u, users[r]);
            }
        }
        if (way_[u] != way::by_auxiliaries || costly.empty()) return;
        const std::size_t auxiliaries = (costly.size() + most_in_sets - 1) / most_in_sets;
        for (std::size_t h = 0; h < auxiliaries; ++h) {
            const std::size_t first = costly.size() * h / auxiliaries;
            const std::size_t last = costly.size() * (h + 1) / auxiliaries;
            add_auxiliary(u, costly.subspan(first, last - first));
        }
    }

    void add_auxiliary(node_id u, std::span<const std::uint32_t> formats) {
        const auto auxiliary = static_cast<std::uint32_t>(made_.m.variables());
        made_.auxiliary_of.push_back(u);
        const auto users = index_->users(u);
        list sets;
        for (std::uint32_t set = 0; set < (1u << formats.size()); ++set) {
            if (static_cast<std::size_t>(std::popcount(set)) <= users.size()) sets.push_back(set);
        }
        made_.m.unary.items.insert(made_.m.unary.items.end(), sets.size(), 0);
        made_.m.unary.close();
        const auto each_set = [&] {
            b_of_.clear();
            for (std::size_t x = 0; x < sets.size(); ++x) b_of_.push_back(static_cast<std::uint32_t>(x));
        };

        // A maker and a reader may have several values for one candidate.
        const auto each_value = [&](node_id v, const auto& class_of) {
            a_of_.clear();
            const auto meaning = made_.meaning[v];
            std::size_t k = 0;
            for (std::size_t x = 0; x < meaning.size(); ++x) {
                k += x > 0 && meaning[x] != meaning[x - 1] ? 1u : 0u;
                a_of_.push_back(static_cast<std::uint32_t>(class_of(k)));
            }
        };
        list from;
        add_new(given(u), from);
        if (!has_room(static_cast<double>(sets.size()) * static_cast<double>(from.size() + users.size() * (formats.size() + 1))))
            return forget(from);
        each_value(u, [&](std::size_t k) { return rank_of(given(u)[k]); });
        forget(from);
        table_.clear();
        for (const std::uint32_t f : from) {
            for (const std::uint32_t set : sets) {
                fixed_cost cost = 0;
                for (std::size_t i = 0; i < formats.size(); ++i) {
                    if (((set >> i) & 1u) != 0) cost = add(cost, conversion(u, f, formats[i]));
                }
                table_.push_back(cost);
            }
        }
        each_set();
        tables_.add(made_.m, u, auxiliary, a_of_, from.size(), b_of_, sets.size(), table_);

        for (std::size_t r = 0; r < users.size(); ++r) {
            each_value(users[r],
                       [&](std::size_t k) { return std::find(formats.begin(), formats.end(), wanted(u, r)[k]) - formats.begin(); });
            table_.clear();
            for (std::size_t i = 0; i <= formats.size(); ++i) {
                for (const std::uint32_t set : sets) table_.push_back(i == formats.size() || ((set >> i) & 1u) != 0 ? 0 : infinite_cost);
            }
            each_set();
            tables_.add(made_.m, users[r], auxiliary, a_of_, formats.size() + 1, b_of_, sets.size(), table_);
        }
    }

    const problem_index* index_;
    scaling unit_;
    double most_entries_;
    std::vector<fixed_cost> cost_;
    /// The conversion tables one after the other, and where each node's begins.
    std::vector<fixed_cost> prices_;
    std::vector<std::size_t> price_of_;
    rows<candidate_index> kept_;
    list given_;
    /// By reader: those of node u are rows `first_reader_[u]` and on.
    rows<std::uint32_t> wanted_;
    std::vector<std::size_t> first_reader_;
    rows<std::uint32_t> costly_;
    std::vector<way> way_;
    cover_network made_;

    table_maker tables_;
    list rank_, scratch_, more_scratch_, a_of_, b_of_, a_keys_, b_keys_;
    std::vector<fixed_cost> table_;
};

}  // namespace detail

/// The model of covering a problem by its admitted candidates; of little use where its tables would have more than `most_entries`.
[[nodiscard]] inline cover_network make_cover_network(const problem_index& index, const scaling& unit, const std::vector<bool>& admitted,
                                                      double most_entries = std::numeric_limits<double>::infinity()) {
    return detail::cover_model_builder(index, unit, admitted, most_entries).build();
}

}  // namespace inlay

#endif
