// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PIPELINE_HPP
#define INLAY_PIPELINE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/codegen/backend_list.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/content_key.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/import/nearest_name.hpp>
#include <inlay/import/quoted_text.hpp>
#include <inlay/partition/part_rules.hpp>
#include <inlay/partition/part_size.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/partition/plan.hpp>
#include <inlay/partition/plan_constraint.hpp>
#include <inlay/partition/plan_list.hpp>
#include <inlay/partition/plan_objective.hpp>
#include <inlay/partition/plan_options.hpp>
#include <inlay/partition/plan_quantities.hpp>
#include <inlay/partition/rehearsal.hpp>
#include <inlay/partition/selection_problem.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/constraints.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/limit.hpp>
#include <inlay/search/live_bytes.hpp>
#include <inlay/search/loads.hpp>
#include <inlay/search/minimise_largest.hpp>
#include <inlay/search/pareto.hpp>
#include <inlay/search/problem_under.hpp>
#include <inlay/search/quantity.hpp>
#include <inlay/search/select.hpp>
#include <inlay/search/select_constrained.hpp>

namespace inlay {

/// Whether a partitioner has that name where back ends of these kinds take part; else one sentence with the nearest that is known.
[[nodiscard]] inline outcome<void> knows_partitioner(const std::string& name, const std::vector<std::string>& kinds) {
    const std::vector<std::string> rules{"exact", "eager", "exhaustive"};
    if (std::find(rules.begin(), rules.end(), name) != rules.end()) return {};
    if (!name.starts_with("single:"))
        return error{"there is no partitioner " + quoted_text(name) + name_hint(name, rules) + "; write exact, eager, exhaustive or single:KIND"};
    const std::string kind = name.substr(7);
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return {};
    return error{"partitioner " + quoted_text(name) + " names a back end that takes no part" + name_hint(kind, kinds)};
}

namespace detail {

/// The arrows from a graph to a plan. Prices are lazy: solve with lower bounds, price what the optimum uses, repeat until all that
/// the optimum uses has been priced. Bounds being admissible, that optimum is the one of the true prices. Then the contenders are run as
/// whole programs, where a piece may take longer than by itself: what it took there is its price from then on, and the search is repeated
/// until its optimum has been run.
template <attributed_graph G, class List, meter Meter, class Bound, rehearser Rehearser>
class planner {
public:
    planner(const G& g, const List& backends, Meter& pricing, Bound& bound, Rehearser& rehearse, const plan_options& options)
        : g_(g), backends_(backends), meter_(pricing), bound_(bound), rehearse_(rehearse), options_(options), users_(g), results_(results_of(g)),
          growth_(List::size, 1.0) {}

    outcome<plan> run() {
        if (auto ready = prepare(); !ready) return ready.failure();
        plan_.objective = options_.objective;
        std::vector<std::string> names{options_.partitioner};
        for (const std::string& n : options_.others)
            if (n != options_.partitioner) names.push_back(n);
        std::vector<contender> contenders(names.size());
        if (auto solved = solve(names, contenders); !solved) return solved.failure();
        if (auto held = hold_rehearsals(names, contenders); !held) return held.failure();
        for (std::size_t c = 0; c < plan_.set.candidates.size(); ++c) {
            plan_.prices.push_back(grown_price(class_of_[c], plan_.set.candidates[c].backend));
            plan_.prices_alone.push_back(class_price_[class_of_[c]]);
            plan_.bounds.push_back(class_bound_[class_of_[c]]);
        }
        plan_.chosen = std::move(contenders.front());
        contenders.erase(contenders.begin());
        plan_.others = std::move(contenders);
        if (!plan_.chosen.seconds) return error{plan_.chosen.reason};
        auto cut = cut_of(plan_.chosen);
        if (!cut) return cut.failure();
        plan_.cut = *std::move(cut);
        for (const conversion& c : plan_.cut.conversions) {
            const conversion_id id = conversion_key(c);
            if (const measurement known = known_conversion(id); asked(known)) plan_.conversions[c] = known;
            if (const auto at = conversion_price_.find(id); at != conversion_price_.end()) plan_.conversions_alone[c] = at->second;
        }
        for (const auto& [id, alone] : conversion_price_)
            plan_.conversions_asked.push_back({tensor_type(id.second.first.element, shape(id.first.begin(), id.first.end())), id.second.first, id.second.second, known_conversion(id)});
        return std::move(plan_);
    }

    /// The plans of which none is beaten in both time and a second objective. The budget holds for all that is done; where it ends, or the
    /// search is cancelled, what was found by then is given.
    outcome<plan_list> list(plan_objective second) {
        if (auto ready = prepare(); !ready) return ready.failure();
        for (const plan_constraint& one : options_.constraints)
            if (one.rule == constraint_rule::prefer) return error{one.text + " is a preference, which has no place where plans are told by their time; leave it out"};
        const deadline end(options_.search.budget_ms, options_.search.cancel);
        plan_list made;
        made.second = second;
        for (;; ++made.pricing_rounds) {
            wanted_.assign(classes_.size(), 0);
            wanted_conversions_.clear();
            const auto is_new = list_once(second, end, made);
            if (!is_new) return is_new.failure();
            const bool is_last = !*is_new || end.passed() || made.pricing_rounds >= options_.pricing_rounds;
            const bool has_learned = price_what_is_wanted();
            if (!is_last && has_learned) continue;
            if (!*is_new || has_learned)
                if (auto repriced = reprice(made); !repriced) return repriced.failure();
            break;
        }
        for (plan_point& point : made.points) {
            contender as;
            as.name = "exact";
            as.chosen = point.chosen;
            auto cut = cut_of(as);
            if (!cut) return cut.failure();
            point.cut = *std::move(cut);
            point.is_priced = is_priced(point.chosen, point.cut);
        }
        made.set = std::move(plan_.set);
        return made;
    }

private:
    static constexpr double infinite = impossible;

    /// All that has to be known before prices are.
    outcome<void> prepare() {
        if (auto known = knows_partitioners(); !known) return known.failure();
        for (node_id n = 0; n < g_.size(); ++n)
            if (const node_kind k = kind_of(g_, n); reaches_result(n) && k != node_kind::input && k != node_kind::constant && k != node_kind::call &&
                                                    k != node_kind::projection && k != node_kind::tuple && k != node_kind::function)
                return error{"node " + std::to_string(n) + " ('" + std::string(g_.op(n)) +
                             "') is control flow, which no back end takes; fold it away or run the program with the interpreter"};
        plan_.set = enumerate(g_, backends_);
        if (auto covered = all_can_be_covered(); !covered) return covered.failure();
        if (auto ruled = take_part_rules(); !ruled) return ruled.failure();
        group_equals();
        return {};
    }

    /// What constraints say of parts, and whether that can be at all.
    outcome<void> take_part_rules() {
        constexpr std::size_t nobody = static_cast<std::size_t>(-1);
        std::vector<std::size_t> keeper(g_.size(), nobody);
        for (std::size_t i = 0; i < options_.constraints.size(); ++i) {
            const plan_constraint& one = options_.constraints[i];
            for (const node_id n : one.nodes)
                if (n >= g_.size() || !sorted_has(std::span<const node_id>(plan_.set.to_cover), n))
                    return error{one.text + " names node " + std::to_string(n) + ", which no back end has to run; name a node that is covered"};
            if (one.rule == constraint_rule::part_limit) {
                rules_.caps.push_back(one.cap);
                rules_.caps.back().backend = one.backend;
            }
            if (one.rule != constraint_rule::keep) continue;
            if (one.nodes.empty()) return error{one.text + " has no nodes, and would say nothing; give it some"};
            std::vector<node_id> nodes = one.nodes;
            std::sort(nodes.begin(), nodes.end());
            nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
            bool is_said = false;
            for (const node_id n : nodes) {
                if (keeper[n] == nobody) continue;
                const plan_constraint& other = options_.constraints[keeper[n]];
                is_said = other.backend == one.backend && rules_.kept[kept_of_[keeper[n]]] == nodes;
                if (!is_said) return clash_of({other.text, one.text});
            }
            if (is_said) continue;
            if (const node_id between = node_between(nodes); between != no_node)
                return error{one.text + " has nodes before and behind node " + std::to_string(between) + ", which it has not, so that they are no part; add that one, or keep less"};
            for (const node_id n : nodes) keeper[n] = i;
            kept_of_[i] = rules_.kept.size();
            rules_.kept.push_back(std::move(nodes));
        }
        part_sizes<G> sizes(g_);
        for (const auto& [i, kept] : kept_of_) {
            const part_size size = sizes(rules_.kept[kept]);
            for (const plan_constraint& cap : options_.constraints)
                if (cap.rule == constraint_rule::part_limit && cap.backend == options_.constraints[i].backend && !cap.cap.admits(size))
                    return clash_of({options_.constraints[i].text, cap.text});
        }
        return {};
    }

    /// A node outside a set that reads from it, by whatever way, and is read by it.
    [[nodiscard]] node_id node_between(const std::vector<node_id>& nodes) const {
        std::vector<char> is_behind(g_.size(), 0);
        std::vector<node_id> through(g_.size(), no_node);
        for (node_id n = nodes.front(); n <= nodes.back(); ++n) {
            const bool is_inside = sorted_has(std::span<const node_id>(nodes), n);
            for (std::size_t i = 0; i < g_.arity(n); ++i) {
                const node_id from = g_.operand(n, i);
                if (is_inside && is_behind[from] != 0) return through[from];
                if (!is_inside && (is_behind[from] != 0 || sorted_has(std::span<const node_id>(nodes), from))) {
                    is_behind[n] = 1;
                    through[n] = is_behind[from] != 0 ? through[from] : n;
                }
            }
        }
        return no_node;
    }

    [[nodiscard]] static error clash_of(const std::vector<std::string>& texts) {
        std::string message;
        for (const std::string& text : texts) message += (message.empty() ? "no plan keeps to these constraints together: " : "; ") + text;
        return error{std::move(message)};
    }

    /// The parts of an answer; those of `exact` keep to the constraints.
    [[nodiscard]] outcome<partitioned> cut_of(const contender& of) const {
        if (of.name != "exact" || rules_.empty()) return partition(g_, plan_.set, of.chosen);
        partitioned cut = partition(g_, plan_.set, of.chosen, rules_);
        std::size_t composites = 0;
        for (const part& p : cut.parts) composites += p.composites.size();
        if (composites == of.chosen.size()) return cut;
        std::string texts;
        for (const auto& [i, kept] : kept_of_) texts += (texts.empty() ? "" : "; ") + options_.constraints[i].text;
        return error{"in the best cover, composites outside wait for kept parts and these for them, so that it cannot be cut; keep less of: " + texts};
    }

    [[nodiscard]] outcome<void> knows_partitioners() const {
        std::vector<std::string> kinds;
        for (const std::size_t number : backends_.chosen()) kinds.emplace_back(backends_.kind(number));
        if (auto known = knows_partitioner(options_.partitioner, kinds); !known) return known;
        for (const std::string& other : options_.others)
            if (auto known = knows_partitioner(other, kinds); !known) return known;
        return {};
    }

    [[nodiscard]] bool reaches_result(node_id n) const { return users_.count(n) != 0 || std::find(results_.begin(), results_.end(), n) != results_.end(); }

    [[nodiscard]] outcome<void> all_can_be_covered() const {
        std::vector<char> taken(g_.size(), 0);
        for (const candidate& c : plan_.set.candidates)
            for (const node_id n : c.nodes) taken[n] = 1;
        for (const node_id n : plan_.set.to_cover) {
            if (taken[n] != 0) continue;
            std::string why;
            for (const refusal& r : plan_.set.refusals)
                if (r.root == n) why = std::string(backends_.kind(r.backend)) + " refused it: " + r.reason;
            return error{"no chosen back end takes node " + std::to_string(n) + " (operator '" + std::string(g_.op(n)) + "')" +
                         (why.empty() ? std::string() : "; " + why) + "; add a back end that does"};
        }
        return {};
    }

    /// Candidates of equal content share one price.
    void group_equals() {
        std::map<digest, std::size_t> known;
        for (const candidate& c : plan_.set.candidates) {
            const region r(g_, users_, results_, c.nodes);
            const region_view view = r.view(c.formats.inputs, c.formats.results);
            const digest key = backends_.visit(c.backend, [&](const auto& b) { return content_key(view, b.kind, std::string(b.version()), target_text(b)); });
            const auto [at, fresh] = known.try_emplace(key, classes_.size());
            if (fresh) {
                classes_.push_back(class_of_.size());
                const std::optional<double> stated = backends_.visit(c.backend, [&](const auto& b) -> std::optional<double> { return b.price(view); });
                measurement price;
                if (stated) {
                    price.median = price.minimum = *stated;
                    price.samples = 1;
                    price = sound(std::move(price), c.backend);
                }
                class_bound_.push_back(stated ? price.median : bound_(view));
                class_price_.push_back(std::move(price));
            }
            class_of_.push_back(at->second);
        }
        in_place_.resize(classes_.size());
    }

    /// A price that is no number of seconds is none: what it is for has failed, with the reason.
    [[nodiscard]] measurement sound(measurement price, std::optional<backend_id> backend) const {
        if (price.has_failed() || price.median >= 0) return price;
        const std::string who = backend ? "back end '" + std::string(backends_.kind(*backend)) + "'" : std::string("the meter");
        return measurement::failed(who + " gave a price that is no number of seconds");
    }

    [[nodiscard]] static bool asked(const measurement& m) { return m.samples != 0 || !m.failure.empty(); }

    /// Prices until all that the contenders use has been priced.
    outcome<void> solve(const std::vector<std::string>& names, std::vector<contender>& contenders) {
        for (;; ++plan_.pricing_rounds) {
            wanted_.assign(classes_.size(), 0);
            wanted_conversions_.clear();
            for (std::size_t i = 0; i < names.size(); ++i) {
                auto decided = decide(names[i]);
                if (!decided) return decided.failure();
                contenders[i] = *std::move(decided);
            }
            if (plan_.pricing_rounds >= options_.pricing_rounds || !price_what_is_wanted()) return {};
        }
    }

    /// Runs the contenders once, then each new optimum together with those that are not far from it: machines drift, and what is compared
    /// must have been seen at the same time. A price alone is taken for a bound of the price in place, so that an optimum all of which has
    /// been in programs is the one of the prices in place. Where too many rounds would be needed for that, what has not been in a program
    /// is taken to grow as the rest of its back end did.
    outcome<void> hold_rehearsals(const std::vector<std::string>& names, std::vector<contender>& contenders) {
        std::vector<std::vector<std::size_t>> played;
        for (std::size_t i = 0; i < options_.rehearsals; ++i) {
            const contender& best = contenders.front();
            if (!best.seconds || std::find(played.begin(), played.end(), best.chosen) != played.end()) return {};
            constexpr double near = 1.5;
            std::vector<std::vector<std::size_t>> covers;
            for (const contender& c : contenders) {
                if (!c.seconds || (i != 0 && *c.seconds > near * *best.seconds)) continue;
                if (std::find(covers.begin(), covers.end(), c.chosen) == covers.end()) covers.push_back(c.chosen);
            }
            played.push_back(best.chosen);
            if (!learn(rehearse_(static_cast<const candidate_set&>(plan_.set), std::span<const std::vector<std::size_t>>(covers)))) return {};
            ++plan_.rehearsals;
            if (i + 2 >= options_.rehearsals) note_growth();
            if (auto solved = solve(names, contenders); !solved) return solved.failure();
        }
        return {};
    }

    /// Takes over what programs took; false where none ran. The latest programs' word replaces what earlier ones said: what was chosen
    /// because it once was lucky would otherwise keep some of that luck.
    bool learn(const std::vector<rehearsal>& told) {
        std::map<std::size_t, std::vector<measurement>> by_class;
        std::map<conversion_id, std::vector<measurement>> by_conversion;
        for (const rehearsal& r : told) {
            if (!r.failure.empty() && plan_.rehearsal_failure.empty()) plan_.rehearsal_failure = r.failure;
            for (const auto& [number, m] : r.candidates) by_class[class_of_[number]].push_back(m);
            for (const auto& [c, m] : r.conversions) by_conversion[conversion_key(c)].push_back(m);
        }
        for (const auto& [k, seen] : by_class) in_place_[k] = mean_of(seen);
        for (const auto& [id, seen] : by_conversion) conversion_in_place_[id] = mean_of(seen);
        return !by_class.empty();
    }
    void note_growth() {
        std::vector<double> alone(List::size, 0), together(List::size, 0);
        for (std::size_t k = 0; k < in_place_.size(); ++k) {
            const measurement& m = in_place_[k];
            if (!asked(m)) continue;
            const backend_id b = plan_.set.candidates[classes_[k]].backend;
            alone[b] += class_price_[k].median;
            together[b] += m.median;
        }
        for (std::size_t b = 0; b < growth_.size(); ++b)
            if (alone[b] > 0) growth_[b] = std::max(1.0, together[b] / alone[b]);
        double converting_alone = 0, converting = 0;
        for (const auto& [id, m] : conversion_in_place_) {
            converting_alone += conversion_price_[id].median;
            converting += m.median;
        }
        if (converting_alone > 0) conversion_growth_ = std::max(1.0, converting / converting_alone);
    }
    [[nodiscard]] static measurement mean_of(const std::vector<measurement>& seen) {
        measurement mean;
        const double share = 1.0 / static_cast<double>(seen.size());
        for (const measurement& m : seen) {
            mean.median += m.median * share;
            mean.minimum += m.minimum * share;
            mean.spread += m.spread * share;
            mean.samples += m.samples;
        }
        return mean;
    }

    /// What is known of the price of a class: seen in a program, else by itself and grown.
    [[nodiscard]] measurement grown_price(std::size_t k, backend_id backend) const {
        return asked(in_place_[k]) ? in_place_[k] : grown(class_price_[k], growth_[backend]);
    }
    [[nodiscard]] static measurement grown(measurement m, double growth) {
        m.median *= growth;
        m.minimum *= growth;
        m.spread *= growth;
        return m;
    }

    [[nodiscard]] double price_of(std::size_t candidate_number) const {
        const std::size_t k = class_of_[candidate_number];
        const measurement m = grown_price(k, plan_.set.candidates[candidate_number].backend);
        return options_.launch_seconds + (asked(m) ? m.median : class_bound_[k]);
    }

    [[nodiscard]] double conversion_price(const tensor_type& type, const format& from, const format& to) {
        if (!type.is_static() || from.element != to.element) return infinite;
        const measurement known = known_conversion(conversion_key(type, from, to));
        return options_.launch_seconds + (asked(known) ? known.median : bound_(type, from, to));
    }
    using conversion_id = std::pair<std::vector<std::int64_t>, std::pair<format, format>>;
    [[nodiscard]] static conversion_id conversion_key(const tensor_type& type, const format& from, const format& to) {
        return {static_shape(type), {from, to}};
    }
    [[nodiscard]] const tensor_type& type_of(const conversion& c) const { return static_cast<const node_type&>(g_.type(c.tensor)).of_tensor; }
    [[nodiscard]] conversion_id conversion_key(const conversion& c) const { return conversion_key(type_of(c), c.from, c.to); }

    /// As for candidates.
    [[nodiscard]] measurement known_conversion(const conversion_id& id) const {
        if (const auto at = conversion_in_place_.find(id); at != conversion_in_place_.end()) return at->second;
        const auto at = conversion_price_.find(id);
        return at == conversion_price_.end() ? measurement{} : grown(at->second, conversion_growth_);
    }

    /// Solves under today's prices for one way to decide, and notes what its answer uses that has no price yet.
    outcome<contender> decide(const std::string& name) {
        contender result;
        result.name = name;
        std::vector<double> prices(plan_.set.candidates.size());
        const bool is_ruled = name == "exact" && (!options_.constraints.empty() || !options_.limits.empty() || options_.objective != plan_objective::latency);
        std::string_view single = std::string_view(name).starts_with("single:") ? std::string_view(name).substr(7) : std::string_view();
        for (std::size_t c = 0; c < prices.size(); ++c) {
            const std::string_view kind = backends_.kind(plan_.set.candidates[c].backend);
            const bool in = single.empty() || kind == single || kind == options_.fallback;
            prices[c] = in ? price_of(c) : infinite;
            // A bonus per node would be negative; a fine for every node that another back end takes says the same.
            if (!is_ruled && !options_.prefer.empty() && kind != options_.prefer) prices[c] += 1e3 * static_cast<double>(plan_.set.candidates[c].nodes.size());
        }
        const auto convert = [&](const tensor_type& t, const format& from, const format& to) { return conversion_price(t, from, to); };
        selection_problem stated = state_problem(g_, plan_.set, prices, convert);
        select_options how = options_.search;
        if (name == "eager") {
            how.partitioner = selection_rule::eager;
            how.priority = eager_priority(stated);
        } else if (name == "exhaustive") {
            how.partitioner = selection_rule::exhaustive;
        }
        if (auto sound = check(stated.numbers); !sound) return sound.failure();
        selection found;
        double fines = 0;
        std::optional<search_rules> rules;
        if (is_ruled) {
            auto as_numbers = rules_for(stated);
            if (!as_numbers) return as_numbers.failure();
            rules = *std::move(as_numbers);
            constrained_selection kept = keep_rules(stated, *rules, how, result);
            if (kept.found.cost) fines = *kept.found.cost - *kept.price;
            found = std::move(kept.found);
        } else {
            found = select(stated.numbers, how);
        }
        result.status = found.status;
        if (result.reason.empty()) result.reason = found.reason;
        if (name == options_.partitioner) {
            plan_.effort = found.effort;
            if (options_.ended != nullptr) *options_.ended = found.status;
        }
        if (found.uncoverable) {
            const node_id open = stated.node_of[*found.uncoverable];
            result.reason = "node " + std::to_string(open) + " (operator '" + std::string(g_.op(open)) + "') is left over: ";
            if (single.empty())
                result.reason += "no cover has a finite price there; see the failures of its candidates";
            else
                result.reason += "'" + std::string(single) + "' does not take it there and the fallback '" + options_.fallback +
                                 "' does not either; give a fallback that takes every node";
        }
        if (!found.cost) {
            if (result.reason.empty()) result.reason = "no cover of all nodes was found";
            return result;
        }
        for (const candidate_index k : found.chosen)
            if (stated.candidate_of[k] != selection_problem::none) result.chosen.push_back(stated.candidate_of[k]);
        std::sort(result.chosen.begin(), result.chosen.end());
        if (!is_ruled && !options_.prefer.empty())
            for (const std::size_t c : result.chosen)
                if (backends_.kind(plan_.set.candidates[c].backend) != options_.prefer) fines += 1e3 * static_cast<double>(plan_.set.candidates[c].nodes.size());
        result.seconds = *found.cost - fines;
        if (found.lower_bound) result.lower_bound = *found.lower_bound - fines;
        for (const std::size_t c : result.chosen) wanted_[class_of_[c]] = 1;
        for (const conversion& c : partition(g_, plan_.set, result.chosen).conversions) wanted_conversions_.push_back(c);
        if (options_.keep_problem && name == options_.partitioner) {
            plan_.stated.reset();
            plan_.fines.reset();
            if (is_ruled) {
                // Limits, other objectives, colocations and separations are in no plain problem.
                if (!options_.limits.empty() || options_.objective != plan_objective::latency || rules->has_joins()) return result;
                take_over(prices, stated, *rules);
                stated = state_problem(g_, plan_.set, prices, convert);
            }
            if (!options_.prefer.empty() || (is_ruled && rules->has_preferences())) plan_.fines = fines;
            plan_.stated = std::move(stated);
        }
        return result;
    }

    /// Constraints and limits in a problem's numbers, and which of the plan's each is.
    struct search_rules {
        std::vector<constraint> constraints;
        std::vector<limit> limits;
        std::vector<std::size_t> limit_of;

        [[nodiscard]] bool has(std::initializer_list<constraint_rule> wanted) const {
            return std::any_of(constraints.begin(), constraints.end(), [&](const constraint& c) { return std::find(wanted.begin(), wanted.end(), c.rule) != wanted.end(); });
        }
        [[nodiscard]] bool has_joins() const { return has({constraint_rule::colocate, constraint_rule::separate}); }
        [[nodiscard]] bool has_preferences() const { return has({constraint_rule::prefer}); }
    };

    [[nodiscard]] outcome<search_rules> rules_for(const selection_problem& stated) const {
        search_rules made;
        std::vector<node_id> number(g_.size(), no_node);
        for (std::size_t v = stated.node_of.size(); v-- > 0;) number[stated.node_of[v]] = static_cast<node_id>(v);
        part_sizes<G> sizes(g_);
        for (const plan_constraint& c : options_.constraints) {
            // A part that is kept may be several composites.
            constraint one{c.rule == constraint_rule::keep ? constraint_rule::within : c.rule, {}, c.backend, c.seconds};
            for (const node_id n : c.nodes) one.nodes.push_back(number[n]);
            if (c.rule == constraint_rule::part_limit) {
                // One for a candidate that is too much by itself.
                one.amounts.assign(stated.numbers.candidates.size(), 0);
                for (std::size_t k = 0; k < stated.candidate_of.size(); ++k)
                    if (const std::size_t of = stated.candidate_of[k]; of != selection_problem::none && plan_.set.candidates[of].backend == c.backend)
                        one.amounts[k] = c.cap.admits(sizes(plan_.set.candidates[of].nodes)) ? 0 : 1;
            }
            made.constraints.push_back(std::move(one));
        }
        if (!options_.prefer.empty()) {
            for (const std::size_t b : backends_.chosen())
                if (backends_.kind(b) == options_.prefer) {
                    constraint one{constraint_rule::prefer, {}, static_cast<backend_id>(b), 1e3};
                    for (const node_id n : plan_.set.to_cover) one.nodes.push_back(number[n]);
                    made.constraints.push_back(std::move(one));
                }
        }
        for (std::size_t i = 0; i < options_.limits.size(); ++i)
            for (limit& one : limits_of(g_, plan_.set, stated, options_.limits[i])) {
                made.limits.push_back(std::move(one));
                made.limit_of.push_back(i);
            }
        if (auto sound = check(made.constraints, stated.numbers); !sound) return sound.failure();
        if (auto sound = check(std::span<const limit>(made.limits), stated.numbers); !sound) return sound.failure();
        return made;
    }

    /// The amounts of which the largest is what an objective is about.
    [[nodiscard]] std::vector<quantity> amounts_of(plan_objective objective, const selection_problem& stated) const {
        std::vector<quantity> made;
        if (objective == plan_objective::peak) return quantities_of(live_bytes(stated.numbers, tensor_bytes_of(g_, stated)));
        for (const std::size_t b : backends_.chosen()) {
            const backend_id one[] = {static_cast<backend_id>(b)};
            made.push_back(load_of(stated.numbers, one));
        }
        return made;
    }

    /// The best cover by the objective that keeps to the rules; `result` gets how that ended, its value, and where the rules clash which do. What
    /// is given is the cheapest of the best.
    constrained_selection keep_rules(const selection_problem& stated, const search_rules& rules, const select_options& how, contender& result) const {
        const auto tell = [&](const std::vector<std::size_t>& clash, const std::vector<std::size_t>& clash_limits) {
            std::vector<std::string> texts;
            for (const std::size_t i : clash)
                if (i < options_.constraints.size()) texts.push_back(options_.constraints[i].text);
            for (const std::size_t i : clash_limits)
                if (const std::string& text = options_.limits[rules.limit_of[i]].text; std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
            if (!texts.empty()) result.reason = clash_of(texts).message;
        };
        if (options_.objective == plan_objective::latency) {
            constrained_selection kept = select_constrained(stated.numbers, rules.constraints, rules.limits, how);
            tell(kept.clash, kept.clash_limits);
            return kept;
        }
        const deadline end(how.budget_ms, how.cancel);
        const std::vector<quantity> amounts = amounts_of(options_.objective, stated);
        largest_selection best = minimise_largest(stated.numbers, amounts, rules.constraints, rules.limits, how);
        tell(best.clash, best.clash_limits);
        constrained_selection kept;
        kept.found.status = best.status;
        kept.found.reason = best.reason;
        kept.found.effort = best.effort;
        if (!best.largest) return kept;
        std::vector<limit> limits = rules.limits;
        for (const quantity& q : amounts) limits.push_back({q, *best.largest, {}});
        select_options rest = how;
        if (const auto left = end.left_ms()) rest.budget_ms = *left;
        rest.known_covers = {best.chosen};
        constrained_selection cheapest = select_constrained(stated.numbers, rules.constraints, limits, rest);
        result.value = 0;
        if (cheapest.found.cost) {
            kept = std::move(cheapest);
            for (std::size_t i = rules.limits.size(); i < limits.size(); ++i) result.value = std::max(*result.value, kept.came_to[i]);
        } else {
            kept.found.chosen = std::move(best.chosen);
            kept.price = best.cost;
            kept.found.cost = cover_cost(problem_index(with_preferences(stated.numbers, rules.constraints)), kept.found.chosen);
            for (const double amount : best.amounts) result.value = std::max(*result.value, amount);
        }
        kept.found.status = best.status;
        kept.found.effort = best.effort;
        result.value_bound = std::min(*result.value, best.lower_bound.value_or(0));
        return kept;
    }

    /// Makes candidates infinitely dear that constraints rule out, and dearer by what they say against preferences.
    void take_over(std::vector<double>& prices, const selection_problem& stated, const search_rules& rules) const {
        const problem dearer = with_preferences(stated.numbers, rules.constraints);
        const problem_index index(stated.numbers);
        const std::vector<std::uint8_t> admitted = admitted_by(index, rules.constraints);
        for (std::size_t k = 0; k < stated.candidate_of.size(); ++k)
            if (const std::size_t of = stated.candidate_of[k]; of != selection_problem::none) prices[of] = admitted[k] != 0 ? dearer.candidates[k].cost : infinite;
    }

    [[nodiscard]] std::vector<double> all_prices() const {
        std::vector<double> prices(plan_.set.candidates.size());
        for (std::size_t c = 0; c < prices.size(); ++c) prices[c] = price_of(c);
        return prices;
    }
    [[nodiscard]] selection_problem state_all() {
        return state_problem(g_, plan_.set, all_prices(), [&](const tensor_type& t, const format& from, const format& to) { return conversion_price(t, from, to); });
    }

    /// Lists plans under today's prices, and notes what has none yet; false where that was stopped before there was any, and the list of an earlier
    /// round stands.
    outcome<bool> list_once(plan_objective second, const deadline& end, plan_list& made) {
        const selection_problem stated = state_all();
        if (auto sound = check(stated.numbers); !sound) return sound.failure();
        auto rules = rules_for(stated);
        if (!rules) return rules.failure();
        pareto_options how;
        how.search = options_.search;
        if (const auto left = end.left_ms()) how.search.budget_ms = *left;
        const pareto_list found = pareto(stated.numbers, amounts_of(second, stated), rules->constraints, rules->limits, how);
        if (found.points.empty()) {
            if (found.status != selection_status::infeasible) {
                if (made.points.empty()) return error{found.reason};
                return false;
            }
            // The search for one plan tells why there is none.
            auto one = decide("exact");
            if (!one) return one.failure();
            return error{one->reason.empty() ? found.reason : one->reason};
        }
        made.points.clear();
        made.is_complete = found.complete;
        made.beyond_costs = found.beyond_costs;
        for (const pareto_point& p : found.points) {
            plan_point point;
            for (const candidate_index k : p.chosen)
                if (stated.candidate_of[k] != selection_problem::none) point.chosen.push_back(stated.candidate_of[k]);
            std::sort(point.chosen.begin(), point.chosen.end());
            point.seconds = p.cost;
            point.second = p.second;
            point.seconds_bound = std::min(p.cost, p.cost_bound);
            point.second_bound = std::min(p.second, p.second_bound);
            point.is_proved = p.is_proved();
            for (const std::size_t c : point.chosen) wanted_[class_of_[c]] = 1;
            for (const conversion& c : partition(g_, plan_.set, point.chosen).conversions) wanted_conversions_.push_back(c);
            made.points.push_back(std::move(point));
        }
        return true;
    }

    /// Gives the points of a list that was stopped what they come to under today's prices, without a new search. Prices only grew, so that what no plan
    /// at all costs less than stays; other bounds are about plans beside points that are no longer what they were. Points that turn out to be
    /// beaten, to break a limit, or not to run at all, leave; an error where none is left.
    outcome<void> reprice(plan_list& made) {
        const selection_problem stated = state_all();
        const auto rules = rules_for(stated);
        if (!rules) return rules.failure();
        const problem_index index(stated.numbers);
        const std::vector<quantity> amounts = amounts_of(made.second, stated);
        std::vector<candidate_index> free;
        for (std::size_t k = 0; k < stated.candidate_of.size(); ++k)
            if (stated.candidate_of[k] == selection_problem::none) free.push_back(static_cast<candidate_index>(k));
        const double least_cost = made.points.front().seconds_bound;
        made.beyond_costs = least_cost;
        std::vector<plan_point> points;
        for (plan_point& point : made.points) {
            std::vector<candidate_index> cover = free;
            bool runs = true;
            for (const std::size_t c : point.chosen) {
                runs = runs && stated.number_of[c] != selection_problem::none;
                cover.push_back(stated.number_of[c]);
            }
            if (!runs) continue;
            std::sort(cover.begin(), cover.end());
            const auto cost = cover_cost(index, cover);
            if (!cost || !(*cost < impossible)) continue;
            if (std::any_of(rules->limits.begin(), rules->limits.end(), [&](const limit& one) { return !keeps_limit(quantity_of(index, one.what, cover).value_or(impossible), one.most); }))
                continue;
            point.seconds_bound = least_cost;
            if (*cost != point.seconds) point.second_bound = 0;
            point.seconds = *cost;
            point.second = 0;
            for (const quantity& q : amounts) point.second = std::max(point.second, quantity_of(index, q, cover).value_or(0));
            point.is_proved = point.seconds <= point.seconds_bound * (1 + limit_slack) && point.second <= point.second_bound * (1 + limit_slack);
            points.push_back(std::move(point));
        }
        std::stable_sort(points.begin(), points.end(), [](const plan_point& a, const plan_point& b) { return a.seconds != b.seconds ? a.seconds < b.seconds : a.second < b.second; });
        made.points.clear();
        for (plan_point& point : points)
            if (made.points.empty() || point.second < made.points.back().second) made.points.push_back(std::move(point));
        made.is_complete = false;
        if (made.points.empty()) return error{"the search was stopped before it found a plan that does at true prices; give it more time"};
        return {};
    }

    [[nodiscard]] bool is_priced(const std::vector<std::size_t>& chosen, const partitioned& cut) const {
        return std::all_of(chosen.begin(), chosen.end(), [&](std::size_t c) { return asked(class_price_[class_of_[c]]); }) &&
               std::all_of(cut.conversions.begin(), cut.conversions.end(), [&](const conversion& c) { return asked(known_conversion(conversion_key(c))); });
    }

    /// The eager rule's order: back end in the user's order, composite in table order, root from the results to the inputs, and of
    /// one match the format tuple that its back end lists first.
    [[nodiscard]] std::vector<candidate_index> eager_priority(const selection_problem& stated) const {
        std::vector<std::size_t> rank(List::size, 0);
        for (std::size_t i = 0; i < backends_.chosen().size(); ++i) rank[backends_.chosen()[i]] = i;
        std::vector<candidate_index> order(stated.numbers.candidates.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<candidate_index>(i);
        std::stable_sort(order.begin(), order.end(), [&](candidate_index a, candidate_index b) {
            const std::size_t x = stated.candidate_of[a], y = stated.candidate_of[b];
            if (x == selection_problem::none || y == selection_problem::none) return x == selection_problem::none && y != selection_problem::none;
            const candidate &p = plan_.set.candidates[x], &q = plan_.set.candidates[y];
            if (p.backend != q.backend) return rank[p.backend] < rank[q.backend];
            if (p.composite != q.composite) return p.composite < q.composite;
            return p.root > q.root;
        });
        return order;
    }

    /// Asks the meter for every price that an answer used and that is still a bound. False when there was nothing to ask, or no answer.
    bool price_what_is_wanted() {
        std::vector<pricing_job> jobs;
        std::vector<region> regions;
        std::vector<std::size_t> job_class;
        for (std::size_t k = 0; k < classes_.size(); ++k)
            if (wanted_[k] != 0 && !asked(class_price_[k])) job_class.push_back(k);
        regions.reserve(job_class.size());
        for (const std::size_t k : job_class) {
            const candidate& c = plan_.set.candidates[classes_[k]];
            regions.emplace_back(g_, users_, results_, c.nodes);
            jobs.push_back(pricing_job::of(c.backend, regions.back().view(c.formats.inputs, c.formats.results)));
        }
        std::map<conversion_id, std::size_t> conversion_job;
        for (const conversion& c : wanted_conversions_) {
            conversion_id id = conversion_key(c);
            if (conversion_price_.contains(id) || !conversion_job.try_emplace(std::move(id), jobs.size()).second) continue;
            jobs.push_back(pricing_job::of(type_of(c), c.from, c.to));
        }
        if (jobs.empty()) return false;
        const std::vector<measurement> found = meter_.price(jobs);
        bool learned = false;
        for (std::size_t i = 0; i < job_class.size(); ++i)
            if (asked(found[i])) {
                class_price_[job_class[i]] = sound(found[i], jobs[i].backend);
                learned = true;
            }
        for (const auto& [id, i] : conversion_job)
            if (asked(found[i])) {
                conversion_price_[id] = sound(found[i], std::nullopt);
                learned = true;
            }
        return learned;
    }

    const G& g_;
    const List& backends_;
    Meter& meter_;
    Bound& bound_;
    Rehearser& rehearse_;
    const plan_options& options_;
    user_lists users_;
    std::vector<node_id> results_;
    part_rules rules_;                         // what the parts of `exact` keep to
    std::map<std::size_t, std::size_t> kept_of_;  // by constraint: its place among the kept parts
    std::vector<double> growth_;  // by back end: what prices grew by in programs
    double conversion_growth_ = 1;
    plan plan_;
    std::vector<std::size_t> class_of_, classes_;  // by candidate; and a candidate of each class
    std::vector<measurement> class_price_, in_place_;  // by class: by itself, and inside programs where it has been in one
    std::vector<double> class_bound_;
    std::map<conversion_id, measurement> conversion_price_;
    std::map<conversion_id, measurement> conversion_in_place_;
    std::vector<char> wanted_;
    std::vector<conversion> wanted_conversions_;
};

}  // namespace detail

/// The arrows as one call: enumerate, price, select, partition. `backends` is a `backend_list`. `bound(region_view)` and
/// `bound(type, from, to)` give admissible lower bounds of prices in seconds. `rehearse` runs covers as whole programs. The error says
/// which node no back end takes, or why no cover exists.
template <attributed_graph G, class List, meter Meter, class Bound, rehearser Rehearser>
[[nodiscard]] outcome<plan> make_plan(const G& g, const List& backends, Meter& pricing, Bound&& bound, const plan_options& options, Rehearser& rehearse) {
    return detail::planner<G, List, Meter, std::remove_reference_t<Bound>, Rehearser>(g, backends, pricing, bound, rehearse, options).run();
}

/// The plans of which none is beaten in both its time and a second objective, under prices of pieces by themselves; see `plan_list`. Constraints,
/// limits, budget and cancellation of the options hold; who decides is always `exact`.
template <attributed_graph G, class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan_list> list_plans(const G& g, const List& backends, Meter& pricing, Bound&& bound, plan_objective second, const plan_options& options = {}) {
    no_rehearsal none;
    if (second == plan_objective::latency) return error{"the second objective of a list of plans is peak or load; plans are told by their time first"};
    return detail::planner<G, List, Meter, std::remove_reference_t<Bound>, no_rehearsal>(g, backends, pricing, bound, none, options).list(second);
}

/// A plan where each piece costs what it costs by itself.
template <attributed_graph G, class List, meter Meter, class Bound>
[[nodiscard]] outcome<plan> make_plan(const G& g, const List& backends, Meter& pricing, Bound&& bound, const plan_options& options = {}) {
    no_rehearsal none;
    return make_plan(g, backends, pricing, bound, options, none);
}

}  // namespace inlay

#endif
