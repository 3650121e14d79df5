// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_ARRAY_IPP
#define INLAY_CODEGEN_C_C_ARRAY_IPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include <inlay/codegen/c/c_array.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

namespace detail {

/// A floating number as C reads it back without a change, but for what a NaN carries.
[[nodiscard]] inline std::string c_number(double v, bool is_double) {
    if (std::isnan(v)) return "NAN";
    if (std::isinf(v)) return v < 0 ? "-INFINITY" : "INFINITY";
    char digits[48];
    std::snprintf(digits, sizeof digits, "%a%s", v, is_double ? "" : "f");
    return digits;
}
[[nodiscard]] inline std::string c_number(std::int64_t v) {
    if (v == INT64_MIN) return "INT64_MIN";
    const std::string digits = std::to_string(v < 0 ? -v : v);
    return (v < 0 ? "-" : "") + (v > INT32_MAX || v < -INT32_MAX ? "INT64_C(" + digits + ")" : digits);
}

/// The elements of a tensor as C writes them, `use(text)` for each.
template <class T, class Use>
void each_c_number(const tensor& t, Use&& use) {
    for (std::size_t i = 0; i < t.count(); ++i) {
        T v;
        std::memcpy(&v, t.data() + i * sizeof(T), sizeof(T));
        if constexpr (std::is_floating_point_v<T>)
            use(c_number(static_cast<double>(v), sizeof(T) == 8));
        else if constexpr (std::is_same_v<T, std::uint64_t>)
            use("UINT64_C(" + std::to_string(v) + ")");
        else
            use(c_number(static_cast<std::int64_t>(v)));
    }
}
template <class Use>
bool each_c_number_of(const tensor& t, Use&& use) {
    switch (t.element()) {
        case element_type::float32:
            return each_c_number<float>(t, use), true;
        case element_type::float64:
            return each_c_number<double>(t, use), true;
        case element_type::int8:
            return each_c_number<std::int8_t>(t, use), true;
        case element_type::int16:
            return each_c_number<std::int16_t>(t, use), true;
        case element_type::int32:
            return each_c_number<std::int32_t>(t, use), true;
        case element_type::int64:
            return each_c_number<std::int64_t>(t, use), true;
        case element_type::uint8:
        case element_type::boolean:
            return each_c_number<std::uint8_t>(t, use), true;
        case element_type::uint16:
        case element_type::float16:
        case element_type::bfloat16:
            return each_c_number<std::uint16_t>(t, use), true;
        case element_type::uint32:
            return each_c_number<std::uint32_t>(t, use), true;
        case element_type::uint64:
            return each_c_number<std::uint64_t>(t, use), true;
        default:
            return false;
    }
}

}  // namespace detail

outcome<std::string> c_array(const tensor& t, std::string_view name) {
    const std::string_view type = stored_c_type(t.element());
    if (type.empty()) return error{"C has no elements of type " + std::string(name_of(t.element()))};
    constexpr std::size_t longest = 120;
    std::string text =
        "const " + std::string(type) + " " + std::string(name) + "[" + std::to_string(t.count() == 0 ? 1 : t.count()) + "] = {";
    std::size_t begin = 0;
    bool is_first = true;
    const auto add = [&](const std::string& number) {
        if (!is_first) text += ",";
        is_first = false;
        if (text.size() - begin + number.size() + 2 > longest) {
            text += "\n   ";
            begin = text.size() - 3;
        }
        text += (text.back() == '{' ? "" : " ") + number;
    };
    if (t.count() == 0) add("0");
    detail::each_c_number_of(t, add);
    return text + "};\n";
}

}  // namespace inlay

#endif
