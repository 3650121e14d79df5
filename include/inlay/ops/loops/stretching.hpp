// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_STRETCHING_HPP
#define INLAY_OPS_LOOPS_STRETCHING_HPP

#include <cstdint>
#include <span>

#include <inlay/core/linkage.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/onnx/broadcasting.hpp>
#include <inlay/ops/onnx/reshaping.hpp>

namespace inlay {

namespace detail {

/// The error for a list entry that is no extent.
INLAY_FUNCTION error negative_entry(const call_view& call, std::int64_t value);

INLAY_FUNCTION outcome<node_type> infer_expand(const call_view& call);

INLAY_FUNCTION outcome<void> fill_expand(const call_view&, std::span<const tensor> operands, std::span<tensor> results);

INLAY_FUNCTION outcome<node_type> infer_tile(const call_view& call);

INLAY_FUNCTION outcome<void> fill_tile(const call_view& call, std::span<const tensor> operands, std::span<tensor> results);

}  // namespace detail

/// Expand and Tile: elements repeated along axes.
template <class = void>
struct onnx_stretching {
    static constexpr op_definition table[] = {
        {"onnx.Expand", op_kind::broadcast, detail::infer_expand, filled<detail::infer_expand, detail::fill_expand>, detail::work_moved},
        {"onnx.Tile", op_kind::injective, detail::infer_tile, filled<detail::infer_tile, detail::fill_tile>, detail::work_moved},
    };
};

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/ops/loops/stretching.ipp>
#endif

#endif
