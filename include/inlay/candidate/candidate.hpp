// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_CANDIDATE_HPP
#define INLAY_CANDIDATE_CANDIDATE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/matched_region.hpp>
#include <inlay/core/id.hpp>

namespace inlay {

/// A region × composite of a back end × border formats: one way to run a set of nodes. `formats` go with `inputs` and `results`, which name
/// the nodes whose tensors cross the border, in the region's order. `match` is what `enumerate` learned, shared by the candidates of one
/// match; all that prices, emits, links and measures reads it.
struct candidate {
    std::vector<node_id> nodes;  // ascending
    node_id root = no_node;
    backend_id backend = 0;
    std::uint32_t composite = 0;  // its place in the back end's pattern table; behind the last where its rule joined several
    std::string name;             // of the composite, or of those that were joined
    std::vector<node_id> inputs;
    std::vector<node_id> results;
    border_formats formats;
    matched_handle match{};

    /// The region in these formats. Precondition: there is a match.
    [[nodiscard]] region_view view() const { return match->body.view(formats.inputs, formats.results); }
};

/// Why a back end did not get nodes: what it was asked and the answer. That no pattern of it matches at a node stands in no list of
/// refusals; `refusals_at` finds it when asked.
struct refusal {
    enum class cause : std::uint8_t {
        no_pattern,
        predicate,
        unknown_shape,
        duplicates_a_node,
        not_convex,
        over_a_limit,
        no_format,
        crosses_blocks,
        same_code
    };

    node_id root = no_node;
    backend_id backend = 0;
    std::string composite;
    cause why = cause::predicate;
    std::string reason;
    std::vector<node_id> nodes{};  // of the match, ascending; the root alone where no pattern matched
};

[[nodiscard]] constexpr std::string_view name_of(refusal::cause c) {
    constexpr std::string_view names[] = {"no pattern",   "predicate", "unknown shape",  "duplicates a node", "not convex",
                                          "over a limit", "no format", "crosses blocks", "same code"};
    return names[static_cast<std::size_t>(c)];
}

/// All candidates of a graph, in the order of root, back end preference, composite priority and format tuple; what was refused; and
/// the nodes that have to be covered: calls and projections, ascending.
struct candidate_set {
    std::vector<candidate> candidates;
    std::vector<refusal> refusals;
    std::vector<node_id> to_cover;
    std::vector<std::string> notes;  // where a back end's rule stopped at a bound
};

}  // namespace inlay

#endif
