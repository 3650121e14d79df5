// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_RESIZING_HPP
#define INLAY_BACKEND_RESIZING_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/float_constant.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>

namespace inlay::detail {

/// Whether the scales of an `onnx.Resize` from extents x to y, where they are given, are the ratios of the extents: the operator divides
/// coordinates by its scales, libraries divide by the ratios. Error: scales that are no float32 constant, or lead to a part of a place.
[[nodiscard]] inline outcome<void> check_resize_scales(const region_view& r, const region_value& call, const std::vector<std::int64_t>& x,
                                                       const std::vector<std::int64_t>& y) {
    if (!r.has_operand(call, 2)) return {};
    const tensor* scales = float_constant(r, call.operands[2]);
    if (scales == nullptr) return error{"the scales of Resize are no float32 constant"};
    if (scales->count() == 0) return {};
    if (scales->count() != x.size()) return error{"Resize has scales for " + std::to_string(scales->count()) + " axes"};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = static_cast<double>(x[i]) * static_cast<double>(scales->as<float>()[i]);
        if (!(std::abs(exact - static_cast<double>(y[i])) <= 1e-4))
            return error{"Resize scales axis " + std::to_string(i) + " to " + std::to_string(exact) + " and cuts it to " +
                         std::to_string(y[i])};
    }
    return {};
}

/// A resize of images over their spatial axes.
struct resizing {
    std::vector<std::int64_t> x_extents, y_extents;
    resize_attributes how;
    bool centred = false;  // coordinates are those of the places' centres

    /// The form as the model states it.
    [[nodiscard]] std::string text() const {
        return std::string(how.mode) + " with coordinates in the form " + std::string(how.coordinate_transformation_mode);
    }
};

/// Reads a region of one `onnx.Resize` of an input of `least` to `most` axes. Precondition: `check_one_call`. Error: a resize of other
/// axes, or by other scales than the ratios of the extents.
[[nodiscard]] inline outcome<resizing> read_resizing(const region_view& r, std::size_t least, std::size_t most) {
    const region_value& c = r[r.results[0]];
    resizing p;
    p.x_extents = static_shape(r.type(c.operands[0]));
    p.y_extents = static_shape(r.type(r.results[0]));
    const std::size_t rank = p.x_extents.size();
    if (c.op != "onnx.Resize" || p.y_extents.size() != rank) return error{"the region is no resize of an input"};
    if (rank < least || rank > most)
        return error{"Resize of a tensor of rank " + std::to_string(rank) + "; the library takes " + std::to_string(least) +
                     (least == most ? "" : " to " + std::to_string(most))};
    if (p.x_extents[0] != p.y_extents[0] || p.x_extents[1] != p.y_extents[1]) return error{"Resize changes the batch or the channels"};
    p.how = read<resize_attributes>(*c.attributes);
    if (p.how.antialias) return error{"Resize has antialias"};
    if (auto fine = check_resize_scales(r, c, p.x_extents, p.y_extents); !fine) return fine.failure();
    // PyTorch's rule has another centre where one place is left.
    p.centred = p.how.coordinate_transformation_mode == "half_pixel" || p.how.coordinate_transformation_mode == "pytorch_half_pixel";
    for (std::size_t i = 2; i < rank && p.how.coordinate_transformation_mode == "pytorch_half_pixel"; ++i)
        p.centred = p.centred && (p.y_extents[i] > 1 || p.x_extents[i] == 1);
    return p;
}

}  // namespace inlay::detail

#endif
