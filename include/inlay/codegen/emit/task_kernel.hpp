// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_TASK_KERNEL_HPP
#define INLAY_CODEGEN_EMIT_TASK_KERNEL_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/codegen/emit/nest_kernel.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/share_work.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/task_text.hpp>

namespace inlay {

namespace detail {

/// A function that a compiler made of a nest, run stage by stage on the executor of a run.
struct compiled_tasks {
    using entry = void(const void* const* inputs, void* const* results, std::byte* workspace, std::int32_t stage, std::int64_t first,
                       std::int64_t last);

    shared_library code;
    entry* call;
    std::vector<task_stage> stages;

    [[nodiscard]] bool run(const run_arguments& a) const {
        for (std::size_t s = 0; s < stages.size(); ++s)
            share(a.executor, static_cast<std::size_t>(stages[s].rounds), stages[s].work, [&](std::size_t first, std::size_t last) {
                call(a.inputs, a.results, a.workspace, static_cast<std::int32_t>(s), static_cast<std::int64_t>(first),
                     static_cast<std::int64_t>(last));
            });
        return true;
    }
};

}  // namespace detail

/// A kernel for each of some nests, all in one shared library that one call of the system's compiler makes; equal nests share their
/// function. Outermost parallel loops are shared out over the executor that a run is given. The error says what C does not have, or what
/// became of the compiler. Precondition: inputs and outputs are row-major.
[[nodiscard]] inline outcome<std::vector<kernel>> task_kernels(std::span<const loop_nest> nests, compiler_request how = nest_compiler()) {
    // What is computed is what counts, not what it is called.
    std::vector<loop_nest> different;
    std::vector<std::size_t> number_of;
    for (const loop_nest& n : nests) {
        loop_nest named = n;
        std::size_t at = 0;
        for (; at < different.size(); ++at) {
            named.name = different[at].name;
            if (named == different[at]) break;
        }
        if (at == different.size()) {
            named.name = "nest_" + std::to_string(at);
            different.push_back(std::move(named));
        }
        number_of.push_back(at);
    }
    const auto text = to_tasks(different);
    if (!text) return text.failure();
    how.language = source_language::c99;
    how.source = text->text;
    for (std::size_t i = 0; i < different.size(); ++i)
        how.source += "\n" + detail::entry_text(
                                 different[i], text->functions[i].printed.workspace_bytes, "inlay_entry_" + std::to_string(i),
                                 "int32_t inlay_stage, int64_t inlay_first, int64_t inlay_last", "inlay_stage, inlay_first, inlay_last");
    std::vector<kernel> made;
    if (different.empty()) return made;
    auto code = compile(how);
    if (!code) return code.failure();
    for (const std::size_t i : number_of) {
        auto* const entry = code->function<detail::compiled_tasks::entry>("inlay_entry_" + std::to_string(i));
        if (entry == nullptr)
            return error{"the compiled loop nest " + quoted_text(different[i].name) + " has lost its function; do not have flags hide it"};
        const task_function& f = text->functions[i];
        made.emplace_back(detail::compiled_tasks{*code, entry, f.stages}, f.printed.workspace_bytes);
    }
    return made;
}
/// The same for nests of regions, with their constants bound.
[[nodiscard]] inline outcome<std::vector<kernel>> task_kernels(std::span<const region_nest> nests, compiler_request how = nest_compiler()) {
    std::vector<loop_nest> loops;
    for (const region_nest& n : nests) loops.push_back(n.loops);
    auto made = task_kernels(loops, std::move(how));
    if (!made) return made;
    for (std::size_t i = 0; i < nests.size(); ++i) (*made)[i] = detail::with_constants(std::move((*made)[i]), nests[i]);
    return made;
}

}  // namespace inlay

#endif
