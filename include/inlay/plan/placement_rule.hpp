// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PLACEMENT_RULE_HPP
#define INLAY_PLAN_PLACEMENT_RULE_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/placement.hpp>

namespace inlay {

/// Where nodes have to run: only back ends get them that run there (`runs_at`).
struct placement_rule {
    placement where;
    std::vector<node_id> nodes;
    std::string text;  // what messages call it
};

/// Which device of each type rules name by number. The error names two of one type: a plan runs on one device of each.
[[nodiscard]] inline outcome<std::map<device_type, std::int32_t>> devices_of(std::span<const placement_rule> rules) {
    std::map<device_type, std::int32_t> made;
    for (const placement_rule& r : rules) {
        if (!r.where.device || r.where.id == placement::any_id) continue;
        const auto [known, is_new] = made.try_emplace(*r.where.device, r.where.id);
        if (known->second != r.where.id)
            return error{"nodes are to run on " + to_string(placement::on(*r.where.device, known->second)) + " and on " +
                         to_string(placement::on(*r.where.device, r.where.id)) +
                         ", and a plan runs on one device of each type; place them on one, or plan each device's part by itself"};
    }
    return made;
}

/// The rules by node; each holds.
class placement_rules {
public:
    placement_rules() = default;
    /// Nodes that the graph of that size has not are passed over.
    placement_rules(std::span<const placement_rule> rules, std::size_t size) : rules_(rules.begin(), rules.end()) {
        if (rules.empty()) return;
        first_.assign(size, nothing);
        for (std::size_t r = 0; r < rules.size(); ++r)
            for (const node_id n : rules[r].nodes)
                if (n < size) {
                    more_.push_back({r, first_[n]});
                    first_[n] = more_.size() - 1;
                }
    }

    /// Whether a back end may have all nodes of a candidate: `runs(backend, place, formats of results)`.
    template <class Runs>
    [[nodiscard]] bool admit(const candidate& c, const Runs& runs) const {
        if (first_.empty()) return true;
        for (const node_id n : c.nodes)
            for (std::size_t at = first_[n]; at != nothing; at = more_[at].next)
                if (!runs(c.backend, rules_[more_[at].rule].where, std::span<const format>(c.formats.results))) return false;
        return true;
    }
    /// What rules say of a node, in their order.
    [[nodiscard]] std::vector<const placement_rule*> of(node_id n) const {
        std::vector<const placement_rule*> found;
        if (n >= first_.size()) return found;
        for (std::size_t at = first_[n]; at != nothing; at = more_[at].next) found.insert(found.begin(), &rules_[more_[at].rule]);
        return found;
    }

private:
    static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
    struct link {
        std::size_t rule, next;
    };
    std::vector<placement_rule> rules_;
    std::vector<std::size_t> first_;  // by node: of the rules about it; empty where there are no rules
    std::vector<link> more_;
};

}  // namespace inlay

#endif
