// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_EXACT_ROUNDING_HPP
#define INLAY_SEARCH_EXACT_ROUNDING_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/exact/dual_ascent.hpp>
#include <inlay/search/model/cost_network.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/model/rows.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// Draws covers from the prices of dual ascent: node by node the candidate that raises the bound the least, given those before; a format
/// that an earlier value has not made ready is added to it for its price. Refers to all that it is given, which must outlive it.
class cover_rounding {
public:
    /// `order` is that of the passes of dual ascent.
    cover_rounding(const problem_index& index, const cover_network& covers, std::span<const std::uint32_t> order)
        : index_(&index), covers_(&covers), order_(order) {
        pairs_of_ = detail::make_rows<std::uint32_t>(covers.m.variables(), [&](auto visit) {
            for (std::size_t e = 0; e < covers.m.pairs.size(); ++e) {
                visit(covers.m.pairs[e].a, static_cast<std::uint32_t>(e));
                visit(covers.m.pairs[e].b, static_cast<std::uint32_t>(e));
            }
        });
    }

    /// The candidates drawn from the prices of dual ascent, in the order of the passes or against it. They are disjoint; where nothing fits
    /// any more, they do not cover all.
    [[nodiscard]] std::vector<candidate_index> operator()(const dual_ascent& dual, bool forward) const {
        const cost_network& m = covers_->m;
        constexpr std::uint32_t open = 0xFFFF'FFFFu;
        const std::size_t nodes = covers_->nodes;
        std::vector<std::uint32_t> value(m.variables(), open);
        std::vector<candidate_index> chosen;
        const auto candidate_at = [&](std::size_t v, std::uint32_t x) { return covers_->meaning[v][x]; };
        const auto ready_at = [&](std::size_t v, std::uint32_t x) { return covers_->ready[v][x]; };
        const auto left = [&](std::uint32_t e, std::uint32_t i, std::uint32_t x, std::uint32_t y) {
            return m.pairs[e].a == i ? dual.left(e, x, y) : dual.left(e, y, x);
        };
        // The best value that variable i could be widened to so that pair e allows x at its other end, and what that adds.
        const auto widened = [&](std::uint32_t e, std::uint32_t other, std::uint32_t x, std::uint32_t i) {
            const std::uint32_t now = value[i];
            std::pair<fixed_cost, std::uint32_t> best{left(e, i, now, x), now};
            if (best.first < infinite_cost || i >= nodes || other >= nodes) return best;
            const candidate_index c = candidate_at(i, now);
            const std::uint32_t need = ready_at(i, now);
            const auto may = [&](std::uint32_t y) { return y < m.unary[i].size() && candidate_at(i, y) == c; };
            std::uint32_t y = now;
            while (y > 0 && may(y - 1)) --y;
            for (; may(y); ++y) {
                if ((ready_at(i, y) & need) != need || !dual.alive(i, y)) continue;
                const fixed_cost rest = left(e, i, y, x);
                const fixed_cost more = rest >= infinite_cost ? infinite_cost : rest + dual.slack(i, y) - dual.slack(i, now);
                if (more < best.first) best = {more, y};
            }
            return best;
        };
        const auto raise = [&](std::uint32_t i, std::uint32_t x) {
            fixed_cost sum = dual.slack(i, x);
            for (const std::uint32_t e : pairs_of_[i]) {
                const std::uint32_t other = m.pairs[e].a == i ? m.pairs[e].b : m.pairs[e].a;
                if (value[other] == open) continue;
                const fixed_cost more = widened(e, i, x, other).first;
                if (more >= infinite_cost) return infinite_cost;
                sum = add(sum, more);
            }
            return sum;
        };
        const auto settle = [&](std::uint32_t i, std::uint32_t x) {
            for (const std::uint32_t e : pairs_of_[i]) {
                const std::uint32_t other = m.pairs[e].a == i ? m.pairs[e].b : m.pairs[e].a;
                if (value[other] != open) value[other] = widened(e, i, x, other).second;
            }
            value[i] = x;
        };
        // The best value of node v that means candidate c.
        const auto best_of = [&](node_id v, candidate_index c) {
            std::pair<fixed_cost, std::uint32_t> best{infinite_cost, open};
            const auto [first, last] = covers_->values_of(v, c);
            for (std::uint32_t x = first; x < last; ++x) {
                if (!dual.alive(v, x)) continue;
                const fixed_cost sum = raise(v, x);
                if (sum < best.first) best = {sum, x};
            }
            return best;
        };
        std::vector<std::uint32_t> picked;
        std::vector<std::uint32_t> best_values;
        for (std::size_t step = 0; step < order_.size(); ++step) {
            const std::uint32_t i = order_[forward ? step : order_.size() - 1 - step];
            if (value[i] != open) continue;
            fixed_cost least = infinite_cost;
            if (i >= nodes) {
                for (std::uint32_t x = 0; x < m.unary[i].size(); ++x) {
                    const fixed_cost sum = dual.alive(i, x) ? raise(i, x) : infinite_cost;
                    if (sum < least) {
                        least = sum;
                        value[i] = x;
                    }
                }
                if (value[i] == open) return chosen;
                continue;
            }
            candidate_index best = no_candidate;
            candidate_index before = no_candidate;
            for (std::uint32_t k = 0; k < m.unary[i].size(); ++k) {
                const candidate_index c = candidate_at(i, k);
                if (c == before) continue;
                before = c;
                picked.clear();
                fixed_cost sum = 0;
                for (const node_id v : index_->members(c)) {
                    const auto [cost, x] = value[v] == open ? best_of(v, c) : std::pair<fixed_cost, std::uint32_t>{infinite_cost, open};
                    sum = add(sum, cost);
                    if (sum >= least) break;
                    picked.push_back(x);
                }
                if (sum >= least) continue;
                least = sum;
                best = c;
                best_values = picked;
            }
            if (best == no_candidate) return chosen;
            chosen.push_back(best);
            const auto members = index_->members(best);
            for (std::size_t k = 0; k < members.size(); ++k) settle(members[k], best_values[k]);
        }
        return chosen;
    }

private:
    const problem_index* index_;
    const cover_network* covers_;
    std::span<const std::uint32_t> order_;
    rows<std::uint32_t> pairs_of_;
};

}  // namespace inlay

#endif
