// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_PARTNERS_HPP
#define INLAY_SEARCH_PROOF_PARTNERS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/search/proof_tables.hpp>

namespace inlay {

/// Drops candidates that no cover can have because some tensor at their border finds no partner: nobody who gives it in a format that can be
/// turned into the one wanted, or no reader who wants it in one that can be had. Shares nothing with the search.
class proof_partners {
public:
    explicit proof_partners(const proof_tables& tables) : tables_(&tables) {
        const problem& p = tables.of();
        const auto lacks = [](const std::vector<double>& prices) { return std::any_of(prices.begin(), prices.end(), [](double price) { return price == impossible; }); };
        matter_ = lacks(p.conversions) || std::any_of(p.conversions_of.begin(), p.conversions_of.end(), [&](const node_conversions& own) { return lacks(own.prices); });
        first_offer_.assign(1, 0);
        for (const problem_edge& e : p.edges) first_offer_.push_back(first_offer_.back() + tables.end_given(e.from) - tables.first_given(e.from));
    }

    /// Whether some conversion is impossible. Where all are possible, and every candidate is there, there is hardly anything to drop.
    [[nodiscard]] bool matter() const { return matter_; }

    /// Until nothing changes. O(rounds times size of the problem times formats).
    void operator()(std::vector<std::uint8_t>& alive) {
        while (drop(alive)) {}
    }

private:
    enum : std::uint8_t { unknown, yes, no };

    bool drop(std::vector<std::uint8_t>& alive) {
        wanted_.assign(tables_->slots(), 0);
        offered_.assign(first_offer_.back(), 0);
        served_.assign(tables_->slots(), unknown);
        asked_.assign(first_offer_.back(), unknown);
        each_alive(alive, [&](candidate_index c) {
            for (const std::uint32_t slot : tables_->reads(c)) wanted_[slot] = 1;
            each_offer(c, [&](std::uint32_t, std::size_t offer) {
                offered_[offer] = 1;
                return true;
            });
        });
        bool changed = false;
        each_alive(alive, [&](candidate_index c) {
            const auto reads = tables_->reads(c);
            const bool fits = std::all_of(reads.begin(), reads.end(), [&](std::uint32_t slot) { return is_served(slot); }) &&
                              each_offer(c, [&](std::uint32_t edge, std::size_t offer) { return is_asked(edge, offer); });
            if (fits) return;
            alive[c] = 0;
            changed = true;
        });
        return changed;
    }

    template <class Visit>
    static void each_alive(const std::vector<std::uint8_t>& alive, const Visit& visit) {
        for (std::size_t c = 0; c < alive.size(); ++c)
            if (alive[c] != 0) visit(static_cast<candidate_index>(c));
    }
    /// What a candidate offers on edges that leave it, as long as `visit(edge, place of the offer)` says yes.
    template <class Visit>
    bool each_offer(candidate_index c, const Visit& visit) const {
        for (const proof_tables::gift& gift : tables_->gifts(c)) {
            const node_id u = tables_->given_at(gift.given).node;
            for (const std::uint32_t edge : tables_->out_of(u)) {
                if (!gift.all && tables_->covers(c, tables_->of().edges[edge].to)) continue;
                if (!visit(edge, first_offer_[edge] + gift.given - tables_->first_given(u))) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool possible(std::uint32_t edge, std::size_t offer, std::uint32_t slot) const {
        const node_id u = tables_->of().edges[edge].from;
        const std::uint32_t format = tables_->format_of(slot);
        const auto given = static_cast<std::uint32_t>(tables_->first_given(u) + offer - first_offer_[edge]);
        return format == proof_tables::read_before || tables_->conversion(u, tables_->given_at(given).format, format) < impossible;
    }
    [[nodiscard]] bool is_served(std::uint32_t slot) {
        if (served_[slot] == unknown) {
            const std::uint32_t edge = tables_->edge_of(slot);
            served_[slot] = no;
            for (std::size_t offer = first_offer_[edge]; offer < first_offer_[edge + 1]; ++offer)
                if (offered_[offer] != 0 && possible(edge, offer, slot)) served_[slot] = yes;
        }
        return served_[slot] == yes;
    }
    [[nodiscard]] bool is_asked(std::uint32_t edge, std::size_t offer) {
        if (asked_[offer] == unknown) {
            asked_[offer] = no;
            for (std::uint32_t slot = tables_->first_slot(edge); slot < tables_->end_slot(edge); ++slot)
                if (wanted_[slot] != 0 && possible(edge, offer, slot)) asked_[offer] = yes;
        }
        return asked_[offer] == yes;
    }

    const proof_tables* tables_;
    bool matter_ = false;
    /// By edge, a place for each format in which its tensor is given.
    std::vector<std::size_t> first_offer_;
    std::vector<std::uint8_t> wanted_, offered_, served_, asked_;
};

}  // namespace inlay

#endif
