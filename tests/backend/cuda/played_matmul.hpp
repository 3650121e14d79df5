// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CUDA_PLAYED_MATMUL_HPP
#define INLAY_TESTS_BACKEND_CUDA_PLAYED_MATMUL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/cuda/cuda_matmul.hpp>

#include "../take.hpp"

namespace cuda_test {

using namespace inlay_test;
using extents = std::vector<std::int64_t>;

/// What a library of NVIDIA's makes of a plan, on the processor: a kernel that reads column-major matrices by plain loops.
struct played_matmul {
    inlay::detail::cuda_matmul::plan p;
    inlay::tensor constants[3], bias;  // of a, b and the addend where they are none of the inputs
    std::size_t inputs[3] = {};
    bool is_constant[3] = {};

    played_matmul(inlay::detail::cuda_matmul::plan read, const inlay::region_view& r) : p(std::move(read)) {
        inlay::value_id values[3] = {p.product.a.value, p.product.b.value, p.addend.value_or(p.product.a.value)};
        if (p.layout.is_turned) std::swap(values[0], values[1]);
        for (std::size_t i = 0; i < 3; ++i) {
            is_constant[i] = r[values[i]].kind == inlay::region_value::role::constant;
            inputs[i] = values[i];
            if (is_constant[i]) constants[i] = *r[values[i]].value;
        }
        if (p.product.bias) bias = inlay::tensor::of<float>({p.product.extents.back()}, p.product.biases(r));
    }

    bool run(const inlay::run_arguments& run) const {
        const inlay::detail::matmul_layout& m = p.layout;
        const auto at = [&](std::size_t i) {
            return is_constant[i] ? std::as_const(constants[i]).as<float>().data() : static_cast<const float*>(run.inputs[inputs[i]]);
        };
        const auto element = [](const inlay::detail::column_major_matrix& of, std::int64_t row, std::int64_t column) {
            return of.is_transposed ? column + of.leading * row : row + of.leading * column;
        };
        const std::int64_t inner = m.a.is_transposed ? m.a.rows : m.a.columns;
        float* const to = static_cast<float*>(run.results[0]);
        for (const auto& call : m.calls)
            for (std::int64_t batch = 0; batch < m.batches; ++batch)
                for (std::int64_t column = 0; column < m.d.columns; ++column)
                    for (std::int64_t row = 0; row < m.d.rows; ++row) {
                        double sum = 0;
                        for (std::int64_t k = 0; k < inner; ++k)
                            sum += static_cast<double>(at(0)[call.a + batch * m.a.batch_step + element(m.a, row, k)]) *
                                   static_cast<double>(at(1)[call.b + batch * m.b.batch_step + element(m.b, k, column)]);
                        const std::int64_t place = call.d + batch * m.d.batch_step + element(m.d, row, column);
                        double value = sum * p.product.factor;
                        if (p.addend) value += static_cast<double>(at(2)[place]);
                        if (p.product.bias) value += static_cast<double>(bias.as<float>()[static_cast<std::size_t>(row)]);
                        to[place] = static_cast<float>(p.has_relu ? std::max(value, 0.0) : value);
                    }
        return true;
    }
};

/// The largest match at a program's result as it was read.
struct read_match {
    std::size_t nodes = 0;
    std::string refusal{};
    inlay::detail::cuda_matmul::plan plan{};
    double worst = 0;  // largest difference from what the program means over the largest value
};

/// Reads the region of a whole program, and computes its plan on the processor.
[[nodiscard]] inline read_match read_whole(const inlay::ir_module& g) {
    const whole_region whole(g);
    auto plan = inlay::detail::cuda_matmul::read_region(whole.view(), "cuBLASLt");
    if (!plan) return {whole.view().calls().size(), plan.failure().message};
    read_match made{whole.view().calls().size(), "", *plan};
    const inlay::kernel k(played_matmul(*plan, whole.view()));
    made.worst = expectation(g, -2, 2).worst_difference(k, whole.view(), inlay::plain_borders(whole.view()));
    return made;
}

}  // namespace cuda_test

#endif
