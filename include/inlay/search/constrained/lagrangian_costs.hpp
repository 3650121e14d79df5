// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_LAGRANGIAN_COSTS_HPP
#define INLAY_SEARCH_CONSTRAINED_LAGRANGIAN_COSTS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/check.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// How much one of several quantities counts.
struct quantity_weight {
    std::size_t quantity = 0;
    /// At least 0.
    double weight = 0;

    friend bool operator==(const quantity_weight&, const quantity_weight&) = default;
};

/// Makes problems in which a cover costs a weighted sum of its cost and its quantities (but for `always`). What is impossible stays so.
///
/// The problem that is made has the candidates of the given one first, under their numbers. A shared item whose users all cover one node
/// needs nothing besides: at most one of them is chosen. Any other is a node more, before all others, that two candidates cover: one gives
/// the item in format 1 and pays for it, one gives nothing, in format 0. Users read it in format 1, into which nothing can be turned;
/// others that cover the same nodes in format 0. That is exact, whether conversions are shared or not. Items with the same users are one
/// node.
///
/// Prices are cut off where their sum might leave the range of `check`, which only makes covers cheaper: a lower bound stays one.
class lagrangian_costs {
public:
    /// `index` must outlive this.
    explicit lagrangian_costs(const problem_index& index) : index_(&index) {}
    /// `index` and what `quantities` point to must outlive this.
    lagrangian_costs(const problem_index& index, std::span<const quantity* const> quantities) : index_(&index) {
        for (const quantity* q : quantities) add(*q);
    }

    /// One quantity more, which must outlive this.
    void add(const quantity& q) {
        parts_.push_back({detail::quantity_index(q, index_->of()), {}, {}});
        for (const shared_item& item : q.shared) {
            std::vector<candidate_index> users = item.users;
            std::sort(users.begin(), users.end());
            if (have_common_node(users)) {
                for (const candidate_index c : users) parts_.back().more_of_candidate.emplace_back(c, item.amount);
                continue;
            }
            const auto [at, is_new] = known_.try_emplace(users, items_.size());
            if (is_new) items_.push_back({users, nodes_that_hit(users)});
            parts_.back().of_item.emplace_back(at->second, item.amount);
        }
    }

    [[nodiscard]] const detail::quantity_index& of(std::size_t quantity) const { return parts_[quantity].amounts; }

    /// The problem in which a cover costs `cost_weight` times its cost and what its quantities weigh; all weights finite and at least 0.
    [[nodiscard]] problem operator()(double cost_weight, std::span<const quantity_weight> weights) const {
        const problem& given = index_->of();
        std::vector<double> item_price(items_.size(), 0);
        for (const quantity_weight& w : weights)
            for (const auto& [item, amount] : parts_[w.quantity].of_item) item_price[item] += w.weight * amount;
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (item_price[i] > 0) used.push_back(i);
        const auto shift = static_cast<node_id>(used.size());
        const double ceiling =
            largest_total / (4.0 * static_cast<double>(given.candidates.size() + given.edges.size() + items_.size() + 1));
        const auto cut = [&](double price) { return price < ceiling ? price : ceiling; };

        problem made;
        made.nodes = given.nodes + shift;
        made.formats = shift == 0 ? given.formats : std::max<std::uint32_t>(given.formats, 2);
        made.share_conversions = given.share_conversions;
        made.acyclic = given.acyclic;
        made.edges.reserve(given.edges.size());
        for (const problem_edge& e : given.edges) made.edges.push_back({e.from + shift, e.to + shift});

        std::vector<double> own(given.candidates.size(), 0);
        for (const quantity_weight& w : weights) {
            const quantity& q = parts_[w.quantity].amounts.of();
            for (std::size_t c = 0; c < q.of_candidate.size(); ++c) own[c] += w.weight * q.of_candidate[c];
            for (const auto& [c, amount] : parts_[w.quantity].more_of_candidate) own[c] += w.weight * amount;
        }
        made.candidates.reserve(given.candidates.size() + 2 * used.size());
        for (std::size_t c = 0; c < given.candidates.size(); ++c) {
            const problem_candidate& from = given.candidates[c];
            made.candidates.push_back(from);
            problem_candidate& to = made.candidates.back();
            to.cost = cut(cost_weight * from.cost + own[c]);
            if (shift == 0) continue;
            for (node_id& v : to.nodes) v += shift;
            for (tensor_format& t : to.in_of) t.node += shift;
            for (tensor_format& t : to.out_of) t.node += shift;
        }
        add_conversions(made, cost_weight, weights, shift, cut);
        std::vector<std::uint8_t> reads(given.candidates.size(), 0);
        for (node_id node = 0; node < shift; ++node) {
            const item_node& one = items_[used[node]];
            std::fill(reads.begin(), reads.end(), std::uint8_t{0});
            for (const node_id v : one.at) {
                made.edges.push_back({node, v + shift});
                for (const candidate_index c : index_->covering(v)) reads[c] = 1;
            }
            for (std::size_t c = 0; c < reads.size(); ++c) {
                if (reads[c] == 0) continue;
                const bool uses = std::binary_search(one.users.begin(), one.users.end(), static_cast<candidate_index>(c));
                made.candidates[c].in_of.push_back({node, uses ? 1u : 0u});
            }
            made.candidates.push_back({.nodes = {node}, .cost = 0});
            made.candidates.push_back({.nodes = {node}, .cost = cut(item_price[used[node]]), .out = 1});
            std::vector<double> table(static_cast<std::size_t>(made.formats) * made.formats, impossible);
            for (std::size_t f = 0; f < made.formats; ++f) table[f * made.formats + f] = 0;
            table[made.formats] = 0;
            made.conversions_of.push_back({node, std::move(table)});
        }
        return made;
    }

private:
    struct item_node {
        /// Ascending.
        std::vector<candidate_index> users;
        /// Nodes of which each user covers one.
        std::vector<node_id> at;
    };
    struct part {
        detail::quantity_index amounts;
        /// Of shared items of which at most one user is chosen.
        std::vector<std::pair<candidate_index, double>> more_of_candidate;
        std::vector<std::pair<std::size_t, double>> of_item;
    };

    [[nodiscard]] bool have_common_node(const std::vector<candidate_index>& users) const {
        const auto first = index_->members(users[0]);
        return std::any_of(first.begin(), first.end(), [&](node_id v) {
            return std::all_of(users.begin(), users.end(), [&](candidate_index c) { return problem_index::has(index_->members(c), v); });
        });
    }

    /// Always the node next that the most users cover which have none yet, of equal ones the first.
    [[nodiscard]] std::vector<node_id> nodes_that_hit(std::vector<candidate_index> users) const {
        std::vector<node_id> made;
        std::map<node_id, std::size_t> count;
        while (!users.empty()) {
            count.clear();
            for (const candidate_index c : users)
                for (const node_id v : index_->members(c)) ++count[v];
            const auto most =
                std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
            made.push_back(most->first);
            std::erase_if(users, [&](candidate_index c) { return problem_index::has(index_->members(c), most->first); });
        }
        return made;
    }

    template <class Cut>
    void add_conversions(problem& made, double cost_weight, std::span<const quantity_weight> weights, node_id shift, const Cut& cut) const {
        const problem& given = index_->of();
        const std::size_t formats = given.formats;
        std::vector<node_id> own;
        for (const node_conversions& one : given.conversions_of) own.push_back(one.node);
        for (const quantity_weight& w : weights)
            for (const auto& [node, amounts] : parts_[w.quantity].amounts.tables()) own.push_back(node);
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        std::vector<const std::vector<double>*> prices(own.size(), &given.conversions);
        for (const node_conversions& one : given.conversions_of)
            prices[static_cast<std::size_t>(std::lower_bound(own.begin(), own.end(), one.node) - own.begin())] = &one.prices;

        const auto combined = [&](const std::vector<double>& price, const auto& amounts_of) {
            std::vector<double> sum(formats * formats);
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = price[i] < impossible ? cost_weight * price[i] : impossible;
            for (const quantity_weight& w : weights)
                if (const std::vector<double>* amounts = amounts_of(parts_[w.quantity].amounts))
                    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += w.weight * (*amounts)[i];
            std::vector<double> table(static_cast<std::size_t>(made.formats) * made.formats, 0);
            for (std::size_t f = 0; f < formats; ++f)
                for (std::size_t g = 0; g < formats; ++g) {
                    const double price_here = price[f * formats + g] < impossible ? cut(sum[f * formats + g]) : impossible;
                    table[f * made.formats + g] = price_here;
                }
            return table;
        };
        made.conversions = combined(
            given.conversions, [](const detail::quantity_index& q) { return q.of().conversions.empty() ? nullptr : &q.of().conversions; });
        for (std::size_t i = 0; i < own.size(); ++i)
            made.conversions_of.push_back(
                {own[i] + shift, combined(*prices[i], [&](const detail::quantity_index& q) { return q.table(own[i]); })});
    }

    const problem_index* index_;
    std::vector<part> parts_;
    std::vector<item_node> items_;
    /// The place of each set of users among the items.
    std::map<std::vector<candidate_index>, std::size_t> known_;
};

}  // namespace inlay

#endif
