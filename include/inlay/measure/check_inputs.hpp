// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_CHECK_INPUTS_HPP
#define INLAY_MEASURE_CHECK_INPUTS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/statistics.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/ops/loops/convert_elements.hpp>

namespace inlay {

namespace detail {

/// Which numbers an input of integers may hold, so that every operator that reads it is defined.
struct valid_integers {
    std::int64_t low = 0, high = 0;
    bool has_zero = true;
};

/// How an input of integers is read. Indices range over the axis that they index, last and negative ones included; divisors are not 0;
/// where the numbers go through other operators before they index something, only 0 is sure to be in range.
[[nodiscard]] inline valid_integers range_of_input(const region_view& region, value_id input) {
    valid_integers range{-8, 8, true};
    bool indexes_elsewhere = false;
    for (const region_value& v : region.calls()) {
        if (v.kind != region_value::role::call) continue;
        const std::string_view op = v.op;
        const auto extent_along = [&](std::int64_t axis) {
            const tensor_type& data = region.type(v.operands[0]);
            const auto rank = static_cast<std::int64_t>(data.rank());
            if (axis < 0) axis += rank;
            return axis >= 0 && axis < rank ? data.extents[static_cast<std::size_t>(axis)].size : std::int64_t{1};
        };
        const bool indexes = op == "onnx.Gather" || op == "onnx.GatherElements" || op == "onnx.ScatterElements" || op == "onnx.GatherND" ||
                             op == "onnx.ScatterND";
        const bool counts = indexes || op == "onnx.OneHot" || op == "onnx.Slice" || op == "onnx.TopK" || op == "onnx.Pad" ||
                            op == "onnx.Range" || op == "onnx.Tile" || op == "onnx.Expand" || op == "onnx.Reshape" ||
                            op == "onnx.ReverseSequence" || op == "onnx.CumSum" || op == "onnx.Resize" || !op.starts_with("onnx.");
        for (std::size_t i = 0; i < v.operands.size(); ++i) {
            if (v.operands[i] != input) continue;
            if (indexes && i == 1) {
                std::int64_t extent = extent_along(v.attributes->integer("axis", 0));
                if (op == "onnx.GatherND" || op == "onnx.ScatterND") {
                    // One index has a number for each of several axes; each is held to the least of them.
                    extent = region.type(v.operands[0]).rank() == 0 ? 1 : extent_along(0);
                    for (const auto& e : region.type(v.operands[0]).extents) extent = std::min(extent, e.size);
                }
                range.low = std::max(range.low == -8 ? -extent : range.low, -extent);
                range.high = std::min(range.high == 8 ? extent - 1 : range.high, extent - 1);
            } else if (counts && !(op == "onnx.Reshape" && i == 0)) {
                indexes_elsewhere = indexes_elsewhere || i != 0 || op == "onnx.OneHot" || op == "onnx.Range" || !op.starts_with("onnx.");
            } else if (op == "onnx.Div" || op == "onnx.Mod") {
                range.has_zero = range.has_zero && i == 0;
            } else if (op == "onnx.BitShift" || op == "onnx.Pow") {
                range.low = std::max<std::int64_t>(range.low, 0);
                range.high = std::min<std::int64_t>(range.high, 5);
            }
        }
        // What is computed of the input may index, too.
        if (counts && op != "onnx.Reshape")
            for (std::size_t i = 1; i < v.operands.size(); ++i) {
                const value_id o = v.operands[i];
                if (o >= region.input_count + region.constant_count && region.values[o].type->is_tensor() &&
                    is_integer(region.type(o).element))
                    indexes_elsewhere = true;
            }
    }
    if (indexes_elsewhere) return {0, 0, true};
    return range;
}

/// The numbers that an input has to hold since the extents of a result follow from them: shapes, and what Resize and Tile make of extents.
/// Empty where it may hold others.
[[nodiscard]] inline std::vector<double> fixed_numbers(const region_view& region, value_id input) {
    std::vector<double> numbers;
    for (const region_value& v : region.calls()) {
        if (v.kind != region_value::role::call || !v.type->is_tensor() || !v.type->is_static()) continue;
        const std::string_view op = v.op;
        for (std::size_t i = 0; i < v.operands.size(); ++i) {
            if (v.operands[i] != input) continue;
            const bool is_shape = (i == 1 && (op == "onnx.Reshape" || op == "onnx.Expand")) || (i == 3 && op == "onnx.Resize") ||
                                  (i == 0 && op == "onnx.ConstantOfShape");
            const bool is_factor = (i == 2 && op == "onnx.Resize") || (i == 1 && op == "onnx.Tile");
            if (!is_shape && !is_factor) continue;
            const std::vector<std::int64_t> out = static_shape(v.type->of_tensor);
            numbers.assign(out.begin(), out.end());
            if (!is_factor) continue;
            const std::vector<std::int64_t> in = static_shape(region.type(v.operands[0]));
            for (std::size_t a = 0; a < numbers.size() && a < in.size(); ++a)
                numbers[a] /= static_cast<double>(std::max<std::int64_t>(in[a], 1));
        }
    }
    return numbers;
}

}  // namespace detail

/// Values for a region's inputs on which its operators are defined: ordinary numbers of both signs, or positive ones where asked for;
/// integers as they are read. Deterministic for a seed. Error: there is no memory for them.
[[nodiscard]] inline outcome<std::vector<tensor>> check_inputs(const region_view& region, std::uint64_t seed, bool positive) {
    std::vector<tensor> inputs;
    for (value_id v = 0; v < region.input_count; ++v) {
        const tensor_type& type = region.type(v);
        tensor t(type.element, static_shape(type));
        if (!t.ok()) return error{"there is no memory for the inputs of its check"};
        const std::uint64_t own = seed * 0x9E3779B97F4A7C15u + v;
        if (const std::vector<double> fixed = detail::fixed_numbers(region, v); !fixed.empty() && fixed.size() == t.count()) {
            auto stored = convert_elements(tensor::of<double>({static_cast<std::int64_t>(fixed.size())}, fixed), type.element);
            if (!stored) return error{"there is no memory for the inputs of its check"};
            std::copy_n(stored->data(), stored->bytes(), t.data());
            inputs.push_back(std::move(t));
            continue;
        }
        if (!is_integer(type.element) || is_byte(type.element)) {
            fill_random(t.data(), type.element, t.count(), 1.0, positive, own);
            bool has_zero = true;
            if (is_integer(type.element)) has_zero = detail::range_of_input(region, v).has_zero;
            if (!has_zero)
                for (std::size_t i = 0; i < t.count(); ++i)
                    if (t.data()[i] == std::byte{0}) t.data()[i] = std::byte{1};
        } else {
            const detail::valid_integers range = detail::range_of_input(region, v);
            const std::int64_t low = is_unsigned_integer(type.element) ? std::max<std::int64_t>(range.low, 0) : range.low;
            detail::splitmix random{own};
            const auto span = static_cast<std::uint64_t>(std::max<std::int64_t>(range.high - low + 1, 1));
            for (std::size_t i = 0; i < t.count(); ++i) {
                std::int64_t n = low + static_cast<std::int64_t>(random() % span);
                if (n == 0 && !range.has_zero) n = 1;
                const std::size_t width = size_of(type.element);
                // The low bytes of a number are the number in the narrower type, on the machines that this runs on.
                std::copy_n(reinterpret_cast<const std::byte*>(&n), width, t.data() + i * width);
            }
        }
        inputs.push_back(std::move(t));
    }
    return inputs;
}

}  // namespace inlay

#endif
