// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_RULE_CHASE_HPP
#define INLAY_REWRITE_RULE_CHASE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inlay {

/// Records which rules fire on nodes that other rules made. Where rewriting does not terminate, a cycle in this relation is the reason.
class rule_chase {
public:
    /// Firings before number `since` are not recorded: a chain that terminates has terminated by then.
    rule_chase(std::size_t rules, std::size_t since) : rules_(rules), since_(since), fed_(rules * rules, 0) {}

    /// Rule `by` fired as the firing of that number, on a node that rule `made` had made; any other number: on one that was there.
    void note(std::uint32_t made, std::uint32_t by, std::size_t firing) {
        if (made < rules_ && firing >= since_) fed_[made * rules_ + by] = 1;
    }

    /// The rules on a cycle, ascending. O(rules^3).
    [[nodiscard]] std::vector<std::size_t> ring() const {
        std::vector<char> reach = fed_;
        for (std::size_t k = 0; k < rules_; ++k)
            for (std::size_t i = 0; i < rules_; ++i)
                for (std::size_t j = 0; j < rules_ && reach[i * rules_ + k] != 0; ++j)
                    if (reach[k * rules_ + j] != 0) reach[i * rules_ + j] = 1;
        std::vector<std::size_t> list;
        for (std::size_t i = 0; i < rules_; ++i)
            if (reach[i * rules_ + i] != 0) list.push_back(i);
        return list;
    }

private:
    std::size_t rules_, since_;
    std::vector<char> fed_;
};

}  // namespace inlay

#endif
