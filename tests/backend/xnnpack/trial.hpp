// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_XNNPACK_TRIAL_HPP
#define INLAY_TESTS_BACKEND_XNNPACK_TRIAL_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/xnnpack/backend.hpp>
#include <inlay/ir/ir_builder.hpp>

namespace xnnpack_test {

using extents = std::vector<std::int64_t>;

/// A small program whose tensors are random but for a seed, with types inferred by the operators' own rules.
class trial {
public:
    explicit trial(unsigned seed = 1) : random_(seed) { b_.open_block(); }

    inlay::node_id input(extents e);
    inlay::node_id scalar(float value) { return b_.constant(inlay::tensor::scalar(value)); }
    inlay::node_id integers(const extents& values);
    /// A constant with elements between two numbers.
    inlay::node_id random(extents e, float low = -1, float high = 1);
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

/// What the largest match at a program's result came to.
struct answer {
    std::string composite;
    std::size_t nodes = 0;
    std::string refusal;             // why the predicate said no
    std::vector<std::string> taken;  // "channels_last,plain->plain", each run and found right

    [[nodiscard]] bool has(std::string_view formats) const {
        for (const std::string& t : taken)
            if (t == formats) return true;
        return false;
    }
};

/// Lets the back end emit a kernel for each format tuple that it lists for the largest match, runs each with 1 and 2 threads at two sets of
/// addresses on random inputs, and checks the results against the operators' definitions on float64: off by at most `tolerance` of the
/// largest value.
[[nodiscard]] answer ask(const inlay::ir_module& g, double tolerance = 2e-5, float low = -2, float high = 2);

/// The same, with checks: a match of `nodes` operators that is taken in at least one way.
answer expect_taken(const inlay::ir_module& g, std::size_t nodes, double tolerance = 2e-5, float low = -2, float high = 2);

/// The refusal of the largest match at the result; empty where there is no match or it is taken.
[[nodiscard]] std::string why_not(const inlay::ir_module& g);

}  // namespace xnnpack_test

#endif
