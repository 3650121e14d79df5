// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_NORMALISE_IPP
#define INLAY_PASSES_NORMALISE_IPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/passes/normalise.hpp>

#include <inlay/passes/books/attention_rules.hpp>
#include <inlay/passes/books/fused_operator_rules.hpp>
#include <inlay/passes/books/normal_rules.hpp>
#include <inlay/passes/books/reassociation_rules.hpp>
#include <inlay/passes/clean.hpp>

namespace inlay {

namespace detail {

/// What one more round did, added to what those before it did with the same rules.
inline void add_report(rewrite_report& sum, rewrite_report&& more) {
    if (sum.rules.empty()) {
        sum = std::move(more);
        return;
    }
    for (std::size_t r = 0; r < sum.rules.size(); ++r) {
        rewrite_report::line &to = sum.rules[r], &from = more.rules[r];
        to.matches += from.matches;
        to.fired += from.fired;
        for (std::size_t i = 0; i < rule_refusals; ++i) to.refused[i] += from.refused[i];
        if (!from.last_reason.empty()) to.last_reason = std::move(from.last_reason);
    }
    sum.visited += more.visited;
    sum.fired += more.fired;
    sum.why = more.why;
    sum.chasing = std::move(more.chasing);
}

outcome<normalised> normalise_by(const ir_module& m, std::span<const normal_rule> rules, const normalise_options& options, op_finder find,
                                 type_rule infer) {
    auto folded = fold_constants_by(clean(m), options.folding, find);
    if (!folded) return folded.failure();
    normalised made{clean(*folded), {}, 0};
    rewrite_options how;
    how.infer = infer;
    how.reassociate = options.reassociate;
    const std::size_t fuel = options.fuel != 0 ? options.fuel : 16 * made.graph.size() + 1024;
    fold_options again;
    again.most_bytes = options.folding.most_bytes;
    while (!rules.empty()) {
        how.fuel = fuel - made.report.fired;
        auto next = rewrite(made.graph, rules, how, options.judge);
        const std::size_t fired = next.report.fired;
        add_report(made.report, std::move(next.report));
        if (fired == 0) break;
        ++made.rounds;
        folded = fold_constants_by(clean(next.graph), again, find);
        if (!folded) return folded.failure();
        made.graph = clean(*folded);
        if (made.report.why != rewrite_report::stop::fixpoint) break;
    }
    return made;
}

std::vector<normal_rule> rules_wanted(const normalise_options& options) {
    using graph = working_graph<ir_module>;
    std::vector<normal_rule> rules;
    if (!options.by_rules) return rules;
    if (!options.recognised.empty())
        for (const normal_rule& r : (fused_operator_rules() + attention_rules()).all_rows<graph>())
            if (std::find(options.recognised.begin(), options.recognised.end(), operator_recognised_by(r.name)) != options.recognised.end())
                rules.push_back(r);
    const auto normal = normal_rules().all_rows<graph>();
    rules.insert(rules.end(), normal.begin(), normal.end());
    if (options.reassociate) {
        const auto more = reassociation_rules().all_rows<graph>();
        rules.insert(rules.end(), more.begin(), more.end());
    }
    return rules;
}

}  // namespace detail

}  // namespace inlay

#endif
