// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_REGION_NEST_HPP
#define INLAY_CODEGEN_EMIT_REGION_NEST_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/candidate/constants_policy.hpp>
#include <inlay/candidate/lifted_region.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/declare/emitter.hpp>
#include <inlay/codegen/declare/loop_phase.hpp>
#include <inlay/codegen/declare/strategy_table.hpp>
#include <inlay/codegen/emit/emit_region.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/lower/lower.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

/// A region as loops, and the constants that stand behind the region's inputs among those of the loops. What a back end's `nest` may be.
struct region_nest {
    loop_nest loops;
    std::vector<tensor> constants;
};

/// Lowers a region to loops: a call for whose operator the back end has a strategy by that, every other one by the library's lowering.
/// Such a strategy is called as `outcome<lowered_tensor>(const B&, const lowered_call&)`. What a back end's `lower` may be. Where the back
/// end has its constants lifted, there are none in what it gives, so that `nest` may be `loop_nest`; operators that need to know
/// values, as those of a reduction's axes, then have no nest. The error names the operator, and the back end where its strategy failed.
template <class B>
[[nodiscard]] outcome<region_nest> lower_to_loops(const B& self, const region_view& region, std::string name) {
    const auto own = [&](std::string_view op, const lowered_call& call) {
        std::optional<outcome<lowered_tensor>> made;
        if constexpr (has_strategies<B>) {
            B::strategies().for_each([&]<class S>(S) {
                static_assert(std::is_invocable_r_v<outcome<lowered_tensor>, typename S::function_type, const B&, const lowered_call&>,
                              "inlay: a strategy of this back end is called as `outcome<lowered_tensor>(const B&, const lowered_call&)`");
                for (const std::string_view known : S::operators)
                    if (!made && known == op) made = typename S::function_type{}(self, call);
            });
            if (made && !*made)
                made = error{"back end '" + std::string(std::string_view(B::kind)) + "' could not lower it: " + made->failure().message};
        }
        return made;
    };
    auto loops = lower(region, std::move(name), own);
    if (!loops) return loops.failure();
    region_nest made{*std::move(loops), {}};
    for (const region_value& v : region.constants())
        if (v.value != nullptr) made.constants.push_back(*v.value);
    return made;
}

/// The loops of a region as a back end has them, after its loop phases up to number `last`, if there is one: those of its own `lower` where
/// its nest is the library's, else those of the library's lowering, which no phase changes. They are row-major.
template <class B>
[[nodiscard]] outcome<loop_nest> loops_of(const B& self, const region_view& region, std::string name,
                                          std::optional<std::size_t> last = {}) {
    if constexpr (emits_nests<B>) {
        if constexpr (std::is_same_v<typename B::nest, loop_nest> || std::is_same_v<typename B::nest, region_nest>) {
            const auto of = [&](const region_view& r) -> outcome<loop_nest> {
                auto nest = self.lower(r);
                if (nest && last) nest = run_loop_phases(self, *std::move(nest), *last);
                if (!nest) return nest.failure();
                if constexpr (std::is_same_v<typename B::nest, loop_nest>)
                    return *std::move(nest);
                else
                    return std::move(nest->loops);
            };
            return detail::behind_phases(self, region, [&](const region_view& r) -> outcome<loop_nest> {
                if constexpr (constants_policy_of<B>() == constants_policy::embed)
                    return of(r);
                else {
                    const lifted_region lifted(r);
                    return of(lifted.view());
                }
            });
        }
    }
    return lower(region, std::move(name));
}

}  // namespace inlay

#endif
