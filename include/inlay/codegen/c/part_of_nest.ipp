// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_PART_OF_NEST_IPP
#define INLAY_CODEGEN_C_PART_OF_NEST_IPP

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/c/part_of_nest.hpp>

#include <inlay/codegen/c/c_library.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/loops/text/c_functions.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

outcome<c_part> part_of_nest(region_nest n, std::span<const printed_call> calls) {
    auto printed = to_c(n.loops, calls);
    if (!printed) return printed.failure();
    c_part made;
    made.name = detail::c_name(n.loops.name);
    // Directives for the compiler may stand before the function.
    made.text = std::move(printed->alone);
    made.text.insert(made.text.find(printed->declaration), "static ");
    made.needs = std::move(printed->needs);
    made.constants = std::move(n.constants);
    made.workspace_bytes = printed->workspace_bytes;
    return made;
}

outcome<c_part> part_of_nest(region_nest n, const c_library& library) {
    std::string includes;
    for (const c_header& h : library.headers) includes += "#include \"" + h.name + "\"\n";
    std::vector<printed_call> calls = library.calls;
    for (printed_call& c : calls) c.before = includes + c.before;
    auto made = part_of_nest(std::move(n), calls);
    if (!made) return made;
    made->headers = library.headers;
    made->sources = library.sources;
    return made;
}

}  // namespace inlay

#endif
