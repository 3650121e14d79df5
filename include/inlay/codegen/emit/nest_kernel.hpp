// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_NEST_KERNEL_HPP
#define INLAY_CODEGEN_EMIT_NEST_KERNEL_HPP

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/codegen/emit/emit_region.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/c_functions.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

namespace detail {

/// A function that a compiler made of a nest.
struct compiled_nest {
    using entry = void(const void* const* inputs, void* const* results, std::byte* workspace);

    shared_library code;
    entry* call;

    [[nodiscard]] bool run(const run_arguments& a) const {
        call(a.inputs, a.results, a.workspace);
        return true;
    }
};

/// A function that takes what kernels are given, and perhaps `more`, and calls the nest's.
[[nodiscard]] inline std::string entry_text(const loop_nest& n, std::size_t workspace, const std::string& name = "inlay_entry",
                                            const std::string& more = {}, const std::string& more_given = {}) {
    std::string given, unused;
    for (const buffer_scope scope : {buffer_scope::input, buffer_scope::output}) {
        const bool is_input = scope == buffer_scope::input;
        std::size_t count = 0;
        for (const nest_buffer& b : n.buffers)
            if (b.scope == scope)
                given += (given.empty() ? "" : ", ") + std::string(is_input ? "(const " : "(") + std::string(c_storage_of(b.element)) +
                         "*)" + (is_input ? "inlay_inputs[" : "inlay_results[") + std::to_string(count++) + "]";
        if (count == 0) unused += is_input ? "    (void)inlay_inputs;\n" : "    (void)inlay_results;\n";
    }
    if (workspace != 0) given += std::string(given.empty() ? "" : ", ") + "inlay_workspace";
    if (workspace == 0) unused += "    (void)inlay_workspace;\n";
    if (!more.empty()) given += (given.empty() ? "" : ", ") + more_given;
    const std::string head = "void " + name +
                             "(const void* const* inlay_inputs, void* const* inlay_results, unsigned char* inlay_workspace" +
                             (more.empty() ? "" : ", " + more) + ")";
    return head + ";\n" + head + " {\n" + unused + "    " + c_name(n.name) + "(" + given + ");\n}\n";
}

/// The code of a region's nest with its constants, which stand behind the other inputs.
[[nodiscard]] inline kernel with_constants(kernel code, const region_nest& n) {
    std::size_t inputs = 0;
    for (const nest_buffer& b : n.loops.buffers) inputs += b.scope == buffer_scope::input;
    return bind_constants(std::move(code), n.constants, inputs - n.constants.size());
}

}  // namespace detail

/// How nests become kernels: the compiler's flags and the rest of the request, whose text is the nest's. Without a word on products and
/// sums they are kept apart, as the interpreter has them.
[[nodiscard]] inline compiler_request nest_compiler(std::vector<std::string> flags = {"-O3", "-march=native", "-ffp-contract=off"}) {
    compiler_request how;
    how.flags = std::move(flags);
    return how;
}

/// A kernel of a nest that takes and gives row-major tensors: the nest in C, compiled by the system's compiler. Calls are printed as
/// `calls` says. Parallel loops run on several threads where the flags have `-fopenmp`. The error says what C does not have, or what became
/// of the compiler. Precondition: inputs and outputs are row-major.
[[nodiscard]] inline outcome<kernel> nest_kernel(const loop_nest& n, compiler_request how = nest_compiler(),
                                                 std::span<const printed_call> calls = {}) {
    const auto text = to_c(n, calls);
    if (!text) return text.failure();
    how.language = source_language::c99;
    how.source = text->text + detail::entry_text(n, text->workspace_bytes);
    auto code = compile(how);
    if (!code) return code.failure();
    auto* const entry = code->function<detail::compiled_nest::entry>("inlay_entry");
    if (entry == nullptr)
        return error{"the compiled loop nest " + quoted_text(n.name) + " has lost its function; do not have flags hide it"};
    return kernel(detail::compiled_nest{*std::move(code), entry}, text->workspace_bytes);
}
/// The same for a region's nest, with its constants bound.
[[nodiscard]] inline outcome<kernel> nest_kernel(const region_nest& n, compiler_request how = nest_compiler(),
                                                 std::span<const printed_call> calls = {}) {
    auto made = nest_kernel(n.loops, std::move(how), calls);
    if (!made) return made;
    return detail::with_constants(*std::move(made), n);
}

}  // namespace inlay

#endif
