// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_OPTION_VALUE_HPP
#define INLAY_TARGET_OPTION_VALUE_HPP

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include <inlay/core/in_force.hpp>

namespace inlay {

/// What an option of a target holds. The order is that of `option_value`'s alternatives.
enum class option_type : std::uint8_t { boolean, integer, number, text, texts, integers };

/// The value of an option where its type is known at run time only.
using option_value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::vector<std::int64_t>>;

/// The smallest and the largest integer that an option takes, alone or in a list.
struct integer_range {
    std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::int64_t most = std::numeric_limits<std::int64_t>::max();

    [[nodiscard]] constexpr bool has(std::int64_t value) const { return least <= value && value <= most; }
    friend constexpr bool operator==(const integer_range&, const integer_range&) = default;
};

namespace detail {
inline constexpr std::array<std::string_view, 6> option_type_names{"bool", "int", "float", "string", "strings", "ints"};
}

/// `bool`, `int`, `float`, `string`, `strings`, `ints`: as the tool lists it.
[[nodiscard]] constexpr std::string_view name_of(option_type type) { return detail::option_type_names[static_cast<std::size_t>(type)]; }

[[nodiscard]] inline option_type type_of(const option_value& value) { return static_cast<option_type>(value.index()); }
[[nodiscard]] constexpr bool is_list(option_type type) { return type == option_type::texts || type == option_type::integers; }

/// Whether two values are the same to the last bit, which for doubles `==` does not say.
[[nodiscard]] inline bool same_value(const option_value& a, const option_value& b) {
    if (type_of(a) != option_type::number || type_of(b) != option_type::number) return a == b;
    return std::bit_cast<std::uint64_t>(std::get<double>(a)) == std::bit_cast<std::uint64_t>(std::get<double>(b));
}

/// The shortest text of a value that is no list; it reads back as the same value.
[[nodiscard]] inline std::string scalar_text(const option_value& value) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const std::string* text = std::get_if<std::string>(&value)) return *text;
    char digits[40];
    char* end = digits;
    if (const double* number = std::get_if<double>(&value)) end = std::to_chars(digits, digits + sizeof digits, *number).ptr;
    if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) end = std::to_chars(digits, digits + sizeof digits, *integer).ptr;
    return {digits, end};
}

/// The value of that type which a text is as a whole; nothing where it is none: no blanks around, nothing behind, no integer out of range,
/// no NaN. The type is no list.
[[nodiscard]] inline std::optional<option_value> read_scalar(option_type type, std::string_view text, integer_range range = {}) {
    const auto whole = [&](auto read) -> std::optional<decltype(read)> {
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), read);
        if (fault != std::errc() || (in_force<"target.value.strict">() && end != text.data() + text.size())) return std::nullopt;
        return read;
    };
    switch (type) {
        case option_type::boolean:
            if (text == "true" || text == "1") return option_value(true);
            if (text == "false" || text == "0") return option_value(false);
            return std::nullopt;
        case option_type::integer:
            if (const auto read = whole(std::int64_t{}); read && (!in_force<"target.value.range">() || range.has(*read)))
                return option_value(*read);
            return std::nullopt;
        case option_type::number:
            if (const auto read = whole(double{}); read && (!in_force<"target.value.strict">() || *read == *read))
                return option_value(*read);
            return std::nullopt;
        default:
            return option_value(std::string(text));
    }
}

/// What an error says that a type takes: `a value of type int from 0 to 255`.
[[nodiscard]] inline std::string wanted_text(option_type type, integer_range range = {}) {
    std::string text = "a value of type " + std::string(name_of(type));
    const bool whole = type == option_type::integer || type == option_type::integers;
    // The limits of 32 and 64 bits are nobody's business until they are broken.
    if (whole && (range.least > std::numeric_limits<std::int32_t>::min() || range.most < std::numeric_limits<std::int32_t>::max()))
        text += " from " + std::to_string(range.least) + " to " + std::to_string(range.most);
    return text;
}

}  // namespace inlay

#endif
