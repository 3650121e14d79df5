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

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/ir/node_name.hpp>
#include <inlay/partition/part_size.hpp>
#include <inlay/plan/fallback_policy.hpp>
#include <inlay/plan/plan_rules.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/proof/certify.hpp>
#include <inlay/search/proof/verify_certificate.hpp>
#include <inlay/search/regret.hpp>

#include "back_ends.hpp"
#include "plan_text.hpp"
#include "verbs.hpp"
#include "waiting.hpp"

namespace tool {

using namespace inlay;

namespace {

/// One way in which a back end could take the node, and what that would cost the whole.
struct offer {
    std::size_t number;  // of the candidate
    regret against;
    double preferences = 0;               // of the regret: what preferences that are not kept add
    std::vector<std::string> decided_by;  // the preferences without which the way would cost no more than the chosen one
    bool proved = false;                  // that no plan with it costs less, by a certificate that holds
};

/// A way that a back end has not got, and why.
struct obstacle {
    std::string cause, composite, reason;

    [[nodiscard]] std::string text() const { return cause + ": " + (composite.empty() ? "" : composite + ": ") + reason; }
    friend auto operator<=>(const obstacle&, const obstacle&) = default;
};

/// What one back end has to say about the node.
struct statement {
    std::string kind;
    std::vector<offer> offers;        // without the chosen one, least regret first; those without a cover last
    std::vector<obstacle> obstacles;  // ways that are not open
};

/// The time for some tasks that follow each other: each may take an equal share of what is left, so that none takes it all.
class shared_budget {
public:
    shared_budget(double milliseconds, std::size_t tasks) : end_(milliseconds, nullptr), tasks_(tasks) {}

    /// Milliseconds of the next task.
    [[nodiscard]] double next() {
        const double left = end_.left_ms().value_or(std::numeric_limits<double>::infinity());
        return left / static_cast<double>(tasks_ > 1 ? tasks_-- : 1);
    }

private:
    deadline end_;
    std::size_t tasks_;
};

class inquiry {
public:
    inquiry(const ir_module& model, const plan& p, const engine& back_ends, const plan_rules& rules, node_id node)
        : model_(&model), plan_(&p), back_ends_(&back_ends), rules_(&rules), node_(node) {
        const selection_problem& stated = *p.stated;
        for (std::size_t k = 0; k < stated.candidate_of.size(); ++k) {
            const std::size_t c = stated.candidate_of[k];
            if (c == selection_problem::none || std::binary_search(p.chosen.chosen.begin(), p.chosen.chosen.end(), c))
                cover_.push_back(static_cast<candidate_index>(k));
        }
        for (const std::size_t c : p.chosen.chosen)
            if (covers(c)) chosen_ = c;
    }

    [[nodiscard]] std::size_t chosen() const { return chosen_; }

    /// What the back ends have to say: first what each way would cost, then proofs of that, within so many milliseconds.
    [[nodiscard]] std::vector<statement> ask(const std::vector<std::string>& kinds, double budget_ms) const {
        std::vector<statement> made;
        std::size_t count = 0;
        for (const std::string& kind : kinds) {
            made.push_back(ways_of(kind));
            count += made.back().offers.size();
        }
        shared_budget budget(budget_ms, 2 * count);
        std::size_t done = 0;
        const auto show = [&](const char* what) {
            waiting::here().now("why: " + std::string(what) + " " + std::to_string(++done) + " of " + std::to_string(count));
        };
        for (statement& said : made)
            for (offer& one : said.offers) {
                show("search");
                weigh(one, budget.next());
            }
        done = 0;
        for (statement& said : made) {
            for (offer& one : said.offers) {
                show("proof");
                const double left = budget.next();
                one.proved = one.against.cost && one.against.status == selection_status::optimal &&
                             is_proved(plan_->stated->number_of[one.number], *one.against.lower_bound, left);
            }
            const auto cost = [](const offer& o) { return o.against.cost.value_or(std::numeric_limits<double>::infinity()); };
            std::stable_sort(said.offers.begin(), said.offers.end(), [&](const offer& a, const offer& b) { return cost(a) < cost(b); });
        }
        return made;
    }

    /// `convolution of conv1, relu1, float32:plain -> float32:channels_last`
    [[nodiscard]] std::string name_of(std::size_t c) const {
        const candidate& of = plan_->set.candidates[c];
        std::string text = std::string(of.name) + " of ";
        for (std::size_t i = 0; i < of.nodes.size(); ++i) text += (i > 0 ? ", " : "") + shown_name(*model_, of.nodes[i]);
        const auto formats = [&](const std::vector<format>& list) {
            std::string all;
            for (const format& f : list) all += (all.empty() ? "" : ", ") + to_string(f);
            return all.empty() ? std::string("nothing") : all;
        };
        return text + " (" + formats(of.formats.inputs) + " -> " + formats(of.formats.results) + ")";
    }
    /// A candidate's price, without what preferences add to it.
    [[nodiscard]] double cost_of(std::size_t c) const {
        const double added = preferences_against(c);
        return without_remainder(plan_->stated->numbers.candidates[plan_->stated->number_of[c]].cost - added, added);
    }
    /// Whether a candidate's price was measured, stated or told by a table; else it is a lower bound, and so is its regret.
    [[nodiscard]] bool is_priced(std::size_t c) const { return plan_->prices[c].is_measured(); }
    /// Why a candidate's kernel was not compared with its meaning; empty where it was, or where there is none yet.
    [[nodiscard]] const std::string& unchecked(std::size_t c) const { return plan_->prices[c].unchecked; }
    /// `, unchecked, since ...`; empty for others.
    [[nodiscard]] std::string unchecked_text(std::size_t c) const {
        return unchecked(c).empty() ? std::string() : ", unchecked, since " + escaped_text(unchecked(c), 400);
    }

    /// The constraints that let no other back end have the node, or that prefer the one which has it.
    [[nodiscard]] std::vector<std::string> kept_at_chosen() const {
        const candidate& of = plan_->set.candidates[chosen_];
        std::vector<std::string> texts;
        for (const plan_constraint& rule : rules_->constraints) {
            const bool favours =
                rule.rule == constraint_rule::pin || rule.rule == constraint_rule::keep || rule.rule == constraint_rule::prefer;
            if (favours && rule.backend == of.backend && std::find(rule.nodes.begin(), rule.nodes.end(), node_) != rule.nodes.end())
                texts.push_back(rule.text);
        }
        return texts;
    }

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
        if (!unchecked(c).empty()) one["unchecked"] = unchecked(c);
        return one;
    }

private:
    [[nodiscard]] bool covers(std::size_t c) const {
        const auto& nodes = plan_->set.candidates[c].nodes;
        return std::find(nodes.begin(), nodes.end(), node_) != nodes.end();
    }
    /// Zero for what sums of prices leave where they are equal but for rounding; `beside` is the largest other number in the sum.
    [[nodiscard]] double without_remainder(double share, double beside) const {
        constexpr double rounding = 1e-12;
        return std::abs(share) <= rounding * (plan_->chosen.seconds.value_or(0) + std::abs(beside)) ? 0 : share;
    }

    /// The back end's ways, not yet weighed, and its obstacles.
    [[nodiscard]] statement ways_of(const std::string& kind) const {
        statement made{kind, {}, {}};
        for (std::size_t c = 0; c < plan_->set.candidates.size(); ++c) {
            if (c == chosen_ || back_ends_->kind(plan_->set.candidates[c].backend) != kind || !covers(c)) continue;
            if (plan_->prices[c].has_failed())
                made.obstacles.push_back({"does not run", name_of(c), plan_->prices[c].failure});
            else if (plan_->stated->number_of[c] == selection_problem::none)
                made.obstacles.push_back({"pinned", name_of(c), why_ruled_out(c)});
            else
                made.offers.push_back({c, {}, 0, {}, false});
        }
        for (const refusal& r : back_ends_->refusals_at(*model_, plan_->set, kind, node_))
            made.obstacles.push_back({std::string(inlay::name_of(r.why)), std::string(r.composite), r.reason});
        std::sort(made.obstacles.begin(), made.obstacles.end());
        made.obstacles.erase(std::unique(made.obstacles.begin(), made.obstacles.end()), made.obstacles.end());
        return made;
    }

    void weigh(offer& one, double budget_ms) const {
        select_options how;
        how.budget_ms = budget_ms;
        how.cancel = &interrupted();
        const problem& numbers = plan_->stated->numbers;
        const candidate_index wanted = plan_->stated->number_of[one.number];
        one.against = regret_of(numbers, cover_, wanted, std::move(how));
        regret& r = one.against;
        if (!r.cost) return;
        // The numbers have preferences in them: their share is taken out of the others.
        const auto has = [](const std::vector<candidate_index>& list, candidate_index k) {
            return std::find(list.begin(), list.end(), k) != list.end();
        };
        double own = 0, elsewhere = 0;
        for (const candidate_index k : r.cover)
            if (!has(cover_, k)) (k == wanted ? own : elsewhere) += preferences_against_number(k);
        for (const candidate_index k : cover_)
            if (!has(r.cover, k)) (overlaps(k, wanted) ? own : elsewhere) -= preferences_against_number(k);
        one.preferences = own + elsewhere;
        r.total = without_remainder(r.total, one.preferences);
        r.own = without_remainder(r.own - own, own);
        r.elsewhere = without_remainder(r.elsewhere - elsewhere, elsewhere);
        r.conversions = without_remainder(r.conversions, one.preferences);
        if (r.break_even) {
            const double added = preferences_against(one.number);
            const double even = without_remainder(*r.break_even - added, added);
            if (even >= 0)
                r.break_even = even;
            else
                r.break_even.reset();
        }
        if (one.preferences > 0 && without_remainder(r.total - one.preferences, one.preferences) <= 0)
            for (const plan_constraint& rule : rules_->constraints)
                if (added_by(rule, r.cover) > added_by(rule, cover_)) one.decided_by.push_back(rule.text);
    }

    [[nodiscard]] bool is_proved(candidate_index with, double bound, double budget_ms) const {
        const problem& numbers = plan_->stated->numbers;
        const deadline end(budget_ms, &interrupted());
        const auto proof = certify(numbers, bound * (1 - certificate_slack), end, with);
        return proof && proof->bound >= bound * (1 - certificate_slack) && verify_certificate(numbers, *proof).holds;
    }

    /// What a constraint adds to a candidate: for a preference that is not kept what it is worth, else nothing.
    [[nodiscard]] double added_to(std::size_t c, const plan_constraint& rule) const {
        const candidate& of = plan_->set.candidates[c];
        if (rule.rule != constraint_rule::prefer || rule.backend == of.backend) return 0;
        return rule.seconds * static_cast<double>(std::count_if(rule.nodes.begin(), rule.nodes.end(), [&](node_id n) {
                   return std::find(of.nodes.begin(), of.nodes.end(), n) != of.nodes.end();
               }));
    }
    [[nodiscard]] double preferences_against(std::size_t c) const {
        double sum = 0;
        for (const plan_constraint& rule : rules_->constraints) sum += added_to(c, rule);
        return sum;
    }
    [[nodiscard]] double preferences_against_number(candidate_index k) const {
        const std::size_t c = plan_->stated->candidate_of[k];
        return c == selection_problem::none ? 0 : preferences_against(c);
    }
    [[nodiscard]] double added_by(const plan_constraint& rule, const std::vector<candidate_index>& cover) const {
        double sum = 0;
        for (const candidate_index k : cover)
            if (const std::size_t c = plan_->stated->candidate_of[k]; c != selection_problem::none) sum += added_to(c, rule);
        return sum;
    }
    [[nodiscard]] bool overlaps(candidate_index a, candidate_index b) const {
        const auto& left = plan_->stated->numbers.candidates[a].nodes;
        const auto& right = plan_->stated->numbers.candidates[b].nodes;
        return std::any_of(left.begin(), left.end(), [&](node_id v) { return std::find(right.begin(), right.end(), v) != right.end(); });
    }

    /// Which constraints rule a candidate out.
    [[nodiscard]] std::string why_ruled_out(std::size_t c) const {
        const candidate& of = plan_->set.candidates[c];
        const auto has = [&](const std::vector<node_id>& list, node_id n) { return std::find(list.begin(), list.end(), n) != list.end(); };
        part_sizes<ir_module> sizes(*model_);
        std::string texts;
        const auto add = [&](const std::string& text) { texts += (texts.empty() ? "" : ", ") + text; };
        for (const plan_constraint& rule : rules_->constraints) {
            const bool meets = std::any_of(of.nodes.begin(), of.nodes.end(), [&](node_id n) { return has(rule.nodes, n); });
            const bool is_inside = std::all_of(of.nodes.begin(), of.nodes.end(), [&](node_id n) { return has(rule.nodes, n); });
            const bool is_its = rule.backend == of.backend;
            if ((rule.rule == constraint_rule::pin && meets && !is_its) || (rule.rule == constraint_rule::forbid && meets && is_its) ||
                (rule.rule == constraint_rule::keep && meets && !(is_its && is_inside)) ||
                (rule.rule == constraint_rule::part_limit && is_its && !rule.cap.admits(sizes(of.nodes))))
                add(rule.text);
        }
        if (!rules_->fallbacks.empty() && back_ends_->kind(of.backend) == back_ends_->fallback())
            for (const fallback_rule& rule : rules_->fallbacks)
                if (rule.policy == fallback_policy::require &&
                    (rule.nodes.empty() || std::any_of(of.nodes.begin(), of.nodes.end(), [&](node_id n) { return has(rule.nodes, n); })))
                    add(rule.text);
        return texts.empty() ? "a part that the program already has rules it out" : texts + " rules it out";
    }

    const ir_module* model_;
    const plan* plan_;
    const engine* back_ends_;
    const plan_rules* rules_;
    node_id node_;
    std::size_t chosen_ = 0;
    std::vector<candidate_index> cover_;
};

std::string signed_milliseconds(double seconds) { return (seconds < 0 ? "-" : "+") + milliseconds(std::abs(seconds)); }

std::string listed(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& one : texts) all += (all.empty() ? "" : ", ") + one;
    return all;
}

/// Why a way was not taken, in one sentence.
std::string sentence(const inquiry& asked, const offer& o) {
    const regret& r = o.against;
    const std::string name = asked.name_of(o.number) + ", " + (asked.is_priced(o.number) ? "" : "not measured, at least ") +
                             milliseconds(asked.cost_of(o.number)) + asked.unchecked_text(o.number) + ": ";
    if (!r.cost) return name + (r.status == selection_status::infeasible ? "no plan can have it" : "no plan with it was found in time");
    const std::string proved = o.proved ? ", proved" : ", not proved";
    const std::string costs =
        std::string(r.status == selection_status::optimal ? "a plan with it costs " : "the best plan with it that was found costs ") +
        (asked.is_priced(o.number) ? "" : "at least ");
    if (r.total <= 0) return name + costs + "as much" + proved;
    std::string text = name + costs + milliseconds(r.total) + " more" + proved + " (itself " + signed_milliseconds(r.own) +
                       ", conversions " + signed_milliseconds(r.conversions) + ", elsewhere " + signed_milliseconds(r.elsewhere);
    if (o.preferences != 0) text += ", preferences " + signed_milliseconds(o.preferences);
    text += ")";
    if (!o.decided_by.empty()) text += ", which " + listed(o.decided_by) + " decided";
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
        if (o.preferences != 0) one["preferences"] = o.preferences;
        one["proved"] = o.proved;
    }
    if (!o.decided_by.empty()) {
        one["decided_by"] = json_output::array();
        for (const std::string& text : o.decided_by) one["decided_by"].push_back(text);
    }
    one["break_even"] = r.break_even ? json_output(*r.break_even) : json_output(nullptr);
    return one;
}

/// Why a back end takes no part at all, and whether it would take the node if it did.
answer say_no_part(const verb_options& o, const engine& back_ends, const ir_module& m, const why_options& why, node_id node) {
    for (const backend_facts& b : all_back_ends(o.engine.loaded)) {
        if (b.kind != why.kind || b.not_usable.empty()) continue;
        std::string ways;
        for (const std::string& name : back_ends.composites_at(m, why.kind, node)) ways += (ways.empty() ? "" : ", ") + name;
        return say(answer::no, error{"back end '" + why.kind + "' cannot run here: " + b.not_usable + "; elsewhere it would " +
                                     (ways.empty() ? "not take this node" : "take this node as: " + ways)});
    }
    const std::vector<std::string> kinds = back_ends.kinds();
    return say(answer::wrong,
               error{"back end " + quoted_text(why.kind) + " takes no part" + name_hint(why.kind, kinds) + "; name one that does"});
}

}  // namespace

answer verb_why(const verb_options& o, const why_options& why) {
    auto model = load_static(o.model);
    if (!model) return say(answer::wrong, model.failure());
    auto back_ends = engine::make(o.engine);
    if (!back_ends) return say(answer::wrong, back_ends.failure());
    auto node = node_named(model->program, why.node);
    if (!node) return say(answer::wrong, node.failure());
    std::vector<std::string> kinds = back_ends->kinds();
    if (!why.kind.empty()) {
        if (std::find(kinds.begin(), kinds.end(), why.kind) == kinds.end()) return say_no_part(o, *back_ends, model->program, why, *node);
        kinds = {why.kind};
    }
    answer failed = answer::no;
    plan_request request = plan_request_of(o);
    request.keep_problem = true;
    auto made = back_ends->make_plan(*model, request, nullptr, &failed);
    if (!made) return say(failed, made.failure());
    if (!std::binary_search(made->set.to_cover.begin(), made->set.to_cover.end(), *node))
        return say(
            answer::wrong,
            error{quoted_text(why.node) +
                  " is not computed by any back end: it is an input, a constant or folded away; name a node that `inlay show` lists"});
    if (!made->stated)
        return say(answer::wrong, error{quoted_text(o.constraints, 400) +
                                        " has rules other than pin, forbid, prefer, keep, part_limit and fallback, under "
                                        "which no single way of running a node has a regret of its own; leave these "
                                        "out"});
    plan_rules rules;
    if (!o.constraints.empty()) {
        auto read = back_ends->rules(o.constraints, model->program);
        if (!read) return say(answer::wrong, read.failure());
        rules = *std::move(read);
    }
    if (const auto policy = fallback_policy_named(o.fallback)) rules.fallbacks.push_back({*policy, {}, "--fallback " + o.fallback});
    const inquiry asked(model->program, *made, *back_ends, rules, *node);
    const std::vector<std::string> kept = asked.kept_at_chosen();

    if (!o.json) {
        waiting::here().clear();
        std::cout << shown_name(model->program, *node) << " (" << escaped_text(model->program.op(*node)) << ") goes to "
                  << back_ends->kind(made->set.candidates[asked.chosen()].backend) << ": " << asked.name_of(asked.chosen()) << ", "
                  << milliseconds(asked.cost_of(asked.chosen())) << asked.unchecked_text(asked.chosen())
                  << (kept.empty() ? "" : "; as asked by " + listed(kept)) << std::endl;
    }
    json_output list = json_output::array();
    for (const statement& said : asked.ask(kinds, why.budget_ms)) {
        json_output offers = json_output::array();
        for (const offer& one : said.offers) {
            offers.push_back(json_of(asked, one));
            if (!o.json) std::cout << said.kind << "\t" << sentence(asked, one) << "\n";
        }
        if (!o.json)
            for (const obstacle& one : said.obstacles) std::cout << said.kind << "\t" << one.text() << "\n";
        json_output obstacles = json_output::array();
        for (const obstacle& one : said.obstacles)
            obstacles.push_back({{"cause", one.cause}, {"composite", one.composite}, {"reason", one.reason}});
        list.push_back({{"backend", said.kind}, {"offers", std::move(offers)}, {"obstacles", std::move(obstacles)}});
    }
    if (o.json) {
        json_output whole{{"version", 1},
                          {"node", name_of_node(model->program, *node)},
                          {"op", model->program.op(*node)},
                          {"seconds", made->chosen.seconds.value_or(0)}};
        whole["chosen"] = asked.json_of(asked.chosen());
        if (!kept.empty()) {
            whole["chosen"]["asked_by"] = json_output::array();
            for (const std::string& text : kept) whole["chosen"]["asked_by"].push_back(text);
        }
        whole["back_ends"] = std::move(list);
        std::cout << write_json(whole, 2) << "\n";
    }
    return answer::done;
}

}  // namespace tool
