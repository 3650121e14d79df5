// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PORTABLE_C_WRITTEN_RESIZING_HPP
#define INLAY_BACKEND_PORTABLE_C_WRITTEN_RESIZING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/portable_c/written_call.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/ops/loops/resize_taps.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/resize.hpp>

namespace inlay::portable {

/// A float64 in C, to the last bit.
[[nodiscard]] inline std::string exact_number(double value) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%a", value);
    return digits;
}

/// The tables of one resized axis: for each of its places the elements that it is made of, as many for each, and their weights.
struct resize_tables {
    std::size_t count = 1;
    bool has_outside = false;
    std::string text;  // their definitions, named at, weight and outside with the axis's number behind
};

/// `number`: the C type of weights; empty where elements are moved as they are.
[[nodiscard]] inline resize_tables resize_tables_of(const std::vector<resize_tap>& taps, const std::string& axis,
                                                    const std::string& number) {
    resize_tables made;
    for (const resize_tap& tap : taps) {
        made.count = std::max(made.count, tap.at.size());
        made.has_outside = made.has_outside || tap.outside;
    }
    std::string at, weight, outside;
    const auto add = [](std::string& list, const std::string& one) { list += (list.empty() ? "" : ", ") + one; };
    for (const resize_tap& tap : taps) {
        for (std::size_t t = 0; t < made.count; ++t) {
            const bool counts = t < tap.at.size();
            add(at, std::to_string(tap.at[counts ? t : 0]));
            add(weight, (number == "float" ? "(float)" : "") + exact_number(counts ? tap.weight[t] : 0.0));
        }
        add(outside, tap.outside ? "true" : "false");
    }
    const std::string size = "[" + std::to_string(taps.size() * made.count) + "]";
    made.text = "    static const int32_t at" + axis + size + " = {" + at + "};\n";
    if (!number.empty()) made.text += "    static const " + number + " weight" + axis + size + " = {" + weight + "};\n";
    if (made.has_outside)
        made.text += "    static const bool outside" + axis + "[" + std::to_string(taps.size()) + "] = {" + outside + "};\n";
    return made;
}

/// The places of resized axes, and the weights of what they are made of, stand in tables.
[[nodiscard]] inline outcome<written_body> write_resize(const written_call& c) {
    const auto rule = detail::resize_rule_of(c.call);
    if (!rule) return rule.failure();
    if (auto known = detail::check_resize_is_known(c.call, *rule); !known) return known.failure();
    const auto axes = detail::resized_axes_of(c.call, *rule);
    if (!axes) return axes.failure();
    const std::vector<std::int64_t> x = c.extents(0), y = c.result_extents();
    constexpr std::int64_t most = 1 << 16;
    for (const std::int64_t e : y)
        if (e > most) return error{"tables for an axis of " + std::to_string(e) + " places are too long to be written"};
    if (extent_product(y, 0, y.size()) == 0) return written_body{};
    // Whole numbers between others are computed in float64, as the interpreter does.
    const element_type kept = c.call.type(0).element;
    const bool is_moved = rule->mode == interpolation::nearest;
    const element_type computed = is_floating(kept) ? detail::computed_as(kept) : element_type::float64;
    const std::string number(detail::c_type_of(computed));
    detail::c_functions functions;

    c_lines body;
    std::string tables, outside, from, weight;
    std::vector<std::pair<std::string, std::size_t>> sums;  // over taps: a variable, and how many
    const std::vector<std::int64_t> strides = row_major_strides(x);
    const auto add = [](std::string& list, const char* sign, const std::string& one) { list += (list.empty() ? "" : sign) + one; };
    for (std::size_t d = 0; d < y.size(); ++d) {
        resized_axis axis = (*axes)[d];
        axis.out = y[d];
        const std::string name = std::to_string(d), stride = strides[d] == 1 ? "" : " * " + std::to_string(strides[d]);
        if (axis.is_identity()) {
            add(from, " + ", "o" + name + stride);
            continue;
        }
        const resize_tables own = resize_tables_of(resize_taps(axis, *rule), name, is_moved ? "" : number);
        tables += own.text;
        std::string at = "o" + name;
        if (own.count > 1) {
            sums.emplace_back("t" + name, own.count);
            at += " * " + std::to_string(own.count) + " + t" + name;
        }
        add(from, " + ", "at" + name + "[" + at + "]" + stride);
        if (!is_moved) add(weight, " * ", "weight" + name + "[" + at + "]");
        if (own.has_outside) add(outside, " || ", "outside" + name + "[o" + name + "]");
    }
    const std::string element = c.operands[0] + "[" + (from.empty() ? "0" : from) + "]", result = c.results[0] + "[to++] = ";
    body.line("int64_t to = 0;");
    for (std::size_t d = 0; d < y.size(); ++d) body.loop("o" + std::to_string(d), y[d]);
    if (!outside.empty())
        body.open("if (" + outside + ")")
            .line(result + functions.cast(element_type::float64, kept, exact_number(rule->extrapolation)) + ";")
            .line("continue;")
            .close();
    if (is_moved || weight.empty()) {
        body.line(result + element + ";");
    } else {
        body.line(number + " sum = 0;");
        for (const auto& [variable, count] : sums) body.loop(variable, static_cast<std::int64_t>(count));
        body.line("sum += " + weight + " * " + functions.cast(kept, computed, element) + ";").close(sums.size());
        body.line(result + functions.cast(computed, kept, is_floating(kept) ? "sum" : "nearbyint(sum)") + ";");
    }
    body.close(y.size());
    return written_body{tables + std::move(body).take(), functions.definitions()};
}

inline constexpr written_entry written_resizing[] = {{"onnx.Resize", &write_resize}};

}  // namespace inlay::portable

#endif
