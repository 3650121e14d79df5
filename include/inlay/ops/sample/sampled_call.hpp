// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_SAMPLED_CALL_HPP
#define INLAY_OPS_SAMPLE_SAMPLED_CALL_HPP

#include <cstddef>
#include <string_view>
#include <vector>

#include <inlay/graph/call_view.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/sample/sampled_tensor.hpp>
#include <inlay/ops/sample/term_sizes.hpp>

namespace inlay {

/// Steps of rounding that a sum in any order, and in any of the usual fast forms, may take relative to the sum of the absolute terms. A
/// sum of n terms of random sizes in float32 is off by about sqrt(n) steps of a term, which is far below that. Forms that transform their
/// operands first, as Winograd's (arXiv:1509.09308, section 5.3), lose some ten steps more, and poolings that multiply by a rounded share
/// twenty.
inline constexpr double sum_steps = 64;

/// Steps of rounding, relative to the result, that a function of elements may be off. Libraries approximate logarithms and roots to some
/// fifty steps.
inline constexpr double function_steps = 64;

/// Steps of rounding by which a function's operand may be off: what a library loses before it approximates. Logarithms near 1 lose thirty.
inline constexpr double operand_steps = 32;

/// One call of an operator of which some result elements are wanted: its definition, and the tensors at its border.
struct sampled_call {
    const op_definition* definition = nullptr;
    call_view call;                         // with the values of operands that are known
    std::vector<sampled_tensor*> operands;  // null: left out
    std::vector<sampled_tensor*> results;
    term_sizes sizes = term_sizes::random;
    double rounding = 0;  // that operands of products are allowed, relative to each

    [[nodiscard]] std::string_view op() const { return definition->name; }
    [[nodiscard]] bool has(std::size_t i) const { return i < operands.size() && operands[i] != nullptr; }
    [[nodiscard]] sampled_tensor& operand(std::size_t i) const { return *operands[i]; }
    [[nodiscard]] sampled_tensor& result() const { return *results[0]; }
    /// How many times `sum_steps` a sum of so many terms may be off.
    [[nodiscard]] double growth(double terms) const { return sizes == term_sizes::random ? 1 : 1 + terms / (4 * sum_steps); }
    /// What a sum of so many terms may lose in the result's element type where numbers below its normal ones become zero. Later operators
    /// may multiply it.
    [[nodiscard]] double flushed(double terms) const {
        return (terms + 1) * least_normal_of(is_half(result().element()) ? element_type::float32 : result().element());
    }
    /// Whether an operand's value is there as a whole, or the operand is left out.
    [[nodiscard]] bool is_known(std::size_t i) const { return !has(i) || operands[i]->is_known(); }
};

/// How an operator's chosen elements are had.
enum class sampled_form : unsigned char {
    sum,   // a sum of products over places of two operands, or of weighted elements of one
    move,  // each result element is an element of an operand
    batch  // the operator's own meaning, applied to a small tensor of the elements, rows or operands that matter
};

}  // namespace inlay

#endif
