// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_REDUCTION_HPP
#define INLAY_BACKEND_REFERENCE_REDUCTION_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>
#include <inlay/backend/reference/detail/lanes.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>

namespace inlay::detail::on_eigen {

/// What a reduction does to each element, and how it puts two together; `start` changes nothing.
struct sum_reduction {
    static constexpr float start = 0;
    static lanes prepare(const lanes& v) { return v; }
    static lanes combine(const lanes& u, const lanes& v) { return u + v; }
    static double combine(double u, double v) { return u + v; }
};
struct magnitude_reduction : sum_reduction {
    static lanes prepare(const lanes& v) { return v.abs(); }
};
struct square_reduction : sum_reduction {
    static lanes prepare(const lanes& v) { return v * v; }
};
struct product_reduction {
    static constexpr float start = 1;
    static lanes prepare(const lanes& v) { return v; }
    static lanes combine(const lanes& u, const lanes& v) { return u * v; }
    static double combine(double u, double v) { return u * v; }
};
struct max_reduction {
    static constexpr float start = -std::numeric_limits<float>::infinity();
    static lanes prepare(const lanes& v) { return v; }
    static lanes combine(const lanes& u, const lanes& v) { return larger(u, v); }
    static double combine(double u, double v) { return std::isnan(u) || u > v ? u : v; }
};
struct min_reduction {
    static constexpr float start = std::numeric_limits<float>::infinity();
    static lanes prepare(const lanes& v) { return v; }
    static lanes combine(const lanes& u, const lanes& v) { return smaller(u, v); }
    static double combine(double u, double v) { return std::isnan(u) || u < v ? u : v; }
};

/// The elements of a row as one number. Stretches of a thousand go in lanes, these in double, so that long sums stay accurate.
template <class R>
double reduce_row(const float* x, std::int64_t n) {
    constexpr std::int64_t stretch = 1024;
    double all = static_cast<double>(R::start);
    for (std::int64_t from = 0; from < n; from += stretch) {
        const std::int64_t until = std::min(n, from + stretch), whole = from + (until - from) / lane_count * lane_count;
        lanes some = lanes::Constant(R::start);
        for (std::int64_t i = from; i < whole; i += lane_count) some = R::combine(some, R::prepare(load(x + i)));
        if (whole > from)
            for (std::int64_t i = 0; i < lane_count; ++i) all = R::combine(all, static_cast<double>(some[i]));
        if (whole < until) {
            const lanes tail = R::prepare(load_part(x + whole, until - whole));
            for (std::int64_t i = 0; i < until - whole; ++i) all = R::combine(all, static_cast<double>(tail[i]));
        }
    }
    return all;
}

/// A reduction over some axes of a row-major tensor. Neighbouring axes of one fate are merged; what is innermost decides whether rows
/// become numbers or are laid on one another.
class axis_reduction {
public:
    axis_reduction(const extents& shape, const std::vector<bool>& reduced) {
        struct run {
            std::int64_t size;
            bool reduced;
            std::int64_t stride;
        };
        std::vector<run> runs;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (shape[i] == 1) continue;
            if (!runs.empty() && runs.back().reduced == reduced[i])
                runs.back().size *= shape[i];
            else
                runs.push_back({shape[i], reduced[i], 1});
        }
        for (std::size_t i = runs.size(); i-- > 1;) runs[i - 1].stride = runs[i].stride * runs[i].size;
        if (!runs.empty()) {
            inner_ = runs.back().size;
            inner_is_reduced_ = runs.back().reduced;
            runs.pop_back();
        }
        kept_.assign(1, 0);
        reduced_ = kept_;
        for (const run& r : runs) {
            auto& places = r.reduced ? reduced_ : kept_;
            std::vector<std::int64_t> more;
            for (const std::int64_t p : places)
                for (std::int64_t i = 0; i < r.size; ++i) more.push_back(p + i * r.stride);
            places = std::move(more);
        }
    }

    /// How many elements each output is made of.
    [[nodiscard]] std::int64_t terms() const { return static_cast<std::int64_t>(reduced_.size()) * (inner_is_reduced_ ? inner_ : 1); }

    template <class R, class Finish>
    void run(const executor_ref& executor, float* out, const float* x, Finish finish) const {
        in_chunks(executor, static_cast<std::int64_t>(kept_.size()), grain_of(static_cast<std::int64_t>(reduced_.size()) * inner_),
                  [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t k = begin; k < end; ++k) {
                          const float* from = x + kept_[static_cast<std::size_t>(k)];
                          if (inner_is_reduced_) {
                              double all = static_cast<double>(R::start);
                              for (const std::int64_t place : reduced_) all = R::combine(all, reduce_row<R>(from + place, inner_));
                              out[k] = static_cast<float>(finish(all));
                              continue;
                          }
                          float* row = out + k * inner_;
                          std::fill(row, row + inner_, R::start);
                          for (const std::int64_t place : reduced_)
                              map_lanes(inner_, row, row, from + place,
                                        [](const lanes& u, const lanes& v) { return lanes(R::combine(u, R::prepare(v))); });
                          for (std::int64_t i = 0; i < inner_; ++i) row[i] = static_cast<float>(finish(static_cast<double>(row[i])));
                      }
                  });
    }

private:
    std::vector<std::int64_t> kept_, reduced_;  // where the rows of the outer runs start
    std::int64_t inner_ = 1;
    bool inner_is_reduced_ = false;
};

/// The axes that a Reduce call names by its second operand; without it all of them, or none where its attribute says so.
[[nodiscard]] inline std::optional<std::vector<bool>> reduced_axes(const call_site& c) {
    const std::size_t rank = c.in(0).rank();
    extents axes;
    if (c.has(1)) {
        const auto given = c.integers(1);
        if (!given) return std::nullopt;
        axes = *given;
    }
    std::vector<bool> reduced(rank, axes.empty() && !read<reduce_attributes>(*c.attributes).noop_with_empty_axes);
    for (const std::int64_t axis : axes) {
        if (!is_axis(axis, rank)) return std::nullopt;
        reduced[axis_of(axis, rank)] = true;
    }
    return reduced;
}

[[nodiscard]] inline std::string refuse_reduction(const call_site& c) {
    if (auto why = refuse_unless(c.in(0), element_type::float32, "the operand"); !why.empty()) return why;
    return reduced_axes(c) ? std::string() : "the axes are not known before the run";
}

enum class reduction_end : std::uint8_t { plain, mean, root, logarithm };

template <class R, reduction_end End>
[[nodiscard]] kernel make_reduction(const call_site& c) {
    axis_reduction reduction(c.in(0).shape, *reduced_axes(c));
    if (c.out().count() == 0) return kernel_of([](const run_arguments&) {});
    const double share = 1.0 / static_cast<double>(reduction.terms());
    return kernel_of([reduction = std::move(reduction), share](const run_arguments& a) {
        reduction.template run<R>(a.executor, result<float>(a), input<float>(a, 0), [share](double v) {
            if constexpr (End == reduction_end::mean) return v * share;
            if constexpr (End == reduction_end::root) return std::sqrt(v);
            if constexpr (End == reduction_end::logarithm) return std::log(v);
            static_cast<void>(share);
            return v;
        });
    });
}

[[nodiscard]] inline std::string refuse_place(const call_site& c) {
    if (auto why = refuse_unless(c.in(0), element_type::float32, "the operand"); !why.empty()) return why;
    return is_axis(read<arg_reduce_attributes>(*c.attributes).axis, c.in(0).rank()) ? std::string() : "the axis lies outside of the rank";
}
/// ArgMax and ArgMin: the place of the first (or last) of the largest (or smallest) elements along an axis.
template <bool Largest>
[[nodiscard]] kernel make_place(const call_site& c) {
    const extents& shape = c.in(0).shape;
    const std::size_t axis = axis_of(read<arg_reduce_attributes>(*c.attributes).axis, shape.size());
    const std::int64_t outer = product(shape, 0, axis), n = shape[axis], inner = product(shape, axis + 1, shape.size());
    const bool last = read<arg_reduce_attributes>(*c.attributes).select_last_index;
    return kernel_of([=](const run_arguments& a) {
        in_chunks(a.executor, outer * inner, grain_of(4 * n), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const float* x = input<float>(a, 0) + i / inner * n * inner + i % inner;
                std::int64_t best = 0;
                for (std::int64_t k = 1; k < n; ++k) {
                    const float v = x[k * inner], b = x[best * inner];
                    const bool better = Largest ? v > b : v < b;
                    if (better || (last && v == b)) best = k;
                }
                result<std::int64_t>(a)[i] = best;
            }
        });
    });
}

/// Reductions of float32.
inline constexpr operator_entry reduction_operators[] = {
    {"onnx.ReduceSum", refuse_reduction, make_reduction<sum_reduction, reduction_end::plain>},
    {"onnx.ReduceMean", refuse_reduction, make_reduction<sum_reduction, reduction_end::mean>},
    {"onnx.ReduceMax", refuse_reduction, make_reduction<max_reduction, reduction_end::plain>},
    {"onnx.ReduceMin", refuse_reduction, make_reduction<min_reduction, reduction_end::plain>},
    {"onnx.ReduceProd", refuse_reduction, make_reduction<product_reduction, reduction_end::plain>},
    {"onnx.ReduceL1", refuse_reduction, make_reduction<magnitude_reduction, reduction_end::plain>},
    {"onnx.ReduceL2", refuse_reduction, make_reduction<square_reduction, reduction_end::root>},
    {"onnx.ReduceSumSquare", refuse_reduction, make_reduction<square_reduction, reduction_end::plain>},
    {"onnx.ReduceLogSum", refuse_reduction, make_reduction<sum_reduction, reduction_end::logarithm>},
    {"onnx.ArgMax", refuse_place, make_place<true>},
    {"onnx.ArgMin", refuse_place, make_place<false>},
};

}  // namespace inlay::detail::on_eigen

#endif
