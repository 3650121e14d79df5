// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_HALVED_OPERANDS_HPP
#define INLAY_BACKEND_CUDA_CXX_HALVED_OPERANDS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda_cxx/stored_operands.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay::detail {

/// One operand in half precision: a buffer of the nest's and the stage that stores it.
struct halved_operand {
    buffer_id half = 0;
    statement_id stage = 0;
    std::vector<affine> at;  // where the sums read it
};

/// An operand that is loaded somewhere, in half precision. The axis that is read at eights of depths, if any, becomes two: the eights
/// outermost, what is in one innermost.
[[nodiscard]] inline std::optional<halved_operand> halved(nest_edit& e, const nest_expression& load, element_type half,
                                                          std::optional<variable_id> eight) {
    const nest_buffer whole = e.nest().buffers[load.buffer];
    halved_operand made;
    std::optional<std::size_t> deep;
    std::vector<std::int64_t> extents;
    for (std::size_t d = 0; d < whole.extents.size(); ++d) {
        if (eight && load.indices[d].factor_of(*eight) != 0) {
            if (deep || load.indices[d].factor_of(*eight) != 8) return std::nullopt;
            deep = d;
            continue;
        }
        extents.push_back(whole.extents[d]);
        made.at.push_back(load.indices[d]);
    }
    if (eight) {
        if (!deep || whole.extents[*deep] % 8 != 0) return std::nullopt;
        extents.insert(extents.begin(), whole.extents[*deep] / 8);
        extents.push_back(8);
        made.at.insert(made.at.begin(), affine::of(*eight));
        made.at.push_back(load.indices[*deep] - affine::of(*eight, 8));
    }
    made.half =
        e.add(nest_buffer{free_name(e.nest(), whole.name + "_half"), half, extents, row_major_strides(extents), buffer_scope::scratch});
    nest_statement store;
    store.kind = nest_statement::form::store;
    store.buffer = made.half;
    for (std::size_t d = 0; d < extents.size(); ++d)
        store.indices.push_back(affine::of(e.variable(e.nest().buffers[made.half].name + "_i")));
    nest_expression one = load;
    one.indices = store.indices;
    if (deep) {
        const affine depth = one.indices.front() * 8 + one.indices.back();
        one.indices.erase(one.indices.begin());
        one.indices.pop_back();
        one.indices.insert(one.indices.begin() + static_cast<std::ptrdiff_t>(*deep), depth);
    }
    store.value = e.add(std::move(one));
    if (load.element != half) store.value = cast_of(e, store.value, half);
    made.stage = e.add(store);
    for (std::size_t d = extents.size(); d-- > 0;) {
        nest_statement head;
        head.kind = nest_statement::form::loop;
        head.variable = store.indices[d].terms()[0].variable;
        head.extent = extents[d];
        made.stage = e.around(std::move(head), made.stage);
    }
    return made;
}

/// Has sums of products read what their two operands, which are inputs, are in half precision, which stages of their own store first unless
/// they stand so; by eights of depths, where `eights` names the loop over these. The operands are named anew. Whether it did.
[[nodiscard]] inline bool halve_operands(loop_nest& n, const std::string& sums, std::vector<std::string>& operands,
                                         element_type half = element_type::float16, const std::string& eights = {}) {
    nest_edit e(n);
    const buffer_id of = *e.buffer(sums);
    std::optional<statement_id> update;
    for (statement_id s = 0; s < n.statements.size(); ++s)
        if (e.at(s).kind == nest_statement::form::update && e.at(s).buffer == of) update = s;
    if (!update) return false;
    std::optional<variable_id> eight;
    if (!eights.empty()) eight = e.at(*e.loop(eights)).variable;
    nest_expression product = n.expressions[e.at(*update).value];
    if (product.kind != nest_expression::form::apply || product.function != scalar_function::multiply ||
        product.element != element_type::float32)
        return false;
    std::vector<statement_id> parts;
    std::vector<buffer_id> halves;
    std::vector<std::string> named;
    for (std::size_t i = 0; i < 2; ++i) {
        const nest_expression* stored = stored_operand(n, product.operands[i]);
        if (stored == nullptr || n.buffers[stored->buffer].name != operands[i] || n.buffers[stored->buffer].scope != buffer_scope::input)
            return false;
        if (stored->element == half && !eight) {
            named.push_back(operands[i]);
            continue;
        }
        nest_expression load = *stored;
        auto made = halved(e, load, half, eight);
        if (!made) return false;
        halves.push_back(made->half);
        parts.push_back(made->stage);
        load.buffer = made->half;
        load.indices = std::move(made->at);
        load.element = half;
        product.operands[i] = cast_of(e, e.add(std::move(load)), element_type::float32);
        named.push_back(e.nest().buffers[made->half].name);
    }
    e.at(*update).value = e.add(std::move(product));
    parts.push_back(e.nest().root);
    statement_id all = e.block(std::move(parts));
    for (const buffer_id made : halves) all = e.allocated(made, all);
    e.replace_root(all);
    e.tidy();
    loop_nest made = std::move(e).take();
    if (!check_nest(made)) return false;
    n = std::move(made);
    operands = std::move(named);
    return true;
}

}  // namespace inlay::detail

#endif
