// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_FRONTIER_DP_HPP
#define INLAY_SEARCH_PROOF_FRONTIER_DP_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <inlay/search/proof/proof_order.hpp>
#include <inlay/search/proof/proof_prices.hpp>
#include <inlay/search/proof/proof_tables.hpp>

namespace inlay {

/// Ways to cover a problem's nodes one after the other, over what the nodes to come can see of those decided: a state for each. Of ways
/// that later nodes cannot tell apart the one stays that is the least above the bound of the prices. Shares nothing with the search.
class frontier_dp {
public:
    using price = proof_prices::price;
    static constexpr std::uint32_t no_state = 0xFFFF'FFFFu;
    static constexpr candidate_index none_taken = 0xFFFF'FFFFu;
    /// What may be open in one layer; more does not fit.
    static constexpr std::size_t most_open = std::size_t{1} << 25;

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
        /// What it is above the bound, at least.
        price above;
        /// The state that it continues, or `no_state`; and the candidate that it has besides, or `none_taken`.
        std::uint32_t before;
        candidate_index taken;
        std::uint32_t hash;
        std::uint32_t first_open;  // see `open`
        std::uint32_t end_open;
    };
    frontier_dp(const proof_tables& tables, proof_prices& prices) : tables_(&tables), prices_(&prices), last_reader_(tables.of().nodes, 0) {
        for (const problem_edge& e : tables.of().edges) last_reader_[e.from] = std::max(last_reader_[e.from], e.to);
    }

    /// After `proof_prices::apply`: the candidates that it has left, and how many states may be looked at from here on.
    void prepare(std::span<const std::uint8_t> alive, std::size_t most_states) {
        most_ = most_states;
        looked_at_ = moves_ = 0;
        left_.clear();
        for (std::size_t c = 0; c < alive.size(); ++c)
            if (alive[c] != 0) left_.push_back(static_cast<candidate_index>(c));
        starts_ = order_by_row(tables_->of().nodes, left_.size(),
                               [&](std::size_t i) { return tables_->member_at(tables_->first_position(left_[i])); });
    }
    /// The candidates that are left, ascending, and those of them that have a node first.
    [[nodiscard]] const std::vector<candidate_index>& left() const { return left_; }
    template <class Visit>
    void each_start(node_id v, const Visit& visit) const {
        for (std::uint32_t i = starts_.first[v]; i < starts_.first[std::size_t{v} + 1]; ++i) visit(left_[starts_.items[i]]);
    }

    /// Forgets all states.
    void clear() {
        constexpr std::size_t least_known = 64;
        states_.clear();
        open_.clear();
        open_next_.clear();
        layer_ = first_open_ = 0;
        least_ = proof_prices::infinite_cost;
        known_.assign(least_known, no_state);
    }
    /// Adds a state to begin with, of which that much is open.
    void begin_with(price above, std::span<const entry> open) {
        first_open_ = open_next_.size();
        open_next_.insert(open_next_.end(), open.begin(), open.end());
        add_state(above, no_state, none_taken);
    }
    /// Adds a state to begin with before node `first`, of which no more is known than who covers node `joined` before it.
    void begin_with(price above, candidate_index owner, node_id joined, node_id first) {
        first_open_ = open_next_.size();
        work(1 + tables_->members(owner).size());
        for (std::uint32_t position = tables_->first_position(owner); position < tables_->end_position(owner); ++position) {
            const node_id m = tables_->member_at(position);
            if (m == joined || m >= first) open_next(entry_of(owner, position), first - 1);
        }
        add_state(above, no_state, none_taken);
    }
    /// Goes from what was begun with, which stands before node `first`, on to states before node `end`; returns the place of the first of
    /// these, none if every way is `limit` or more above the bound. O(states times candidates of a node).
    [[nodiscard]] std::optional<std::size_t> walk(node_id first, node_id end, price limit) {
        open_.swap(open_next_);
        std::size_t from = 0;
        for (node_id v = first; v < end; ++v) {
            layer_ = states_.size();
            open_next_.clear();
            list_starts(v, limit);
            least_ = proof_prices::infinite_cost;
            for (std::size_t s = from; s < layer_ && !is_spent(); ++s) step(s, v, limit);
            open_.swap(open_next_);
            from = layer_;
            if (states_.size() == layer_ || is_spent()) return std::nullopt;
        }
        return from;
    }

    [[nodiscard]] const std::vector<state>& states() const { return states_; }
    /// What is open of a state before the first step or after the last one, by node.
    [[nodiscard]] std::span<const entry> open(const state& of) const {
        return std::span(open_).subspan(of.first_open, of.end_open - of.first_open);
    }

    /// Whether there is too much to be gone through. Once it is so, it is so until `prepare`.
    [[nodiscard]] bool is_spent() const { return looked_at_ > most_ || moves_ > most_moves * most_ || moves_ever_ > most_moves_ever; }
    void work(std::size_t moves) {
        moves_ += moves;
        moves_ever_ += moves;
    }
    void spend_all() { looked_at_ = most_ + 1; }
    [[nodiscard]] std::size_t looked_at() const { return looked_at_; }

private:
    static constexpr candidate_index done = 0xFFFF'FFFFu;

    [[nodiscard]] const entry* find(const state& in, node_id v) const {
        constexpr std::ptrdiff_t most_in_turn = 16;
        const entry* at = open_.data() + in.first_open;
        const entry* const end = open_.data() + in.end_open;
        const auto before = [](const entry& e, node_id wanted) { return e.node < wanted; };
        if (end - at > most_in_turn) {
            at = std::lower_bound(at, end, v, before);
        } else {
            while (at != end && before(*at, v)) ++at;
        }
        return at != end && at->node == v ? at : nullptr;
    }
    [[nodiscard]] entry entry_of(candidate_index c, std::uint32_t position) const {
        return {tables_->member_at(position), c, position, tables_->gives_at(position), 0};
    }
    [[nodiscard]] node_id last_member(candidate_index c) const { return tables_->member_at(tables_->end_position(c) - 1); }

    /// A candidate at one of its nodes.
    struct start {
        candidate_index candidate;
        std::uint32_t position;
        price slack;
    };

    /// What may continue some state of the last layer.
    void list_starts(node_id v, price limit) {
        here_.clear();
        each_start(v, [&](candidate_index c) {
            work(1);
            if (least_ + prices_->slack(c) < limit) here_.push_back({c, tables_->first_position(c), prices_->slack(c)});
        });
    }
    void step(std::size_t s, node_id v, price limit) {
        if (const entry* covered = find(states_[s], v)) return decide(s, v, {covered->owner, covered->position, 0}, false, limit);
        for (const start& b : here_) {
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
    void decide(std::size_t s, node_id v, start by, bool fresh, price limit) {
        const state from = states_[s];
        price above = from.above + by.slack;
        const auto reads = tables_->reads_at(by.position);
        work(1 + reads.size() + (from.end_open - from.first_open) / 4);
        changed_.clear();
        for (const std::uint32_t slot : reads) {
            const entry* const giver = find(from, tables_->wish_of(slot).producer);
            // Of what lies before a beginning, not all may be known.
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
        add_state(above, static_cast<std::uint32_t>(s), fresh ? by.candidate : none_taken);
    }

    /// Notes what nodes after `last` can see of a node.
    void open_next(entry e, node_id last) {
        if (e.node <= last && (e.given == proof_tables::not_given || last_reader_[e.node] <= last)) return;
        if (e.owner != done && last_member(e.owner) <= last) e.owner = e.position = done;
        open_next_.push_back(e);
    }

    /// Adds a state with what is open from `first_open_` on. Of states that later nodes cannot tell apart the one stays that is the least
    /// above the bound, the first of equals.
    void add_state(price above, std::uint32_t before, candidate_index taken) {
        std::uint64_t hash = 0;
        for (std::size_t i = first_open_; i < open_next_.size(); ++i) {
            const entry& e = open_next_[i];
            hash = (hash ^ (std::uint64_t{e.node} << 32 | e.owner)) * 0x9E37'79B9'7F4A'7C15u;
            hash += (e.made << 32 ^ e.given) * 0xC2B2'AE3D'27D4'EB4Fu;
            hash ^= hash >> 29;
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
            least_ = std::min(least_, above);
            return;
        }
        same = static_cast<std::uint32_t>(states_.size());
        states_.push_back(made);
        least_ = std::min(least_, above);
        // More than fits is too many, whatever was asked for.
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
    std::vector<node_id> last_reader_;
    std::vector<candidate_index> left_;
    /// Places in `left_` by first node; and of the node that is looked at, what may be had.
    proof_order starts_;
    std::vector<start> here_;

    std::vector<state> states_;
    /// Of the last layer and of the one that is made, which begins with the state `layer_`; its places by hash.
    std::vector<entry> open_, open_next_;
    std::size_t layer_ = 0;
    std::size_t first_open_ = 0;
    price least_ = 0;  // of the layer that is made
    std::vector<std::uint32_t> known_;
    std::vector<change> changed_;

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
