// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// What both tutorials do once there are back ends and a network: plan, leave as C, have `make check` compare with the interpreter.
#ifndef INLAY_EXAMPLES_UMA_LEAVE_AS_C_HPP
#define INLAY_EXAMPLES_UMA_LEAVE_AS_C_HPP

#include <cstdio>
#include <string>
#include <vector>

#include <inlay/backend/portable_c/backend.hpp>
#include <inlay/codegen/c/emit_c_program.hpp>
#include <inlay/codegen/compile/run_command.hpp>
#include <inlay/codegen/list/choose_backends.hpp>
#include <inlay/io/write_c_files.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/work_counter.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/target/read_target.hpp>
#include <inlay/testing/compare.hpp>

#include "networks.hpp"

namespace uma {

using namespace inlay;

inline int fail(const error& e) { return std::fprintf(stderr, "%s\n", e.message.c_str()), 1; }

/// `TARGETS PARTITIONER FOLDER`: plans a network for targets, has it leave as C in a folder, and runs `make check` there. Exit status 1
/// where the check says that results are off.
template <class List>
int leave_as_c(List backends, const ir_module& network, const char* const* arguments) {
    // Who takes part, in what order, with what options: what stands behind a kind reaches each call on its instance.
    const target_schemas known = schemas_of(backends);
    const auto targets = read_target_list(arguments[1], known);
    if (!targets) return fail(targets.failure());
    if (const auto chosen = choose_backends(backends, *targets, known, portable_c::kind); !chosen) return fail(chosen.failure());

    // Who states no price is estimated here for a small core: 100 million operations, 400 million bytes a second.
    roofline_meter<work_counter<onnx_ops>> small_core({1e8, 4e8, 1e-6});
    plan_options how;
    how.fallback = portable_c::kind;
    const auto decides = read_partitioner(arguments[2], std::vector<std::string>{});
    if (!decides) return fail(decides.failure());
    how.partitioner = *decides;
    const auto plan = make_plan(network, backends, small_core, roofline_bounds<work_counter<onnx_ops>>({}), how);
    if (!plan) return fail(plan.failure());
    const ir_module& planned = plan->program ? plan->program->program : network;
    std::printf("%s: %.0f us\n", arguments[2], 1e6 * *plan->chosen.seconds);
    for (const part& p : plan->cut.parts)
        for (const std::size_t c : p.composites)
            std::printf("  %s.%s %s\n", std::string(backends.kind(p.owner)).c_str(), plan->set.candidates[c].name.data(),
                        std::string(planned.name(plan->set.candidates[c].root)).c_str());

    for (const refusal& r : plan->set.refusals)
        if (r.why == refusal::cause::predicate)
            std::printf("  not %s.%s %s: %s\n", std::string(backends.kind(r.backend)).c_str(), r.composite.c_str(),
                        std::string(planned.name(r.root)).c_str(), r.reason.c_str());

    c_check_data data;
    for (const node_id n : network.inputs()) data.inputs.push_back(some_values(network.type(n).of_tensor, 1));
    auto meant = interpret(network, data.inputs);
    if (!meant) return fail(meant.failure());
    data.results = *std::move(meant);

    // Here: each part's C is compiled with the vendor's, loaded and called.
    const auto linked = link(planned, backends, plan->set, plan->cut);
    if (!linked) return fail(linked.failure());
    const auto computed = linked->run(data.inputs);
    if (!computed) return fail(computed.failure());
    const comparison here = compare(computed->front(), data.results.front(), data.relative, data.absolute);
    std::printf("run here: %s\n", here.agrees ? "agrees" : here.reason.c_str());

    // Elsewhere: a program in C99.
    const auto program = emit_c_program(planned, backends, plan->set, plan->cut, {.name = "net"});
    if (!program) return fail(program.failure());
    const auto files = c_files(*program, &data);
    if (!files) return fail(files.failure());
    if (const auto written = write_c_files(arguments[3], *files); !written) return fail(written.failure());
    std::printf("net.c: %zu functions, %zu bytes to work in, beside", program->function_count, program->arena_bytes);
    for (const c_source& s : program->sources) std::printf(" %s", s.name.c_str());
    std::printf("\n");

    const auto checked = run_command({{"make", "-s", "-C", arguments[3], "check"}, {}});
    if (!checked) return fail(checked.failure());
    std::printf("%s", checked->output.c_str());
    return here.agrees && checked->succeeded() ? 0 : 1;
}

}  // namespace uma

#endif
