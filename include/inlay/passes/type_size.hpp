// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_TYPE_SIZE_HPP
#define INLAY_PASSES_TYPE_SIZE_HPP

#include <cstddef>
#include <string>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/node_type.hpp>

namespace inlay::detail {

/// Bounds on types, in parts: a tuple that has one value twice doubles the type, so that a short text could ask for all memory.
inline constexpr std::size_t most_parts_of_a_type = std::size_t{1} << 16;
inline constexpr std::size_t most_parts_of_all_types = std::size_t{1} << 22;

/// How many types a type is made of, itself among them. O(size of the type); no recursion.
[[nodiscard]] inline std::size_t parts_of(const node_type& type) {
    std::size_t count = 0;
    std::vector<const node_type*> open{&type};
    while (!open.empty()) {
        const node_type& t = *open.back();
        open.pop_back();
        ++count;
        for (const node_type& f : t.fields) open.push_back(&f);
    }
    return count;
}

/// Adds up the parts of types. The error follows the name of a node.
class type_size {
public:
    /// Whether a type of so many parts may be made.
    [[nodiscard]] static outcome<void> check(std::size_t parts) {
        if (parts <= most_parts_of_a_type || !in_force<"passes.types.size">()) return {};
        return error{"has a type of more than " + std::to_string(most_parts_of_a_type) +
                     " parts; put fewer tuples or functions into each other"};
    }
    /// The same for one more type beside those before. A type without fields counts for nothing.
    [[nodiscard]] outcome<void> add(std::size_t parts) {
        if (auto fits = check(parts); !fits) return fits;
        if (parts > 1) all_ += parts;
        if (all_ <= most_parts_of_all_types || !in_force<"passes.types.size">()) return {};
        return error{"has a type that brings all types of the program to more than " + std::to_string(most_parts_of_all_types) +
                     " parts; put fewer tuples or functions into each other"};
    }

private:
    std::size_t all_ = 0;
};

}  // namespace inlay::detail

#endif
