// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_PART_OF_NEST_HPP
#define INLAY_CODEGEN_C_PART_OF_NEST_HPP

#include <span>

#include <inlay/codegen/c/c_library.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

/// A region's nest as C99: a function of the nest's name. Calls in it are printed as `calls` says. The error says what C99 does not have.
[[nodiscard]] INLAY_FUNCTION outcome<c_part> part_of_nest(region_nest n, std::span<const printed_call> calls = {});

/// The same where it calls functions of a library, whose headers are included and whose files go along.
[[nodiscard]] INLAY_FUNCTION outcome<c_part> part_of_nest(region_nest n, const c_library& library);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/codegen/c/part_of_nest.ipp>
#endif

#endif
