// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_REGION_NEST_HPP
#define INLAY_CODEGEN_REGION_NEST_HPP

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/strategy_table.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/loop_nest.hpp>
#include <inlay/loops/lower/lower.hpp>

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

}  // namespace inlay

#endif
