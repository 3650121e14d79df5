// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_TO_ONNX_IPP
#define INLAY_PASSES_BOOKS_RELAY_TO_ONNX_IPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/passes/books/relay_to_onnx.hpp>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/passes/books/relay_to_onnx_rules.hpp>
#include <inlay/passes/clean.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/rewrite/rewrite.hpp>

namespace inlay {

namespace detail {

INLAY_LAZY_DEFINITION outcome<ir_module> relay_to_onnx_by(const ir_module& m, op_finder find, type_rule infer) {
    using book = decltype(relay_to_onnx_rules());
    rewrite_options how;
    how.infer = infer;
    auto typed = infer_types_by(m, {}, find);
    rewrite_report report;
    // Calls of ONNX's operators that were there get their types from outside the rules, and let others follow.
    while (typed) {
        auto made = rewrite(*typed, relay_to_onnx_rules(), how);
        report = std::move(made.report);
        typed = infer_types_by(made.graph, {}, find);
        if (report.fired == 0) break;
    }
    if (!typed) return typed;
    const ir_module& g = *typed;
    std::vector<std::string> unknown, waiting, reasons;
    const auto add = [](std::vector<std::string>& list, std::string text) {
        if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
    };
    for (node_id n = 0; n < g.size(); ++n) {
        if (g.kind(n) != node_kind::call || find(g.op(n)) != nullptr) continue;
        const std::string op(g.op(n));
        bool has_rule = false;
        for (std::size_t r = 0; r < book::size; ++r) {
            if (!names_operator(*book::template rows<working_graph<ir_module>>[r].left, op)) continue;
            has_rule = true;
            // A rule's own reason begins with the operator that it is about; others are of types that do not follow.
            const std::string& reason = report.rules[r].last_reason;
            if (reason.starts_with(op + " ")) add(reasons, reason);
            if (reason.starts_with("onnx.")) add(reasons, op + " as " + reason);
        }
        add(has_rule ? waiting : unknown, op);
    }
    if (!unknown.empty() || !waiting.empty()) {
        const auto joined = [](const std::vector<std::string>& list) {
            std::string text;
            for (const std::string& one : list) text += (text.empty() ? "" : ", ") + one;
            return text;
        };
        if (!unknown.empty()) reasons.insert(reasons.begin(), "there is no rule for " + joined(unknown));
        if (reasons.empty()) reasons.push_back("the types of what " + joined(waiting) + " reads are not known");
        std::string text;
        for (const std::string& one : reasons) text += (text.empty() ? "" : "; ") + one;
        return error{"the program cannot be written in ONNX's operators: " + text};
    }
    return clean(g);
}

}  // namespace detail

}  // namespace inlay

#endif
