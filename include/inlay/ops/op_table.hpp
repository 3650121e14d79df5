// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_OP_TABLE_HPP
#define INLAY_OPS_OP_TABLE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>

#include <inlay/ops/op_definition.hpp>

namespace inlay {

/// An operator set made of families: types with a static constexpr array `table` of definitions. `op_table<onnx_math<>, my_ops>` is a
/// set with ONNX's mathematical functions and a user's own operators. Two definitions of one name do not compile.
template <class... Family>
struct op_table {
    /// The definition of that name, or null. O(log operators). A template, so that a program that never calls it compiles no operator.
    template <class T = void>
    [[nodiscard]] static const op_definition* find(std::string_view name) {
        constexpr const auto& all = merged<T>::sorted;
        const auto at = std::lower_bound(all.begin(), all.end(), name, before);
        return at != all.end() && at->name == name ? &*at : nullptr;
    }

    /// All definitions, by name.
    template <class T = void>
    [[nodiscard]] static std::span<const op_definition> all() {
        return merged<T>::sorted;
    }

private:
    static constexpr bool before(const op_definition& d, std::string_view name) { return d.name < name; }

    template <class>
    struct merged {
        static constexpr std::size_t size = (std::size(Family::table) + ... + 0);

        static constexpr std::array<op_definition, size> sorted = [] {
            std::array<op_definition, size> all{};
            std::size_t at = 0;
            const auto append = [&](const auto& table) {
                for (const op_definition& d : table) all[at++] = d;
            };
            (append(Family::table), ...);
            std::sort(all.begin(), all.end(), [](const op_definition& a, const op_definition& b) { return before(a, b.name); });
            return all;
        }();

        static constexpr bool distinct = [] {
            for (std::size_t i = 1; i < size; ++i)
                if (sorted[i - 1].name == sorted[i].name) return false;
            return true;
        }();
        static_assert(distinct, "an operator is declared in two families");
    };
};

}  // namespace inlay

#endif
