// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTING_CHECK_RULE_HPP
#define INLAY_TESTING_CHECK_RULE_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/core/sorted_list.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/relay_text.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/loops/convert_elements.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/rewrite/rewrite.hpp>
#include <inlay/testing/compare.hpp>
#include <inlay/testing/pattern_instance.hpp>

namespace inlay {

struct rule_check_options {
    std::size_t instances = 50;                     // that the rule is to be applied to
    std::size_t tries = 2000;                       // programs that are made for that; most operators do not take every shape
    std::size_t matches = 8;                        // of a program that is there, at which the rule is tried
    std::int64_t elements = std::int64_t{1} << 22;  // most of the inputs of such a match; larger ones are left out
    double rtol = 1e-4, atol = 1e-5;                // of rules that are not exact; exact ones may change nothing
    std::uint64_t seed = 1;
};

/// The result of running both sides of a rule.
struct rule_check {
    std::size_t tried = 0;        // programs that were made
    std::size_t compared = 0;     // of these, those that the rule was applied to and that could be run
    std::size_t wrong = 0;        // of these, those whose results differ
    double largest_relative = 0;  // error of any result
    std::string counterexample;   // the first program whose results differ, in lines: how, the programs, their inputs and results

    /// Whether the rule was applied at least once and never changed a result.
    [[nodiscard]] bool holds() const { return compared != 0 && wrong == 0; }
};

namespace detail {

template <class T>
[[nodiscard]] std::string first_values(const tensor& t) {
    constexpr std::size_t most = 24;
    std::string text;
    std::size_t shown = 0;
    for (const T v : t.as<T>()) {
        if (shown == most) return text + ", ... (" + std::to_string(t.count()) + " in all)";
        if (shown++ != 0) text += ", ";
        if constexpr (std::is_same_v<T, bool>)
            text += v ? "true" : "false";
        else
            text += std::to_string(v);
    }
    return text;
}

/// `float32[2]: 0.500000, -1.000000`
[[nodiscard]] inline std::string tensor_text(const tensor& t) {
    const std::string type = to_string(t.type()) + ": ";
    switch (t.element()) {
        case element_type::float32:
            return type + first_values<float>(t);
        case element_type::float64:
            return type + first_values<double>(t);
        case element_type::int32:
            return type + first_values<std::int32_t>(t);
        case element_type::int64:
            return type + first_values<std::int64_t>(t);
        case element_type::boolean:
            return type + first_values<bool>(t);
        default:
            if (const auto wide = convert_elements(t, element_type::float64)) return type + first_values<double>(*wide);
            return type + "values that are no numbers";
    }
}

/// Two programs that should give the same, what they were given, and what they gave.
[[nodiscard]] inline std::string counterexample_text(const ir_module& before, const ir_module& after, std::span<const tensor> inputs,
                                                     std::span<const tensor> wanted, std::span<const tensor> found) {
    std::string text = "before:\n" + print_relay(before).text + "after:\n" + print_relay(after).text;
    const auto names = before.inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i)
        text += "input " + std::string(before.name(names[i])) + " " + tensor_text(inputs[i]) + "\n";
    // In the order in which the text of the program refers to them.
    std::size_t constants = 0;
    for (node_id n = 0; n < before.size(); ++n)
        if (const tensor* value = before.constant(n)) text += "constant " + std::to_string(constants++) + " " + tensor_text(*value) + "\n";
    for (std::size_t i = 0; i < wanted.size(); ++i) text += "result before " + tensor_text(wanted[i]) + "\n";
    for (std::size_t i = 0; i < found.size(); ++i) text += "result after " + tensor_text(found[i]) + "\n";
    return text;
}

/// Applies a rule once to a program, and runs both on random tensors. Counts a trial in `found` if the rule applies and the program runs.
template <op_set Ops>
void try_rule(const rule_row<working_graph<ir_module>>& rule, const ir_module& program, const rule_check_options& options, Ops ops,
              rule_check& found) {
    rewrite_options how;
    how.infer = &infer_call<Ops>;
    // One application is enough, and a rule that grows its own matches has no fixpoint.
    how.fuel = 1;
    how.reassociate = true;
    const bool is_exact = rule.kind == exactness::exact;
    ++found.tried;
    const auto typed = infer_types(program, {}, ops);
    if (!typed) return;
    const auto rewritten = rewrite(*typed, std::span<const rule_row<working_graph<ir_module>>>(&rule, 1), how);
    if (rewritten.report.fired == 0) return;
    std::vector<tensor> inputs;
    for (const node_id n : typed->inputs()) {
        const node_type& type = typed->type(n);
        if (!type.is_tensor() || !type.is_static()) return;
        inputs.emplace_back(type.of_tensor.element, static_shape(type.of_tensor));
        fill_random(inputs.back().data(), type.of_tensor.element, inputs.back().count(), 1.0, false,
                    options.seed * 1000 + found.tried * 10 + inputs.size());
    }
    const auto before = interpret(*typed, inputs, ops);
    if (!before) return;
    const auto after = interpret(rewritten.graph, inputs, ops);
    ++found.compared;
    std::string wrong = after ? std::string() : "the right side cannot be run: " + after.failure().message;
    for (std::size_t i = 0; wrong.empty() && i < before->size(); ++i) {
        const comparison c = compare((*after)[i], (*before)[i], is_exact ? 0 : options.rtol, is_exact ? 0 : options.atol);
        if (c.largest_relative > found.largest_relative) found.largest_relative = c.largest_relative;
        if (!c.agrees) wrong = "result " + std::to_string(i) + ": " + c.reason;
    }
    if (wrong.empty()) return;
    if (found.wrong++ == 0)
        found.counterexample = wrong + "\n" +
                               counterexample_text(*typed, rewritten.graph, inputs, *before,
                                                   after ? std::span<const tensor>(*after) : std::span<const tensor>());
}

/// Some nodes of a program as a program of their own, whose result is `root`. Its inputs are the values that they read; constants stay.
/// Returns nullopt if a node is no plain operator, or reads a value of unknown shape or of more elements than that in all.
[[nodiscard]] inline std::optional<ir_module> nodes_alone(const ir_module& m, std::span<const node_id> nodes, node_id root,
                                                          std::int64_t most_elements) {
    ir_builder b;
    b.open_block();
    std::map<node_id, node_id> made;
    std::vector<node_id> inputs;
    const auto is_plain = [&](node_id n) {
        return m.kind(n) == node_kind::call || m.kind(n) == node_kind::tuple || m.kind(n) == node_kind::projection;
    };
    const auto read = [&](node_id n) -> std::optional<node_id> {
        if (const auto at = made.find(n); at != made.end()) return at->second;
        const bool is_absent = m.kind(n) == node_kind::tuple && m.arity(n) == 0;
        if (m.constant(n) != nullptr || is_absent) return made[n] = b.copy(m, n, {});
        const node_type& type = m.type(n);
        if (!type.is_tensor() || !type.is_static()) return std::nullopt;
        const auto count = element_count(static_shape(type.of_tensor));
        if (!count || *count > most_elements) return std::nullopt;
        most_elements -= *count;
        inputs.push_back(b.input("x" + std::to_string(inputs.size()), type));
        return made[n] = inputs.back();
    };
    for (const node_id n : nodes) {
        if (m.constant(n) != nullptr) continue;
        if (!is_plain(n)) return std::nullopt;
        std::vector<node_id> operands;
        for (const node_id o : m.operands(n)) {
            const auto operand = read(o);
            if (!operand) return std::nullopt;
            operands.push_back(*operand);
        }
        made[n] = b.copy(m, n, operands);
    }
    if (!made.contains(root)) return std::nullopt;
    b.declare(b.function(inputs, made.at(root), "main"));
    return b.finish();
}

}  // namespace detail

/// Checks that a rule preserves meaning: makes small programs that its left side matches, with inputs of random shapes, rewrites each, and
/// runs both on random tensors. What it does not find is not proved to be absent.
template <op_set Ops>
[[nodiscard]] rule_check check_rule(const rule_row<working_graph<ir_module>>& rule, const rule_check_options& options = {}, Ops ops = {}) {
    rule_check found;
    pattern_instance instance(*rule.left, options.seed);
    while (found.tried < options.tries && found.compared < options.instances) {
        if (const auto made = instance.next())
            detail::try_rule(rule, *made, options, ops, found);
        else
            ++found.tried;
    }
    return found;
}

/// Checks a rule at its first matches in a program whose types are inferred: the nodes of each match are a program of their own, with the
/// constants and types that they have there. Adds the trials to `found`.
template <op_set Ops>
void check_rule_in(const ir_module& program, const rule_row<working_graph<ir_module>>& rule, rule_check& found,
                   const rule_check_options& options = {}, Ops ops = {}) {
    const user_lists users(program);
    constexpr match_limits limits{std::size_t{1} << 20};
    matcher<ir_module> search(program, users, limits);
    std::size_t tried = 0;
    for (node_id root = 0; root < program.size() && tried < options.matches; ++root) {
        std::vector<node_id> nodes;
        const bool is_match = search.each(*rule.left, root, [&](const found_match& match) {
            nodes.assign(match.covered.begin(), match.covered.end());
            return true;
        });
        if (!is_match) continue;
        sort_unique(nodes);
        const auto alone = detail::nodes_alone(program, nodes, root, options.elements);
        if (!alone) continue;
        ++tried;
        detail::try_rule(rule, *alone, options, ops, found);
    }
}

}  // namespace inlay

#endif
