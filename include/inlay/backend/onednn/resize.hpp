// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_RESIZE_HPP
#define INLAY_BACKEND_ONEDNN_RESIZE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/backend/resizing.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Resize over the spatial axes, where the library's one rule (pixel centres) means what the model asks for: nearest with whole factors
/// upwards, linear with half-pixel coordinates.
struct onednn_resize {
    struct plan {
        dnnl::algorithm how = dnnl::algorithm::resampling_nearest;
        std::vector<std::int64_t> x_extents, y_extents;
    };

    static constexpr auto pattern_of_resize() { return dsl::op<"onnx.Resize">; }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_one_call(r, onednn_most_axes, "resize"); !fine) return fine.failure();
        const auto found = read_resizing(r, 3, 5);
        if (!found) return found.failure();
        plan p{dnnl::algorithm::resampling_nearest, found->x_extents, found->y_extents};
        const std::string_view mode = found->how.mode, round = found->how.nearest_mode;
        if (mode == "nearest") {
            const bool centred = found->centred && (round == "round_prefer_floor" || round == "round_prefer_ceil");
            if (!centred && !(found->how.coordinate_transformation_mode == "asymmetric" && round == "floor"))
                return error{"Resize by " + found->text() + ", " + std::string(round) + "; the library has pixel centres, rounded"};
            for (std::size_t i = 2; i < p.x_extents.size(); ++i)
                if (p.y_extents[i] % p.x_extents[i] != 0)
                    return error{"Resize of axis " + std::to_string(i) + " from " + std::to_string(p.x_extents[i]) + " to " +
                                 std::to_string(p.y_extents[i]) + " is not by a whole factor"};
            return p;
        }
        if (mode != "linear" || !found->centred)
            return error{"Resize by " + found->text() + "; the library has nearest, and linear in the form half_pixel"};
        p.how = dnnl::algorithm::resampling_linear;
        return p;
    }

    [[nodiscard]] static std::vector<border_formats> proposals(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        for (const layout& l : onednn_layouts(p.x_extents.size())) list.push_back(borders_in(r, l));
        return list;
    }

    using description = onednn_primitive;

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view&, const dnnl::engine& engine,
                                                       const border_formats& b) {
        const layout& l = b.inputs[0].order;
        if (l != b.results[0].order || !onednn_has_layout(p.x_extents.size(), l)) return error{"oneDNN resizes within one layout"};
        return onednn_primitive::ask<dnnl::resampling_forward>(engine, "resize", onednn_attributes(), dnnl::prop_kind::forward_inference,
                                                               p.how, onednn_desc(p.x_extents, l), onednn_desc(p.y_extents, l));
    }

    [[nodiscard]] static outcome<kernel> build(const plan&, const description& d, const region_view&, const border_formats&,
                                               onednn_program program) {
        return d.alone(std::move(program));
    }
};

}  // namespace inlay::detail

#endif
