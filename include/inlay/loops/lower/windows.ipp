// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_WINDOWS_IPP
#define INLAY_LOOPS_LOWER_WINDOWS_IPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <inlay/loops/lower/windows.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/loops/lower/lowered_call.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/ops/loops/window.hpp>
#include <inlay/ops/onnx/convolution.hpp>

namespace inlay::detail {

outcome<std::vector<window>> lowered_windows(const lowered_call& c, std::vector<std::int64_t> kernel) {
    auto set = windows_of(c.call, std::move(kernel));
    if (!set) return set.failure();
    for (std::size_t i = 0; i < set->axes.size(); ++i)
        set->axes[i] = padded_window(set->axes[i], set->mode, c.extents_of(0)[2 + i], c.extents[2 + i]);
    return std::move(set->axes);
}

window_place tap_of(const lowered_tensor& x, const std::vector<window>& windows, affine batch, affine channel,
                    const std::vector<affine>& at, const std::vector<affine>& taps, std::size_t first_tap) {
    window_place made{{std::move(batch), std::move(channel)}, {}};
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const window& w = windows[i];
        made.at.push_back(at[2 + i] * w.stride + taps[first_tap + i] * w.dilation - affine(w.before));
        made.bounds.push_back({0, made.at.back(), x.extents[2 + i]});
    }
    return made;
}

[[nodiscard]] inline outcome<lowered_tensor> lower_conv(const lowered_call& c) {
    const lowered_tensor x = c.nest.stored(c.operands[0]), w = c.nest.stored(c.operands[1]);
    const auto windows = lowered_windows(c, {w.extents.begin() + 2, w.extents.end()});
    if (!windows) return windows.failure();
    const lowered_tensor flat = window_sums(c, x, w, *windows, read<conv_attributes>(c.call).group, c.element,
                                            [&](const std::vector<affine>& from, const std::vector<affine>& weight) {
                                                return c.apply(scalar_function::multiply, x.read(from), w.read(weight));
                                            });
    if (!c.has(2)) return flat;
    return c.nest.computed(c.extents, c.element, 1 + c.operands[2].cost, [c, flat](const std::vector<affine>& at) {
        return c.apply(scalar_function::add, flat.read(at), c.operands[2].read({at[1]}));
    });
}

/// Each element of the operand is spread over a window of the result.
[[nodiscard]] inline outcome<lowered_tensor> lower_conv_transpose(const lowered_call& c) {
    const auto operands = convolution_operands_of(c.call);
    if (!operands) return operands.failure();
    const auto set = transposed_extents_of(c.call, *operands);
    if (!set) return set.failure();
    const std::vector<window>& windows = set->windows;
    const lowered_tensor x = c.nest.stored(c.operands[0]), w = c.nest.stored(c.operands[1]);
    const std::int64_t groups = operands->groups, channels = x.extents[1] / groups, filters = w.extents[1];
    // Batch, group, channel in and out, places, taps.
    std::vector<std::int64_t> over{x.extents[0], groups, channels, filters};
    const std::size_t spatial = windows.size();
    over.insert(over.end(), x.extents.begin() + 2, x.extents.end());
    for (const window& one : windows) over.push_back(one.kernel);
    const auto place = [&](const std::vector<affine>& at) {
        std::vector<affine> made{at[0], at[1] * filters + at[3]};
        for (std::size_t i = 0; i < spatial; ++i)
            made.push_back(at[4 + i] * windows[i].stride + at[4 + spatial + i] * windows[i].dilation - affine(windows[i].before));
        return made;
    };
    const auto bounds = [&](const std::vector<affine>& at) {
        const std::vector<affine> to = place(at);
        std::vector<affine_bound> made;
        for (std::size_t i = 0; i < spatial; ++i) made.push_back({0, to[2 + i], c.extents[2 + i]});
        return made;
    };
    const lowered_tensor sum =
        c.nest.scattered(c.extents, c.element, over, scalar_function::add, c.number(0), place, bounds, [&](const std::vector<affine>& at) {
            std::vector<affine> from{at[0], at[1] * channels + at[2]}, weight{at[1] * channels + at[2], at[3]};
            from.insert(from.end(), at.begin() + 4, at.begin() + static_cast<std::ptrdiff_t>(4 + spatial));
            weight.insert(weight.end(), at.begin() + static_cast<std::ptrdiff_t>(4 + spatial), at.end());
            return c.apply(scalar_function::multiply, x.read(from), w.read(weight));
        });
    if (!c.has(2)) return sum;
    return c.nest.computed(c.extents, c.element, 1 + c.operands[2].cost, [c, sum](const std::vector<affine>& at) {
        return c.apply(scalar_function::add, sum.read(at), c.operands[2].read({at[1]}));
    });
}

[[nodiscard]] inline double least_of(element_type e) {
    if (is_floating(e)) return -std::numeric_limits<double>::infinity();
    return e == element_type::int8 ? -128 : 0;
}

[[nodiscard]] inline outcome<lowered_tensor> lower_max_pool(const lowered_call& c) {
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const auto windows = lowered_windows(c, std::vector<std::int64_t>(x.extents.size() - 2, -1));
    if (!windows) return windows.failure();
    std::vector<std::int64_t> over;
    for (const window& w : *windows) over.push_back(w.kernel);
    return c.nest.reduced(c.extents, c.element, over, scalar_function::maximum, c.number(least_of(c.element)),
                          [&](const std::vector<affine>& at, const std::vector<affine>& k) {
                              const window_place tap = tap_of(x, *windows, at[0], at[1], at, k, 0);
                              return c.build().within(tap.bounds, x.read(tap.at), c.number(least_of(c.element)));
                          });
}

/// The sum over each window by the number of its taps: of those on the image, or with `count_include_pad` on the padded image, over whose
/// end a window may hang with `ceil_mode`. A window without a tap on the image gives 0.
[[nodiscard]] inline outcome<lowered_tensor> lower_average_pool(const lowered_call& c) {
    const auto how = read<average_pool_attributes>(c.call);
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const auto windows = lowered_windows(c, std::vector<std::int64_t>(x.extents.size() - 2, -1));
    if (!windows) return windows.failure();
    std::vector<std::int64_t> over;
    double taps = 1;
    for (const window& w : *windows) {
        over.push_back(w.kernel);
        taps *= static_cast<double>(w.kernel);
    }
    const auto sum_of = [&](auto value) {
        return c.nest.reduced(c.extents, c.element, over, scalar_function::add, c.number(0),
                              [&](const std::vector<affine>& at, const std::vector<affine>& k) {
                                  window_place tap = tap_of(x, *windows, at[0], at[1], at, k, 0);
                                  const expression_id term = value(tap);
                                  return c.build().within(tap.bounds, term, c.number(0));
                              });
    };
    const lowered_tensor sum = sum_of([&](const window_place& tap) { return x.read(tap.at); });
    if (how.count_include_pad && !how.ceil_mode)
        return c.nest.computed(c.extents, c.element, 1, [c, sum, taps](const std::vector<affine>& at) {
            return c.apply(scalar_function::divide, sum.read(at), c.number(taps));
        });
    const lowered_tensor count = sum_of([&](window_place& tap) {
        for (std::size_t i = 0; how.count_include_pad && i < windows->size(); ++i) {
            tap.bounds[i].low = -(*windows)[i].before;
            tap.bounds[i].high += (*windows)[i].after;
        }
        return c.number(1);
    });
    return c.nest.computed(c.extents, c.element, 2, [c, sum, count](const std::vector<affine>& at) {
        return c.apply(scalar_function::divide, sum.read(at), c.apply(scalar_function::maximum, count.read(at), c.number(1)));
    });
}

/// Over all spatial axes.
template <scalar_function F>
[[nodiscard]] outcome<lowered_tensor> lower_global_pool(const lowered_call& c) {
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const std::vector<std::int64_t> over(x.extents.begin() + 2, x.extents.end());
    double taps = 1;
    for (const std::int64_t e : over) taps *= static_cast<double>(e);
    const bool is_average = F == scalar_function::add;
    const lowered_tensor all = c.nest.reduced(c.extents, c.element, over, F, c.number(is_average ? 0 : least_of(c.element)),
                                              [&](const std::vector<affine>& at, const std::vector<affine>& k) {
                                                  std::vector<affine> place{at[0], at[1]};
                                                  place.insert(place.end(), k.begin(), k.end());
                                                  return x.read(place);
                                              });
    if (!is_average) return all;
    return c.nest.computed(c.extents, c.element, 1, [c, all, taps](const std::vector<affine>& at) {
        return c.apply(scalar_function::divide, all.read(at), c.number(taps));
    });
}

/// A norm over windows, or over all places of a channel: of the sum of each element's size to the power p, the root.
struct lowered_norm {
    const lowered_call& c;
    double p;

    using f = scalar_function;
    [[nodiscard]] expression_id term(expression_id v) const {
        if (p == 2) return c.apply(f::multiply, v, v);
        const expression_id size = c.apply(f::absolute, v);
        return p == 1 ? size : c.apply(f::power, size, c.number(p));
    }
    [[nodiscard]] lowered_tensor root(const lowered_tensor& sum) const {
        return c.nest.computed(c.extents, c.element, 1, [kept = c, sum, order = p](const std::vector<affine>& at) {
            const expression_id all = sum.read(at);
            if (order == 2) return kept.apply(f::square_root, all);
            return order == 1 ? all : kept.apply(f::power, all, kept.number(1 / order));
        });
    }
};

[[nodiscard]] inline outcome<lowered_tensor> lower_lp_pool(const lowered_call& c) {
    const lowered_norm norm{c, static_cast<double>(read<lp_pool_attributes>(c.call).p)};
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    const auto windows = lowered_windows(c, std::vector<std::int64_t>(x.extents.size() - 2, -1));
    if (!windows) return windows.failure();
    std::vector<std::int64_t> over;
    for (const window& w : *windows) over.push_back(w.kernel);
    return norm.root(c.nest.reduced(c.extents, c.element, over, scalar_function::add, c.number(0),
                                    [&](const std::vector<affine>& at, const std::vector<affine>& k) {
                                        const window_place tap = tap_of(x, *windows, at[0], at[1], at, k, 0);
                                        return c.build().within(tap.bounds, norm.term(x.read(tap.at)), c.number(0));
                                    }));
}

[[nodiscard]] inline outcome<lowered_tensor> lower_global_lp_pool(const lowered_call& c) {
    const lowered_norm norm{c, static_cast<double>(read<global_lp_pool_attributes>(c.call).p)};
    const lowered_tensor x = c.nest.stored(c.operands[0]);
    return norm.root(c.nest.reduced(c.extents, c.element, {x.extents.begin() + 2, x.extents.end()}, scalar_function::add, c.number(0),
                                    [&](const std::vector<affine>& at, const std::vector<affine>& k) {
                                        std::vector<affine> place{at[0], at[1]};
                                        place.insert(place.end(), k.begin(), k.end());
                                        return norm.term(x.read(place));
                                    }));
}

inline constexpr lowering_entry window_entries[] = {{"onnx.Conv", &lower_conv},
                                                    {"onnx.ConvTranspose", &lower_conv_transpose},
                                                    {"onnx.MaxPool", &lower_max_pool},
                                                    {"onnx.AveragePool", &lower_average_pool},
                                                    {"onnx.LpPool", &lower_lp_pool},
                                                    {"onnx.GlobalLpPool", &lower_global_lp_pool},
                                                    {"onnx.GlobalAveragePool", &lower_global_pool<scalar_function::add>},
                                                    {"onnx.GlobalMaxPool", &lower_global_pool<scalar_function::maximum>}};

std::span<const lowering_entry> window_lowerings() { return window_entries; }

}  // namespace inlay::detail

#endif
