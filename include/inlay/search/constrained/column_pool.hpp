// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_COLUMN_POOL_HPP
#define INLAY_SEARCH_CONSTRAINED_COLUMN_POOL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/check.hpp>
#include <inlay/search/constrained/constraints.hpp>
#include <inlay/search/constrained/lagrangian_costs.hpp>
#include <inlay/search/constrained/limit.hpp>
#include <inlay/search/constrained/limited_task.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/constrained/restricted_master.hpp>
#include <inlay/search/cover.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

namespace detail {

/// The covers that came up in a search within limits: what each comes to, row by row, in scaled units, powers of two near what covers come
/// to; which of them is the best; and the cheapest mix of them, with the weights by which it charges for rows. A row is a quantity that has
/// a limit, or one of those of which the largest counts. `lagrangian_branch_and_bound` goes by it.
class column_pool {
public:
    /// The task speaks of places in `quantities`. All must outlive this.
    column_pool(const problem_index& index, std::span<const quantity* const> quantities, const limited_task& task)
        : index_(&index), task_(&task), prices_(index) {
        for (std::size_t i = 0; i < task.limited.size(); ++i) add_row({quantities[task.limited[i]], task.most[i], true});
        for (const std::size_t q : task.largest) add_row({quantities[q], 0, false});
    }

    /// A cover, its value by the aim, and what it comes to.
    struct found_cover {
        std::vector<candidate_index> chosen;
        double value = 0;
        /// Per row.
        std::vector<double> amounts;
    };
    /// A quantity that has a limit, or is one of those of which the largest counts.
    struct row {
        const quantity* what;
        double most;
        bool is_limit;
        double scale = 1;
    };
    /// Rows and their weights.
    using row_weights = std::vector<std::pair<std::size_t, double>>;
    /// A constraint that joins nodes which a cover does not keep to; two of its nodes that do not keep to it, and the back end of the
    /// second.
    struct broken_join {
        const constraint* rule;
        node_id first, second;
        backend_id backend;
    };

    /// The task's limits, then those of which the largest counts.
    [[nodiscard]] const std::vector<row>& rows() const { return rows_; }
    /// The unit of values; 1 until units are chosen.
    [[nodiscard]] double value_scale() const { return value_scale_; }

    /// Chooses the units of rows and values by a cover: the first that is known.
    void choose_scales(const std::vector<candidate_index>& chosen) {
        const cover_parts parts(*index_, chosen);
        if (task_->aim == search_aim::cost) value_scale_ = power_near(cover_cost(*index_, chosen).value_or(0));
        double largest = 0;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const double amount = prices_.of(r).amount(parts);
            if (is_limit(r))
                rows_[r].scale = power_near(rows_[r].most > 0 ? rows_[r].most : amount);
            else
                largest = std::max(largest, amount);
        }
        if (task_->aim != search_aim::largest) return;
        value_scale_ = power_near(largest);
        for (row& one : rows_)
            if (!one.is_limit) one.scale = value_scale_;
    }

    /// Notes a cover, and which is the best that keeps everything: its place, and whether it was not known before.
    [[nodiscard]] std::pair<std::size_t, bool> add(std::vector<candidate_index> chosen) {
        const auto [at, is_new] = known_.try_emplace(chosen, covers_.size());
        if (!is_new) return {at->second, false};
        found_cover made;
        const cover_parts parts(*index_, chosen);
        bool keeps = true;
        double largest = 0;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const double amount = prices_.of(r).amount(parts);
            if (is_limit(r))
                keeps = keeps && keeps_limit(amount, rows_[r].most);
            else
                largest = std::max(largest, amount);
            made.amounts.push_back(amount / rows_[r].scale);
        }
        double value = 0;
        if (task_->aim == search_aim::cost) value = cover_cost(*index_, chosen).value_or(impossible);
        made.value = value / value_scale_;
        if (task_->aim == search_aim::largest) value = largest;
        if (keeps && (!best_ || value < own_value_) && !first_broken(chosen)) {
            best_ = covers_.size();
            own_value_ = value;
            best_value_ = value / value_scale_;
        }
        made.chosen = std::move(chosen);
        covers_.push_back(std::move(made));
        return {covers_.size() - 1, true};
    }

    [[nodiscard]] const std::vector<found_cover>& covers() const { return covers_; }
    /// The place of the best cover that keeps everything.
    [[nodiscard]] const std::optional<std::size_t>& best() const { return best_; }
    /// Its value by the aim: in the problem's own unit, and scaled.
    [[nodiscard]] double best_own_value() const { return own_value_; }
    [[nodiscard]] double best_value() const { return best_value_; }

    /// Whether nothing that comes to no less than a bound is better than the best cover.
    [[nodiscard]] bool closes(double bound) const {
        return best_ && bound >= best_value_ - (rows_.empty() ? 0 : limit_slack * best_value_);
    }

    /// Begins anew: only rows that have a weight are looked at.
    void look_at(const row_weights& weights) {
        active_.clear();
        for (const auto& [r, weight] : weights) active_.insert(r);
    }

    /// Rows that a cover breaks, or the largest, are looked at from now on.
    void note_broken(std::size_t cover) {
        const std::vector<double>& amounts = covers_[cover].amounts;
        std::size_t worst = rows_.size();
        double by = 0;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const double over = is_limit(r) ? amounts[r] - most(r) : 0;
            if (over <= by) continue;
            by = over;
            worst = r;
        }
        if (worst < rows_.size()) active_.insert(worst);
        if (task_->aim != search_aim::largest) return;
        worst = task_->limited.size();
        for (std::size_t r = worst; r < rows_.size(); ++r)
            if (amounts[r] > amounts[worst]) worst = r;
        active_.insert(worst);
    }

    /// The covers within a domain; of very many those that are the cheapest at some multipliers.
    [[nodiscard]] std::vector<std::size_t> columns_of(const std::vector<std::uint8_t>& alive, const row_weights& weights) const {
        std::vector<std::size_t> columns;
        for (std::size_t i = 0; i < covers_.size(); ++i)
            if (std::all_of(covers_[i].chosen.begin(), covers_[i].chosen.end(), [&](candidate_index c) { return alive[c] != 0; }))
                columns.push_back(i);
        if (columns.size() <= most_columns) return columns;
        std::vector<std::pair<double, std::size_t>> order;
        for (const std::size_t i : columns) {
            double price = covers_[i].value;
            for (const auto& [r, weight] : weights) price += weight * covers_[i].amounts[r];
            order.emplace_back(price, i);
        }
        // The latest always stay: they are why the mix is asked for.
        constexpr std::size_t latest = 20;
        std::sort(order.begin(), order.end() - latest);
        columns.clear();
        for (std::size_t k = 0; k < most_columns; ++k)
            columns.push_back(order[k < most_columns - latest ? k : order.size() - (most_columns - k)].second);
        return columns;
    }

    /// The cheapest mix of columns; rows that it breaks are added until it keeps all.
    [[nodiscard]] restricted_master mixed(const std::vector<std::size_t>& columns) {
        for (;;) {
            std::vector<double> values, amounts, limits;
            std::size_t count = 0;
            for (const std::size_t i : columns) values.push_back(covers_[i].value);
            const std::vector<std::size_t> rows(active_.begin(), active_.end());
            for (const std::size_t r : rows) {
                for (const std::size_t i : columns) amounts.push_back(covers_[i].amounts[r]);
                limits.push_back(is_limit(r) ? most(r) : 0);
                count += is_limit(r) ? 1 : 0;
            }
            restricted_master made = cheapest_mix(values, amounts, limits, count);
            std::vector<double> multipliers(rows_.size(), 0);
            for (std::size_t k = 0; k < rows.size(); ++k) multipliers[rows[k]] = made.multipliers[k];
            made.multipliers = std::move(multipliers);
            if (!made.keeps_limits || active_.size() == rows_.size()) return made;
            double largest = 0, by = 1e-10;
            std::vector<double> average(rows_.size(), 0);
            for (std::size_t k = 0; k < columns.size(); ++k) {
                if (made.shares[k] == 0) continue;
                for (std::size_t r = 0; r < rows_.size(); ++r) average[r] += made.shares[k] * covers_[columns[k]].amounts[r];
            }
            for (const std::size_t r : rows)
                if (!is_limit(r)) largest = std::max(largest, average[r]);
            std::size_t worst = rows_.size();
            for (std::size_t r = 0; r < rows_.size(); ++r) {
                const double over = average[r] - (is_limit(r) ? most(r) : largest);
                if (over <= by || active_.count(r) != 0) continue;
                by = over;
                worst = r;
            }
            if (worst == rows_.size()) return made;
            active_.insert(worst);
        }
    }

    /// The multipliers of a mix, half way back to the best so far where these are given.
    [[nodiscard]] row_weights next_weights(const restricted_master& mix, const row_weights& best) const {
        std::vector<double> of(rows_.size(), 0);
        double largest = 0;
        // A single multiplier is found the quickest where two covers tie.
        const bool between = !best.empty() && active_.size() > 2;
        for (std::size_t r = 0; r < rows_.size(); ++r) of[r] = mix.multipliers[r] * (between ? 0.5 : 1);
        if (between)
            for (const auto& [r, weight] : best) of[r] += 0.5 * weight;
        for (const double weight : of)
            if (std::isfinite(weight)) largest = std::max(largest, weight);
        row_weights made;
        double simplex = 0;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            if (!(of[r] > 1e-12 * largest) || (!mix.keeps_limits && !is_limit(r))) continue;
            // Near the ends of the range of double a weight may leave it: times an amount of 0 it would be no number.
            if (!(of[r] / rows_[r].scale < largest_total)) continue;
            made.emplace_back(r, of[r]);
            if (!is_limit(r)) simplex += of[r];
        }
        // The largest counts once: its rows' weights may add up to no more than 1.
        if (mix.keeps_limits && simplex > 0)
            for (auto& [r, weight] : made)
                if (!is_limit(r)) weight = weight / simplex * (1 - 1e-15);
        if (!mix.keeps_limits && largest > 0)
            for (auto& [r, weight] : made) weight /= largest;
        return made;
    }

    /// The problem of the combined price: the value by so much, and rows by their weights.
    [[nodiscard]] problem combine(double of_value, const row_weights& weights) const {
        std::vector<quantity_weight> of;
        for (const auto& [r, weight] : weights) of.push_back({r, weight / rows_[r].scale});
        return prices_(task_->aim == search_aim::cost ? of_value / value_scale_ : 0, of);
    }

    /// What is to be added to the combined price: what is always there, less the limits.
    [[nodiscard]] double weigh(const row_weights& weights) const {
        double sum = 0;
        for (const auto& [r, weight] : weights) sum += weight * (always(r) / rows_[r].scale - (is_limit(r) ? most(r) : 0));
        return sum;
    }

    /// The first of the constraints that join nodes which a cover does not keep to.
    [[nodiscard]] std::optional<broken_join> first_broken(const std::vector<candidate_index>& chosen) const {
        if (task_->joins.empty()) return std::nullopt;
        const std::vector<candidate_index> owner = owners(*index_, chosen);
        for (const constraint* one : task_->joins) {
            const auto backend = [&](node_id v) { return index_->of().candidates[owner[v]].backend; };
            for (std::size_t a = 0; a < one->nodes.size(); ++a)
                for (std::size_t b = 0; b < a; ++b) {
                    const bool same = backend(one->nodes[a]) == backend(one->nodes[b]);
                    if (same == (one->rule == constraint_rule::separate))
                        return broken_join{one, one->nodes[b], one->nodes[a], backend(one->nodes[a])};
                }
        }
        return std::nullopt;
    }

private:
    static constexpr std::size_t most_columns = 200;

    void add_row(const row& one) {
        rows_.push_back(one);
        prices_.add(*one.what);
    }

    [[nodiscard]] double always(std::size_t r) const { return rows_[r].what->always; }
    [[nodiscard]] bool is_limit(std::size_t r) const { return rows_[r].is_limit; }
    [[nodiscard]] double most(std::size_t r) const { return rows_[r].most * (1 + limit_slack) / rows_[r].scale; }

    /// A power of two near a number, 1 for 0.
    [[nodiscard]] static double power_near(double x) {
        if (!(x > 0)) return 1;
        int bits = 0;
        std::frexp(x, &bits);
        return std::ldexp(1.0, std::clamp(bits, -1000, 1000));
    }

    const problem_index* index_;
    const limited_task* task_;
    lagrangian_costs prices_;
    std::vector<row> rows_;
    double value_scale_ = 1;
    /// Rows that are looked at.
    std::set<std::size_t> active_;
    std::vector<found_cover> covers_;
    std::map<std::vector<candidate_index>, std::size_t> known_;
    std::optional<std::size_t> best_;
    double best_value_ = 0, own_value_ = 0;
};

}  // namespace detail

}  // namespace inlay

#endif
