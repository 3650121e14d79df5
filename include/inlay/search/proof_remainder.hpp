// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_REMAINDER_HPP
#define INLAY_SEARCH_PROOF_REMAINDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/search/proof_prices.hpp>
#include <inlay/search/proof_tables.hpp>

namespace inlay {

/// Looks whether the candidates that prices have left make a cover below the bound at all: node by node, over what the nodes to come
/// can see of those decided. Prices make this small, since every slack and every conversion above its least counts against the gap.
/// Cycles between parts are not looked at. Shares nothing with the search.
class proof_remainder {
public:
    /// How it ended.
    enum class verdict : std::uint8_t { no_cover, cover, too_many_states };

    proof_remainder(const proof_tables& tables, proof_prices& prices) : tables_(&tables), prices_(&prices), last_reader_(tables.of().nodes, 0) {
        for (const problem_edge& e : tables.of().edges) last_reader_[e.from] = std::max(last_reader_[e.from], e.to);
    }

    /// After `proof_prices::apply`, with the candidates that it has left. O(states times candidates of a node), `most_states` at most.
    [[nodiscard]] verdict operator()(std::span<const std::uint8_t> alive, std::size_t most_states) {
        const problem& given = tables_->of();
        cover_.clear();
        if (given.share_conversions && given.formats > 64) return verdict::too_many_states;
        starting_.assign(given.nodes, {});
        for (std::size_t c = 0; c < alive.size(); ++c)
            if (alive[c] != 0) starting_[tables_->members(static_cast<candidate_index>(c))[0]].push_back(static_cast<candidate_index>(c));
        const proof_prices::price gap = prices_->target() - prices_->bound();
        states_.assign(1, {0, no_state, no_candidate_taken, {}});
        std::size_t first = 0;
        for (node_id v = 0; v < given.nodes; ++v) {
            const std::size_t end = states_.size();
            known_.clear();
            for (std::size_t s = first; s < end; ++s) step(s, v, gap);
            // What has been left behind is only needed to tell the cover.
            for (std::size_t s = first; s < end; ++s) std::vector<entry>().swap(states_[s].open);
            first = end;
            if (states_.size() == end) return verdict::no_cover;
            if (states_.size() > most_states) return verdict::too_many_states;
        }
        std::size_t best = first;
        for (std::size_t s = first; s < states_.size(); ++s)
            if (states_[s].above < states_[best].above) best = s;
        for (std::size_t s = best; s != no_state; s = states_[s].before)
            if (states_[s].taken != no_candidate_taken) cover_.push_back(states_[s].taken);
        std::sort(cover_.begin(), cover_.end());
        return verdict::cover;
    }

    /// After the verdict `cover`: the cheapest one, cycles not looked at.
    [[nodiscard]] const std::vector<candidate_index>& cover() const { return cover_; }
    [[nodiscard]] std::size_t states() const { return states_.size(); }

private:
    static constexpr std::size_t no_state = static_cast<std::size_t>(-1);
    static constexpr candidate_index no_candidate_taken = 0xFFFF'FFFFu;

    /// A node that later ones can see: who covers it, and the formats in which its tensor is wanted so far.
    struct entry {
        node_id node;
        candidate_index owner;
        std::uint64_t wanted;

        friend bool operator==(const entry&, const entry&) = default;
    };
    struct state {
        proof_prices::price above;
        std::size_t before;
        candidate_index taken;
        std::vector<entry> open;  // by node
    };

    [[nodiscard]] static const entry* find(const std::vector<entry>& open, node_id v) {
        const auto at = std::lower_bound(open.begin(), open.end(), v, [](const entry& e, node_id wanted) { return e.node < wanted; });
        return at != open.end() && at->node == v ? &*at : nullptr;
    }

    void step(std::size_t s, node_id v, proof_prices::price gap) {
        if (const entry* covered = find(states_[s].open, v)) {
            decide(s, v, covered->owner, false, gap);
            return;
        }
        for (const candidate_index c : starting_[v]) {
            const auto members = tables_->members(c);
            const std::vector<entry>& open = states_[s].open;
            if (std::any_of(members.begin() + 1, members.end(), [&](node_id m) { return find(open, m) != nullptr; })) continue;
            decide(s, v, c, true, gap);
        }
    }

    /// Continues a state with node v covered by c, which is `fresh` if v is its first node.
    void decide(std::size_t s, node_id v, candidate_index c, bool fresh, proof_prices::price gap) {
        next_ = states_[s].open;
        proof_prices::price above = states_[s].above + (fresh ? prices_->slack(c) : 0);
        if (above >= gap) return;
        for (const std::uint32_t edge : tables_->into(v)) {
            const node_id u = tables_->of().edges[edge].from;
            entry& giver = next_[static_cast<std::size_t>(find(next_, u) - next_.data())];
            if (giver.owner == c) continue;
            above = prices_->plus(above, reading(giver, c, edge, v));
            if (above >= gap) return;
        }
        if (fresh)
            for (const node_id m : tables_->members(c)) {
                const auto at = std::lower_bound(next_.begin(), next_.end(), m, [](const entry& e, node_id wanted) { return e.node < wanted; });
                next_.insert(at, {m, c, 0});
            }
        std::erase_if(next_, [&](const entry& e) { return e.node <= v && last_reader_[e.node] <= v; });
        keep({above, s, fresh ? c : no_candidate_taken, next_});
    }

    /// What it adds that the candidate `c` reads the tensor at an edge to node v. Notes the format that it wants.
    [[nodiscard]] proof_prices::price reading(entry& giver, candidate_index c, std::uint32_t edge, node_id v) {
        const auto gifts = tables_->gifts(giver.owner);
        const auto gift = std::find_if(gifts.begin(), gifts.end(), [&](const proof_tables::gift& g) { return tables_->given_at(g.given).node == giver.node; });
        const proof_tables::given_format& at = tables_->given_at(gift->given);
        const auto reads = tables_->reads(c);
        const std::uint32_t slot = *std::find_if(
            reads.begin(), reads.end(), [&](std::uint32_t r) { return r >= tables_->first_slot(edge) && r < tables_->end_slot(edge); });
        if (!tables_->of().share_conversions) return prices_->above(at, edge, slot);
        const proof_prices::price before = prices_->rest_of(at, giver.owner, gift->all, v, giver.wanted);
        const std::uint32_t format = tables_->format_of(slot);
        if (format != at.format) giver.wanted |= std::uint64_t{1} << format;
        const proof_prices::price after = prices_->rest_of(at, giver.owner, gift->all, v + 1, giver.wanted);
        if (before >= proof_prices::never || after >= proof_prices::never) return proof_prices::never;
        return after - before - prices_->reader_price(slot);
    }

    /// Of states that later nodes cannot tell apart the one stays that is the least above the bound, the first of equals.
    void keep(state made) {
        std::uint64_t hash = 0;
        for (const entry& e : made.open)
            for (const std::uint64_t word : {std::uint64_t{e.node} << 32 | e.owner, e.wanted}) hash = (hash ^ word) * 0x9E37'79B9'7F4A'7C15u, hash ^= hash >> 29;
        std::vector<std::size_t>& same = known_[hash];
        for (const std::size_t s : same) {
            if (states_[s].open != made.open) continue;
            if (made.above < states_[s].above) states_[s] = std::move(made);
            return;
        }
        same.push_back(states_.size());
        states_.push_back(std::move(made));
    }

    const proof_tables* tables_;
    proof_prices* prices_;
    std::vector<node_id> last_reader_;
    std::vector<std::vector<candidate_index>> starting_;
    std::vector<state> states_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> known_;
    std::vector<entry> next_;
    std::vector<candidate_index> cover_;
};

}  // namespace inlay

#endif
