// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_PART_OF_NEST_HPP
#define INLAY_CODEGEN_C_PART_OF_NEST_HPP

#include <span>
#include <utility>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/region_nest.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/c_functions.hpp>
#include <inlay/loops/c_text.hpp>

namespace inlay {

/// A region's nest as C99: a function of the nest's name. Calls in it are printed as `calls` says. The error says what C99 does not have.
[[nodiscard]] inline outcome<c_part> part_of_nest(region_nest n, std::span<const printed_call> calls = {}) {
    auto printed = to_c(n.loops, calls);
    if (!printed) return printed.failure();
    c_part made;
    made.name = detail::c_name(n.loops.name);
    made.text = "static " + printed->alone;
    made.needs = std::move(printed->needs);
    made.constants = std::move(n.constants);
    made.workspace_bytes = printed->workspace_bytes;
    return made;
}

}  // namespace inlay

#endif
