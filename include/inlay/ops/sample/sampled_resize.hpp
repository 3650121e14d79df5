// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_SAMPLED_RESIZE_HPP
#define INLAY_OPS_SAMPLE_SAMPLED_RESIZE_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ops/loops/resize_taps.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/resize.hpp>
#include <inlay/ops/sample/sampled_call.hpp>
#include <inlay/ops/sample/sampled_sum.hpp>

namespace inlay::detail {

/// Which elements of the operand a resized element is made of: the product of the taps of its axes.
class resize_terms {
public:
    /// Whether chosen elements of a call can be computed so: a Resize whose regions, scales and sizes are known.
    [[nodiscard]] static bool suits(const sampled_call& c) {
        return c.op() == "onnx.Resize" && c.is_known(1) && c.is_known(2) && c.is_known(3) && c.result().element() != element_type::boolean;
    }

    [[nodiscard]] static outcome<resize_terms> of(const sampled_call& c) {
        const auto rule = resize_rule_of(c.call);
        if (!rule) return rule.failure();
        const auto axes = resized_axes_of(c.call, *rule);
        if (!axes) return axes.failure();
        resize_terms t;
        t.rule_ = *rule;
        t.out_ = c.result().extents();
        t.step_ = row_major_strides(c.operand(0).extents());
        for (std::size_t a = 0; a < axes->size(); ++a) {
            if ((*axes)[a].out >= 0 && (*axes)[a].out != t.out_[a]) return error{"its operands ask for other extents than its result has"};
            t.axes_.push_back((*axes)[a]);
            t.axes_.back().out = t.out_[a];
        }
        return t;
    }

    [[nodiscard]] bool moves() const { return rule_.mode == interpolation::nearest; }
    [[nodiscard]] double extrapolation() const { return rule_.extrapolation; }

    /// Calls `visit(at, weight)` for each element that result element `out` is made of. False: it is outside, and has the extrapolation
    /// value.
    template <class Visit>
    bool each(std::int64_t out, Visit&& visit) const {
        std::vector<std::pair<std::int64_t, double>> terms{{0, 1.0}}, next;
        for (std::size_t a = out_.size(); a-- > 0; out /= out_[a]) {
            const std::int64_t place = out % out_[a];
            if (axes_[a].is_identity()) {
                for (auto& [at, weight] : terms) at += place * step_[a];
                continue;
            }
            const resize_tap tap = resize_tap_of(axes_[a], rule_, place);
            if (tap.outside) return false;
            next.clear();
            for (const auto& [at, weight] : terms)
                for (std::size_t k = 0; k < tap.at.size(); ++k) next.emplace_back(at + tap.at[k] * step_[a], weight * tap.weight[k]);
            terms.swap(next);
        }
        for (const auto& [at, weight] : terms) visit(at, weight);
        return true;
    }

private:
    resize_rule rule_{};
    std::vector<resized_axis> axes_;
    std::vector<std::int64_t> out_, step_;
};

/// Marks what the wanted elements of a Resize read. Returns how many terms that are.
[[nodiscard]] inline outcome<double> want_resized(const sampled_call& c) {
    const auto terms = resize_terms::of(c);
    if (!terms) return terms.failure();
    double work = 0;
    for (const std::int64_t out : c.result().wanted()) {
        (void)terms->each(out, [&](std::int64_t at, double) {
            c.operand(0).want(at);
            ++work;
        });
        // Finding the taps of an element costs some multiplications for each axis.
        work += 8 * static_cast<double>(c.result().extents().size());
    }
    return work;
}

/// Computes the wanted elements. Precondition: `want_resized` marked the operand, which has been computed.
[[nodiscard]] inline outcome<void> resize_samples(const sampled_call& c) {
    const auto terms = resize_terms::of(c);
    if (!terms) return terms.failure();
    sampled_tensor& to = c.result();
    const sampled_tensor& x = c.operand(0);
    const std::vector<std::int64_t>& wanted = to.wanted();
    const bool is_float = is_floating(to.element());
    const double spacing = is_float ? spacing_of_sums(to.element()) : spacing_of(element_type::float32);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        double sum = 0, magnitude = 0, carried = 0;
        const bool is_inside = terms->each(wanted[k], [&](std::int64_t at, double weight) {
            sum += weight * x.value(at);
            magnitude += std::abs(weight * x.value(at));
            carried += std::abs(weight) * x.error(at);
        });
        if (!is_inside) {
            to.set(k, terms->extrapolation(), 2 * spacing_of(to.element()) * std::abs(terms->extrapolation()));
        } else if (terms->moves()) {
            to.set(k, sum, carried);
        } else if (is_float) {
            to.set(k, sum, sum_steps * spacing * magnitude + carried + 2 * spacing_of(to.element()) * std::abs(sum));
        } else {
            // Between two integers either may come out.
            const double nearest = std::nearbyint(sum), off = sum_steps * spacing * magnitude + carried;
            to.set(k, nearest, std::abs(sum - nearest) + off >= 0.5 ? 1 + carried : carried);
        }
    }
    return {};
}

}  // namespace inlay::detail

#endif
