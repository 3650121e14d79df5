// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// A graph of Boost's is cut into parts, arrow by arrow: seen as a graph of inlay's, searched for candidates, stated in numbers, selected,
// partitioned. Then the way back: a program of inlay's is a graph to Boost's own algorithms.
//
// Prints:
//   cost 7, no cover is cheaper than 7
//   fused takes 3 of 5 operations, at vertices 4 2 0
//   single takes 2 of 5 operations, at vertices 3 1
//   topological order: x relu tanh sigmoid add main
//   add is dominated by relu, relu by x
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/topological_sort.hpp>

#include <inlay/graph/bgl.hpp>
#include <inlay/inlay.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/search/select.hpp>

using namespace inlay;

namespace {

/// Vertices bundle their operator; an edge leads from a producer to its consumer.
using computation = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, std::string>;

/// The view knows operators and edges. Here every value has one type, and none is a constant.
template <class View>
struct typed_view : View {
    node_type every = tensor_type(element_type::float32, {16, 16});
    attribute_map none = {};

    [[nodiscard]] const node_type& type(node_id) const { return every; }
    [[nodiscard]] const attribute_map& attributes(node_id) const { return none; }
    [[nodiscard]] const tensor* constant(node_id) const { return nullptr; }
};

template <fixed_string Kind, auto Patterns, int Seconds>
struct library {
    static constexpr std::string_view kind = Kind.view(), refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    using options = option_list<>;
    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() { return Patterns; }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return Seconds; }
    [[nodiscard]] outcome<kernel> emit(const region_view&) const { return error{"this example only plans"}; }
};
using fused = library<"fused", pattern_table(composite<"dense">(dsl::optional<"relu">(dsl::op<"add">(dsl::op<"matmul">, dsl::any)))), 3>;
using single = library<"single", pattern_table(composite<"any">(dsl::any_call)), 2>;

}  // namespace

int main() {
    // With y = relu(x * w + b): softmax(y / b), the vertices in no order.
    computation c(8);
    for (std::size_t v = 0; const char* name : {"relu", "softmax", "add", "div", "matmul", "x", "w", "b"}) c[v++] = name;
    for (const auto& [from, to] : {std::pair(5, 4), {6, 4}, {4, 2}, {7, 2}, {2, 0}, {0, 3}, {7, 3}, {3, 1}}) add_edge(from, to, c);
    const auto view = make_bgl_view(c);
    if (!view) return std::puts(view.failure().message.c_str()), 1;
    const typed_view<std::remove_cvref_t<decltype(*view)>> g{*view};

    const backend_list<fused, single> backends;
    const candidate_set set = enumerate(g, backends);
    std::vector<double> prices;
    for (const candidate& k : set.candidates) prices.push_back(backends.visit(k.backend, [](const auto& b) { return *b.price({}); }));
    const selection_problem stated = state_problem(g, set, prices, [](const auto&...) { return impossible; });
    const selection found = select(stated.numbers);
    std::printf("cost %g, no cover is cheaper than %g\n", found.cost.value_or(-1), found.lower_bound.value_or(-1));
    std::vector<std::size_t> chosen;
    for (const candidate_index k : found.chosen)
        if (stated.candidate_of[k] != selection_problem::none) chosen.push_back(stated.candidate_of[k]);
    for (const part& p : partition(g, set, chosen).parts) {
        std::printf("%s takes %zu of 5 operations, at vertices", backends.text(p.owner).c_str(), p.nodes.size());
        for (const node_id n : p.nodes) std::printf(" %zu", g.vertex_of(n));
        std::printf("\n");
    }

    // main(x) = let y = relu(x) in add(sigmoid(y), tanh(y))
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", g.every), y = b.call("relu", {x}, {}, g.every, "relu");
    const node_id left = b.call("sigmoid", {y}, {}, g.every, "sigmoid"), right = b.call("tanh", {y}, {}, g.every, "tanh");
    const node_id sum = b.call("add", {left, right}, {}, g.every, "add");
    b.declare(b.function(std::span(&x, 1), sum, "main"));
    const ir_module m = b.finish();
    const auto theirs = as_boost(m);
    std::vector<node_id> last_first, over(m.size(), no_node);
    boost::topological_sort(theirs, std::back_inserter(last_first));
    std::printf("topological order:");
    for (auto n = last_first.rbegin(); n != last_first.rend(); ++n) std::printf(" %s", *n == m.main() ? "main" : m.name(*n).data());
    boost::lengauer_tarjan_dominator_tree(theirs, x, boost::make_iterator_property_map(over.begin(), get(boost::vertex_index, theirs)));
    std::printf("\nadd is dominated by %s, relu by %s\n", m.name(over[sum]).data(), m.name(over[y]).data());
}
