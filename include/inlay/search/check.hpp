// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CHECK_HPP
#define INLAY_SEARCH_CHECK_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_path.hpp>

namespace inlay {

/// The largest sum that all costs and conversions of a problem may reach together: far enough below the end of double for every
/// total to be finite.
inline constexpr double largest_total = 1e300;

/// The most candidates a problem may have.
inline constexpr std::size_t most_candidates = 0xFFFF'FFF0u;

namespace detail {

/// The complaint about an index, empty if it is in range.
[[nodiscard]] inline std::string index_fault(const problem_path& where, std::size_t value, const char* what, std::size_t count) {
    if (value < count) return {};
    const std::string found = where.text() + " is " + std::to_string(value) + ", but the ";
    if (count == 0) return found + "problem has no " + what + "; give it some.";
    return found + what + " are numbered 0 to " + std::to_string(count - 1) + "; name one of them.";
}

/// The complaint about one conversion table, empty if it is sound; adds the table's largest finite price to `largest`.
[[nodiscard]] inline std::string table_fault(const problem_path& where, const std::vector<double>& prices, std::size_t formats,
                                             double& largest) {
    // Divided, not multiplied: formats * formats may not fit.
    const bool fits = formats == 0 ? prices.empty() : prices.size() % formats == 0 && prices.size() / formats == formats;
    if (!fits) {
        return where.text() + " has " + std::to_string(prices.size()) + " prices, but " + std::to_string(formats) +
               " formats need a row and a column each; make the table " + std::to_string(formats) + " by " + std::to_string(formats) + ".";
    }
    largest = 0;
    for (std::size_t i = 0; i < prices.size(); ++i) {
        const std::size_t f = i / formats;
        const std::size_t g = i % formats;
        const problem_path row(where, f), here(row, g);
        if (std::isnan(prices[i]))
            return here.text() + " is not a number, but a price is at least 0; give one, or say that it is impossible.";
        if (prices[i] < 0) return here.text() + " is negative, but a price is at least 0; give one, or say that it is impossible.";
        if (f == g && prices[i] != 0)
            return here.text() + " is not 0, but a tensor that stands in a format already costs nothing; put 0 there.";
        if (std::isfinite(prices[i])) largest = std::max(largest, prices[i]);
    }
    return {};
}

/// The complaint about nodes that are named twice, empty if none is. Linear where they stand in order.
[[nodiscard]] inline std::string first_repeated(const std::vector<node_id>& nodes, const problem_path& where, const char* what) {
    const auto not_before = [](node_id a, node_id b) { return a >= b; };
    if (std::adjacent_find(nodes.begin(), nodes.end(), not_before) == nodes.end()) return {};
    std::vector<node_id> sorted = nodes;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice == sorted.end()) return {};
    return where.text() + " names " + what + " " + std::to_string(*twice) + " more than once; name it once.";
}

/// The complaint about one candidate, empty if it is sound. `producers` is every edge as (reader, producer), sorted.
[[nodiscard]] inline std::string candidate_fault(const problem& given, std::size_t at,
                                                 const std::vector<std::pair<node_id, node_id>>& producers) {
    const problem_candidate& c = given.candidates[at];
    const problem_path list("candidates"), here(list, at), nodes(here, ".nodes"), in_of(here, ".in_of"), out_of(here, ".out_of");
    if (c.nodes.empty()) return nodes.text() + " is empty, but a candidate covers at least one node; name its nodes or leave it out.";
    for (std::size_t i = 0; i < c.nodes.size(); ++i) {
        std::string fault = index_fault({nodes, i}, c.nodes[i], "nodes", given.nodes);
        if (!fault.empty()) return fault;
    }
    if (std::string fault = first_repeated(c.nodes, nodes, "node"); !fault.empty()) return fault;
    if (!std::isfinite(c.cost)) {
        return here.text() + ".cost is not finite, but a cost is a finite number of at least 0; leave out what cannot run.";
    }
    if (c.cost < 0) return here.text() + ".cost is negative, but a cost is a finite number of at least 0; shift the costs.";
    if (std::string fault = index_fault({here, ".in"}, c.in, "formats", given.formats); !fault.empty()) return fault;
    if (std::string fault = index_fault({here, ".out"}, c.out, "formats", given.formats); !fault.empty()) return fault;

    if (c.in_of.empty() && c.out_of.empty()) return {};

    std::vector<node_id> named;
    for (const tensor_format& exception : c.in_of) named.push_back(exception.node);
    if (std::string fault = first_repeated(named, in_of, "producer"); !fault.empty()) return fault;
    named.clear();
    for (const tensor_format& exception : c.out_of) named.push_back(exception.node);
    if (std::string fault = first_repeated(named, out_of, "node"); !fault.empty()) return fault;

    std::vector<node_id> covered = c.nodes;
    std::sort(covered.begin(), covered.end());
    std::vector<node_id> read;
    for (const node_id v : covered) {
        for (auto e = std::lower_bound(producers.begin(), producers.end(), std::pair<node_id, node_id>(v, 0));
             e != producers.end() && e->first == v; ++e) {
            if (!std::binary_search(covered.begin(), covered.end(), e->second)) read.push_back(e->second);
        }
    }
    std::sort(read.begin(), read.end());
    for (std::size_t i = 0; i < c.in_of.size(); ++i) {
        const problem_path entry(in_of, i);
        if (!std::binary_search(read.begin(), read.end(), c.in_of[i].node)) {
            return entry.text() + " names producer " + std::to_string(c.in_of[i].node) +
                   ", but the candidate does not read that node's tensor from outside; name one that it reads.";
        }
        if (std::string fault = index_fault(entry, c.in_of[i].format, "formats", given.formats); !fault.empty()) return fault;
    }
    for (std::size_t i = 0; i < c.out_of.size(); ++i) {
        const problem_path entry(out_of, i);
        if (!std::binary_search(covered.begin(), covered.end(), c.out_of[i].node)) {
            return entry.text() + " names node " + std::to_string(c.out_of[i].node) +
                   ", but the candidate does not cover it; name one of its own nodes.";
        }
        if (std::string fault = index_fault(entry, c.out_of[i].format, "formats", given.formats); !fault.empty()) return fault;
    }
    return {};
}

[[nodiscard]] inline std::string problem_fault(const problem& given) {
    double largest = 0;
    double total = 0;
    if (std::string fault = table_fault("conversions.default", given.conversions, given.formats, largest); !fault.empty()) return fault;
    double dearest = largest;
    std::vector<node_id> owners;
    for (const node_conversions& own : given.conversions_of) {
        const auto here = problem_path::numbered("conversions.of_node.", own.node);
        if (std::string fault = index_fault(here, own.node, "nodes", given.nodes); !fault.empty()) return fault;
        if (std::string fault = table_fault(here, own.prices, given.formats, largest); !fault.empty()) return fault;
        dearest = std::max(dearest, largest);
        owners.push_back(own.node);
    }
    if (std::string fault = first_repeated(owners, "conversions.of_node", "node"); !fault.empty()) return fault;

    std::vector<std::pair<node_id, node_id>> producers;
    producers.reserve(given.edges.size());
    for (std::size_t e = 0; e < given.edges.size(); ++e) {
        const problem_edge& edge = given.edges[e];
        const problem_path list("edges"), here(list, e);
        if (std::string fault = index_fault(here, edge.from, "nodes", given.nodes); !fault.empty()) return fault;
        if (std::string fault = index_fault(here, edge.to, "nodes", given.nodes); !fault.empty()) return fault;
        if (edge.from >= edge.to) {
            return here.text() + " goes from node " + std::to_string(edge.from) + " to node " + std::to_string(edge.to) +
                   ", but a tensor goes from a lower number to a higher one; number producers first.";
        }
        producers.emplace_back(edge.to, edge.from);
    }
    std::sort(producers.begin(), producers.end());
    if (const auto twice = std::adjacent_find(producers.begin(), producers.end()); twice != producers.end()) {
        return "edges names the edge from node " + std::to_string(twice->second) + " to node " + std::to_string(twice->first) +
               " more than once; name it once.";
    }

    if (given.candidates.size() > most_candidates) return "candidates has more entries than 32 bits can number; split the problem.";
    for (std::size_t c = 0; c < given.candidates.size(); ++c) {
        if (std::string fault = candidate_fault(given, c, producers); !fault.empty()) return fault;
        total += given.candidates[c].cost;
        if (total > largest_total) {
            return "the costs up to " + problem_path({"candidates"}, c).text() +
                   ".cost add up to more than 1e300, so that totals would leave the range of double; choose a larger unit.";
        }
    }
    total += dearest * static_cast<double>(given.edges.size());
    if (!(total <= largest_total)) {
        return "the prices in conversions may add up to more than 1e300 over the edges, so that totals would leave the range of double; "
               "choose a larger unit.";
    }
    return {};
}

}  // namespace detail

/// Whether everything that takes a problem may take this one: tables of the right size with prices of at least 0 and a zero
/// diagonal, indices in range, nothing named twice, finite costs of at least 0 whose sum stays below `largest_total`. The error
/// names the first place that is wrong, as a path into the problem's JSON form. O(size log size); takes no memory for `nodes`.
[[nodiscard]] inline outcome<void> check(const problem& given) {
    std::string fault = detail::problem_fault(given);
    if (!fault.empty()) return error{std::move(fault)};
    return {};
}

}  // namespace inlay

#endif
