// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_STORED_OPERANDS_HPP
#define INLAY_BACKEND_CUDA_CXX_STORED_OPERANDS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda_cxx/product_sums.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/text/tensor_core.hpp>

namespace inlay::detail {

[[nodiscard]] inline expression_id cast_of(nest_edit& e, expression_id of, element_type to) {
    nest_expression made;
    made.kind = nest_expression::form::cast;
    made.element = to;
    made.operands = {of};
    return e.add(std::move(made));
}

/// What an operand of a product of float32 loads: float32, or half precision that is cast where it is read; null where it is computed.
[[nodiscard]] inline const nest_expression* stored_operand(const loop_nest& n, expression_id operand) {
    const nest_expression* e = &n.expressions[operand];
    if (e->element != element_type::float32) return nullptr;
    if (e->kind == nest_expression::form::cast && is_half(n.expressions[e->operands[0]].element)) e = &n.expressions[e->operands[0]];
    return e->kind == nest_expression::form::load ? e : nullptr;
}

/// The half precision in which both operands of sums of products are stored: products of such numbers are exact in float32, and tensor
/// cores make them of the operands as they are. Else float32.
[[nodiscard]] inline product_precision stored_precision(const loop_nest& n, const std::string& sums) {
    const auto found = product_sums_of(n, sums);
    if (!found) return product_precision::float32;
    const nest_expression* product = &n.expressions[n.statements[found->update].value];
    if (product->kind == nest_expression::form::within) product = &n.expressions[product->operands[0]];
    if (product->kind != nest_expression::form::apply || product->function != scalar_function::multiply) return product_precision::float32;
    const nest_expression *left = stored_operand(n, product->operands[0]), *right = stored_operand(n, product->operands[1]);
    for (const product_precision p : {product_precision::float16, product_precision::bfloat16})
        if (left != nullptr && right != nullptr && left->element == operand_element(p) && right->element == operand_element(p)) return p;
    return product_precision::float32;
}

/// A stage that stores the whole of an input of half precision in another element type, and nothing else.
struct cast_stage {
    buffer_id from = 0, to = 0;
};
[[nodiscard]] inline std::optional<cast_stage> cast_stage_of(const loop_nest& n, const loop_band& band) {
    const nest_edit e(n);
    const nest_statement* store = nullptr;
    const nest_expression* value = nullptr;
    // The cast may stand in a buffer of one element before it is stored.
    bool is_alone = true;
    e.each(band.body, [&](statement_id id) {
        const nest_statement& s = e.at(id);
        if (s.kind != nest_statement::form::store) {
            is_alone = is_alone && (s.kind == nest_statement::form::block || s.kind == nest_statement::form::allocate);
        } else if (const nest_expression& v = n.expressions[s.value]; v.kind == nest_expression::form::cast && value == nullptr) {
            value = &v;
            store = &s;
        } else {
            is_alone = is_alone && v.kind == nest_expression::form::load && store != nullptr && v.buffer == store->buffer &&
                       n.buffers[store->buffer].scope == buffer_scope::stack;
            store = &s;
        }
    });
    if (!is_alone || value == nullptr || n.buffers[store->buffer].scope != buffer_scope::scratch) return std::nullopt;
    const nest_expression& load = n.expressions[value->operands[0]];
    if (load.kind != nest_expression::form::load || !is_half(load.element)) return std::nullopt;
    const nest_buffer &from = n.buffers[load.buffer], &to = n.buffers[store->buffer];
    if (from.scope != buffer_scope::input || from.extents != to.extents || load.indices != store->indices ||
        store->indices.size() != band.loops.size())
        return std::nullopt;
    for (std::size_t d = 0; d < band.loops.size(); ++d)
        if (e.at(band.loops[d]).extent != to.extents[d] || store->indices[d] != affine::of(e.at(band.loops[d]).variable))
            return std::nullopt;
    return cast_stage{load.buffer, store->buffer};
}

/// A nest whose stages read inputs of half precision as they are stored, each element cast where it is read, in place of a copy of the
/// whole that a stage before them casts. On a device a cast is one instruction, and the copy a kernel and a way through its memory.
[[nodiscard]] inline loop_nest with_stored_operands(loop_nest n) {
    for (const loop_band& band : outermost_bands(n)) {
        const auto stage = cast_stage_of(n, band);
        if (!stage) continue;
        nest_edit e(n);
        const statement_id whole = band.loops.front();
        std::size_t writers = 0;
        e.each_access(n.root, [&](buffer_id b, const auto&, const auto& reach, bool writes) {
            // What is handed to a function stays.
            if (b == stage->to) writers += !reach.empty() ? 2 : writes ? 1 : 0;
        });
        if (writers != 1) continue;
        e.replace(whole, e.block({}));
        const element_type wide = n.buffers[stage->to].element;
        e.rewrite_loads(e.nest().root, [&](const nest_expression& load) -> std::optional<expression_id> {
            if (load.buffer != stage->to) return std::nullopt;
            nest_expression narrow = load;
            narrow.buffer = stage->from;
            narrow.element = n.buffers[stage->from].element;
            return cast_of(e, e.add(std::move(narrow)), wide);
        });
        const statement_id allocation = *e.allocation_of(stage->to);
        e.replace(allocation, e.at(allocation).parts.front());
        e.tidy();
        loop_nest made = std::move(e).take();
        // Statements have other numbers now.
        if (check_nest(made)) return with_stored_operands(std::move(made));
    }
    return n;
}

}  // namespace inlay::detail

#endif
