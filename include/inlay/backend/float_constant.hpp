// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_FLOAT_CONSTANT_HPP
#define INLAY_BACKEND_FLOAT_CONSTANT_HPP

#include <inlay/candidate/region_view.hpp>

namespace inlay::detail {

/// The value of a constant of float32 elements, else null.
[[nodiscard]] inline const tensor* float_constant(const region_view& r, value_id v) {
    const tensor* t = r[v].value;
    return r[v].kind == region_value::role::constant && t != nullptr && t->element() == element_type::float32 ? t : nullptr;
}

}  // namespace inlay::detail

#endif
