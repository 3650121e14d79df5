// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_REPRESENTATIVES_HPP
#define INLAY_SEARCH_MODEL_REPRESENTATIVES_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay::detail {

/// For each admitted candidate the cheapest, then first, with the same nodes in the same formats. O(the candidates' sizes).
[[nodiscard]] inline std::vector<candidate_index> representatives(const problem_index& index, const std::vector<bool>& admitted) {
    const auto same = [&](candidate_index a, candidate_index b) {
        const auto nodes = index.members(a), others = index.members(b);
        if (!std::equal(nodes.begin(), nodes.end(), others.begin(), others.end())) return false;
        // The same nodes read and give the same tensors.
        const auto same_formats = [](std::span<const tensor_format> x, std::span<const tensor_format> y) {
            return std::equal(x.begin(), x.end(), y.begin(),
                              [](const tensor_format& s, const tensor_format& t) { return s.format == t.format; });
        };
        return same_formats(index.reads(a), index.reads(b)) && same_formats(index.gives(a), index.gives(b));
    };
    const auto hash_of = [&](candidate_index c) {
        std::uint64_t hash = 0;
        const auto note = [&](std::uint64_t number) { hash = (hash ^ number) * 0x9E37'79B9'7F4A'7C15u; };
        for (const node_id v : index.members(c)) note(v);
        for (const tensor_format& read : index.reads(c)) note(read.format);
        for (const tensor_format& gift : index.gives(c)) note(gift.format);
        return static_cast<std::size_t>(hash >> 20);
    };
    const std::size_t count = index.candidates();
    // Open addressing; each group stands under its first candidate, and `best` is told there.
    std::vector<candidate_index> slots(std::bit_ceil(count * 2 + 1), no_candidate), best(count, no_candidate),
        representative(count, no_candidate);
    for (std::size_t i = 0; i < count; ++i) {
        const auto c = static_cast<candidate_index>(i);
        if (!admitted[c]) continue;
        std::size_t at = hash_of(c) & (slots.size() - 1);
        while (slots[at] != no_candidate && !same(slots[at], c)) at = (at + 1) & (slots.size() - 1);
        if (slots[at] == no_candidate) slots[at] = best[c] = c;
        const candidate_index first = representative[c] = slots[at];
        if (index.of().candidates[c].cost < index.of().candidates[best[first]].cost) best[first] = c;
    }
    for (candidate_index& stands : representative)
        if (stands != no_candidate) stands = best[stands];
    return representative;
}

}  // namespace inlay::detail

#endif
