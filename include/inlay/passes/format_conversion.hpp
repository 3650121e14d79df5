// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_FORMAT_CONVERSION_HPP
#define INLAY_PASSES_FORMAT_CONVERSION_HPP

#include <span>
#include <vector>

#include <inlay/ops/op_definition.hpp>
#include <inlay/partition/outline.hpp>

namespace inlay {

namespace detail {

inline outcome<node_type> infer_conversion(const call_view& call) {
    if (call.arity() != 1) return error{"inlay.convert takes one operand"};
    return *call.types[0];
}
inline outcome<std::vector<tensor>> evaluate_conversion(const call_view&, std::span<const tensor> operands) {
    if (operands.size() != 1 || !operands[0].ok()) return error{"inlay.convert takes one operand"};
    return std::vector<tensor>{operands[0]};
}
inline op_work conversion_work(const call_view&, const node_type& result) {
    double bytes = 2.0 * static_cast<double>(size_of(result.of_tensor.element));
    for (const extent& e : result.of_tensor.extents) bytes *= static_cast<double>(e.size);
    return {0, bytes};
}

}  // namespace detail

/// The operator of explicit conversions, `conversion_op`, which outlined graphs have: its meaning is its operand, since a format is no part
/// of a value. `op_table<format_conversions<>, ...>` is a set that has it.
template <class = void>
struct format_conversions {
    static constexpr op_definition table[] = {
        {conversion_op, op_kind::injective, detail::infer_conversion, detail::evaluate_conversion, detail::conversion_work},
    };
};

}  // namespace inlay

#endif
