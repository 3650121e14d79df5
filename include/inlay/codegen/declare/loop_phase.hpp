// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_DECLARE_LOOP_PHASE_HPP
#define INLAY_CODEGEN_DECLARE_LOOP_PHASE_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <inlay/codegen/declare/phase_list.hpp>
#include <inlay/core/fixed_string.hpp>

namespace inlay {

/// A pass over a back end's loop nests.
template <std::size_t Number, fixed_string Name, class F>
struct loop_phase_type {
    static_assert(Number < 4, "inlay: loop phases have the numbers 0 to 3");
    static_assert(std::is_empty_v<F>, "inlay: a phase captures nothing; it reads the back end's options");

    static constexpr phase_place place = phase_place::loops;
    static constexpr std::string_view name = Name.view();
    static constexpr std::size_t number = Number;
    using function_type = F;

    template <class B>
    [[nodiscard]] static consteval bool fits() {
        return detail::is_pass<F, B, typename B::nest, typename B::nest>();
    }
};

/// `loop_phase<2, "unroll">([](const mine& self, mine::nest n) -> outcome<mine::nest> { ... })`. Numbers 0 to 3 say when it runs beside
/// the other passes over the same nest: 0 on the nest as it was lowered, 3 right before it is emitted.
template <std::size_t Number, fixed_string Name, class F>
[[nodiscard]] constexpr auto loop_phase(F) {
    return loop_phase_type<Number, Name, F>{};
}

/// The nest after all loop phases of a back end, or those up to number `last`: those of number 0 in list order, then those of 1, 2, 3. The
/// error says which phase failed.
template <emits_nests B>
[[nodiscard]] outcome<typename B::nest> run_loop_phases(const B& self, typename B::nest nest, std::size_t last = 3) {
    outcome<typename B::nest> now = std::move(nest);
    if constexpr (has_phases<B>) {
        for (std::size_t number = 0; number <= last; ++number)
            B::phases().for_each([&]<class P>(P) {
                if constexpr (P::place == phase_place::loops) {
                    if (P::number != number || !now) return;
                    now = typename P::function_type{}(self, *std::move(now));
                    if (!now) now = error{detail::phase_text<B, P>("failed: " + now.failure().message)};
                }
            });
    }
    return now;
}

}  // namespace inlay

#endif
