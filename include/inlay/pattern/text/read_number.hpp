// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_READ_NUMBER_HPP
#define INLAY_PATTERN_TEXT_READ_NUMBER_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include <inlay/core/outcome.hpp>
#include <inlay/pattern/text/text_cursor.hpp>

namespace inlay {

/// A number, `inf` and `nan` among them; the cursor stands behind it.
[[nodiscard]] inline outcome<double> read_number(text_cursor& c) {
    const std::size_t place = c.place();
    const std::string_view digits = c.take_number();
    double v = 0;
    if (digits == "nan" || digits == "-nan") return std::numeric_limits<double>::quiet_NaN();
    if (digits == "inf" || digits == "-inf")
        return digits.front() == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), v);
    if (wrong != std::errc() || end != digits.data() + digits.size() || digits.empty()) return c.fault("expected a number", place);
    return v;
}

/// A whole number without a sign that fits; `what` is what the error says was expected.
template <class Whole = std::uint32_t>
[[nodiscard]] outcome<Whole> read_whole(text_cursor& c, std::string_view what) {
    const std::size_t place = c.place();
    const std::string_view digits = c.take_digits();
    Whole v = 0;
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), v);
    if (digits.empty() || wrong != std::errc() || end != digits.data() + digits.size())
        return c.fault("expected " + std::string(what), place);
    return v;
}

/// A name, or any text in quotes; `what` is what the error says was expected.
[[nodiscard]] inline outcome<std::string> read_name(text_cursor& c, std::string_view what) {
    if (c.next() == '"') return c.take_quoted();
    const std::string_view n = c.take_name(false);
    if (n.empty()) return c.expected(what);
    return std::string(n);
}

}  // namespace inlay

#endif
