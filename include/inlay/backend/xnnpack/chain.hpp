// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_CHAIN_HPP
#define INLAY_BACKEND_XNNPACK_CHAIN_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/channel_statistics.hpp>
#include <inlay/backend/float_constant.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// What holds for every region that this back end takes: one result, float32 tensors of known, positive extents.
[[nodiscard]] inline outcome<void> xnnpack_check_region(const region_view& r) {
    if (r.calls().empty()) return error{"there is nothing to compute"};
    if (r.results.size() != 1) return error{std::to_string(r.results.size()) + " values leave the region; this back end makes one"};
    const auto one = [](const region_value& v, const char* what) -> outcome<void> {
        if (!v.type->is_tensor() || !v.type->is_static())
            return error{std::string(what) + " of type " + to_string(*v.type) + " has no known shape"};
        if (v.type->of_tensor.element != element_type::float32)
            return error{std::string(what) + " of type " + to_string(*v.type) +
                         " is not of float32, the one element type that this back end takes"};
        const auto count = element_count(static_shape(v.type->of_tensor));
        if (!count || *count == 0) return error{std::string(what) + " of type " + to_string(*v.type) + " has no elements"};
        return {};
    };
    if (r.input_count == 0) return error{"no input reaches the region"};
    for (const region_value& v : r.inputs())
        if (auto fine = one(v, "an input"); !fine) return fine;
    if (r[r.results[0]].kind != region_value::role::call) return error{"the result is no operator's"};
    return one(r[r.results[0]], "the result");
}

/// A tensor of rank 4 that is an image: its spatial axes last.
[[nodiscard]] inline border_formats xnnpack_images(const region_view& r) {
    border_formats b = plain_borders(r);
    for (format& f : b.inputs) f.order = layout::channels_last();
    for (format& f : b.results) f.order = layout::channels_last();
    return b;
}

/// The range that an operator cuts its result to.
struct xnnpack_range {
    float low = -std::numeric_limits<float>::infinity();
    float high = std::numeric_limits<float>::infinity();

    /// This range, then the range of a Relu or Clip. Error: bounds that are not constant, or a range without inside, which the
    /// library does not take.
    [[nodiscard]] outcome<void> then(const region_view& r, const region_value& call) {
        xnnpack_range next;
        if (call.op == "onnx.Relu") {
            next.low = 0;
        } else {
            for (std::size_t i = 1; i < 3; ++i) {
                if (!r.has_operand(call, i)) continue;
                const tensor* t = float_constant(r, call.operands[i]);
                if (t == nullptr || t->count() != 1)
                    return error{"a bound of Clip of type " + to_string(*r.operand(call, i).type) + " is no float32 constant"};
                (i == 1 ? next.low : next.high) = t->as<float>()[0];
            }
        }
        const auto cut = [&](float x) { return std::fmin(std::fmax(x, next.low), next.high); };
        const float from = cut(low), to = cut(high);
        if (!(next.low < next.high) || !(from < to))
            return error{"the range from " + std::to_string(next.low) + " to " + std::to_string(next.high) +
                         " leaves nothing; the library takes a range with an inside"};
        low = from;
        high = to;
        return {};
    }
};

/// A region as one operator, the anchor, followed by factors and terms per channel and by a range that the result is cut to:
/// `clamp(scale[c] * anchor + shift[c])`.
struct xnnpack_chain {
    value_id anchor = 0;
    std::vector<double> scale, shift;
    xnnpack_range range;
};

namespace xnnpack_chain_steps {

/// One number for each channel off a constant that stands beside a tensor of `rank` axes whose channels are `behind` axes before the last.
inline std::optional<std::vector<double>> per_channel(const region_view& r, value_id v, std::size_t rank, std::size_t behind,
                                                      std::size_t channels) {
    const tensor* t = float_constant(r, v);
    if (t == nullptr || t->rank() > rank) return std::nullopt;
    const auto numbers = t->as<float>();
    if (t->count() == 1) return std::vector<double>(channels, static_cast<double>(numbers[0]));
    if (t->count() != channels || t->rank() <= behind || static_cast<std::size_t>(t->extents()[t->rank() - 1 - behind]) != channels)
        return std::nullopt;
    return std::vector<double>(numbers.begin(), numbers.end());
}

/// Applies one operator that follows the anchor.
inline outcome<void> apply(const region_view& r, value_id v, value_id before, std::size_t behind, xnnpack_chain& chain, bool& cut) {
    const region_value& c = r[v];
    const std::size_t channels = chain.scale.size(), rank = r.type(chain.anchor).rank();
    if (c.op == "onnx.Relu" || c.op == "onnx.Clip") {
        cut = true;
        return chain.range.then(r, c);
    }
    if (cut) return error{std::string(c.op) + " follows a range that the result is cut to; the library's range comes last"};
    std::vector<double> factor(channels, 1), term(channels, 0);
    if (c.op == "onnx.BatchNormalization") {
        auto found = c.operands[0] == before ? read_channel_statistics(r, c, channels) : std::nullopt;
        if (!found) return error{"a batch normalisation has statistics that are not constant"};
        factor = std::move(found->scale);
        term = std::move(found->shift);
    } else {
        const bool known = c.op == "onnx.Add" || c.op == "onnx.Sub" || c.op == "onnx.Mul" || c.op == "onnx.Div";
        if (!known || c.operands.size() != 2) return error{std::string(c.op) + " cannot follow inside one operator of the library"};
        const bool second = c.operands[1] == before;
        const value_id other = c.operands[second ? 0 : 1];
        const auto numbers = per_channel(r, other, rank, behind, channels);
        if (!numbers || r.type(v) != r.type(chain.anchor))
            return error{std::string(c.op) + " takes another operand of type " + to_string(*r[other].type) +
                         ", which is no constant of one number per channel"};
        if (c.op == "onnx.Div" && second) return error{"Div divides a constant by the result"};
        for (std::size_t i = 0; i < channels; ++i) {
            const double n = (*numbers)[i];
            if (c.op == "onnx.Add") term[i] = n;
            if (c.op == "onnx.Sub") term[i] = second ? n : -n;
            if (c.op == "onnx.Sub" && second) factor[i] = -1;
            if (c.op == "onnx.Mul") factor[i] = n;
            if (c.op == "onnx.Div") factor[i] = 1 / n;
        }
    }
    for (std::size_t i = 0; i < channels; ++i) {
        chain.scale[i] *= factor[i];
        chain.shift[i] = chain.shift[i] * factor[i] + term[i];
    }
    return {};
}

}  // namespace xnnpack_chain_steps

/// Reads a region as a chain that ends at its result. The anchor is the first call from there for which `is_anchor(value)` holds; its
/// channels are on the axis `behind` axes before the last. The error says what does not fit.
template <class IsAnchor>
[[nodiscard]] outcome<xnnpack_chain> xnnpack_read_chain(const region_view& r, std::size_t behind, IsAnchor&& is_anchor) {
    if (auto fine = xnnpack_check_region(r); !fine) return fine.failure();
    std::vector<value_id> path;
    value_id v = r.results[0];
    while (!is_anchor(r[v])) {
        std::optional<value_id> inside;
        for (const value_id o : r[v].operands)
            if (r[o].kind == region_value::role::call) inside = o;
        if (!inside) return error{std::string(r[v].op) + " is no operator that this composite begins with"};
        path.push_back(v);
        v = *inside;
    }
    if (path.size() + 1 != r.calls().size()) return error{"the region's " + std::to_string(r.calls().size()) + " operators are no chain"};
    if (!r[v].type->is_tensor()) return error{std::string(r[v].op) + " has several outputs"};
    const std::vector<std::int64_t> extents = static_shape(r.type(v));
    if (extents.size() <= behind) return error{std::string(r[v].op) + " of rank " + std::to_string(extents.size()) + " has no channels"};
    xnnpack_chain chain;
    chain.anchor = v;
    const auto channels = static_cast<std::size_t>(extents[extents.size() - 1 - behind]);
    chain.scale.assign(channels, 1);
    chain.shift.assign(channels, 0);
    bool cut = false;
    for (std::size_t i = path.size(); i-- > 0;) {
        if (auto fine = xnnpack_chain_steps::apply(r, path[i], v, behind, chain, cut); !fine) return fine.failure();
        v = path[i];
    }
    return chain;
}

}  // namespace inlay::detail

#endif
