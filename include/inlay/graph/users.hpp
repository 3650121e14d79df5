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
    explicit user_lists(const G& g) : begin_(g.size() + 1) {
        const std::size_t size = g.size();
        // The node that read each node last; node 0 can read nothing.
        std::vector<node_id> last(size);
        for (node_id n = 1; n < size; ++n)
            for (std::size_t i = 0; i < g.arity(n); ++i) {
                const node_id from = g.operand(n, i);
                if (last[from] != n) ++begin_[from];
                last[from] = n;
            }
        for (std::size_t n = 1; n <= size; ++n) begin_[n] += begin_[n - 1];
        std::vector<node_id> users(begin_[size]);
        // Now each list ends where it is to begin: it is filled from behind.
        for (node_id& n : last) n = 0;
        for (auto n = static_cast<node_id>(size); n-- > 1;)
            for (std::size_t i = 0; i < g.arity(n); ++i) {
                const node_id from = g.operand(n, i);
                if (last[from] != n) users[--begin_[from]] = n;
                last[from] = n;
            }
        users_.swap(users);
    }

    [[nodiscard]] std::span<const node_id> operator[](node_id n) const { return {users_.data() + begin_[n], count(n)}; }
    [[nodiscard]] std::size_t count(node_id n) const { return begin_[n + 1] - begin_[n]; }

private:
    std::vector<std::uint32_t> begin_;
    std::vector<node_id> users_;
};

}  // namespace inlay

#endif
