// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_EXISTING_PART_HPP
#define INLAY_PARTITION_EXISTING_PART_HPP

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/partition/plan_constraint.hpp>

namespace inlay {

/// A part that a program had before it was planned: some nodes, and whom they belong to.
struct existing_part {
    std::string name;   // its function's; empty where that had none
    std::string owner;  // the kind of a back end
    std::vector<node_id> nodes;

    friend bool operator==(const existing_part&, const existing_part&) = default;
};

/// The existing parts as constraints that keep them. `backends` is a `backend_list`; the error names the first part whose owner takes no
/// part in the plan.
template <class List>
[[nodiscard]] outcome<std::vector<plan_constraint>> keep_parts(std::span<const existing_part> parts, const List& backends) {
    std::vector<plan_constraint> kept;
    for (const existing_part& part : parts) {
        if (part.nodes.empty()) continue;
        plan_constraint& one = kept.emplace_back();
        one.rule = constraint_rule::keep;
        one.nodes = part.nodes;
        one.text = "the existing part" + (part.name.empty() ? "" : " " + quoted_text(part.name)) + " of " + quoted_text(part.owner);
        bool is_there = false;
        for (const std::size_t b : backends.chosen()) {
            if (backends.kind(b) != part.owner) continue;
            one.backend = static_cast<backend_id>(b);
            is_there = true;
        }
        if (in_force<"partition.existing.refused">() && !is_there)
            return error{one.text + " belongs to a back end that takes no part in this plan; name it among the targets"};
    }
    return kept;
}

/// Which candidates leave existing parts as they are: those that lie in one, with its owner, or have no node of any.
class existing_borders {
public:
    existing_borders() = default;
    existing_borders(std::span<const plan_constraint> kept, std::size_t size) {
        if (kept.empty()) return;
        part_of_.assign(size, 0);
        for (const plan_constraint& one : kept) {
            owners_.push_back(one.backend);
            for (const node_id n : one.nodes)
                if (n < size) part_of_[n] = owners_.size();
        }
    }

    [[nodiscard]] bool admit(const candidate& c) const {
        if (part_of_.empty() || c.nodes.empty()) return true;
        const std::size_t part = part_of_[c.nodes.front()];
        for (const node_id n : c.nodes)
            if (in_force<"partition.existing.borders">() && part_of_[n] != part) return false;
        return part == 0 || owners_[part - 1] == c.backend;
    }
    /// Whether it lies in an existing part.
    [[nodiscard]] bool within(const candidate& c) const {
        return !part_of_.empty() && !c.nodes.empty() && part_of_[c.nodes.front()] != 0 && admit(c);
    }

private:
    std::vector<std::size_t> part_of_;  // by node: the number of its part and 1, or 0
    std::vector<backend_id> owners_;
};

}  // namespace inlay

#endif
