// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iostream>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/json/plan_file.hpp>
#include <inlay/io/json/search_instance.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/partition/verify.hpp>
#include <inlay/search/proof/verify_certificate.hpp>
#include <inlay/search/proof/verify_cover.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

/// Prints the laws, and says whether all hold.
answer say_laws(const std::vector<law_check>& laws, bool json) {
    bool all = true;
    json_output list = json_output::array();
    for (const law_check& l : laws) {
        all = all && l.holds;
        if (json)
            list.push_back({{"law", l.law}, {"holds", l.holds}, {"witness", l.witness}});
        else
            std::cout << (l.holds ? "holds\t" : "BROKEN\t") << l.law << (l.witness.empty() ? "" : ": " + l.witness) << "\n";
    }
    if (json) {
        json_output whole{{"version", 1}};
        whole["laws"] = std::move(list);
        std::cout << write_json(whole, 2) << "\n";
    }
    return all ? answer::done : answer::no;
}

law_check law(std::string text, const std::string& witness_against) { return {std::move(text), witness_against.empty(), witness_against}; }

bool differ(double a, double b) { return std::abs(a - b) > 1e-9 * std::max(std::abs(a), std::abs(b)) + 1e-300; }

/// That the lower bound is proved, by the certificate alone.
law_check bound_is_proved(const problem& numbers, double bound, const std::optional<certificate>& proof) {
    constexpr const char* text = "no cover by what was offered costs less than the lower bound";
    if (!(bound > 0)) return law(text, {});
    if (!proof) return law(text, "there is no proof; make the answer anew with one");
    if (proof->bound < bound * (1 - 2 * certificate_slack)) return law(text, "the proof is about " + json_number(proof->bound) + " only");
    return law(text, verify_certificate(numbers, *proof).fault);
}

answer verify_answer(const std::string& instance_file, const std::string& answer_file, bool json) {
    auto instance_text = read_file(instance_file);
    if (!instance_text) return say(answer::wrong, instance_text.failure());
    auto instance = read_search_instance(*instance_text, instance_file);
    if (!instance) return say(answer::wrong, instance.failure());
    auto answer_text = read_file(answer_file);
    if (!answer_text) return say(answer::wrong, answer_text.failure());
    auto value = read_json(*answer_text);
    if (!value) return say(answer::wrong, error{quoted_text(answer_file, 400) + ": " + value.failure().message});
    auto given = read_search_answer(json_place(*value));
    if (!given) return say(answer::wrong, error{quoted_text(answer_file, 400) + ": " + given.failure().message});
    if (!given->cost || !given->lower_bound)
        return say(answer::wrong, error{quoted_text(answer_file, 400) +
                                        " has no selection, so that there is nothing to check; give an answer with a cost"});
    const cover_report cover = verify_cover(*instance, given->chosen);
    std::vector<law_check> laws{law("every node is covered once, no parts wait for each other, every conversion is possible", cover.fault)};
    const bool costs = cover.covers && !differ(cover.cost, *given->cost);
    laws.push_back(law("the cost is the sum of the candidates' and conversions' prices",
                       costs          ? ""
                       : cover.covers ? "they add up to " + json_number(cover.cost) + ", and the answer says " + json_number(*given->cost)
                                      : "there is no cover"));
    const double above = *given->lower_bound - *given->cost, slack = 1e-9 * std::max(1.0, *given->cost);
    const bool fits = above <= slack && (given->status == "gap" || above >= -slack);
    laws.push_back(law("the lower bound is not above the cost, and as high if the answer is optimal",
                       fits ? "" : json_number(*given->lower_bound) + " against " + json_number(*given->cost)));
    laws.push_back(bound_is_proved(*instance, *given->lower_bound, given->proof));
    return say_laws(laws, json);
}

/// That the plan is a cover of the numbers that were solved, and costs there what it says.
law_check plan_is_of(const plan& p) {
    std::vector<candidate_index> chosen;
    for (std::size_t k = 0; k < p.stated->candidate_of.size(); ++k)
        if (p.stated->candidate_of[k] == selection_problem::none) chosen.push_back(static_cast<candidate_index>(k));
    std::string fault;
    for (const std::size_t c : p.chosen.chosen) {
        if (p.stated->number_of[c] == selection_problem::none) fault = "a composite of the plan has no price";
        chosen.push_back(p.stated->number_of[c]);
    }
    if (fault.empty()) {
        const cover_report cover = verify_cover(p.stated->numbers, chosen);
        fault = cover.fault;
        const double says = p.chosen.seconds.value_or(0) + p.penalties.value_or(0);
        if (fault.empty() && differ(cover.cost, says))
            fault = "it costs " + json_number(cover.cost) + " there, and the plan says " + json_number(says);
    }
    return law("the composites are a cover by what was offered, at the prices that were offered", fault);
}

}  // namespace

answer verb_verify(const verb_options& o, const std::string& plan_file) {
    if (o.model.path.ends_with(".json")) return verify_answer(o.model.path, plan_file, o.json);
    const auto record = load_plan_record(plan_file);
    if (!record) return say(answer::wrong, record.failure());
    auto model = load_prepared(prepared_as(o.model, *record));
    if (!model) return say(answer::wrong, model.failure());
    auto back_ends = engine_of_plan(plan_file, *record, o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    if (auto ready = back_ends->prepare_bodies(*model, {}, true); !ready) return say(answer::no, ready.failure());
    auto read = plan_of_file(plan_file, *record, model->program, *back_ends);
    if (!read) return say(answer::wrong, read.failure());
    const plan& p = *read;
    std::vector<law_check> laws = verify(model->program, p.set, p.cut);
    double sum = 0;
    for (const part& here : p.cut.parts)
        for (const std::size_t c : here.composites) sum += p.prices[c].median;
    for (const auto& [which, price] : p.conversions) sum += price.median;
    const double total = p.chosen.seconds.value_or(0), bound = p.chosen.lower_bound.value_or(0);
    laws.push_back(law("the total is the sum of the parts' and conversions' prices",
                       differ(sum, total) ? "they add up to " + json_number(sum) + " and the plan says " + json_number(total) : ""));
    laws.push_back(law("the lower bound is not above the total",
                       bound <= total * (1 + 1e-9) ? "" : json_number(bound) + " is above " + json_number(total)));
    if (p.stated) laws.push_back(plan_is_of(p));
    if (p.objective != plan_objective::latency)
        laws.push_back(law("the objective's lower bound is not above its value",
                           p.chosen.value_bound.value_or(0) <= p.chosen.value.value_or(0) * (1 + 1e-9)
                               ? ""
                               : json_number(*p.chosen.value_bound) + " is above " + json_number(*p.chosen.value)));
    laws.push_back(bound_is_proved(p.stated ? p.stated->numbers : problem{}, bound + p.penalties.value_or(0), p.proof));
    return say_laws(laws, o.json);
}

}  // namespace tool
