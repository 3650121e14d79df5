// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTING_CHECK_RULE_HPP
#define INLAY_TESTING_CHECK_RULE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ir/text.hpp>
#include <inlay/ops/infer_call.hpp>
#include <inlay/ops/infer_types.hpp>
#include <inlay/ops/interpret.hpp>
#include <inlay/rewrite/rewrite.hpp>
#include <inlay/runtime/random_values.hpp>
#include <inlay/testing/compare.hpp>
#include <inlay/testing/pattern_instance.hpp>

namespace inlay {

struct rule_check_options {
    std::size_t instances = 50;  // that the rule is to be applied to
    std::size_t tries = 2000;    // programs that are made for that; most operators do not take every shape
    double rtol = 1e-4, atol = 1e-5;
    std::uint64_t seed = 1;
};

/// What came of running both sides of a rule.
struct rule_check {
    std::size_t tried = 0;         // programs that were made
    std::size_t compared = 0;      // of these, those that the rule was applied to and that could be run
    std::size_t wrong = 0;         // of these, those whose results differ
    double largest_relative = 0;   // error of any result
    std::string counterexample;    // the first program whose results differ, and how; empty: none does

    /// Whether the rule was seen at work and was right each time.
    [[nodiscard]] bool holds() const { return compared != 0 && wrong == 0; }
};

/// Checks that a rule preserves meaning: makes small programs that its left side matches, with inputs of random shapes, rewrites each, and
/// runs both on random tensors. What it does not find is not proved to be absent.
template <op_set Ops>
[[nodiscard]] rule_check check_rule(const rule_row<working_graph<ir_module>>& rule, const rule_check_options& options = {}, Ops ops = {}) {
    rule_check found;
    rewrite_options how;
    how.infer = &infer_call<Ops>;
    // One application is enough, and a rule that grows its own matches has no fixpoint.
    how.fuel = 1;
    pattern_instance instance(*rule.left, options.seed);
    while (found.tried < options.tries && found.compared < options.instances) {
        ++found.tried;
        const auto made = instance.next();
        if (!made) continue;
        const auto typed = infer_types(*made, {}, ops);
        if (!typed) continue;
        const auto rewritten = rewrite(*typed, std::span<const rule_row<working_graph<ir_module>>>(&rule, 1), how);
        if (rewritten.report.fired == 0) continue;
        std::vector<tensor> inputs;
        bool fits = true;
        for (const node_id n : typed->inputs()) {
            const node_type& type = typed->type(n);
            fits = fits && type.is_tensor() && type.is_static();
            if (!fits) break;
            inputs.emplace_back(type.of_tensor.element, static_shape(type.of_tensor));
            fill_random(inputs.back().data(), type.of_tensor.element, inputs.back().count(), 1.0, false, options.seed * 1000 + found.tried * 10 + inputs.size());
        }
        if (!fits) continue;
        const auto before = interpret(*typed, inputs, ops);
        if (!before) continue;
        const auto after = interpret(rewritten.graph, inputs, ops);
        ++found.compared;
        std::string wrong = after ? std::string() : "the right side cannot be run: " + after.failure().message;
        for (std::size_t i = 0; wrong.empty() && i < before->size(); ++i) {
            const comparison c = compare((*after)[i], (*before)[i], options.rtol, options.atol);
            if (c.largest_relative > found.largest_relative) found.largest_relative = c.largest_relative;
            if (!c.agrees) wrong = "result " + std::to_string(i) + ": " + c.reason;
        }
        if (wrong.empty()) continue;
        if (found.wrong++ == 0) found.counterexample = wrong + "\nbefore:\n" + relay_text(*typed) + "after:\n" + relay_text(rewritten.graph);
    }
    return found;
}

}  // namespace inlay

#endif
