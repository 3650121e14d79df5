// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_TIGHTEN_BOUNDS_HPP
#define INLAY_SEARCH_CONSTRAINED_TIGHTEN_BOUNDS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// Drops candidates that break limits by themselves: together with the least that all other nodes come to. Every node has an equal share of
/// what its candidate comes to; conversions and shared items are not looked at, which only makes the sum smaller.
class limit_settler {
public:
    /// `index` must outlive this.
    explicit limit_settler(const problem_index& index) : index_(&index), least_share_(index.nodes(), 0), looked_at_(index.nodes(), 0) {}

    /// One quantity more, which must outlive this; they are numbered from 0.
    void add(const quantity& what) {
        limited made{&what, {}};
        for (std::size_t c = 0; c < what.of_candidate.size(); ++c)
            if (what.of_candidate[c] > 0) made.amounts.emplace_back(static_cast<candidate_index>(c), what.of_candidate[c]);
        limited_.push_back(std::move(made));
    }

    /// Drops what cannot be in a cover whose quantity q is at most `most(q)` (`impossible`: not limited), for every q; again until nothing
    /// is dropped, some rounds at most. False where no cover is left. What is dropped would be above by more than 1e-12 of all that was
    /// added up. Calls `broken(q)` for each candidate that q drops, and where q leaves none. O(rounds * amounts * candidates at a node).
    template <class Most, class Broken>
    [[nodiscard]] bool operator()(std::vector<std::uint8_t>& alive, const Most& most, const Broken& broken) {
        constexpr int most_rounds = 8;
        constexpr double rounding = 1e-12;
        bool changed = true;
        for (int round = 0; changed && round < most_rounds; ++round) {
            changed = false;
            for (std::size_t q = 0; q < limited_.size(); ++q) {
                const double top = most(q);
                if (!(top < impossible)) continue;
                const double least = share_out(limited_[q], alive);
                if (least > top + rounding * least) {
                    broken(q);
                    return false;
                }
                for (const auto& [c, amount] : limited_[q].amounts) {
                    if (alive[c] == 0) continue;
                    double with = least + amount;
                    for (const node_id v : index_->members(c)) with -= least_share_[v];
                    if (with <= top + rounding * (least + amount)) continue;
                    alive[c] = 0;
                    changed = true;
                    broken(q);
                }
            }
        }
        return true;
    }

private:
    /// A quantity by its candidates, without those of which it says nothing.
    struct limited {
        const quantity* what;
        std::vector<std::pair<candidate_index, double>> amounts;
    };

    /// The least share of each node that the quantity's candidates cover, and the sum of these with what is always there.
    [[nodiscard]] double share_out(const limited& one, const std::vector<std::uint8_t>& alive) {
        ++round_;
        double least = one.what->always;
        const std::vector<double>& amounts = one.what->of_candidate;
        for (const auto& [c, amount] : one.amounts) {
            if (alive[c] == 0) continue;
            for (const node_id v : index_->members(c)) {
                if (looked_at_[v] == round_) continue;
                looked_at_[v] = round_;
                double share = impossible;
                for (const candidate_index other : index_->covering(v))
                    if (alive[other] != 0) share = std::min(share, amounts[other] / static_cast<double>(index_->members(other).size()));
                least_share_[v] = share;
                least += share;
            }
        }
        return least;
    }

    const problem_index* index_;
    std::vector<limited> limited_;
    /// Per node its least share of a quantity, and when that was looked at.
    std::vector<double> least_share_;
    std::vector<std::uint64_t> looked_at_;
    std::uint64_t round_ = 0;
};

}  // namespace inlay

#endif
