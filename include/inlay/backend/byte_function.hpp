// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_BYTE_FUNCTION_HPP
#define INLAY_BACKEND_BYTE_FUNCTION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/op_kind.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

namespace inlay::detail {

/// What a region makes of each byte, where it reads one tensor of bytes, gives one of the same shape, and does everything element by
/// element, with constants of one number: found by evaluating the operators' definitions on all 256. The error says what of it is
/// otherwise.
[[nodiscard]] inline outcome<std::array<std::uint8_t, 256>> byte_function_of(const region_view& r) {
    if (r.input_count != 1 || r.results.size() != 1) return error{"it is no function of one tensor"};
    if (!r[0].type->is_tensor() || !is_byte(r.type(0).element)) return error{"the input is none of bytes"};
    const std::vector<std::int64_t> every{1, 256};
    std::vector<tensor> values(r.values.size());
    values[0] = tensor(r.type(0).element, every);
    for (std::size_t i = 0; i < 256; ++i) values[0].data()[i] = static_cast<std::byte>(i);
    for (std::size_t i = 1; i < values.size(); ++i) {
        const region_value& v = r.values[i];
        if (v.kind == region_value::role::constant) {
            if (v.value->count() != 1) return error{"a constant of type " + to_string(*v.type) + " is not one number"};
            values[i] = *v.value;
        }
        if (v.kind == region_value::role::projection) return error{"a call of several outputs is no function"};
        if (v.kind != region_value::role::call) continue;
        const op_definition* definition = onnx_ops::find(v.op);
        if (definition == nullptr || (definition->kind != op_kind::elementwise && definition->kind != op_kind::broadcast))
            return error{std::string(v.op) + " is not done element by element"};
        std::vector<tensor> operands;
        for (const value_id o : v.operands) operands.push_back(values[o]);
        auto made = evaluate_call(*definition, *v.attributes, operands, 1);
        if (!made) return made.failure();
        if (made->front().extents() != every) return error{std::string(v.op) + " changes the shape"};
        values[i] = std::move(made->front());
    }
    const tensor& y = values[r.results[0]];
    if (!is_byte(y.element())) return error{"the result is none of bytes"};
    std::array<std::uint8_t, 256> becomes;
    std::memcpy(becomes.data(), y.data(), becomes.size());
    return becomes;
}

}  // namespace inlay::detail

#endif
