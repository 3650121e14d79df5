// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROBLEM_INDEX_HPP
#define INLAY_SEARCH_PROBLEM_INDEX_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/model/rows.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// A valid problem seen from its nodes and with every default of its candidates filled in. O(size of the problem, times the number
/// of users of a candidate's nodes). Refers to the problem, which must outlive it; every node is below `problem::nodes`, so
/// `first_uncovered` should have said first that each is in some candidate: only then is the size in proportion.
class problem_index {
public:
    explicit problem_index(const problem& given) : given_(&given) {
        const std::size_t n = given.nodes;
        std::vector<problem_edge> edges = given.edges;
        std::sort(edges.begin(), edges.end(),
                  [](const problem_edge& a, const problem_edge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
        users_ = detail::make_rows<node_id>(n, [&](auto visit) {
            for (const problem_edge& e : edges) visit(e.from, e.to);
        });
        producers_ = detail::make_rows<node_id>(n, [&](auto visit) {
            for (const problem_edge& e : edges) visit(e.to, e.from);
        });
        table_.assign(n, &given.conversions);
        for (const node_conversions& own : given.conversions_of) table_[own.node] = &own.prices;
        index_candidates();
    }

    [[nodiscard]] const problem& of() const { return *given_; }
    [[nodiscard]] std::size_t nodes() const { return given_->nodes; }
    [[nodiscard]] std::size_t candidates() const { return given_->candidates.size(); }

    /// The nodes that read node u's tensor, ascending.
    [[nodiscard]] std::span<const node_id> users(node_id u) const { return users_[u]; }
    /// The nodes whose tensors node v reads, ascending.
    [[nodiscard]] std::span<const node_id> producers(node_id v) const { return producers_[v]; }
    /// The candidates that cover node v, ascending.
    [[nodiscard]] std::span<const candidate_index> covering(node_id v) const { return covering_[v]; }
    /// The nodes of candidate c, ascending.
    [[nodiscard]] std::span<const node_id> members(candidate_index c) const { return members_[c]; }
    /// The tensors that candidate c reads from outside, by ascending producer, in the format that it wants.
    [[nodiscard]] std::span<const tensor_format> reads(candidate_index c) const { return reads_[c]; }
    /// The tensors of candidate c that some node outside reads, by ascending node, in the format that it gives.
    [[nodiscard]] std::span<const tensor_format> gives(candidate_index c) const { return gives_[c]; }

    /// The price of turning node u's tensor from format f into g.
    [[nodiscard]] double conversion(node_id u, format_index f, format_index g) const {
        return (*table_[u])[static_cast<std::size_t>(f) * given_->formats + g];
    }
    /// Whether nodes u and v share one conversion table.
    [[nodiscard]] bool same_table(node_id u, node_id v) const { return table_[u] == table_[v]; }

    /// Whether converting the tensors of nodes u and v costs the same.
    [[nodiscard]] bool same_conversions(node_id u, node_id v) const { return same_table(u, v) || *table_[u] == *table_[v]; }

    /// The format in a list that is sorted by node; the node must be in it.
    [[nodiscard]] static format_index format_in(std::span<const tensor_format> list, node_id node) {
        const auto at = std::lower_bound(list.begin(), list.end(), node,
                                         [](const tensor_format& entry, node_id wanted) { return entry.node < wanted; });
        return at->format;
    }
    [[nodiscard]] static bool has(std::span<const node_id> sorted, node_id node) {
        return std::binary_search(sorted.begin(), sorted.end(), node);
    }

private:
    void index_candidates() {
        constexpr std::size_t none = static_cast<std::size_t>(-1);
        std::vector<std::size_t> covered_by(nodes(), none);
        std::vector<tensor_format> exceptions;
        const auto by_node = [](const tensor_format& a, const tensor_format& b) { return a.node < b.node; };
        for (std::size_t c = 0; c < candidates(); ++c) {
            const problem_candidate& candidate = given_->candidates[c];
            const std::size_t first_member = members_.items.size();
            members_.items.insert(members_.items.end(), candidate.nodes.begin(), candidate.nodes.end());
            std::sort(members_.items.begin() + static_cast<std::ptrdiff_t>(first_member), members_.items.end());
            members_.close();
            for (const node_id v : members_[c]) covered_by[v] = c;

            const std::size_t first_read = reads_.items.size();
            for (const node_id v : members_[c]) {
                for (const node_id u : producers_[v]) {
                    if (covered_by[u] != c) reads_.items.push_back({u, candidate.in});
                }
                const auto outside = [&](node_id w) { return covered_by[w] != c; };
                if (std::any_of(users_[v].begin(), users_[v].end(), outside)) gives_.items.push_back({v, candidate.out});
            }
            const auto read_begin = reads_.items.begin() + static_cast<std::ptrdiff_t>(first_read);
            std::sort(read_begin, reads_.items.end(), by_node);
            reads_.items.erase(std::unique(read_begin, reads_.items.end()), reads_.items.end());
            apply(candidate.in_of, exceptions, first_read, reads_.items);
            reads_.close();
            apply(candidate.out_of, exceptions, gives_.begin.back(), gives_.items);
            gives_.close();
        }
        covering_ = detail::make_rows<candidate_index>(nodes(), [&](auto visit) {
            for (std::size_t c = 0; c < candidates(); ++c) {
                for (const node_id v : members_[c]) visit(v, static_cast<candidate_index>(c));
            }
        });
    }

    static void apply(const std::vector<tensor_format>& given, std::vector<tensor_format>& sorted, std::size_t first,
                      std::vector<tensor_format>& list) {
        sorted = given;
        std::sort(sorted.begin(), sorted.end(), [](const tensor_format& a, const tensor_format& b) { return a.node < b.node; });
        std::size_t at = first;
        for (const tensor_format& exception : sorted) {
            while (at < list.size() && list[at].node < exception.node) ++at;
            if (at < list.size() && list[at].node == exception.node) list[at].format = exception.format;
        }
    }

    const problem* given_;
    rows<node_id> users_;
    rows<node_id> producers_;
    rows<candidate_index> covering_;
    rows<node_id> members_;
    rows<tensor_format> reads_;
    rows<tensor_format> gives_;
    std::vector<const std::vector<double>*> table_;
};

/// The first node that no candidate covers, or `no_node`. Takes memory for the candidates' nodes only, however many nodes there are.
[[nodiscard]] inline node_id first_uncovered(const problem& given) {
    std::size_t listed = 0;
    for (const problem_candidate& c : given.candidates) listed += c.nodes.size();
    if (given.nodes <= listed) {
        std::vector<std::uint8_t> seen(given.nodes, 0);
        for (const problem_candidate& c : given.candidates)
            for (const node_id v : c.nodes) seen[v] = 1;
        const auto open = std::find(seen.begin(), seen.end(), std::uint8_t{0});
        return open == seen.end() ? no_node : static_cast<node_id>(open - seen.begin());
    }
    std::vector<node_id> covered;
    for (const problem_candidate& c : given.candidates) covered.insert(covered.end(), c.nodes.begin(), c.nodes.end());
    std::sort(covered.begin(), covered.end());
    covered.erase(std::unique(covered.begin(), covered.end()), covered.end());
    node_id expected = 0;
    for (const node_id v : covered) {
        if (v != expected) break;
        ++expected;
    }
    return expected;
}

/// The first node that no admitted candidate covers, or `no_node`. O(nodes' candidates).
[[nodiscard]] inline node_id first_uncovered(const problem_index& index, const std::vector<bool>& admitted) {
    for (std::size_t i = 0; i < index.nodes(); ++i) {
        const auto v = static_cast<node_id>(i);
        const auto covering = index.covering(v);
        if (std::none_of(covering.begin(), covering.end(), [&](candidate_index c) { return bool{admitted[c]}; })) return v;
    }
    return no_node;
}

}  // namespace inlay

#endif
