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
#include <inlay/backend/resize_scales.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
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
        const region_value& c = r[r.results[0]];
        plan p;
        p.x_extents = static_shape(r.type(c.operands[0]));
        p.y_extents = static_shape(r.type(r.results[0]));
        const std::size_t rank = p.x_extents.size();
        if (rank < 3 || rank > 5 || p.y_extents.size() != rank)
            return error{"Resize of a tensor of rank " + std::to_string(rank) + "; the library takes 3 to 5"};
        if (p.x_extents[0] != p.y_extents[0] || p.x_extents[1] != p.y_extents[1]) return error{"Resize changes the batch or the channels"};
        const attribute_map& a = *c.attributes;
        const std::string_view mode = inlay::read<resize_attributes>(a).mode,
                               place = inlay::read<resize_attributes>(a).coordinate_transformation_mode,
                               round = inlay::read<resize_attributes>(a).nearest_mode;
        if (inlay::read<resize_attributes>(a).antialias) return error{"Resize has antialias"};
        if (auto fine = check_resize_scales(r, c, p.x_extents, p.y_extents); !fine) return fine.failure();
        if (mode == "nearest") {
            const bool centred =
                (place == "half_pixel" || place == "pytorch_half_pixel") && (round == "round_prefer_floor" || round == "round_prefer_ceil");
            if (!centred && !(place == "asymmetric" && round == "floor"))
                return error{"Resize to the nearest place in the form " + std::string(place) + ", " + std::string(round) +
                             "; the library has pixel centres, rounded"};
            for (std::size_t i = 2; i < rank; ++i)
                if (p.y_extents[i] % p.x_extents[i] != 0)
                    return error{"Resize of axis " + std::to_string(i) + " from " + std::to_string(p.x_extents[i]) + " to " +
                                 std::to_string(p.y_extents[i]) + " is not by a whole factor"};
        } else if (mode == "linear") {
            bool centred = place == "half_pixel";
            if (place == "pytorch_half_pixel") {
                centred = true;
                for (std::size_t i = 2; i < rank; ++i) centred = centred && p.y_extents[i] > 1;
            }
            if (!centred) return error{"linear Resize in the form " + std::string(place) + "; the library has half_pixel"};
            p.how = dnnl::algorithm::resampling_linear;
        } else {
            return error{"Resize by " + std::string(mode) + "; the library has nearest and linear"};
        }
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
        const dnnl::resampling_forward::desc op(dnnl::prop_kind::forward_inference, p.how, onednn_desc(p.x_extents, l),
                                                onednn_desc(p.y_extents, l));
        return onednn_primitive::ask<dnnl::resampling_forward>(op, engine, "resize");
    }

    [[nodiscard]] static outcome<kernel> build(const plan&, const description& d, const region_view&, const border_formats&,
                                               onednn_program program) {
        return d.alone(std::move(program));
    }
};

}  // namespace inlay::detail

#endif
