// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "plan_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <inlay/import/json.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/import/read_file.hpp>

#include "model.hpp"
#include "proof_text.hpp"

namespace tool {

using namespace inlay;

namespace {

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

double part_seconds(const plan& p, const part& of) {
    double sum = 0;
    for (const std::size_t c : of.composites) sum += p.prices[c].median;
    return sum;
}

json_output formats_json(const std::vector<format>& formats) {
    json_output list = json_output::array();
    for (const format& f : formats) list.push_back(to_string(f));
    return list;
}

json_output contender_json(const contender& c) {
    json_output one{{"name", c.name}, {"status", name_of(c.status)}};
    one["seconds"] = c.seconds ? json_output(*c.seconds) : json_output(nullptr);
    one["lower_bound"] = c.lower_bound ? json_output(*c.lower_bound) : json_output(nullptr);
    if (!c.reason.empty()) one["reason"] = c.reason;
    return one;
}

double gap_between(double value, double bound) { return value > 0 ? std::max(0.0, (value - bound) / value) : 0; }

double gap_of(const contender& c) { return c.seconds && c.lower_bound ? gap_between(*c.seconds, *c.lower_bound) : 0; }

/// Whether there is more to say of a plan that is not proved than that it is not.
bool has_reason(const contender& c) { return c.status == selection_status::gap && !c.reason.empty(); }

std::string percent_text(double share) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g %%", share * 100);
    return text;
}

}  // namespace

std::string counted(std::size_t count, const std::string& noun) { return std::to_string(count) + " " + noun + (count == 1 ? "" : "s"); }

std::string milliseconds(double seconds) {
    const double ms = seconds * 1e3, size = std::abs(ms);
    if (size == 0) return "0 ms";
    // Three digits count, as decimals as long as nobody has to count their zeros.
    constexpr double small = 0.01, tiny = 1e-9;
    char text[40];
    if (size < small) {
        std::snprintf(text, sizeof text, "%.2e", ms);
        if (size < tiny) return std::string(text) + " ms";
        const std::string power(std::strchr(text, 'e') + 1);
        std::snprintf(text, sizeof text, "%.*f ms", 2 - std::stoi(power), ms);
        return text;
    }
    std::snprintf(text, sizeof text, "%.4f ms", ms);
    return text;
}

std::string amount_text(plan_objective of, double amount) {
    if (of != plan_objective::peak) return milliseconds(amount);
    char text[40];
    std::snprintf(text, sizeof text, "%.0f bytes", amount);
    return text;
}

std::string plan_text(const ir_module& m, const plan& p, const engine& e) {
    std::string out;
    for (std::size_t i = 0; i < p.cut.parts.size(); ++i) {
        const part& here = p.cut.parts[i];
        out += "part " + std::to_string(i) + "  " + e.kind(here.owner) + "  " + milliseconds(part_seconds(p, here)) + "\n";
        for (const std::size_t number : here.composites) {
            const candidate& c = p.set.candidates[number];
            std::string formats;
            for (const format& f : c.formats.inputs) formats += (formats.empty() ? "" : ", ") + to_string(f.order);
            formats += " -> ";
            for (std::size_t r = 0; r < c.formats.results.size(); ++r)
                formats += (r == 0 ? "" : ", ") + to_string(c.formats.results[r].order);
            out += "  " + padded(std::string(c.name), 28) + " " + milliseconds(p.prices[number].median) + "  " + padded(formats, 44) + " ";
            for (std::size_t n = 0; n < c.nodes.size(); ++n) out += (n == 0 ? "" : ", ") + name_of_node(m, c.nodes[n]);
            out += "\n";
        }
    }
    double converting = 0;
    for (const conversion& c : p.cut.conversions) {
        const auto price = p.conversions.find(c);
        const double seconds = price == p.conversions.end() ? 0 : price->second.median;
        converting += seconds;
        out += "convert  " + name_of_node(m, c.tensor) + "  " + to_string(c.from) + " -> " + to_string(c.to) + "  " +
               milliseconds(seconds) + "\n";
    }
    out += counted(p.cut.parts.size(), "part") + ", " + counted(p.cut.conversions.size(), "conversion") + " (" + milliseconds(converting) +
           ")\n";
    if (p.objective == plan_objective::latency) {
        out += p.chosen.name + ": " + milliseconds(p.chosen.seconds.value_or(0)) + ", lower bound " + milliseconds(p.chosen.lower_bound.value_or(0)) + ", gap " +
               percent_text(gap_of(p.chosen)) + " (" + name_of(p.chosen.status) + ")\n";
    } else {
        const double value = p.chosen.value.value_or(0), bound = p.chosen.value_bound.value_or(0);
        out += std::string(name_of(p.objective)) + ": " + amount_text(p.objective, value) + ", lower bound " + amount_text(p.objective, bound) + ", gap " +
               percent_text(gap_between(value, bound)) + " (" + name_of(p.chosen.status) + ")\n";
        out += p.chosen.name + ": " + milliseconds(p.chosen.seconds.value_or(0)) + ", lower bound with that " + name_of(p.objective) + " " +
               milliseconds(p.chosen.lower_bound.value_or(0)) + "\n";
    }
    if (has_reason(p.chosen)) out += p.chosen.name + ": " + p.chosen.reason + "\n";
    for (const contender& c : p.others) out += c.name + ": " + (c.seconds ? milliseconds(*c.seconds) : "no cover: " + c.reason) + "\n";
    return out;
}

std::string plan_json(const ir_module& m, const plan& p, const engine& e, bool as_written) {
    json_output parts = json_output::array();
    for (const part& here : p.cut.parts) {
        json_output composites = json_output::array(), names = json_output::array();
        for (const node_id n : here.nodes) names.push_back(name_of_node(m, n));
        for (const std::size_t number : here.composites) {
            const candidate& c = p.set.candidates[number];
            json_output nodes = json_output::array();
            for (const node_id n : c.nodes) nodes.push_back(name_of_node(m, n));
            json_output one{{"name", c.name}};
            one["nodes"] = std::move(nodes);
            one["inputs"] = formats_json(c.formats.inputs);
            one["results"] = formats_json(c.formats.results);
            one["seconds"] = p.prices[number].median;
            composites.push_back(std::move(one));
        }
        json_output one{{"backend", e.kind(here.owner)}};
        one["nodes"] = std::move(names);
        one["seconds"] = part_seconds(p, here);
        one["composites"] = std::move(composites);
        parts.push_back(std::move(one));
    }
    json_output conversions = json_output::array();
    for (const conversion& c : p.cut.conversions) {
        const auto price = p.conversions.find(c);
        conversions.push_back({{"node", name_of_node(m, c.tensor)},
                               {"from", to_string(c.from)},
                               {"to", to_string(c.to)},
                               {"seconds", price == p.conversions.end() ? json_output(nullptr) : json_output(price->second.median)}});
    }
    json_output others = json_output::array();
    for (const contender& c : p.others) others.push_back(contender_json(c));
    json_output whole{{"version", 1}, {"partitioner", p.chosen.name}, {"status", name_of(p.chosen.status)}};
    if (has_reason(p.chosen)) whole["reason"] = p.chosen.reason;
    whole["seconds"] = p.chosen.seconds.value_or(0);
    whole["lower_bound"] = p.chosen.lower_bound.value_or(0);
    whole["gap"] = gap_of(p.chosen);
    if (p.objective != plan_objective::latency) {
        const double value = p.chosen.value.value_or(0), bound = p.chosen.value_bound.value_or(0);
        whole["objective"] = json_output{{"of", name_of(p.objective)}, {"value", value}, {"lower_bound", bound}, {"gap", gap_between(value, bound)}};
    }
    if (as_written) whole["rewrites"] = false;
    if (p.fines) whole["fines"] = *p.fines;
    if (!p.fallbacks.empty()) {
        json_output nodes = json_output::array();
        for (const fallback& one : p.fallbacks) nodes.push_back(name_of_node(m, one.node));
        whole["fallbacks"] = std::move(nodes);
    }
    whole["partitions"] = std::move(parts);
    whole["conversions"] = std::move(conversions);
    whole["others"] = std::move(others);
    if (p.stated && p.proof) whole["proof"] = proof_json(m, p);
    return write_json(whole, 2);
}

outcome<bool> is_plan_as_written(const std::string& path) {
    auto text = read_file(path);
    if (!text) return text.failure();
    auto value = read_json(*text);
    if (!value) return error{"'" + path + "': " + value.failure().message};
    const json_place root(*value);
    // What else may be wrong is told when the plan is read.
    if (!root.members()) return false;
    const auto rewrites = root.find("rewrites");
    if (!rewrites) return false;
    auto said = rewrites->boolean();
    if (!said) return error{"'" + path + "': " + said.failure().message};
    return !*said;
}

outcome<plan> read_plan(const std::string& path, const ir_module& m, const engine& e) {
    auto text = read_file(path);
    if (!text) return text.failure();
    auto value = read_json(*text);
    if (!value) return error{"'" + path + "': " + value.failure().message};
    const auto fault = [&](const error& what) { return error{"'" + path + "': " + what.message}; };

    const json_place root(*value);
    if (auto only = root.only({"version", "partitioner", "status", "reason", "seconds", "lower_bound", "gap", "objective", "rewrites", "fines", "fallbacks", "partitions", "conversions", "others", "proof"});
        !only)
        return fault(only.failure());
    const auto number_at = [&](const json_place& at, std::string_view key) -> outcome<double> {
        auto member = at.member(key);
        if (!member) return member.failure();
        return member->number();
    };
    const auto seconds_at = [&](const json_place& at, std::string_view key) -> outcome<double> {
        auto number = number_at(at, key);
        if (number && !(*number >= 0)) return at.member(key)->wrong("is " + json_number(*number) + ", and must be 0 or more");
        return number;
    };
    const auto text_at = [&](const json_place& at, std::string_view key) -> outcome<std::string> {
        auto member = at.member(key);
        if (!member) return member.failure();
        return member->text();
    };
    const auto texts_at = [&](const json_place& at, std::string_view key) -> outcome<std::vector<std::string>> {
        auto member = at.member(key);
        if (!member) return member.failure();
        auto list = member->list();
        if (!list) return list.failure();
        std::vector<std::string> texts;
        for (const json_place& item : *list) {
            auto one = item.text();
            if (!one) return one.failure();
            texts.push_back(*std::move(one));
        }
        return texts;
    };
    auto version = number_at(root, "version");
    if (!version) return fault(version.failure());
    if (*version != 1) return error{"'" + path + "' has version " + json_number(*version) + "; this program reads version 1"};

    plan p;
    p.set = e.candidates(m);
    p.prices.resize(p.set.candidates.size());
    p.bounds.resize(p.set.candidates.size(), 0);
    using key = std::tuple<std::string, std::string, std::vector<std::string>, std::vector<std::string>, std::vector<std::string>>;
    std::map<key, std::size_t> known;
    const auto texts_of = [](const std::vector<format>& formats) {
        std::vector<std::string> texts;
        for (const format& f : formats) texts.push_back(to_string(f));
        return texts;
    };
    for (std::size_t i = 0; i < p.set.candidates.size(); ++i) {
        const candidate& c = p.set.candidates[i];
        std::vector<std::string> nodes;
        for (const node_id n : c.nodes) nodes.push_back(name_of_node(m, n));
        known.try_emplace({e.kind(c.backend), std::string(c.name), nodes, texts_of(c.formats.inputs), texts_of(c.formats.results)}, i);
    }
    auto partitions = root.member("partitions");
    if (!partitions) return fault(partitions.failure());
    auto parts = partitions->list();
    if (!parts) return fault(parts.failure());
    std::map<std::string, node_id> numbers;
    for (const node_id n : p.set.to_cover) numbers.try_emplace(name_of_node(m, n), n);
    const auto price_of = [](double seconds) {
        measurement price;
        price.median = price.minimum = seconds;
        price.samples = 1;
        return price;
    };
    for (const json_place& at : *parts) {
        if (auto only = at.only({"backend", "nodes", "seconds", "composites"}); !only) return fault(only.failure());
        auto kind = text_at(at, "backend");
        if (!kind) return fault(kind.failure());
        auto names = texts_at(at, "nodes");
        if (!names) return fault(names.failure());
        auto composites = at.member("composites");
        if (!composites) return fault(composites.failure());
        auto list = composites->list();
        if (!list) return fault(list.failure());
        part here;
        for (const std::string& name : *names) {
            const auto number = numbers.find(name);
            if (number == numbers.end())
                return error{"'" + path + "': " + at.path() + ".nodes names " + quoted_text(name) + ", which the model does not compute"};
            here.nodes.push_back(number->second);
        }
        std::sort(here.nodes.begin(), here.nodes.end());
        double sum = 0;
        for (const json_place& one : *list) {
            if (auto only = one.only({"name", "nodes", "inputs", "results", "seconds"}); !only) return fault(only.failure());
            auto name = text_at(one, "name");
            auto nodes = texts_at(one, "nodes"), inputs = texts_at(one, "inputs"), results = texts_at(one, "results");
            auto seconds = seconds_at(one, "seconds");
            for (const error* wrong :
                 {name ? nullptr : &name.failure(), nodes ? nullptr : &nodes.failure(), inputs ? nullptr : &inputs.failure(),
                  results ? nullptr : &results.failure(), seconds ? nullptr : &seconds.failure()})
                if (wrong != nullptr) return fault(*wrong);
            const auto found = known.find({*kind, *name, *nodes, *inputs, *results});
            if (found == known.end())
                return error{"'" + path + "': " + one.path() + " is composite " + quoted_text(*name) + " of " + quoted_text(*kind) +
                             ", which the back ends that take part do not offer for this model; give the targets and shapes with which the "
                             "plan was made"};
            here.composites.push_back(found->second);
            here.owner = p.set.candidates[found->second].backend;
            p.prices[found->second] = price_of(*seconds);
            sum += *seconds;
        }
        if (here.composites.empty()) return error{"'" + path + "': " + at.path() + " has no composites; leave it out"};
        auto stated = seconds_at(at, "seconds");
        if (!stated) return fault(stated.failure());
        if (std::abs(*stated - sum) > 1e-9 * std::max(sum, *stated))
            return error{"'" + path + "': " + at.path() + ".seconds is " + json_number(*stated) +
                         ", and its composites' prices add up to " + json_number(sum)};
        p.chosen.chosen.insert(p.chosen.chosen.end(), here.composites.begin(), here.composites.end());
        p.cut.parts.push_back(std::move(here));
    }
    std::sort(p.chosen.chosen.begin(), p.chosen.chosen.end());
    auto seconds = seconds_at(root, "seconds"), bound = seconds_at(root, "lower_bound"), gap = seconds_at(root, "gap");
    for (const auto* number : {&seconds, &bound, &gap})
        if (!*number) return fault(number->failure());
    auto partitioner = text_at(root, "partitioner"), status = text_at(root, "status");
    if (!partitioner) return fault(partitioner.failure());
    if (!status) return fault(status.failure());
    if (*status != name_of(selection_status::optimal) && *status != name_of(selection_status::gap))
        return error{"'" + path + "': status is " + quoted_text(*status) + ", and must be 'optimal' or 'gap'"};
    if (*partitioner != "exact" && *partitioner != "eager" && *partitioner != "exhaustive" && !partitioner->starts_with("single:"))
        return error{"'" + path + "': partitioner is " + quoted_text(*partitioner) +
                     ", and must be 'exact', 'eager', 'exhaustive' or 'single:KIND'"};
    p.chosen.name = *partitioner;
    p.chosen.status = *status == name_of(selection_status::optimal) ? selection_status::optimal : selection_status::gap;
    if (root.find("reason")) {
        auto reason = text_at(root, "reason");
        if (!reason) return fault(reason.failure());
        p.chosen.reason = *std::move(reason);
    }
    p.chosen.seconds = *seconds;
    p.chosen.lower_bound = *bound;
    if (const auto objective = root.find("objective")) {
        if (auto only = objective->only({"of", "value", "lower_bound", "gap"}); !only) return fault(only.failure());
        auto of = text_at(*objective, "of");
        if (!of) return fault(of.failure());
        const auto named = objective_named(*of);
        if (!named) return error{"'" + path + "': objective.of is " + quoted_text(*of) + ", and must be 'latency', 'peak' or 'load'"};
        auto amount = seconds_at(*objective, "value"), least = seconds_at(*objective, "lower_bound"), share = seconds_at(*objective, "gap");
        for (const auto* number : {&amount, &least, &share})
            if (!*number) return fault(number->failure());
        p.objective = *named;
        p.chosen.value = *amount;
        p.chosen.value_bound = *least;
    }
    if (root.find("fines")) {
        auto fines = seconds_at(root, "fines");
        if (!fines) return fault(fines.failure());
        p.fines = *fines;
    }

    auto conversions = root.member("conversions");
    if (!conversions) return fault(conversions.failure());
    auto list = conversions->list();
    if (!list) return fault(list.failure());
    // The tensors and formats that can meet in this model, by their text.
    std::map<std::pair<std::string, std::string>, std::pair<node_id, format>> borders;
    const auto add_border = [&](node_id n, const format& f) {
        borders.try_emplace({name_of_node(m, n), to_string(f)}, n, f);
        borders.try_emplace({name_of_node(m, n), to_string(plain_format(f.element))}, n, plain_format(f.element));
    };
    for (const candidate& c : p.set.candidates) {
        for (std::size_t i = 0; i < c.inputs.size(); ++i) add_border(c.inputs[i], c.formats.inputs[i]);
        for (std::size_t i = 0; i < c.results.size(); ++i) add_border(c.results[i], c.formats.results[i]);
    }
    for (const json_place& one : *list) {
        if (auto only = one.only({"node", "from", "to", "seconds"}); !only) return fault(only.failure());
        auto node = text_at(one, "node"), from = text_at(one, "from"), to = text_at(one, "to");
        auto price = seconds_at(one, "seconds");
        if (!node || !from || !to) return error{"'" + path + "': " + one.path() + " must have a node, from and to as texts"};
        if (!price) return fault(price.failure());
        const auto begin = borders.find({*node, *from}), end = borders.find({*node, *to});
        if (begin == borders.end() || end == borders.end())
            return error{"'" + path + "': " + one.path() + " turns " + quoted_text(*node) + " from " + quoted_text(*from) + " to " +
                         quoted_text(*to) + ", which no candidate of this model asks for"};
        const conversion c{begin->second.first, begin->second.second, end->second.second};
        if (!p.conversions.try_emplace(c, price_of(*price)).second)
            return error{"'" + path + "': " + one.path() + " stands twice; give each conversion once"};
        p.cut.conversions.push_back(c);
    }
    std::sort(p.cut.conversions.begin(), p.cut.conversions.end());
    if (auto others = root.find("others")) {
        auto each = others->list();
        if (!each) return fault(each.failure());
        for (const json_place& one : *each)
            if (auto only = one.only({"name", "status", "seconds", "lower_bound", "reason"}); !only) return fault(only.failure());
    }
    if (auto proof = root.find("proof"))
        if (auto read = read_proof(*proof, m, p); !read) return fault(read.failure());
    return p;
}

}  // namespace tool
