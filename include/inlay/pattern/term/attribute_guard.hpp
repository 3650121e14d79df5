// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_ATTRIBUTE_GUARD_HPP
#define INLAY_PATTERN_TERM_ATTRIBUTE_GUARD_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/attribute.hpp>

namespace inlay {

/// What a pattern asks of one attribute: that it is there, that it is not, or its value. The values are views of what the pattern's owner
/// keeps.
struct attribute_guard {
    enum class form : std::uint8_t {
        present,
        absent,
        integer,
        number,
        text,
        integers,
        numbers,
        texts,
        like  // on the right side of a rule: all attributes of the node that this capture is bound to
    };

    std::string_view name;
    form kind = form::present;
    std::span<const std::int64_t> integers{};   // of `integer` the one
    std::span<const double> numbers{};          // of `number` the one
    std::span<const std::string_view> texts{};  // of `text` the one
};

/// Whether the two numbers are one, or become one when they are rounded to float32, which is how files keep attributes.
[[nodiscard]] inline bool same_number(double a, double b) { return a == b || static_cast<float>(a) == static_cast<float>(b); }

/// Whether an attribute's value, null where it is absent, is what the guard asks for. A whole number serves where a number is asked for,
/// and the other way round where they are equal.
template <class Value = attribute_value>
[[nodiscard]] bool accepts(const attribute_guard& guard, const Value* value) {
    using form = attribute_guard::form;
    if (guard.kind == form::absent || value == nullptr) return guard.kind == form::absent && value == nullptr;
    const auto same = [](const auto& asked, const auto* found, auto&& equal) {
        if (found == nullptr || found->size() != asked.size()) return false;
        for (std::size_t i = 0; i < asked.size(); ++i)
            if (!equal(asked[i], (*found)[i])) return false;
        return true;
    };
    const auto equal = [](const auto& a, const auto& b) { return a == b; };
    const auto close = [](double a, auto b) { return same_number(a, static_cast<double>(b)); };
    if (!in_force<"pattern.attributes.by-value">()) return true;
    switch (guard.kind) {
        case form::present:
            return true;
        case form::integer: {
            if (const auto* whole = std::get_if<std::int64_t>(value)) return *whole == guard.integers[0];
            const auto* real = std::get_if<double>(value);
            return real == nullptr ? !in_force<"pattern.attributes.unsupported-kind">() : *real == static_cast<double>(guard.integers[0]);
        }
        case form::number: {
            if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole) == guard.numbers[0];
            const auto* real = std::get_if<double>(value);
            return real != nullptr && same_number(*real, guard.numbers[0]);
        }
        case form::text: {
            const auto* text = std::get_if<std::string>(value);
            return text != nullptr && *text == guard.texts[0];
        }
        case form::integers:
            // A list without elements has no type of its own.
            if (const auto* texts = std::get_if<std::vector<std::string>>(value)) return texts->empty() && guard.integers.empty();
            if (const auto* reals = std::get_if<std::vector<double>>(value))
                return same(guard.integers, reals, [&](auto a, double b) { return static_cast<double>(a) == b; });
            return same(guard.integers, std::get_if<std::vector<std::int64_t>>(value), equal);
        case form::numbers:
            if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(value)) return same(guard.numbers, wholes, close);
            return same(guard.numbers, std::get_if<std::vector<double>>(value), close);
        case form::texts:
            return same(guard.texts, std::get_if<std::vector<std::string>>(value), equal);
        case form::absent:
        case form::like:
            break;
    }
    return false;
}

}  // namespace inlay

#endif
