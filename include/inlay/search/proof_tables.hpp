// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_TABLES_HPP
#define INLAY_SEARCH_PROOF_TABLES_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inlay/search/problem.hpp>

namespace inlay {

/// A valid problem as the check of a certificate reads it: edges by their ends, and for each candidate what it is charged for. Shares
/// nothing with the search. O(size of the problem, times the degrees of a candidate's nodes). Refers to the problem.
class proof_tables {
public:
    /// What stands in the place of a format where a candidate wants nothing, since it reads the tensor at an earlier node too.
    static constexpr std::uint32_t read_before = 0xFFFF'FFFFu;

    /// A tensor that a candidate gives: `all` if every node that reads it stands outside the candidate.
    struct gift {
        std::uint32_t given;  // see `given_at`
        bool all;
    };
    /// A tensor in a format in which some candidate gives it.
    struct given_format {
        node_id node;
        format_index format;
    };

    /// Whether the tables of a problem are of a size that can be had. A problem with more nodes than its candidates cover has no cover anyhow.
    [[nodiscard]] static bool fit(const problem& given) {
        constexpr std::size_t most_borders = 400'000'000;
        std::size_t covered = 0, borders = 0;
        for (const problem_candidate& c : given.candidates) covered += c.nodes.size();
        if (covered < given.nodes) return false;
        std::vector<std::size_t> degree(given.nodes, 1);
        for (const problem_edge& e : given.edges) {
            ++degree[e.from];
            ++degree[e.to];
        }
        for (const problem_candidate& c : given.candidates)
            for (const node_id v : c.nodes) borders += degree[v];
        return borders <= most_borders;
    }

    explicit proof_tables(const problem& given) : given_(&given), words_((std::size_t{given.formats} + 1 + 63) / 64), table_(given.nodes, &given.conversions), reads_begin_(1, 0), gifts_begin_(1, 0) {
        for (const node_conversions& own : given.conversions_of) table_[own.node] = &own.prices;
        list_edges();
        list_members();
        wants_.assign(given.edges.size() * words_, 0);
        gives_.assign(given.nodes * words_, 0);
        // First by edge and format, node and format; then by number.
        std::vector<std::uint32_t> edge_read;
        std::vector<node_id> node_given;
        reads_begin_.reserve(given.candidates.size() + 1);
        gifts_begin_.reserve(given.candidates.size() + 1);
        edge_read.reserve(members_.size());
        reads_.reserve(members_.size());
        node_given.reserve(members_.size());
        gifts_.reserve(members_.size());
        each_border(
            [&](std::uint32_t edge, std::uint32_t format) {
                set(wants_, edge, bit_of(format));
                edge_read.push_back(edge);
                reads_.push_back(format);
            },
            [&](node_id node, format_index format, bool all) {
                set(gives_, node, format);
                node_given.push_back(node);
                gifts_.push_back({format, all});
            },
            [&] {
                reads_begin_.push_back(reads_.size());
                gifts_begin_.push_back(gifts_.size());
            });
        number(wants_, given.edges.size(), first_slot_, [&](std::size_t edge, std::size_t bit) {
            slot_format_.push_back(bit == given.formats ? read_before : static_cast<std::uint32_t>(bit));
            slot_edge_.push_back(static_cast<std::uint32_t>(edge));
        });
        number(gives_, given.nodes, first_given_, [&](std::size_t node, std::size_t bit) { given_formats_.push_back({static_cast<node_id>(node), static_cast<format_index>(bit)}); });
        for (std::size_t i = 0; i < reads_.size(); ++i) reads_[i] = place(wants_, first_slot_, edge_read[i], bit_of(reads_[i]));
        for (std::size_t i = 0; i < gifts_.size(); ++i) gifts_[i].given = place(gives_, first_given_, node_given[i], gifts_[i].given);
    }

    [[nodiscard]] const problem& of() const { return *given_; }
    /// The edges that leave node u, by ascending reader, and those that enter node v, by ascending producer: places in `problem::edges`.
    [[nodiscard]] std::span<const std::uint32_t> out_of(node_id u) const { return row(out_begin_, out_, u); }
    [[nodiscard]] std::span<const std::uint32_t> into(node_id v) const { return row(in_begin_, in_, v); }
    /// The nodes of a candidate, ascending.
    [[nodiscard]] std::span<const node_id> members(candidate_index c) const { return row(members_begin_, members_, c); }
    [[nodiscard]] bool covers(candidate_index c, node_id v) const {
        const auto all = members(c);
        return std::binary_search(all.begin(), all.end(), v);
    }
    /// The reader prices that a candidate is charged: places in `certificate_prices::of_reader`.
    [[nodiscard]] std::span<const std::uint32_t> reads(candidate_index c) const { return row(reads_begin_, reads_, c); }
    /// The tensors that it gives to nodes outside, by ascending node.
    [[nodiscard]] std::span<const gift> gifts(candidate_index c) const { return row(gifts_begin_, gifts_, c); }
    [[nodiscard]] const given_format& given_at(std::uint32_t number) const { return given_formats_[number]; }
    /// Those of node u: from the first up to but without the second.
    [[nodiscard]] std::uint32_t first_given(node_id u) const { return first_given_[u]; }
    [[nodiscard]] std::uint32_t end_given(node_id u) const { return first_given_[std::size_t{u} + 1]; }
    [[nodiscard]] std::size_t given_count() const { return given_formats_.size(); }

    /// The reader prices of an edge: from the first up to but without the second, by ascending format, `read_before` last.
    [[nodiscard]] std::uint32_t first_slot(std::uint32_t edge) const { return first_slot_[edge]; }
    [[nodiscard]] std::uint32_t end_slot(std::uint32_t edge) const { return first_slot_[edge + 1]; }
    [[nodiscard]] std::size_t slots() const { return slot_format_.size(); }
    [[nodiscard]] std::uint32_t format_of(std::uint32_t slot) const { return slot_format_[slot]; }
    [[nodiscard]] std::uint32_t edge_of(std::uint32_t slot) const { return slot_edge_[slot]; }

    [[nodiscard]] double conversion(node_id u, format_index from, format_index to) const { return (*table_[u])[std::size_t{from} * given_->formats + to]; }

private:
    template <class T>
    [[nodiscard]] static std::span<const T> row(const std::vector<std::size_t>& begin, const std::vector<T>& items, std::size_t at) {
        return std::span<const T>(items).subspan(begin[at], begin[at + 1] - begin[at]);
    }

    void list_edges() {
        const std::vector<problem_edge>& edges = given_->edges;
        const auto list = [&](auto near, auto far, std::vector<std::size_t>& begin, std::vector<std::uint32_t>& items) {
            begin.assign(std::size_t{given_->nodes} + 1, 0);
            for (const problem_edge& e : edges) ++begin[near(e) + 1];
            for (std::size_t v = 0; v < given_->nodes; ++v) begin[v + 1] += begin[v];
            items.resize(edges.size());
            std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
            for (std::size_t e = 0; e < edges.size(); ++e) items[next[near(edges[e])]++] = static_cast<std::uint32_t>(e);
            const auto ascending = [&](std::uint32_t x, std::uint32_t y) { return far(edges[x]) < far(edges[y]); };
            for (std::size_t v = 0; v < given_->nodes; ++v) {
                const auto first = items.begin() + static_cast<std::ptrdiff_t>(begin[v]), last = items.begin() + static_cast<std::ptrdiff_t>(begin[v + 1]);
                if (!std::is_sorted(first, last, ascending)) std::sort(first, last, ascending);
            }
        };
        const auto from = [](const problem_edge& e) { return e.from; };
        const auto to = [](const problem_edge& e) { return e.to; };
        list(from, to, out_begin_, out_);
        list(to, from, in_begin_, in_);
    }

    void list_members() {
        std::size_t count = 0;
        for (const problem_candidate& c : given_->candidates) count += c.nodes.size();
        members_.reserve(count);
        members_begin_.reserve(given_->candidates.size() + 1);
        members_begin_.push_back(0);
        for (const problem_candidate& c : given_->candidates) {
            const auto first = static_cast<std::ptrdiff_t>(members_.size());
            members_.insert(members_.end(), c.nodes.begin(), c.nodes.end());
            if (!std::is_sorted(members_.begin() + first, members_.end())) std::sort(members_.begin() + first, members_.end());
            members_begin_.push_back(members_.size());
        }
    }

    /// For one candidate after the other, calls `read(edge, format or read_before)` for every edge that enters it, `give(node, format, all)` for
    /// every tensor that leaves it, and `close()`.
    template <class Read, class Give, class Close>
    void each_border(const Read& read, const Give& give, const Close& close) const {
        constexpr std::uint32_t nobody = 0xFFFF'FFFFu;
        std::vector<std::uint32_t> covered(given_->nodes, nobody), seen(given_->nodes, nobody), excepted(given_->nodes, nobody);
        std::vector<format_index> exception(given_->nodes, 0);
        for (std::uint32_t c = 0; c < given_->candidates.size(); ++c) {
            const problem_candidate& candidate = given_->candidates[c];
            for (const node_id v : members(c)) covered[v] = c;
            for (const tensor_format& e : candidate.in_of) {
                excepted[e.node] = c;
                exception[e.node] = e.format;
            }
            for (const tensor_format& e : candidate.out_of) {
                excepted[e.node] = c;
                exception[e.node] = e.format;
            }
            for (const node_id v : members(c)) {
                for (const std::uint32_t edge : into(v)) {
                    const node_id u = given_->edges[edge].from;
                    if (covered[u] == c) continue;
                    const bool before = !given_->share_conversions && seen[u] == c;
                    seen[u] = c;
                    read(edge, before ? read_before : excepted[u] == c ? exception[u] : candidate.in);
                }
                std::size_t outside = 0;
                for (const std::uint32_t edge : out_of(v)) outside += covered[given_->edges[edge].to] != c ? 1u : 0u;
                if (outside != 0) give(v, excepted[v] == c ? exception[v] : candidate.out, outside == out_of(v).size());
            }
            close();
        }
    }

    /// Sets of formats, one bit each; the bit after the last format stands for `read_before`.
    [[nodiscard]] std::size_t bit_of(std::uint32_t format) const { return format == read_before ? given_->formats : format; }
    void set(std::vector<std::uint64_t>& sets, std::size_t at, std::size_t bit) const { sets[at * words_ + bit / 64] |= std::uint64_t{1} << (bit % 64); }
    /// Numbers the members of all sets in order.
    template <class Visit>
    void number(const std::vector<std::uint64_t>& sets, std::size_t count, std::vector<std::uint32_t>& first, const Visit& visit) const {
        first.assign(1, 0);
        std::uint32_t next = 0;
        for (std::size_t at = 0; at < count; ++at) {
            for (std::size_t w = 0; w < words_; ++w)
                for (std::uint64_t rest = sets[at * words_ + w]; rest != 0; rest &= rest - 1) {
                    visit(at, w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
                    ++next;
                }
            first.push_back(next);
        }
    }
    [[nodiscard]] std::uint32_t place(const std::vector<std::uint64_t>& sets, const std::vector<std::uint32_t>& first, std::size_t at, std::size_t bit) const {
        std::uint32_t before = first[at];
        for (std::size_t w = 0; w < bit / 64; ++w) before += static_cast<std::uint32_t>(std::popcount(sets[at * words_ + w]));
        const std::uint64_t below = (std::uint64_t{1} << (bit % 64)) - 1;
        return before + static_cast<std::uint32_t>(std::popcount(sets[at * words_ + bit / 64] & below));
    }

    const problem* given_;
    std::size_t words_;  // of a set of formats
    std::vector<const std::vector<double>*> table_;
    std::vector<std::size_t> reads_begin_, gifts_begin_, out_begin_, in_begin_, members_begin_;
    std::vector<std::uint32_t> out_, in_, reads_;
    std::vector<node_id> members_;
    std::vector<gift> gifts_;
    std::vector<std::uint64_t> wants_, gives_;
    std::vector<std::uint32_t> first_slot_, first_given_, slot_format_, slot_edge_;
    std::vector<given_format> given_formats_;
};

}  // namespace inlay

#endif
