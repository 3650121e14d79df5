// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_LIVE_BYTES_IPP
#define INLAY_SEARCH_CONSTRAINED_LIVE_BYTES_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/search/constrained/live_bytes.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/search/constrained/quantity.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/problem_path.hpp>

namespace inlay {

outcome<void> check(const tensor_bytes& bytes, const problem& given) {
    const std::size_t nodes = given.nodes, size = bytes.of_node.size();
    const bool by_format = nodes != 0 && size % nodes == 0 && size / nodes == given.formats;
    if (size != nodes && !by_format)
        return error{"of_node has " + std::to_string(size) + " numbers, but there are " + std::to_string(nodes) + " nodes and " +
                     std::to_string(given.formats) + " formats; give one for each node, or a row of formats for each."};
    if (!bytes.workspace.empty() && bytes.workspace.size() != given.candidates.size())
        return error{"workspace has " + std::to_string(bytes.workspace.size()) + " numbers, but there are " +
                     std::to_string(given.candidates.size()) + " candidates; give one for each, or none."};
    double total = bytes.always;
    if (std::string fault = detail::amount_fault("always", bytes.always); !fault.empty()) return error{std::move(fault)};
    double largest = 0;
    const problem_path of_node("of_node"), workspace("workspace");
    for (std::size_t i = 0; i < size; ++i) {
        if (std::string fault = detail::amount_fault({of_node, i}, bytes.of_node[i]); !fault.empty()) return error{std::move(fault)};
        largest = std::max(largest, bytes.of_node[i]);
    }
    for (std::size_t c = 0; c < bytes.workspace.size(); ++c) {
        if (std::string fault = detail::amount_fault({workspace, c}, bytes.workspace[c]); !fault.empty()) return error{std::move(fault)};
        total += bytes.workspace[c];
    }
    for (const problem_candidate& c : given.candidates) total += largest * static_cast<double>(c.nodes.size());
    total += largest * static_cast<double>(given.edges.size());
    if (!(total <= largest_total))
        return error{"the bytes may add up to more than 1e300, so that totals would leave the range of double; choose a larger unit."};
    for (const node_id v : bytes.results)
        if (v >= nodes)
            return error{"results names node " + std::to_string(v) + ", but there are " + std::to_string(nodes) +
                         " nodes, counted from 0; name one of them."};
    if (std::string fault = detail::first_repeated(bytes.results, "results", "node"); !fault.empty()) return error{std::move(fault)};
    return {};
}

namespace detail {

/// Whether what a quantity says of every candidate and conversion is at most what another says, so that a limit on the other is one on it.
[[nodiscard]] inline bool is_below(const quantity& low, const quantity& high) {
    const auto below = [](const std::vector<double>& a, const std::vector<double>& b) {
        for (std::size_t i = 0; i < a.size(); ++i)
            if (a[i] > (b.empty() ? 0 : b[i])) return false;
        return true;
    };
    if (low.always > high.always || !low.shared.empty() || !low.conversions.empty() || !below(low.of_candidate, high.of_candidate))
        return false;
    for (const node_conversions& own : low.conversions_of) {
        const auto at = std::find_if(high.conversions_of.begin(), high.conversions_of.end(),
                                     [&](const node_conversions& other) { return other.node == own.node; });
        if (!below(own.prices, at == high.conversions_of.end() ? high.conversions : at->prices)) return false;
    }
    return true;
}

}  // namespace detail

std::vector<live_position> live_bytes(const problem& given, const tensor_bytes& bytes, bool all_positions) {
    const problem_index index(given);
    const std::size_t nodes = given.nodes;
    const bool by_format = bytes.of_node.size() != nodes;
    const auto size = [&](node_id u, format_index f) {
        return by_format ? bytes.of_node[static_cast<std::size_t>(u) * given.formats + f] : bytes.of_node[u];
    };
    std::vector<std::uint8_t> is_result(nodes, 0);
    for (const node_id v : bytes.results) is_result[v] = 1;
    std::vector<node_id> last(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        const auto u = static_cast<node_id>(i);
        last[u] = is_result[u] != 0 ? given.nodes - 1 : index.users(u).empty() ? u : index.users(u).back();
    }
    std::vector<live_position> made(nodes);
    for (std::size_t t = 0; t < nodes; ++t) {
        made[t].node = static_cast<node_id>(t);
        made[t].bytes.always = bytes.always;
        made[t].bytes.of_candidate.assign(given.candidates.size(), 0);
    }
    for (std::size_t i = 0; i < given.candidates.size(); ++i) {
        const auto c = static_cast<candidate_index>(i);
        const problem_candidate& own = given.candidates[c];
        const auto members = index.members(c);
        for (const node_id u : members) {
            if (!bytes.workspace.empty()) made[u].bytes.of_candidate[c] += bytes.workspace[c];
            const auto users = index.users(u);
            const bool leaves = std::any_of(users.begin(), users.end(), [&](node_id v) { return !problem_index::has(members, v); });
            if (!leaves && is_result[u] == 0) continue;
            const auto exception =
                std::find_if(own.out_of.begin(), own.out_of.end(), [&](const tensor_format& of) { return of.node == u; });
            const double taken = size(u, exception == own.out_of.end() ? own.out : exception->format);
            for (node_id t = u; t <= last[u]; ++t) made[t].bytes.of_candidate[c] += taken;
        }
    }
    if (bytes.conversions_copy && given.formats > 1) {
        const std::size_t formats = given.formats;
        for (std::size_t i = 0; i < nodes; ++i) {
            const auto u = static_cast<node_id>(i);
            if (index.users(u).empty()) continue;
            std::vector<double> copies(formats * formats, 0);
            for (std::size_t f = 0; f < formats; ++f)
                for (std::size_t g = 0; g < formats; ++g)
                    if (f != g) copies[f * formats + g] = size(u, static_cast<format_index>(g));
            for (node_id t = u; t <= last[u]; ++t) made[t].bytes.conversions_of.push_back({u, copies});
        }
    }
    if (all_positions) return made;
    // A position is compared with the last that was kept, and the kept one with it: of equal ones the first stays.
    std::vector<live_position> kept;
    for (live_position& one : made) {
        if (!kept.empty() && detail::is_below(one.bytes, kept.back().bytes)) continue;
        while (!kept.empty() && detail::is_below(kept.back().bytes, one.bytes)) kept.pop_back();
        kept.push_back(std::move(one));
    }
    return kept;
}

std::vector<quantity> quantities_of(std::vector<live_position> positions) {
    std::vector<quantity> made;
    for (live_position& one : positions) made.push_back(std::move(one.bytes));
    return made;
}

}  // namespace inlay

#endif
