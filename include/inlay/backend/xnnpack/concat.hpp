// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_CONCAT_HPP
#define INLAY_BACKEND_XNNPACK_CONCAT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/image_order.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/pattern/dsl.hpp>

namespace inlay::detail {

/// Tensors side by side along one axis, all in one order: a copy of rows for each.
struct xnnpack_concat {
    struct plan {
        std::size_t axis = 0;
        std::vector<value_id> parts;  // in order; a value may stand more than once, and may be a constant
        std::vector<std::int64_t> extents;
    };

    static constexpr auto pattern_of_concat() { return dsl::op<"onnx.Concat">; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = xnnpack_check_region(r); !fine) return fine.failure();
        const region_value& c = r[r.results[0]];
        if (c.op != "onnx.Concat" || r.calls().size() != 1) return error{"the region is no concatenation"};
        plan p;
        p.extents = static_shape(r.type(r.results[0]));
        const auto rank = static_cast<std::int64_t>(p.extents.size());
        std::int64_t axis = c.attributes->integer("axis", 0);
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank) return error{"axis " + std::to_string(axis) + " is none of the " + std::to_string(rank) + " axes"};
        p.axis = static_cast<std::size_t>(axis);
        for (const value_id v : c.operands) {
            const tensor* t = xnnpack_floats(r, v);
            if (r[v].kind != region_value::role::input && t == nullptr)
                return error{"a part of type " + to_string(*r[v].type) + " is no float32 tensor"};
            if (t != nullptr && t->count() == 0) return error{"a part of type " + to_string(*r[v].type) + " has no elements"};
            p.parts.push_back(v);
        }
        return p;
    }

    [[nodiscard]] static std::vector<border_formats> formats(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        if (p.extents.size() == 4) list.push_back(xnnpack_images(r));
        list.push_back(plain_borders(r));
        return list;
    }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view& r, const border_formats& b, xnnpack_program& program) {
        const bool last = b.results[0].order == layout::channels_last();
        const std::size_t axis = last ? xnnpack_axis_in_channels_last(p.axis) : p.axis;
        const std::vector<std::int64_t> e = last ? xnnpack_channels_last(p.extents) : p.extents;
        std::size_t rows = 1, inner = 1, offset = 0;
        for (std::size_t i = 0; i < axis; ++i) rows *= static_cast<std::size_t>(e[i]);
        for (std::size_t i = axis + 1; i < e.size(); ++i) inner *= static_cast<std::size_t>(e[i]);
        const std::size_t whole = static_cast<std::size_t>(e[axis]) * inner;
        for (const value_id v : p.parts) {
            const std::vector<std::int64_t> part = static_shape(r.type(v));
            const std::size_t length = static_cast<std::size_t>(part[p.axis]) * inner;
            xnnpack_source source{v, nullptr};
            if (const tensor* t = xnnpack_floats(r, v)) {
                const auto numbers = t->as<float>();
                const auto kept =
                    program.constant(last ? xnnpack_channels_last(numbers, part) : std::vector<float>(numbers.begin(), numbers.end()));
                if (!kept) return kept.failure();
                source.constant = *kept;
            }
            xnnpack_sizes s;
            s.batch = rows;
            auto done = program.step(
                "copy_nc_x32", [&](xnn_operator_t* made) { return xnn_create_copy_nc_x32(length, length, whole, program.flags(), made); },
                [](xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out, pthreadpool_t pool) {
                    return xnn_setup_copy_nc_x32(op, z.batch, in[0], out, pool);
                },
                s, {source}, offset);
            if (!done) return done;
            offset += length;
        }
        return {};
    }
};

}  // namespace inlay::detail

#endif
