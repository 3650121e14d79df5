// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_NUMBER_HPP
#define INLAY_IO_RELAY_RELAY_NUMBER_HPP

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/relay_spelling.hpp>
#include <inlay/ops/loops/half_float.hpp>

namespace inlay {

namespace detail {

/// A number as it is written: its digits, with their sign, and the type that its last letters name.
struct relay_numeral {
    std::string digits;
    element_type type = element_type::int32;
    bool has_type = false;  // or none is named, and it is what the digits look like
};

[[nodiscard]] inline std::optional<element_type> relay_number_type(std::string_view letters) {
    if (letters == "f") return element_type::float32;
    if (letters == "i") return element_type::int32;
    if (letters == "u") return element_type::uint32;
    if (letters.size() < 2 || (letters[0] != 'f' && letters[0] != 'i' && letters[0] != 'u')) return std::nullopt;
    const std::string_view words = letters[0] == 'f' ? "float" : letters[0] == 'i' ? "int" : "uint";
    const auto type = element_type_named(std::string(words) + std::string(letters.substr(1)));
    return type && *type != element_type::none ? type : std::nullopt;
}

[[nodiscard]] inline std::optional<relay_numeral> read_relay_number(std::string_view text, bool is_negative) {
    std::size_t end = 0;
    bool is_floating_point = text.starts_with("inf") || text.starts_with("nan");
    if (is_floating_point) end = 3;
    while (end < text.size() && (is_relay_digit(text[end]) || text[end] == '.'))
        is_floating_point = text[end++] == '.' || is_floating_point;
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        is_floating_point = true;
        for (++end; end < text.size() && (is_relay_digit(text[end]) || text[end] == '-' || text[end] == '+');) ++end;
    }
    relay_numeral n{(is_negative ? "-" : "") + std::string(text.substr(0, end)),
                    is_floating_point ? element_type::float32 : element_type::int32};
    n.has_type = end < text.size();
    if (!n.has_type) return n;
    const auto type = relay_number_type(text.substr(end));
    if (!type || (is_floating_point && !is_floating(*type))) return std::nullopt;
    n.type = *type;
    return n;
}

template <class T>
[[nodiscard]] std::optional<T> whole_relay_number(const std::string& digits) {
    T value{};
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return fault == std::errc() && end == digits.data() + digits.size() ? std::optional<T>(value) : std::nullopt;
}
template <class T>
[[nodiscard]] std::optional<tensor> relay_scalar(const std::string& digits) {
    const auto value = whole_relay_number<T>(digits);
    return value ? std::optional<tensor>(tensor::scalar(*value)) : std::nullopt;
}

[[nodiscard]] inline error no_relay_number(std::string_view text, bool is_negative) {
    return error{"there is no number " + quoted_text((is_negative ? "-" : "") + std::string(text), 60) +
                 "; numbers are written as 2, 2i64, 2f or 2f64, and fit into their types"};
}

}  // namespace detail

/// Reads digits that are a whole number and nothing else. False: they are none, or too large.
template <class T>
[[nodiscard]] bool read_relay_digits(std::string_view digits, T& made) {
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), made);
    return fault == std::errc() && end == digits.data() + digits.size();
}

/// Whether a word is a number: `inff`, `nanf64`.
[[nodiscard]] inline bool is_relay_number_word(std::string_view word) {
    if (!word.starts_with("inff") && !word.starts_with("nanf")) return false;
    return detail::relay_number_type(word.substr(3)).has_value();
}

/// The scalar that a number stands for: without letters behind it an int32, an int64 where it is too large for that, or a float32.
[[nodiscard]] inline outcome<tensor> relay_number_tensor(std::string_view text, bool is_negative) {
    const auto n = detail::read_relay_number(text, is_negative);
    std::optional<tensor> made;
    if (n) {
        switch (n->type) {
            case element_type::float32:
                made = detail::relay_scalar<float>(n->digits);
                break;
            case element_type::float64:
                made = detail::relay_scalar<double>(n->digits);
                break;
            case element_type::int8:
                made = detail::relay_scalar<std::int8_t>(n->digits);
                break;
            case element_type::int16:
                made = detail::relay_scalar<std::int16_t>(n->digits);
                break;
            case element_type::int32:
                made = detail::relay_scalar<std::int32_t>(n->digits);
                break;
            case element_type::int64:
                made = detail::relay_scalar<std::int64_t>(n->digits);
                break;
            case element_type::uint8:
                made = detail::relay_scalar<std::uint8_t>(n->digits);
                break;
            case element_type::uint16:
                made = detail::relay_scalar<std::uint16_t>(n->digits);
                break;
            case element_type::uint32:
                made = detail::relay_scalar<std::uint32_t>(n->digits);
                break;
            case element_type::uint64:
                made = detail::relay_scalar<std::uint64_t>(n->digits);
                break;
            case element_type::float16:
                if (const auto value = detail::whole_relay_number<double>(n->digits)) {
                    made = tensor(element_type::float16, {});
                    made->as<std::uint16_t>()[0] = half_float<5>::narrowed(*value).bits;
                }
                break;
            default:
                break;
        }
        if (!made && !n->has_type) made = detail::relay_scalar<std::int64_t>(n->digits);
    }
    if (!made) return detail::no_relay_number(text, is_negative);
    return *std::move(made);
}

/// The same as the value of an attribute: an integer, or a floating number to the last digit that is written.
[[nodiscard]] inline outcome<attribute_value> relay_number_attribute(std::string_view text, bool is_negative) {
    if (const auto n = detail::read_relay_number(text, is_negative)) {
        if (is_floating(n->type)) {
            if (const auto value = detail::whole_relay_number<double>(n->digits)) return attribute_value(*value);
        } else if (const auto value = detail::whole_relay_number<std::int64_t>(n->digits)) {
            return attribute_value(*value);
        }
    }
    return detail::no_relay_number(text, is_negative);
}

}  // namespace inlay

#endif
