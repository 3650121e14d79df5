// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_COVERABLE_HPP
#define INLAY_CANDIDATE_COVERABLE_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/concepts.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/graph/users.hpp>

namespace inlay {

/// Whether a graph has no control flow in what its results rest on; the error names the first node of it. O(nodes * results).
template <graph G>
[[nodiscard]] outcome<void> has_no_control_flow(const G& g) {
    const user_lists users(g);
    const std::vector<node_id> results = results_of(g);
    for (node_id n = 0; n < g.size(); ++n) {
        if (users.count(n) == 0 && std::find(results.begin(), results.end(), n) == results.end()) continue;
        switch (kind_of(g, n)) {
            case node_kind::input:
            case node_kind::constant:
            case node_kind::call:
            case node_kind::projection:
            case node_kind::tuple:
            case node_kind::function:
                continue;
            default:
                break;
        }
        const bool calls = kind_of(g, n) == node_kind::apply || kind_of(g, n) == node_kind::global;
        return error{shown_node(g, n) + " (" + quoted_text(g.op(n)) +
                     (calls ? ") calls a function, which no back end takes; `inline_calls` puts its body there"
                            : ") is control flow, which no back end takes; fold it away or run the program with the interpreter")};
    }
    return {};
}

/// Whether each output of a call that is read is one projection, since each is one result of a back end's code; the error names the second
/// one of the first that is not. Linear.
template <graph G>
[[nodiscard]] outcome<void> has_each_output_once(const G& g) {
    if constexpr (functional_graph<G>) {
        const user_lists users(g);
        const std::vector<node_id> results = results_of(g);
        std::map<std::pair<node_id, std::size_t>, node_id> first;
        for (node_id n = 0; n < g.size(); ++n) {
            if (kind_of(g, n) != node_kind::projection || kind_of(g, g.operand(n, 0)) != node_kind::call) continue;
            if (users.count(n) == 0 && std::find(results.begin(), results.end(), n) == results.end()) continue;
            const node_id call = g.operand(n, 0);
            const auto output = static_cast<std::size_t>(g.field(n));
            const auto [known, is_new] = first.try_emplace({call, output}, n);
            if (is_new) continue;
            return error{shown_node(g, n) + " gives output " + std::to_string(output) + " of " + shown_node(g, call) + ", as " +
                         shown_node(g, known->second) + " does; read that one instead, or merge equal nodes with `clean`"};
        }
    }
    return {};
}

/// Whether each node to cover is in a candidate; the error names the first that is not, with the last reason for which a back end refused
/// it. `backends` is a `backend_list`.
template <graph G, class List>
[[nodiscard]] outcome<void> can_be_covered(const G& g, const List& backends, const candidate_set& set) {
    std::vector<char> taken(g.size(), 0);
    for (const candidate& c : set.candidates)
        for (const node_id n : c.nodes) taken[n] = 1;
    for (const node_id n : set.to_cover) {
        if (taken[n] != 0) continue;
        if (const std::string_view op = g.op(n); op == "on_device" || op == "device_copy")
            return error{shown_node(g, n) +
                         " says where values are, and is no operator; `constraints_of` takes it out and keeps what it says"};
        std::string why;
        for (const refusal& r : set.refusals)
            if (r.root == n) why = "; " + std::string(backends.kind(r.backend)) + " refused it: " + r.reason;
        return error{"no chosen back end takes " + shown_node(g, n) + " (operator " + quoted_text(g.op(n)) + ")" + why +
                     "; add a back end that does"};
    }
    return {};
}

}  // namespace inlay

#endif
