// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_FALLBACK_POLICY_HPP
#define INLAY_PLAN_FALLBACK_POLICY_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/core/id.hpp>
#include <inlay/core/in_force.hpp>

namespace inlay {

/// What a plan may do with a node: run it on the fallback without a word, with a warning, or not at all. The later the stricter.
enum class fallback_policy : std::uint8_t { allow, warn, require };

/// Their names, in their order.
inline constexpr std::array<std::string_view, 3> fallback_policy_names{"allow", "warn", "require"};

[[nodiscard]] constexpr std::string_view name_of(fallback_policy p) { return fallback_policy_names[static_cast<std::size_t>(p)]; }
/// The policy of that name; nothing where there is none.
[[nodiscard]] constexpr std::optional<fallback_policy> fallback_policy_named(std::string_view name) {
    for (std::size_t i = 0; i < fallback_policy_names.size(); ++i)
        if (name == fallback_policy_names[i]) return static_cast<fallback_policy>(i);
    return std::nullopt;
}

/// A policy for some nodes.
struct fallback_rule {
    fallback_policy policy = fallback_policy::warn;
    std::vector<node_id> nodes{};  // none: it is for every node
    std::string text{};            // what messages call it
};

/// A node that the fallback runs, under a policy other than `allow`.
struct fallback {
    node_id node = no_node;
    fallback_policy policy = fallback_policy::warn;

    friend bool operator==(const fallback&, const fallback&) = default;
};

/// The rules by node. Where several speak of a node the strictest counts, of equal ones the first.
class fallback_rules {
public:
    fallback_rules() = default;
    /// Nodes that the graph of that size has not are passed over.
    fallback_rules(std::span<const fallback_rule> rules, std::size_t size) {
        if (rules.empty()) return;
        rule_of_.assign(size, no_rule);
        for (std::size_t r = 0; r < rules.size(); ++r) {
            policies_.push_back(rules[r].policy);
            texts_.push_back(rules[r].text);
            const auto set = [&](node_id n) {
                if (n < size &&
                    (rule_of_[n] == no_rule || (in_force<"partition.fallback.strictest">() && policies_[rule_of_[n]] < rules[r].policy)))
                    rule_of_[n] = r;
            };
            for (const node_id n : rules[r].nodes) set(n);
            if (rules[r].nodes.empty())
                for (node_id n = 0; n < size; ++n) set(n);
        }
    }

    [[nodiscard]] fallback_policy of(node_id n) const {
        return n < rule_of_.size() && rule_of_[n] != no_rule ? policies_[rule_of_[n]] : fallback_policy::allow;
    }
    /// What messages call the rule of a node; empty where there is none.
    [[nodiscard]] std::string_view text(node_id n) const {
        return n < rule_of_.size() && rule_of_[n] != no_rule ? std::string_view(texts_[rule_of_[n]]) : std::string_view();
    }
    /// Whether the fallback may take the candidate: composites stay whole, so one node that it must not have is enough.
    [[nodiscard]] bool admit(const candidate& c) const {
        for (const node_id n : c.nodes)
            if (in_force<"partition.fallback.require">() && of(n) == fallback_policy::require) return false;
        return true;
    }
    /// Of a cover: the nodes that the fallback runs under a policy other than `allow`, ascending.
    [[nodiscard]] std::vector<fallback> fallbacks(const candidate_set& set, std::span<const std::size_t> chosen, backend_id last) const {
        std::vector<fallback> found;
        if (rule_of_.empty()) return found;
        std::vector<char> runs(rule_of_.size(), 0);
        for (const std::size_t c : chosen)
            if (set.candidates[c].backend == last)
                for (const node_id n : set.candidates[c].nodes) runs[n] = 1;
        for (node_id n = 0; n < runs.size(); ++n)
            if (in_force<"partition.fallback.warn">() && runs[n] != 0 && of(n) != fallback_policy::allow) found.push_back({n, of(n)});
        return found;
    }

private:
    static constexpr std::size_t no_rule = static_cast<std::size_t>(-1);
    std::vector<std::size_t> rule_of_;  // by node; empty where there are no rules
    std::vector<fallback_policy> policies_;
    std::vector<std::string> texts_;
};

}  // namespace inlay

#endif
