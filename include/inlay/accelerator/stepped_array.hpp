// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_STEPPED_ARRAY_HPP
#define INLAY_ACCELERATOR_STEPPED_ARRAY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/accelerator/systolic_array.hpp>

namespace inlay {

/// An array cycle by cycle: every register of every processing element, as hardware has them. Slow; what `fold_cycles` and functional
/// models are held against. `Element` is what moves, `Sum` what is added up.
template <class Element, class Sum>
class stepped_array {
public:
    explicit stepped_array(const systolic_array& a)
        : array_(a), moving_(size()), sums_(size()), held_(size()), next_moving_(size()), next_sums_(size()) {}

    /// One fold of a product: adds to `y`, m rows of n, what it computes of `x`, m rows of k, and `w`, k rows of n. Row-major; the fold
    /// begins at row `m0` of x, at `k0` and at column `n0`, and has the extents that its dataflow maps to it. Gives the cycles.
    std::int64_t run(const product_extents& p, const Element* x, const Element* w, Sum* y, const array_fold& f, std::int64_t m0,
                     std::int64_t k0, std::int64_t n0) {
        cycles_ = 0;
        std::fill(moving_.begin(), moving_.end(), Element{});
        std::fill(sums_.begin(), sums_.end(), Sum{});
        if (array_.flow == array_flow::output_stationary)
            output_stays(p, x, w, y, f, m0, k0, n0);
        else
            operand_stays(p, x, w, y, f, m0, k0, n0);
        return cycles_;
    }

    /// A whole product, fold after fold. `y` is what it is added to.
    std::int64_t run(const product_extents& p, const Element* x, const Element* w, Sum* y) {
        const array_fold whole = mapped(array_.flow, p);
        std::int64_t cycles = 0;
        if (p.macs() == 0) return 0;
        for (std::int64_t r = 0; r < whole.rows; r += array_.rows)
            for (std::int64_t c = 0; c < whole.columns; c += array_.columns) {
                const array_fold f{std::min(array_.rows, whole.rows - r), std::min(array_.columns, whole.columns - c), whole.streamed};
                switch (array_.flow) {
                    case array_flow::weight_stationary:
                        cycles += run(p, x, w, y, f, 0, r, c);
                        break;
                    case array_flow::output_stationary:
                        cycles += run(p, x, w, y, f, r, 0, c);
                        break;
                    case array_flow::input_stationary:
                        cycles += run(p, x, w, y, f, c, r, 0);
                }
            }
        return cycles;
    }

private:
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(array_.size()); }
    [[nodiscard]] std::size_t at(std::int64_t row, std::int64_t column) const {
        return static_cast<std::size_t>(row * array_.columns + column);
    }

    /// Weights or inputs stay; the other operand streams to the right and sums go down.
    void operand_stays(const product_extents& p, const Element* x, const Element* w, Sum* y, const array_fold& f, std::int64_t m0,
                       std::int64_t k0, std::int64_t n0) {
        const bool weights_stay = array_.flow == array_flow::weight_stationary;
        const auto stays = [&](std::int64_t k, std::int64_t c) {
            return weights_stay ? w[(k0 + k) * p.n + n0 + c] : x[(m0 + c) * p.k + k0 + k];
        };
        const auto streams = [&](std::int64_t t, std::int64_t k) {
            return weights_stay ? x[(m0 + t) * p.k + k0 + k] : w[(k0 + k) * p.n + n0 + t];
        };
        // The last row that is used enters first, at the top, and is shifted down.
        for (std::int64_t k = f.rows; k-- > 0; ++cycles_) {
            for (std::int64_t r = f.rows; r-- > 1;)
                for (std::int64_t c = 0; c < f.columns; ++c) held_[at(r, c)] = held_[at(r - 1, c)];
            for (std::int64_t c = 0; c < f.columns; ++c) held_[at(0, c)] = stays(k, c);
        }
        std::int64_t left = f.streamed * f.columns;
        for (std::int64_t cycle = 0; left > 0; ++cycle, ++cycles_) {
            for (std::int64_t r = 0; r < array_.rows; ++r)
                for (std::int64_t c = 0; c < array_.columns; ++c) {
                    const std::int64_t t = cycle - r;
                    const bool enters = r < f.rows && t >= 0 && t < f.streamed;
                    const Element in = c > 0 ? moving_[at(r, c - 1)] : enters ? streams(t, r) : Element{};
                    const Sum above = r > 0 ? sums_[at(r - 1, c)] : Sum{};
                    next_moving_[at(r, c)] = in;
                    next_sums_[at(r, c)] = above + static_cast<Sum>(in) * static_cast<Sum>(held_[at(r, c)]);
                }
            std::swap(moving_, next_moving_);
            std::swap(sums_, next_sums_);
            // A sum leaves the last row of the array at the end of the cycle in which it was made there.
            for (std::int64_t c = 0; c < f.columns; ++c) {
                const std::int64_t t = cycle - (array_.rows - 1) - c;
                if (t < 0 || t >= f.streamed) continue;
                y[weights_stay ? (m0 + t) * p.n + n0 + c : (m0 + c) * p.n + n0 + t] += sums_[at(array_.rows - 1, c)];
                --left;
            }
        }
    }

    /// Sums stay; inputs go to the right and weights down, then sums are shifted out below.
    void output_stays(const product_extents& p, const Element* x, const Element* w, Sum* y, const array_fold& f, std::int64_t m0,
                      std::int64_t k0, std::int64_t n0) {
        std::vector<Element> falling(size()), next_falling(size());
        for (std::int64_t cycle = 0; cycle < f.streamed + f.rows + f.columns - 2; ++cycle, ++cycles_) {
            for (std::int64_t r = 0; r < array_.rows; ++r)
                for (std::int64_t c = 0; c < array_.columns; ++c) {
                    const std::int64_t from_left = cycle - r, from_above = cycle - c;
                    const bool x_enters = r < f.rows && from_left >= 0 && from_left < f.streamed;
                    const bool w_enters = c < f.columns && from_above >= 0 && from_above < f.streamed;
                    const Element a = c > 0 ? moving_[at(r, c - 1)] : x_enters ? x[(m0 + r) * p.k + k0 + from_left] : Element{};
                    const Element b = r > 0 ? falling[at(r - 1, c)] : w_enters ? w[(k0 + from_above) * p.n + n0 + c] : Element{};
                    next_moving_[at(r, c)] = a;
                    next_falling[at(r, c)] = b;
                    sums_[at(r, c)] += static_cast<Sum>(a) * static_cast<Sum>(b);
                }
            std::swap(moving_, next_moving_);
            std::swap(falling, next_falling);
        }
        for (std::int64_t shift = 0; shift < array_.rows; ++shift, ++cycles_) {
            const std::int64_t row = array_.rows - 1 - shift;
            for (std::int64_t c = 0; c < f.columns && row < f.rows; ++c) y[(m0 + row) * p.n + n0 + c] += sums_[at(array_.rows - 1, c)];
            for (std::int64_t r = array_.rows; r-- > 1;)
                for (std::int64_t c = 0; c < array_.columns; ++c) sums_[at(r, c)] = sums_[at(r - 1, c)];
        }
    }

    systolic_array array_;
    std::int64_t cycles_ = 0;
    std::vector<Element> moving_;
    std::vector<Sum> sums_;
    std::vector<Element> held_, next_moving_;
    std::vector<Sum> next_sums_;
};

}  // namespace inlay

#endif
