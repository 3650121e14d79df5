// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_AFTER_PARTITIONING_HPP
#define INLAY_CODEGEN_EMIT_AFTER_PARTITIONING_HPP

#include <string_view>
#include <type_traits>
#include <utility>

#include <inlay/codegen/emit/emit_region.hpp>
#include <inlay/codegen/emit/region_program.hpp>
#include <inlay/core/fixed_string.hpp>

namespace inlay {

/// A pass over what a back end was given, as a program: after it nobody else looks at it.
template <fixed_string Name, class F>
struct after_partitioning_phase {
    static_assert(std::is_empty_v<F>, "inlay: a phase captures nothing; it reads the back end's options");

    static constexpr phase_place place = phase_place::after_partitioning;
    static constexpr std::string_view name = Name.view();
    using function_type = F;

    template <class B>
    [[nodiscard]] static consteval bool fits() {
        return detail::is_pass<F, B, const ir_module&, ir_module>();
    }
};

/// `after_partitioning<"tidy">([](const mine& self, const ir_module& body) -> outcome<ir_module> { ... })`: right before code is made, on
/// each region that the back end was given. What comes out means the same, and has inputs and results of the same number and types.
template <fixed_string Name, class F>
[[nodiscard]] constexpr auto after_partitioning(F) {
    return after_partitioning_phase<Name, F>{};
}

namespace detail {

template <class B>
struct after_phases {
    [[nodiscard]] static outcome<region_program> run(const B& self, const region_view& region) {
        outcome<region_program> now = region_program::make(program_of(region), region);
        B::phases().for_each([&]<class P>(P) {
            if constexpr (P::place == phase_place::after_partitioning) {
                if (!now) return;
                outcome<ir_module> made = typename P::function_type{}(self, now->program());
                if (!made) {
                    now = error{phase_text<B, P>("failed: " + made.failure().message)};
                    return;
                }
                now = region_program::make(*std::move(made), region);
                if (!now) now = error{phase_text<B, P>(now.failure().message)};
            }
        });
        return now;
    }
};

}  // namespace detail

}  // namespace inlay

#endif
