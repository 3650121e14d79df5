// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_MATCHING_NETWORK_HPP
#define INLAY_BENCHMARKS_MATCHING_NETWORK_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/graph/concepts.hpp>

#include "../search/random.hpp"

namespace bench {

enum op : std::uint8_t {
    conv,
    norm,
    relu,
    add,
    mul,
    matmul,
    softmax,
    sigmoid,
    tanh_,
    clip,
    max_pool,
    mean_pool,
    concat,
    reshape,
    transpose,
    sub,
    div_,
    root,
    mean,
    erf_,
    power,
    slice,
    pad,
    gemm,
    leaky,
    exp_,
    neg,
    parameter,
    weight,
    op_count
};
inline constexpr std::array<std::string_view, op_count> op_names{"Conv",       "BatchNormalization",
                                                                 "Relu",       "Add",
                                                                 "Mul",        "MatMul",
                                                                 "Softmax",    "Sigmoid",
                                                                 "Tanh",       "Clip",
                                                                 "MaxPool",    "AveragePool",
                                                                 "Concat",     "Reshape",
                                                                 "Transpose",  "Sub",
                                                                 "Div",        "Sqrt",
                                                                 "ReduceMean", "Erf",
                                                                 "Pow",        "Slice",
                                                                 "Pad",        "Gemm",
                                                                 "LeakyRelu",  "Exp",
                                                                 "Neg",        "input",
                                                                 "constant"};

/// A network in columns, as a compiler would keep it: operators, types and attributes are numbers of what is kept once.
class network {
public:
    explicit network(std::size_t nodes, std::uint64_t seed = 1);

    [[nodiscard]] std::size_t size() const { return op_.size(); }
    [[nodiscard]] std::string_view op(inlay::node_id n) const { return op_names[op_[n]]; }
    [[nodiscard]] std::uint32_t op_id(inlay::node_id n) const { return op_[n]; }
    [[nodiscard]] inlay::node_kind kind(inlay::node_id n) const {
        return op_[n] == parameter ? inlay::node_kind::input : op_[n] == weight ? inlay::node_kind::constant : inlay::node_kind::call;
    }
    [[nodiscard]] std::size_t arity(inlay::node_id n) const { return begin_[n + 1] - begin_[n]; }
    [[nodiscard]] inlay::node_id operand(inlay::node_id n, std::size_t i) const { return operands_[begin_[n] + i]; }
    [[nodiscard]] const inlay::node_type& type(inlay::node_id n) const { return types_[type_[n]]; }
    [[nodiscard]] const inlay::attribute_map& attributes(inlay::node_id n) const { return attribute_sets_[attributes_[n]]; }
    [[nodiscard]] const inlay::tensor* constant(inlay::node_id n) const { return op_[n] == weight ? &value_ : nullptr; }
    [[nodiscard]] std::size_t operands() const { return operands_.size(); }

private:
    inlay::node_id put(bench::op o, std::initializer_list<inlay::node_id> from, std::uint8_t attributes = 0);
    void block();

    random_stream random_;
    std::vector<std::uint8_t> op_, type_, attributes_;
    std::vector<std::uint32_t> begin_{0};
    std::vector<inlay::node_id> operands_;
    std::vector<inlay::node_type> types_;
    std::vector<inlay::attribute_map> attribute_sets_;
    inlay::tensor value_;
    inlay::node_id x_ = 0, before_ = 0;  // where the network has come to, and where it was a block ago
};

}  // namespace bench

#endif
