// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CONTROL_FLOW_LEAVING_AS_C_HPP
#define INLAY_TESTS_BACKEND_CONTROL_FLOW_LEAVING_AS_C_HPP

#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/portable_c/backend.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/emit_c_blocks.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/testing/compare.hpp>

#include "../../codegen/c/run_compiled.hpp"
#include "looped.hpp"

/// Programs with branches and loops as C.
namespace looped {

using c_list = backend_list<control_flow, portable_c>;

[[nodiscard]] inline block_plans planned_for_c(const lifted_control& c, c_list& backends) {
    toys::no_meter meter;
    auto made = plan_blocks(c, backends, meter, no_bound(), {}, bodies_are::planned);
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    return *std::move(made);
}

[[nodiscard]] inline outcome<c_program> as_c(const ir_module& m, const c_program_options& options = {.name = "net"}) {
    c_list backends;
    const lifted_control c = lifted(m);
    const block_plans plans = planned_for_c(c, backends);
    return emit_c_blocks(c, backends, plans, options);
}

/// Asks that a program in C gives what it means.
inline void check_c(const ir_module& m, const std::vector<tensor>& inputs, const c_program_options& options = {.name = "net"}) {
    const auto meant = interpret(m, inputs);
    REQUIRE_MESSAGE(meant.has_value(), (meant ? std::string() : meant.failure().message));
    const auto program = as_c(m, options);
    REQUIRE_MESSAGE(program.has_value(), (program ? std::string() : program.failure().message));
    const std::vector<tensor> found = c_programs::run_compiled(*program, inputs, *meant);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const comparison c = compare(found[i], (*meant)[i], 1e-5, 1e-5);
        CHECK_MESSAGE(c.agrees, c.reason);
    }
}

}  // namespace looped

#endif
