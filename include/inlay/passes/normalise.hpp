// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_NORMALISE_HPP
#define INLAY_PASSES_NORMALISE_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/passes/fold_constants.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/rewrite/rewrite.hpp>

namespace inlay {

struct normalise_options {
    fold_options folding;
    bool by_rules = true;                 // false: clean and fold alone
    std::vector<std::string> recognised;  // operators that spelled forms may become: "onnx.HardSwish"; see `operator_recognised_by`
    bool reassociate = false;             // rules of the class `cancelling` are applied, `reassociation_rules` among them
    std::size_t fuel = 0;                 // most rewrites of all rounds together; 0: 16 for each node, and 1024
    application_judge_ref<working_graph<ir_module>> judge;  // asked before each application of a rule; none: all are applied
};

/// A program normalised, and how.
struct normalised {
    ir_module graph;
    rewrite_report report;   // of all rounds together
    std::size_t rounds = 0;  // in which a rule fired
};

/// A rule that normalising may be given.
using normal_rule = rule_row<working_graph<ir_module>>;

namespace detail {

/// `normalise` by a function that finds operators, and one that types calls.
[[nodiscard]] INLAY_FUNCTION outcome<normalised> normalise_by(const ir_module& m, std::span<const normal_rule> rules,
                                                              const normalise_options& options, op_finder find, type_rule infer);

/// The rules that the options ask for.
[[nodiscard]] INLAY_FUNCTION std::vector<normal_rule> rules_wanted(const normalise_options& options);

}  // namespace detail

/// The program cleaned, folded and rewritten by rules, the first of the list first, until nothing changes any more or the fuel is used up:
/// what a rule leaves may be known before the run, and what is folded may let a rule apply. The error is one of types or bindings.
template <op_set Ops>
[[nodiscard]] outcome<normalised> normalise(const ir_module& m, std::span<const normal_rule> rules, const normalise_options& options, Ops) {
    return detail::normalise_by(
        m, rules, options, [](std::string_view name) { return Ops::find(name); }, &infer_call<Ops>);
}

/// The same by `normal_rules`, after those of `fused_operator_rules` and `attention_rules` that make an operator which `options` wants.
template <op_set Ops = onnx_ops>
[[nodiscard]] outcome<normalised> normalise(const ir_module& m, const normalise_options& options = {}, Ops ops = {}) {
    const std::vector<normal_rule> rules = detail::rules_wanted(options);
    return normalise(m, std::span<const normal_rule>(rules), options, ops);
}

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/passes/normalise.ipp>
#endif

#endif
