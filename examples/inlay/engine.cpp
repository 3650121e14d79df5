// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <inlay/codegen/c/emit_c_program.hpp>
#include <inlay/codegen/declare/structural.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/list/choose_backends.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/emit_c_blocks.hpp>
#include <inlay/io/json/cost_table_file.hpp>
#include <inlay/io/json/target_argument.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/measure/worker_meter.hpp>
#include <inlay/passes/control/lift_control.hpp>
#include <inlay/plan/recorded_plan.hpp>
#include <inlay/target/plain_target.hpp>

#include "cache_paths.hpp"
#include "engine_state.hpp"

namespace tool {

using namespace inlay;

namespace {

/// Back ends that count threads of their own get the count that the call asked for, unless their own option says otherwise.
void give_threads(back_end_list& list, std::uint32_t threads) {
    list.for_each([&](auto& b, std::size_t) {
        if constexpr (requires { b.threads = 1; }) b.threads = static_cast<int>(threads);
    });
}

/// Whether the plain target `c` is among them.
bool are_for_c(const std::vector<target_instance>& wanted) {
    return std::any_of(wanted.begin(), wanted.end(), [](const target_instance& t) { return t.kind == c_target::kind; });
}

/// The targets of `--target` and `--target-KIND-NAME`; empty: all that can run here.
outcome<std::vector<target_instance>> wanted_targets(const back_end_list& list, const engine_options& options,
                                                     const target_schemas& known) {
    std::vector<target_instance> wanted;
    for (const std::string& argument : options.targets) {
        auto read = read_target_argument(argument, known);
        if (!read) return read.failure();
        for (target_instance& t : *read) wanted.push_back(std::move(t));
    }
    const bool has_plain =
        std::any_of(wanted.begin(), wanted.end(), [](const target_instance& t) { return t.is_plain() && t.device == c_target::device; });
    if (options.is_for_c && !has_plain) wanted.push_back(known.find(c_target::kind)->bare());
    if (options.set_options.empty()) return wanted;
    if (wanted.empty()) wanted = usable_targets(list, known);
    for (const auto& [where, value] : options.set_options) {
        const std::size_t dot = where.find('.');
        const std::string kind = where.substr(0, dot), name = where.substr(dot + 1);
        auto of_kind = std::find_if(wanted.begin(), wanted.end(), [&](const target_instance& t) { return t.kind == kind; });
        // The last resort takes part unnamed.
        if (of_kind == wanted.end() && kind == last_resort(are_for_c(wanted)))
            of_kind = wanted.insert(wanted.end(), known.find(kind)->bare());
        if (of_kind == wanted.end())
            return error{quoted_text("--target-" + kind + "-" + name) + " is given, and " + quoted_text(kind) +
                         " takes no part; name it with --target, or leave the option out"};
        if (auto set = set_option(*of_kind, *known.find(kind), name, value); !set) return set.failure();
    }
    return wanted;
}

/// Which back ends of the list take part, and how they are configured. Gives them as plans record them: threads that the call gives to all
/// are no option of a target.
outcome<std::vector<recorded_target>> choose_targets(back_end_list& list, const engine_options& options) {
    const target_schemas known = schemas_of(list);
    auto wanted = wanted_targets(list, options, known);
    if (!wanted) return wanted.failure();
    const auto made = choose_backends(list, *wanted, known, options.has_all_targets ? std::string_view() : last_resort(are_for_c(*wanted)));
    if (!made) return made.failure();
    std::vector<recorded_target> all = recorded_targets(list);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].target = target_text(without_host(*made->of_kind(list.kind(list.chosen()[i]))));
    return all;
}

}  // namespace

engine::engine(std::unique_ptr<state> s) : state_(std::move(s)) {}
engine::engine(engine&&) noexcept = default;
engine& engine::operator=(engine&&) noexcept = default;
engine::~engine() = default;

outcome<engine> engine::make(const engine_options& options) {
    if (!options.weights.empty()) {
        std::error_code failed;
        std::filesystem::create_directories(options.weights, failed);
        if (failed)
            return error{"'--weights' names " + quoted_text(options.weights, 400) +
                         ", which is no folder and cannot be made one: " + failed.message()};
    }
    auto s = std::make_unique<state>(options);
    give_threads(s->list, options.threads);
    auto chosen = choose_targets(s->list, options);
    if (!chosen) return chosen.failure();
    s->targets = *std::move(chosen);
    s->list.for_each([&](auto& b, std::size_t) {
        if constexpr (requires { b.weights = &s->weights; }) b.weights = &s->weights;
        if constexpr (requires { b.cache = std::string(); }) b.cache = code_folder(options.database);
    });
    if (auto room = have_cores_for(options.workers, options.threads); !room) return error{"--workers: " + room.failure().message};
    if (options.busy && options.workers > 1)
        return error{"'--busy' takes a core, and '--workers " + std::to_string(options.workers) +
                     "' measures on cores of its own; leave one of them out"};
    if (!options.refresh.empty() && options.costs != "measured")
        return error{"'--refresh' says which prices are measured again, and prices from " + quoted_text("--costs " + options.costs, 400) +
                     " are not measured; leave one of them out"};
    // What no plan asked for takes no part when the prices are read back.
    s->noted.missing = cost_table::without::not_offered;
    s->noted.threads = options.threads;
    s->noted.peaks = peaks_of_cores(core_upper_peaks, static_cast<double>(options.threads));
    if (options.costs != "measured" && options.costs != "model") {
        auto text = read_file(options.costs, std::size_t{1} << 28);
        if (!text) return error{"'--costs' is neither 'measured' nor 'model', and as a file of prices: " + text.failure().message};
        auto table = read_cost_table(*text);
        if (!table) return error{quoted_text(options.costs, 400) + ": " + table.failure().message};
        s->noted = *table;
        s->noted.regions.clear();
        s->noted.conversions.clear();
        s->table = *std::move(table);
    }
    if (options.busy) {
        auto load = inlay::busy_core::start();
        if (!load) return load.failure();
        s->load.emplace(*std::move(load));
    }
    return engine(std::move(s));
}

std::optional<int> engine::busy_core() const {
    if (!state_->load) return std::nullopt;
    return state_->load->core();
}

std::vector<std::string> engine::kinds() const {
    std::vector<std::string> kinds;
    const auto is_structural = [&](std::size_t i) {
        return state_->list.visit(i, []<class B>(const B&) { return inlay::is_structural<B>(); });
    };
    for (const std::size_t i : state_->list.chosen())
        if (!is_structural(i)) kinds.emplace_back(state_->list.kind(i));
    return kinds;
}

std::string engine::fallback() const {
    const std::vector<std::string> all = kinds();
    return std::string(last_resort(std::find(all.begin(), all.end(), reference::kind) == all.end()));
}

std::string engine::kind(backend_id number) const { return std::string(state_->list.kind(number)); }

bool engine::simulates(backend_id number) const {
    return state_->list.visit(number, [](const auto& b) { return is_simulated(b); });
}

outcome<loop_nest> engine::lower(backend_id number, const region_view& region, const std::string& name,
                                 std::optional<std::size_t> phase) const {
    return state_->list.visit(number, [&](const auto& b) { return loops_of(b, region, name, phase); });
}

std::optional<accelerator_price> engine::price_apart(backend_id number, const region_view& region) const {
    return state_->list.visit(number, [&]<class B>(const B& b) -> std::optional<accelerator_price> {
        if constexpr (prices_apart<B>)
            if (auto made = b.price_apart(region)) return *std::move(made);
        return std::nullopt;
    });
}

outcome<c_program> engine::emit_c(const ir_module& m, const plan& p, const c_program_options& options) const {
    state_->not_emitted.clear();
    state_->not_emitted_body.reset();
    if (calls_bodies(m)) {
        body_failures failed;
        auto bodies = emit_c_bodies(
            state_->bodies.size(), state_->list, [&](std::size_t i) -> const ir_module& { return state_->bodies[i].program; },
            [&](std::size_t i) -> const plan& { return state_->body_plans[i]; }, &failed);
        if (!bodies) {
            state_->not_emitted_body = failed.body;
            state_->not_emitted = std::move(failed.failures);
            return bodies.failure();
        }
    }
    return emit_c_program(m, state_->list, p.set, p.cut, options, &state_->not_emitted);
}

const std::vector<recorded_target>& engine::targets() const { return state_->targets; }

const cost_table& engine::prices() const { return state_->noted; }

executor_ref engine::executor() const { return executor_ref(state_->threads); }

std::atomic<bool>& interrupted() {
    static std::atomic<bool> set{false};
    return set;
}

}  // namespace tool
