// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_WINDOW_IPP
#define INLAY_OPS_LOOPS_WINDOW_IPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ops/loops/window.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay {

namespace detail {

outcome<std::vector<std::int64_t>> window_numbers(const call_view& call, std::string_view name, std::size_t count, std::int64_t least,
                                                  std::int64_t otherwise) {
    const attribute_value* value = call.attributes->find(name);
    if (value == nullptr) return std::vector<std::int64_t>(count, otherwise);
    const auto* list = std::get_if<std::vector<std::int64_t>>(value);
    const std::string where = short_name(call.op) + " has attribute " + std::string(name);
    if (list == nullptr) return error{where + ", which must be a list of integers"};
    if (list->size() != count)
        return error{where + " with " + std::to_string(list->size()) + " entries, where " + std::to_string(count) + " are expected"};
    for (const std::int64_t v : *list)
        if (v < least || v > largest_window)
            return error{where + " with entry " + std::to_string(v) + ", which must be from " + std::to_string(least) + " to " +
                         std::to_string(largest_window)};
    return *list;
}

}  // namespace detail

outcome<window_set> windows_of(const call_view& call, std::vector<std::int64_t> kernel) {
    const std::size_t rank = kernel.size();
    // Convolutions and poolings declare these attributes alike.
    constexpr std::string_view kernel_shape = attribute_name<&conv_attributes::kernel_shape>;
    if (call.attributes->find(kernel_shape) != nullptr) {
        auto stated = detail::window_numbers(call, kernel_shape, rank, 1, 1);
        if (!stated) return stated.failure();
        for (std::size_t i = 0; i < rank; ++i) {
            if (kernel[i] >= 0 && kernel[i] != (*stated)[i])
                return error{short_name(call.op) + " has kernel_shape " + std::to_string((*stated)[i]) + " on spatial axis " +
                             std::to_string(i) + ", where the weights have " + std::to_string(kernel[i])};
            kernel[i] = (*stated)[i];
        }
    }
    for (const std::int64_t k : kernel)
        if (k == 0 || k > largest_window)
            return error{short_name(call.op) + " has a kernel extent of " + std::to_string(k) + ", which must be from 1 to " +
                         std::to_string(largest_window)};
    auto strides = detail::window_numbers(call, attribute_name<&conv_attributes::strides>, rank, 1, 1);
    if (!strides) return strides.failure();
    auto dilations = detail::window_numbers(call, attribute_name<&conv_attributes::dilations>, rank, 1, 1);
    if (!dilations) return dilations.failure();
    window_set set;
    const std::string_view mode = read<conv_attributes>(call).auto_pad;
    if (mode == "SAME_UPPER")
        set.mode = padding_mode::same_upper;
    else if (mode == "SAME_LOWER")
        set.mode = padding_mode::same_lower;
    else if (mode == "VALID")
        set.mode = padding_mode::none;
    else if (mode != "NOTSET" && !mode.empty())
        return error{short_name(call.op) + " has auto_pad " + quoted_text(mode) +
                     ", which must be NOTSET, SAME_UPPER, SAME_LOWER or VALID"};
    std::vector<std::int64_t> pads(2 * rank, 0);
    if (set.mode == padding_mode::given) {
        auto given = detail::window_numbers(call, attribute_name<&conv_attributes::pads>, 2 * rank, 0, 0);
        if (!given) return given.failure();
        pads = std::move(*given);
    }
    set.ceil = read<max_pool_attributes>(call).ceil_mode;
    for (std::size_t i = 0; i < rank; ++i) {
        set.axes.push_back({kernel[i], (*strides)[i], (*dilations)[i], pads[i], pads[rank + i]});
        if (kernel[i] > 0 && (kernel[i] - 1) > largest_window / (*dilations)[i])
            return error{short_name(call.op) + " has a kernel of " + std::to_string(kernel[i]) + " taps " +
                         std::to_string((*dilations)[i]) + " apart, which reaches beyond " + std::to_string(largest_window)};
    }
    return set;
}

outcome<extent> windowed_extent(const call_view& call, const window& w, padding_mode mode, window_rounding rounding, const extent& in) {
    const bool same = mode == padding_mode::same_upper || mode == padding_mode::same_lower;
    if (!in.is_known()) {
        const bool keeps = w.stride == 1 && (same || (w.kernel > 0 && w.before + w.after == w.reach() - 1));
        return keeps ? in : extent();
    }
    if (in.size > largest_window)
        return error{short_name(call.op) + " has a spatial extent of " + std::to_string(in.size) + ", which is too large"};
    if (same) return extent(in.size / w.stride + (in.size % w.stride != 0 ? 1 : 0));
    if (w.kernel < 0) return extent();
    const std::int64_t padded = in.size + w.before + w.after, room = padded - w.reach();
    std::int64_t places = room / w.stride + 1;
    if (rounding == window_rounding::down && room < 0 && room % w.stride != 0) --places;
    if (rounding == window_rounding::up && room > 0 && room % w.stride != 0 && places * w.stride < in.size + w.before) ++places;
    if (places < 0 || (room < 0 && !in_force<"ops.window.longer-than-axis">()))
        return error{short_name(call.op) + " has a window that reaches over " + std::to_string(w.reach()) +
                     " elements, where the padded axis has " + std::to_string(padded)};
    return extent(places);
}

}  // namespace inlay

#endif
