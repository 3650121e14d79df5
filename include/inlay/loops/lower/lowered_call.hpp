// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_LOWERED_CALL_HPP
#define INLAY_LOOPS_LOWER_LOWERED_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/loops/lower/lowering.hpp>
#include <inlay/loops/nest/affine.hpp>

namespace inlay {

/// A call of an operator that is lowered: the call as type rules see it, and its operands as they are in the nest.
struct lowered_call {
    lowering& nest;
    call_view call;
    std::vector<lowered_tensor> operands;  // nothing in the place of those that are left out
    std::vector<std::int64_t> extents;     // of the result
    element_type element = element_type::float32;
    const node_type* whole = nullptr;  // the type of all results, where there are several
    std::size_t field = 0;             // the result that is asked for

    [[nodiscard]] nest_builder& build() const { return nest.build(); }
    [[nodiscard]] bool has(std::size_t i) const { return call.has(i); }
    [[nodiscard]] const std::vector<std::int64_t>& extents_of(std::size_t i) const { return operands[i].extents; }

    [[nodiscard]] expression_id number(double value) const { return nest.number(value, element); }
    [[nodiscard]] expression_id apply(scalar_function f, expression_id a) const { return build().apply(f, {a}); }
    [[nodiscard]] expression_id apply(scalar_function f, expression_id a, expression_id b) const { return build().apply(f, {a, b}); }

    /// The element of operand i that stands at the result's indices, broadcast as NumPy does.
    [[nodiscard]] expression_id broadcast(std::size_t i, const std::vector<affine>& at) const {
        const std::vector<std::int64_t>& from = extents_of(i);
        std::vector<affine> own;
        for (std::size_t d = 0; d < from.size(); ++d) own.push_back(from[d] == 1 ? affine() : at[at.size() - from.size() + d]);
        return operands[i].read(own);
    }
};

/// How calls of one operator are lowered. The error says what of it has no nest.
struct lowering_entry {
    std::string_view op;  // with dialect
    outcome<lowered_tensor> (*lower)(const lowered_call& call);
};

}  // namespace inlay

#endif
