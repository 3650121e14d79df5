// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_RESIZING_HPP
#define INLAY_BACKEND_RESIZING_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/resize_taps.hpp>
#include <inlay/ops/onnx/resize.hpp>

namespace inlay::detail {

/// A resize as its operator defines it: the rule, and every axis with its extents before and after.
struct defined_resize {
    resize_rule rule;
    std::vector<resized_axis> axes;
};

/// Reads the call of an `onnx.Resize` from static extents to extents y. Error: scales, sizes or a cropped part that are known only at the
/// run, or a form that the operator does not have.
[[nodiscard]] inline outcome<defined_resize> defined_resize_of(const region_view& r, const region_value& c,
                                                               const std::vector<std::int64_t>& y) {
    std::vector<const node_type*> types;
    std::vector<const tensor*> constants;
    for (const value_id o : c.operands) {
        types.push_back(r[o].type);
        constants.push_back(r[o].value);
    }
    const call_view call{c.op, c.attributes, types, constants, 1};
    const auto rule = resize_rule_of(call);
    if (!rule) return rule.failure();
    if (auto known = check_resize_is_known(call, *rule); !known) return known.failure();
    auto axes = resized_axes_of(call, *rule);
    if (!axes) return axes.failure();
    if (axes->size() != y.size()) return error{"Resize has a result of another rank than its operand"};
    for (std::size_t i = 0; i < y.size(); ++i) (*axes)[i].out = y[i];
    return defined_resize{*rule, *std::move(axes)};
}

/// Whether every place of a resized axis is the operand's place: batches and channels of images, which libraries only carry along.
[[nodiscard]] inline bool is_carried_along(const resized_axis& a) {
    return a.is_identity() || (a.in == 1 && a.out == 1 && a.crop_begin == 0 && a.crop_end == 1);
}

/// Checks that the operator divides coordinates by the ratio of an axis' extents, as libraries do. Error: another scale, which leads to a
/// part of a place or comes from a policy that keeps the aspect ratio.
[[nodiscard]] inline outcome<void> check_resize_scale(const resized_axis& a, std::size_t axis) {
    const auto ratio = static_cast<float>(static_cast<double>(a.out) / static_cast<double>(a.in));
    if (static_cast<float>(a.scale) == ratio) return {};
    return error{"Resize scales axis " + std::to_string(axis) + " by " + std::to_string(a.scale) + ", and its extents have the ratio " +
                 std::to_string(ratio)};
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
/// axes, a cropped or antialiased one, or one by other scales than the ratios of the extents.
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
    const auto defined = defined_resize_of(r, c, p.y_extents);
    if (!defined) return defined.failure();
    if (!is_carried_along(defined->axes[0]) || !is_carried_along(defined->axes[1]))
        return error{"Resize changes the batch or the channels"};
    p.how = read<resize_attributes>(*c.attributes);
    if (p.how.antialias) return error{"Resize has antialias"};
    if (p.how.coordinate_transformation_mode == "tf_crop_and_resize") return error{"Resize crops its operand"};
    for (std::size_t i = 0; i < rank; ++i) {
        if (p.x_extents[i] == 0) return error{"Resize of a tensor without elements"};
        if (i < 2) continue;
        if (auto fine = check_resize_scale(defined->axes[i], i); !fine) return fine.failure();
    }
    // PyTorch's rule has another centre where one place is left.
    p.centred = p.how.coordinate_transformation_mode == "half_pixel" || p.how.coordinate_transformation_mode == "pytorch_half_pixel";
    for (std::size_t i = 2; i < rank && p.how.coordinate_transformation_mode == "pytorch_half_pixel"; ++i)
        p.centred = p.centred && (p.y_extents[i] > 1 || p.x_extents[i] == 1);
    return p;
}

}  // namespace inlay::detail

#endif
