// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_DECLARED_ATTRIBUTE_HPP
#define INLAY_GRAPH_DECLARED_ATTRIBUTE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace inlay {

/// What an attribute holds. The first seven are the types of `attribute_value`, in its order; a graph is an operand that is a function.
enum class attribute_form : std::uint8_t { integer, number, text, integers, numbers, texts, tensor, graph };

[[nodiscard]] constexpr std::string_view to_text(attribute_form f) {
    constexpr std::string_view words[] = {"an integer",        "a number",        "a text",   "a list of integers",
                                          "a list of numbers", "a list of texts", "a tensor", "a graph"};
    return words[static_cast<std::size_t>(f)];
}

/// Whether a call may leave an attribute out.
enum class attribute_need : std::uint8_t { optional, required };

/// What an operator says of one of its attributes: a row of its attribute table.
struct declared_attribute {
    std::string_view name;
    attribute_form form = attribute_form::integer;
    attribute_need need = attribute_need::optional;
    bool has_default = false;  // else a call without it means something that no value of it says
    bool per_axis = false;     // the default is a list with `integer` for each spatial axis, or for both ends of each
    std::int64_t integer = 0;
    double number = 0;
    std::string_view text;
    std::span<const std::int64_t> integers;
    int since = 0;  // the version of the operator set that brought it to an operator that was there before; 0: it came with its operator
};

/// The attributes of an operator, in ascending order of name. A view of a table that lives as long as the program.
using attribute_table = std::span<const declared_attribute>;

/// The attribute of that name, or null. Linear in the table.
[[nodiscard]] constexpr const declared_attribute* find_attribute(attribute_table table, std::string_view name) {
    for (const declared_attribute& a : table)
        if (a.name == name) return &a;
    return nullptr;
}

}  // namespace inlay

#endif
