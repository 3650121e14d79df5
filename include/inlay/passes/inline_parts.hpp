// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_INLINE_PARTS_HPP
#define INLAY_PASSES_INLINE_PARTS_HPP

#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/partition/existing_part.hpp>

namespace inlay {

/// A program without functions of parts, and the parts that they were.
struct inlined_parts {
    ir_module program;
    std::vector<existing_part> parts;  // in the order in which main calls them; nodes of `program`
};

/// Undoes `outline`: calls of parts (functions with `Compiler`, named ones of the module or literals in the place of the call), of
/// composites and of `Primitive` functions are replaced by their bodies, conversions by what they read, and what the parts were is told.
/// Functions without any of these stay. A part that is called twice becomes two. The error names a part that calls itself, has control
/// flow inside, is called with the wrong number of arguments, or whose owner is no text. Linear in what comes out.
[[nodiscard]] INLAY_FUNCTION outcome<inlined_parts> inline_parts(const ir_module& m);

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/inline_parts.ipp>
#endif

#endif
