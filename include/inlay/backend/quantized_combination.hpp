// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_QUANTIZED_COMBINATION_HPP
#define INLAY_BACKEND_QUANTIZED_COMBINATION_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/quantized_bytes.hpp>
#include <inlay/backend/ranged_call.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// A function of bytes as numbers: DequantizeLinear of one operand or two, a sum, difference or product of them or nothing, what cuts it to
/// a range, QuantizeLinear. Each tensor has one scale and zero point.
struct quantized_combination {
    enum class form : std::uint8_t { first, add, subtract, multiply };

    form function = form::first;
    quantized_bytes a, b, y;  // `b` is `a` where the function is of one operand
    float_range range;

    /// Reads a region of that. Precondition: its values are tensors. The error says what else stands in it.
    [[nodiscard]] static outcome<quantized_combination> read(const region_view& r) {
        if (r.results.size() != 1) return error{"more than the last value leaves the region"};
        std::vector<quantized_bytes> from(r.values.size());
        std::vector<char> is_known(r.values.size(), 0);
        quantized_combination made;
        const region_value* function = nullptr;
        bool has_range = false;
        for (const region_value& v : r.calls()) {
            const auto id = static_cast<std::size_t>(&v - r.values.data());
            if (v.op == "onnx.DequantizeLinear" || v.op == "onnx.QuantizeLinear") {
                const auto read = quantized_bytes_of(r, v);
                if (!read) return read.failure();
                from[id] = *read;
                is_known[id] = v.op == "onnx.DequantizeLinear" && read->value < r.input_count;
            } else if (v.op == "onnx.Relu" || v.op == "onnx.Clip") {
                if (auto cut = made.range.cut_by(r, v, "a sum"); !cut) return cut.failure();
                has_range = true;
                if (function == nullptr) function = &v;
            } else if (function == nullptr) {
                function = &v;
            } else {
                return error{std::string(v.op) + " behind " + std::string(function->op) + " is none of Relu and Clip"};
            }
        }
        const value_id last = r.results[0];
        if (r[last].op != "onnx.QuantizeLinear") return error{"what leaves the region is no QuantizeLinear"};
        made.y = from[last];
        made.y.value = last;
        if (function == nullptr) function = &r[last];
        const std::string_view op = function->op;
        const bool is_sum = op == "onnx.Add" || (op == "onnx.Sum" && function->operands.size() == 2);
        made.function = is_sum ? form::add : op == "onnx.Sub" ? form::subtract : op == "onnx.Mul" ? form::multiply : form::first;
        if (made.function == form::first && op != "onnx.QuantizeLinear" && !has_range)
            return error{std::string(op) + " between DequantizeLinear and QuantizeLinear"};
        const value_id a = function->operands[0], b = made.function == form::first ? a : function->operands[1];
        for (const value_id v : {a, b})
            if (!is_known[v]) return error{std::string(op) + " has an operand that is no DequantizeLinear of an input"};
        made.a = from[a];
        made.b = from[b];
        return made;
    }
};

}  // namespace inlay::detail

#endif
