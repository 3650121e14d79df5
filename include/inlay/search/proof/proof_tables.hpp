// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_PROOF_TABLES_HPP
#define INLAY_SEARCH_PROOF_PROOF_TABLES_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <inlay/search/problem.hpp>

namespace inlay {

/// A valid problem as the check of a certificate reads it: edges by their ends, and for each candidate what it is charged for. Shares
/// nothing with the search. O(size of the problem + its borders). Refers to the problem.
///
/// The nodes of all candidates stand in one list, each candidate's ascending: a `position` is a place in it.
class proof_tables {
public:
    /// What stands in the place of a format where a candidate wants nothing, since it reads the tensor at an earlier node too.
    static constexpr std::uint32_t read_before = 0xFFFF'FFFFu;
    /// What stands in the place of a given format where nobody outside reads.
    static constexpr std::uint32_t not_given = 0xFFFF'FFFFu;

    /// An edge as one of its ends sees it.
    struct arc {
        std::uint32_t edge;  // its place in `problem::edges`
        node_id other;       // the other end
    };
    /// A tensor in a format in which some candidate gives it.
    struct given_format {
        node_id node;
        format_index format;
    };

    /// What a reader price is about: a format, or `read_before`, that some candidate wants on an edge.
    struct wish {
        std::uint32_t edge;
        std::uint32_t format;
        node_id producer;
        std::uint32_t place;  // of the edge among those that leave the producer
    };

    /// How many edges the nodes of all candidates have together, and one more for each node: what reading the problem takes. None if that
    /// is too much, or if there are more nodes than candidates cover, so that there is no cover anyhow.
    [[nodiscard]] static std::optional<std::size_t> borders(const problem& given) {
        constexpr std::size_t most_borders = 50'000'000;
        const std::size_t sets = (std::size_t{given.nodes} + given.edges.size()) * words_for(given.formats);
        if (sets > most_borders) return std::nullopt;
        std::vector<std::uint32_t> degree(given.nodes, 1);
        for (const problem_edge& e : given.edges) {
            ++degree[e.from];
            ++degree[e.to];
        }
        std::size_t covered = 0, borders = 0;
        for (const problem_candidate& c : given.candidates) {
            covered += c.nodes.size();
            for (const node_id v : c.nodes) borders += degree[v];
        }
        if (covered < given.nodes || covered > most_borders) return std::nullopt;
        return borders <= most_borders ? std::optional(borders) : std::nullopt;
    }
    [[nodiscard]] static bool fit(const problem& given) { return borders(given).has_value(); }

    /// Of a problem that fits.
    explicit proof_tables(const problem& given) : given_(&given), words_(words_for(given.formats)) {
        list_edges();
        list_candidates();
    }

    [[nodiscard]] const problem& of() const { return *given_; }
    /// The edges that leave node u, by ascending reader, and those that enter node v, by ascending producer.
    [[nodiscard]] std::span<const arc> out_of(node_id u) const { return row(out_begin_, out_, u); }
    [[nodiscard]] std::span<const arc> into(node_id v) const { return row(in_begin_, in_, v); }
    /// The place of an edge among those that leave its producer.
    [[nodiscard]] std::uint32_t place_of(std::uint32_t edge) const { return place_of_[edge]; }

    /// The nodes of a candidate, ascending, and the positions at which they stand.
    [[nodiscard]] std::span<const node_id> members(candidate_index c) const { return row(members_begin_, members_, c); }
    [[nodiscard]] std::uint32_t first_position(candidate_index c) const { return members_begin_[c]; }
    [[nodiscard]] std::uint32_t end_position(candidate_index c) const { return members_begin_[std::size_t{c} + 1]; }
    [[nodiscard]] node_id member_at(std::uint32_t position) const { return members_[position]; }
    [[nodiscard]] bool covers(candidate_index c, node_id v) const {
        const auto all = members(c);
        return std::binary_search(all.begin(), all.end(), v);
    }
    [[nodiscard]] double cost(candidate_index c) const { return costs_[c]; }
    /// The candidates that read a node outside which comes after their first one, ascending: no other can depend on itself by way of nodes
    /// outside.
    [[nodiscard]] const std::vector<candidate_index>& entered() const { return entered_; }

    /// The reader prices that a candidate is charged, places in `certificate_prices::of_reader`: all, and those at one of its nodes.
    [[nodiscard]] std::span<const std::uint32_t> reads(candidate_index c) const {
        return std::span(reads_).subspan(reads_begin_[first_position(c)], reads_begin_[end_position(c)] - reads_begin_[first_position(c)]);
    }
    [[nodiscard]] std::span<const std::uint32_t> reads_at(std::uint32_t position) const { return row(reads_begin_, reads_, position); }
    /// How the candidate gives the tensor of its node there to nodes outside (see `given_at`), or `not_given`.
    [[nodiscard]] std::uint32_t gives_at(std::uint32_t position) const { return gives_[position]; }
    /// Which of that tensor's readers stand inside: places in `out_of`, ascending.
    [[nodiscard]] std::span<const std::uint32_t> inner_at(std::uint32_t position) const { return row(inner_begin_, inner_, position); }

    [[nodiscard]] const given_format& given_at(std::uint32_t number) const { return given_formats_[number]; }
    /// Those of node u: from the first up to but without the second.
    [[nodiscard]] std::uint32_t first_given(node_id u) const { return first_given_[u]; }
    [[nodiscard]] std::uint32_t end_given(node_id u) const { return first_given_[std::size_t{u} + 1]; }
    [[nodiscard]] std::size_t given_count() const { return given_formats_.size(); }

    /// The reader prices of an edge: from the first up to but without the second, by ascending format, `read_before` last.
    [[nodiscard]] std::uint32_t first_slot(std::uint32_t edge) const { return first_slot_[edge]; }
    [[nodiscard]] std::uint32_t end_slot(std::uint32_t edge) const { return first_slot_[std::size_t{edge} + 1]; }
    [[nodiscard]] std::size_t slots() const { return slots_.size(); }
    [[nodiscard]] const wish& wish_of(std::uint32_t slot) const { return slots_[slot]; }
    [[nodiscard]] std::uint32_t format_of(std::uint32_t slot) const { return slots_[slot].format; }
    [[nodiscard]] std::uint32_t edge_of(std::uint32_t slot) const { return slots_[slot].edge; }

private:
    template <class T>
    [[nodiscard]] static std::span<const T> row(const std::vector<std::uint32_t>& begin, const std::vector<T>& items, std::size_t at) {
        return {items.data() + begin[at], items.data() + begin[at + 1]};
    }
    [[nodiscard]] static std::size_t words_for(std::size_t formats) { return (formats + 1 + 63) / 64; }

    void list_edges() {
        const std::vector<problem_edge>& edges = given_->edges;
        const auto list = [&](auto near, auto far, std::vector<std::uint32_t>& begin, std::vector<arc>& items) {
            begin.assign(std::size_t{given_->nodes} + 1, 0);
            for (const problem_edge& e : edges) ++begin[std::size_t{near(e)} + 1];
            for (std::size_t v = 0; v < given_->nodes; ++v) begin[v + 1] += begin[v];
            items.resize(edges.size());
            std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
            for (std::size_t e = 0; e < edges.size(); ++e) items[next[near(edges[e])]++] = {static_cast<std::uint32_t>(e), far(edges[e])};
            const auto ascending = [](const arc& x, const arc& y) { return x.other < y.other; };
            for (std::size_t v = 0; v < given_->nodes; ++v) {
                const auto first = items.begin() + begin[v], last = items.begin() + begin[v + 1];
                if (!std::is_sorted(first, last, ascending)) std::sort(first, last, ascending);
            }
        };
        const auto from = [](const problem_edge& e) { return e.from; };
        const auto to = [](const problem_edge& e) { return e.to; };
        list(from, to, out_begin_, out_);
        list(to, from, in_begin_, in_);
        place_of_.resize(edges.size());
        for (std::size_t u = 0; u < given_->nodes; ++u)
            for (std::uint32_t at = out_begin_[u]; at < out_begin_[u + 1]; ++at) place_of_[out_[at].edge] = at - out_begin_[u];
    }

    /// What candidates cover, read and give; the latter first as (edge, format) and (node, format): their numbers are only known when all
    /// have been seen.
    void list_candidates() {
        constexpr std::uint32_t nobody = 0xFFFF'FFFFu;
        const std::size_t formats = given_->formats, nodes = given_->nodes, count = given_->candidates.size();
        std::vector<std::uint64_t> wanted(given_->edges.size() * words_, 0), given(nodes * words_, 0);
        std::vector<std::uint32_t> covered(nodes, nobody), seen(given_->share_conversions ? 0 : nodes, nobody), excepted(nodes, nobody);
        std::vector<format_index> exception(nodes, 0);
        std::size_t positions = 0;
        for (const problem_candidate& candidate : given_->candidates) positions += candidate.nodes.size();
        members_.resize(positions);
        gives_.resize(positions);
        reads_begin_.resize(positions + 1);
        inner_begin_.resize(positions + 1);
        members_begin_.resize(count + 1);
        costs_.resize(count);
        // Room that is not used is not touched.
        reads_.reserve(2 * positions);
        const std::size_t words = words_;
        const bool pays_each = !given_->share_conversions;
        std::uint32_t end = 0;
        for (std::uint32_t c = 0; c < count; ++c) {
            const problem_candidate& candidate = given_->candidates[c];
            costs_[c] = candidate.cost;
            const std::uint32_t first = end;
            for (const node_id v : candidate.nodes) members_[end++] = v;
            members_begin_[std::size_t{c} + 1] = end;
            const bool is_alone = end - first == 1;
            if (!is_alone) {
                const auto begin = members_.begin() + first, stop = members_.begin() + end;
                if (!std::is_sorted(begin, stop)) std::sort(begin, stop);
                for (std::uint32_t at = first; at < end; ++at) covered[members_[at]] = c;
            }
            const bool excepts = !candidate.in_of.empty() || !candidate.out_of.empty();
            if (excepts)
                for (const auto* list : {&candidate.in_of, &candidate.out_of})
                    for (const tensor_format& e : *list) {
                        excepted[e.node] = c;
                        exception[e.node] = e.format;
                    }
            bool is_entered = false;
            for (std::uint32_t at = first; at < end; ++at) {
                const node_id v = members_[at];
                const std::span<const arc> out = out_of(v);
                std::size_t inside = 0;
                if (is_alone && !excepts) {
                    for (const arc& in : into(v)) reads_.push_back(put(wanted, words, in.edge, candidate.in));
                } else {
                    for (const arc& in : into(v)) {
                        if (!is_alone && covered[in.other] == c) continue;
                        is_entered |= in.other > members_[first];
                        std::size_t format = excepts && excepted[in.other] == c ? exception[in.other] : candidate.in;
                        if (!is_alone && pays_each) {
                            if (seen[in.other] == c) format = formats;
                            seen[in.other] = c;
                        }
                        reads_.push_back(put(wanted, words, in.edge, format));
                    }
                    for (std::size_t i = 0; !is_alone && i < out.size(); ++i) {
                        if (covered[out[i].other] != c) continue;
                        inner_.push_back(static_cast<std::uint32_t>(i));
                        ++inside;
                    }
                }
                reads_begin_[std::size_t{at} + 1] = static_cast<std::uint32_t>(reads_.size());
                inner_begin_[std::size_t{at} + 1] = static_cast<std::uint32_t>(inner_.size());
                const std::size_t format = excepts && excepted[v] == c ? exception[v] : candidate.out;
                gives_[at] = inside == out.size() ? not_given : put(given, words, v, format);
            }
            if (is_entered) entered_.push_back(c);
        }
        const auto size_of = [](const std::vector<std::uint64_t>& sets) {
            std::size_t size = 0;
            for (const std::uint64_t word : sets) size += static_cast<std::size_t>(std::popcount(word));
            return size;
        };
        slots_.reserve(size_of(wanted));
        given_formats_.reserve(size_of(given));
        number(wanted, reads_, first_slot_, [&](std::size_t edge, std::size_t format) {
            slots_.push_back({static_cast<std::uint32_t>(edge), format == formats ? read_before : static_cast<std::uint32_t>(format),
                              given_->edges[edge].from, place_of_[edge]});
        });
        number(given, gives_, first_given_, [&](std::size_t node, std::size_t format) {
            given_formats_.push_back({static_cast<node_id>(node), static_cast<format_index>(format)});
        });
    }

    /// Puts a format into one of many sets, one bit each; the bit after the last format stands for `read_before`. Returns the bit's place
    /// among all, which 32 bits can tell where the problem fits.
    [[nodiscard]] static std::uint32_t put(std::vector<std::uint64_t>& sets, std::size_t words, std::size_t set, std::size_t format) {
        const std::size_t word = set * words + format / 64;
        sets[word] |= std::uint64_t{1} << (format % 64);
        return static_cast<std::uint32_t>(word * 64 + format % 64);
    }
    /// Numbers what is in the sets in order, and turns places of bits into these numbers.
    template <class Visit>
    void number(const std::vector<std::uint64_t>& sets, std::vector<std::uint32_t>& places, std::vector<std::uint32_t>& first,
                const Visit& visit) const {
        std::vector<std::uint32_t> before(sets.size());
        std::uint32_t next = 0;
        first.reserve(sets.size() / words_ + 1);
        for (std::size_t word = 0; word < sets.size(); ++word) {
            if (word % words_ == 0) first.push_back(next);
            before[word] = next;
            for (std::uint64_t rest = sets[word]; rest != 0; rest &= rest - 1, ++next)
                visit(word / words_, word % words_ * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        }
        first.push_back(next);
        for (std::uint32_t& place : places)
            if (place != not_given)
                place = before[place / 64] +
                        static_cast<std::uint32_t>(std::popcount(sets[place / 64] & ((std::uint64_t{1} << (place % 64)) - 1)));
    }

    const problem* given_;
    std::size_t words_;  // of a set of formats
    std::vector<std::uint32_t> out_begin_, in_begin_, place_of_;
    std::vector<arc> out_, in_;
    std::vector<std::uint32_t> members_begin_, reads_begin_, inner_begin_;
    std::vector<node_id> members_;
    std::vector<double> costs_;
    std::vector<candidate_index> entered_;
    std::vector<std::uint32_t> reads_, gives_, inner_;
    std::vector<std::uint32_t> first_slot_, first_given_;
    std::vector<wish> slots_;
    std::vector<given_format> given_formats_;
};

}  // namespace inlay

#endif
