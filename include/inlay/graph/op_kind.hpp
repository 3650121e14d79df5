// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_OP_KIND_HPP
#define INLAY_GRAPH_OP_KIND_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <inlay/core/id.hpp>

namespace inlay {

/// How an operator's output elements depend on its input elements, from the freest to the least free to fuse. The kind of several nodes
/// together is the greatest of theirs.
enum class op_kind : std::uint8_t {
    elementwise,  // output element i from input elements i
    broadcast,    // as elementwise, after the operands' shapes are stretched
    injective,    // each output element is one input element: transpose, slice, concat
    reduction,    // output elements from whole slices of one input
    anchor,       // products summed over several inputs: convolution, matrix product
    tuple,        // makes or splits tuples
    opaque        // none of these, or not known before the run
};

/// `elementwise`, `broadcast`, ...
[[nodiscard]] constexpr std::string_view name_of(op_kind k) {
    constexpr std::string_view names[] = {"elementwise", "broadcast", "injective", "reduction", "anchor", "tuple", "opaque"};
    return names[static_cast<std::size_t>(k)];
}

/// It says of which kind the operator is that a call applies: `kind_of_op(g, n)`. Asked of calls only; `op_kinds_in` asks a set of
/// operators.
template <class K, class G>
concept op_kind_source = requires(const K& kind_of_op, const G& g, node_id n) {
    { kind_of_op(g, n) } -> std::same_as<op_kind>;
};

}  // namespace inlay

#endif
