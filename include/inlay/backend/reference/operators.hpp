// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_OPERATORS_HPP
#define INLAY_BACKEND_REFERENCE_OPERATORS_HPP

#include <cstddef>
#include <string_view>

#include <inlay/backend/reference/binary.hpp>
#include <inlay/backend/reference/cast.hpp>
#include <inlay/backend/reference/convolution.hpp>
#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/linear.hpp>
#include <inlay/backend/reference/movement.hpp>
#include <inlay/backend/reference/normalization.hpp>
#include <inlay/backend/reference/pooling.hpp>
#include <inlay/backend/reference/reduction.hpp>
#include <inlay/backend/reference/resize.hpp>
#include <inlay/backend/reference/softmax.hpp>
#include <inlay/backend/reference/transposed_convolution.hpp>
#include <inlay/backend/reference/unary.hpp>
#include <inlay/core/linkage.hpp>

namespace inlay::detail::on_eigen {

template <std::size_t N>
[[nodiscard]] const operator_entry* entry_in(const operator_entry (&table)[N], std::string_view op) {
    for (const operator_entry& e : table)
        if (e.name == op) return &e;
    return nullptr;
}

template <std::size_t... N>
[[nodiscard]] const operator_entry* entry_in_any(std::string_view op, const operator_entry (&... tables)[N]) {
    const operator_entry* found = nullptr;
    static_cast<void>(((found = entry_in(tables, op), found != nullptr) || ...));
    return found;
}

/// Tables of operators, one behind the other, as a type.
template <const auto&... Tables>
struct operator_tables {
    [[nodiscard]] static const operator_entry* find(std::string_view op) { return entry_in_any(op, Tables...); }
};

/// All that this back end has kernels for.
using own_operators = operator_tables<unary_operators, binary_operators, movement_operators, convolution_operators, linear_operators,
                                      pooling_operators, normalization_operators, softmax_operators, reduction_operators, resize_operators,
                                      transposed_convolution_operators, cast_operators>;

/// What this back end does itself for an operator; null where it has no kernel of its own. A template without a real argument, so that
/// the kernels are compiled where it is called, or once by `impl/backend_reference.cpp`.
template <class = void>
[[nodiscard]] const operator_entry* own_operator(std::string_view op) {
    return own_operators::find(op);
}
#ifdef INLAY_SEPARATE_COMPILATION
extern template const operator_entry* own_operator<void>(std::string_view);
#endif

}  // namespace inlay::detail::on_eigen

#endif
