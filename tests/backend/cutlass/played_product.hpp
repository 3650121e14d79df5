// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CUTLASS_PLAYED_PRODUCT_HPP
#define INLAY_TESTS_BACKEND_CUTLASS_PLAYED_PRODUCT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <inlay/backend/cutlass/matmul.hpp>

#include "../take.hpp"

namespace cutlass_test {

using namespace inlay_test;

/// What CUTLASS's kernel makes of a plan, on the processor: plain loops over what each launch is told. A place that is read or written at
/// once with its neighbours, and that is none the kernel may do so at, ends the run.
struct played_product {
    using plan = inlay::detail::cutlass_matmul::plan;

    plan p;
    inlay::tensor constants[3];  // of a, b and what is added where they are none of the inputs
    std::size_t inputs[3] = {};
    bool is_constant[3] = {};

    played_product(plan read, const inlay::region_view& r) : p(std::move(read)) {
        const auto& product = p.product;
        inlay::value_id values[3] = {product.product.a.value, product.product.b.value, product.addend.value_or(product.product.a.value)};
        if (!product.layout.is_turned) std::swap(values[0], values[1]);
        for (std::size_t i = 0; i < 3; ++i) {
            is_constant[i] = r[values[i]].kind == inlay::region_value::role::constant;
            inputs[i] = values[i];
            if (is_constant[i]) constants[i] = *r[values[i]].value;
        }
        if (p.added == inlay::detail::cutlass_addend::row) {
            is_constant[2] = true;
            constants[2] = inlay::tensor::of<float>({product.product.extents.back()}, product.product.biases(r));
        }
    }

    bool run(const inlay::run_arguments& run) const {
        const auto at = [&](std::size_t i) {
            return is_constant[i] ? std::as_const(constants[i]).as<float>().data() : static_cast<const float*>(run.inputs[inputs[i]]);
        };
        float* const result = static_cast<float*>(run.results[0]);
        const auto factor = static_cast<float>(p.product.product.factor);
        for (std::size_t i = 0; i < p.layout.launches.size(); ++i)
            if (!launched(inlay::detail::arguments_of(p.layout, i, at(0), at(1), at(2), result, factor, p.added), at(0), at(1), result))
                return false;
        return true;
    }

private:
    /// Where an element of a matrix stands.
    struct place {
        std::int64_t offset = 0, along = 0;  // `along`: within its row or column
    };
    static place place_of(bool is_row_major, std::int64_t leading, std::int64_t row, std::int64_t column) {
        return is_row_major ? place{row * leading + column, column} : place{column * leading + row, row};
    }
    /// Whether accesses of so many elements that begin there are where they may be.
    static bool is_fine(const place& at, std::int64_t before, int width) {
        return at.along % width != 0 || (before + at.offset) % width == 0;
    }

    bool launched(const inlay::detail::cutlass_arguments& k, const float* a, const float* b, const float* d) const {
        const auto& l = p.layout;
        const auto blocks = [](std::int64_t n, int tile) { return (n + tile - 1) / tile; };
        if (blocks(k.columns, l.tile.columns) > 65535 || k.batches > 65535) return false;
        // Each row or column ends where an access does.
        const auto ends = [](const inlay::detail::cutlass_matrix& m, int rows, int columns) {
            return (m.is_row_major ? columns : rows) % m.width == 0;
        };
        if (!ends(l.a, k.rows, k.inner) || !ends(l.b, k.inner, k.columns) || !ends(l.d, k.rows, k.columns)) return false;
        for (int batch = 0; batch < k.batches; ++batch)
            for (int row = 0; row < k.rows; ++row)
                for (int column = 0; column < k.columns; ++column) {
                    double sum = 0;
                    for (int i = 0; i < k.inner; ++i) {
                        const place left = place_of(l.a.is_row_major, k.leading_a, row, i);
                        const place right = place_of(l.b.is_row_major, k.leading_b, i, column);
                        const float *const from_a = k.a + batch * k.step_a, *const from_b = k.b + batch * k.step_b;
                        if (!is_fine(left, from_a - a, l.a.width) || !is_fine(right, from_b - b, l.b.width)) return false;
                        sum += static_cast<double>(from_a[left.offset]) * static_cast<double>(from_b[right.offset]);
                    }
                    double value = sum * static_cast<double>(k.alpha);
                    if (k.beta != 0)
                        value += static_cast<double>(k.beta) * static_cast<double>(k.c[batch * k.step_c + row * k.leading_c + column]);
                    float* const to = k.d + batch * k.step_d;
                    const place end = place_of(true, k.leading_d, row, column);
                    if (!is_fine(end, to - d, l.d.width)) return false;
                    to[end.offset] = static_cast<float>(p.product.has_relu ? std::max(value, 0.0) : value);
                }
        return true;
    }
};

/// A whole program as it was read.
struct read_product {
    std::string refusal{};
    inlay::detail::cutlass_matmul::plan plan{};
    double worst = 0;  // largest difference from what the program means over the largest value
};

/// Reads the region of a whole program, and computes its plan on the processor.
[[nodiscard]] inline read_product read_whole(const inlay::ir_module& g, bool by_tf32 = true) {
    const whole_region whole(g);
    auto plan = inlay::detail::cutlass_matmul::read_region(whole.view(), by_tf32);
    if (!plan) return {plan.failure().message};
    read_product made{"", *plan};
    const inlay::kernel k(played_product(*plan, whole.view()));
    made.worst = expectation(g, -2, 2).worst_difference(k, whole.view(), inlay::plain_borders(whole.view()));
    return made;
}

}  // namespace cutlass_test

#endif
