// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CONTROL_FLOW_CONTROL_KERNEL_HPP
#define INLAY_BACKEND_CONTROL_FLOW_CONTROL_KERNEL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/control_flow/block_programs.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/ops/attributes/loop_attributes.hpp>
#include <inlay/ops/loops/axis_lines.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/passes/control/lift_control.hpp>

namespace inlay::detail {

/// Runs one branch or loop: chooses bodies, hands tensors to them, and stacks what they give.
class control_kernel {
public:
    /// The kernel of a region that is one call of `if_op`, `loop_op` or `scan_op`.
    [[nodiscard]] static outcome<kernel> make(const region_view& r, const block_programs& blocks) {
        control_kernel k;
        const region_value& call =
            *std::find_if(r.values.begin(), r.values.end(), [](const region_value& v) { return v.kind == region_value::role::call; });
        k.blocks_ = blocks;
        k.op_ = call.op == if_op ? form::branch : call.op == loop_op ? form::loop : form::scan;
        const attribute_map& a = *call.attributes;
        for (const std::int64_t b : a.integers("bodies")) k.bodies_.push_back(static_cast<std::size_t>(b));
        k.carried_ = static_cast<std::size_t>(a.integer("carried", 0));
        for (const value_id o : call.operands) {
            operand one;
            const region_value& v = r.values[o];
            if (v.kind == region_value::role::input) one.input = static_cast<std::ptrdiff_t>(o);
            if (v.kind == region_value::role::constant) one.constant = *v.value;
            one.is_there = v.kind != region_value::role::absent;
            if (one.is_there) one.type = v.type->of_tensor;
            k.operands_.push_back(std::move(one));
        }
        const std::size_t outputs = call.type->is_tuple() ? call.type->fields.size() : 1;
        k.result_of_.assign(outputs, -1);
        for (std::size_t i = 0; i < r.results.size(); ++i) {
            const region_value& v = r.values[r.results[i]];
            k.result_of_[v.kind == region_value::role::projection ? v.field : 0] = static_cast<std::ptrdiff_t>(i);
        }
        for (std::size_t f = 0; f < outputs; ++f)
            k.types_.push_back(call.type->is_tuple() ? call.type->fields[f].of_tensor : call.type->of_tensor);
        if (k.op_ == form::scan) {
            const scan_attributes given = read<scan_attributes>(a);
            const auto at = [](const auto& list, std::size_t i) { return i < list.size() ? list[i] : 0; };
            const std::size_t sliced = static_cast<std::size_t>(given.num_scan_inputs);
            for (std::size_t i = 0; i < sliced; ++i)
                k.slices_in_.push_back({*axis_of(at(given.scan_input_axes, i), k.operands_[k.carried_ + i].type.rank()),
                                        at(given.scan_input_directions, i) != 0});
            for (std::size_t f = k.carried_; f < outputs; ++f)
                k.slices_out_.push_back({*axis_of(at(given.scan_output_axes, f - k.carried_), k.types_[f].rank()),
                                         at(given.scan_output_directions, f - k.carried_) != 0});
        } else {
            k.slices_out_.assign(outputs > k.carried_ ? outputs - k.carried_ : 0, {0, false});
        }
        return kernel(std::move(k));
    }

    [[nodiscard]] bool run(const run_arguments& a) const {
        return op_ == form::branch ? run_branch(a) : op_ == form::loop ? run_loop(a) : run_scan(a);
    }

private:
    enum class form : std::uint8_t { branch, loop, scan };
    struct operand {
        std::ptrdiff_t input = -1;  // of the kernel; else it is the constant
        tensor constant;
        tensor_type type;
        bool is_there = false;
    };
    struct slicing {
        std::size_t axis = 0;
        bool backwards = false;
    };

    [[nodiscard]] const std::byte* data(const run_arguments& a, std::size_t i) const {
        const operand& o = operands_[i];
        return o.input >= 0 ? static_cast<const std::byte*>(a.inputs[o.input]) : o.constant.data();
    }
    void hand_over(const run_arguments& a, std::size_t from, tensor& to) const {
        if (to.bytes() != 0) std::memcpy(to.data(), data(a, from), to.bytes());
    }
    void give(const run_arguments& a, std::size_t output, const std::byte* from) const {
        if (output >= result_of_.size() || result_of_[output] < 0) return;
        const std::size_t bytes = static_cast<std::size_t>(*element_count(static_shape(types_[output]))) * size_of(types_[output].element);
        if (bytes != 0) std::memcpy(a.results[result_of_[output]], from, bytes);
    }

    bool run_branch(const run_arguments& a) const {
        const bool is_true = *reinterpret_cast<const bool*>(data(a, 0));
        auto body = blocks_.begin(bodies_[is_true ? 0 : 1]);
        if (!body) return false;
        for (std::size_t i = 1; i < operands_.size(); ++i) hand_over(a, i, body->inputs()[i - 1]);
        if (!(*body)(a.executor)) return false;
        for (std::size_t f = 0; f < result_of_.size(); ++f) give(a, f, body->results()[f].data());
        return true;
    }

    bool run_loop(const run_arguments& a) const {
        std::int64_t most = -1;
        if (operands_[0].is_there) most = integer_at(data(a, 0), operands_[0].type.element);
        bool goes_on = !operands_[1].is_there || *reinterpret_cast<const bool*>(data(a, 1));
        auto body = blocks_.begin(bodies_[0]);
        if (!body) return false;
        std::vector<tensor>&in = body->inputs(), &out = body->results();
        for (std::size_t i = 2; i < operands_.size(); ++i) hand_over(a, i, in[i]);
        std::int64_t trip = 0;
        const std::int64_t rows = stacked_rows();
        for (; goes_on && trip != most; ++trip) {
            if (rows >= 0 && trip == rows) return false;
            in[0].as<std::int64_t>()[0] = trip;
            in[1].as<bool>()[0] = true;
            if (!(*body)(a.executor)) return false;
            goes_on = std::as_const(out[0]).as<bool>()[0];
            stack(a, trip, rows, out, 1);
            for (std::size_t i = 0; i < carried_; ++i) std::swap(in[2 + i], out[1 + i]);
        }
        if (rows >= 0 && trip != rows) return false;
        for (std::size_t i = 0; i < carried_; ++i) give(a, i, std::as_const(in[2 + i]).data());
        return true;
    }
    /// How many slices are stacked; -1 where none are.
    [[nodiscard]] std::int64_t stacked_rows() const {
        return slices_out_.empty() ? -1 : types_[carried_].extents[slices_out_[0].axis].size;
    }

    bool run_scan(const run_arguments& a) const {
        auto body = blocks_.begin(bodies_[0]);
        if (!body) return false;
        std::vector<tensor>&in = body->inputs(), &out = body->results();
        const std::size_t own = carried_ + slices_in_.size();
        for (std::size_t i = 0; i < carried_; ++i) hand_over(a, i, in[i]);
        for (std::size_t i = own; i < operands_.size(); ++i) hand_over(a, i, in[i]);
        const std::int64_t trips = operands_[carried_].type.extents[slices_in_[0].axis].size;
        for (std::int64_t trip = 0; trip < trips; ++trip) {
            for (std::size_t s = 0; s < slices_in_.size(); ++s) {
                const std::vector<std::int64_t> extents = static_shape(operands_[carried_ + s].type);
                const axis_lines lines = axis_lines::of(extents, slices_in_[s].axis);
                tensor& slice = in[carried_ + s];
                const std::size_t bytes = static_cast<std::size_t>(lines.step) * size_of(slice.element());
                const std::int64_t at = slices_in_[s].backwards ? trips - 1 - trip : trip;
                const std::byte* from = data(a, carried_ + s);
                for (std::int64_t o = 0; bytes != 0 && o < lines.outer; ++o)
                    std::memcpy(slice.data() + static_cast<std::size_t>(o) * bytes,
                                from + static_cast<std::size_t>(o * lines.length + at) * bytes, bytes);
            }
            if (!(*body)(a.executor)) return false;
            stack(a, trip, trips, out, 0);
            for (std::size_t i = 0; i < carried_; ++i) std::swap(in[i], out[i]);
        }
        for (std::size_t i = 0; i < carried_; ++i) give(a, i, std::as_const(in[i]).data());
        return true;
    }

    /// Writes the slices that a trip gave to their places in the stacks.
    void stack(const run_arguments& a, std::int64_t trip, std::int64_t trips, const std::vector<tensor>& out, std::size_t before) const {
        for (std::size_t s = 0; s < slices_out_.size(); ++s) {
            const std::size_t output = carried_ + s;
            if (result_of_[output] < 0) continue;
            const tensor& slice = out[before + output];
            const axis_lines lines = axis_lines::of(static_shape(types_[output]), slices_out_[s].axis);
            const std::size_t bytes = static_cast<std::size_t>(lines.step) * size_of(slice.element());
            const std::int64_t at = slices_out_[s].backwards ? trips - 1 - trip : trip;
            auto* to = static_cast<std::byte*>(a.results[result_of_[output]]);
            for (std::int64_t o = 0; bytes != 0 && o < lines.outer; ++o)
                std::memcpy(to + static_cast<std::size_t>(o * lines.length + at) * bytes,
                            slice.data() + static_cast<std::size_t>(o) * bytes, bytes);
        }
    }
    [[nodiscard]] static std::int64_t integer_at(const std::byte* from, element_type element) {
        if (element == element_type::int32) return *reinterpret_cast<const std::int32_t*>(from);
        return std::max<std::int64_t>(*reinterpret_cast<const std::int64_t*>(from), 0);
    }

    form op_ = form::branch;
    block_programs blocks_;
    std::vector<std::size_t> bodies_;
    std::size_t carried_ = 0;
    std::vector<operand> operands_;
    std::vector<std::ptrdiff_t> result_of_;  // by output of the call; -1: nobody reads it
    std::vector<tensor_type> types_;         // likewise
    std::vector<slicing> slices_in_, slices_out_;
};

}  // namespace inlay::detail

#endif
