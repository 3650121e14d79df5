// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_ONEDNN_SMALL_GRAPH_HPP
#define INLAY_TESTS_BACKEND_ONEDNN_SMALL_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/onednn/backend.hpp>
#include <inlay/ir/ir_builder.hpp>

namespace inlay_test {

/// Builds a small program whose tensors are random but for a fixed seed, with types inferred by the operators' own rules.
class small_graph {
public:
    explicit small_graph(unsigned seed = 1) : random_(seed) { b_.open_block(); }

    inlay::node_id input(std::vector<std::int64_t> extents);
    inlay::node_id constant(const inlay::tensor& value) { return b_.constant(value); }
    inlay::node_id scalar(float value) { return b_.constant(inlay::tensor::scalar(value)); }
    inlay::node_id integers(std::vector<std::int64_t> values);
    /// A constant with elements between two numbers.
    inlay::node_id random(std::vector<std::int64_t> extents, float low = -1, float high = 1);
    inlay::node_id absent() { return b_.unit(); }
    inlay::node_id call(std::string_view op, std::initializer_list<inlay::node_id> operands, const inlay::attribute_map& attributes = {});
    /// Batch normalisation with random statistics.
    inlay::node_id normalized(inlay::node_id x, std::int64_t channels);

    [[nodiscard]] inlay::ir_module finish(inlay::node_id result);

private:
    inlay::ir_builder b_;
    std::vector<inlay::node_id> inputs_;
    std::mt19937 random_;
};

/// One way a match was run.
struct taken_way {
    std::string formats;  // "plain,plain->plain"
    std::string note;
    double worst = 0;  // largest difference over the largest expected value
};

struct taken {
    std::string composite;
    std::size_t nodes = 0;
    std::string refusal;  // why the predicate said no
    std::vector<taken_way> ways;

    [[nodiscard]] bool has(std::string_view formats) const {
        for (const taken_way& w : ways)
            if (w.formats == formats) return true;
        return false;
    }
    [[nodiscard]] std::string note(std::string_view formats) const {
        for (const taken_way& w : ways)
            if (w.formats == formats) return w.note;
        return "no such formats";
    }
};

/// Finds the largest match rooted at the program's result, lets the back end emit a kernel for each format tuple that it lists, runs each
/// twice on random inputs between `low` and `high` and holds the results against the interpreter's in float64.
[[nodiscard]] taken take(const inlay::onednn& self, const inlay::ir_module& g, double tolerance = 2e-5, float low = -2, float high = 2);

/// The same, with checks: a match of `nodes` operators that is taken in at least one way.
taken expect_taken(const inlay::ir_module& g, std::size_t nodes, const inlay::onednn& self = {}, double tolerance = 2e-5, float low = -2,
                   float high = 2);

/// The refusal of the largest match at the result; empty where there is no match or it is taken.
[[nodiscard]] std::string why_not(const inlay::ir_module& g, const inlay::onednn& self = {});

}  // namespace inlay_test

#endif
