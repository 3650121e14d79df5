// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <iostream>

#include <inlay/import/json.hpp>
#include <inlay/partition/verify.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

answer verb_verify(const verb_options& o, const std::string& plan_file) {
    auto model = load_prepared(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    auto read = read_plan(plan_file, *model, *back_ends);
    if (!read) return say(answer::wrong, read.failure());
    const plan& p = *read;
    std::vector<law_check> laws = verify(*model, p.set, p.cut);
    double sum = 0;
    for (const part& here : p.cut.parts)
        for (const std::size_t c : here.composites) sum += p.prices[c].median;
    for (const auto& [which, price] : p.conversions) sum += price.median;
    const double total = p.chosen.seconds.value_or(0), bound = p.chosen.lower_bound.value_or(0);
    law_check adds{
        "the total is the sum of the parts' and conversions' prices", std::abs(sum - total) <= 1e-9 * std::max(1.0, total) + 1e-12, {}};
    if (!adds.holds) adds.witness = "they add up to " + json_number(sum) + " and the plan says " + json_number(total);
    laws.push_back(std::move(adds));
    law_check below{"the lower bound is not above the total", bound <= total * (1 + 1e-9), {}};
    if (!below.holds) below.witness = json_number(bound) + " is above " + json_number(total);
    laws.push_back(std::move(below));
    bool all = true;
    json_output list = json_output::array();
    for (const law_check& l : laws) {
        all = all && l.holds;
        if (o.json)
            list.push_back({{"law", l.law}, {"holds", l.holds}, {"witness", l.witness}});
        else
            std::cout << (l.holds ? "holds\t" : "BROKEN\t") << l.law << (l.witness.empty() ? "" : ": " + l.witness) << "\n";
    }
    if (o.json) {
        json_output whole{{"version", 1}};
        whole["laws"] = std::move(list);
        std::cout << write_json(whole, 2) << "\n";
    }
    return all ? answer::done : answer::no;
}

}  // namespace tool
