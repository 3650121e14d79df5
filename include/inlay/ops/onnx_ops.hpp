// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_OPS_HPP
#define INLAY_OPS_ONNX_OPS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <inlay/ops/activation.hpp>
#include <inlay/ops/arithmetic.hpp>
#include <inlay/ops/cast.hpp>
#include <inlay/ops/clip_and_where.hpp>
#include <inlay/ops/logic.hpp>
#include <inlay/ops/math.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/variadic.hpp>

namespace inlay {

namespace detail {

/// The tables of several families as one, in ascending order of name.
template <class... Family>
struct op_table {
    static constexpr std::size_t size = (std::size(Family::table) + ... + 0);

    static constexpr std::array<op_definition, size> merged() {
        std::array<op_definition, size> all{};
        std::size_t at = 0;
        const auto append = [&](const auto& table) {
            for (const op_definition& d : table) all[at++] = d;
        };
        (append(Family::table), ...);
        std::sort(all.begin(), all.end(), [](const op_definition& a, const op_definition& b) { return a.name < b.name; });
        return all;
    }

    static constexpr std::array<op_definition, size> sorted = merged();

    static constexpr bool distinct() {
        for (std::size_t i = 1; i < size; ++i)
            if (sorted[i - 1].name == sorted[i].name) return false;
        return true;
    }
    static_assert(distinct(), "an operator is declared in two families");
};

template <class T>
struct all_onnx_ops : op_table<onnx_activations<T>, onnx_arithmetic<T>, onnx_casts<T>, onnx_clip_and_where<T>, onnx_logic<T>, onnx_math<T>, onnx_variadics<T>> {};

}  // namespace detail

/// The operators of ONNX in their newest form (opset 18), by name with dialect: `onnx_ops::find("onnx.Relu")`. Models `op_set`.
struct onnx_ops {
    /// The definition of that name, or null. O(log operators). A template only so that a program that never calls it compiles no operator.
    template <class T = void>
    [[nodiscard]] static const op_definition* find(std::string_view name) {
        constexpr const auto& all = detail::all_onnx_ops<T>::sorted;
        const auto at = std::lower_bound(all.begin(), all.end(), name, [](const op_definition& d, std::string_view n) { return d.name < n; });
        return at != all.end() && at->name == name ? &*at : nullptr;
    }
};

static_assert(op_set<onnx_ops>);

}  // namespace inlay

#endif
