// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/import/json.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/search/certify.hpp>
#include <inlay/search/regret.hpp>
#include <inlay/search/verify_certificate.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

/// One way in which a back end could take the node, and what that would cost the whole.
struct offer {
    std::size_t number;  // of the candidate
    regret against;
    bool proved;  // that no plan with it costs less, by a certificate that holds; never where the search did not end
};

/// A way that a back end has not got, and why.
struct obstacle {
    std::string cause, composite, reason;

    [[nodiscard]] std::string text() const { return cause + ": " + (composite.empty() ? "" : composite + ": ") + reason; }
    friend auto operator<=>(const obstacle&, const obstacle&) = default;
};

/// What one back end has to say about the node.
struct verdict {
    std::string kind;
    std::vector<offer> offers;           // without the chosen one, least regret first; those without a cover last
    std::vector<obstacle> obstacles;     // ways that are not open
};

class inquiry {
public:
    inquiry(const ir_module& model, const plan& p, const engine& back_ends, node_id node) : model_(&model), plan_(&p), back_ends_(&back_ends), node_(node) {
        const selection_problem& stated = *p.stated;
        for (std::size_t k = 0; k < stated.candidate_of.size(); ++k) {
            const std::size_t c = stated.candidate_of[k];
            if (c == selection_problem::none || std::binary_search(p.chosen.chosen.begin(), p.chosen.chosen.end(), c)) cover_.push_back(static_cast<candidate_index>(k));
        }
        for (const std::size_t c : p.chosen.chosen)
            if (covers(c)) chosen_ = c;
    }

    [[nodiscard]] std::size_t chosen() const { return chosen_; }

    [[nodiscard]] bool is_proved(candidate_index with, double bound) const {
        const problem& numbers = plan_->stated->numbers;
        const auto proof = certify(numbers, bound * (1 - certificate_slack), deadline({}, &interrupted()), with);
        return proof && proof->bound >= bound * (1 - certificate_slack) && verify_certificate(numbers, *proof).holds;
    }

    [[nodiscard]] verdict ask(const std::string& kind) const {
        verdict made{kind, {}, {}};
        for (std::size_t c = 0; c < plan_->set.candidates.size(); ++c) {
            if (c == chosen_ || back_ends_->kind(plan_->set.candidates[c].backend) != kind || !covers(c)) continue;
            if (plan_->prices[c].has_failed()) {
                made.obstacles.push_back({"does not run", name_of(c), plan_->prices[c].failure});
                continue;
            }
            const candidate_index number = plan_->stated->number_of[c];
            if (number == selection_problem::none) {
                made.obstacles.push_back({"pinned", name_of(c), "a constraint rules it out"});
                continue;
            }
            regret against = regret_of(plan_->stated->numbers, cover_, number);
            for (double* share : {&against.total, &against.own, &against.conversions, &against.elsewhere}) *share = without_remainder(*share);
            if (against.break_even) *against.break_even = without_remainder(*against.break_even);
            const bool proved = against.cost && against.status == selection_status::optimal && is_proved(number, *against.lower_bound);
            made.offers.push_back({c, std::move(against), proved});
        }
        const auto cost = [](const offer& o) { return o.against.cost.value_or(std::numeric_limits<double>::infinity()); };
        std::stable_sort(made.offers.begin(), made.offers.end(), [&](const offer& a, const offer& b) { return cost(a) < cost(b); });
        for (const refusal& r : back_ends_->refusals_at(*model_, plan_->set, kind, node_))
            made.obstacles.push_back({std::string(inlay::name_of(r.why)), std::string(r.composite), r.reason});
        std::sort(made.obstacles.begin(), made.obstacles.end());
        made.obstacles.erase(std::unique(made.obstacles.begin(), made.obstacles.end()), made.obstacles.end());
        return made;
    }

    /// `convolution of conv1, relu1, float32:plain -> float32:channels_last`
    [[nodiscard]] std::string name_of(std::size_t c) const {
        const candidate& of = plan_->set.candidates[c];
        std::string text = std::string(of.name) + " of ";
        for (std::size_t i = 0; i < of.nodes.size(); ++i) text += (i > 0 ? ", " : "") + name_of_node(*model_, of.nodes[i]);
        const auto formats = [&](const std::vector<format>& list) {
            std::string all;
            for (const format& f : list) all += (all.empty() ? "" : ", ") + to_string(f);
            return all.empty() ? std::string("nothing") : all;
        };
        return text + " (" + formats(of.formats.inputs) + " -> " + formats(of.formats.results) + ")";
    }
    [[nodiscard]] double cost_of(std::size_t c) const { return plan_->stated->numbers.candidates[plan_->stated->number_of[c]].cost; }
    /// Whether a candidate's price was measured, stated or told by a table; else it is a lower bound, and so is its regret.
    [[nodiscard]] bool is_priced(std::size_t c) const { return plan_->prices[c].is_measured(); }

    [[nodiscard]] json_output json_of(std::size_t c) const {
        const candidate& of = plan_->set.candidates[c];
        json_output nodes = json_output::array(), inputs = json_output::array(), results = json_output::array();
        for (const node_id n : of.nodes) nodes.push_back(name_of_node(*model_, n));
        for (const format& f : of.formats.inputs) inputs.push_back(to_string(f));
        for (const format& f : of.formats.results) results.push_back(to_string(f));
        json_output one{{"backend", back_ends_->kind(of.backend)}, {"name", of.name}};
        one["nodes"] = std::move(nodes);
        one["inputs"] = std::move(inputs);
        one["results"] = std::move(results);
        one["seconds"] = cost_of(c);
        one["priced"] = is_priced(c);
        return one;
    }

private:
    [[nodiscard]] bool covers(std::size_t c) const {
        const auto& nodes = plan_->set.candidates[c].nodes;
        return std::find(nodes.begin(), nodes.end(), node_) != nodes.end();
    }
    /// Zero for what sums of the plan's prices leave where they are equal but for rounding.
    [[nodiscard]] double without_remainder(double share) const {
        constexpr double rounding = 1e-12;
        return std::abs(share) <= rounding * plan_->chosen.seconds.value_or(0) ? 0 : share;
    }

    const ir_module* model_;
    const plan* plan_;
    const engine* back_ends_;
    node_id node_;
    std::size_t chosen_ = 0;
    std::vector<candidate_index> cover_;
};

std::string signed_milliseconds(double seconds) { return (seconds < 0 ? "-" : "+") + milliseconds(std::abs(seconds)); }

/// Why a way was not taken, in one sentence.
std::string sentence(const inquiry& asked, const offer& o) {
    const regret& r = o.against;
    const std::string name = asked.name_of(o.number) + ", " + (asked.is_priced(o.number) ? "" : "not measured, at least ") + milliseconds(asked.cost_of(o.number)) + ": ";
    if (!r.cost) return name + (r.status == selection_status::infeasible ? "no plan can have it" : "no plan with it was found in time");
    const std::string proved = o.proved ? ", proved" : ", not proved";
    const std::string costs = std::string(r.status == selection_status::optimal ? "a plan with it costs " : "the best plan with it that was found costs ") +
                              (asked.is_priced(o.number) ? "" : "at least ");
    if (r.total <= 0) return name + costs + "as much" + proved;
    std::string text = name + costs + milliseconds(r.total) + " more" + proved + " (itself " +
                       signed_milliseconds(r.own) + ", conversions " + signed_milliseconds(r.conversions) + ", elsewhere " + signed_milliseconds(r.elsewhere) + ")";
    if (r.break_even) return text + "; it would do at " + milliseconds(*r.break_even) + " or less";
    if (r.status == selection_status::optimal) return text + "; it would not do for nothing";
    return text;
}

json_output json_of(const inquiry& asked, const offer& o) {
    const regret& r = o.against;
    json_output one = asked.json_of(o.number);
    one["regret"] = r.cost ? json_output(r.total) : json_output(nullptr);
    if (r.cost) {
        one["own"] = r.own;
        one["conversions"] = r.conversions;
        one["elsewhere"] = r.elsewhere;
        one["proved"] = o.proved;
    }
    one["break_even"] = r.break_even ? json_output(*r.break_even) : json_output(nullptr);
    return one;
}

}  // namespace

answer verb_why(const verb_options& o, const why_options& why) {
    auto model = load_static(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    auto node = node_named(*model, why.node);
    if (!node) return say(answer::wrong, node.failure());
    std::vector<std::string> kinds = back_ends->kinds();
    if (!why.kind.empty()) {
        if (std::find(kinds.begin(), kinds.end(), why.kind) == kinds.end())
            return say(answer::wrong, error{"back end " + quoted_text(why.kind) + " takes no part" + name_hint(why.kind, kinds) + "; name one that does"});
        kinds = {why.kind};
    }
    answer failed = answer::no;
    plan_request request = plan_request_of(o);
    request.keep_problem = true;
    auto made = back_ends->make_plan(*model, request, nullptr, &failed);
    if (!made) return say(failed, made.failure());
    if (!std::binary_search(made->set.to_cover.begin(), made->set.to_cover.end(), *node))
        return say(answer::wrong, error{quoted_text(why.node) + " is not computed by any back end: it is an input, a constant or folded away; name a node that `inlay show` lists"});
    if (!made->stated || made->fines)
        return say(answer::wrong, error{quoted_text(o.constraints, 400) + " has rules other than pin, forbid, keep and part_limit, under which no single way of running a node has a regret of its own; leave these out"});
    const inquiry asked(*model, *made, *back_ends, *node);

    json_output list = json_output::array();
    if (!o.json)
        std::cout << name_of_node(*model, *node) << " (" << model->op(*node) << ") goes to " << back_ends->kind(made->set.candidates[asked.chosen()].backend) << ": "
                  << asked.name_of(asked.chosen()) << ", " << milliseconds(asked.cost_of(asked.chosen())) << "\n";
    for (const std::string& kind : kinds) {
        const verdict said = asked.ask(kind);
        json_output offers = json_output::array();
        for (const offer& one : said.offers) {
            offers.push_back(json_of(asked, one));
            if (!o.json) std::cout << kind << "\t" << sentence(asked, one) << "\n";
        }
        if (!o.json)
            for (const obstacle& one : said.obstacles) std::cout << kind << "\t" << one.text() << "\n";
        json_output obstacles = json_output::array();
        for (const obstacle& one : said.obstacles) obstacles.push_back({{"cause", one.cause}, {"composite", one.composite}, {"reason", one.reason}});
        list.push_back({{"backend", kind}, {"offers", std::move(offers)}, {"obstacles", std::move(obstacles)}});
    }
    if (o.json) {
        json_output whole{{"version", 1}, {"node", name_of_node(*model, *node)}, {"op", model->op(*node)}, {"seconds", made->chosen.seconds.value_or(0)}};
        whole["chosen"] = asked.json_of(asked.chosen());
        whole["back_ends"] = std::move(list);
        std::cout << write_json(whole, 2) << "\n";
    }
    return answer::done;
}

}  // namespace tool
