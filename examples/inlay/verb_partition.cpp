// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <iostream>
#include <string>

#include <inlay/io/json/cost_table_file.hpp>
#include <inlay/io/relay/relay_document.hpp>
#include <inlay/io/write_file.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/partition/outline.hpp>
#include <inlay/plan/plan_objective.hpp>
#include <inlay/search/proof/certify.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer verb_partition(const verb_options& o, const partition_options& how) {
    if (how.text && o.json) return say(answer::wrong, error{"--text and --json are two forms of one answer; give one of them"});
    auto model = load_static(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    plan_times times;
    plan_request request = plan_request_of(o);
    request.with_others = true;
    request.mends_prices = true;
    request.keep_problem = o.json || !o.out.empty();
    const auto objective = objective_of(how.objective, plan_objectives, "objective");
    if (!objective) return say(answer::wrong, objective.failure());
    request.objective = *objective;
    request.budget_ms = how.budget_ms;
    answer failed = answer::no;
    auto made = back_ends->make_plan(*model, request, &times, &failed);
    if (!made) return say(failed, made.failure());
    if (made->stated && made->chosen.lower_bound)
        made->proof = certify(made->stated->numbers, (*made->chosen.lower_bound + made->penalties.value_or(0)) * (1 - certificate_slack));
    if (!o.save_costs.empty())
        if (auto written = write_file(o.save_costs, write_cost_table(back_ends->prices())); !written)
            return say(answer::wrong, written.failure());
    if (!o.out.empty())
        if (auto written = write_file(o.out, plan_json(model->program, *made, *back_ends, o.model) + "\n"); !written)
            return say(answer::wrong, written.failure());
    std::string outlined;
    if (how.text) {
        const auto made_of = outline(model->program, made->set, made->cut, [&](backend_id number) { return back_ends->kind(number); });
        if (!made_of) return say(answer::no, made_of.failure());
        outlined = relay_document(*made_of);
    }
    std::cout << (how.text ? outlined
                  : o.json ? plan_json(model->program, *made, *back_ends, o.model) + "\n"
                           : plan_text(model->program, *made, *back_ends));
    if (!how.text && !o.json)
        for (std::size_t i = 0; i < model->bodies.size(); ++i)
            std::cout << "\nbody " << i << " of its control flow\n" << plan_text(model->bodies[i], back_ends->body_plans()[i], *back_ends);
    if (!o.engine.quiet)
        std::cerr << "searched " << times.search_seconds * 1e3 << " ms; measured " << times.measured << " prices in "
                  << times.measure_seconds << " s, " << times.check_seconds << " s of them to check kernels (" << times.check_median * 1e3
                  << " ms in the median, at most " << times.check_most * 1e3 << " ms); " << times.known << " were known\n";
    return answer::done;
}

}  // namespace tool
