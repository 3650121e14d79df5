// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/declare/phase_list.hpp>

#include <doctest/doctest.h>

#include "../nest_backends.hpp"

#include <inlay/codegen/emit/after_partitioning.hpp>
#include <inlay/codegen/list/before_partitioning.hpp>

using namespace inlay;

namespace {

struct all_places : toys::by_nests<all_places> {
    static constexpr std::string_view kind = "all_places";
    static constexpr auto phases() {
        const auto same = [](const all_places&, const ir_module& m) -> outcome<ir_module> { return m; };
        return phase_list(loop_phase<0, "tile">([](const all_places&, nest n) -> outcome<nest> { return n; }),
                          before_partitioning<"fold">(same), after_partitioning<"tidy">(same),
                          before_partitioning<"mine", phase_scope::own>(same));
    }
    static constexpr auto strategies() { return strategy_table(); }
};

template <class F>
constexpr bool fits_before(F f) {
    return decltype(before_partitioning<"x">(f))::template fits<all_places>();
}
template <class F>
constexpr bool fits_after(F f) {
    return decltype(after_partitioning<"x">(f))::template fits<all_places>();
}
template <class F>
constexpr bool fits_loops(F f) {
    return decltype(loop_phase<0, "x">(f))::template fits<all_places>();
}
constexpr auto of_programs = [](const all_places&, const ir_module& m) -> outcome<ir_module> { return m; };
constexpr auto of_nests = [](const all_places&, toys::one_loop n) -> outcome<toys::one_loop> { return n; };
constexpr auto without_instance = [](const ir_module& m) -> outcome<ir_module> { return m; };
constexpr auto without_outcome = [](const all_places&, const ir_module& m) -> ir_module { return m; };

static_assert(has_phases<all_places> && !has_phases<toys::rows>);
static_assert(fits_before(of_programs) && !fits_before(of_nests) && !fits_before(without_instance) && !fits_before(without_outcome));
static_assert(fits_after(of_programs) && !fits_after(of_nests) && !fits_after(without_instance) && !fits_after(without_outcome));
static_assert(fits_loops(of_nests) && !fits_loops(of_programs) && !fits_loops(without_instance));
static_assert(backend_list<all_places>::size == 1);

}  // namespace

TEST_CASE("a list knows its phases in order and how many there are of each place") {
    const auto list = all_places::phases();
    CHECK(list.size == 4);
    CHECK(list.count(phase_place::before_partitioning) == 2);
    CHECK(list.count(phase_place::after_partitioning) == 1);
    CHECK(list.count(phase_place::loops) == 1);
    std::string names;
    list.for_each([&](auto phase) { names += std::string(phase.name) + " "; });
    CHECK(names == "tile fold tidy mine ");
}
