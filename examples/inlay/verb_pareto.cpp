// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <inlay/io/json/cost_table_file.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/write_file.hpp>
#include <inlay/plan/plan_objective.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

/// What one back end has in a plan.
struct share {
    std::size_t parts = 0, nodes = 0;
};

/// By kind, in the order in which the back ends first run.
std::vector<std::pair<std::string, share>> shares_of(const plan_point& point, const engine& e) {
    std::vector<std::pair<std::string, share>> made;
    std::map<backend_id, std::size_t> place;
    for (const part& p : point.cut.parts) {
        const auto [at, fresh] = place.try_emplace(p.owner, made.size());
        if (fresh) made.emplace_back(e.kind(p.owner), share{});
        ++made[at->second].second.parts;
        made[at->second].second.nodes += p.nodes.size();
    }
    return made;
}

std::string line_of(const plan_list& list, const plan_point& point, const engine& e) {
    std::string text = milliseconds(point.seconds) + "\t" + amount_text(list.second, point.second) + "\t";
    std::string owners;
    for (const auto& [kind, has] : shares_of(point, e)) owners += (owners.empty() ? "" : ", ") + kind + " " + counted(has.parts, "part");
    text += owners + "\t";
    if (point.is_proved)
        text += "proved";
    else
        text += "at least " + milliseconds(point.seconds_bound) + " and " + amount_text(list.second, point.second_bound);
    return text + (point.is_priced ? "" : ", not all measured") + "\n";
}

json_output json_of(const plan_point& point, const engine& e) {
    json_output shares = json_output::array();
    for (const auto& [kind, has] : shares_of(point, e)) shares.push_back({{"backend", kind}, {"parts", has.parts}, {"nodes", has.nodes}});
    json_output one{{"seconds", point.seconds},
                    {"lower_bound", point.seconds_bound},
                    {"second", point.second},
                    {"second_lower_bound", point.second_bound}};
    one["proved"] = point.is_proved;
    one["priced"] = point.is_priced;
    one["conversions"] = point.cut.conversions.size();
    one["back_ends"] = std::move(shares);
    return one;
}

}  // namespace

answer verb_pareto(const verb_options& o, const list_options& list) {
    // Plans are told by their time first.
    constexpr std::array others{plan_objective::peak, plan_objective::load, plan_objective::energy};
    const auto second = objective_of(list.second, others, "second objective");
    if (!second) return say(answer::wrong, second.failure());
    auto model = load_static(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    plan_request request = plan_request_of(o);
    request.budget_ms = list.budget_ms;
    answer failed = answer::no;
    plan_times times;
    auto made = back_ends->list_plans(*model, request, *second, &times, &failed);
    if (!made) return say(failed, made.failure());
    if (!o.save_costs.empty())
        if (auto written = write_file(o.save_costs, write_cost_table(back_ends->prices())); !written)
            return say(answer::wrong, written.failure());
    if (o.json) {
        json_output points = json_output::array();
        for (const plan_point& point : made->points) points.push_back(json_of(point, *back_ends));
        json_output whole{{"version", 1}, {"second", name_of(made->second)}, {"complete", made->is_complete}};
        whole["beyond_costs"] = made->beyond_costs ? json_output(*made->beyond_costs) : json_output(nullptr);
        whole["plans"] = std::move(points);
        std::cout << write_json(whole, 2) << "\n";
    } else {
        for (const plan_point& point : made->points) std::cout << line_of(*made, point, *back_ends);
        std::cout << counted(made->points.size(), "plan") << ", " << (made->is_complete ? "none is missing" : "others may be missing")
                  << "\n";
    }
    if (!o.engine.quiet)
        std::cerr << "searched " << times.search_seconds * 1e3 << " ms; measured " << times.measured << " prices in "
                  << times.measure_seconds << " s, " << times.known << " were known\n";
    return answer::done;
}

}  // namespace tool
