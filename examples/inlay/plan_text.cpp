// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "plan_text.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include <inlay/import/json.hpp>
#include <inlay/import/quoted_text.hpp>
#include <inlay/import/read_file.hpp>

#include "model.hpp"

namespace tool {

using namespace inlay;

namespace {

std::string milliseconds(double seconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4f ms", seconds * 1e3);
    return text;
}

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

double gap_of(const contender& c) { return c.seconds && c.lower_bound && *c.seconds > 0 ? std::max(0.0, (*c.seconds - *c.lower_bound) / *c.seconds) : 0; }

}  // namespace

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
            for (std::size_t r = 0; r < c.formats.results.size(); ++r) formats += (r == 0 ? "" : ", ") + to_string(c.formats.results[r].order);
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
        out += "convert  " + name_of_node(m, c.tensor) + "  " + to_string(c.from) + " -> " + to_string(c.to) + "  " + milliseconds(seconds) + "\n";
    }
    out += std::to_string(p.cut.parts.size()) + " parts, " + std::to_string(p.cut.conversions.size()) + " conversions (" + milliseconds(converting) + ")\n";
    char percent[40];
    std::snprintf(percent, sizeof percent, "%.3g %%", gap_of(p.chosen) * 100);
    out += p.chosen.name + ": " + milliseconds(p.chosen.seconds.value_or(0)) + ", lower bound " + milliseconds(p.chosen.lower_bound.value_or(0)) + ", gap " + percent +
           " (" + name_of(p.chosen.status) + ")\n";
    for (const contender& c : p.others)
        out += c.name + ": " + (c.seconds ? milliseconds(*c.seconds) : "no cover: " + c.reason) + "\n";
    return out;
}

std::string plan_json(const ir_module& m, const plan& p, const engine& e) {
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
    whole["seconds"] = p.chosen.seconds.value_or(0);
    whole["lower_bound"] = p.chosen.lower_bound.value_or(0);
    whole["gap"] = gap_of(p.chosen);
    whole["partitions"] = std::move(parts);
    whole["conversions"] = std::move(conversions);
    whole["others"] = std::move(others);
    return write_json(whole, 2);
}

outcome<plan> read_plan(const std::string& path, const ir_module& m, const engine& e) {
    auto text = read_file(path);
    if (!text) return text.failure();
    auto value = read_json(*text);
    if (!value) return error{"'" + path + "': " + value.failure().message};
    const auto fault = [&](const error& what) { return error{"'" + path + "': " + what.message}; };

    const json_place root(*value);
    if (auto only = root.only({"version", "partitioner", "status", "seconds", "lower_bound", "gap", "partitions", "conversions", "others"}); !only) return fault(only.failure());
    const auto number_at = [&](const json_place& at, std::string_view key) -> outcome<double> {
        auto member = at.member(key);
        if (!member) return member.failure();
        return member->number();
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
    std::set<std::size_t> chosen;
    for (const json_place& at : *parts) {
        if (auto only = at.only({"backend", "nodes", "seconds", "composites"}); !only) return fault(only.failure());
        auto kind = text_at(at, "backend");
        if (!kind) return fault(kind.failure());
        auto composites = at.member("composites");
        if (!composites) return fault(composites.failure());
        auto list = composites->list();
        if (!list) return fault(list.failure());
        for (const json_place& one : *list) {
            if (auto only = one.only({"name", "nodes", "inputs", "results", "seconds"}); !only) return fault(only.failure());
            auto name = text_at(one, "name");
            auto nodes = texts_at(one, "nodes"), inputs = texts_at(one, "inputs"), results = texts_at(one, "results");
            auto seconds = number_at(one, "seconds");
            for (const error* wrong : {name ? nullptr : &name.failure(), nodes ? nullptr : &nodes.failure(), inputs ? nullptr : &inputs.failure(),
                                       results ? nullptr : &results.failure(), seconds ? nullptr : &seconds.failure()})
                if (wrong != nullptr) return fault(*wrong);
            const auto found = known.find({*kind, *name, *nodes, *inputs, *results});
            if (found == known.end())
                return error{"'" + path + "': " + one.path() + " is composite " + quoted_text(*name) + " of " + *kind +
                             ", which the back ends that take part do not offer for this model; give the targets and shapes with which the plan was made"};
            if (!chosen.insert(found->second).second) return error{"'" + path + "': " + one.path() + " stands twice; cover each node once"};
            measurement& price = p.prices[found->second];
            price.median = price.minimum = *seconds;
            price.samples = 1;
        }
    }
    std::vector<std::size_t> times(m.size(), 0);
    for (const std::size_t c : chosen)
        for (const node_id n : p.set.candidates[c].nodes) ++times[n];
    for (const node_id n : p.set.to_cover)
        if (times[n] != 1)
            return error{"'" + path + "' covers node " + quoted_text(name_of_node(m, n)) + " " + std::to_string(times[n]) + " times; a plan covers each node once"};
    auto seconds = number_at(root, "seconds"), bound = number_at(root, "lower_bound");
    if (!seconds) return fault(seconds.failure());
    if (!bound) return fault(bound.failure());
    auto partitioner = text_at(root, "partitioner"), status = text_at(root, "status");
    if (!partitioner) return fault(partitioner.failure());
    if (!status) return fault(status.failure());
    p.chosen.name = *partitioner;
    p.chosen.status = *status == "optimal" ? selection_status::optimal : selection_status::gap;
    p.chosen.seconds = *seconds;
    p.chosen.lower_bound = *bound;
    p.chosen.chosen.assign(chosen.begin(), chosen.end());
    p.cut = partition(m, p.set, p.chosen.chosen);
    if (auto conversions = root.find("conversions")) {
        auto list = conversions->list();
        if (!list) return fault(list.failure());
        std::map<std::tuple<std::string, std::string, std::string>, double> prices;
        for (const json_place& one : *list) {
            auto node = text_at(one, "node"), from = text_at(one, "from"), to = text_at(one, "to");
            auto price = number_at(one, "seconds");
            if (!node || !from || !to || !price) return error{"'" + path + "': " + one.path() + " must have a node, from, to and seconds"};
            prices[{*node, *from, *to}] = *price;
        }
        for (const conversion& c : p.cut.conversions) {
            const auto price = prices.find({name_of_node(m, c.tensor), to_string(c.from), to_string(c.to)});
            if (price == prices.end())
                return error{"'" + path + "' lacks the conversion of " + quoted_text(name_of_node(m, c.tensor)) + " from " + to_string(c.from) + " to " + to_string(c.to)};
            measurement& known_price = p.conversions[c];
            known_price.median = known_price.minimum = price->second;
            known_price.samples = 1;
        }
        if (prices.size() != p.cut.conversions.size())
            return error{"'" + path + "' has " + std::to_string(prices.size()) + " conversions where its parts need " + std::to_string(p.cut.conversions.size())};
    }
    return p;
}

}  // namespace tool
