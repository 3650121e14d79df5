// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_ARC_CONSISTENCY_HPP
#define INLAY_SEARCH_PROOF_ARC_CONSISTENCY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/search/proof/proof_tables.hpp>

namespace inlay {

/// Drops candidates that no cover can have because some tensor at their border finds no partner: nobody who gives it in a format that can
/// be turned into the one wanted, or no reader who wants it in one that can be had. Shares nothing with the search.
class arc_consistency {
public:
    explicit arc_consistency(const proof_tables& tables) : tables_(&tables) {
        const problem& p = tables.of();
        const auto lacks = [](const std::vector<double>& prices) {
            return std::find(prices.begin(), prices.end(), impossible) != prices.end();
        };
        matter_ = lacks(p.conversions) || std::any_of(p.conversions_of.begin(), p.conversions_of.end(),
                                                      [&](const node_conversions& own) { return lacks(own.prices); });
    }

    /// Whether some conversion is impossible. Where all are possible, and every candidate is there, there is hardly anything to drop.
    [[nodiscard]] bool matter() const { return matter_; }

    /// How many pairs of formats one look at all edges goes through.
    [[nodiscard]] std::size_t pairs() {
        if (first_offer_.empty()) prepare();
        return pairs_;
    }

    /// Until nothing changes. O(size of the problem + its borders + pairs of formats in which the tensors at its edges are given and
    /// wanted). Where there are too many pairs, nothing is dropped.
    void operator()(std::vector<std::uint8_t>& alive) {
        if (first_offer_.empty()) prepare();
        if (too_many_) return;
        count(alive);
        for (std::size_t c = 0; c < alive.size(); ++c)
            if (alive[c] != 0 && !finds_partners(static_cast<candidate_index>(c))) drop(static_cast<candidate_index>(c), alive);
        while (!unserved_.empty() || !unasked_.empty()) {
            if (!unserved_.empty()) {
                const std::uint32_t slot = unserved_.back();
                unserved_.pop_back();
                for (std::uint32_t i = readers_.begin[slot]; i < readers_.begin[slot + 1]; ++i) drop(owner_[readers_.positions[i]], alive);
                continue;
            }
            const auto [edge, given] = unasked_.back();
            unasked_.pop_back();
            for (std::uint32_t i = givers_.begin[given]; i < givers_.begin[given + 1]; ++i) {
                const auto inner = tables_->inner_at(givers_.positions[i]);
                if (!std::binary_search(inner.begin(), inner.end(), tables_->place_of(edge))) drop(owner_[givers_.positions[i]], alive);
            }
        }
    }

private:
    /// For each number the positions at which it stands, one after the other.
    struct list {
        std::vector<std::uint32_t> begin, positions;

        template <class Each>
        void fill(std::size_t count, const Each& each) {
            begin.assign(count + 2, 0);
            each([&](std::size_t number, std::uint32_t) { ++begin[number + 2]; });
            for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
            positions.resize(begin.back());
            each([&](std::size_t number, std::uint32_t position) { positions[begin[number + 1]++] = position; });
        }
    };

    void prepare() {
        constexpr std::size_t most_pairs = 100'000'000;
        const problem& p = tables_->of();
        table_.assign(p.nodes, &p.conversions);
        for (const node_conversions& own : p.conversions_of) table_[own.node] = &own.prices;
        first_offer_.assign(1, 0);
        std::size_t pairs = 0;
        for (std::uint32_t e = 0; e < p.edges.size(); ++e) {
            const std::size_t given = tables_->end_given(p.edges[e].from) - tables_->first_given(p.edges[e].from);
            first_offer_.push_back(first_offer_.back() + given);
            pairs += given * (1 + tables_->end_slot(e) - tables_->first_slot(e));
        }
        too_many_ = pairs > most_pairs;
        if (too_many_) return;
        pairs_ = pairs;
        for (std::size_t c = 0; c < p.candidates.size(); ++c)
            owner_.resize(tables_->end_position(static_cast<candidate_index>(c)), static_cast<candidate_index>(c));
        readers_.fill(tables_->slots(), [&](const auto& visit) {
            for (std::uint32_t at = 0; at < owner_.size(); ++at)
                for (const std::uint32_t slot : tables_->reads_at(at)) visit(slot, at);
        });
        givers_.fill(tables_->given_count(), [&](const auto& visit) {
            for (std::uint32_t at = 0; at < owner_.size(); ++at)
                if (tables_->gives_at(at) != proof_tables::not_given) visit(tables_->gives_at(at), at);
        });
    }

    /// What the candidates that are there want and give, and who serves and asks for that.
    void count(const std::vector<std::uint8_t>& alive) {
        wanted_.assign(tables_->slots(), 0);
        given_.assign(tables_->given_count(), 0);
        kept_inside_.assign(first_offer_.back(), 0);
        servers_.assign(tables_->slots(), 0);
        askers_.assign(first_offer_.back(), 0);
        for (std::uint32_t at = 0; at < owner_.size(); ++at) {
            if (alive[owner_[at]] == 0) continue;
            for (const std::uint32_t slot : tables_->reads_at(at)) ++wanted_[slot];
            if (tables_->gives_at(at) == proof_tables::not_given) continue;
            ++given_[tables_->gives_at(at)];
            for (const std::uint32_t place : tables_->inner_at(at))
                ++kept_inside_[offer_of(tables_->out_of(tables_->member_at(at))[place].edge, tables_->gives_at(at))];
        }
        for (std::uint32_t e = 0; e < tables_->of().edges.size(); ++e) {
            const node_id u = tables_->of().edges[e].from;
            for (std::uint32_t g = tables_->first_given(u); g < tables_->end_given(u); ++g)
                for (std::uint32_t slot = tables_->first_slot(e); slot < tables_->end_slot(e); ++slot) {
                    if (!possible(g, slot)) continue;
                    if (is_offered(e, g)) ++servers_[slot];
                    if (wanted_[slot] != 0) ++askers_[offer_of(e, g)];
                }
        }
    }

    [[nodiscard]] bool finds_partners(candidate_index c) const {
        const auto reads = tables_->reads(c);
        bool found = std::all_of(reads.begin(), reads.end(), [&](std::uint32_t slot) { return servers_[slot] != 0; });
        for (std::uint32_t at = tables_->first_position(c); at < tables_->end_position(c); ++at)
            each_edge_given(at, [&](std::uint32_t edge, std::uint32_t given) { found = found && askers_[offer_of(edge, given)] != 0; });
        return found;
    }

    void drop(candidate_index c, std::vector<std::uint8_t>& alive) {
        if (alive[c] == 0) return;
        alive[c] = 0;
        for (const std::uint32_t slot : tables_->reads(c)) {
            if (--wanted_[slot] != 0) continue;
            const std::uint32_t edge = tables_->edge_of(slot);
            const node_id u = tables_->of().edges[edge].from;
            for (std::uint32_t g = tables_->first_given(u); g < tables_->end_given(u); ++g)
                if (possible(g, slot) && --askers_[offer_of(edge, g)] == 0) unasked_.emplace_back(edge, g);
        }
        for (std::uint32_t at = tables_->first_position(c); at < tables_->end_position(c); ++at) {
            if (tables_->gives_at(at) == proof_tables::not_given) continue;
            --given_[tables_->gives_at(at)];
            for (const std::uint32_t place : tables_->inner_at(at))
                --kept_inside_[offer_of(tables_->out_of(tables_->member_at(at))[place].edge, tables_->gives_at(at))];
            each_edge_given(at, [&](std::uint32_t edge, std::uint32_t given) {
                if (is_offered(edge, given)) return;
                for (std::uint32_t slot = tables_->first_slot(edge); slot < tables_->end_slot(edge); ++slot)
                    if (possible(given, slot) && --servers_[slot] == 0) unserved_.push_back(slot);
            });
        }
    }

    /// The edges on which the tensor at a position goes outside.
    template <class Visit>
    void each_edge_given(std::uint32_t at, const Visit& visit) const {
        if (tables_->gives_at(at) == proof_tables::not_given) return;
        const auto inner = tables_->inner_at(at);
        auto next_inner = inner.begin();
        const auto out = tables_->out_of(tables_->member_at(at));
        for (std::uint32_t place = 0; place < out.size(); ++place) {
            if (next_inner != inner.end() && *next_inner == place) {
                ++next_inner;
            } else {
                visit(out[place].edge, tables_->gives_at(at));
            }
        }
    }
    [[nodiscard]] std::size_t offer_of(std::uint32_t edge, std::uint32_t given) const {
        return first_offer_[edge] + given - tables_->first_given(tables_->of().edges[edge].from);
    }
    [[nodiscard]] bool is_offered(std::uint32_t edge, std::uint32_t given) const {
        return given_[given] != kept_inside_[offer_of(edge, given)];
    }
    [[nodiscard]] bool possible(std::uint32_t given, std::uint32_t slot) const {
        const proof_tables::given_format& at = tables_->given_at(given);
        const std::uint32_t format = tables_->format_of(slot);
        return format == proof_tables::read_before ||
               (*table_[at.node])[std::size_t{at.format} * tables_->of().formats + format] < impossible;
    }

    const proof_tables* tables_;
    bool matter_ = false;
    bool too_many_ = false;
    std::size_t pairs_ = 0;
    std::vector<const std::vector<double>*> table_;
    /// By edge, an offer for each format in which its tensor is given.
    std::vector<std::size_t> first_offer_;
    std::vector<candidate_index> owner_;  // by position
    list readers_, givers_;
    /// How many candidates want a slot, give a format, and keep an offer inside.
    std::vector<std::uint32_t> wanted_, given_, kept_inside_;
    /// By slot, how many of its edge's offers serve it; by offer, how many of its edge's slots ask for it.
    std::vector<std::uint32_t> servers_, askers_;
    std::vector<std::uint32_t> unserved_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> unasked_;
};

}  // namespace inlay

#endif
