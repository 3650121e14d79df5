// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_EXTENT_ARITHMETIC_HPP
#define INLAY_OPS_LOOPS_EXTENT_ARITHMETIC_HPP

#include <optional>
#include <span>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>

namespace inlay {

/// The sum of two extents as far as it is known: a symbol plus 0 is the symbol. Nothing where the numbers overflow.
[[nodiscard]] INLAY_FUNCTION std::optional<extent> extent_sum(const extent& a, const extent& b);

/// The product of `over` divided by the product of `under`, as far as it is known; equal symbols cancel. Nothing where the numbers do
/// not divide, overflow, or the divisor is zero.
[[nodiscard]] INLAY_FUNCTION std::optional<extent> extent_quotient(std::span<const extent> over, std::span<const extent> under);

/// The product of extents as far as it is known; nothing where the numbers overflow.
[[nodiscard]] INLAY_FUNCTION std::optional<extent> extent_product(std::span<const extent> factors);

/// Whether two extents can be one number: unless both are known and differ.
[[nodiscard]] INLAY_FUNCTION bool can_be_equal(const extent& a, const extent& b);

/// What is known of an extent of which both are true: a number before a symbol before nothing.
[[nodiscard]] INLAY_FUNCTION const extent& better_known(const extent& a, const extent& b);

/// The type as a result's, if its known extents are no more than memory can count.
[[nodiscard]] INLAY_FUNCTION outcome<node_type> countable_type(const call_view& call, tensor_type type);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/loops/extent_arithmetic.ipp>
#endif

#endif
