// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_SOFTMAX_HPP
#define INLAY_BACKEND_XNNPACK_SOFTMAX_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Softmax over the axis that lies innermost.
struct xnnpack_softmax {
    struct plan {
        std::size_t rows = 1, columns = 1;
        bool plain = false, channels_last = false;  // the orders in which the axis lies innermost
    };

    static constexpr auto pattern_of_softmax() { return dsl::op<"onnx.Softmax">; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, xnnpack_any_rank); !fine) return fine.failure();
        const region_value& c = r[r.results[0]];
        if (c.op != "onnx.Softmax" || r.calls().size() != 1) return error{"the region is no softmax"};
        const std::vector<std::int64_t> e = static_shape(r.type(r.results[0]));
        const auto rank = static_cast<std::int64_t>(e.size());
        std::int64_t axis = inlay::read<softmax_attributes>(*c.attributes).axis;
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank) return error{"axis " + std::to_string(axis) + " is none of the " + std::to_string(rank) + " axes"};
        plan p;
        std::int64_t after = 1;
        for (std::int64_t i = 0; i < rank; ++i) {
            const std::int64_t size = e[static_cast<std::size_t>(i)];
            (i == axis ? p.columns : p.rows) *= static_cast<std::size_t>(size);
            if (i > axis) after *= size;
        }
        p.plain = after == 1;
        p.channels_last = rank == 4 && axis == 1;
        if (!p.plain && !p.channels_last)
            return error{"softmax over axis " + std::to_string(axis) + " of " + to_string(r.type(r.results[0])) +
                         "; the library takes the innermost"};
        return p;
    }

    [[nodiscard]] static std::vector<border_formats> formats(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        if (p.channels_last) list.push_back(xnnpack_images(r));
        if (p.plain) list.push_back(plain_borders(r));
        return list;
    }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        return program.step({xnnpack_operators::row_softmax, xnnpack_parameters::of_rows(p.rows, p.columns)});
    }
};

}  // namespace inlay::detail

#endif
