// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_RESIDUAL_DP_HPP
#define INLAY_SEARCH_PROOF_RESIDUAL_DP_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/proof/frontier_dp.hpp>
#include <inlay/search/proof/proof_prices.hpp>
#include <inlay/search/proof/proof_tables.hpp>

namespace inlay {

/// Looks whether the candidates that prices have left make a cover below the bound at all: node by node, over what the nodes to come
/// can see of those decided. Prices make this small, since every slack and every conversion above its least counts against the gap.
///
/// Where one tensor is all that joins what comes before a node to what comes after, but for such as have been read before, the nodes fall
/// into blocks. After each block those ways are kept that are little above the least so far; all others are known to be that much above it
/// at least. Where the least way has to begin with one of those others, of which it knows no more than who covers the tensor that joins,
/// it is looked for again from an earlier block, among more ways. A long network's gap is made of a few blocks' small ones, far apart.
///
/// Cycles between parts are not looked at. Shares nothing with the search.
class residual_dp {
public:
    /// How it ended.
    enum class verdict : std::uint8_t { no_cover, cover, too_many_states };

    /// A block has at least `least_block` nodes.
    residual_dp(const proof_tables& tables, proof_prices& prices, std::size_t least_block = 100)
        : tables_(&tables), prices_(&prices), least_block_(least_block), ways_(tables, prices), first_reader_(tables.of().nodes, no_node) {
        for (const problem_edge& e : tables.of().edges) first_reader_[e.from] = std::min(first_reader_[e.from], e.to);
        find_cuts();
    }

    /// After `proof_prices::apply`, with the candidates that it has left. O(states times candidates of a node); there are at most
    /// `most_states`, and as many again for each node, but never more than fit, nor more in all calls together than some seconds take.
    [[nodiscard]] verdict operator()(std::span<const std::uint8_t> alive, std::size_t most_states) {
        constexpr std::size_t most_ever = std::size_t{1} << 24;
        const problem& given = tables_->of();
        cover_.clear();
        ways_.prepare(alive, std::min(most_states + 64 * std::size_t{given.nodes}, most_ever));
        if (given.share_conversions && given.formats > 64) return verdict::too_many_states;
        find_blocks();
        gap_ = prices_->target() - prices_->bound();
        least_ = 0;
        open_.clear();
        taken_.clear();
        kept_.assign(1, {});
        borders_.assign(1, {0, 1, gap_});
        for (std::size_t b = 0; b < blocks_.size(); ++b)
            if (!pass(b)) return ways_.is_spent() ? verdict::too_many_states : verdict::no_cover;
        const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(borders_.back().first);
        const auto best = std::min_element(last, kept_.end(), [](const kept& a, const kept& b) { return a.above < b.above; });
        for (const kept* at = &*best; at != &kept_[0]; at = &kept_[at->before])
            cover_.insert(cover_.end(), taken_.begin() + static_cast<std::ptrdiff_t>(at->first_taken),
                          taken_.begin() + static_cast<std::ptrdiff_t>(at->end_taken));
        std::sort(cover_.begin(), cover_.end());
        return verdict::cover;
    }

    /// After the verdict `cover`: the cheapest one, cycles not looked at.
    [[nodiscard]] const std::vector<candidate_index>& cover() const { return cover_; }
    [[nodiscard]] std::size_t states() const { return ways_.looked_at(); }
    /// How many blocks were looked through one after the other, if any.
    [[nodiscard]] std::size_t blocks() const { return blocks_.size() > 1 ? blocks_.size() : 0; }

private:
    using price = proof_prices::price;

    /// Where a block may begin: of what comes before, it is the first to read the tensor of `joined_by`; `no_node` if of none.
    struct cut {
        node_id before;
        node_id joined_by;
    };
    /// A way that stands before a block, with what is open of it.
    struct kept {
        price above = 0;
        std::size_t first_open = 0, end_open = 0;
        /// The earlier one that it continues, and the candidates that it has besides.
        std::size_t before = 0;
        std::size_t first_taken = 0, end_taken = 0;
        /// The block before which it began with a guess; 0 if it is a way from the start.
        std::size_t guessed = 0;
    };
    /// The ways that are kept before a block; what all others are above the bound at least.
    struct border {
        std::size_t first, end;
        price floor;
    };

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

    /// Cuts that no candidate lies across, but for those that cover the tensor which joins the two sides; and who covers it.
    void find_blocks() {
        blocks_.assign(1, {0, no_node});
        joining_.clear();
        // What is not known is left out, which must not be less than nothing.
        if (cuts_.empty() || prices_->told_roughly()) return;
        const std::size_t nodes = tables_->of().nodes;
        across_.assign(nodes + 1, 0);
        joins_.assign(nodes, 0);
        wide_.clear();
        for (const candidate_index c : ways_.left()) {
            const auto members = tables_->members(c);
            if (members.size() < 2) continue;
            wide_.push_back(c);
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
        for (const cut& c : cuts_) {
            if (c.before - blocks_.back().before < least_block_ || across_[c.before] != 0) continue;
            blocks_.push_back(c);
            if (c.joined_by == no_node || joins_[c.joined_by] != 0) continue;
            joins_[c.joined_by] = 1;
            ways_.each_start(c.joined_by, [&](candidate_index single) {
                if (tables_->members(single).size() == 1) joining_.push_back({c.joined_by, single});
            });
        }
        for (const candidate_index c : wide_)
            for (const node_id m : tables_->members(c))
                if (joins_[m] != 0) joining_.push_back({m, c});
        std::sort(joining_.begin(), joining_.end());
    }

    /// Goes through a block; false if every cover is beyond the gap, or there is too much to be gone through.
    [[nodiscard]] bool pass(std::size_t b) {
        const auto blocks = static_cast<price>(blocks_.size());
        const node_id end = b + 1 < blocks_.size() ? blocks_[b + 1].before : tables_->of().nodes;
        // Ways that are far above the least are many, and seldom wanted.
        price more = larger(std::max<price>(1, gap_ / blocks));
        for (std::size_t from = b;;) {
            const price limit = std::min(gap_, least_ + more);
            begin(from, limit);
            const auto last = ways_.walk(blocks_[from].before, end, limit);
            if (ways_.is_spent()) return false;
            if (!last) {
                if (limit == gap_) return false;
                more = larger(more);
                continue;
            }
            const auto& states = ways_.states();
            std::size_t best = *last;
            for (std::size_t s = *last; s < states.size(); ++s)
                if (states[s].above < states[best].above) best = s;
            // Before the first block nothing is guessed.
            if (const std::size_t guessed = begun_[root_of(best)].guessed; guessed != 0) {
                from = guessed - 1;
                continue;
            }
            least_ = states[best].above;
            keep(*last, limit);
            return !ways_.is_spent();
        }
    }
    [[nodiscard]] price larger(price more) const { return more > gap_ / 4 ? proof_prices::infinite_cost : more * 4; }

    /// Every way in which a block may begin that is below the limit: those that are kept, and guesses.
    void begin(std::size_t b, price limit) {
        ways_.clear();
        begun_.clear();
        const border& at = borders_[b];
        for (std::size_t k = at.first; k < at.end; ++k) {
            if (kept_[k].above >= limit) continue;
            ways_.begin_with(kept_[k].above, std::span(open_).subspan(kept_[k].first_open, kept_[k].end_open - kept_[k].first_open));
            begun_.push_back({k, kept_[k].guessed});
        }
        if (at.floor < limit) {
            const auto [before, joined] = blocks_[b];
            if (joined == no_node) ways_.begin_with(at.floor, {});
            for (auto i = std::lower_bound(joining_.begin(), joining_.end(), std::pair(joined, candidate_index{0}));
                 i != joining_.end() && i->first == joined; ++i)
                ways_.begin_with(at.floor, i->second, joined, before);
        }
        begun_.resize(ways_.states().size(), {0, b});
    }
    [[nodiscard]] std::size_t root_of(std::size_t s) const {
        while (ways_.states()[s].before != frontier_dp::no_state) s = ways_.states()[s].before;
        return s;
    }
    /// Keeps the states from one on, which are all below the limit.
    void keep(std::size_t first, price limit) {
        const auto& states = ways_.states();
        const std::size_t first_kept = kept_.size();
        for (std::size_t s = first; s < states.size() && !ways_.is_spent(); ++s) {
            kept made{states[s].above, open_.size(), 0, 0, taken_.size(), 0, 0};
            const auto open = ways_.open(states[s]);
            open_.insert(open_.end(), open.begin(), open.end());
            std::size_t root = s, length = 0;
            for (;; root = states[root].before, ++length) {
                if (states[root].taken != frontier_dp::none_taken) taken_.push_back(states[root].taken);
                if (states[root].before == frontier_dp::no_state) break;
            }
            made.before = begun_[root].kept;
            made.guessed = begun_[root].guessed;
            made.end_open = open_.size();
            made.end_taken = taken_.size();
            kept_.push_back(made);
            ways_.work(length);
            if (open_.size() > frontier_dp::most_open || taken_.size() > frontier_dp::most_open) ways_.spend_all();
        }
        borders_.push_back({first_kept, kept_.size(), limit});
    }

    const proof_tables* tables_;
    proof_prices* prices_;
    std::size_t least_block_;
    frontier_dp ways_;
    std::vector<node_id> first_reader_;
    std::vector<cut> cuts_;
    /// The first nodes of blocks, and by whom the tensors that join them are covered.
    std::vector<cut> blocks_;
    std::vector<std::pair<node_id, candidate_index>> joining_;
    std::vector<std::uint8_t> joins_;
    std::vector<std::int32_t> across_;
    std::vector<candidate_index> wide_;

    price gap_ = 0;
    /// What every way to the block that is looked at is above the bound, at least.
    price least_ = 0;
    std::vector<kept> kept_;
    std::vector<border> borders_;
    std::vector<frontier_dp::entry> open_;
    std::vector<candidate_index> taken_;
    /// By state that was begun with, which is kept, and `guessed` of that.
    struct beginning {
        std::size_t kept;
        std::size_t guessed;
    };
    std::vector<beginning> begun_;
    std::vector<candidate_index> cover_;
};

}  // namespace inlay

#endif
