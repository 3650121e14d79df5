// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_COMPILE_FAIL_A_PHASED_BACKEND_HPP
#define INLAY_TESTS_COMPILE_FAIL_A_PHASED_BACKEND_HPP

#include "a_backend.hpp"

#include <inlay/codegen/emit/after_partitioning.hpp>
#include <inlay/codegen/list/before_partitioning.hpp>

/// By way of nests, with the phases that the including file gives it; without nests where it says so.
struct phased : a_backend {
    struct pass_over_programs {
        inlay::outcome<inlay::ir_module> operator()(const phased&, const inlay::ir_module& m) const { return m; }
    };
#ifndef LACKS_NESTS
    using nest = int;
    [[nodiscard]] inlay::outcome<nest> lower(const inlay::region_view&) const { return 1; }
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const nest&) const { return inlay::error{"it emits nothing"}; }
#ifdef EMITS_BOTH
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const inlay::region_view&) const { return inlay::error{"it emits nothing"}; }
#endif
#endif
    struct pass_over_nests {
        inlay::outcome<int> operator()(const phased&, int n) const { return n; }
    };
#ifdef PHASES
    static constexpr auto phases() { return inlay::phase_list(PHASES); }
#endif
};

static_assert(inlay::backend_list<phased>::size == 1);

#endif
