// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_STATIC_REGION_HPP
#define INLAY_BACKEND_STATIC_REGION_HPP

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// Error: a value of a region is no tensor, or its shape is not known before the run.
[[nodiscard]] inline outcome<void> check_static_region(const region_view& r) {
    for (const region_value& v : r.values)
        if (v.kind != region_value::role::absent && (!v.type->is_tensor() || !v.type->is_static()))
            return error{"the shape of a value is not known before the run"};
    return {};
}

}  // namespace inlay::detail

#endif
