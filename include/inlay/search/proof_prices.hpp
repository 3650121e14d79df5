// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_PRICES_HPP
#define INLAY_SEARCH_PROOF_PRICES_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/certificate.hpp>
#include <inlay/search/proof_tables.hpp>

namespace inlay {

/// Adds the prices of a certificate up: what they prove about covers of the candidates that are left. Shares nothing with the search.
///
/// For every cover, cost = sum over nodes of their price + sum over its candidates of their slack + sum over tensors of what their
/// conversions cost above the least that the giver was charged; the last two sums have no negative term but for what `apply` takes off.
class proof_prices {
public:
    using price = std::int64_t;
    /// The price of what is in no cover below the bound.
    static constexpr price never = price{1} << 61;
    /// Prices in a certificate are below this, either sign.
    static constexpr price largest = price{1} << 59;

    proof_prices(const proof_tables& tables, int exponent, double bound)
        : tables_(&tables), scale_(std::ldexp(1.0, exponent)), target_(static_cast<price>(std::ceil(bound * scale_))), slack_(tables.of().candidates.size()), least_(tables.of().nodes) {
        cost_.reserve(slack_.size());
        for (const problem_candidate& c : tables.of().candidates) cost_.push_back(within(units(c.cost)));
    }

    /// Whether the bound can be told in these units at all.
    [[nodiscard]] static bool fits(int exponent, double bound) {
        if (!(exponent > -1000 && exponent < 1000 && bound >= 0)) return false;
        const double in_units = std::ldexp(bound, exponent);
        // A bound that is nothing in these units would make everything dearer than it.
        return in_units < static_cast<double>(largest) && (bound == 0 || in_units > 0);
    }
    /// Whether a sheet has a price for everything, none too large to be added up.
    [[nodiscard]] bool reads(const certificate_prices& sheet) const {
        const auto small = [](price p) { return p > -largest && p < largest; };
        return sheet.of_node.size() == tables_->of().nodes && sheet.of_reader.size() == tables_->slots() &&
               std::all_of(sheet.of_node.begin(), sheet.of_node.end(), small) && std::all_of(sheet.of_reader.begin(), sheet.of_reader.end(), small);
    }

    /// What no cover of the candidates that are alive costs less than; `never` if there is none. Those are dropped that no cover
    /// below the target has. O(size of the problem) but for tensors with several readers and formats. The sheet must outlive what is asked
    /// after it.
    price apply(const certificate_prices& sheet, std::vector<std::uint8_t>& alive) {
        sheet_ = &sheet;
        const std::size_t count = slack_.size();
        wanted_.assign(tables_->slots(), 0);
        for (std::size_t i = 0; i < count; ++i)
            if (alive[i] != 0)
                for (const std::uint32_t slot : tables_->reads(static_cast<candidate_index>(i))) wanted_[slot] = 1;
        full_known_.assign(tables_->given_count(), 0);
        full_.resize(tables_->given_count());
        std::fill(least_.begin(), least_.end(), never);
        for (std::size_t i = 0; i < count; ++i) {
            if (alive[i] == 0) continue;
            const auto c = static_cast<candidate_index>(i);
            slack_[i] = charged(c);
            if (slack_[i] >= never) {
                alive[i] = 0;
                continue;
            }
            const auto members = tables_->members(c);
            least_[members[0]] = std::min(least_[members[0]], slack_[i]);
            for (std::size_t m = 1; m < members.size(); ++m) least_[members[m]] = std::min(least_[members[m]], price{0});
        }
        bound_ = 0;
        for (std::size_t v = 0; v < least_.size(); ++v) {
            if (least_[v] >= never) return bound_ = never;
            bound_ = plus(bound_, plus(sheet.of_node[v], least_[v]));
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (alive[i] == 0) continue;
            for (const node_id v : tables_->members(static_cast<candidate_index>(i))) slack_[i] = plus(slack_[i], -least_[v]);
            if (plus(bound_, slack_[i]) >= target_) alive[i] = 0;
        }
        return bound_;
    }

    /// The bound that is to be proved, and the one that the last sheet gave.
    [[nodiscard]] price target() const { return target_; }
    [[nodiscard]] price bound() const { return bound_; }
    /// How much a cover with a candidate that is alive costs above the last bound, at least.
    [[nodiscard]] price slack(candidate_index c) const { return slack_[c]; }
    /// Whether a sum has left the range in which sums are exact, or there was too much to be added up: then nothing is proved.
    [[nodiscard]] bool too_large() const { return too_large_; }

    /// The price of a conversion, rounded down to units; `never` if no cover below the target has it.
    [[nodiscard]] price conversion(node_id u, format_index from, format_index to) const {
        return from == to ? 0 : within(units(tables_->conversion(u, from, to)));
    }

    /// For a tensor, the format in which candidate `giver` gives it, and what its readers from node `first` on may still want, given which
    /// formats earlier ones want (a bit each, of shared conversions): the least that its conversions cost, less what the readers
    /// to come are charged. `never` if they cannot be served.
    [[nodiscard]] price rest_of(const proof_tables::given_format& at, candidate_index giver, bool all_outside, node_id first, std::uint64_t wanted_before) {
        readers_.clear();
        for (const std::uint32_t edge : tables_->out_of(at.node)) {
            const node_id reader = tables_->of().edges[edge].to;
            if (reader >= first && (all_outside || !tables_->covers(giver, reader))) readers_.push_back(edge);
        }
        if (!tables_->of().share_conversions || (readers_.size() == 1 && wanted_before == 0)) {
            price sum = 0;
            for (const std::uint32_t edge : readers_) sum = plus(sum, cheapest(at, edge));
            return sum;
        }
        return shared(at, wanted_before);
    }

    /// What one edge's reader, wanting what slot says, pays above the least that was counted for it where it pays alone.
    [[nodiscard]] price above(const proof_tables::given_format& at, std::uint32_t edge, std::uint32_t slot) {
        const price here = served(at, slot);
        return here >= never ? never : here - cheapest(at, edge);
    }
    [[nodiscard]] price reader_price(std::uint32_t slot) const { return sheet_->of_reader[slot]; }

    /// The sum, `never` if either is.
    [[nodiscard]] price plus(price a, price b) {
        if (a >= never || b >= never) return never;
        const price sum = a + b;
        if (sum > -never && sum < never) return sum;
        too_large_ = true;
        return sum > 0 ? never - 1 : 1 - never;
    }

private:
    [[nodiscard]] price units(double amount) const {
        const double in_units = std::floor(amount * scale_);
        return in_units < static_cast<double>(largest) ? static_cast<price>(in_units) : never;
    }
    /// Costs and conversions are never negative: one that reaches the target is in no cover below it.
    [[nodiscard]] price within(price p) const { return p >= target_ ? never : p; }

    /// What a candidate costs and is charged, above the prices of its nodes.
    [[nodiscard]] price charged(candidate_index c) {
        price sum = cost_[c];
        for (const std::uint32_t slot : tables_->reads(c)) sum = plus(sum, sheet_->of_reader[slot]);
        for (const proof_tables::gift& gift : tables_->gifts(c)) {
            const proof_tables::given_format& at = tables_->given_at(gift.given);
            if (!gift.all) {
                sum = plus(sum, rest_of(at, c, false, 0, 0));
                continue;
            }
            if (full_known_[gift.given] == 0) {
                full_known_[gift.given] = 1;
                full_[gift.given] = rest_of(at, c, true, 0, 0);
            }
            sum = plus(sum, full_[gift.given]);
        }
        for (const node_id v : tables_->members(c)) sum = plus(sum, -sheet_->of_node[v]);
        return sum;
    }

    /// What it takes to serve a reader alone, less what it is charged.
    [[nodiscard]] price served(const proof_tables::given_format& at, std::uint32_t slot) const {
        const std::uint32_t format = tables_->format_of(slot);
        const price takes = format == proof_tables::read_before ? 0 : conversion(at.node, at.format, format);
        return takes >= never ? never : takes - sheet_->of_reader[slot];
    }
    [[nodiscard]] price cheapest(const proof_tables::given_format& at, std::uint32_t edge) const {
        price least = never;
        for (std::uint32_t slot = tables_->first_slot(edge); slot < tables_->end_slot(edge); ++slot)
            if (wanted_[slot] != 0) least = std::min(least, served(at, slot));
        return least;
    }

    /// The same for `readers_` together: over all sets of formats that are made, each paid once.
    [[nodiscard]] price shared(const proof_tables::given_format& at, std::uint64_t wanted_before) {
        constexpr std::size_t most_in_sets = 12;
        price base = 0;
        for (std::uint64_t rest = wanted_before; rest != 0; rest &= rest - 1)
            base = plus(base, conversion(at.node, at.format, static_cast<format_index>(std::countr_zero(rest))));
        if (base >= never) return never;
        // What each reader is charged at most in a format that it can have for nothing, and the formats that cost something.
        free_.assign(readers_.size(), -never);
        formats_.clear();
        takes_.clear();
        asked_.clear();
        for (std::size_t r = 0; r < readers_.size(); ++r) {
            for (std::uint32_t slot = tables_->first_slot(readers_[r]); slot < tables_->end_slot(readers_[r]); ++slot) {
                if (wanted_[slot] == 0) continue;
                const std::uint32_t format = tables_->format_of(slot);
                const price takes = conversion(at.node, at.format, format);
                const price charge = sheet_->of_reader[slot];
                if (takes >= never) continue;
                if (takes == 0 || (format < 64 && ((wanted_before >> format) & 1u) != 0)) {
                    free_[r] = std::max(free_[r], charge);
                    continue;
                }
                const auto known = static_cast<std::size_t>(std::find(formats_.begin(), formats_.end(), format) - formats_.begin());
                if (known == formats_.size()) {
                    formats_.push_back(format);
                    takes_.push_back(takes);
                }
                asked_.push_back({static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(known), charge});
            }
        }
        // Sets of formats times what readers may want: more than some seconds' worth is not gone through.
        constexpr double most_work = 2e9;
        work_ += std::ldexp(static_cast<double>(asked_.size() + readers_.size() + 1), static_cast<int>(std::min(formats_.size(), most_in_sets)));
        if (work_ > most_work) {
            too_large_ = true;
            return never;
        }
        price least = never;
        if (formats_.size() > most_in_sets) {
            // Too many sets: each reader pays its share of what its cheapest format takes, which is no more than what is paid.
            charged_ = free_;
            for (const asked& a : asked_) charged_[a.reader] = std::max(charged_[a.reader], a.charge - takes_[a.format] / static_cast<price>(readers_.size()));
            return sum_of_charges(base);
        }
        for (std::uint32_t made = 0; made < (1u << formats_.size()); ++made) {
            price sum = base;
            for (std::size_t i = 0; i < formats_.size(); ++i)
                if (((made >> i) & 1u) != 0) sum = plus(sum, takes_[i]);
            charged_ = free_;
            for (const asked& a : asked_)
                if (((made >> a.format) & 1u) != 0) charged_[a.reader] = std::max(charged_[a.reader], a.charge);
            least = std::min(least, sum_of_charges(sum));
        }
        return least;
    }
    [[nodiscard]] price sum_of_charges(price sum) {
        for (const price charge : charged_) {
            if (charge <= -never) return never;
            sum = plus(sum, -charge);
        }
        return sum;
    }

    struct asked {
        std::uint32_t reader;
        std::uint32_t format;
        price charge;
    };

    const proof_tables* tables_;
    double scale_;
    price target_;
    const certificate_prices* sheet_ = nullptr;
    std::vector<price> cost_, slack_, least_, full_;
    std::vector<std::uint8_t> wanted_, full_known_;
    price bound_ = 0;
    bool too_large_ = false;
    double work_ = 0;

    /// The tensor that is looked at.
    std::vector<std::uint32_t> readers_, formats_;
    std::vector<price> free_, takes_, charged_;
    std::vector<asked> asked_;
};

}  // namespace inlay

#endif
