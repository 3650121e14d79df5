// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_ENGINE_STATE_HPP
#define INLAY_EXAMPLES_INLAY_ENGINE_STATE_HPP

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <inlay/codegen/kernel/weight_store.hpp>
#include <inlay/cost/database.hpp>
#include <inlay/cost/recorded_meter.hpp>
#include <inlay/cost/roofline_model.hpp>
#include <inlay/measure/busy_core.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/work_counter.hpp>
#include <inlay/plan/piece_energies.hpp>
#include <inlay/plan/plan_options.hpp>
#include <inlay/plan/program_meter.hpp>
#include <inlay/runtime/emitted_kernels.hpp>
#include <inlay/runtime/tbb.hpp>

#include "backends.hpp"
#include "engine.hpp"
#include "progress.hpp"

namespace tool {

/// What an engine has; its parts (`engine.cpp` and `engine_*.cpp`) share it.
struct engine::state {
    explicit state(const engine_options& o)
        : options(o), weights(o.weights), list(list_with(o.loaded)), threads(o.threads), report(o.quiet) {}

    engine_options options;
    inlay::weight_store weights;  // of all programs that are made here
    back_end_list list;
    inlay::modelled_energies<back_end_list, inlay::work_counter<inlay::onnx_ops>> energies{list};
    inlay::emitted_kernels kernels;     // of the whole program that ran last, for the next one
    std::vector<planned_model> bodies;  // of the model that was planned last, to which `body_plans` refer
    std::vector<inlay::plan> body_plans;
    std::vector<inlay::recorded_target> targets;  // that take part, as plans record them
    inlay::tbb_executor threads;                  // of our kernels and of conversions; libraries have pools of their own beside it
    progress report;
    inlay::cost_database database;
    bool database_is_open = false;
    std::vector<inlay::emit_failure> not_emitted;   // of the program that was linked last
    std::optional<std::size_t> not_emitted_body;    // whose they are; else the program's
    std::map<inlay::digest, std::string> failures;  // what has no code, by content
    std::set<inlay::digest> left_out;               // those of them that this engine found itself, and planned again without
    std::set<inlay::digest> failures_of_call;       // those of them whose library has ended, of which later calls know the kernel alone
    std::optional<inlay::cost_table> table;         // of `--costs FILE`
    inlay::cost_table noted;                        // what plans asked for
    std::int64_t started = seconds_since_1970();
    bool programs_again = false, mends_prices = false;  // as the plan that is being made asks
    std::optional<inlay::busy_core> load;

    [[nodiscard]] static std::int64_t seconds_since_1970() {
        return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    }
};

/// Opens the database when it is first asked: verbs that need no prices touch no file. Without its file it works in memory.
void open_database(engine::state& s);

/// Takes over from the database what earlier calls found to have no code.
void read_failures(engine::state& s);

/// Whether back ends came as libraries.
[[nodiscard]] bool has_libraries(const engine::state& s);

/// How the library of a back end ended at run; empty if it is built in, or still answers.
[[nodiscard]] std::string end_of_library(const engine::state& s, inlay::backend_id number);

/// Under which conditions this engine measures and keeps what it measures.
[[nodiscard]] inlay::recording_conditions conditions_of(const engine::state& s);

using lower_bounds = inlay::roofline_bounds<inlay::work_counter<inlay::onnx_ops>>;

/// What planning asks for prices: pieces by themselves, lower bounds, whole programs.
struct price_sources {
    inlay::meter_ref pieces;
    const lower_bounds& bounds;
    inlay::program_meter_ref programs;
    /// Writes another price down for something that was asked for: what it took in a whole program.
    std::function<void(const inlay::pricing_job&, const inlay::measurement&)> correct;
};

/// Calls `plan` with the prices that the engine was asked for, and keeps what it asked. Tables set what a launch costs in `options`. The
/// error says what is wrong with the prices; `failed` gets how the program ends for it.
[[nodiscard]] inlay::outcome<void> with_prices(engine::state& s, const inlay::ir_module& m, inlay::plan_options& options, plan_times* times,
                                               answer& failed, const std::function<void(const price_sources&)>& plan);

}  // namespace tool

#endif
