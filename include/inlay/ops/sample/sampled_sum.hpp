// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_SAMPLED_SUM_HPP
#define INLAY_OPS_SAMPLE_SAMPLED_SUM_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ops/loops/convolution_loops.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/onnx/convolution.hpp>
#include <inlay/ops/onnx/matrix_product.hpp>
#include <inlay/ops/onnx/pooling.hpp>
#include <inlay/ops/sample/sampled_call.hpp>

namespace inlay::detail {

/// Which products a result element of Conv, ConvTranspose, MatMul or Gemm adds up. `a` and `b` number elements of the first two operands.
class product_terms {
public:
    [[nodiscard]] static outcome<product_terms> of(const sampled_call& c) {
        product_terms t;
        if (c.op() == "onnx.Conv" || c.op() == "onnx.ConvTranspose") {
            if (auto made = t.read_convolution(c); !made) return made.failure();
        } else {
            t.read_product(c);
        }
        return t;
    }

    /// How many terms a result element has at most.
    [[nodiscard]] double terms() const {
        return is_convolution_ ? static_cast<double>(e_.in_channels * e_.taps()) : static_cast<double>(depth_);
    }
    /// The channel of a result element.
    [[nodiscard]] std::int64_t channel(std::int64_t out) const { return out / e_.out_plane() % (e_.groups * e_.out_channels); }

    /// Calls `visit(a, b, count, step_a, step_b)` for runs of terms of result element `out`.
    template <class Visit>
    void each_run(std::int64_t out, Visit&& visit) const {
        if (is_convolution_)
            each_run_of_convolution(out, visit);
        else
            each_run_of_product(out, visit);
    }

private:
    [[nodiscard]] outcome<void> read_convolution(const sampled_call& c) {
        is_convolution_ = true;
        const auto read = convolution_operands_of(c.call);
        if (!read) return read.failure();
        std::vector<window> windows;
        const std::vector<std::int64_t>& out = c.result().extents();
        e_.transposed = c.op() == "onnx.ConvTranspose";
        const bool is_transposed = e_.transposed;
        if (is_transposed) {
            const auto t = transposed_extents_of(c.call, *read);
            if (!t) return t.failure();
            windows = t->windows;
        } else {
            for (std::size_t i = 2; i < read->rank; ++i)
                windows.push_back(padded_window(read->windows.axes[i - 2], read->windows.mode, read->input[i].size, out[i]));
        }
        e_ = convolution_extents_of(*read, out, windows);
        e_.transposed = is_transposed;
        return {};
    }

    template <class Visit>
    void each_run_of_convolution(std::int64_t out, Visit& visit) const {
        const std::int64_t plane = e_.out_plane(), taps = e_.taps();
        const std::int64_t place = out % plane, map = out / plane;
        const std::int64_t filter = map % (e_.groups * e_.out_channels), batch = map / (e_.groups * e_.out_channels);
        const std::int64_t group = filter / e_.out_channels;
        const std::int64_t where[3] = {place / (e_.out[1] * e_.out[2]), place / e_.out[2] % e_.out[1], place % e_.out[2]};
        const std::int64_t image = (batch * e_.groups + group) * e_.in_channels * e_.in_plane();
        // Weights are [groups, out_channels, in_channels, taps]; those of a transposed one [groups, in_channels, out_channels, taps].
        const std::int64_t weight =
            e_.transposed ? (group * e_.in_channels * e_.out_channels + filter % e_.out_channels) * taps : filter * e_.in_channels * taps;
        const std::int64_t step_b = e_.transposed ? e_.out_channels * taps : taps;
        std::int64_t tap = 0;
        for (std::int64_t t0 = 0; t0 < e_.windows[0].kernel; ++t0) {
            const std::int64_t i0 = place_under(e_.windows[0], e_.transposed, t0, where[0], e_.in[0]);
            for (std::int64_t t1 = 0; t1 < e_.windows[1].kernel; ++t1) {
                const std::int64_t i1 = place_under(e_.windows[1], e_.transposed, t1, where[1], e_.in[1]);
                for (std::int64_t t2 = 0; t2 < e_.windows[2].kernel; ++t2, ++tap) {
                    const std::int64_t i2 = place_under(e_.windows[2], e_.transposed, t2, where[2], e_.in[2]);
                    if (i0 < 0 || i1 < 0 || i2 < 0) continue;
                    visit(image + (i0 * e_.in[1] + i1) * e_.in[2] + i2, weight + tap, e_.in_channels, e_.in_plane(), step_b);
                }
            }
        }
    }

    void read_product(const sampled_call& c) {
        const std::vector<std::int64_t>&a = c.operand(0).extents(), &b = c.operand(1).extents();
        if (c.op() == "onnx.Gemm") {
            const bool flip_a = read<gemm_attributes>(c.call).trans_a, flip_b = read<gemm_attributes>(c.call).trans_b;
            rows_ = a[flip_a ? 1 : 0];
            depth_ = a[flip_a ? 0 : 1];
            columns_ = b[flip_b ? 0 : 1];
            row_a_ = flip_a ? 1 : depth_;
            step_a_ = flip_a ? rows_ : 1;
            column_b_ = flip_b ? depth_ : 1;
            step_b_ = flip_b ? 1 : columns_;
            return;
        }
        const std::vector<std::int64_t> left = as_matrix(a, true), right = as_matrix(b, false);
        rows_ = left[left.size() - 2];
        depth_ = left.back();
        columns_ = right.back();
        row_a_ = depth_;
        step_a_ = 1;
        column_b_ = 1;
        step_b_ = columns_;
        const std::vector<std::int64_t> lead_a(left.begin(), left.end() - 2), lead_b(right.begin(), right.end() - 2);
        const std::size_t rank = std::max(lead_a.size(), lead_b.size());
        // An axis that one operand lacks, or has with extent 1, is the other's.
        lead_.assign(rank, 1);
        for (const std::vector<std::int64_t>* from : {&lead_a, &lead_b})
            for (std::size_t i = 0; i < from->size(); ++i)
                if ((*from)[from->size() - 1 - i] != 1) lead_[rank - 1 - i] = (*from)[from->size() - 1 - i];
        lead_step_a_ = stretched_strides(lead_a, lead_);
        lead_step_b_ = stretched_strides(lead_b, lead_);
    }

    template <class Visit>
    void each_run_of_product(std::int64_t out, Visit& visit) const {
        const std::int64_t column = out % columns_, row = out / columns_ % rows_;
        std::int64_t batch = out / columns_ / rows_, at_a = 0, at_b = 0;
        for (std::size_t i = lead_.size(); i-- > 0; batch /= lead_[i]) {
            at_a += batch % lead_[i] * lead_step_a_[i];
            at_b += batch % lead_[i] * lead_step_b_[i];
        }
        if (depth_ != 0)
            visit(at_a * rows_ * depth_ + row * row_a_, at_b * depth_ * columns_ + column * column_b_, depth_, step_a_, step_b_);
    }

    bool is_convolution_ = false;
    convolution_extents e_;
    std::int64_t rows_ = 1, depth_ = 1, columns_ = 1, row_a_ = 0, step_a_ = 1, column_b_ = 1, step_b_ = 1;
    std::vector<std::int64_t> lead_, lead_step_a_, lead_step_b_;
};

/// A value with a bound of its error.
struct bounded_value {
    double value = 0, error = 0;
};

/// The sum of the products of a result element. Reading float32 from memory is the usual case, and the quick one.
[[nodiscard]] inline bounded_value sum_of_products(const product_terms& terms, std::int64_t out, const sampled_tensor& a,
                                                   const sampled_tensor& b, double spacing) {
    double sum = 0, magnitude = 0, carried = 0;
    const float *const fa = a.floats(), *const fb = b.floats();
    terms.each_run(out, [&](std::int64_t at_a, std::int64_t at_b, std::int64_t count, std::int64_t step_a, std::int64_t step_b) {
        if (fa != nullptr && fb != nullptr) {
            // Four sums side by side, since each addition waits for the one before.
            constexpr std::int64_t side = 4;
            double sums[side] = {}, magnitudes[side] = {};
            const float *pa = fa + at_a, *pb = fb + at_b;
            const auto add = [&](std::int64_t i) {
                const double term = static_cast<double>(pa[i * step_a]) * static_cast<double>(pb[i * step_b]);
                sums[i] += term;
                magnitudes[i] += std::abs(term);
            };
            std::int64_t k = 0;
            for (; k + side <= count; k += side, pa += side * step_a, pb += side * step_b)
                for (std::int64_t i = 0; i < side; ++i) add(i);
            for (std::int64_t i = 0; k + i < count; ++i) add(i);
            for (std::int64_t i = 0; i < side; ++i) {
                sum += sums[i];
                magnitude += magnitudes[i];
            }
            return;
        }
        for (std::int64_t k = 0; k < count; ++k, at_a += step_a, at_b += step_b) {
            const double x = a.value(at_a), y = b.value(at_b), term = x * y;
            sum += term;
            magnitude += std::abs(term);
            carried += std::abs(x) * b.error(at_b) + std::abs(y) * a.error(at_a);
        }
    });
    return {sum, sum_steps * spacing * magnitude + carried};
}

/// The spacing in which sums of an element type are added up: that of float32 for half precision.
[[nodiscard]] constexpr double spacing_of_sums(element_type e) { return is_half(e) ? spacing_of(element_type::float32) : spacing_of(e); }

/// Whether chosen elements of Conv, ConvTranspose, MatMul or Gemm can be computed as sums.
[[nodiscard]] inline bool is_sum_of_products(const sampled_call& c) {
    const std::string_view op = c.op();
    if (op != "onnx.Conv" && op != "onnx.ConvTranspose" && op != "onnx.MatMul" && op != "onnx.Gemm") return false;
    return is_floating(c.result().element());
}

/// Marks what the wanted elements of a sum of products read. Returns how many terms that are.
[[nodiscard]] inline outcome<double> want_products(const sampled_call& c) {
    const auto terms = product_terms::of(c);
    if (!terms) return terms.failure();
    const std::vector<std::int64_t>& wanted = c.result().wanted();
    sampled_tensor &a = c.operand(0), &b = c.operand(1);
    const double work = terms->terms() * static_cast<double>(wanted.size());
    if (a.is_known() && b.is_known() && c.is_known(2)) return work;
    const bool is_gemm = c.op() == "onnx.Gemm";
    const std::vector<std::int64_t> step =
        c.has(2) && is_gemm ? stretched_strides(c.operand(2).extents(), c.result().extents()) : std::vector<std::int64_t>();
    for (const std::int64_t out : wanted) {
        if (c.has(2)) {
            const std::int64_t columns = c.result().extents().back();
            c.operand(2).want(is_gemm ? out / columns * step[0] + out % columns * step[1] : terms->channel(out));
        }
        if (a.is_known() && b.is_known()) continue;
        terms->each_run(out, [&](std::int64_t at_a, std::int64_t at_b, std::int64_t count, std::int64_t step_a, std::int64_t step_b) {
            for (std::int64_t k = 0; k < count; ++k, at_a += step_a, at_b += step_b) {
                a.want(at_a);
                b.want(at_b);
            }
        });
    }
    return work;
}

/// Computes the wanted elements. Precondition: `want_products` marked the operands, and these have been computed.
[[nodiscard]] inline outcome<void> sum_products(const sampled_call& c) {
    const auto terms = product_terms::of(c);
    if (!terms) return terms.failure();
    sampled_tensor& to = c.result();
    const std::vector<std::int64_t>& wanted = to.wanted();
    const double spacing = spacing_of_sums(to.element()) * c.growth(terms->terms()) + 2 * c.rounding / sum_steps,
                 rounding = 2 * spacing_of(to.element());
    const bool is_gemm = c.op() == "onnx.Gemm";
    const double alpha = is_gemm ? read<gemm_attributes>(c.call).alpha : 1, beta = is_gemm ? read<gemm_attributes>(c.call).beta : 1;
    const std::vector<std::int64_t> step =
        c.has(2) && is_gemm ? stretched_strides(c.operand(2).extents(), to.extents()) : std::vector<std::int64_t>();
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        bounded_value v = sum_of_products(*terms, wanted[k], c.operand(0), c.operand(1), spacing);
        v.value *= alpha;
        v.error *= std::abs(alpha);
        if (c.has(2)) {
            const std::int64_t columns = to.extents().back();
            const std::int64_t at = is_gemm ? wanted[k] / columns * step[0] + wanted[k] % columns * step[1] : terms->channel(wanted[k]);
            const double added = beta * c.operand(2).value(at);
            v.value += added;
            v.error += sum_steps * spacing * std::abs(added) + std::abs(beta) * c.operand(2).error(at);
        }
        to.set(k, v.value, v.error + rounding * std::abs(v.value) + c.flushed(terms->terms() * std::abs(alpha)));
    }
    return {};
}

/// Whether chosen elements of a pooling can be computed one by one.
[[nodiscard]] inline bool is_window_pooling(const sampled_call& c) {
    return (c.op() == "onnx.MaxPool" || c.op() == "onnx.AveragePool") && c.results.size() == 1;
}

/// Calls `visit(at)` for each element under the window of result element `out`; returns the window's place along the axes.
template <class Visit>
std::array<std::int64_t, 3> each_under_window(const convolution_extents& e, std::int64_t out, Visit&& visit) {
    const std::int64_t plane = e.out_plane(), place = out % plane;
    const std::array<std::int64_t, 3> where{place / (e.out[1] * e.out[2]), place / e.out[2] % e.out[1], place % e.out[2]};
    std::array<tap_range, 3> taps;
    for (std::size_t i = 0; i < 3; ++i) taps[i] = taps_on_axis(e.windows[i], where[i], e.in[i]);
    const auto at = [&](std::size_t axis, std::int64_t tap) {
        return where[axis] * e.windows[axis].stride + tap * e.windows[axis].dilation - e.windows[axis].before;
    };
    for (std::int64_t u = taps[0].first; u < taps[0].last; ++u)
        for (std::int64_t v = taps[1].first; v < taps[1].last; ++v)
            for (std::int64_t t = taps[2].first; t < taps[2].last; ++t)
                visit(out / plane * e.in_plane() + (at(0, u) * e.in[1] + at(1, v)) * e.in[2] + at(2, t));
    return where;
}

[[nodiscard]] inline outcome<double> want_windows(const sampled_call& c) {
    const auto e = pooling_extents_of(c.call, c.operand(0).extents(), c.result().extents());
    if (!e) return e.failure();
    for (const std::int64_t out : c.result().wanted()) {
        if (c.operand(0).is_known()) break;
        (void)each_under_window(*e, out, [&](std::int64_t at) { c.operand(0).want(at); });
    }
    return static_cast<double>(e->taps()) * static_cast<double>(c.result().wanted().size());
}

[[nodiscard]] inline outcome<void> pool_windows(const sampled_call& c) {
    const auto e = pooling_extents_of(c.call, c.operand(0).extents(), c.result().extents());
    if (!e) return e.failure();
    const bool is_max = c.op() == "onnx.MaxPool", counts_padding = !is_max && read<average_pool_attributes>(c.call).count_include_pad,
               ceil = read<max_pool_attributes>(c.call).ceil_mode;
    const double spacing = spacing_of_sums(c.result().element());
    const sampled_tensor& x = c.operand(0);
    const std::vector<std::int64_t>& wanted = c.result().wanted();
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        double sum = 0, magnitude = 0, carried = 0, best = -std::numeric_limits<double>::infinity();
        std::int64_t count = 0;
        const std::array<std::int64_t, 3> where = each_under_window(*e, wanted[k], [&](std::int64_t at) {
            const double v = x.value(at), off = x.error(at);
            if (best == best && !(best >= v)) best = v;
            sum += v;
            magnitude += std::abs(v);
            carried = is_max ? std::max(carried, off) : carried + off;
            ++count;
        });
        if (is_max) {
            // Integers have no infinity: a window without elements is their lowest.
            if (count == 0 && !is_floating(x.element())) best = x.element() == element_type::int8 ? -128 : 0;
            c.result().set(k, best, carried);
            continue;
        }
        if (counts_padding) {
            count = 1;
            for (std::size_t i = 0; i < 3; ++i) count *= taps_on_padded_axis(e->windows[i], where[i], e->in[i], ceil);
        }
        const double share = count == 0 ? 0 : 1 / static_cast<double>(count);
        c.result().set(k, sum * share,
                       share * (sum_steps * c.growth(static_cast<double>(count)) * spacing * magnitude + carried) +
                           2 * spacing_of(c.result().element()) * std::abs(sum * share) + c.flushed(1));
    }
    return {};
}

}  // namespace inlay::detail

#endif
