// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_SMALL_GRAPH_HPP
#define INLAY_TESTS_BACKEND_SMALL_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string_view>
#include <vector>

#include <inlay/candidate/region.hpp>
#include <inlay/ir/ir_builder.hpp>

namespace inlay_test {

/// Builds a small program whose tensors are random but for a fixed seed, with types inferred by the operators' own rules.
class small_graph {
public:
    explicit small_graph(unsigned seed = 1) : random_(seed) { b_.open_block(); }

    inlay::node_id input(std::vector<std::int64_t> extents);
    inlay::node_id input_of(inlay::tensor_type type);
    inlay::node_id constant(const inlay::tensor& value) { return b_.constant(value); }
    inlay::node_id scalar(float value) { return b_.constant(inlay::tensor::scalar(value)); }
    inlay::node_id integers(std::vector<std::int64_t> values);
    /// A constant with elements between two numbers.
    inlay::node_id random(std::vector<std::int64_t> extents, float low = -1, float high = 1);
    inlay::node_id absent() { return b_.unit(); }
    inlay::node_id call(std::string_view op, std::initializer_list<inlay::node_id> operands, const inlay::attribute_map& attributes = {},
                        std::size_t outputs = 1) {
        return call_on(op, std::vector<inlay::node_id>(operands), attributes, outputs);
    }
    inlay::node_id call_on(std::string_view op, const std::vector<inlay::node_id>& operands, const inlay::attribute_map& attributes = {},
                           std::size_t outputs = 1);
    /// Batch normalisation with random statistics.
    inlay::node_id normalized(inlay::node_id x, std::int64_t channels);

    /// One of the outputs of a call that has several.
    inlay::node_id output(inlay::node_id call, std::size_t number) { return b_.projection(call, number); }

    [[nodiscard]] inlay::ir_module finish(inlay::node_id result);
    [[nodiscard]] inlay::ir_module finish(std::initializer_list<inlay::node_id> results) {
        return finish(b_.tuple(std::vector<inlay::node_id>(results)));
    }

private:
    inlay::ir_builder b_;
    std::vector<inlay::node_id> inputs_;
    std::mt19937 random_;
};

/// The region of every call of a program.
struct whole_region {
    inlay::ir_module module;
    inlay::user_lists users;
    inlay::region all;

    explicit whole_region(inlay::ir_module m);
    [[nodiscard]] inlay::region_view view() const { return all.view(); }
};

}  // namespace inlay_test

#endif
