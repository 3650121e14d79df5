// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_ROUNDED_COSTS_HPP
#define INLAY_SEARCH_PROOF_ROUNDED_COSTS_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/search/proof/proof_tables.hpp>

namespace inlay {

/// Costs and conversions of a problem in a certificate's whole units, rounded down. None is negative: what reaches the bound that is to be
/// proved is in no cover below it. Shares nothing with the search.
class rounded_costs {
public:
    using price = std::int64_t;
    /// The price of what is in no cover below the bound.
    static constexpr price infinite_cost = price{1} << 61;
    /// Prices in a certificate are below this, either sign.
    static constexpr price largest = price{1} << 59;

    /// Of a bound that fits.
    rounded_costs(const proof_tables& tables, int exponent, double bound)
        : formats_(tables.of().formats), scale_(std::ldexp(1.0, exponent)), target_(static_cast<price>(std::ceil(bound * scale_))) {
        const problem& p = tables.of();
        const auto add_table = [&](const std::vector<double>& table) {
            const std::size_t first = conversions_.size();
            for (const double amount : table) conversions_.push_back(of(amount));
            for (std::size_t f = 0; f < formats_; ++f) conversions_[first + f * formats_ + f] = 0;
        };
        add_table(p.conversions);
        table_.assign(p.nodes, 0);
        for (const node_conversions& own : p.conversions_of) {
            table_[own.node] = conversions_.size();
            add_table(own.prices);
        }
    }

    /// Whether a bound can be told in units of 2^-exponent at all.
    [[nodiscard]] static bool fits(int exponent, double bound) {
        if (!(exponent > -1000 && exponent < 1000 && bound >= 0)) return false;
        const double in_units = std::ldexp(bound, exponent);
        // A bound that is nothing in these units would make everything dearer than it.
        return in_units < static_cast<double>(largest) && (bound == 0 || in_units > 0);
    }
    /// The bound, rounded up.
    [[nodiscard]] price target() const { return target_; }
    /// What a cost is in units; `infinite_cost` if it reaches the bound.
    [[nodiscard]] price of(double amount) const {
        const double in_units = amount * scale_;
        const price rounded = in_units < static_cast<double>(largest) ? static_cast<price>(in_units) : infinite_cost;
        return rounded >= target_ ? infinite_cost : rounded;
    }
    /// Where the conversions of a tensor in a format begin, and what one of them takes: nothing where nothing is wanted.
    [[nodiscard]] std::size_t row_of(const proof_tables::given_format& given) const {
        return table_[given.node] + std::size_t{given.format} * formats_;
    }
    [[nodiscard]] price takes(std::size_t row, std::uint32_t format) const {
        return format == proof_tables::read_before ? 0 : conversions_[row + format];
    }

private:
    std::size_t formats_;
    double scale_;
    price target_;
    /// All tables of conversions, and by node where its own begins.
    std::vector<price> conversions_;
    std::vector<std::size_t> table_;
};

}  // namespace inlay

#endif
