// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_RULE_APPLICATION_HPP
#define INLAY_REWRITE_RULE_APPLICATION_HPP

#include <concepts>
#include <span>
#include <string_view>
#include <utility>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

/// What a rule is about to do at one place of a working graph, before it counts.
template <class W>
struct rule_application {
    const W* graph = nullptr;  // with the nodes of both sides
    std::string_view rule;
    exactness kind = exactness::bounded;
    std::span<const node_id> covered;                           // the nodes of the match, ascending
    node_id made = no_node;                                     // the first new node
    std::span<const std::pair<node_id, node_id>> replacements;  // a node and what its readers are to read instead; the match's root first
};

/// Lets every rule be applied.
struct every_application {
    template <class W>
    [[nodiscard]] outcome<void> operator()(const rule_application<W>&) const {
        return {};
    }
};

/// A judge of applications behind one indirect call: it says why a rule must not be applied at a place. Refers to the judge, which must
/// outlive it. An empty one lets every rule be applied.
template <class W>
class application_judge_ref {
public:
    application_judge_ref() = default;
    template <class J>
    requires(!std::same_as<J, application_judge_ref> &&
             requires(J & j, const rule_application<W>& a) {
                 { j(a) } -> std::same_as<outcome<void>>;
             }) application_judge_ref(J& j)
        : judge_(&j), call_([](void* self, const rule_application<W>& a) { return (*static_cast<J*>(self))(a); }) {}

    [[nodiscard]] outcome<void> operator()(const rule_application<W>& a) const {
        return call_ == nullptr ? outcome<void>() : call_(judge_, a);
    }

private:
    void* judge_ = nullptr;
    outcome<void> (*call_)(void*, const rule_application<W>&) = nullptr;
};

}  // namespace inlay

#endif
