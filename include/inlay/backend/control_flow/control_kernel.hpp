// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CONTROL_FLOW_CONTROL_KERNEL_HPP
#define INLAY_BACKEND_CONTROL_FLOW_CONTROL_KERNEL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/control_flow/block_programs.hpp>
#include <inlay/backend/control_flow/control_call.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/ops/loops/axis_lines.hpp>

namespace inlay::detail {

/// Runs one branch or loop: chooses bodies, hands tensors to them, and stacks what they give.
class control_kernel {
public:
    /// The kernel of a region that is one call of `if_op`, `loop_op` or `scan_op`.
    [[nodiscard]] static outcome<kernel> make(const region_view& r, const block_programs& blocks) {
        control_kernel k;
        k.call_ = control_call::of(r);
        for (const std::size_t b : k.call_.bodies)
            if (!blocks.is_linked(b)) return error{"body " + std::to_string(b) + " was planned to leave, and is not linked"};
        k.blocks_ = blocks;
        return kernel(std::move(k));
    }

    [[nodiscard]] bool run(const run_arguments& a) const {
        return call_.op == form::branch ? run_branch(a) : call_.op == form::loop ? run_loop(a) : run_scan(a);
    }

private:
    using form = control_call::form;
    using operand = control_call::operand;

    [[nodiscard]] const std::byte* data(const run_arguments& a, std::size_t i) const {
        const operand& o = call_.operands[i];
        return o.input >= 0 ? static_cast<const std::byte*>(a.inputs[o.input]) : o.constant.data();
    }
    void hand_over(const run_arguments& a, std::size_t from, tensor& to) const {
        if (to.bytes() != 0) std::memcpy(to.data(), data(a, from), to.bytes());
    }
    void give(const run_arguments& a, std::size_t output, const std::byte* from) const {
        if (output >= call_.result_of.size() || call_.result_of[output] < 0) return;
        const std::size_t bytes =
            static_cast<std::size_t>(*element_count(static_shape(call_.types[output]))) * size_of(call_.types[output].element);
        if (bytes != 0) std::memcpy(a.results[call_.result_of[output]], from, bytes);
    }

    bool run_branch(const run_arguments& a) const {
        const bool is_true = *reinterpret_cast<const bool*>(data(a, 0));
        auto body = blocks_.begin(call_.bodies[is_true ? 0 : 1]);
        if (!body) return false;
        for (std::size_t i = 1; i < call_.operands.size(); ++i) hand_over(a, i, body->inputs()[i - 1]);
        if (!(*body)(a.executor)) return false;
        for (std::size_t f = 0; f < call_.result_of.size(); ++f) give(a, f, body->results()[f].data());
        return true;
    }

    bool run_loop(const run_arguments& a) const {
        std::int64_t most = -1;
        if (call_.operands[0].is_there) most = integer_at(data(a, 0), call_.operands[0].type.element);
        bool goes_on = !call_.operands[1].is_there || *reinterpret_cast<const bool*>(data(a, 1));
        auto body = blocks_.begin(call_.bodies[0]);
        if (!body) return false;
        std::vector<tensor>&in = body->inputs(), &out = body->results();
        for (std::size_t i = 2; i < call_.operands.size(); ++i) hand_over(a, i, in[i]);
        std::int64_t trip = 0;
        const std::int64_t rows = call_.stacked_rows();
        for (; goes_on && trip != most; ++trip) {
            if (rows >= 0 && trip == rows) return false;
            in[0].as<std::int64_t>()[0] = trip;
            in[1].as<bool>()[0] = true;
            if (!(*body)(a.executor)) return false;
            goes_on = std::as_const(out[0]).as<bool>()[0];
            stack(a, trip, rows, out, 1);
            for (std::size_t i = 0; i < call_.carried; ++i) std::swap(in[2 + i], out[1 + i]);
        }
        if (rows >= 0 && trip != rows) return false;
        for (std::size_t i = 0; i < call_.carried; ++i) give(a, i, std::as_const(in[2 + i]).data());
        return true;
    }
    bool run_scan(const run_arguments& a) const {
        auto body = blocks_.begin(call_.bodies[0]);
        if (!body) return false;
        std::vector<tensor>&in = body->inputs(), &out = body->results();
        const std::size_t own = call_.carried + call_.slices_in.size();
        for (std::size_t i = 0; i < call_.carried; ++i) hand_over(a, i, in[i]);
        for (std::size_t i = own; i < call_.operands.size(); ++i) hand_over(a, i, in[i]);
        const std::int64_t trips = call_.scanned_rows();
        for (std::int64_t trip = 0; trip < trips; ++trip) {
            for (std::size_t s = 0; s < call_.slices_in.size(); ++s) {
                const std::vector<std::int64_t> extents = static_shape(call_.operands[call_.carried + s].type);
                const axis_lines lines = axis_lines::of(extents, call_.slices_in[s].axis);
                tensor& slice = in[call_.carried + s];
                const std::size_t bytes = static_cast<std::size_t>(lines.step) * size_of(slice.element());
                const std::int64_t at = call_.slices_in[s].backwards ? trips - 1 - trip : trip;
                const std::byte* from = data(a, call_.carried + s);
                for (std::int64_t o = 0; bytes != 0 && o < lines.outer; ++o)
                    std::memcpy(slice.data() + static_cast<std::size_t>(o) * bytes,
                                from + static_cast<std::size_t>(o * lines.length + at) * bytes, bytes);
            }
            if (!(*body)(a.executor)) return false;
            stack(a, trip, trips, out, 0);
            for (std::size_t i = 0; i < call_.carried; ++i) std::swap(in[i], out[i]);
        }
        for (std::size_t i = 0; i < call_.carried; ++i) give(a, i, std::as_const(in[i]).data());
        return true;
    }

    /// Writes the slices that a trip gave to their places in the stacks.
    void stack(const run_arguments& a, std::int64_t trip, std::int64_t trips, const std::vector<tensor>& out, std::size_t before) const {
        for (std::size_t s = 0; s < call_.slices_out.size(); ++s) {
            const std::size_t output = call_.carried + s;
            if (call_.result_of[output] < 0) continue;
            const tensor& slice = out[before + output];
            const axis_lines lines = axis_lines::of(static_shape(call_.types[output]), call_.slices_out[s].axis);
            const std::size_t bytes = static_cast<std::size_t>(lines.step) * size_of(slice.element());
            const std::int64_t at = call_.slices_out[s].backwards ? trips - 1 - trip : trip;
            auto* to = static_cast<std::byte*>(a.results[call_.result_of[output]]);
            for (std::int64_t o = 0; bytes != 0 && o < lines.outer; ++o)
                std::memcpy(to + static_cast<std::size_t>(o * lines.length + at) * bytes,
                            slice.data() + static_cast<std::size_t>(o) * bytes, bytes);
        }
    }
    [[nodiscard]] static std::int64_t integer_at(const std::byte* from, element_type element) {
        if (element == element_type::int32) return std::max<std::int64_t>(*reinterpret_cast<const std::int32_t*>(from), 0);
        return std::max<std::int64_t>(*reinterpret_cast<const std::int64_t*>(from), 0);
    }

    control_call call_;
    block_programs blocks_;
};

}  // namespace inlay::detail

#endif
