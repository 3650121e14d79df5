// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

#include <inlay/io/json/json.hpp>
#include <inlay/ir/node_name.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

/// How long ago that was, in the largest unit that fits; `time` in seconds since 1970.
std::string age_text(std::int64_t time) {
    if (time == 0) return "unknown";
    const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    const std::int64_t age = std::max<std::int64_t>(now - time, 0);
    if (age < 120) return std::to_string(age) + " s";
    if (age < 2 * 3600) return std::to_string(age / 60) + " min";
    if (age < 2 * 86400) return std::to_string(age / 3600) + " h";
    return std::to_string(age / 86400) + " d";
}

}  // namespace

answer verb_price(const verb_options& o) {
    auto model = load_static(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    answer failed = answer::no;
    auto made = back_ends->make_plan(*model, plan_request_of(o), nullptr, &failed);
    if (!made) return say(failed, made.failure());
    json_output list = json_output::array();
    for (const part& here : made->cut.parts) {
        double seconds = 0, spread = 0;
        std::int64_t oldest = 0;
        bool measured = false, disturbed = false;
        json_output composites = json_output::array();
        std::optional<accelerator_price> apart;
        for (const std::size_t c : here.composites) {
            const measurement& price = made->prices[c];
            seconds += price.median;
            if (const auto one = back_ends->price_apart(here.owner, made->set.candidates[c].view())) {
                if (!apart) apart.emplace();
                *apart += *one;
            }
            spread += price.spread;
            // A price that was stated or modelled has neither windows nor a time, and no age.
            if (price.windows != 0 || price.when != 0 || price.disturbed) {
                oldest = measured ? std::min(oldest, price.when) : price.when;
                measured = true;
                disturbed = disturbed || price.disturbed;
            }
            composites.push_back({{"name", made->set.candidates[c].name},
                                  {"node", name_of_node(model->program, made->set.candidates[c].root)},
                                  {"seconds", price.median},
                                  {"minimum", price.minimum},
                                  {"spread", price.spread},
                                  {"samples", price.samples},
                                  {"windows", price.windows},
                                  {"disturbed", price.disturbed},
                                  {"measured_at", price.when == 0 ? json_output() : json_output(price.when)}});
        }
        json_output one{{"backend", back_ends->kind(here.owner)}};
        one["nodes"] = json_output::array();
        for (const node_id n : here.nodes) one["nodes"].push_back(name_of_node(model->program, n));
        one["seconds"] = seconds;
        one["spread"] = spread;
        one["composites"] = std::move(composites);
        if (apart) {
            one["cycles"] = apart->cycles;
            one["compute_cycles"] = apart->compute_cycles;
            one["stall_cycles"] = apart->stall_cycles();
            one["macs"] = apart->macs;
            one["utilization"] = apart->utilization();
            for (const auto& [memory, count] : apart->bytes) one["bytes"][memory] = count;
            one["energy_pj"] = apart->energy_pj;
        }
        if (!o.json)
            std::cout << "part " << list.size() << "\t" << back_ends->kind(here.owner) << "\t" << milliseconds(seconds) << "\tspread "
                      << milliseconds(spread) << (measured ? "\tage " + age_text(oldest) : std::string())
                      << (disturbed ? ", disturbed" : "")
                      << (apart ? "\t" + std::to_string(apart->cycles) + " cycles, " +
                                      std::to_string(static_cast<int>(apart->utilization() * 100 + 0.5)) + " % of the array"
                                : std::string())
                      << "\t" << here.nodes.size() << (here.nodes.size() == 1 ? " node: " : " nodes, first ")
                      << shown_name(model->program, here.nodes.front()) << "\n";
        list.push_back(std::move(one));
    }
    if (!o.json) {
        double converting = 0;
        for (const auto& [which, price] : made->conversions) converting += price.median;
        std::cout << "conversions\t" << made->conversions.size() << "\t" << milliseconds(converting) << "\ntotal\t"
                  << milliseconds(made->chosen.seconds.value_or(0)) << "\n";
    }
    if (o.json) {
        json_output whole{{"version", 1}};
        whole["partitions"] = std::move(list);
        std::cout << write_json(whole, 2) << "\n";
    }
    return answer::done;
}

}  // namespace tool
