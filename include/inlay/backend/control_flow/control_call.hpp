// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CONTROL_FLOW_CONTROL_CALL_HPP
#define INLAY_BACKEND_CONTROL_FLOW_CONTROL_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/only_call.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/ops/attributes/loop_attributes.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/passes/control/lift_control.hpp>

namespace inlay::detail {

/// One branch or loop, read from a region that is one call of `if_op`, `loop_op` or `scan_op`.
struct control_call {
    enum class form : std::uint8_t { branch, loop, scan };
    struct operand {
        std::ptrdiff_t input = -1;  // of the region; else it is the constant
        tensor constant;
        tensor_type type;
        bool is_there = false;
    };
    /// Along which axis slices stand in the whole, and whether the last comes first.
    struct slicing {
        std::size_t axis = 0;
        bool backwards = false;
    };

    form op = form::branch;
    std::vector<std::size_t> bodies;
    std::size_t carried = 0;
    std::vector<operand> operands;
    std::vector<std::ptrdiff_t> result_of;  // by output of the call; -1: nobody reads it
    std::vector<tensor_type> types;         // likewise
    std::vector<slicing> slices_in, slices_out;

    [[nodiscard]] static control_call of(const region_view& r) {
        control_call c;
        const region_value& call = *only_call(r);
        c.op = call.op == if_op ? form::branch : call.op == loop_op ? form::loop : form::scan;
        const attribute_map& a = *call.attributes;
        for (const std::int64_t b : a.integers("bodies")) c.bodies.push_back(static_cast<std::size_t>(b));
        c.carried = static_cast<std::size_t>(a.integer("carried", 0));
        for (const value_id o : call.operands) {
            operand one;
            const region_value& v = r.values[o];
            if (v.kind == region_value::role::input) one.input = static_cast<std::ptrdiff_t>(o);
            if (v.kind == region_value::role::constant) one.constant = *v.value;
            one.is_there = v.kind != region_value::role::absent;
            if (one.is_there) one.type = v.type->of_tensor;
            c.operands.push_back(std::move(one));
        }
        const std::size_t outputs = call.type->is_tuple() ? call.type->fields.size() : 1;
        c.result_of.assign(outputs, -1);
        for (std::size_t i = 0; i < r.results.size(); ++i) {
            const region_value& v = r.values[r.results[i]];
            c.result_of[v.kind == region_value::role::projection ? v.field : 0] = static_cast<std::ptrdiff_t>(i);
        }
        for (std::size_t f = 0; f < outputs; ++f)
            c.types.push_back(call.type->is_tuple() ? call.type->fields[f].of_tensor : call.type->of_tensor);
        if (c.op == form::scan) {
            const scan_attributes given = read<scan_attributes>(a);
            const auto at = [](const auto& list, std::size_t i) { return i < list.size() ? list[i] : 0; };
            const std::size_t sliced = static_cast<std::size_t>(given.num_scan_inputs);
            for (std::size_t i = 0; i < sliced; ++i)
                c.slices_in.push_back({*axis_of(at(given.scan_input_axes, i), c.operands[c.carried + i].type.rank()),
                                       at(given.scan_input_directions, i) != 0});
            for (std::size_t f = c.carried; f < outputs; ++f)
                c.slices_out.push_back({*axis_of(at(given.scan_output_axes, f - c.carried), c.types[f].rank()),
                                        at(given.scan_output_directions, f - c.carried) != 0});
        } else {
            c.slices_out.assign(outputs > c.carried ? outputs - c.carried : 0, {0, false});
        }
        return c;
    }

    /// How many slices a loop stacks; -1 where none are.
    [[nodiscard]] std::int64_t stacked_rows() const { return slices_out.empty() ? -1 : types[carried].extents[slices_out[0].axis].size; }
    /// How many trips a scan makes.
    [[nodiscard]] std::int64_t scanned_rows() const { return operands[carried].type.extents[slices_in[0].axis].size; }
};

}  // namespace inlay::detail

#endif
