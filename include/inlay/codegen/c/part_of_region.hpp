// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_PART_OF_REGION_HPP
#define INLAY_CODEGEN_C_PART_OF_REGION_HPP

#include <inlay/candidate/constants_policy.hpp>
#include <inlay/candidate/lifted_region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/emit/emit_region.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// Its code can leave as C99 by either way.
template <class B>
concept leaves_as_c = emits_c<B> || emits_c_nests<B>;

/// A region in chosen formats as a function in C, by whatever way the back end goes: its phases after partitioning, then `emit_c(region)`,
/// or `lower`, loop phases and `emit_c(nest)`. The error says which step failed, and why.
template <leaves_as_c B>
[[nodiscard]] outcome<c_part> part_of_region(const B& self, const region_view& region) {
    return detail::behind_phases(self, region, [&](const region_view& r) -> outcome<c_part> {
        if constexpr (emits_c<B>) {
            return self.emit_c(r, "part");
        } else if constexpr (constants_policy_of<B>() == constants_policy::embed) {
            const auto nest = detail::arranged_nest(self, r);
            if (!nest) return nest.failure();
            return self.emit_c(*nest);
        } else {
            const lifted_region lifted(r);
            const auto nest = detail::arranged_nest(self, lifted.view());
            if (!nest) return nest.failure();
            auto part = self.emit_c(*nest);
            if (part) part->constants = lifted.constants();
            return part;
        }
    });
}

}  // namespace inlay

#endif
