// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_TYPE_GUARD_HPP
#define INLAY_PATTERN_TERM_TYPE_GUARD_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/node_type.hpp>

namespace inlay {

/// What a pattern asks of one extent: a number, a symbol, or nothing.
struct extent_guard {
    std::int64_t size = extent::unknown;
    std::string_view symbol{};
};

/// What a pattern asks of the type of a node: a tensor's element type and shape, or a tuple's fields. `open`: more extents, or more fields,
/// may follow those that are named. The spans are views of what the pattern's owner keeps.
struct type_guard {
    enum class form : std::uint8_t { anything, tensor, tuple };

    form kind = form::anything;
    element_type element = element_type::none;  // of a tensor; none: any
    bool shaped = false;                        // of a tensor: whether its shape is asked for
    bool open = false;
    std::span<const extent_guard> extents{};
    std::span<const type_guard> fields{};
};

[[nodiscard]] inline bool accepts(const extent_guard& guard, const extent& found) {
    if (guard.size >= 0) return found.size == guard.size;
    return guard.symbol.empty() || guard.symbol == found.symbol;
}

/// Whether a type is what the guard asks for. A shape of unknown rank is none that a guard with a shape takes.
[[nodiscard]] inline bool accepts(const type_guard& guard, const node_type& found) {
    const auto all = [&](const auto& asked, const auto& there) {
        if (there.size() < asked.size() || (there.size() > asked.size() && !guard.open)) return false;
        for (std::size_t i = 0; i < asked.size(); ++i)
            if (!accepts(asked[i], there[i])) return false;
        return true;
    };
    switch (guard.kind) {
        case type_guard::form::anything:
            return true;
        case type_guard::form::tensor: {
            if (!found.is_tensor()) return !in_force<"pattern.type.stored-type-only">();
            const tensor_type& t = found.of_tensor;
            if (guard.element != element_type::none && guard.element != t.element) return false;
            return !guard.shaped || (t.ranked && all(guard.extents, t.extents));
        }
        case type_guard::form::tuple:
            return found.is_tuple() && all(guard.fields, found.fields);
    }
    return false;
}

}  // namespace inlay

#endif
