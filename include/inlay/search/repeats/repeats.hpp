// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_REPEATS_REPEATS_HPP
#define INLAY_SEARCH_REPEATS_REPEATS_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/model/rows.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// Equal stretches of a problem, one after the other: node `first + i * period + j`, for i below `count` and j below `period`, is to
/// stretch i what node `first + j` is to the first one. It reads what is as far before it, or the same node before `first`, from the third
/// stretch on no other node before `first`; as far after it stand its users; conversions of its tensor cost the same; and the candidates
/// whose last node it is have the same nodes, formats and costs, as far before it, in the same order.
struct repeat {
    node_id first = 0;
    std::uint32_t period = 0;
    std::uint32_t count = 0;

    /// The node after the last stretch.
    [[nodiscard]] node_id end() const { return first + period * count; }

    friend bool operator==(const repeat&, const repeat&) = default;
};

/// Row v: the candidates whose last node is v, ascending.
[[nodiscard]] inline rows<candidate_index> candidates_by_last_node(const problem_index& index) {
    return detail::make_rows<candidate_index>(index.nodes(), [&](auto visit) {
        for (std::size_t i = 0; i < index.candidates(); ++i) {
            const auto c = static_cast<candidate_index>(i);
            visit(index.members(c).back(), c);
        }
    });
}

/// Finds the longest repeat of a problem.
class repeat_finder {
public:
    /// `ending` is as `candidates_by_last_node` gives it. Both must outlive this.
    repeat_finder(const problem_index& index, const rows<candidate_index>& ending) : index_(&index), ending_(&ending) {}

    /// The repeat that covers the most nodes of those that are found, with stretches that begin where a single tensor is read further on,
    /// but for those from before the first; none with fewer than `least` stretches. Which distances are looked at is guessed from equal
    /// neighbourhoods; what is found is compared in full. O(size of the problem).
    [[nodiscard]] std::optional<repeat> operator()(std::uint32_t least) const {
        std::optional<repeat> best;
        for (const std::uint32_t period : likely_periods()) {
            const auto nodes = static_cast<node_id>(index_->nodes());
            node_id first = 0;
            for (node_id v = 0; v + period <= nodes; ++v) {
                const bool same = v + period < nodes && matches(v, period);
                if (same) continue;
                // Nodes from `first` up to but without v are as those a period later.
                if (v > first && (v - first) / period + 1 >= least) {
                    const auto found = cut(first, v + period, period);
                    if (found && found->count >= least && (!best || found->end() - found->first > best->end() - best->first)) best = found;
                }
                first = v + 1;
            }
            if (best) return best;
        }
        return best;
    }

    /// Whether node v is to its surroundings what the node `period` further on is to its own.
    [[nodiscard]] bool matches(node_id v, std::uint32_t period) const {
        const node_id w = v + period;
        const auto later = [&](node_id a, node_id b) { return b == a + period; };
        const auto same_list = [](auto x, auto y, const auto& equal) {
            return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), equal);
        };
        const auto later_or_outside = [&](node_id a, node_id b) { return later(a, b) || (a == b && a + period < v); };
        if (!same_list(index_->users(v), index_->users(w), later)) return false;
        if (!same_list(index_->producers(v), index_->producers(w), later_or_outside)) return false;
        if (!index_->same_conversions(v, w)) return false;
        return same_list((*ending_)[v], (*ending_)[w], [&](candidate_index c, candidate_index d) {
            const problem_candidate& x = index_->of().candidates[c];
            const problem_candidate& y = index_->of().candidates[d];
            const auto same_format = [](const tensor_format& s, const tensor_format& t) { return s.format == t.format; };
            return x.cost == y.cost && x.backend == y.backend && same_list(index_->members(c), index_->members(d), later) &&
                   same_list(index_->reads(c), index_->reads(d), same_format) && same_list(index_->gives(c), index_->gives(d), same_format);
        });
    }

private:
    /// The distances at which most neighbourhoods come again.
    [[nodiscard]] std::vector<std::uint32_t> likely_periods() const {
        constexpr std::size_t around = 8;
        constexpr std::uint64_t spread = 0x9E37'79B9'7F4A'7C15u;
        const std::size_t nodes = index_->nodes();
        if (nodes < 2 * around) return {};
        std::vector<std::uint64_t> sign;
        for (std::size_t v = 0; v < nodes; ++v) {
            std::uint64_t hash = index_->producers(static_cast<node_id>(v)).size();
            const auto note = [&](std::uint64_t number) { hash = (hash ^ number) * spread ^ (hash >> 29); };
            for (const node_id user : index_->users(static_cast<node_id>(v))) note(user - v);
            for (const candidate_index c : (*ending_)[v]) {
                note(std::bit_cast<std::uint64_t>(index_->of().candidates[c].cost));
                note(index_->members(c).size());
            }
            sign.push_back(hash);
        }
        // A polynomial over the signs of some nodes in a row.
        std::uint64_t highest = 1, sum = 0;
        for (std::size_t i = 0; i < around; ++i) highest *= spread;
        const std::size_t slots = std::bit_ceil(nodes * 2);
        constexpr std::uint32_t none = 0xFFFF'FFFFu;
        std::vector<std::uint32_t> last(slots, none), votes(nodes, 0);
        std::vector<std::uint64_t> sums(nodes);
        for (std::size_t v = 0; v < nodes; ++v) {
            sum = sum * spread + sign[v];
            if (v >= around) sum -= highest * sign[v - around];
            if (v + 1 < around) continue;
            sums[v] = sum;
            std::size_t at = (sum >> 20) & (slots - 1);
            while (last[at] != none && sums[last[at]] != sum) at = (at + 1) & (slots - 1);
            if (last[at] != none) ++votes[v - last[at]];
            last[at] = static_cast<std::uint32_t>(v);
        }
        std::vector<std::uint32_t> periods;
        for (std::uint32_t d = 1; d < nodes; ++d)
            if (votes[d] > nodes / 16) periods.push_back(d);
        std::sort(periods.begin(), periods.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return votes[a] != votes[b] ? votes[a] > votes[b] : a < b; });
        return periods;
    }

    /// Of nodes that repeat after a period, from `first` up to but without `end`, the stretches of which each leaves a single tensor to the
    /// next.
    [[nodiscard]] std::optional<repeat> cut(node_id first, node_id end, std::uint32_t period) const {
        if (end - first < 3 * period) return std::nullopt;
        // How many more tensors of the second period are read at or after a node, or later, than at or after the one before it.
        std::vector<std::int64_t> more(2 * static_cast<std::size_t>(period) + 2, 0);
        for (std::uint32_t k = 0; k < period; ++k) {
            const node_id u = first + period + k;
            const auto users = index_->users(u);
            if (users.empty()) continue;
            if (users.back() - u > period) return std::nullopt;
            ++more[k + 1];
            --more[users.back() - first - period + 1];
        }
        // By offset how many tensors of the second period or the one before it are read after that.
        std::vector<std::int64_t> live(period, 0);
        std::int64_t now = 0;
        for (std::uint32_t k = 0; k < 2 * period; ++k) live[k % period] += now += more[k];
        const auto offset = std::find(live.begin(), live.end(), 1);
        if (offset == live.end()) return std::nullopt;
        const auto from = static_cast<node_id>(first + (offset - live.begin()));
        const repeat made{from, period, (end - from) / period};
        if (!reads_alike_outside(made)) return std::nullopt;
        return made;
    }

    /// Whether the stretches from the third on read the same nodes before the first one.
    [[nodiscard]] bool reads_alike_outside(const repeat& of) const {
        for (node_id v = of.first + 2 * of.period; v + of.period < of.end(); ++v) {
            const auto here = index_->producers(v), there = index_->producers(v + of.period);
            for (std::size_t i = 0; i < here.size() && here[i] < of.first; ++i)
                if (here[i] != there[i]) return false;
        }
        return true;
    }

    const problem_index* index_;
    const rows<candidate_index>* ending_;
};

/// How many stretches of a repeat a shortened problem shows: what comes before and after them is next to one each, and two are as those
/// between.
inline constexpr std::uint32_t shown_stretches = 4;

/// A problem with fewer stretches than it had.
struct shortened_problem {
    problem shown;
    /// Of each candidate of `shown`, the one of the whole problem that it is.
    std::vector<candidate_index> stands_for;
};

/// A problem with only the first `shown_stretches` of its repeat; what follows the last stretch follows those. None where something after
/// the stretches reads more than the last of them. O(size of what is left).
[[nodiscard]] inline std::optional<shortened_problem> shorten(const problem_index& index, const rows<candidate_index>& ending,
                                                              const repeat& of) {
    const problem& given = index.of();
    const node_id shown_end = of.first + of.period * shown_stretches;
    const node_id gap = of.end() - shown_end;
    const node_id last_stretch = of.end() - of.period;
    shortened_problem made;
    made.shown.nodes = given.nodes - gap;
    made.shown.formats = given.formats;
    made.shown.conversions = given.conversions;
    made.shown.share_conversions = given.share_conversions;
    made.shown.acyclic = given.acyclic;
    const auto whole = [&](node_id v) { return v < shown_end ? v : v + gap; };
    // Where what stands at or after the end of the stretches finds a node; `no_node` if that is in none but the last of them.
    const auto seen_after = [&](node_id v) { return v < of.first ? v : v < last_stretch ? no_node : v - gap; };
    std::vector<const std::vector<double>*> own(given.nodes, nullptr);
    for (const node_conversions& c : given.conversions_of) own[c.node] = &c.prices;
    for (node_id shown = 0; shown < made.shown.nodes; ++shown) {
        const node_id v = whole(shown);
        for (const node_id u : index.producers(v)) {
            const node_id from = v < shown_end ? u : seen_after(u);
            if (from == no_node) return std::nullopt;
            made.shown.edges.push_back({from, shown});
        }
        if (own[v] != nullptr) made.shown.conversions_of.push_back({shown, *own[v]});
        for (const candidate_index c : ending[v]) {
            made.stands_for.push_back(c);
            problem_candidate copy = given.candidates[c];
            if (v >= shown_end) {
                bool fits = true;
                const auto move = [&](node_id& node) {
                    node = seen_after(node);
                    fits = fits && node != no_node;
                };
                for (node_id& node : copy.nodes) move(node);
                for (tensor_format& t : copy.in_of) move(t.node);
                for (tensor_format& t : copy.out_of) move(t.node);
                if (!fits) return std::nullopt;
            }
            made.shown.candidates.push_back(std::move(copy));
        }
    }
    return made;
}

}  // namespace inlay

#endif
