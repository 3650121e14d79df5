// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "rival.hpp"

#include <chrono>
#include <fstream>
#include <string_view>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/vf2_sub_graph_iso.hpp>

#include "mlir_opt.hpp"

namespace bench {

namespace {

using boost_graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, bench::op>;

struct counting {
    std::size_t& found;
    template <class One, class Other>
    bool operator()(const One&, const Other&) const {
        ++found;
        return true;
    }
};

}  // namespace

rival_time run_vf2(const network& g) {
    boost_graph pattern, whole(g.size());
    for (const bench::op o : {conv, norm, relu}) boost::add_vertex(o, pattern);
    boost::add_edge(0, 1, pattern);
    boost::add_edge(1, 2, pattern);
    for (inlay::node_id n = 0; n < g.size(); ++n) {
        whole[n] = static_cast<bench::op>(g.op_id(n));
        for (std::size_t i = 0; i < g.arity(n); ++i)
            if (i == 0 || g.operand(n, i) != g.operand(n, 0)) boost::add_edge(g.operand(n, i), n, whole);
    }
    rival_time made;
    const auto start = std::chrono::steady_clock::now();
    boost::vf2_subgraph_mono(pattern, whole, counting{made.found}, boost::vertex_order_by_mult(pattern),
                             boost::vertices_equivalent([&](std::size_t a, std::size_t b) { return pattern[a] == whole[b]; }));
    made.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return made;
}

rival_time run_mlir(const network& g) {
    rival_time made;
    mlir_opt mlir;
    if (mlir.note().empty()) {
        {
            // Operators of two operands, none of which folds: a value and one a little before it.
            std::ofstream text(mlir.input());
            text << "func.func @f(%v0: i32, %v1: i32) -> i32 {\n";
            const std::string_view words[] = {"arith.addi", "arith.muli", "arith.subi", "arith.xori", "arith.andi", "arith.ori"};
            random_stream random(1);
            for (std::size_t n = 2; n < g.size() + 2; ++n)
                text << "  %v" << n << " = " << words[random.below(6)] << " %v" << n - 1 << ", %v"
                     << (n < 12 ? n - 2 : n - 2 - random.below(10)) << " : i32\n";
            text << "  return %v" << g.size() + 1 << " : i32\n}\n";
        }
        made.ms = mlir.canonicalize();
    }
    made.note = mlir.note();
    return made;
}

}  // namespace bench
