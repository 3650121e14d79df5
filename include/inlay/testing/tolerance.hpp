// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTING_TOLERANCE_HPP
#define INLAY_TESTING_TOLERANCE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <inlay/graph/element_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/testing/compare.hpp>

namespace inlay {

/// How far results of a program may be off: `absolute + relative * |expected|`.
struct tolerance {
    double relative = 1e-3, absolute = 1e-5;
};

/// How far the results of a program may be off from the interpreter's where back ends add up in another order. Where it has values of half
/// precision, to which each operator rounds, that is 16 steps of the last bit, and 4 of the largest expected number: an operator's sums
/// have small results, too. Linear in the nodes and in the results.
[[nodiscard]] inline tolerance tolerance_of(const ir_module& m, std::span<const tensor> expected) {
    tolerance made;
    double step = 0, largest = 0;
    const auto look = [&](const auto& self, const node_type& t) -> void {
        if (t.is_tensor()) step = std::max(step, detail::half_step(t.of_tensor.element));
        for (const node_type& field : t.fields) self(self, field);
    };
    for (node_id n = 0; n < m.size(); ++n) look(look, m.type(n));
    if (step == 0) return made;
    for (const tensor& t : expected) {
        if (!is_floating(t.element())) continue;
        const auto wide = convert_elements(t, element_type::float64);
        if (!wide) continue;
        for (const double v : wide->as<double>())
            if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
    }
    made.relative = std::max(made.relative, 16 * step);
    made.absolute = std::max(made.absolute, 4 * step * largest);
    return made;
}

}  // namespace inlay

#endif
