// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_REMAINDER_HPP
#define INLAY_SEARCH_PROOF_REMAINDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/search/proof_prices.hpp>
#include <inlay/search/proof_tables.hpp>

namespace inlay {

/// Looks whether the candidates that prices have left make a cover below the bound at all: node by node, over what the nodes to come
/// can see of those decided. Prices make this small, since every slack and every conversion above its least counts against the gap.
///
/// Where one tensor is all that joins what comes before a node to what comes after, but for such as have been read before, the nodes fall
/// into blocks. Each is looked through by itself first, from whatever may have come before, and what earlier tensors' conversions cost left
/// out: what every way through it is above the least is above it in every cover. A long network's gap is made of many blocks' small ones,
/// and is rarely left when those are taken off.
///
/// Cycles between parts are not looked at. Shares nothing with the search.
class proof_remainder {
public:
    /// How it ended.
    enum class verdict : std::uint8_t { no_cover, cover, too_many_states };

    proof_remainder(const proof_tables& tables, proof_prices& prices) : tables_(&tables), prices_(&prices), last_reader_(tables.of().nodes, 0) {
        for (const problem_edge& e : tables.of().edges) last_reader_[e.from] = std::max(last_reader_[e.from], e.to);
    }

    /// After `proof_prices::apply`, with the candidates that it has left. O(states times candidates of a node); there are at most
    /// `most_states`, and as many again for each node.
    [[nodiscard]] verdict operator()(std::span<const std::uint8_t> alive, std::size_t most_states) {
        const problem& given = tables_->of();
        cover_.clear();
        looked_at_ = 0;
        moves_ = 0;
        most_ = most_states + 64 * std::size_t{given.nodes};
        if (given.share_conversions && given.formats > 64) return verdict::too_many_states;
        starting_.assign(given.nodes, {});
        covering_.assign(given.nodes, {});
        for (std::size_t i = 0; i < alive.size(); ++i) {
            if (alive[i] == 0) continue;
            const auto c = static_cast<candidate_index>(i);
            starting_[tables_->members(c)[0]].push_back(c);
            for (const node_id v : tables_->members(c)) covering_[v].push_back(c);
        }
        const proof_prices::price gap = prices_->target() - prices_->bound();
        find_blocks();
        if (blocks_.size() > 2) {
            const auto rest = look_at_blocks(gap);
            if (looked_at_ > most_) return verdict::too_many_states;
            if (rest <= 0) return verdict::no_cover;
        }
        states_.assign(1, {0, no_state, no_candidate_taken, {}});
        const auto last = walk(0, given.nodes, gap);
        if (looked_at_ > most_) return verdict::too_many_states;
        if (!last) return verdict::no_cover;
        std::size_t best = *last;
        for (std::size_t s = *last; s < states_.size(); ++s)
            if (states_[s].above < states_[best].above) best = s;
        for (std::size_t s = best; s != no_state; s = states_[s].before)
            if (states_[s].taken != no_candidate_taken) cover_.push_back(states_[s].taken);
        std::sort(cover_.begin(), cover_.end());
        return verdict::cover;
    }

    /// After the verdict `cover`: the cheapest one, cycles not looked at.
    [[nodiscard]] const std::vector<candidate_index>& cover() const { return cover_; }
    [[nodiscard]] std::size_t states() const { return looked_at_; }

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

    /// A run of nodes, from `first` up to the next block's. Of what comes before, it is the first to read the tensor of `joined_by`; `no_node` if
    /// of none.
    struct block {
        node_id first;
        node_id joined_by;
        /// What every cover is above the least in this block and all later ones.
        proof_prices::price rest = 0;
    };

    void find_blocks() {
        const std::size_t nodes = tables_->of().nodes;
        // Before node v: how many earlier tensors are read from there on only, and the sum of their numbers; how many candidates lie on both sides.
        std::vector<std::int64_t> open(nodes + 1, 0), sum(nodes + 1, 0), across(nodes + 1, 0);
        for (std::size_t u = 0; u < nodes; ++u) {
            if (tables_->out_of(static_cast<node_id>(u)).empty()) continue;
            ++open[u + 1];
            sum[u + 1] += static_cast<std::int64_t>(u);
            const std::size_t read = tables_->of().edges[tables_->out_of(static_cast<node_id>(u))[0]].to;
            --open[read + 1];
            sum[read + 1] -= static_cast<std::int64_t>(u);
        }
        for (std::size_t v = 0; v < nodes; ++v)
            for (const candidate_index c : starting_[v]) {
                ++across[v + 1];
                --across[tables_->members(c).back() + 1];
            }
        for (std::size_t v = 1; v <= nodes; ++v) {
            open[v] += open[v - 1];
            sum[v] += sum[v - 1];
            across[v] += across[v - 1];
        }
        constexpr std::size_t least_nodes = 12;
        blocks_.assign(1, {0, no_node});
        for (std::size_t v = 1; v < nodes; ++v) {
            if (v - blocks_.back().first < least_nodes || open[v] > 1) continue;
            const node_id joined = open[v] == 0 ? no_node : static_cast<node_id>(sum[v]);
            std::int64_t around = 0;
            if (joined != no_node)
                for (const candidate_index c : covering_[joined]) around += tables_->members(c)[0] < v && tables_->members(c).back() >= v ? 1 : 0;
            if (across[v] == around) blocks_.push_back({static_cast<node_id>(v), joined});
        }
    }

    /// Looks each block through by itself, and takes what every way through it is above the least off the gap. Returns what is left of it.
    [[nodiscard]] proof_prices::price look_at_blocks(proof_prices::price gap) {
        proof_prices::price found = 0;
        for (std::size_t b = blocks_.size(); b-- > 0;) {
            const node_id end = b + 1 < blocks_.size() ? blocks_[b + 1].first : tables_->of().nodes;
            const proof_prices::price left = gap - found;
            // Ways that are far above the least are many, and seldom wanted.
            proof_prices::price limit = std::max<proof_prices::price>(1, left / static_cast<proof_prices::price>(blocks_.size()));
            proof_prices::price least = 0;
            for (;; limit = limit > left / 4 ? left : limit * 4) {
                enter(blocks_[b]);
                const auto last = walk(blocks_[b].first, end, limit);
                if (looked_at_ > most_) return left;
                least = limit;
                for (std::size_t s = last.value_or(states_.size()); s < states_.size(); ++s) least = std::min(least, states_[s].above);
                if (last || limit >= left) break;
            }
            found += least;
            blocks_[b].rest = found;
            if (found >= gap) return 0;
        }
        return gap - found;
    }

    /// Every way in which a block may begin.
    void enter(const block& at) {
        states_.clear();
        if (at.joined_by == no_node) {
            states_.push_back({0, no_state, no_candidate_taken, {}});
            return;
        }
        for (const candidate_index c : covering_[at.joined_by]) {
            state made{0, no_state, no_candidate_taken, {}};
            for (const node_id m : tables_->members(c))
                if (m == at.joined_by || m >= at.first) made.open.push_back({m, c, 0});
            states_.push_back(std::move(made));
        }
    }

    /// Goes from `states_`, which stand before node `first`, on to those before node `end`; returns the place of the first of these, none if
    /// every way is `limit` or more above the least.
    [[nodiscard]] std::optional<std::size_t> walk(node_id first, node_id end, proof_prices::price limit) {
        std::size_t from = 0;
        std::size_t next_block = static_cast<std::size_t>(
            std::upper_bound(blocks_.begin(), blocks_.end(), first, [](node_id v, const block& b) { return v < b.first; }) - blocks_.begin());
        standing_.assign(tables_->given_count(), no_candidate_taken);
        for (node_id v = first; v < end; ++v) {
            most_here_ = states_.size() + most_ - std::min(most_, looked_at_) + 1;
            while (next_block < blocks_.size() && blocks_[next_block].first <= v) ++next_block;
            // What later blocks take for certain is not there to be spent now.
            const proof_prices::price here = first == 0 && end == tables_->of().nodes && next_block < blocks_.size() ? limit - blocks_[next_block].rest : limit;
            const std::size_t to = states_.size();
            known_.clear();
            for (std::size_t s = from; s < to; ++s) step(s, v, here);
            // What has been left behind is only needed to tell the cover.
            for (std::size_t s = from; s < to; ++s) std::vector<entry>().swap(states_[s].open);
            from = to;
            for (std::size_t s = to; s < states_.size(); ++s) looked_at_ += 1 + states_[s].open.size() / 16;
            if (states_.size() == to || looked_at_ > most_) return std::nullopt;
        }
        return from;
    }

    void step(std::size_t s, node_id v, proof_prices::price gap) {
        if (const entry* covered = find(states_[s].open, v)) {
            decide(s, v, covered->owner, false, gap);
            return;
        }
        for (const candidate_index c : starting_[v]) {
            if (states_.size() > most_here_ || ++moves_ > most_moves * most_) {
                looked_at_ = most_ + 1;
                return;
            }
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
            const entry* const open = find(next_, u);
            // A block may read tensors of earlier ones, of which it knows nothing.
            if (open == nullptr || open->owner == c) continue;
            above = prices_->plus(above, reading(next_[static_cast<std::size_t>(open - next_.data())], c, edge, v));
            if (above >= gap) return;
        }
        if (fresh)
            for (const node_id m : tables_->members(c)) {
                const auto at = std::lower_bound(next_.begin(), next_.end(), m, [](const entry& e, node_id wanted) { return e.node < wanted; });
                next_.insert(at, {m, c, 0});
            }
        std::erase_if(next_, [&](const entry& e) { return e.node <= v && last_reader_[e.node] <= v; });
        for (entry& e : next_)
            if (tables_->members(e.owner).back() <= v) e.owner = stand_in(e);
        keep({above, s, fresh ? c : no_candidate_taken, next_});
    }

    /// Of owners that are done and give a tensor in one format, later nodes see no difference: the first that was met stands for all.
    [[nodiscard]] candidate_index stand_in(const entry& e) {
        candidate_index& first = standing_[gift_of(e).given];
        if (first == no_candidate_taken) first = e.owner;
        return first;
    }
    [[nodiscard]] const proof_tables::gift& gift_of(const entry& e) const {
        const auto gifts = tables_->gifts(e.owner);
        return *std::find_if(gifts.begin(), gifts.end(), [&](const proof_tables::gift& g) { return tables_->given_at(g.given).node == e.node; });
    }

    /// What it adds that the candidate `c` reads the tensor at an edge to node v. Notes the format that it wants.
    [[nodiscard]] proof_prices::price reading(entry& giver, candidate_index c, std::uint32_t edge, node_id v) {
        const proof_tables::gift& gift = gift_of(giver);
        const proof_tables::given_format& at = tables_->given_at(gift.given);
        const auto reads = tables_->reads(c);
        const std::uint32_t slot = *std::find_if(
            reads.begin(), reads.end(), [&](std::uint32_t r) { return r >= tables_->first_slot(edge) && r < tables_->end_slot(edge); });
        if (!tables_->of().share_conversions) return prices_->above(at, edge, slot);
        const proof_prices::price before = prices_->rest_of(at, giver.owner, gift.all, v, giver.wanted);
        const std::uint32_t format = tables_->format_of(slot);
        if (format != at.format) giver.wanted |= std::uint64_t{1} << format;
        const proof_prices::price after = prices_->rest_of(at, giver.owner, gift.all, v + 1, giver.wanted);
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
    /// By node the candidates that are left and start there, or cover it.
    std::vector<std::vector<candidate_index>> starting_, covering_;
    std::vector<block> blocks_;
    std::vector<state> states_;
    std::size_t looked_at_ = 0;
    std::size_t most_ = 0;
    std::size_t most_here_ = 0;
    /// Candidates that were tried, and how many may be for each state.
    std::size_t moves_ = 0;
    static constexpr std::size_t most_moves = 32;
    /// By given format the owner that stands for all that are done.
    std::vector<candidate_index> standing_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> known_;
    std::vector<entry> next_;
    std::vector<candidate_index> cover_;
};

}  // namespace inlay

#endif
