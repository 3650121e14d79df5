// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_CONCAT_HPP
#define INLAY_BACKEND_XNNPACK_CONCAT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/concat_parts.hpp>
#include <inlay/backend/float_constant.hpp>
#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/image_order.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Tensors side by side along one axis, all in one order: a copy of rows for each.
struct xnnpack_concat {
    using plan = concat_parts;

    static constexpr auto pattern_of_concat() { return dsl::op<"onnx.Concat">; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, xnnpack_any_rank); !fine) return fine.failure();
        return read_concat_parts(r);
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
            if (const tensor* t = float_constant(r, v)) {
                const auto numbers = t->as<float>();
                const auto kept =
                    program.constant(last ? xnnpack_channels_last(numbers, part) : std::vector<float>(numbers.begin(), numbers.end()));
                if (!kept) return kept.failure();
                source.constant = *kept;
            }
            xnnpack_parameters s = xnnpack_parameters::of_rows(rows, length);
            s.output_stride = whole;
            auto done = program.step({xnnpack_operators::copy, s, {source}, offset});
            if (!done) return done;
            offset += length;
        }
        return {};
    }
};

}  // namespace inlay::detail

#endif
