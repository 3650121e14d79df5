// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_KERNELS_HPP
#define INLAY_CODEGEN_C_C_KERNELS_HPP

#include <cstddef>
#include <span>
#include <vector>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/codegen/emit/nest_kernel.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// What a part's function is given beside its constants.
struct c_borders {
    std::size_t inputs = 0, results = 0;

    [[nodiscard]] static c_borders of(const region_nest& n) {
        c_borders made;
        for (const nest_buffer& b : n.loops.buffers) {
            made.inputs += b.scope == buffer_scope::input;
            made.results += b.scope == buffer_scope::output;
        }
        made.inputs -= n.constants.size();
        return made;
    }
};

/// A kernel for each of some parts, all in one shared library that one call of the system's compiler makes. The error says what became of
/// the compiler. Precondition: as many borders as parts.
[[nodiscard]] INLAY_FUNCTION outcome<std::vector<kernel>> c_kernels(std::span<const c_part> parts, std::span<const c_borders> borders,
                                                                    compiler_request how);
/// A kernel of one part, or why there is no part. What the `emit` of a back end may be whose `emit_c` makes parts.
[[nodiscard]] INLAY_FUNCTION outcome<kernel> c_kernel(const outcome<c_part>& part, const c_borders& borders,
                                                      compiler_request how = nest_compiler({"-O2", "-ffp-contract=off", "-w"}));

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/codegen/c/c_kernels.ipp>
#endif

#endif
