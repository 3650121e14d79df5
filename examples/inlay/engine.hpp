// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_ENGINE_HPP
#define INLAY_EXAMPLES_INLAY_ENGINE_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/accelerator/accelerator_price.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/c/c_program.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/cost_table.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/plan_jobs.hpp>
#include <inlay/plan/plan_list.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/plan/plan_record.hpp>
#include <inlay/plan/plan_rules.hpp>
#include <inlay/plan/program_meter.hpp>
#include <inlay/runtime/program.hpp>

#include "answer.hpp"
#include "model.hpp"

namespace inlay {
struct loaded_folders;
}

namespace tool {

struct library_page;

/// Which back ends take part, how prices are had, and how many threads run.
struct engine_options {
    std::vector<std::string> targets;                              // texts of '--target'; none: every usable back end
    std::vector<std::pair<std::string, std::string>> set_options;  // ("onednn.threads", "2"), from '--target-onednn-threads'
    std::string costs = "measured";                                // measured, model, or a file
    std::string database;                                          // empty: the user's cache folder
    std::string weights;                                           // a folder for packed weights; empty: they stay in memory
    std::uint32_t threads = 1;
    std::uint32_t workers = 1;  // processes that measure side by side, each on `threads` cores of its own
    std::string refresh;        // which known prices are measured again: disturbed ones (empty), stale (old or disturbed), all or never any
    bool quiet = false;
    bool has_all_targets = false;                   // no back end takes part that the targets do not name
    bool is_for_c = false;                          // the plain target `c` takes part where no other plain target of the CPU is named
    bool only_plans_bodies = false;                 // those of branches and loops are not linked, since nothing runs here
    const inlay::loaded_folders* loaded = nullptr;  // back ends that came as libraries; null: none
    library_page* page = nullptr;                   // which of them ended an earlier process of this call; null: they are not watched
    bool checks = true;   // kernels are compared with the meaning of their regions before their prices count, and before they run
    bool strict = false;  // kernels that cannot be checked do not run
    bool busy = false;    // a competing process takes a core as long as the engine lives, and prices are those of that
};

/// What a plan is asked for.
struct plan_request {
    std::string partitioner = "exact";
    bool with_others = false;   // also price `eager` and each single back end
    std::string prefer;         // a kind that gets whatever it can take
    bool keep_problem = false;  // the plan gets the numbers that it answers
    std::string constraints;    // a file of them; empty: none
    std::string fallback;       // what the fallback may do, for all nodes: require, warn or allow; empty: what it likes
    inlay::plan_objective objective = inlay::plan_objective::latency;  // of exact
    std::optional<double> budget_ms{};                                 // of each search for a plan, or of a whole list
    bool programs_again = false;                                       // what whole programs showed is not believed: they are run anew
    bool mends_prices = false;  // prices that were measured while something else ran are measured again where that has ended
};

/// Time that planning took.
struct plan_times {
    double search_seconds = 0;
    double measure_seconds = 0;
    double check_seconds = 0;                 // of these, that comparing kernels with their meanings took
    double check_median = 0, check_most = 0;  // seconds of one kernel
    std::size_t measured = 0;                 // prices that had to be measured
    std::size_t known = 0;                    // prices that the database had
    std::size_t again = 0;                    // of these, measured again
    std::size_t disturbed = 0;                // of all prices and programs: something else ran on the machine meanwhile
    std::size_t rehearsed = 0;                // programs that were run whole to price their pieces in place
};

/// The back ends of this build behind one door, so that they are compiled once.
class engine {
public:
    [[nodiscard]] static inlay::outcome<engine> make(const engine_options& options);

    engine(engine&&) noexcept;
    engine& operator=(engine&&) noexcept;
    ~engine();

    /// Kinds that take part, in the user's order.
    [[nodiscard]] std::vector<std::string> kinds() const;
    /// The one of them that runs what nobody else takes: the reference back end, or the plain target `c` where that takes no part.
    [[nodiscard]] std::string fallback() const;
    [[nodiscard]] std::string kind(inlay::backend_id number) const;
    /// Whether that back end only plays a device, so that prices of its kernels and copies are a model.
    [[nodiscard]] bool simulates(inlay::backend_id number) const;
    /// Plans the bodies of a model's branches and loops and links them, which has to be done before a plan of the model is linked or
    /// emitted; where `last_will_do`, as was decided before. `make_plan` and `last_plan` do so themselves.
    [[nodiscard]] inlay::outcome<void> prepare_bodies(const planned_model& m, const plan_request& request, bool last_will_do);
    /// The plans of the bodies of the model that was planned last, as it numbers them.
    [[nodiscard]] const std::vector<inlay::plan>& body_plans() const;
    /// The back ends that take part as plans record them, in the user's order.
    [[nodiscard]] const std::vector<inlay::recorded_target>& targets() const;

    /// What a file of constraints says of plans for a model.
    [[nodiscard]] inlay::outcome<inlay::plan_rules> rules(const std::string& path, const inlay::ir_module& m) const;
    /// What the back ends offer for a model, without prices.
    [[nodiscard]] inlay::candidate_set candidates(const inlay::ir_module& m) const;
    /// Why the back end of that kind has no more ways of covering a node; `set` are the candidates.
    [[nodiscard]] std::vector<inlay::refusal> refusals_at(const inlay::ir_module& m, const inlay::candidate_set& set,
                                                          const std::string& kind, inlay::node_id node) const;

    /// As which composites the back end of that kind would take a node, whether it takes part or not.
    [[nodiscard]] std::vector<std::string> composites_at(const inlay::ir_module& m, const std::string& kind, inlay::node_id node) const;

    /// The plan. Where there is none, `failed` gets whether the call is wrong (an unknown partitioner, a price that the cost table lacks, a
    /// model that plain enumeration is not for) or the answer is no.
    [[nodiscard]] inlay::outcome<inlay::plan> make_plan(const planned_model& m, const plan_request& request, plan_times* times = nullptr,
                                                        answer* failed = nullptr);
    /// The plan that was last made for the same model and request, on this machine with the same back ends, where the database still has it
    /// and it is sound. It asks for no prices.
    [[nodiscard]] std::optional<inlay::plan> last_plan(const planned_model& m, const plan_request& request);
    /// The plans of which none is beaten in both its time and the second objective, as far as they are found in the request's budget and
    /// before Ctrl-C. `failed` as above.
    [[nodiscard]] inlay::outcome<inlay::plan_list> list_plans(const planned_model& m, const plan_request& request,
                                                              inlay::plan_objective second, plan_times* times = nullptr,
                                                              answer* failed = nullptr);
    /// All prices that plans of this engine asked for, as a table that gives the same plans again.
    [[nodiscard]] const inlay::cost_table& prices() const;
    [[nodiscard]] inlay::outcome<inlay::program> link(const inlay::ir_module& m, const inlay::plan& p) const;
    /// Runs a program for the first time, each of its steps compared with its meaning unless the options say otherwise. Error: a step is
    /// wrong, which `leaves_out_failed` then takes out of all plans; or what the run says.
    [[nodiscard]] inlay::outcome<void> run_first(const inlay::ir_module& m, const inlay::plan& p, const inlay::program& code,
                                                 inlay::program_frame& frame, std::span<const inlay::tensor> inputs,
                                                 std::span<inlay::tensor> results) const;
    /// Takes what the last program, linked or in C, had no code for out of all plans from now on, and says so; false where it had all, and
    /// planning anew changes nothing. `is_kept`: of those of later calls of the tool, too.
    [[nodiscard]] bool leaves_out_failed(const inlay::ir_module& m, const inlay::plan& p, bool is_kept = true);
    /// What `make(plan)` gives; where a candidate of the plan has no code, the plan becomes one without it, for as long as there is
    /// another. `failed` is how the program ends where nothing came of it.
    template <class Make>
    [[nodiscard]] auto code_around_failures(const planned_model& m, const plan_request& request, inlay::plan& made, bool is_kept,
                                            answer& failed, const Make& make) -> decltype(make(made)) {
        auto code = make(made);
        while (!code && leaves_out_failed(m.program, made, is_kept)) {
            auto again = make_plan(m, request, nullptr, &failed);
            if (!again) return again.failure();
            made = *std::move(again);
            code = make(made);
        }
        if (!code) failed = answer::no;
        return code;
    }
    /// The program of another way to decide: candidates of the plan's set that cover the graph.
    [[nodiscard]] inlay::outcome<inlay::program> link(const inlay::ir_module& m, const inlay::plan& p,
                                                      const std::vector<std::size_t>& chosen) const;
    /// What the pieces of a plan take now in its running program, as prices in place are taken: warm, in about a third of a second.
    [[nodiscard]] inlay::program_timing rehearse(const inlay::ir_module& m, const inlay::plan& p) const;
    /// Has the steps of a program run side by side where that is measured to be faster; in a second or so, longer for slow models. Leaves
    /// it as it is with one thread, or where prices are not measured.
    [[nodiscard]] inlay::outcome<void> run_side_by_side(inlay::program& code) const;
    [[nodiscard]] inlay::executor_ref executor() const;
    /// The core that a competing process takes, if one does.
    [[nodiscard]] std::optional<int> busy_core() const;
    /// The loops of a region on a back end: as they are lowered, or after its loop phases up to a number.
    [[nodiscard]] inlay::outcome<inlay::loop_nest> lower(inlay::backend_id number, const inlay::region_view& region,
                                                         const std::string& name, std::optional<std::size_t> phase) const;

    /// What a region costs on that back end, taken apart; nothing where it is no accelerator that does so.
    [[nodiscard]] std::optional<inlay::accelerator_price> price_apart(inlay::backend_id number, const inlay::region_view& region) const;
    /// A plan's program in C, where the code of all its back ends leaves so.
    [[nodiscard]] inlay::outcome<inlay::c_program> emit_c(const inlay::ir_module& m, const inlay::plan& p,
                                                          const inlay::c_program_options& options) const;

    /// For each piece, the first with the same content.
    [[nodiscard]] std::vector<std::size_t> first_equals(std::span<const inlay::pricing_job> pieces) const;
    /// Measures some of the pieces anew, each by itself, as its price was; nothing is written down.
    [[nodiscard]] std::vector<inlay::measurement> measure(std::span<const inlay::pricing_job> pieces,
                                                          std::span<const std::size_t> some) const;

    struct state;

private:
    [[nodiscard]] inlay::outcome<inlay::plan> make_plan_of(const planned_model& m, const plan_request& request, plan_times* times,
                                                           answer* failed);
    [[nodiscard]] std::optional<inlay::plan> last_plan_of(const planned_model& m, const plan_request& request);

    explicit engine(std::unique_ptr<state> s);
    std::unique_ptr<state> state_;
};

/// Measuring is done by this same program, started anew as a worker: gives the exit code where the arguments say that it is one.
[[nodiscard]] std::optional<int> run_as_worker(int argc, char** argv);

/// Set by Ctrl-C: measuring ends, what was measured is kept.
[[nodiscard]] std::atomic<bool>& interrupted();

}  // namespace tool

#endif
