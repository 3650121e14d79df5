// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/join_composites.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "toy_backends.hpp"

#include <inlay/candidate/partition_rules.hpp>

using namespace inlay;

namespace {

/// Takes calls one by one, but no product of rank 4, and joins up to three that follow each other.
struct joiner : toys::rows {
    static constexpr std::string_view kind = "joiner";
    std::size_t most = 0;

    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(
            composite<"add">(op<"onnx.Add">), composite<"relu">(op<"onnx.Relu">),
            composite<"mul">(op<"onnx.Mul">, [](const joiner&, const auto&) { return verdict::no("it multiplies nothing"); }));
    }
    using partition_rule = only_valid_rule<arbitrary_fusion<matched_rule, 3>, subgraph_limits{1, false, 3}>;
    [[nodiscard]] inlay::limits limits() const { return {most, 0}; }
};

/// The same, where only what follows a sum element by element is joined.
struct fuser : joiner {
    static constexpr std::string_view kind = "fuser";
    static op_kind op_kind_of(std::string_view op) { return op == "onnx.Add" ? op_kind::anchor : op_kind::elementwise; }
    using partition_rule = tvm_fusion<matched_rule, 0>;
};

using list = backend_list<toys::rows, joiner>;

ir_module chain(std::vector<std::string> ops) {
    return toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        for (const std::string& op : ops)
            x = op == "onnx.Relu" ? b.call(op, {x}, {}, toys::image()) : b.call(op, {x, x}, {}, toys::image());
        return x;
    });
}

std::vector<std::string> names(const candidate_set& set, backend_id number) {
    std::vector<std::string> all;
    for (const candidate& c : set.candidates)
        if (c.backend == number) all.push_back(c.name + ":" + std::to_string(c.nodes.size()));
    return all;
}

}  // namespace

TEST_CASE("what a back end's rule joins stands behind what its patterns took, with the names of all [candidate.join.after-patterns]") {
    const candidate_set set = enumerate(chain({"onnx.Add", "onnx.Relu", "onnx.Relu", "onnx.Add"}), list());
    CHECK(names(set, 0).size() == 4);
    CHECK(names(set, 1) ==
          std::vector<std::string>{"add:1", "relu:1", "relu:1", "add:1", "add+relu:2", "relu:2", "relu+add:2", "add+relu:3", "relu+add:3"});
    for (const candidate& c : set.candidates) CHECK((c.backend == 1 && c.nodes.size() > 1) == (c.composite == (c.backend == 1 ? 3u : 99u)));
    CHECK(set.notes.empty());
}

TEST_CASE("only what predicates took is joined, and what was joined keeps to limits and formats [candidate.join.checked]") {
    const candidate_set set = enumerate(chain({"onnx.Relu", "onnx.Mul", "onnx.Relu"}), list());
    CHECK(names(set, 1) == std::vector<std::string>{"relu:1", "relu:1"});
    joiner small;
    small.most = 2;
    const candidate_set limited = enumerate(chain({"onnx.Relu", "onnx.Relu", "onnx.Relu"}), list(toys::rows(), small));
    CHECK(names(limited, 1) == std::vector<std::string>{"relu:1", "relu:1", "relu:1", "relu:2", "relu:2"});
    REQUIRE(limited.refusals.size() == 1);
    CHECK(limited.refusals[0].why == refusal::cause::over_a_limit);
    CHECK(limited.refusals[0].nodes.size() == 3);
}

TEST_CASE("a back end says of which kinds its operators are, and the rule joins by them [candidate.join.kinds]") {
    const candidate_set set = enumerate(chain({"onnx.Relu", "onnx.Add", "onnx.Relu", "onnx.Relu"}), backend_list<fuser>());
    // What is elementwise is joined with what is elementwise, and behind the sum; nothing is joined before it.
    CHECK(names(set, 0) == std::vector<std::string>{"relu:1", "add:1", "relu:1", "relu:1", "add+relu:2", "relu:2", "add+relu:3"});
}

TEST_CASE("where a rule stops at a bound a note says so [candidate.join.bound]") {
    enumerate_options few;
    few.joining.candidates = 1;
    const candidate_set set = enumerate(chain({"onnx.Relu", "onnx.Relu", "onnx.Relu"}), list(), few);
    REQUIRE(set.notes.size() == 1);
    CHECK(set.notes[0].find("the rule of back end 'joiner': combining stopped when it had made 1 subgraphs out of 3") == 0);
}

TEST_CASE(
    "joined candidates of random programs are connected, convex, of one result, and of nodes that the patterns took [candidate.join.law]") {
    std::size_t joined = 0;
    CHECK(rc::check("joined", [&] {
        const auto seed = *rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
        const ir_module m = toys::random_program(seed, 3 + seed % 10);
        const candidate_set set = enumerate(m, list());
        std::set<node_id> taken;
        std::set<std::vector<node_id>> seen;
        for (const candidate& c : set.candidates) {
            if (c.backend != 1) continue;
            RC_ASSERT(seen.insert(c.nodes).second);
            if (c.composite != 3) {
                taken.insert(c.nodes.begin(), c.nodes.end());
                continue;
            }
            ++joined;
            RC_ASSERT(c.results.size() == 1u);
            RC_ASSERT(std::is_sorted(c.nodes.begin(), c.nodes.end()));
            for (const node_id n : c.nodes) RC_ASSERT(taken.count(n) == 1u);
        }
    }));
    CHECK(joined > 50);
}
