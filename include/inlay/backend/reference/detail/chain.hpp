// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_CHAIN_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_CHAIN_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/epilogue.hpp>
#include <inlay/backend/reference/unary.hpp>

namespace inlay::detail::on_eigen {

/// Adds a factor and a term per channel to an epilogue, to its last step if that is of the kind, too, and neither cancels the other.
inline void append_line(epilogue& steps, const channel_line& next, bool is_batch_norm, bool adds_last) {
    const auto joins = [&](const epilogue_step& last) {
        return last.kind == epilogue_step::form::affine &&
               (is_batch_norm ||
                channel_line{{last.scale.begin(), last.scale.end()}, {last.shift.begin(), last.shift.end()}}.may_take(next, adds_last));
    };
    if (steps.empty() || !joins(steps.back())) {
        epilogue_step s;
        s.kind = epilogue_step::form::affine;
        s.scale.assign(next.scale.begin(), next.scale.end());
        s.shift.assign(next.shift.begin(), next.shift.end());
        steps.push_back(std::move(s));
        return;
    }
    epilogue_step& s = steps.back();
    for (std::size_t c = 0; c < s.scale.size(); ++c) {
        s.scale[c] = static_cast<float>(static_cast<double>(s.scale[c]) * next.scale[c]);
        s.shift[c] = static_cast<float>(static_cast<double>(s.shift[c]) * next.scale[c] + next.shift[c]);
    }
    // The halves and sixths of functions that are written out may end where they began.
    const auto is_one = [](float v) { return std::abs(v - 1.0f) < 1e-6f; };
    if (std::all_of(s.scale.begin(), s.scale.end(), is_one) &&
        std::all_of(s.shift.begin(), s.shift.end(), [](float v) { return v == 0.0f; }))
        steps.pop_back();
}

/// What follows the anchor of a chain, its channels along `axis`, as an epilogue.
struct chain_epilogue {
    epilogue steps;
    std::vector<value_id> tensors;  // operands of the steps, in order, which are numbered from `first_operand` on
};

/// Nothing where a step is none that an epilogue has, or changes the shape or the element type.
[[nodiscard]] inline std::optional<chain_epilogue> epilogue_of(const region_view& r, const anchored_chain& chain, std::size_t axis,
                                                               std::size_t first_operand) {
    const extents shape = static_shape(r.type(chain.anchor));
    const auto channels = static_cast<std::size_t>(axis < shape.size() ? shape[axis] : 1);
    chain_epilogue made;
    bool adds_last = false;
    for (const chain_step& s : chain.steps) {
        if (static_shape(r.type(s.call)) != shape || !refuse_unless_float(site_of(r, r[s.call], 1)).empty()) return std::nullopt;
        if (const auto line = line_of_step(r, s, shape.size(), axis, channels)) {
            const bool is_batch_norm = s.kind == chain_step::form::batch_norm;
            append_line(made.steps, *line, is_batch_norm, adds_last);
            adds_last = !is_batch_norm && line->ends_with_addition(adds_last);
            continue;
        }
        epilogue_step step;
        if (s.kind == chain_step::form::function) {
            const auto f = unary_function_of(s.function);
            if (!f) return std::nullopt;
            step.apply = *f;
        } else {
            const bool adds = s.kind == chain_step::form::combine && s.how == chain_step::combination::add;
            if (!adds || static_shape(r.type(s.other)) != shape || s.other == chain.anchor) return std::nullopt;
            step.kind = epilogue_step::form::tensor;
            step.operand = first_operand + made.tensors.size();
            made.tensors.push_back(s.other);
        }
        made.steps.push_back(std::move(step));
    }
    return made;
}

}  // namespace inlay::detail::on_eigen

#endif
