// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_RESIZE_HPP
#define INLAY_BACKEND_XNNPACK_RESIZE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/resize_scales.hpp>
#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Linear resize of images, where the library's three rules for coordinates are the model's.
struct xnnpack_resize {
    struct plan {
        std::uint32_t rule = 0;  // a flag of the library
        std::vector<std::int64_t> x_extents, y_extents;
    };

    static constexpr auto pattern_of_resize() { return dsl::op<"onnx.Resize">; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, xnnpack_any_rank); !fine) return fine.failure();
        const region_value& c = r[r.results[0]];
        if (c.op != "onnx.Resize" || r.calls().size() != 1 || c.operands.empty() || c.operands[0] != 0)
            return error{"the region is no resize of an input"};
        plan p;
        p.x_extents = static_shape(r.type(0));
        p.y_extents = static_shape(r.type(r.results[0]));
        const std::size_t rank = p.x_extents.size();
        if (rank != 4 || p.y_extents.size() != 4)
            return error{"Resize of a tensor of rank " + std::to_string(rank) + "; the library takes images, of rank 4"};
        if (p.x_extents[0] != p.y_extents[0] || p.x_extents[1] != p.y_extents[1]) return error{"Resize changes the batch or the channels"};
        const attribute_map& a = *c.attributes;
        const std::string_view mode = inlay::read<resize_attributes>(a).mode,
                               place = inlay::read<resize_attributes>(a).coordinate_transformation_mode;
        if (mode != "linear") return error{"Resize by " + std::string(mode) + "; the library has linear"};
        if (inlay::read<resize_attributes>(a).antialias) return error{"Resize has antialias = 1"};
        if (inlay::read<resize_attributes>(a).keep_aspect_ratio_policy != "stretch") return error{"Resize keeps the aspect ratio"};
        const bool several = p.y_extents[2] > 1 && p.y_extents[3] > 1;
        if (place == "align_corners")
            p.rule = XNN_FLAG_ALIGN_CORNERS;
        else if (place == "asymmetric")
            p.rule = XNN_FLAG_TENSORFLOW_LEGACY_MODE;
        else if (place != "half_pixel" && !(place == "pytorch_half_pixel" && several))
            return error{"linear Resize with coordinates in the form " + std::string(place) +
                         "; the library has half_pixel, align_corners and asymmetric"};
        if (auto fine = check_resize_scales(r, c, p.x_extents, p.y_extents); !fine) return fine.failure();
        return p;
    }

    [[nodiscard]] static std::vector<border_formats> formats(const plan&, const region_view& r) { return {xnnpack_images(r)}; }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
        const std::size_t channels = size(p.x_extents[1]);
        xnnpack_sizes s = xnnpack_sizes::of_image(p.x_extents);
        s.more_height = size(p.y_extents[2]);
        s.more_width = size(p.y_extents[3]);
        constexpr xnnpack_setup setup = [](xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out,
                                           pthreadpool_t pool) {
            return xnn_setup_resize_bilinear2d_nhwc_f32(op, z.batch, z.height, z.width, z.more_height, z.more_width, in[0], out, pool);
        };
        return program.step({.name = "resize_bilinear2d_nhwc_f32", .setup = setup, .sizes = s, .flags = p.rule},
                            xnn_create_resize_bilinear2d_nhwc_f32, channels, channels, channels);
    }
};

}  // namespace inlay::detail

#endif
