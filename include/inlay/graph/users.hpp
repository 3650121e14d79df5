// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_USERS_HPP
#define INLAY_GRAPH_USERS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/graph/concepts.hpp>

namespace inlay {

/// The users of every node, in ascending order, each once however often it reads the node. Linear in the graph, built once: a
/// snapshot that knows nothing of later changes.
class user_lists {
public:
    user_lists() = default;

    template <graph G>
    explicit user_lists(const G& g) : begin_(g.size() + 1, 0) {
        const auto each_edge = [&](auto&& visit) {
            std::vector<node_id> last_user(g.size(), no_node);
            for (node_id n = 0; n < g.size(); ++n)
                for (std::size_t i = 0; i < g.arity(n); ++i) {
                    const node_id from = g.operand(n, i);
                    if (last_user[from] != n) visit(from, n);
                    last_user[from] = n;
                }
        };
        each_edge([&](node_id from, node_id) { ++begin_[from + 1]; });
        for (std::size_t n = 0; n < g.size(); ++n) begin_[n + 1] += begin_[n];
        users_.resize(begin_.back());
        std::vector<std::uint32_t> next(begin_.begin(), begin_.end());
        each_edge([&](node_id from, node_id to) { users_[next[from]++] = to; });
    }

    [[nodiscard]] std::span<const node_id> operator[](node_id n) const {
        return {users_.data() + begin_[n], users_.data() + begin_[n + 1]};
    }
    [[nodiscard]] std::size_t count(node_id n) const { return begin_[n + 1] - begin_[n]; }

private:
    std::vector<std::uint32_t> begin_;
    std::vector<node_id> users_;
};

}  // namespace inlay

#endif
