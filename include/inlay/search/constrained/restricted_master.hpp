// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_RESTRICTED_MASTER_HPP
#define INLAY_SEARCH_CONSTRAINED_RESTRICTED_MASTER_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace inlay {

/// Shares of known covers that keep limits on average, as cheap as that goes, and what the limits are worth to them.
struct restricted_master {
    /// Whether any mix keeps the limits. Where none does, `shares` add up to less than 1 and the multipliers say why: with them every cover
    /// comes to more than the limits do.
    bool keeps_limits = false;
    /// What the mix costs, and the largest average in it.
    double value = 0;
    /// Per cover, at least 0.
    std::vector<double> shares;
    /// Per row, at least 0: what one unit more would save.
    std::vector<double> multipliers;
};

namespace detail {

/// The simplex method on a full tableau, for a few rows and some hundred columns. Ties fall to the lowest index, so that it is the same
/// everywhere; after many steps it goes by Bland's rule, which cannot cycle.
class mix_tableau {
public:
    mix_tableau(std::span<const double> values, std::span<const double> amounts, std::span<const double> most, std::size_t limits)
        : covers_(values.size()),
          rows_(most.size()),
          width_(covers_ + 1 + rows_ + 1 + 1),
          cells_((rows_ + 1) * width_, 0.0),
          basis_(rows_ + 1) {
        for (std::size_t r = 0; r < rows_; ++r) {
            for (std::size_t i = 0; i < covers_; ++i) at(r, i) = amounts[r * covers_ + i];
            if (r >= limits) at(r, covers_) = -1;
            at(r, slack(r)) = 1;
            at(r, width_ - 1) = r < limits ? most[r] : 0;
            basis_[r] = slack(r);
        }
        for (std::size_t i = 0; i < covers_; ++i) at(rows_, i) = 1;
        at(rows_, open_share()) = 1;
        at(rows_, width_ - 1) = 1;
        basis_[rows_] = open_share();
    }

    [[nodiscard]] restricted_master solve(std::span<const double> values, bool has_largest) {
        // First all shares are to be given away, then cheaply.
        price_.assign(width_, 0);
        price_[open_share()] = 1;
        reduce();
        pivot_while_better();
        restricted_master made;
        made.keeps_limits = -price_.back() <= tolerance * 10;
        if (made.keeps_limits) {
            drive_out();
            price_.assign(width_, 0);
            std::copy(values.begin(), values.end(), price_.begin());
            if (has_largest) price_[covers_] = 1;
            reduce();
            pivot_while_better();
            made.value = -price_.back();
        }
        made.shares.assign(covers_, 0);
        for (std::size_t r = 0; r <= rows_; ++r)
            if (basis_[r] < covers_) made.shares[basis_[r]] = std::max(0.0, at(r, width_ - 1));
        for (std::size_t r = 0; r < rows_; ++r) made.multipliers.push_back(std::max(0.0, price_[slack(r)]));
        return made;
    }

private:
    static constexpr double tolerance = 1e-11;

    [[nodiscard]] double& at(std::size_t r, std::size_t c) { return cells_[r * width_ + c]; }
    [[nodiscard]] std::size_t slack(std::size_t r) const { return covers_ + 1 + r; }
    /// The column of the shares that are not given away yet.
    [[nodiscard]] std::size_t open_share() const { return covers_ + 1 + rows_; }

    /// Takes the prices of what is in the basis off the others.
    void reduce() {
        for (std::size_t r = 0; r <= rows_; ++r) {
            const double factor = price_[basis_[r]];
            if (factor == 0) continue;
            for (std::size_t c = 0; c < width_; ++c) price_[c] -= factor * at(r, c);
        }
    }

    void pivot(std::size_t row, std::size_t column) {
        const double by = at(row, column);
        for (std::size_t c = 0; c < width_; ++c) at(row, c) /= by;
        at(row, column) = 1;
        for (std::size_t r = 0; r <= rows_; ++r) {
            const double factor = at(r, column);
            if (r == row || factor == 0) continue;
            for (std::size_t c = 0; c < width_; ++c) at(r, c) -= factor * at(row, c);
            at(r, column) = 0;
        }
        if (const double factor = price_[column]; factor != 0) {
            for (std::size_t c = 0; c < width_; ++c) price_[c] -= factor * at(row, c);
            price_[column] = 0;
        }
        basis_[row] = column;
    }

    void pivot_while_better() {
        const std::size_t patience = 10 * (rows_ + 1) + covers_, most = 20 * patience + 1000;
        for (std::size_t step = 0; step < most; ++step) {
            std::size_t entering = width_;
            for (std::size_t c = 0; c + 1 < width_; ++c) {
                if (c == open_share() || price_[c] >= -tolerance) continue;
                if (entering == width_ || (step < patience && price_[c] < price_[entering])) entering = c;
            }
            if (entering == width_) return;
            std::size_t leaving = rows_ + 1;
            double least = 0;
            for (std::size_t r = 0; r <= rows_; ++r) {
                if (at(r, entering) <= tolerance) continue;
                const double ratio = std::max(0.0, at(r, width_ - 1)) / at(r, entering);
                if (leaving > rows_ || ratio < least || (ratio == least && basis_[r] < basis_[leaving])) {
                    leaving = r;
                    least = ratio;
                }
            }
            if (leaving > rows_) return;
            pivot(leaving, entering);
        }
    }

    void drive_out() {
        for (std::size_t r = 0; r <= rows_; ++r) {
            if (basis_[r] != open_share()) continue;
            std::size_t best = 0;
            for (std::size_t c = 0; c < open_share(); ++c)
                if (std::abs(at(r, c)) > std::abs(at(r, best))) best = c;
            if (std::abs(at(r, best)) > tolerance) pivot(r, best);
        }
    }

    std::size_t covers_, rows_, width_;
    std::vector<double> cells_;
    std::vector<std::size_t> basis_;
    std::vector<double> price_;
};

}  // namespace detail

/// The cheapest mix of covers, a small linear program. Cover i costs `values[i]`, and `amounts[r * values.size() + i]` in row r, all finite
/// and at least 0. On average the mix stays at or under `most[r]` in the first `limits` rows; what it comes to at the most in the others is
/// added to its value. Amounts and values are best near 1. At least one cover. The shares are as good as doubles make them: what hangs on
/// them is to be checked.
[[nodiscard]] inline restricted_master cheapest_mix(std::span<const double> values, std::span<const double> amounts,
                                                    std::span<const double> most, std::size_t limits) {
    return detail::mix_tableau(values, amounts, most, limits).solve(values, limits < most.size());
}

}  // namespace inlay

#endif
