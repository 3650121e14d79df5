// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_REGION_VIEW_HPP
#define INLAY_CANDIDATE_REGION_VIEW_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <inlay/core/id.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// The number of a value inside a region: inputs first, then constants, then what the region computes, operands first.
using value_id = std::uint32_t;

/// One value of a region.
struct region_value {
    enum class role : std::uint8_t { input, constant, call, projection, absent };

    role kind = role::absent;
    std::string_view op;                        // of a call, with dialect
    std::span<const value_id> operands;         // of a call or projection
    const attribute_map* attributes = nullptr;  // never null
    const node_type* type = nullptr;            // never null
    const tensor* value = nullptr;              // of a constant
    std::uint32_t field = 0;                    // of a projection
    node_id origin = no_node;                   // the node of the graph
};

/// What a back end sees of a region: values in order, the formats at its border, which values leave. It is the same for every
/// graph, so predicates, prices and emitters are compiled once. Spans are the maker's and live as long as it; tensors may be kept.
///
/// Inputs, constants and results are tensors of static shape. A call with several outputs has a tuple type, and its projections are
/// values of the region too. An optional operand that is left out is a value of role `absent`.
struct region_view {
    std::span<const region_value> values;
    std::size_t input_count = 0;
    std::size_t constant_count = 0;
    std::span<const value_id> results;
    std::span<const format> input_formats;   // one per input; empty while formats are being asked for
    std::span<const format> result_formats;  // one per result; likewise

    [[nodiscard]] const region_value& operator[](value_id v) const { return values[v]; }
    [[nodiscard]] std::span<const region_value> inputs() const { return {values.data(), input_count}; }
    [[nodiscard]] std::span<const region_value> constants() const { return {values.data() + input_count, constant_count}; }
    [[nodiscard]] std::span<const region_value> calls() const {
        return {values.data() + input_count + constant_count, values.size() - input_count - constant_count};
    }

    /// The type of a value as a tensor's. Precondition: it is one.
    [[nodiscard]] const tensor_type& type(value_id v) const { return values[v].type->of_tensor; }
    /// Operand i of a value. Precondition: it has so many.
    [[nodiscard]] const region_value& operand(const region_value& v, std::size_t i) const { return values[v.operands[i]]; }
    /// Whether a call has operand i, and it was not left out.
    [[nodiscard]] bool has_operand(const region_value& v, std::size_t i) const {
        return i < v.operands.size() && values[v.operands[i]].kind != region_value::role::absent;
    }
};

}  // namespace inlay

#endif
