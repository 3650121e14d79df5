// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CONCAT_PARTS_HPP
#define INLAY_BACKEND_CONCAT_PARTS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/float_constant.hpp>
#include <inlay/backend/runs_along_axis.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/target/format.hpp>

namespace inlay::detail {

/// What a region that concatenates puts side by side.
struct concat_parts {
    std::size_t axis = 0;
    std::vector<value_id> parts;        // in order; a value may stand more than once, and may be a constant
    std::vector<std::int64_t> extents;  // of the result

    /// Elements of one run of a part, or of the result, whose run holds the parts' runs one after the other.
    [[nodiscard]] std::size_t run(const std::vector<std::int64_t>& of, const layout& l) const { return run_along_axis(of, axis, l); }
    /// Whether parts stay runs of the result in a layout: in blocks of channels, only the last part may fill its last block.
    [[nodiscard]] bool keeps_runs(const region_view& r, const layout& l) const {
        if (l.kind != layout::form::channels_blocked) return true;
        if (axis != 1) return axis == 0;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i)
            if (static_shape(r.type(parts[i]))[1] % l.block != 0) return false;
        return true;
    }
};

/// Reads a region of one `onnx.Concat`. Precondition: inputs and the one result are float32 tensors of known shape. Error: another region,
/// an axis that is none, a constant part that is not of float32 or has no elements.
[[nodiscard]] inline outcome<concat_parts> read_concat_parts(const region_view& r) {
    const region_value& c = r[r.results[0]];
    if (c.op != "onnx.Concat" || r.calls().size() != 1) return error{"the region is no concatenation"};
    concat_parts p;
    p.extents = static_shape(r.type(r.results[0]));
    const auto rank = static_cast<std::int64_t>(p.extents.size());
    std::int64_t axis = read<concat_attributes>(*c.attributes).axis.value_or(0);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank) return error{"axis " + std::to_string(axis) + " is none of the " + std::to_string(rank) + " axes"};
    p.axis = static_cast<std::size_t>(axis);
    for (const value_id v : c.operands) {
        const tensor* t = float_constant(r, v);
        if (r[v].kind != region_value::role::input && t == nullptr)
            return error{"a part of type " + to_string(*r[v].type) + " is no float32 tensor"};
        if (t != nullptr && t->count() == 0) return error{"a part of type " + to_string(*r[v].type) + " has no elements"};
        p.parts.push_back(v);
    }
    return p;
}

}  // namespace inlay::detail

#endif
