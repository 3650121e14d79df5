// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_EMIT_TOGETHER_HPP
#define INLAY_CODEGEN_EMIT_EMIT_TOGETHER_HPP

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/constants_policy.hpp>
#include <inlay/candidate/lifted_region.hpp>
#include <inlay/codegen/declare/emitter.hpp>
#include <inlay/codegen/emit/emit_region.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// It makes code for many loop nests at once, as one module: `emit_together(nests)` gives a kernel for each. An optional part of a back end
/// that emits nests; a program is then linked from one module of its.
template <class B>
concept emits_together = emits_nests<B> && requires(const B& b, std::span<const typename B::nest> nests) {
    { b.emit_together(nests) } -> std::same_as<outcome<std::vector<kernel>>>;
};

/// Code for several regions by one back end, as `emit_region` makes it for one: phases, policy for constants, `lower`, loop phases, then
/// one `emit_together`. The error is of the first region that has no nest, or of the module.
template <emits_together B>
[[nodiscard]] outcome<std::vector<kernel>> emit_regions(const B& self, std::span<const region_view> regions) {
    static_assert(constants_policy_of<B>() != constants_policy::external,
                  "inlay: a back end that emits together binds its constants to its kernels; say constants_policy::lift or embed, or leave "
                  "out `emit_together`");
    std::vector<typename B::nest> nests;
    std::vector<std::vector<tensor>> constants(regions.size());
    for (std::size_t i = 0; i < regions.size(); ++i) {
        auto nest = detail::behind_phases(self, regions[i], [&](const region_view& r) -> outcome<typename B::nest> {
            if constexpr (constants_policy_of<B>() != constants_policy::embed) {
                const lifted_region lifted(r);
                constants[i] = lifted.constants();
                return detail::arranged_nest(self, lifted.view());
            } else {
                return detail::arranged_nest(self, r);
            }
        });
        if (!nest) return nest.failure();
        nests.push_back(*std::move(nest));
    }
    outcome<std::vector<kernel>> made = self.emit_together(nests);
    if (!made) return made;
    if (made->size() != regions.size())
        return error{"its `emit_together` gave " + std::to_string(made->size()) + " kernels for " + std::to_string(regions.size()) +
                     " loop nests; it gives one for each"};
    for (std::size_t i = 0; i < regions.size(); ++i)
        (*made)[i] = detail::bind_constants(std::move((*made)[i]), constants[i], regions[i].input_count);
    return made;
}

}  // namespace inlay

#endif
