// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_RULES_PREDICATE_HPP
#define INLAY_CANDIDATE_RULES_PREDICATE_HPP

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/candidate/partition_rule.hpp>
#include <inlay/pattern/dsl/verdict.hpp>

namespace inlay {

/// The predicate that takes nothing.
struct no_one {
    template <class Context, class What>
    [[nodiscard]] bool operator()(const Context&, const What&) const {
        return false;
    }
};

namespace detail {

/// The answer of a rule's predicate, a `bool` or a `verdict`. The reason of a no becomes a note.
template <class Context, class Answer>
[[nodiscard]] bool is_taken(const Context& context, std::string_view rule, node_id root, Answer answer) {
    if constexpr (std::same_as<Answer, verdict>) {
        if (!answer.taken) context.notes.push_back({rule_note::cause::declined, std::string(rule), root, std::move(answer.reason)});
        return answer.taken;
    } else {
        static_assert(std::convertible_to<Answer, bool>, "inlay: the predicate of a rule answers with a bool or an inlay::verdict");
        return static_cast<bool>(answer);
    }
}

}  // namespace detail

}  // namespace inlay

#endif
