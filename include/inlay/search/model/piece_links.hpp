// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_PIECE_LINKS_HPP
#define INLAY_SEARCH_MODEL_PIECE_LINKS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/search/problem_index.hpp>

namespace inlay::detail {

/// Pairs of nodes that must agree on a candidate though no edge joins them: for each candidate in several connected pieces, the
/// first nodes of one piece and the next.
[[nodiscard]] inline std::vector<std::pair<node_id, node_id>> links_between_pieces(const problem_index& index,
                                                                                   const std::vector<candidate_index>& representative) {
    std::vector<std::pair<node_id, node_id>> links;
    std::vector<std::uint32_t> piece;
    std::vector<std::uint32_t> stack;
    for (std::size_t i = 0; i < index.candidates(); ++i) {
        const auto c = static_cast<candidate_index>(i);
        const auto members = index.members(c);
        if (representative[c] != c || members.size() < 2) continue;
        piece.assign(members.size(), 0);
        node_id previous = 0;
        std::uint32_t pieces = 0;
        for (std::uint32_t first = 0; first < members.size(); ++first) {
            if (piece[first] != 0) continue;
            if (pieces++ > 0) links.emplace_back(previous, members[first]);
            previous = members[first];
            piece[first] = pieces;
            stack.assign(1, first);
            while (!stack.empty()) {
                const node_id v = members[stack.back()];
                stack.pop_back();
                for (const auto near : {index.users(v), index.producers(v)}) {
                    for (const node_id w : near) {
                        const auto at = std::lower_bound(members.begin(), members.end(), w);
                        if (at == members.end() || *at != w) continue;
                        const auto place = static_cast<std::uint32_t>(at - members.begin());
                        if (piece[place] != 0) continue;
                        piece[place] = pieces;
                        stack.push_back(place);
                    }
                }
            }
        }
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

}  // namespace inlay::detail

#endif
