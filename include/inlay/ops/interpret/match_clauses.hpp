// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_MATCH_CLAUSES_HPP
#define INLAY_OPS_INTERPRET_MATCH_CLAUSES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/ir/match_pattern.hpp>
#include <inlay/ops/interpret/runtime_value.hpp>

namespace inlay {

/// One clause of a match: its pattern, and where among the match's operands its variables and its result stand.
struct match_clause {
    match_pattern pattern;
    std::size_t first_variable = 0, result = 0;
};

/// The clauses of a match, read from its attributes `clause_sizes` and `patterns`. The error, whose text follows the name of the node, says
/// where they do not go with its operands. Linear in the match.
[[nodiscard]] inline outcome<std::vector<match_clause>> match_clauses_of(const ir_module& m, node_id n) {
    const std::vector<std::int64_t> sizes = m.attributes(n).integers("clause_sizes");
    const auto* patterns = m.attributes(n).get<std::vector<std::string>>("patterns");
    const std::size_t given = patterns == nullptr ? 0 : patterns->size();
    if (given != sizes.size())
        return error{"has " + std::to_string(given) + " patterns for " + std::to_string(sizes.size()) +
                     " clauses; each clause needs one in its attribute 'patterns'"};
    std::vector<match_clause> clauses;
    std::size_t at = 1;
    for (std::size_t c = 0; c < sizes.size(); ++c) {
        if (sizes[c] < 0 || at >= m.arity(n) || static_cast<std::uint64_t>(sizes[c]) >= m.arity(n) - at)
            return error{"has clauses of more variables than it has operands"};
        auto pattern = read_match_pattern((*patterns)[c]);
        if (!pattern) return error{"has a clause that cannot be read: " + pattern.failure().message};
        const auto variables = static_cast<std::size_t>(sizes[c]);
        if (pattern->variables() != variables)
            return error{"has the pattern " + quoted_text((*patterns)[c]) + " with " + std::to_string(pattern->variables()) +
                         " variables, and " + std::to_string(variables) + " operands for them"};
        clauses.push_back({std::move(*pattern), at, at + variables});
        at += variables + 1;
    }
    return clauses;
}

/// Whether a value looks as the pattern says; then `bound` is what its variables stand for, in order. Linear in the pattern.
[[nodiscard]] inline bool match_value(const match_pattern& pattern, const runtime_value& value, std::vector<runtime_value>& bound) {
    bound.clear();
    std::vector<const runtime_value*> left{&value};
    for (const match_pattern::part& part : pattern.parts) {
        const runtime_value& v = *left.back();
        left.pop_back();
        if (part.what == match_pattern::form::wildcard) continue;
        if (part.what == match_pattern::form::variable) {
            bound.push_back(v);
            continue;
        }
        const auto* record = v.as_record();
        if (record == nullptr || record->constructor != part.name || record->fields.size() != part.fields) return false;
        for (std::size_t i = record->fields.size(); i-- > 0;) left.push_back(&record->fields[i]);
    }
    return true;
}

}  // namespace inlay

#endif
