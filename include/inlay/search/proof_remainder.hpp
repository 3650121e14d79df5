// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_REMAINDER_HPP
#define INLAY_SEARCH_PROOF_REMAINDER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

    /// A block has at least `least_block` nodes.
    proof_remainder(const proof_tables& tables, proof_prices& prices, std::size_t least_block = 100)
        : tables_(&tables),
          prices_(&prices),
          least_block_(least_block),
          first_reader_(tables.of().nodes, no_node),
          last_reader_(tables.of().nodes, 0) {
        for (const problem_edge& e : tables.of().edges) {
            first_reader_[e.from] = std::min(first_reader_[e.from], e.to);
            last_reader_[e.from] = std::max(last_reader_[e.from], e.to);
        }
        find_cuts();
    }

    /// After `proof_prices::apply`, with the candidates that it has left. O(states times candidates of a node); there are at most
    /// `most_states`, and as many again for each node, but never more than fit, nor more in all calls together than some seconds take.
    [[nodiscard]] verdict operator()(std::span<const std::uint8_t> alive, std::size_t most_states) {
        constexpr std::size_t most_ever = std::size_t{1} << 24;
        const problem& given = tables_->of();
        cover_.clear();
        looked_at_ = 0;
        moves_ = 0;
        most_ = std::min(most_states + 64 * std::size_t{given.nodes}, most_ever);
        if (given.share_conversions && given.formats > 64) return verdict::too_many_states;
        list_starts(alive);
        const proof_prices::price gap = prices_->target() - prices_->bound();
        find_blocks();
        if (blocks_.size() > 2) {
            const auto rest = look_at_blocks(gap);
            if (is_spent()) return verdict::too_many_states;
            if (rest <= 0) return verdict::no_cover;
        }
        start();
        add_state(0, no_state, no_candidate_taken);
        const auto last = walk(0, given.nodes, gap);
        if (is_spent()) return verdict::too_many_states;
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
    /// How many blocks were looked through by themselves, if any.
    [[nodiscard]] std::size_t blocks() const { return blocks_.size() > 2 ? blocks_.size() : 0; }

private:
    static constexpr std::uint32_t no_state = 0xFFFF'FFFFu;
    static constexpr candidate_index no_candidate_taken = 0xFFFF'FFFFu;
    static constexpr candidate_index done = 0xFFFF'FFFFu;

    /// A node that later ones can see: who covers it, where among all members, in which format it is given, and what has been made of it so
    /// far. Of owners that are done and give a tensor in one format, later nodes see no difference.
    struct entry {
        node_id node;
        candidate_index owner;
        std::uint32_t position;
        std::uint32_t given;
        std::uint64_t made;

        friend bool operator==(const entry&, const entry&) = default;
    };
    struct state {
        proof_prices::price above;
        std::uint32_t before;
        candidate_index taken;
        std::uint32_t hash;
        std::uint32_t first_open;  // in `open_` while it is in the last layer, by node
        std::uint32_t end_open;
    };
    /// A candidate at its first node.
    struct begin {
        candidate_index candidate;
        std::uint32_t position;
        proof_prices::price slack;
    };
    /// A run of nodes, from `first` up to the next block's. Of what comes before, it is the first to read the tensor of `joined_by`;
    /// `no_node` if of none.
    struct block {
        node_id first;
        node_id joined_by;
        /// What every cover is above the least in this block and all later ones.
        proof_prices::price rest = 0;
    };

    /// Once it is so, it is so to the end of the call.
    [[nodiscard]] bool is_spent() const { return looked_at_ > most_ || moves_ > most_moves * most_ || moves_ever_ > most_moves_ever; }
    void work(std::size_t moves) {
        moves_ += moves;
        moves_ever_ += moves;
    }

    /// Where blocks may begin: before nodes with one earlier tensor at most that is read from there on only.
    void find_cuts() {
        const std::size_t nodes = tables_->of().nodes;
        std::vector<std::int64_t> open(nodes + 1, 0), sum(nodes + 1, 0);
        for (std::size_t u = 0; u < nodes; ++u) {
            const std::size_t read = first_reader_[u];
            if (read == no_node) continue;
            ++open[u + 1];
            --open[read + 1];
            sum[u + 1] += static_cast<std::int64_t>(u);
            sum[read + 1] -= static_cast<std::int64_t>(u);
        }
        for (std::size_t v = 1; v < nodes; ++v) {
            open[v] += open[v - 1];
            sum[v] += sum[v - 1];
            if (open[v] <= 1) cuts_.push_back({static_cast<node_id>(v), open[v] == 0 ? no_node : static_cast<node_id>(sum[v])});
        }
    }

    void list_starts(std::span<const std::uint8_t> alive) {
        const std::size_t nodes = tables_->of().nodes;
        first_start_.assign(nodes + 2, 0);
        for (std::size_t i = 0; i < alive.size(); ++i)
            if (alive[i] != 0) ++first_start_[std::size_t{tables_->members(static_cast<candidate_index>(i))[0]} + 2];
        for (std::size_t v = 0; v < nodes; ++v) first_start_[v + 2] += first_start_[v + 1];
        starts_.resize(first_start_.back());
        for (std::size_t i = 0; i < alive.size(); ++i) {
            if (alive[i] == 0) continue;
            const auto c = static_cast<candidate_index>(i);
            const std::uint32_t position = tables_->first_position(c);
            starts_[first_start_[std::size_t{tables_->member_at(position)} + 1]++] = {c, position, prices_->slack(c)};
        }
    }

    /// Cuts that no candidate lies across, but for those that cover the tensor which joins the two sides.
    void find_blocks() {
        const std::size_t nodes = tables_->of().nodes;
        across_.assign(nodes + 1, 0);
        for (const begin& s : starts_) {
            const auto members = tables_->members(s.candidate);
            if (members.size() < 2) continue;
            ++across_[members[0] + 1];
            --across_[members.back() + 1];
            // A tensor joins at cuts up to its first reader only.
            for (const node_id m : members) {
                if (first_reader_[m] == no_node || m == members.back()) continue;
                --across_[m + 1];
                ++across_[std::min(first_reader_[m], members.back()) + 1];
            }
        }
        for (std::size_t v = 1; v < nodes; ++v) across_[v] += across_[v - 1];
        blocks_.assign(1, {0, no_node});
        joins_.assign(nodes, 0);
        for (const auto& [v, joined] : cuts_) {
            if (v - blocks_.back().first < least_block_ || across_[v] != 0) continue;
            blocks_.push_back({v, joined});
            if (joined != no_node) joins_[joined] = 1;
        }
        if (blocks_.size() <= 2) return;
        joining_.clear();
        for (const begin& s : starts_)
            for (std::uint32_t at = s.position; at < tables_->end_position(s.candidate); ++at)
                if (joins_[tables_->member_at(at)] != 0) joining_.push_back({tables_->member_at(at), s.candidate});
        std::sort(joining_.begin(), joining_.end());
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
                if (is_spent()) return left;
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

    void start() {
        constexpr std::size_t least_known = 64;
        states_.clear();
        open_.clear();
        open_next_.clear();
        layer_ = first_open_ = 0;
        known_.assign(least_known, no_state);
    }
    /// Every way in which a block may begin.
    void enter(const block& at) {
        start();
        if (at.joined_by == no_node) return add_state(0, no_state, no_candidate_taken);
        for (auto i = std::lower_bound(joining_.begin(), joining_.end(), std::pair(at.joined_by, candidate_index{0}));
             i != joining_.end() && i->first == at.joined_by; ++i) {
            const candidate_index c = i->second;
            first_open_ = open_next_.size();
            work(1 + tables_->members(c).size());
            for (std::uint32_t position = tables_->first_position(c); position < tables_->end_position(c); ++position) {
                const node_id m = tables_->member_at(position);
                if (m == at.joined_by || m >= at.first) open_next(entry_of(c, position), at.first - 1);
            }
            add_state(0, no_state, no_candidate_taken);
        }
        open_.swap(open_next_);
    }

    /// Goes from `states_`, which stand before node `first`, on to those before node `end`; returns the place of the first of these, none
    /// if every way is `limit` or more above the least.
    [[nodiscard]] std::optional<std::size_t> walk(node_id first, node_id end, proof_prices::price limit) {
        std::size_t from = 0;
        const bool is_whole = first == 0 && end == tables_->of().nodes;
        std::size_t next_block = 0;
        for (node_id v = first; v < end; ++v) {
            while (next_block < blocks_.size() && blocks_[next_block].first <= v) ++next_block;
            // What later blocks take for certain is not there to be spent now.
            const proof_prices::price here = is_whole && next_block < blocks_.size() ? limit - blocks_[next_block].rest : limit;
            layer_ = states_.size();
            open_next_.clear();
            for (std::size_t s = from; s < layer_ && !is_spent(); ++s) step(s, v, here);
            open_.swap(open_next_);
            from = layer_;
            if (states_.size() == layer_ || is_spent()) return std::nullopt;
        }
        return from;
    }

    [[nodiscard]] const entry* find(const state& in, node_id v) const {
        const entry* const end = open_.data() + in.end_open;
        const entry* const at =
            std::lower_bound(open_.data() + in.first_open, end, v, [](const entry& e, node_id wanted) { return e.node < wanted; });
        return at != end && at->node == v ? at : nullptr;
    }
    [[nodiscard]] entry entry_of(candidate_index c, std::uint32_t position) const {
        return {tables_->member_at(position), c, position, tables_->gives_at(position), 0};
    }
    [[nodiscard]] node_id last_member(candidate_index c) const { return tables_->member_at(tables_->end_position(c) - 1); }

    void step(std::size_t s, node_id v, proof_prices::price limit) {
        if (const entry* covered = find(states_[s], v)) return decide(s, v, {covered->owner, covered->position, 0}, false, limit);
        for (std::uint32_t i = first_start_[v]; i < first_start_[v + 1]; ++i) {
            const begin& b = starts_[i];
            work(1);
            if (states_[s].above + b.slack >= limit) continue;
            if (is_spent()) return;
            bool is_free = true;
            for (std::uint32_t at = b.position + 1; is_free && at < tables_->end_position(b.candidate); ++at)
                is_free = find(states_[s], tables_->member_at(at)) == nullptr;
            if (is_free) decide(s, v, b, true, limit);
        }
    }

    /// Continues a state with node v covered by a candidate, which is `fresh` if v is its first node.
    void decide(std::size_t s, node_id v, begin by, bool fresh, proof_prices::price limit) {
        const state from = states_[s];
        proof_prices::price above = from.above + by.slack;
        const auto reads = tables_->reads_at(by.position);
        work(1 + reads.size() + (from.end_open - from.first_open) / 4);
        changed_.clear();
        for (const std::uint32_t slot : reads) {
            const entry* const giver = find(from, tables_->wish_of(slot).producer);
            // A block may read tensors of earlier ones, of which it knows nothing.
            if (giver == nullptr) continue;
            std::uint64_t made = giver->made;
            const auto inner = giver->owner == done ? std::span<const std::uint32_t>() : tables_->inner_at(giver->position);
            above = prices_->plus(above, prices_->reading(giver->given, slot, inner, made));
            if (above >= limit) return;
            if (made != giver->made) changed_.push_back({static_cast<std::size_t>(giver - open_.data()), made});
        }
        if (above >= limit) return;
        first_open_ = open_next_.size();
        auto next_change = changed_.begin();
        const std::uint32_t end = fresh ? tables_->end_position(by.candidate) : 0;
        std::uint32_t position = fresh ? by.position : 0;
        for (std::size_t at = from.first_open; at < from.end_open; ++at) {
            entry e = open_[at];
            for (; position < end && tables_->member_at(position) < e.node; ++position) open_next(entry_of(by.candidate, position), v);
            if (next_change != changed_.end() && next_change->at == at) e.made = next_change++->made;
            open_next(e, v);
        }
        for (; position < end; ++position) open_next(entry_of(by.candidate, position), v);
        add_state(above, static_cast<std::uint32_t>(s), fresh ? by.candidate : no_candidate_taken);
    }

    /// Notes what nodes after `last` can see of a node.
    void open_next(entry e, node_id last) {
        if (e.node <= last && (e.given == proof_tables::not_given || last_reader_[e.node] <= last)) return;
        if (e.owner != done && last_member(e.owner) <= last) e.owner = e.position = done;
        open_next_.push_back(e);
    }

    /// Adds a state with what is open from `first_open_` on. Of states that later nodes cannot tell apart the one stays that is the least
    /// above the bound, the first of equals.
    void add_state(proof_prices::price above, std::uint32_t before, candidate_index taken) {
        std::uint64_t hash = 0;
        for (std::size_t i = first_open_; i < open_next_.size(); ++i) {
            const entry& e = open_next_[i];
            for (const std::uint64_t word : {std::uint64_t{e.node} << 32 | e.owner, e.made << 32 ^ e.given})
                hash = (hash ^ word) * 0x9E37'79B9'7F4A'7C15u, hash ^= hash >> 29;
        }
        const state made{above,
                         before,
                         taken,
                         static_cast<std::uint32_t>(hash),
                         static_cast<std::uint32_t>(first_open_),
                         static_cast<std::uint32_t>(open_next_.size())};
        if ((states_.size() - layer_ + 1) * 2 > known_.size()) {
            known_.assign(known_.size() * 2, no_state);
            for (std::size_t s = layer_; s < states_.size(); ++s)
                place_of(states_[s].hash, [](const state&) { return false; }) = static_cast<std::uint32_t>(s);
        }
        std::uint32_t& same = place_of(made.hash, [&](const state& known) {
            return known.hash == made.hash && std::equal(open_next_.begin() + known.first_open, open_next_.begin() + known.end_open,
                                                         open_next_.begin() + made.first_open, open_next_.end());
        });
        if (is_in_layer(same)) {
            open_next_.resize(first_open_);
            state& known = states_[same];
            if (above < known.above) known.above = above, known.before = before, known.taken = taken;
            return;
        }
        same = static_cast<std::uint32_t>(states_.size());
        states_.push_back(made);
        // More than fits is too many, whatever was asked for.
        constexpr std::size_t most_open = std::size_t{1} << 25;
        looked_at_ += open_next_.size() > most_open ? most_ + 1 : 1 + (made.end_open - made.first_open) / 16;
    }
    /// What was known before this layer stands in places that are free again.
    [[nodiscard]] bool is_in_layer(std::uint32_t s) const { return s != no_state && s >= layer_; }
    template <class Same>
    [[nodiscard]] std::uint32_t& place_of(std::uint32_t hash, const Same& is_same) {
        std::size_t at = hash & (known_.size() - 1);
        while (is_in_layer(known_[at]) && !is_same(states_[known_[at]])) {
            at = (at + 1) & (known_.size() - 1);
            work(1);
        }
        return known_[at];
    }

    struct change {
        std::size_t at;
        std::uint64_t made;
    };

    const proof_tables* tables_;
    proof_prices* prices_;
    std::size_t least_block_;
    std::vector<node_id> first_reader_, last_reader_;
    struct cut {
        node_id before;
        node_id joined_by;
    };
    std::vector<cut> cuts_;
    /// By node the candidates that are left and start there; whose tensors join blocks, and by whom these are covered.
    std::vector<std::uint32_t> first_start_;
    std::vector<begin> starts_;
    std::vector<std::pair<node_id, candidate_index>> joining_;
    std::vector<std::uint8_t> joins_;
    std::vector<std::int32_t> across_;
    std::vector<block> blocks_;

    std::vector<state> states_;
    /// Of the last layer and of the one that is made, which begins with the state `layer_`; its places by hash.
    std::vector<entry> open_, open_next_;
    std::size_t layer_ = 0;
    std::size_t first_open_ = 0;
    std::vector<std::uint32_t> known_;
    std::vector<change> changed_;
    std::vector<candidate_index> cover_;

    std::size_t looked_at_ = 0;
    std::size_t most_ = 0;
    /// Candidates that were tried and what they read, and how much of that there may be for each state, and in all.
    std::size_t moves_ = 0;
    std::size_t moves_ever_ = 0;
    static constexpr std::size_t most_moves = 64;
    static constexpr std::size_t most_moves_ever = 2'000'000'000;
};

}  // namespace inlay

#endif
