// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_QUANTIZED_BYTES_HPP
#define INLAY_BACKEND_QUANTIZED_BYTES_HPP

#include <cmath>
#include <cstdint>

#include <inlay/backend/ranged_call.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/loops/quantized_number.hpp>

namespace inlay::detail {

/// A tensor of bytes with one scale and zero point, which are known before the run.
struct quantized_bytes {
    value_id value = 0;
    float scale = 1;
    std::int32_t zero = 0;

    /// Within these bounds no number is NaN, and what is lost where exponents are too small for a normal number is no step.
    [[nodiscard]] bool has_ordinary_scale() const { return std::abs(scale) >= 1e-15f && std::abs(scale) <= 1e15f; }
};

/// The first operand of a DequantizeLinear or QuantizeLinear with the steps that it has or gets. The error says what of them is otherwise.
[[nodiscard]] inline outcome<quantized_bytes> quantized_bytes_of(const region_view& r, const region_value& call) {
    const tensor *scale = constant_of(r, call, 1), *zero = constant_of(r, call, 2);
    if (scale == nullptr || (r.has_operand(call, 2) && zero == nullptr)) return error{"scales or zero points are not known before the run"};
    if (scale->element() != element_type::float32 ||
        !is_byte(call.op == "onnx.QuantizeLinear" ? call.type->of_tensor.element : r.type(call.operands[0]).element))
        return error{"steps are no bytes with a scale of float32"};
    if (scale->count() != 1 || (zero != nullptr && zero->count() != 1)) return error{"the processor has one scale for a whole tensor"};
    return quantized_bytes{call.operands[0], scale->as<float>()[0], zero == nullptr ? 0 : whole_number_at(*zero, 0)};
}

}  // namespace inlay::detail

#endif
