// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_DOMINATED_HPP
#define INLAY_SEARCH_MODEL_DOMINATED_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/model/rows.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// Finds candidates that no cheapest cover needs (dead-end elimination, Desmet et al. 1992): several smaller ones cover the same nodes,
/// read and give the same tensors in the same formats, and cost less, by more than `slack` of it, with the conversions between them. Of
/// what costs the same the large one stays: fewer parts are better where prices do not tell. Where parts must not be on a cycle they close
/// none: a cycle that goes outside would be there with the large one too, and one inside is looked for. Prices are compared as they are
/// given, so that it holds in every unit of a search.
class dominance {
public:
    /// How far sums of doubles may be apart that are meant to be equal, as a share.
    static constexpr double slack = 4e-15;

    /// `admitted` says which candidates may take part. `index` must outlive this.
    dominance(const problem_index& index, const std::vector<bool>& admitted) : index_(&index) {
        cost_.reserve(index.candidates());
        for (const problem_candidate& c : index.of().candidates) cost_.push_back(c.cost);
        starting_ = detail::make_rows<candidate_index>(index.nodes(), [&](auto visit) {
            for (std::size_t c = 0; c < index.candidates(); ++c)
                if (admitted[c]) visit(index.members(static_cast<candidate_index>(c))[0], static_cast<candidate_index>(c));
        });
    }

    /// Whether smaller candidates do what c does. False for candidates of many nodes, and where too many choices would have to be looked
    /// at. A bounded number of steps.
    [[nodiscard]] bool operator()(candidate_index c) {
        nodes_ = index_->members(c);
        if (nodes_.size() < 2 || nodes_.size() > most_nodes) return false;
        reads_ = index_->reads(c);
        gives_ = index_->gives(c);
        limit_ = cost_[c] * (1 - slack);
        steps_left_ = most_steps;
        return fill(0, 0, 0);
    }

private:
    static constexpr std::size_t most_nodes = 8;
    static constexpr int most_steps = 256;

    [[nodiscard]] std::size_t place_of(node_id v) const {
        return static_cast<std::size_t>(std::find(nodes_.begin(), nodes_.end(), v) - nodes_.begin());
    }

    [[nodiscard]] static bool agrees(std::span<const tensor_format> list, const tensor_format& entry) {
        for (const tensor_format& known : list)
            if (known.node == entry.node) return known.format == entry.format;
        return true;
    }

    [[nodiscard]] static bool agree(std::span<const tensor_format> list, std::span<const tensor_format> entries) {
        return std::all_of(entries.begin(), entries.end(), [&](const tensor_format& entry) { return agrees(list, entry); });
    }

    /// Covers the first node that is open by each candidate that fits, and goes on; `parts` have been taken at `cost`.
    [[nodiscard]] bool fill(std::uint32_t covered, std::size_t parts, double cost) {
        std::size_t open = 0;
        while (((covered >> open) & 1u) != 0) ++open;
        if (open == nodes_.size()) return cost + between(parts) < limit_ && !(index_->of().acyclic && closes_cycle(parts));
        // The nodes before it are covered.
        for (const candidate_index c : starting_[nodes_[open]]) {
            const double sum = cost + cost_[c];
            if (sum >= limit_) continue;
            const auto members = index_->members(c);
            if (members.size() >= nodes_.size()) continue;
            if (--steps_left_ < 0) return false;
            std::uint32_t mask = 0;
            bool fits = true;
            for (const node_id v : members) {
                const std::size_t at = place_of(v);
                fits = fits && at < nodes_.size() && ((covered >> at) & 1u) == 0;
                mask |= fits ? 1u << at : 0u;
            }
            if (!fits || !agree(reads_, index_->reads(c)) || !agree(gives_, index_->gives(c))) continue;
            for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
                part_of_[std::countr_zero(rest)] = static_cast<std::uint8_t>(parts);
            part_[parts] = c;
            if (fill(covered | mask, parts + 1, sum)) return true;
        }
        return false;
    }

    /// The most that the parts pay for conversions beyond what the whole pays.
    [[nodiscard]] double between(std::size_t parts) const {
        const bool shares = index_->of().share_conversions;
        double total = 0;
        for (std::size_t p = 0; p < parts; ++p) {
            for (const tensor_format& read : index_->reads(part_[p])) {
                const std::size_t at = place_of(read.node);
                if (at < nodes_.size()) {
                    const format_index from = problem_index::format_in(index_->gives(part_[part_of_[at]]), read.node);
                    if (from != read.format && !(shares && read_before(p, read))) total += index_->conversion(read.node, from, read.format);
                } else if (!shares && read_before(p, read)) {
                    // The whole reads it once, each part pays for itself.
                    double dearest = 0;
                    for (format_index from = 0; from < index_->of().formats; ++from)
                        dearest = std::max(dearest, index_->conversion(read.node, from, read.format));
                    total += dearest;
                }
            }
        }
        return total;
    }
    /// Whether one of the parts before p reads a tensor in the same format.
    [[nodiscard]] bool read_before(std::size_t p, const tensor_format& read) const {
        for (std::size_t q = 0; q < p; ++q) {
            const auto list = index_->reads(part_[q]);
            if (std::find(list.begin(), list.end(), read) != list.end()) return true;
        }
        return false;
    }

    /// Whether parts wait for one another in a ring: then not all of them can be taken away one by one, each after those that it reads
    /// from.
    [[nodiscard]] bool closes_cycle(std::size_t parts) const {
        std::uint32_t gone = 0;
        for (std::size_t round = 0; round < parts; ++round) {
            for (std::size_t p = 0; p < parts; ++p) {
                const auto list = index_->reads(part_[p]);
                const bool waits = std::any_of(list.begin(), list.end(), [&](const tensor_format& read) {
                    const std::size_t at = place_of(read.node);
                    return at < nodes_.size() && ((gone >> part_of_[at]) & 1u) == 0;
                });
                if (!waits) gone |= 1u << p;
            }
        }
        return gone != (1u << parts) - 1;
    }

    const problem_index* index_;
    std::vector<double> cost_;
    /// By node the candidates of which it is the first.
    rows<candidate_index> starting_;
    /// Of the candidate that is asked about.
    std::span<const node_id> nodes_;
    std::span<const tensor_format> reads_, gives_;
    double limit_ = 0;
    int steps_left_ = 0;
    candidate_index part_[most_nodes] = {};
    std::uint8_t part_of_[most_nodes] = {};
};

/// Of the admitted candidates those that are not dominated.
[[nodiscard]] inline std::vector<bool> without_dominated(const problem_index& index, const std::vector<bool>& admitted) {
    dominance is_dominated(index, admitted);
    std::vector<bool> left = admitted;
    for (std::size_t c = 0; c < admitted.size(); ++c)
        if (admitted[c] && is_dominated(static_cast<candidate_index>(c))) left[c] = false;
    return left;
}

}  // namespace inlay

#endif
