// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_RESIZE_HPP
#define INLAY_OPS_ONNX_RESIZE_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/ops/loops/evaluate_by_filling.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/index_list.hpp>
#include <inlay/ops/loops/resize_taps.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay {
namespace detail {

/// The choice that a text attribute names among these words; its place in the list.
template <class Choice, std::size_t N>
outcome<Choice> named_choice(std::string_view attribute, std::string_view stated, const std::array<std::string_view, N>& words) {
    const auto at = std::find(words.begin(), words.end(), stated);
    if (at == words.end())
        return error{"Resize has " + std::string(attribute) + " " + quoted_text(stated) + ", which is none of those that are known"};
    return static_cast<Choice>(at - words.begin());
}

inline outcome<resize_rule> resize_rule_of(const call_view& call) {
    constexpr std::array<std::string_view, 7> coordinates{"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",  "align_corners",
                                                          "asymmetric", "tf_crop_and_resize",   "tf_half_pixel_for_nn"};
    constexpr std::array<std::string_view, 3> modes{"nearest", "linear", "cubic"};
    constexpr std::array<std::string_view, 4> roundings{"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
    const resize_attributes given = read<resize_attributes>(call);
    resize_rule rule;
    const auto c = named_choice<coordinate_mode>("coordinate_transformation_mode", given.coordinate_transformation_mode, coordinates);
    if (!c) return c.failure();
    const auto m = named_choice<interpolation>("mode", given.mode, modes);
    if (!m) return m.failure();
    const auto r = named_choice<nearest_rounding>("nearest_mode", given.nearest_mode, roundings);
    if (!r) return r.failure();
    rule.coordinates = *c;
    rule.mode = *m;
    rule.rounding = *r;
    rule.cubic_coefficient = given.cubic_coeff_a;
    rule.exclude_outside = given.exclude_outside;
    rule.extrapolation = given.extrapolation_value;
    rule.antialias = given.antialias && rule.mode != interpolation::nearest;
    return rule;
}

/// The values of a list of numbers, floats of any width, where they are known.
inline std::optional<std::vector<double>> known_numbers(const call_view& call, std::size_t i) {
    const tensor* t = call.constant(i);
    if (t == nullptr || !t->ok() || t->count() > static_cast<std::size_t>(2 * largest_rank)) return std::nullopt;
    const auto wide = convert_elements(*t, element_type::float64);
    if (!wide) return std::nullopt;
    return std::vector<double>(wide->as<double>().begin(), wide->as<double>().end());
}

/// Whether operand i is there and not the empty list by which older models leave it out.
inline bool has_entries(const call_view& call, std::size_t i) {
    return call.has(i) && !(call.type(i).ranked && call.type(i).rank() == 1 && call.type(i).extents[0] == extent(0));
}

/// Whether the operands that a Resize goes by are known before it runs: without them `resized_axes_of` knows no scales. Error: one is not.
inline outcome<void> check_resize_is_known(const call_view& call, const resize_rule& rule) {
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
        const bool counts = i != 1 || rule.coordinates == coordinate_mode::tf_crop_and_resize;
        if (counts && has_entries(call, i) && call.constant(i) == nullptr)
            return error{"operand " + std::to_string(i) + " of Resize, which says to what it resizes, is known only while it runs"};
    }
    return {};
}

/// The axes of a Resize, one per axis of the operand, where extents are known; `out` of -1 is not known.
inline outcome<std::vector<resized_axis>> resized_axes_of(const call_view& call, const resize_rule& rule) {
    const tensor_type& x = call.type(0);
    const bool by_scales = has_entries(call, 2), by_sizes = has_entries(call, 3);
    if (by_scales == by_sizes) return error{"Resize needs either scales or sizes, and has " + std::string(by_scales ? "both" : "neither")};
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
        if (has_entries(call, i))
            if (auto wrong = wrong_element(call, i, elements(floating_scalars()))) return std::move(*wrong);
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < x.rank(); ++i) all.push_back(static_cast<std::int64_t>(i));
    if (const auto stated = read<resize_attributes>(call).axes; stated) all.assign(stated->begin(), stated->end());
    const auto axes = distinct_axes(call, all, x.rank());
    if (!axes) return axes.failure();
    std::vector<resized_axis> result(x.rank());
    for (std::size_t i = 0; i < x.rank(); ++i) {
        result[i].in = result[i].out = x.extents[i].size;
        result[i].keeps = true;
        if (result[i].in > largest_window && std::find(axes->begin(), axes->end(), i) != axes->end())
            return error{"Resize has an operand of type " + to_string(x) + ", which has too large an extent"};
    }
    const auto wrong_count = [&](std::string_view what, std::size_t count, std::size_t expected) {
        return error{"Resize has " + std::to_string(count) + " " + std::string(what) + ", where " + std::to_string(expected) +
                     " are expected"};
    };
    const bool crops = rule.coordinates == coordinate_mode::tf_crop_and_resize;
    bool crop_known = !crops;
    if (crops) {
        if (!has_entries(call, 1)) return error{"Resize with tf_crop_and_resize needs operand 1, the part that is cropped"};
        if (const auto roi = known_numbers(call, 1)) {
            if (roi->size() != 2 * axes->size()) return wrong_count("numbers of the part that is cropped", roi->size(), 2 * axes->size());
            for (std::size_t i = 0; i < axes->size(); ++i) {
                result[(*axes)[i]].crop_begin = (*roi)[i];
                result[(*axes)[i]].crop_end = (*roi)[axes->size() + i];
            }
            crop_known = true;
        }
    }
    if (by_scales) {
        const auto scales = known_numbers(call, 2);
        if (scales && scales->size() != axes->size()) return wrong_count("scales", scales->size(), axes->size());
        for (std::size_t i = 0; i < axes->size(); ++i) {
            resized_axis& a = result[(*axes)[i]];
            a.out = -1;
            a.keeps = false;
            if (!scales) continue;
            a.scale = (*scales)[i];
            a.by_scale = true;
            a.keeps = a.scale == 1 && !crops;
            if (!(a.scale > 0 && a.scale <= static_cast<double>(largest_window)))
                return error{"Resize has a scale of " + std::to_string(a.scale) + ", which must be positive and not too large"};
            if (a.in < 0 || !crop_known) continue;
            // In float, as scales are: a scale such as 0.7 times 10 is then 7 and not a little less.
            const float size =
                static_cast<float>(a.in) * static_cast<float>(crops ? a.crop_end - a.crop_begin : 1.0) * static_cast<float>(a.scale);
            if (!(size >= 0 && size < static_cast<float>(largest_window)))
                return error{"Resize makes an extent of " + std::to_string(static_cast<double>(size)) + ", which is negative or too large"};
            a.out = static_cast<std::int64_t>(size);
        }
        return result;
    }
    const auto sizes = index_list_of(call, 3);
    if (!sizes) return sizes.failure();
    if (sizes->count && *sizes->count != axes->size()) return wrong_count("sizes", *sizes->count, axes->size());
    constexpr std::array<std::string_view, 3> policies{"stretch", "not_larger", "not_smaller"};
    const auto policy = named_choice<int>("keep_aspect_ratio_policy", read<resize_attributes>(call).keep_aspect_ratio_policy, policies);
    if (!policy) return policy.failure();
    std::optional<float> one_scale;
    bool all_known = sizes->known();
    for (std::size_t i = 0; i < axes->size(); ++i) {
        resized_axis& a = result[(*axes)[i]];
        a.out = -1;
        a.keeps = false;
        if (!sizes->known()) continue;
        a.out = (*sizes->values)[i];
        if (a.out < 0 || a.out > largest_window)
            return error{"Resize has a size of " + std::to_string(a.out) + ", which is negative or too large"};
        all_known = all_known && a.in > 0;
        if (a.in <= 0) continue;
        // Rounded to float32, as given scales are.
        const float scale = static_cast<float>(static_cast<double>(a.out) / static_cast<double>(a.in));
        a.scale = static_cast<double>(scale);
        if (!one_scale || (*policy == 1 ? scale < *one_scale : scale > *one_scale)) one_scale = scale;
    }
    if (*policy == 0 || !in_force<"ops.resize.policy">()) return result;
    for (const std::size_t axis : *axes) {
        resized_axis& a = result[axis];
        a.out = -1;
        if (!all_known || !one_scale) continue;
        a.scale = static_cast<double>(*one_scale);
        // Halves go up, and a product in float32 is 6.5 where the exact one is a little less.
        const auto size = static_cast<float>(a.scale * static_cast<double>(a.in));
        a.out = static_cast<std::int64_t>(std::floor(static_cast<double>(size) + 0.5));
        if (a.out > largest_window) return error{"Resize makes an extent of " + std::to_string(a.out) + ", which is too large"};
    }
    return result;
}

inline outcome<node_type> infer_resize(const call_view& call) {
    if (auto wrong = wrong_arity(call, 1, 4)) return std::move(*wrong);
    const auto rule = resize_rule_of(call);
    if (!rule) return rule.failure();
    const tensor_type& x = call.type(0);
    if (rule->mode != interpolation::nearest)
        if (auto wrong = wrong_element(call, 0, elements(numeric_scalars()))) return std::move(*wrong);
    if (!x.ranked) return node_type(tensor_type(x.element));
    const auto axes = resized_axes_of(call, *rule);
    if (!axes) return axes.failure();
    shape result;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        const resized_axis& a = (*axes)[i];
        if (a.in == 0 && a.out > 0)
            return error{"Resize cannot make " + std::to_string(a.out) + " elements of none on axis " + std::to_string(i)};
        result.push_back(a.out >= 0 ? extent(a.out) : a.keeps ? x.extents[i] : extent());
    }
    return countable_type(call, tensor_type(x.element, std::move(result)));
}

/// Nearest elements of any type: each is one element of the operand, or the extrapolation value.
inline outcome<void> resize_by_moving(const call_view& call, const tensor& x, const std::vector<std::vector<resize_tap>>& taps,
                                      double extrapolation, tensor& y) {
    const auto beyond = convert_elements(tensor::scalar(extrapolation), y.element());
    if (!beyond) return no_memory(call, y.type());
    const std::size_t width = size_of(y.element());
    const auto strides = row_major_strides(x.extents());
    std::vector<std::size_t> index(y.rank(), 0);
    for (std::size_t k = 0; k < y.count(); ++k) {
        std::int64_t at = 0;
        bool outside = false;
        for (std::size_t a = 0; a < y.rank(); ++a) {
            at += taps[a][index[a]].at[0] * strides[a];
            outside = outside || taps[a][index[a]].outside;
        }
        std::memcpy(y.data() + k * width, outside ? beyond->data() : x.data() + static_cast<std::size_t>(at) * width, width);
        for (std::size_t a = y.rank(); a-- > 0;) {
            if (++index[a] < taps[a].size()) break;
            index[a] = 0;
        }
    }
    return {};
}

inline outcome<void> fill_resize(const call_view& call, std::span<const tensor> operands, std::span<tensor> results) {
    tensor& y = results[0];
    if (y.count() == 0) return {};
    const auto rule = resize_rule_of(call);
    if (!rule) return rule.failure();
    const auto axes = resized_axes_of(call, *rule);
    if (!axes) return axes.failure();
    std::vector<std::vector<resize_tap>> taps;
    std::vector<bool> identity;
    for (const resized_axis& a : *axes) {
        resized_axis known = a;
        known.out = y.extents()[taps.size()];
        taps.push_back(resize_taps(known, *rule));
        identity.push_back(known.is_identity());
    }
    if (rule->mode == interpolation::nearest) return resize_by_moving(call, operands[0], taps, rule->extrapolation, y);
    // Axis after axis, in double.
    auto now = convert_elements(operands[0], element_type::float64);
    if (!now) return no_memory(call, operands[0].type());
    for (std::size_t a = 0; a < y.rank(); ++a) {
        if (identity[a]) continue;
        std::vector<std::int64_t> extents = now->extents();
        const auto in = static_cast<std::size_t>(extents[a]);
        extents[a] = y.extents()[a];
        tensor next(element_type::float64, extents);
        if (!next.ok()) return no_memory(call, next.type());
        const auto outer = static_cast<std::size_t>(extent_product(extents, 0, a)),
                   inner = static_cast<std::size_t>(extent_product(extents, a + 1, extents.size()));
        const double* const from = now->as<double>().data();
        double* to = next.as<double>().data();
        for (std::size_t o = 0; o < outer; ++o)
            for (const resize_tap& tap : taps[a])
                for (std::size_t i = 0; i < inner; ++i) {
                    double sum = 0;
                    for (std::size_t t = 0; t < tap.at.size(); ++t)
                        sum += tap.weight[t] * from[(o * in + static_cast<std::size_t>(tap.at[t])) * inner + i];
                    *to++ = tap.outside ? rule->extrapolation : sum;
                }
        now = std::move(next);
    }
    visit_element_type(numeric_scalars(), y.element(), [&](auto scalar) {
        using T = typename decltype(scalar)::type;
        std::transform(now->as<double>().begin(), now->as<double>().end(), y.as<T>().begin(),
                       [](double v) { return from_wide<T>(std::is_integral_v<T> ? std::nearbyint(v) : v); });
    });
    return {};
}

inline op_work work_resize(const call_view& call, const node_type& result) {
    const std::string_view mode = read<resize_attributes>(call).mode;
    const double taps = mode == "cubic" ? 32 : mode == "linear" ? 8 : 0;
    return {taps * elements_of(result.of_tensor), bytes_moved(call, result)};
}

}  // namespace detail

/// Resize, as ONNX defines it: nearest, linear and cubic, by scales or sizes, with or without antialiasing. Integers between others are
/// rounded to the nearest one, halves to even.
template <class = void>
struct onnx_resize {
    static constexpr auto table = with_attributes<resize_attributes>({
        {"onnx.Resize", op_kind::opaque, detail::infer_resize, filled<detail::infer_resize, detail::fill_resize>, detail::work_resize},
    });
};

}  // namespace inlay

#endif
