// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_ACYCLICITY_HPP
#define INLAY_SEARCH_MODEL_ACYCLICITY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/problem_index.hpp>

namespace inlay {

/// What the shape of a candidate means for cycles between parts.
enum class candidate_shape : std::uint8_t {
    /// Inside it every node that reads from outside reaches every node that is read outside.
    flow_through,
    /// Convex, but not flow-through.
    may_close_cycle,
    /// A way between two of its nodes leads outside: it is a cycle by itself.
    not_convex,
};

/// The shapes of a problem's candidates.
///
/// A cycle between parts that are all convex passes through at least two porous ones. For follow it: in a flow-through part the
/// way in reaches the way out, so that a stretch between two porous parts is a way in the graph. A cycle with no porous part
/// would be a cycle of the graph, and one with a single porous part would be a way of the graph that leaves that part and comes
/// back, so that it were not convex. By the same token whether chosen parts are acyclic depends on the porous ones alone: `p`
/// comes before `q` iff the graph has a way from a node of `p` to a node of `q`, whatever else is chosen.
struct candidate_shapes {
    std::vector<candidate_shape> of;
    /// The porous candidates that may take part in a cycle with other candidates that are disjoint from them: those on cycles of
    /// "comes before" between disjoint porous candidates. Sorted.
    std::vector<candidate_index> dangerous;
};

namespace detail {

/// Decides the shape of one candidate; keeps its scratch memory between calls.
class shape_of_candidate {
public:
    explicit shape_of_candidate(const problem_index& index) : index_(&index), stamp_(index.nodes(), 0) {}

    [[nodiscard]] candidate_shape operator()(candidate_index c) {
        const auto members = index_->members(c);
        if (members.size() < 2) return candidate_shape::flow_through;
        if (!is_convex(c)) return candidate_shape::not_convex;
        return is_flow_through(c, members) ? candidate_shape::flow_through : candidate_shape::may_close_cycle;
    }

    /// Whether no way between two of its nodes leads outside.
    [[nodiscard]] bool is_convex(candidate_index c) {
        const auto members = index_->members(c);
        if (members.size() < 2) return true;
        ++round_;
        walk_.clear();
        // Edges go upwards, so that nothing above the last member leads back.
        const auto visit_users = [&](node_id v) {
            for (const node_id w : index_->users(v)) {
                if (w > members.back() || stamp_[w] == round_ || problem_index::has(members, w)) continue;
                stamp_[w] = round_;
                walk_.push_back(w);
            }
        };
        for (const node_id v : members) visit_users(v);
        for (std::size_t next = 0; next < walk_.size(); ++next) {
            for (const node_id w : index_->users(walk_[next])) {
                if (problem_index::has(members, w)) return false;
            }
            visit_users(walk_[next]);
        }
        return true;
    }

private:
    bool is_flow_through(candidate_index c, std::span<const node_id> members) {
        const auto exits = index_->gives(c);
        if (exits.empty() || index_->reads(c).empty()) return true;
        // Calling a candidate porous is always safe; this bounds the work on huge ones.
        constexpr std::size_t most_work = 4'000'000;
        std::size_t work = 0;
        for (const node_id entry : members) {
            const auto producers = index_->producers(entry);
            const bool enters = std::any_of(producers.begin(), producers.end(), [&](node_id u) { return !problem_index::has(members, u); });
            if (!enters) continue;
            ++round_;
            walk_.assign(1, entry);
            stamp_[entry] = round_;
            for (std::size_t next = 0; next < walk_.size(); ++next) {
                for (const node_id w : index_->users(walk_[next])) {
                    if (stamp_[w] == round_ || !problem_index::has(members, w)) continue;
                    stamp_[w] = round_;
                    walk_.push_back(w);
                }
            }
            for (const tensor_format& exit : exits) {
                if (stamp_[exit.node] != round_) return false;
            }
            work += walk_.size();
            if (work > most_work) return false;
        }
        return true;
    }

    const problem_index* index_;
    std::vector<std::size_t> stamp_;
    std::size_t round_ = 0;
    std::vector<node_id> walk_;
};

/// The porous candidates on cycles of "comes before" between disjoint porous candidates; all of them where finding out would take
/// too long. O(porous * (nodes + edges) + porous^2 * nodes of one).
[[nodiscard]] inline std::vector<candidate_index> on_cycles(const problem_index& index,
                                                            const std::vector<candidate_index>& may_close_cycle) {
    constexpr std::size_t most_open = 2000;
    const std::size_t count = may_close_cycle.size();
    if (count < 2) return {};
    if (count > most_open) return may_close_cycle;
    const auto disjoint = [&](candidate_index a, candidate_index b) {
        const auto x = index.members(a);
        const auto y = index.members(b);
        for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
            if (x[i] == y[j]) return false;
            ++(x[i] < y[j] ? i : j);
        }
        return true;
    };
    std::vector<std::vector<std::uint32_t>> before(count);
    std::vector<std::size_t> reached(index.nodes(), 0);
    for (std::size_t p = 0; p < count; ++p) {
        const auto members = index.members(may_close_cycle[p]);
        for (const node_id v : members) reached[v] = p + 1;
        for (std::size_t v = members[0]; v < index.nodes(); ++v) {
            if (reached[v] != p + 1) continue;
            for (const node_id w : index.users(static_cast<node_id>(v))) reached[w] = p + 1;
        }
        for (std::size_t q = 0; q < count; ++q) {
            const auto others = index.members(may_close_cycle[q]);
            const bool meets = std::any_of(others.begin(), others.end(), [&](node_id v) { return reached[v] == p + 1; });
            if (meets && q != p && disjoint(may_close_cycle[p], may_close_cycle[q])) before[p].push_back(static_cast<std::uint32_t>(q));
        }
    }
    // What cannot be peeled off from either end lies on a cycle or between two.
    std::vector<bool> gone(count, false);
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<bool> has_before(count, false);
        for (std::size_t p = 0; p < count; ++p) {
            if (gone[p]) continue;
            for (const std::uint32_t q : before[p]) has_before[q] = true;
        }
        for (std::size_t p = 0; p < count; ++p) {
            if (gone[p]) continue;
            const bool has_after = std::any_of(before[p].begin(), before[p].end(), [&](std::uint32_t q) { return !gone[q]; });
            if (has_after && has_before[p]) continue;
            gone[p] = true;
            changed = true;
        }
    }
    std::vector<candidate_index> left;
    for (std::size_t p = 0; p < count; ++p) {
        if (!gone[p]) left.push_back(may_close_cycle[p]);
    }
    return left;
}

}  // namespace detail

/// The shapes of all candidates, and which of them may close a cycle. O(candidates * nodes near each) but for very wide ones.
[[nodiscard]] inline candidate_shapes shapes_of(const problem_index& index) {
    candidate_shapes made;
    detail::shape_of_candidate decide(index);
    std::vector<candidate_index> may_close_cycle;
    for (std::size_t i = 0; i < index.candidates(); ++i) {
        const auto c = static_cast<candidate_index>(i);
        made.of.push_back(decide(c));
        if (made.of.back() == candidate_shape::may_close_cycle) may_close_cycle.push_back(c);
    }
    made.dangerous = detail::on_cycles(index, may_close_cycle);
    return made;
}

/// Which candidates can be in a cover: all, but those that are a cycle by themselves where parts must have none. O(candidates * nodes near
/// each) but for very wide ones.
[[nodiscard]] inline std::vector<bool> convex_candidates(const problem_index& index) {
    std::vector<bool> convex(index.candidates(), true);
    if (!index.of().acyclic) return convex;
    detail::shape_of_candidate decide(index);
    for (std::size_t c = 0; c < convex.size(); ++c) convex[c] = decide.is_convex(static_cast<candidate_index>(c));
    return convex;
}

}  // namespace inlay

#endif
