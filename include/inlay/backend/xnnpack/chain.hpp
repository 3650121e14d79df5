// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_CHAIN_HPP
#define INLAY_BACKEND_XNNPACK_CHAIN_HPP

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/candidate/border_formats.hpp>

namespace inlay::detail {

/// How many axes a tensor may have where the library sees rows of numbers.
inline constexpr std::size_t xnnpack_any_rank = std::numeric_limits<std::size_t>::max();

/// A tensor of rank 4 that is an image: its spatial axes last.
[[nodiscard]] inline border_formats xnnpack_images(const region_view& r) { return borders_in(r, layout::channels_last()); }

/// The range that an operator cuts its result to.
struct xnnpack_range {
    float low = -std::numeric_limits<float>::infinity();
    float high = std::numeric_limits<float>::infinity();

    [[nodiscard]] static bool is_range(const elementwise_function& f) {
        return (f.kind == elementwise_function::form::relu && f.alpha == 0) || f.kind == elementwise_function::form::clip;
    }
    [[nodiscard]] bool cuts() const { return low > xnnpack_range().low || high < xnnpack_range().high; }

    /// This range, then that of a function. Precondition: `is_range(f)`. Error: a range without inside, which the library does not take.
    [[nodiscard]] outcome<void> then(const elementwise_function& f) {
        const bool clips = f.kind == elementwise_function::form::clip;
        const float least = clips ? static_cast<float>(f.alpha) : 0, most = clips ? static_cast<float>(f.beta) : xnnpack_range().high;
        const auto cut = [&](float x) { return std::fmin(std::fmax(x, least), most); };
        const float from = cut(low), to = cut(high);
        if (!(least < most) || !(from < to))
            return error{"the range from " + std::to_string(least) + " to " + std::to_string(most) +
                         " leaves nothing; the library takes a range with an inside"};
        low = from;
        high = to;
        return {};
    }

    /// The range of the last steps of a chain. Error: a step that is none.
    [[nodiscard]] static outcome<xnnpack_range> of(const region_view& r, std::span<const chain_step> steps) {
        xnnpack_range range;
        for (const chain_step& s : steps) {
            const std::string op(r[s.call].op);
            if (s.kind == chain_step::form::function && is_range(s.function)) {
                if (auto fine = range.then(s.function); !fine) return fine.failure();
                continue;
            }
            if (range.cuts()) return error{op + " follows a range that the result is cut to; the library's range comes last"};
            if (s.kind != chain_step::form::combine) return error{op + " cannot follow inside one operator of the library"};
            return error{op + " takes another operand of type " + to_string(*r[s.other].type) +
                         ", which is no constant of one number per channel"};
        }
        return range;
    }
};

/// A region as one operator, the anchor, followed by factors and terms per channel and by a range that the result is cut to:
/// `clamp(scale[c] * anchor + shift[c])`.
struct xnnpack_chain {
    value_id anchor = 0;
    channel_line line;
    xnnpack_range range;
};

/// Reads a region as a chain that ends at its result. The anchor is the first call from there for which `is_anchor(value)` holds; its
/// channels are on the axis `behind` axes before the last. The error says what does not fit.
template <class IsAnchor>
[[nodiscard]] outcome<xnnpack_chain> xnnpack_read_chain(const region_view& r, std::size_t behind, IsAnchor&& is_anchor) {
    if (auto fine = check_float_region(r, xnnpack_any_rank); !fine) return fine.failure();
    auto chain = read_anchored_chain(r, r.results[0], is_anchor);
    if (!chain) return chain.failure();
    if (r[chain->anchor].kind != region_value::role::call)
        return error{std::string(r[chain->steps.front().call].op) + " is no operator that this composite begins with"};
    const std::size_t rank = r.type(chain->anchor).rank();
    if (rank <= behind) return error{std::string(r[chain->anchor].op) + " of rank " + std::to_string(rank) + " has no channels"};
    xnnpack_chain made{chain->anchor, take_line(r, *chain, rank - 1 - behind), {}};
    auto range = xnnpack_range::of(r, chain->steps);
    if (!range) return range.failure();
    made.range = *range;
    return made;
}

}  // namespace inlay::detail

#endif
