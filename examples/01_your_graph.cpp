// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// A struct of two vectors is a graph: inlay asks for four functions and copies nothing. Patterns are then matched on it directly.
//
// Prints:
//   pattern: relu(?sum:add(matmul(*, *), ?bias))
//   node 5 matches: sum 4, bias 3, covers 2 4 5
//   node 6 does not match
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

#include <inlay/graph/users.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/match/match.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

namespace {

/// Somebody's own program: an operator per node, and what it reads.
struct my_graph {
    std::vector<std::string_view> operators;
    std::vector<std::vector<inlay::node_id>> reads;

    [[nodiscard]] std::size_t size() const { return operators.size(); }
    [[nodiscard]] std::string_view op(inlay::node_id n) const { return operators[n]; }
    [[nodiscard]] std::size_t arity(inlay::node_id n) const { return reads[n].size(); }
    [[nodiscard]] inlay::node_id operand(inlay::node_id n, std::size_t i) const { return reads[n][i]; }
};
static_assert(inlay::graph<my_graph>);

}  // namespace

int main() {
    // Operands stand before those who read them: relu(x * w + b), and relu of that.
    const my_graph g{{"x", "w", "matmul", "b", "add", "relu", "relu"}, {{}, {}, {0, 1}, {}, {2, 3}, {4}, {5}}};

    using namespace inlay::dsl;
    constexpr auto dense = op<"relu">(as<"sum">(op<"add">(op<"matmul">(any, any), as<"bias">)));
    std::printf("pattern: %s\n", inlay::to_text(inlay::view_of(dense)).c_str());

    const inlay::user_lists users(g);
    for (const inlay::node_id n : {inlay::node_id{5}, inlay::node_id{6}}) {
        const auto found = inlay::match(dense, g, users, n);
        if (!found) {
            std::printf("node %u does not match\n", n);
            continue;
        }
        std::printf("node %u matches: sum %u, bias %u, covers", n, found->at<"sum">(), found->at<"bias">());
        for (const inlay::node_id covered : found->nodes) std::printf(" %u", covered);
        std::printf("\n");
    }
}
