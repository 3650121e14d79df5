// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_COMBINE_POOL_HPP
#define INLAY_CANDIDATE_RULES_COMBINE_POOL_HPP

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/candidate/subgraph_limits.hpp>

namespace inlay {

struct combiner_tag {};

/// A way to make a subgraph out of others, as an empty type for `combine_rule`: `C::grow(pool, fresh)` joins the candidate in place `fresh`
/// with such as stand in the pool's lists, where it stands itself already. Each combination is thus met once, when its last member comes.
template <class C>
concept combiner = std::derived_from<C, combiner_tag> && std::is_empty_v<C>;

/// The candidates that a `combine_rule` works on: a list that grows, with lists of who begins, ends and reads where. Lists by node have
/// places in the order in which they were taken up.
class combine_pool {
public:
    combine_pool(const dataflow& flow, std::size_t max_depth, const rule_options& most)
        : flow_(flow), max_depth_(max_depth), most_(most), by_entry_(flow.size()), by_exit_(flow.size()), by_input_(flow.size()) {}

    [[nodiscard]] const dataflow& flow() const { return flow_; }
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    /// Good until the next candidate is added.
    [[nodiscard]] const subgraph& operator[](std::size_t i) const { return all_[i].part; }

    /// Those taken up of which the node is an entry, an exit, an input.
    [[nodiscard]] const std::vector<std::size_t>& with_entry(node_id n) const { return by_entry_[n]; }
    [[nodiscard]] const std::vector<std::size_t>& with_exit(node_id n) const { return by_exit_[n]; }
    [[nodiscard]] const std::vector<std::size_t>& with_input(node_id n) const { return by_input_[n]; }

    /// Adds what there is to begin with; of equal ones the first stays.
    void begin_with(ruled_subgraph&& c) {
        if (index_.find(all_, c.part.nodes(), c.part.nested()) != detail::subgraph_index::none) return;
        all_.push_back(std::move(c));
        index_.add_last(all_);
        ++begun_with_;
    }

    /// Adds the union of disjoint candidates and some nodes besides, unless it is there already or past mending.
    void add_union(std::span<const std::size_t> members, const node_set& more = {}) {
        count_try();
        if (!may_go_on()) return;
        ruled_subgraph made;
        node_set nodes = more;
        std::vector<nested_part> nested;
        made.is_free = true;
        for (const std::size_t m : members) {
            nodes = nodes | all_[m].part.nodes();
            nested = joined_parts(std::move(nested), all_[m].part.nested());
            made.is_free = made.is_free && all_[m].is_free;
        }
        if (index_.find(all_, nodes, nested) != detail::subgraph_index::none) return;
        made.part = subgraph(flow_, std::move(nodes), std::move(nested));
        if (detail::is_infeasible(flow_, made.part, max_depth_)) return;
        if (all_.size() - begun_with_ == most_.candidates) {
            is_full_ = true;
            return;
        }
        for (const std::size_t m : members) made.rule = m == members[0] ? all_[m].rule : joined_rules(std::move(made.rule), all_[m].rule);
        all_.push_back(std::move(made));
        index_.add_last(all_);
    }

    /// Takes the candidate at this place up into the lists.
    void take_up(std::size_t i) {
        for (const node_id n : all_[i].part.entries()) by_entry_[n].push_back(i);
        for (const node_id n : all_[i].part.exits()) by_exit_[n].push_back(i);
        for (const node_id n : all_[i].part.inputs()) by_input_[n].push_back(i);
    }

    /// Counts a combination that was looked at, whatever came of it.
    void count_try() {
        if (tried_ == most_.combinations)
            is_tired_ = true;
        else
            ++tried_;
    }

    /// Whether no bound has been hit.
    [[nodiscard]] bool may_go_on() const { return !is_full_ && !is_tired_; }

    /// What to say where one has been; the candidates that it has are sound, and there would be more.
    [[nodiscard]] std::string bound_that_was_hit() const {
        const std::string made = std::to_string(all_.size() - begun_with_) + " subgraphs out of " + std::to_string(begun_with_);
        if (is_full_) return "combining stopped when it had made " + made + "; raise rule_options::candidates, or combine to less depth";
        return "combining stopped after " + std::to_string(tried_) + " tries, having made " + made +
               "; raise rule_options::combinations, or combine to less depth";
    }

    [[nodiscard]] std::vector<ruled_subgraph> finish() && { return std::move(all_); }

private:
    const dataflow& flow_;
    std::size_t max_depth_;
    const rule_options& most_;
    std::vector<ruled_subgraph> all_;
    detail::subgraph_index index_;
    std::size_t begun_with_ = 0, tried_ = 0;
    bool is_full_ = false, is_tired_ = false;
    std::vector<std::vector<std::size_t>> by_entry_, by_exit_, by_input_;
};

}  // namespace inlay

#endif
