// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_RECORDED_PLAN_HPP
#define INLAY_PLAN_RECORDED_PLAN_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/plan/partitioner.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/plan_record.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/search/check.hpp>

namespace inlay {

/// The name of a node in plans that are written down: its own, or its operator and number where it has none.
struct plan_names {
    template <graph G>
    [[nodiscard]] std::string operator()(const G& g, node_id n) const {
        if constexpr (requires { std::string_view(g.name(n)); })
            if (const std::string_view own = g.name(n); !own.empty()) return std::string(own);
        return std::string(g.op(n)) + "#" + std::to_string(n);
    }
};

/// The back ends of a list that take part, as a plan records them.
template <class List>
[[nodiscard]] std::vector<recorded_target> recorded_targets(const List& backends) {
    std::vector<recorded_target> all;
    for (const std::size_t b : backends.chosen())
        all.push_back({backends.text(b), backends.visit(b, [](const auto& one) { return std::string(one.version()); })});
    return all;
}

namespace detail {

inline constexpr double infinite_seconds = std::numeric_limits<double>::infinity();

[[nodiscard]] inline std::vector<std::string> format_texts(std::span<const format> formats) {
    std::vector<std::string> texts;
    for (const format& f : formats) texts.push_back(to_string(f));
    return texts;
}

/// The proof of a plan that has one, with the prices of all that was offered.
template <typed_graph G>
[[nodiscard]] recorded_proof proof_record_of(const G& g, const plan& p) {
    const selection_problem& stated = *p.stated;
    recorded_proof made;
    made.formats = format_texts(stated.formats);
    for (const candidate_index number : stated.number_of)
        made.costs.push_back(number == selection_problem::none ? infinite_seconds : stated.numbers.candidates[number].cost);
    // Tensors of one shape share their table.
    std::map<std::vector<std::int64_t>, const std::vector<double>*> tables;
    for (const node_conversions& own : stated.numbers.conversions_of)
        tables.try_emplace(static_shape(g.type(stated.node_of[own.node]).of_tensor), &own.prices);
    for (const auto& [shape, prices] : tables) {
        recorded_conversions& table = made.conversions.emplace_back();
        table.shape = shape;
        const std::size_t known = stated.formats.size();
        table.seconds.assign(prices->begin(), prices->begin() + static_cast<std::ptrdiff_t>(known * known));
    }
    made.proof = *p.proof;
    return made;
}

/// States the problem of a recorded proof anew, over a plan's candidates. The error says what does not fit them.
template <typed_graph G>
[[nodiscard]] outcome<void> restate(const G& g, const recorded_proof& proof, plan& p) {
    if (proof.costs.size() != p.set.candidates.size())
        return error{"its proof has prices of " + std::to_string(proof.costs.size()) +
                     " candidates, and the back ends that take part offer " + std::to_string(p.set.candidates.size()) +
                     " for this model; give the targets and shapes with which the plan was made"};
    std::map<std::string_view, std::size_t> number;
    for (std::size_t f = 0; f < proof.formats.size(); ++f) number.try_emplace(proof.formats[f], f);
    std::map<std::vector<std::int64_t>, const std::vector<double>*> tables;
    for (const recorded_conversions& table : proof.conversions) {
        if (table.seconds.size() != proof.formats.size() * proof.formats.size())
            return error{"its proof has a table of conversions without a row and a column for each format"};
        tables.try_emplace(table.shape, &table.seconds);
    }
    const auto conversion = [&](const tensor_type& type, const format& from, const format& to) {
        if (!type.is_static()) return infinite_seconds;
        const auto f = number.find(to_string(from)), t = number.find(to_string(to));
        const auto table = tables.find(static_shape(type));
        if (f == number.end() || t == number.end() || table == tables.end()) return infinite_seconds;
        return (*table->second)[f->second * proof.formats.size() + t->second];
    };
    p.stated = state_problem(g, p.set, proof.costs, conversion);
    if (auto sound = check(p.stated->numbers); !sound) return error{"its proof states prices that cannot be: " + sound.failure().message};
    p.proof = proof.proof;
    return {};
}

}  // namespace detail

/// A plan as a record. `kind_text(backend_id)` names back ends; `targets` are those that took part; `names(g, node)` names nodes.
template <typed_graph G, class KindOf, class Names = plan_names>
[[nodiscard]] plan_record record_of(const G& g, const plan& p, KindOf&& kind_text, std::vector<recorded_target> targets, bool is_rewritten,
                                    const Names& names = {}) {
    plan_record made;
    made.targets = std::move(targets);
    made.is_rewritten = is_rewritten;
    made.partitioner = p.chosen.name;
    made.status = p.chosen.status;
    if (p.chosen.status == selection_status::gap) made.reason = p.chosen.reason;
    made.seconds = p.chosen.seconds.value_or(0);
    made.lower_bound = p.chosen.lower_bound.value_or(0);
    if (p.objective != plan_objective::latency)
        made.objective = {p.objective, p.chosen.value.value_or(0), p.chosen.value_bound.value_or(0)};
    made.penalties = p.penalties;
    for (const fallback& one : p.fallbacks) made.fallbacks.push_back(names(g, one.node));
    const auto names_of = [&](std::span<const node_id> nodes) {
        std::vector<std::string> all;
        for (const node_id n : nodes) all.push_back(names(g, n));
        return all;
    };
    for (const part& here : p.cut.parts) {
        recorded_part& one = made.parts.emplace_back();
        one.backend = kind_text(here.owner);
        one.nodes = names_of(here.nodes);
        for (const std::size_t number : here.composites) {
            const candidate& c = p.set.candidates[number];
            one.composites.push_back({std::string(c.name), names_of(c.nodes), detail::format_texts(c.formats.inputs),
                                      detail::format_texts(c.formats.results), p.prices[number].median, p.prices[number].unchecked});
        }
    }
    for (const conversion& c : p.cut.conversions) {
        recorded_conversion& one = made.conversions.emplace_back();
        one.node = names(g, c.tensor);
        one.from = to_string(c.from);
        one.to = to_string(c.to);
        if (const auto price = p.conversions.find(c); price != p.conversions.end()) one.seconds = price->second.median;
        if (const auto bytes = p.copied_bytes.find(c); bytes != p.copied_bytes.end()) one.copied_bytes = bytes->second;
    }
    for (const contender& c : p.others) made.others.push_back({c.name, c.status, c.seconds, c.lower_bound, c.reason});
    if (p.stated && p.proof) made.proof = detail::proof_record_of(g, p);
    return made;
}

/// Whether the back ends that a plan was made with are here, with the same options and versions. `here` are those that take part. The error
/// is one sentence about the first that is not; a record without targets says nothing of them. O(targets squared).
[[nodiscard]] inline outcome<void> same_targets(const plan_record& record, std::span<const recorded_target> here) {
    const auto kind_text = [](std::string_view target) { return target.substr(0, target.find(' ')); };
    for (const recorded_target& was : record.targets) {
        const recorded_target* is = nullptr;
        for (const recorded_target& one : here)
            if (kind_text(one.target) == kind_text(was.target)) is = &one;
        if (is == nullptr)
            return error{"the plan was made with " + quoted_text(was.target, 200) +
                         ", which takes no part here; name it among the targets"};
        if (is->target != was.target)
            return error{"the plan was made with " + quoted_text(was.target, 200) + ", and here it is " + quoted_text(is->target, 200) +
                         "; give the options with which the plan was made, or make it anew"};
        if (is->version != was.version)
            return error{"the plan was made with version " + quoted_text(was.version) + " of " + quoted_text(kind_text(was.target)) +
                         ", and here it is version " + quoted_text(is->version) + "; make the plan anew"};
    }
    return {};
}

namespace detail {

/// Finds what a record names among a graph's nodes and candidates.
template <typed_graph G, class KindOf, class Names>
class plan_binder {
public:
    plan_binder(const G& g, candidate_set set, KindOf& kind_text, const Names& names) : g_(g), kind_text_(kind_text), names_(names) {
        plan_.set = std::move(set);
        const std::size_t count = plan_.set.candidates.size();
        plan_.prices.resize(count);
        plan_.bounds.resize(count, 0);
        for (const node_id n : plan_.set.to_cover) nodes_.try_emplace(names(g, n), n);
        for (std::size_t i = 0; i < count; ++i) {
            const candidate& c = plan_.set.candidates[i];
            std::vector<std::string> of;
            for (const node_id n : c.nodes) of.push_back(names(g, n));
            candidates_.try_emplace({std::string(kind_text(c.backend)), std::string(c.name), of, format_texts(c.formats.inputs),
                                     format_texts(c.formats.results)},
                                    i);
            for (std::size_t k = 0; k < c.inputs.size(); ++k) add_border(c.inputs[k], c.formats.inputs[k]);
            for (std::size_t k = 0; k < c.results.size(); ++k) add_border(c.results[k], c.formats.results[k]);
        }
    }

    [[nodiscard]] outcome<plan> bind(const plan_record& record) {
        for (std::size_t i = 0; i < record.parts.size(); ++i)
            if (auto bound = bind_part(record.parts[i], "partitions[" + std::to_string(i) + "]"); !bound) return bound.failure();
        std::sort(plan_.chosen.chosen.begin(), plan_.chosen.chosen.end());
        for (std::size_t i = 0; i < record.conversions.size(); ++i)
            if (auto bound = bind_conversion(record.conversions[i], "conversions[" + std::to_string(i) + "]"); !bound)
                return bound.failure();
        std::sort(plan_.cut.conversions.begin(), plan_.cut.conversions.end());
        contender& chosen = plan_.chosen;
        chosen.name = record.partitioner;
        chosen.status = record.status;
        chosen.reason = record.reason;
        chosen.seconds = record.seconds;
        chosen.lower_bound = record.lower_bound;
        if (record.objective) {
            plan_.objective = record.objective->of;
            chosen.value = record.objective->value;
            chosen.value_bound = record.objective->lower_bound;
        }
        plan_.penalties = record.penalties;
        for (const std::string& name : record.fallbacks) {
            const auto node = nodes_.find(name);
            if (node == nodes_.end()) return error{"fallbacks names " + unknown_node(name)};
            plan_.fallbacks.push_back({node->second, fallback_policy::warn});
        }
        for (const recorded_contender& one : record.others) {
            contender& other = plan_.others.emplace_back();
            other.name = one.name;
            other.status = one.status;
            other.seconds = one.seconds;
            other.lower_bound = one.lower_bound;
            other.reason = one.reason;
        }
        if (record.proof)
            if (auto stated = restate(g_, *record.proof, plan_); !stated) return stated.failure();
        return std::move(plan_);
    }

private:
    using key = std::tuple<std::string, std::string, std::vector<std::string>, std::vector<std::string>, std::vector<std::string>>;

    static measurement price_of(double seconds) {
        measurement price;
        price.median = price.minimum = seconds;
        price.samples = 1;
        return price;
    }
    /// The tensors and formats that can meet in this graph, by their texts.
    void add_border(node_id n, const format& f) {
        const std::string name = names_(g_, n);
        borders_.try_emplace({name, to_string(f)}, n, f);
        borders_.try_emplace({name, to_string(plain_format(f.element))}, n, plain_format(f.element));
    }
    [[nodiscard]] std::string unknown_node(const std::string& name) const {
        std::vector<std::string_view> known;
        for (const auto& [each, number] : nodes_) known.push_back(each);
        return quoted_text(name) + ", which the model does not compute" + name_hint(name, known);
    }

    [[nodiscard]] outcome<void> bind_part(const recorded_part& from, const std::string& where) {
        if (from.composites.empty()) return error{where + " has no composites; leave it out"};
        part here;
        for (const std::string& name : from.nodes) {
            const auto node = nodes_.find(name);
            if (node == nodes_.end()) return error{where + ".nodes names " + unknown_node(name)};
            here.nodes.push_back(node->second);
        }
        std::sort(here.nodes.begin(), here.nodes.end());
        for (std::size_t i = 0; i < from.composites.size(); ++i) {
            const recorded_composite& one = from.composites[i];
            const std::string at = where + ".composites[" + std::to_string(i) + "]";
            const auto found = candidates_.find({from.backend, one.name, one.nodes, one.inputs, one.results});
            if (found == candidates_.end())
                return error{at + " is composite " + quoted_text(one.name) + " of " + quoted_text(from.backend) +
                             ", which the back ends that take part do not offer for this model; give the targets and shapes with which the "
                             "plan was made"};
            here.composites.push_back(found->second);
            here.owner = plan_.set.candidates[found->second].backend;
            plan_.prices[found->second] = price_of(one.seconds);
            plan_.prices[found->second].unchecked = one.unchecked;
        }
        plan_.chosen.chosen.insert(plan_.chosen.chosen.end(), here.composites.begin(), here.composites.end());
        plan_.cut.parts.push_back(std::move(here));
        return {};
    }

    [[nodiscard]] outcome<void> bind_conversion(const recorded_conversion& from, const std::string& where) {
        const auto begin = borders_.find({from.node, from.from}), end = borders_.find({from.node, from.to});
        if (begin == borders_.end() || end == borders_.end())
            return error{where + " turns " + quoted_text(from.node) + " from " + quoted_text(from.from) + " to " + quoted_text(from.to) +
                         ", which no candidate of this model asks for"};
        const conversion c{begin->second.first, begin->second.second, end->second.second};
        if (!seen_.insert(c).second) return error{where + " stands twice; give each conversion once"};
        if (from.seconds) plan_.conversions.try_emplace(c, price_of(*from.seconds));
        if (from.copied_bytes != 0) plan_.copied_bytes.try_emplace(c, from.copied_bytes);
        plan_.cut.conversions.push_back(c);
        return {};
    }

    const G& g_;
    KindOf& kind_text_;
    const Names& names_;
    plan plan_;
    std::set<conversion> seen_;
    std::map<std::string, node_id> nodes_;
    std::map<key, std::size_t> candidates_;
    std::map<std::pair<std::string, std::string>, std::pair<node_id, format>> borders_;
};

}  // namespace detail

/// The plan that a record is of, as the record says it: parts in its order, their candidates found again among those of the set, which is
/// what `enumerate` gives for the graph on the back ends that take part. Whether it keeps the laws of a plan, `verify` says. The error
/// names what does not fit the graph or the back ends. O(candidates * log candidates).
template <typed_graph G, class KindOf, class Names = plan_names>
[[nodiscard]] outcome<plan> plan_of(const plan_record& record, const G& g, candidate_set set, KindOf&& kind_text, const Names& names = {}) {
    return detail::plan_binder<G, KindOf, Names>(g, std::move(set), kind_text, names).bind(record);
}

}  // namespace inlay

#endif
