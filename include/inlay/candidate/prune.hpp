// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_PRUNE_HPP
#define INLAY_CANDIDATE_PRUNE_HPP

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <inlay/candidate/dataflow.hpp>
#include <inlay/candidate/node_set.hpp>
#include <inlay/candidate/quotient.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/sorted_list.hpp>

namespace inlay {

/// All that pruning looks at of a candidate.
struct owned_nodes {
    node_set nodes;
    backend_id owner = 0;
};

/// What pruning leaves: the places of those kept, ascending.
struct pruned {
    std::vector<std::size_t> kept;
    bool gave_all_back = false;  // no cover was found among fewer of them
};

namespace detail {

/// The heuristic, and a witness that it left a cover.
class pruner {
public:
    pruner(const dataflow& flow, std::span<const node_id> to_cover, std::span<const owned_nodes> all)
        : flow_(flow), to_cover_(to_cover), all_(all), with_(flow.size()), available_(all.size(), 1), kept_(all.size()) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].nodes.empty()) {
                available_[i] = 0;
                continue;
            }
            for (const node_id n : all[i].nodes) with_[n].push_back(i);
        }
        // Of equal ones of an owner the first stays; they would be each other's supersets.
        for (std::size_t i = 0; i < all.size(); ++i)
            if (available_[i] != 0)
                for (const std::size_t j : with_[all[i].nodes.first()])
                    if (j > i && all[j].owner == all[i].owner && all[j].nodes == all[i].nodes) available_[j] = 0;
        unique_ = available_;
    }

    [[nodiscard]] pruned run(std::size_t steps) {
        while (keep_greatest()) drop_crossing();
        pruned left;
        left.gave_all_back = !has_cover(steps);
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (kept_[i] != 0 || (left.gave_all_back && unique_[i] != 0)) left.kept.push_back(i);
        return left;
    }

private:
    /// Keeps what is available and within no other one of its owner that is; whether any is new.
    bool keep_greatest() {
        bool any = false;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (available_[i] == 0 || kept_[i] != 0) continue;
            bool is_greatest = true;
            for (const std::size_t j : with_[all_[i].nodes.first()])
                is_greatest = is_greatest &&
                              (j == i || available_[j] == 0 || all_[j].owner != all_[i].owner || !is_subset(all_[i].nodes, all_[j].nodes));
            if (is_greatest) kept_[i] = 1;
            any = any || is_greatest;
        }
        return any;
    }
    /// Those kept that overlap another one kept make room for what is within them.
    void drop_crossing() {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (kept_[i] == 0 || available_[i] == 0) continue;
            for (const node_id n : all_[i].nodes)
                for (const std::size_t j : with_[n])
                    if (kept_[j] != 0 && !(all_[j].nodes == all_[i].nodes)) available_[i] = 0;
        }
    }

    /// Whether those kept have a cover that can run, as far as so many steps show. Small candidates are tried first: where each node has
    /// one of its own they are a cover, and nothing has to be taken back.
    bool has_cover(std::size_t steps) {
        std::vector<std::vector<std::size_t>> ways(flow_.size());
        std::vector<std::pair<std::size_t, std::size_t>> by_size;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (kept_[i] != 0) by_size.emplace_back(all_[i].nodes.size(), i);
        sort_list(by_size);
        for (const auto& [size, i] : by_size)
            for (const node_id n : all_[i].nodes) ways[n].push_back(i);

        struct level {
            std::size_t at;     // in to_cover_
            std::size_t way;    // the next to try
            std::size_t taken;  // the way that is taken; all_.size(): none
        };
        std::vector<char> covered(flow_.size());
        std::vector<level> path{{0, 0, all_.size()}};
        while (!path.empty()) {
            level& here = path.back();
            while (here.at < to_cover_.size() && here.taken == all_.size() && here.way == 0 && covered[to_cover_[here.at]] != 0) ++here.at;
            if (here.at == to_cover_.size()) {
                std::vector<node_set> parts;
                for (const level& l : path)
                    if (l.taken != all_.size()) parts.push_back(all_[l.taken].nodes);
                if (quotient(flow_, parts).is_acyclic()) return true;
                steps -= steps < flow_.size() ? steps : flow_.size();  // what the question took
                path.pop_back();
                continue;
            }
            if (here.taken != all_.size()) {
                for (const node_id n : all_[here.taken].nodes) covered[n] = 0;
                here.taken = all_.size();
            }
            const std::vector<std::size_t>& choices = ways[to_cover_[here.at]];
            for (; here.way < choices.size() && here.taken == all_.size(); ++here.way) {
                bool is_free = true;
                for (const node_id n : all_[choices[here.way]].nodes) is_free = is_free && covered[n] == 0;
                if (is_free) here.taken = choices[here.way];
            }
            if (here.taken == all_.size()) {
                path.pop_back();
                continue;
            }
            if (steps-- == 0) return false;
            for (const node_id n : all_[here.taken].nodes) covered[n] = 1;
            path.push_back({here.at, 0, all_.size()});
        }
        return false;
    }

    const dataflow& flow_;
    std::span<const node_id> to_cover_;
    std::span<const owned_nodes> all_;
    std::vector<std::vector<std::size_t>> with_;  // by node
    std::vector<char> available_, kept_, unique_;
};

}  // namespace detail

/// A choice among candidates that saves pricing, by the assumption that of one owner a union costs less than its parts, and that pieces of
/// two owners, none of them the greatest, cost no less than the better whole. It keeps of each owner what is within no other candidate of
/// it; where those overlap, what is within them as well, and so on. Of equal candidates of one owner the first stays.
///
/// The assumption may be wrong, so that the cheapest cover can be lost, but not all covers. A candidate of a cover that is not kept is
/// within one that is; if that one overlapped another one kept, its own pieces would be kept too; so it can stand for its pieces in the
/// cover. What can go wrong is that the greater ones read from each other in a cycle: where no cover that can run is found among those kept
/// within `steps` choices, all candidates come back. O(candidates of one node, for each candidate and round) besides.
[[nodiscard]] inline pruned prune(const dataflow& flow, std::span<const node_id> to_cover, std::span<const owned_nodes> candidates,
                                  std::size_t steps = 1'000'000) {
    return detail::pruner(flow, to_cover, candidates).run(steps);
}

}  // namespace inlay

#endif
