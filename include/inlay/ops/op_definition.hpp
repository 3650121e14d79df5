// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_OP_DEFINITION_HPP
#define INLAY_OPS_OP_DEFINITION_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/attribute_list.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/graph/op_kind.hpp>

namespace inlay {

/// What one call costs in the abstract. `flops`: additions, multiplications and the like, a fused multiply-add counting two.
/// `bytes`: operands and results, each moved once.
struct op_work {
    double flops = 0;
    double bytes = 0;
};

/// What is known of one operator: declared once, in the header of its family.
///
/// - `infer` gives the type of the result (a tuple of `outputs` fields where `call.outputs > 1`) from the operands' types and known
///   values, with symbolic extents; an unknown extent stays unknown. The error names what does not fit, not the node.
/// - `evaluate` is the meaning: naive loops over the operands' elements (an operand left out is a tensor that is not `ok()`), for
///   float32, float64 and what else the operator allows; one tensor per output. Sums of float32 are accumulated in float64.
/// - `work` counts flops and bytes. Precondition: all types are static.
/// - `attributes` are all that a call may have, with types and defaults: `declared_attributes` of the struct that declares them. Readers of
///   models and texts refuse others. `with_attributes` fills them in for a family.
struct op_definition {
    std::string_view name;  // with dialect: "onnx.Conv"
    op_kind kind = op_kind::opaque;
    outcome<node_type> (*infer)(const call_view& call) = nullptr;
    outcome<std::vector<tensor>> (*evaluate)(const call_view& call, std::span<const tensor> operands) = nullptr;
    op_work (*work)(const call_view& call, const node_type& result) = nullptr;
    attribute_table attributes{};
};

namespace detail {
/// Not to be called in a constant expression: the compiler then says so, and shows the call with its sentence.
void reject(const char* sentence);
}  // namespace detail

/// A family's definitions with the attribute tables of the structs that name its operators: `static constexpr auto table =
/// with_attributes<conv_attributes>({...});`. A struct that names an operator which the family has not does not compile.
template <operator_attributes... Structs, std::size_t N>
[[nodiscard]] consteval std::array<op_definition, N> with_attributes(const op_definition (&rows)[N]) {
    std::array<op_definition, N> made{};
    for (std::size_t i = 0; i < N; ++i) made[i] = rows[i];
    const auto fill = [&](std::string_view name, attribute_table table) {
        for (op_definition& d : made)
            if (d.name == name) {
                d.attributes = table;
                return;
            }
        detail::reject("inlay: a struct of attributes names an operator that its family does not define");
    };
    const auto each = [&](std::span<const std::string_view> names, attribute_table table) {
        for (const std::string_view name : names) fill(name, table);
    };
    (each(Structs::operators, declared_attributes<Structs>), ...);
    return made;
}

/// Finds an operator's definition by its name, or null: what a set of operators is where its type is not known.
using op_finder = const op_definition* (*)(std::string_view);

/// A set of operators: `O::find(name)` gives the definition of that name, or null. `onnx_ops` is one; a user's own is another.
template <class O>
concept op_set = requires(std::string_view name) {
    { O::find(name) } -> std::same_as<const op_definition*>;
};

}  // namespace inlay

#endif
