// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>
#include <set>
#include <utility>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/core/sorted_list.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/ir/node_name.hpp>
#include <inlay/ops/relay/relay_ops.hpp>
#include <inlay/passes/materialise_defaults.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/pattern/match/near_miss.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

#include "operators.hpp"
#include "verbs.hpp"
#include "waiting.hpp"

namespace tool {

using namespace inlay;

namespace {

/// The nodes whose values the program gives.
std::set<node_id> result_nodes(const ir_module& m) {
    const std::vector<node_id> results = m.results();
    return {results.begin(), results.end()};
}

/// The attributes of which the pattern asks for values.
std::vector<std::string> attributes_asked_for(const pattern_view& p) {
    std::vector<std::string> names;
    for (const pattern_term& t : p.terms)
        for (const attribute_guard& guard : t.guards)
            if (guard.kind != attribute_guard::form::absent && guard.kind != attribute_guard::form::present) names.emplace_back(guard.name);
    return names;
}

/// A sentence for each operator of the pattern that neither the model nor the operator set has: it is mistyped, most likely.
std::vector<std::string> unknown_operators(const pattern_view& p, const ir_module& m, bool of_relay) {
    std::set<std::string, std::less<>> in_model, in_set;
    for (std::string& name : operator_names(of_relay)) in_set.insert(std::move(name));
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::call) in_model.emplace(m.op(n));
    const auto without_dialect = [](std::string_view name) { return name.starts_with("onnx.") ? name.substr(5) : name; };
    // Of names that are equally near, one of the model is meant.
    std::vector<std::string_view> words;
    for (const std::string& name : in_model) words.push_back(without_dialect(name));
    for (const std::string& name : in_set) words.push_back(without_dialect(name));
    std::set<std::string> sentences;
    for (const pattern_term& t : p.terms) {
        if (t.kind != term_kind::node || t.node != node_kind::call) continue;
        for (const std::string_view name : t.names) {
            if (in_model.contains(name) || in_set.contains(name)) continue;
            const std::string_view near = nearest_name(without_dialect(name), words);
            sentences.insert("no operator " + quoted_text(without_dialect(name)) + " in the model or the operator set" +
                             (near.empty() ? std::string() : "; did you mean " + quoted_text(near) + "?"));
        }
    }
    return {sentences.begin(), sentences.end()};
}

}  // namespace

answer verb_grep(const verb_options& o, const grep_options& grep) {
    if (grep.count && o.json) return say(answer::wrong, error{"--count and --json are two forms of one answer; give one of them"});
    // An operator without a dot is one of the language that the program is in.
    const char* const dialect = is_relay(o.model.path) ? "" : "onnx";
    const auto pattern = parse_pattern(grep.pattern, {dialect});
    if (!pattern) return say(answer::wrong, pattern.failure());
    const auto model = load_written(o.model);
    if (!model) return say(answer::wrong, model.failure());
    const pattern_view p = pattern->view();
    // What is left out has the operator's default, as far as the pattern asks for a value.
    const std::vector<std::string> asked = attributes_asked_for(p);
    const ir_module m = asked.empty() ? *model : materialise_defaults(*model, asked, relay_ops());
    std::optional<node_id> only;
    if (!grep.at.empty()) {
        const auto named = node_named(m, grep.at);
        if (!named) return say(answer::wrong, named.failure());
        only = *named;
    }
    const std::set<node_id> results = result_nodes(m);
    const user_lists users(m);
    constexpr match_limits limits{std::size_t{1} << 22};
    matcher<ir_module> search(m, users, limits);
    std::size_t found = 0;
    json_output matches = json_output::array();
    // A pattern that repeats inside of repetitions may match in more ways than can be looked at. Each node has a bound of its own, and the
    // nodes that reach it are bounded together.
    constexpr std::size_t most_given_up = 16;
    std::size_t given_up = 0;
    for (node_id n = 0; n < m.size() && given_up < most_given_up; ++n) {
        if ((grep.root && !results.contains(n)) || (only && n != *only)) continue;
        // Several ways to the same nodes and captures are one answer here.
        std::set<std::pair<std::vector<node_id>, std::vector<node_id>>> seen;
        search.each(p, n, [&](const found_match& match) {
            std::vector<node_id> nodes(match.covered.begin(), match.covered.end());
            sort_unique(nodes);
            std::vector<node_id> bound(match.bound.begin(), match.bound.end());
            if (!seen.emplace(nodes, bound).second) return false;
            ++found;
            if (grep.count || (grep.limit != 0 && found > grep.limit)) return false;
            json_output captures = json_output::object();
            std::string line = shown_name(m, n);
            for (std::size_t i = 0; i < bound.size(); ++i) {
                if (bound[i] == no_node) continue;
                line += "\t" + std::string(p.slots[i]) + "=" + shown_name(m, bound[i]);
                captures[std::string(p.slots[i])] = name_of_node(m, bound[i]);
            }
            if (o.json) {
                json_output covered = json_output::array();
                for (const node_id c : nodes) covered.push_back(name_of_node(m, c));
                matches.push_back(
                    json_output{{"root", name_of_node(m, n)}, {"captures", std::move(captures)}, {"nodes", std::move(covered)}});
            } else {
                std::cout << line << "\n";
            }
            return false;
        });
        given_up += search.gave_up();
        if (search.gave_up() && !o.engine.quiet)
            std::cerr << "inlay: at node " << shown_name(m, n)
                      << " the pattern has more ways to match than are looked at; there may be more matches\n";
    }
    if (given_up == most_given_up && !o.engine.quiet)
        std::cerr << "inlay: the search ended at the " << given_up
                  << "th such node, and later nodes were not looked at; write the pattern with fewer repetitions\n";
    waiting::here().clear();
    if (grep.count) std::cout << found << "\n";
    const std::size_t listed = grep.count ? 0 : grep.limit == 0 ? found : std::min(found, grep.limit);
    if (!grep.count && listed < found && !o.engine.quiet)
        std::cerr << "inlay: " << listed << " of " << found << " matches are listed; --limit 0 lists all\n";
    const std::vector<std::string> unknown = unknown_operators(p, m, is_relay(o.model.path));
    if (!o.engine.quiet)
        for (const std::string& sentence : unknown) std::cerr << "inlay: " << sentence << "\n";
    std::vector<missed_match> nearest;
    // What is nearest is not worth as long a search again.
    if (found == 0 && given_up == 0 && (o.json || !o.engine.quiet)) {
        if (!only)
            nearest = near_misses(p, m, users, 3, limits);
        else if (auto miss = near_miss(p, m, users, *only, limits))
            nearest.push_back(*std::move(miss));
    }
    if (found == 0 && !o.json && !grep.count)
        std::cerr << "inlay: the pattern has no match "
                  << (only ? "at node " + shown_name(m, *only) : "in " + quoted_text(o.model.path, 400))
                  << (unknown.empty() ? "; `inlay show` lists the nodes" : "") << "\n";
    const auto in_words = [&](node_id n) { return shown_name(m, n); };
    if (!o.json)
        for (const missed_match& miss : nearest) std::cerr << to_text(miss, in_words);
    if (o.json) {
        json_output whole{{"version", 1}, {"pattern", to_text(p, dialect)}};
        whole["found"] = found;
        whole["matches"] = std::move(matches);
        whole["nearest"] = json_output::array();
        for (const missed_match& miss : nearest) whole["nearest"].push_back(to_text(miss, in_words));
        whole["unknown_operators"] = json_output::array();
        for (const std::string& sentence : unknown) whole["unknown_operators"].push_back(sentence);
        std::cout << write_json(whole, 2) << "\n";
    }
    return found == 0 ? answer::no : answer::done;
}

}  // namespace tool
