// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_LINEAR_HPP
#define INLAY_BACKEND_REFERENCE_LINEAR_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>
#include <inlay/backend/reference/detail/epilogue.hpp>
#include <inlay/backend/reference/detail/matrix_product.hpp>
#include <inlay/backend/reference/detail/stretched_rows.hpp>
#include <inlay/backend/reference/detail/strided_copy.hpp>
#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>

namespace inlay::detail::on_eigen {

/// Products of many pairs of matrices, as MatMul and Gemm have them: per pair m x k times k x n, then the epilogue on rows whose
/// columns are channels.
struct batched_product {
    std::int64_t m = 1, n = 1, k = 1;
    std::vector<std::array<std::int64_t, 2>> places;  // of the pairs in the operands
    bool turned = false;                              // whether the right matrices are stored transposed

    /// Operations below which a product stays on one thread.
    static constexpr double worth_a_product = 1 << 18;

    /// Runs all products on `left` and `right`, giving the results one after the other; `finish(row, columns, first column, place)` is
    /// called for each finished row, or part of one.
    template <class Finish>
    void run(const executor_ref& executor, float* out, const float* left, const float* right, Finish&& finish) const {
        const auto pairs = static_cast<std::int64_t>(places.size());
        if (pairs == 0 || m == 0 || n == 0) return;
        const auto threads = static_cast<std::int64_t>(executor.threads());
        const double work = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::max<std::int64_t>(k, 1));
        // With few pairs a pair is cut along the larger operand's own axis, so that each thread packs only its share of it.
        const bool cut_pairs = pairs < 2 * threads && threads > 1 && pairs % threads != 0;
        const bool by_columns = n >= m;
        const std::int64_t pieces = cut_pairs ? std::min<std::int64_t>(threads, ((by_columns ? n : m) + 15) / 16) : 1;
        const auto grain = static_cast<std::int64_t>(worth_a_product / (work / static_cast<double>(pieces))) + 1;
        const std::int64_t length = by_columns ? n : m, step = (length / pieces + 15) / 16 * 16;
        in_chunks(executor, pairs * pieces, grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t task = begin; task < end; ++task) {
                const auto& place = places[static_cast<std::size_t>(task / pieces)];
                const std::int64_t from = pieces == 1 ? 0 : std::min(length, task % pieces * step);
                const std::int64_t to = pieces == 1 || task % pieces == pieces - 1 ? length : std::min(length, from + step);
                if (from == to) continue;
                const std::int64_t row = by_columns ? 0 : from, rows = by_columns ? m : to - from;
                const std::int64_t column = by_columns ? from : 0, columns = by_columns ? to - from : n;
                const std::int64_t start = task / pieces * m * n + row * n + column;
                multiply(out + start, n, matrix_place{left + place[0], k}.from(row, 0),
                         matrix_place{right + place[1], turned ? k : n, turned}.from(0, column), rows, columns, k);
                for (std::int64_t r = 0; r < rows; ++r) finish(out + start + r * n, columns, column, start + r * n);
            }
        });
    }
};

/// Where a MatMul's operands are matrices and vectors of known size, the product it stands for.
[[nodiscard]] inline batched_product matmul_product(const call_site& c) {
    extents a = c.in(0).shape, b = c.in(1).shape;
    if (a.size() == 1) a.insert(a.begin(), 1);
    if (b.size() == 1) b.push_back(1);
    batched_product p;
    p.m = a[a.size() - 2];
    p.k = a.back();
    p.n = b.back();
    const std::size_t batch_rank = std::max(a.size(), b.size()) - 2;
    const auto own = [&](const extents& e, std::size_t i) {
        const std::size_t missing = batch_rank + 2 - e.size();
        return i < missing ? std::int64_t{1} : e[i - missing];
    };
    const bool right_is_one = product(b, 0, b.size() - 2) == 1;
    if (right_is_one) {
        // All left matrices meet the same right one: they are one taller matrix.
        p.m *= product(a, 0, a.size() - 2);
        p.places = {{0, 0}};
        return p;
    }
    std::int64_t pairs = 1;
    for (std::size_t i = 0; i < batch_rank; ++i) pairs *= own(a, i) == 1 ? own(b, i) : own(a, i);
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
        std::int64_t rest = pair, left = 0, right = 0, left_step = p.m * p.k, right_step = p.k * p.n;
        for (std::size_t i = batch_rank; i-- > 0;) {
            const std::int64_t x = own(a, i), y = own(b, i), size = x == 1 ? y : x, at = rest % size;
            rest /= size;
            if (x != 1) left += at * left_step;
            if (y != 1) right += at * right_step;
            left_step *= x;
            right_step *= y;
        }
        p.places.push_back({left, right});
    }
    return p;
}

[[nodiscard]] inline std::string refuse_matmul(const call_site& c) {
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    if (c.in(0).rank() == 0 || c.in(1).rank() == 0) return "an operand has no axes";
    return {};
}
[[nodiscard]] inline kernel make_matmul_with(const call_site& c, epilogue steps) {
    return kernel_of([p = matmul_product(c), steps = std::move(steps)](const run_arguments& a) {
        p.run(a.executor, result<float>(a), input<float>(a, 0), input<float>(a, 1),
              [&](float* row, std::int64_t n, std::int64_t first, std::int64_t place) {
                  finish_across_channels(steps, a, row, n, first, place);
              });
    });
}
[[nodiscard]] inline kernel make_matmul(const call_site& c) { return make_matmul_with(c, {}); }

/// `alpha A B + beta C`, A or B transposed as the attributes say.
[[nodiscard]] inline kernel make_gemm_with(const call_site& c, epilogue steps) {
    batched_product p;
    const bool turn_left = read<gemm_attributes>(*c.attributes).trans_a;
    p.turned = read<gemm_attributes>(*c.attributes).trans_b;
    p.m = c.out().shape[0];
    p.n = c.out().shape[1];
    p.k = c.in(0).shape[turn_left ? 0 : 1];
    p.places = {{0, 0}};
    const auto alpha = static_cast<float>(read<gemm_attributes>(*c.attributes).alpha),
               beta = static_cast<float>(read<gemm_attributes>(*c.attributes).beta);
    // C's rows are walked as they are stretched: along a row of the result C is contiguous or one number.
    const bool added = c.has(2) && beta != 0.0f;
    const auto third = added ? broadcast_operand::of(c.in(2).shape, c.out().shape) : std::nullopt;
    const std::int64_t row_step = third ? third->stride(0) : 0, column_step = third ? third->stride(1) : 0;
    const strided_copy turn = turn_left ? strided_copy({{p.m, 1, p.k}, {p.k, p.m, 1}}, sizeof(float)) : strided_copy();
    const std::size_t workspace = turn_left ? static_cast<std::size_t>(p.m * p.k) * sizeof(float) : 0;
    return kernel_of(
        [=, p = std::move(p), steps = std::move(steps)](const run_arguments& a) {
            const float* left = input<float>(a, 0);
            if (turn_left) {
                turn.run(a.executor, a.workspace, left);
                left = reinterpret_cast<const float*>(a.workspace);
            }
            p.run(a.executor, result<float>(a), left, input<float>(a, 1),
                  [&](float* row, std::int64_t n, std::int64_t first, std::int64_t place) {
                      if (alpha != 1.0f) map_lanes(n, row, row, [alpha](const lanes& v) { return lanes(v * alpha); });
                      if (added) {
                          const float* with = input<float>(a, 2) + place / p.n * row_step + first * column_step;
                          if (column_step != 0)
                              map_lanes(n, row, row, with, [beta](const lanes& v, const lanes& w) { return lanes(v + beta * w); });
                          else
                              map_lanes(n, row, row, [add = beta * *with](const lanes& v) { return lanes(v + add); });
                      }
                      finish_across_channels(steps, a, row, n, first, place);
                  });
        },
        workspace);
}
[[nodiscard]] inline kernel make_gemm(const call_site& c) { return make_gemm_with(c, {}); }

/// Matrix products of float32.
inline constexpr operator_entry linear_operators[] = {
    {"onnx.MatMul", refuse_matmul, make_matmul},
    {"onnx.Gemm", refuse_unless_float, make_gemm},
};

}  // namespace inlay::detail::on_eigen

#endif
