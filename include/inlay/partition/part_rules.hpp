// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PARTITION_PART_RULES_HPP
#define INLAY_PARTITION_PART_RULES_HPP

#include <optional>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/partition/part_size.hpp>

namespace inlay {

/// What a part of one back end may come to at the most; what has no number is not limited.
struct part_cap {
    backend_id backend = 0;
    std::optional<double> most_nodes{};
    std::optional<double> most_bytes{};
    std::optional<double> most_live_bytes{};

    /// Whether a part of that size keeps to it.
    [[nodiscard]] bool admits(const part_size& size) const {
        return !(most_nodes && size.nodes > *most_nodes) && !(most_bytes && size.bytes > *most_bytes) &&
               !(most_live_bytes && size.live_bytes > *most_live_bytes);
    }

    friend bool operator==(const part_cap&, const part_cap&) = default;
};

/// What the parts of a cut have to keep to.
struct part_rules {
    /// Sets of nodes that are one part each, with nothing else in it; no node stands in two. Ascending.
    std::vector<std::vector<node_id>> kept{};
    std::vector<part_cap> caps{};
    /// Whether neighbours of one owner become one part; else each candidate outside of kept sets is one by itself.
    bool merge = true;

    [[nodiscard]] bool empty() const { return kept.empty() && caps.empty() && merge; }
};

}  // namespace inlay

#endif
