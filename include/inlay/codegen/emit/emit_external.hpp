// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_EMIT_EXTERNAL_HPP
#define INLAY_CODEGEN_EMIT_EMIT_EXTERNAL_HPP

#include <utility>
#include <vector>

#include <inlay/codegen/emit/emit_region.hpp>
#include <inlay/codegen/kernel/kernel_store.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// Code for a region, and the constants that whoever runs it hands over behind the region's inputs, row-major.
struct external_kernel {
    kernel code;
    std::vector<tensor> constants;
};

/// As `emit_region`, but that constants stay outside where the back end's policy is `external`; regions that differ in nothing but their
/// values then share one piece of code, which `kept` holds. Of other back ends' code there are no constants outside, and none is shared.
template <has_emitter B>
[[nodiscard]] outcome<external_kernel> emit_external(const B& self, const region_view& region, kernel_store& kept) {
    if constexpr (constants_policy_of<B>() == constants_policy::external) {
        return detail::behind_phases(self, region, [&](const region_view& r) -> outcome<external_kernel> {
            const lifted_region lifted(r);
            auto made = kept.get(code_key(lifted.view(), target_text(self)), [&] { return detail::emit_body(self, lifted.view()); });
            if (!made) return made.failure();
            return external_kernel{*std::move(made), lifted.constants()};
        });
    } else {
        auto made = emit_region(self, region);
        if (!made) return made.failure();
        return external_kernel{*std::move(made), {}};
    }
}

}  // namespace inlay

#endif
