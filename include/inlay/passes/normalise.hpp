// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_NORMALISE_HPP
#define INLAY_PASSES_NORMALISE_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/passes/books/algebra_rules.hpp>
#include <inlay/passes/books/attention_rules.hpp>
#include <inlay/passes/books/fold_batch_norm.hpp>
#include <inlay/passes/books/fused_operator_rules.hpp>
#include <inlay/passes/books/transpose_rules.hpp>
#include <inlay/passes/clean.hpp>
#include <inlay/passes/fold_constants.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/rewrite/rewrite.hpp>

namespace inlay {

/// The rules that make a program of ONNX's operators no dearer, whoever runs it: fewer nodes, or as many that meet others. Results change
/// in the last bits where a convolution takes up a batch normalisation, and zeros may change their sign.
[[nodiscard]] constexpr auto normal_rules() { return algebra_rules() + batch_norm_rules() + meeting_transpose_rules(); }

struct normalise_options {
    fold_options folding;
    bool by_rules = true;                 // false: clean and fold alone
    std::vector<std::string> recognised;  // operators that spelled forms may become: "onnx.HardSwish"; see `operator_recognised_by`
    std::size_t fuel = 0;                 // most rewrites of all rounds together; 0: 16 for each node, and 1024
};

/// A program normalised, and how.
struct normalised {
    ir_module graph;
    rewrite_report report;   // of all rounds together
    std::size_t rounds = 0;  // in which a rule fired
};

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

}  // namespace detail

/// The program cleaned, folded and rewritten by rules, the first of the list first, until nothing changes any more or the fuel is used up:
/// what a rule leaves may be known before the run, and what is folded may let a rule apply. The error is one of types or bindings.
template <op_set Ops>
[[nodiscard]] outcome<normalised> normalise(const ir_module& m, std::span<const rule_row<working_graph<ir_module>>> rules,
                                            const normalise_options& options, Ops ops) {
    auto folded = fold_constants(clean(m), options.folding, ops);
    if (!folded) return folded.failure();
    normalised made{clean(*folded), {}, 0};
    rewrite_options how;
    how.infer = &infer_call<Ops>;
    const std::size_t fuel = options.fuel != 0 ? options.fuel : 16 * made.graph.size() + 1024;
    fold_options again;
    again.most_bytes = options.folding.most_bytes;
    while (!rules.empty()) {
        how.fuel = fuel - made.report.fired;
        auto next = rewrite(made.graph, rules, how);
        const std::size_t fired = next.report.fired;
        detail::add_report(made.report, std::move(next.report));
        if (fired == 0) break;
        ++made.rounds;
        folded = fold_constants(clean(next.graph), again, ops);
        if (!folded) return folded.failure();
        made.graph = clean(*folded);
        if (made.report.why != rewrite_report::stop::fixpoint) break;
    }
    return made;
}

/// The same by `normal_rules`, after those of `fused_operator_rules` and `attention_rules` that make an operator which `options` wants.
template <op_set Ops = onnx_ops>
[[nodiscard]] outcome<normalised> normalise(const ir_module& m, const normalise_options& options = {}, Ops ops = {}) {
    using row = rule_row<working_graph<ir_module>>;
    std::vector<row> rules;
    if (options.by_rules) {
        const auto add = [&]<class... Rules>(rule_book<Rules...>, auto&& wanted) {
            for (std::size_t i = 0; i < sizeof...(Rules); ++i)
                if (wanted(rule_book<Rules...>::template rows<working_graph<ir_module>>[i]))
                    rules.push_back(rule_book<Rules...>::template rows<working_graph<ir_module>>[i]);
        };
        if (!options.recognised.empty())
            add(fused_operator_rules() + attention_rules(), [&](const row& r) {
                return std::find(options.recognised.begin(), options.recognised.end(), operator_recognised_by(r.name)) !=
                       options.recognised.end();
            });
        add(normal_rules(), [](const row&) { return true; });
    }
    return normalise(m, std::span<const row>(rules), options, ops);
}

}  // namespace inlay

#endif
