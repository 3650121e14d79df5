// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_ARITHMETIC_HPP
#define INLAY_BACKEND_XNNPACK_ARITHMETIC_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/with_axes.hpp>
#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/image_order.hpp>
#include <inlay/backend/xnnpack/maybe_clamped.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Operations of two tensors, element by element, either stretched to the other's extents; then a range.
struct xnnpack_arithmetic {
    using form = chain_step::combination;

    struct plan {
        form how = form::add;
        std::array<value_id, 2> operands{};
        std::array<std::vector<std::int64_t>, 2> extents;  // at the result's rank
        bool images = false;                               // whether channels may stand last
        xnnpack_range range;
    };

    static constexpr auto pattern_of_operation() {
        return xnnpack_maybe_clamped(
            dsl::call_on<1, "onnx.Add", "onnx.Sum", "onnx.Mul", "onnx.Sub", "onnx.Div", "onnx.Max", "onnx.Min">(dsl::any));
    }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        plan p;
        auto chain = xnnpack_read_chain(r, 0, [](const region_value& v) { return combination_of(v.op).has_value(); });
        if (!chain) return chain.failure();
        const region_value& c = r[chain->anchor];
        const std::size_t rank = r.type(chain->anchor).rank();
        p.how = *combination_of(c.op);
        p.range = chain->range;
        if (p.range.cuts() && (p.how == form::maximum || p.how == form::minimum))
            return error{std::string(c.op) + " of the library has no range that follows"};
        if (c.operands.size() != 2)
            return error{std::string(c.op) + " has " + std::to_string(c.operands.size()) + " operands; the library takes 2"};
        if (rank > XNN_MAX_TENSOR_DIMS)
            return error{std::string(c.op) + " of rank " + std::to_string(rank) + "; the library takes up to " +
                         std::to_string(XNN_MAX_TENSOR_DIMS)};
        p.images = rank == 4;
        for (std::size_t i = 0; i < 2; ++i) {
            const value_id v = c.operands[i];
            if (r[v].kind != region_value::role::input && float_constant(r, v) == nullptr)
                return error{"an operand of type " + to_string(*r[v].type) + " is no float32 tensor"};
            p.operands[i] = v;
            p.extents[i] = with_axes(static_shape(r.type(v)), rank);
            const bool is_input = r[v].kind == region_value::role::input;
            if (p.images && is_input && r.type(v).rank() != 4) p.images = xnnpack_lies_the_same(p.extents[i]);
        }
        return p;
    }

    /// Row-major; images with their channels last, where an input of lower rank lies the same in both orders.
    [[nodiscard]] static std::vector<border_formats> formats(const plan& p, const region_view& r) {
        std::vector<border_formats> list{plain_borders(r)};
        if (!p.images) return list;
        list.insert(list.begin(), xnnpack_images(r));
        for (value_id v = 0; v < r.input_count; ++v)
            if (r.type(v).rank() != 4) list[0].inputs[v].order = layout::plain();
        return list;
    }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view& r, const border_formats& b, xnnpack_program& program) {
        const bool last = b.results[0].order == layout::channels_last();
        std::array<xnnpack_source, 2> sources;
        xnnpack_parameters s;
        s.low = p.range.low;
        s.high = p.range.high;
        for (std::size_t i = 0; i < 2; ++i) {
            const std::vector<std::int64_t> e = last ? xnnpack_channels_last(p.extents[i]) : p.extents[i];
            (i == 0 ? s.first_rank : s.second_rank) = e.size();
            for (std::size_t axis = 0; axis < e.size(); ++axis) (i == 0 ? s.first : s.second)[axis] = static_cast<std::size_t>(e[axis]);
            const region_value& v = r[p.operands[i]];
            sources[i].input = p.operands[i];
            if (v.kind != region_value::role::constant) continue;
            const auto numbers = v.value->as<float>();
            const auto kept =
                program.constant(last ? xnnpack_channels_last(numbers, p.extents[i]) : std::vector<float>(numbers.begin(), numbers.end()));
            if (!kept) return kept.failure();
            sources[i].constant = *kept;
        }
        return program.step({operation(p.how), s, {sources[0], sources[1]}});
    }

private:
    [[nodiscard]] static constexpr const xnnpack_operator& operation(form how) {
        switch (how) {
            case form::add:
                return xnnpack_operators::add;
            case form::subtract:
                return xnnpack_operators::subtract;
            case form::multiply:
                return xnnpack_operators::multiply;
            case form::divide:
                return xnnpack_operators::divide;
            case form::maximum:
                return xnnpack_operators::maximum;
            case form::minimum:
                break;
        }
        return xnnpack_operators::minimum;
    }
};

}  // namespace inlay::detail

#endif
