// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACTIVATION_OF_HPP
#define INLAY_BACKEND_ACTIVATION_OF_HPP

#include <optional>
#include <string_view>

#include <inlay/backend/activation.hpp>
#include <inlay/pattern/dsl/call_on.hpp>

namespace inlay::detail {

/// Reads an element-wise function off a graph, in any of the spellings that `activation_reader` reads.
struct activation_at {
    static constexpr std::string_view name = "activation";

    static std::optional<reading> from(const graph_ref& g, node_id n) {
        auto read = activation_reader(graph_nodes<graph_ref>{g}).read(n);
        if (!read) return std::nullopt;
        return reading{read->source, {read->calls.begin(), read->calls.end()}};
    }
};

/// An element-wise function of what matches the pattern.
template <pattern P>
[[nodiscard]] constexpr auto activation_of(P p) {
    return dsl::read_by<activation_at>(p);
}

/// An element-wise function of what matches the pattern, or the pattern alone.
template <pattern P>
[[nodiscard]] constexpr auto maybe_activation_of(P p) {
    return activation_of(p) | p;
}

}  // namespace inlay::detail

#endif
