// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/cost_table_file.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/write_file.hpp>

#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer verb_tune(const verb_options& o, const std::vector<std::string>& models) {
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    json_output list = json_output::array();
    // A later model may be refused, and then nothing is to be printed.
    std::string lines;
    for (const std::string& path : models) {
        model_options which = o.model;
        which.path = path;
        auto model = load_static(which);
        if (!model) return say(answer::wrong, model.failure());
        plan_times times;
        answer failed = answer::no;
        plan_request request;
        request.with_others = true;
        request.mends_prices = true;
        auto made = back_ends->make_plan(*model, request, &times, &failed);
        if (!made) return say(failed, made.failure());
        lines += escaped_text(path) + "\t" + std::to_string(times.measured) + " measured\t" + std::to_string(times.known) + " known\t" +
                 (times.again == 0 ? "" : std::to_string(times.again) + " again\t") +
                 (times.disturbed == 0 ? "" : std::to_string(times.disturbed) + " disturbed\t") + json_number(times.measure_seconds) +
                 " s\n";
        list.push_back({{"model", path},
                        {"measured", times.measured},
                        {"known", times.known},
                        {"again", times.again},
                        {"disturbed", times.disturbed},
                        {"seconds", times.measure_seconds}});
    }
    if (!o.save_costs.empty())
        if (auto written = write_file(o.save_costs, write_cost_table(back_ends->prices())); !written)
            return say(answer::wrong, written.failure());
    if (o.json) {
        json_output whole{{"version", 1}};
        if (o.engine.busy) whole["busy"] = true;
        whole["models"] = std::move(list);
        std::cout << write_json(whole, 2) << "\n";
    } else {
        std::cout << lines;
    }
    return answer::done;
}

}  // namespace tool
