// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_RESIZE_HPP
#define INLAY_BACKEND_XNNPACK_RESIZE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/resizing.hpp>
#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/program.hpp>
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
        if (auto fine = check_one_call(r, xnnpack_any_rank, "resize"); !fine) return fine.failure();
        const auto found = read_resizing(r, 4, 4);
        if (!found) return found.failure();
        const std::string_view place = found->how.coordinate_transformation_mode;
        plan p{0, found->x_extents, found->y_extents};
        if (place == "align_corners")
            p.rule = XNN_FLAG_ALIGN_CORNERS;
        else if (place == "asymmetric")
            p.rule = XNN_FLAG_TENSORFLOW_LEGACY_MODE;
        if (found->how.mode != "linear" || (p.rule == 0 && !found->centred))
            return error{"Resize by " + found->text() + "; the library has linear in the forms half_pixel, align_corners and asymmetric"};
        return p;
    }

    [[nodiscard]] static std::vector<border_formats> formats(const plan&, const region_view& r) { return {xnnpack_images(r)}; }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
        xnnpack_parameters s = xnnpack_parameters::of_images(p.x_extents);
        s.more_height = size(p.y_extents[2]);
        s.more_width = size(p.y_extents[3]);
        return program.step({.what = xnnpack_operators::bilinear_resize, .parameters = s, .flags = p.rule});
    }
};

}  // namespace inlay::detail

#endif
