// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "plan_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/json/plan_file.hpp>
#include <inlay/plan/recorded_plan.hpp>

#include "model.hpp"

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

double gap_of(const contender& c) { return c.seconds && c.lower_bound ? gap_between(*c.seconds, *c.lower_bound) : 0; }

/// Whether there is more to say of a plan that is not proved than that it is not.
bool has_reason(const contender& c) { return c.status == selection_status::gap && !c.reason.empty(); }

std::string percent_text(double share) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g %%", share * 100);
    return text;
}

}  // namespace

outcome<plan_objective> objective_of(const std::string& name, std::span<const plan_objective> among, const std::string& what) {
    std::vector<std::string> words;
    std::string listed;
    for (std::size_t i = 0; i < among.size(); ++i) {
        if (name == name_of(among[i])) return among[i];
        words.emplace_back(name_of(among[i]));
        listed += (i == 0 ? "" : i + 1 == among.size() ? " or " : ", ") + words.back();
    }
    return error{"there is no " + what + " " + quoted_text(name) + name_hint(name, words) + "; write " + listed};
}

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
    char text[40];
    if (of == plan_objective::energy)
        std::snprintf(text, sizeof text, "%.4g uJ", 1e6 * amount);
    else if (of == plan_objective::peak)
        std::snprintf(text, sizeof text, "%.0f bytes", amount);
    else
        return milliseconds(amount);
    return text;
}

std::string plan_text(const ir_module& m, const plan& p, const engine& e) {
    std::string out;
    std::map<std::string, std::size_t> unchecked;  // how many kernels, by the reason
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
            for (std::size_t n = 0; n < c.nodes.size(); ++n) out += (n == 0 ? "" : ", ") + shown_name(m, c.nodes[n]);
            if (!p.prices[number].unchecked.empty()) {
                out += "  unchecked";
                unchecked[p.prices[number].unchecked] += 1;
            }
            out += "\n";
        }
    }
    double converting = 0;
    std::uint64_t copied = 0;
    for (const conversion& c : p.cut.conversions) {
        const auto price = p.conversions.find(c);
        const double seconds = price == p.conversions.end() ? 0 : price->second.median;
        converting += seconds;
        const auto bytes = p.copied_bytes.find(c);
        const bool is_copy = bytes != p.copied_bytes.end();
        if (is_copy) copied += bytes->second;
        out += (is_copy ? "copy  " : "convert  ") + shown_name(m, c.tensor) + "  " + to_string(c.from) + " -> " + to_string(c.to) + "  " +
               (is_copy ? std::to_string(bytes->second) + " bytes  " : "") + milliseconds(seconds) + "\n";
    }
    out += counted(p.cut.parts.size(), "part") + ", " + counted(p.cut.conversions.size(), "conversion") + " (" + milliseconds(converting) +
           ")";
    if (copied != 0) out += ", " + std::to_string(copied) + " bytes copied between memories";
    out += "\n";
    for (const auto& [reason, count] : unchecked) out += counted(count, "kernel") + " unchecked: " + escaped_text(reason, 400) + "\n";
    std::set<std::string> played;
    for (const part& here : p.cut.parts)
        if (e.simulates(here.owner)) played.insert(e.kind(here.owner));
    for (const std::string& kind : played) out += "prices of " + kind + " and its copies are its model, and were not measured\n";
    if (p.objective == plan_objective::latency) {
        out += p.chosen.name + ": " + milliseconds(p.chosen.seconds.value_or(0)) + ", lower bound " +
               milliseconds(p.chosen.lower_bound.value_or(0)) + ", gap " + percent_text(gap_of(p.chosen)) + " (" +
               name_of(p.chosen.status) + "), steps one after the other\n";
    } else {
        const double value = p.chosen.value.value_or(0), bound = p.chosen.value_bound.value_or(0);
        out += std::string(name_of(p.objective)) + ": " + amount_text(p.objective, value) + ", lower bound " +
               amount_text(p.objective, bound) + ", gap " + percent_text(gap_between(value, bound)) + " (" + name_of(p.chosen.status) +
               ")\n";
        out += p.chosen.name + ": " + milliseconds(p.chosen.seconds.value_or(0)) + ", lower bound with that " + name_of(p.objective) + " " +
               milliseconds(p.chosen.lower_bound.value_or(0)) + "\n";
    }
    if (has_reason(p.chosen)) out += p.chosen.name + ": " + p.chosen.reason + "\n";
    for (const contender& c : p.others) out += c.name + ": " + (c.seconds ? milliseconds(*c.seconds) : "no cover: " + c.reason) + "\n";
    return out;
}

std::string plan_json(const ir_module& m, const plan& p, const engine& e, const model_options& prepared) {
    plan_record record = record_of(
        m, p, [&](backend_id number) { return e.kind(number); }, e.targets(), !prepared.as_written);
    record.is_by_steps = prepared.by_steps;
    record.is_reassociated = prepared.reassociate;
    record.has_fixed_defaults = prepared.fixed_defaults;
    return write_plan_record(record);
}

model_options prepared_as(model_options options, const plan_record& record) {
    options.as_written = options.as_written || !record.is_rewritten;
    options.by_steps = options.by_steps || record.is_by_steps;
    options.reassociate = options.reassociate || record.is_reassociated;
    options.fixed_defaults = options.fixed_defaults || record.has_fixed_defaults;
    return options;
}

outcome<plan> plan_of_file(const std::string& path, const plan_record& record, const ir_module& m, const engine& e) {
    auto made = plan_of(record, m, e.candidates(m), [&](backend_id number) { return e.kind(number); });
    if (!made) return error{quoted_text(path, 400) + ": " + made.failure().message};
    return made;
}

outcome<engine> engine_of_plan(const std::string& path, const plan_record& record, engine_options options) {
    // As a JSON list a text is never taken for the name of a file.
    if (options.targets.empty()) {
        options.has_all_targets = true;
        for (const recorded_target& t : record.targets) options.targets.push_back(write_json(json_output::array({t.target})));
    }
    auto made = engine::make(options);
    if (!made) return made;
    if (auto same = same_targets(record, made->targets()); !same) return error{quoted_text(path, 400) + ": " + same.failure().message};
    return made;
}

}  // namespace tool
