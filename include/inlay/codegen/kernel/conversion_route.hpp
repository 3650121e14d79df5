// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_CONVERSION_ROUTE_HPP
#define INLAY_CODEGEN_KERNEL_CONVERSION_ROUTE_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A tensor's bytes copied from one memory to another: by which back end of a list, in how many seconds by what that one states.
struct memory_copy {
    memory_scope from, to;
    std::size_t bytes = 0;
    std::size_t backend = 0;
    double seconds = 0;

    friend bool operator==(const memory_copy&, const memory_copy&) = default;
};

/// The copy that the most preferred back end of a list offers that has one; nothing where none of those that take part has.
template <class List>
[[nodiscard]] std::optional<memory_copy> copy_by(const List& backends, memory_scope from, memory_scope to, std::size_t bytes) {
    std::optional<memory_copy> found;
    for (const std::size_t number : backends.chosen()) {
        if (found) break;
        backends.visit(number, [&]<class B>(const B& b) {
            if constexpr (owns_memory<B>)
                if (const std::optional<double> seconds = b.copy_seconds(from, to, bytes)) found = {from, to, bytes, number, *seconds};
        });
    }
    return found;
}

/// How a tensor gets from one format into another. Layouts are changed in the CPU's main memory: what comes from elsewhere is copied there
/// first, what goes elsewhere is copied last. Within the CPU's main memory there is no copy.
struct conversion_route {
    layout from, to;
    std::vector<memory_copy> copies;  // at most two, in order; a layout changes where the CPU's main memory is reached

    [[nodiscard]] bool changes_layout() const { return from != to; }
    /// What crosses from one memory into another.
    [[nodiscard]] std::uint64_t copied_bytes() const {
        std::uint64_t sum = 0;
        for (const memory_copy& c : copies) sum += c.bytes;
        return sum;
    }
    /// Of the copies, by what their back ends state.
    [[nodiscard]] double copy_seconds() const {
        double sum = 0;
        for (const memory_copy& c : copies) sum += c.seconds;
        return sum;
    }
};

/// The route; nothing where there is none: another layout in a memory other than the CPU's main one, or a copy that nobody offers.
/// `copy(from, to, bytes)` gives a `memory_copy` or nothing.
template <class Copy>
requires std::is_invocable_r_v<std::optional<memory_copy>, Copy&, memory_scope, memory_scope,
                               std::size_t> [[nodiscard]] std::optional<conversion_route>
route_between(const std::vector<std::int64_t>& extents, const format& from, const format& to, Copy&& copy) {
    constexpr memory_scope main;
    if (from.element != to.element) return std::nullopt;
    conversion_route route{from.order, to.order, {}};
    if (from.scope == to.scope) return from.scope == main || from.order == to.order ? std::optional(std::move(route)) : std::nullopt;
    if (!route.changes_layout()) {
        if (const auto whole = copy(from.scope, to.scope, stored_bytes(extents, from))) {
            route.copies.push_back(*whole);
            return route;
        }
        if (from.scope == main || to.scope == main) return std::nullopt;
    }
    if (from.scope != main) {
        const auto out = copy(from.scope, main, stored_bytes(extents, from));
        if (!out) return std::nullopt;
        route.copies.push_back(*out);
    }
    if (to.scope != main) {
        const auto in = copy(main, to.scope, stored_bytes(extents, to));
        if (!in) return std::nullopt;
        route.copies.push_back(*in);
    }
    return route;
}

}  // namespace inlay

#endif
