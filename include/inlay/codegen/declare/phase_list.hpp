// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_DECLARE_PHASE_LIST_HPP
#define INLAY_CODEGEN_DECLARE_PHASE_LIST_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <inlay/codegen/declare/emitter.hpp>

namespace inlay {

/// Where a phase of a back end stands.
enum class phase_place : std::uint8_t { before_partitioning, after_partitioning, loops };

namespace detail {

template <class P>
inline constexpr bool is_phase = requires {
    { P::place } -> std::convertible_to<phase_place>;
    { P::name } -> std::convertible_to<std::string_view>;
    typename P::function_type;
};

template <class P>
struct require_phase {
    static_assert(is_phase<P>,
                  "inlay: what stands here in a phase_list is no phase; say where it runs: `before_partitioning<\"name\">(f)`, "
                  "`after_partitioning<\"name\">(f)` or `loop_phase<0, \"name\">(f)`");
    static constexpr bool ok = true;
};

/// What is wrong with a phase is an error of this pair, which says whose phase it is and which.
template <class B, class P>
struct require_phase_of {
    static constexpr bool has_loops = P::place != phase_place::loops || emits_nests<B>;
    [[nodiscard]] static consteval bool fits() {
        if constexpr (has_loops)
            return P::template fits<B>();
        else
            return true;  // that is told already
    }
    static_assert(P::place != phase_place::before_partitioning || fits(),
                  "inlay: what this back end does before partitioning takes a program and gives one: `outcome<ir_module>(const B&, const "
                  "ir_module&)`; a "
                  "pass over loop nests stands in a loop_phase");
    static_assert(P::place != phase_place::after_partitioning || fits(),
                  "inlay: what this back end does after partitioning takes the program of a region and gives one: "
                  "`outcome<ir_module>(const B&, const "
                  "ir_module&)`; a pass over loop nests stands in a loop_phase");
    static_assert(has_loops,
                  "inlay: this back end has a loop phase and no loops; give it `nest`, `outcome<nest> lower(const region_view&) const` and "
                  "`outcome<kernel> emit(const nest&) const`");
    static_assert(P::place != phase_place::loops || fits(),
                  "inlay: a loop phase of this back end takes a loop nest and gives one: `outcome<nest>(const B&, nest)`; a pass over "
                  "programs stands before "
                  "or after partitioning");
    static constexpr bool ok = true;
};

}  // namespace detail

/// The phases of a back end, as a type; those of one place run in the order in which they stand, loop phases by number first:
/// `static constexpr auto phases() { return phase_list(before_partitioning<"fold">(f), loop_phase<2, "unroll">(g)); }`
///
/// A phase is called with the configured instance and what it changes, and captures nothing.
template <class... Phases>
struct phase_list {
    static_assert((detail::require_phase<Phases>::ok && ...));

    static constexpr std::size_t size = sizeof...(Phases);

    constexpr phase_list() = default;
    constexpr explicit phase_list(Phases...) requires(sizeof...(Phases) != 0) {}

    /// Calls `f(phase)` for each, in order.
    template <class F>
    static constexpr void for_each(F&& f) {
        if constexpr ((detail::is_phase<Phases> && ...)) (f(Phases{}), ...);
    }
    /// How many there are of a place.
    [[nodiscard]] static constexpr std::size_t count(phase_place place) {
        std::size_t found = 0;
        for_each([&](auto phase) { found += phase.place == place ? 1 : 0; });
        return found;
    }
};

/// It has passes of its own, with a static `phases()`, a `phase_list`. An optional part of a back end.
template <class B>
concept has_phases = requires {
    { B::phases().size } -> std::convertible_to<std::size_t>;
};

namespace detail {

template <class B>
[[nodiscard]] consteval bool has_phase_at(phase_place place) {
    if constexpr (has_phases<B>)
        return B::phases().count(place) != 0;
    else
        return false;
}

template <class B, class List>
struct require_each_phase {
    static constexpr bool ok = true;
};
/// What is no phase at all is told already.
template <class B, class... Phases>
requires(is_phase<Phases>&&...) struct require_each_phase<B, phase_list<Phases...>> {
    static_assert((require_phase_of<B, Phases>::ok && ...));
    static constexpr bool ok = true;
};

/// The type of a back end's list; void where it has none.
template <class B>
[[nodiscard]] constexpr auto phases_of() {
    if constexpr (has_phases<B>) return B::phases();
}

template <class B>
struct require_phases {
    static_assert(require_each_phase<B, decltype(phases_of<B>())>::ok);
    static_assert(!(emits_regions<B> && emits_nests<B>),
                  "inlay: a back end emits regions, or lowers them to loop nests and emits these, and not both; leave out `emit(const "
                  "region_view&)` or `lower`");
    static constexpr bool ok = true;
};

/// "phase 'tile' of back end 'mine': WHAT"
template <class B, class P>
[[nodiscard]] std::string phase_text(const std::string& what) {
    return "phase '" + std::string(P::name) + "' of back end '" + std::string(std::string_view(B::kind)) + "' " + what;
}

/// Whether a phase's function takes the instance and something, and gives an outcome of Result.
template <class F, class B, class Argument, class Result>
[[nodiscard]] consteval bool is_pass() {
    if constexpr (std::is_invocable_v<const F&, const B&, Argument>)
        return std::same_as<std::invoke_result_t<const F&, const B&, Argument>, outcome<Result>>;
    else
        return false;
}

}  // namespace detail

}  // namespace inlay

#endif
