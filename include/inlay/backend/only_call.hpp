// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONLY_CALL_HPP
#define INLAY_BACKEND_ONLY_CALL_HPP

#include <inlay/candidate/region_view.hpp>

namespace inlay::detail {

/// The call that stands alone in a region, its projections aside; null where there are several.
[[nodiscard]] inline const region_value* only_call(const region_view& r) {
    const region_value* only = nullptr;
    for (const region_value& v : r.calls()) {
        if (v.kind != region_value::role::call) continue;
        if (only != nullptr) return nullptr;
        only = &v;
    }
    return only;
}

}  // namespace inlay::detail

#endif
