// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_CERTIFY_IPP
#define INLAY_SEARCH_PROOF_CERTIFY_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/proof/certify.hpp>

#include <inlay/search/cover.hpp>
#include <inlay/search/deadline.hpp>
#include <inlay/search/exact/dual_ascent.hpp>
#include <inlay/search/model/acyclicity.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/model/make_cover_network.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/proof/arc_consistency.hpp>
#include <inlay/search/proof/certificate.hpp>
#include <inlay/search/proof/proof_cycles.hpp>
#include <inlay/search/proof/proof_prices.hpp>
#include <inlay/search/proof/proof_tables.hpp>
#include <inlay/search/proof/residual_dp.hpp>
#include <inlay/search/proof/verify_certificate.ipp>

namespace inlay {

/// Makes certificates: dual ascent finds the prices, and the verifier's own reading of them says what they leave open. That is split, at
/// a part of a cycle where a cover below the bound has one, else at a node, until nothing is left.
class certifier {
public:
    /// `covers` is the model of `index`'s problem in this unit. They must outlive this.
    certifier(const problem_index& index, const cover_network& covers, const scaling& unit)
        : index_(&index),
          covers_(&covers),
          unit_(unit),
          dual_(covers.m, order_along_nodes(covers)),
          tables_(index.of()),
          partners_(tables_) {
        find_readers();
    }

    /// A proof that no cover, or none that contains a candidate, costs less than `bound`. If it was not found in time, or takes more than
    /// `most_sub_problems`, what the prices of the whole problem prove by themselves; none if that is nothing.
    [[nodiscard]] std::optional<certificate> operator()(double bound, const deadline& end,
                                                        std::optional<candidate_index> contains = std::nullopt,
                                                        std::size_t most_sub_problems = 4096) {
        made_ = {bound, unit_.exponent, {}, contains};
        if (!proof_prices::fits(made_.exponent, bound)) return std::nullopt;
        end_ = &end;
        most_ = most_sub_problems;
        prices_.emplace(tables_, made_.exponent, bound);
        remainder_.emplace(tables_, *prices_);
        reached_ = {std::vector<std::int64_t>(covers_->nodes, 0), std::vector<std::int64_t>(readers_.size(), 0)};
        std::vector<std::uint8_t> possible = possible_candidates(tables_);
        std::vector<candidate_index> required;
        if (contains) {
            leave_only(tables_, *contains, possible);
            required.assign(1, *contains);
        }
        if (prove(possible, required)) return std::move(made_);
        if (made_.steps[0].prices.empty()) return std::nullopt;
        made_.steps.resize(1);
        made_.steps[0].prices.resize(1);
        made_.steps[0].split.reset();
        std::vector<std::uint8_t> alive = possible;
        if (contains || partners_.matter()) partners_(alive);
        proof_prices alone(tables_, made_.exponent, bound);
        const proof_prices::price proved = alone.apply(made_.steps[0].prices[0], alive);
        if (alone.too_large() || proved <= 0) return std::nullopt;
        // A unit less, for the rounding on the way back.
        made_.bound = std::min(bound, unit_.back(std::min(proved, alone.target()) - 1));
        return std::move(made_);
    }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    /// Where a reader price comes from: the value of a node that stands for it and its first table, or a price that is in no table.
    struct reader {
        std::uint32_t value = none;
        std::uint32_t first_table = 0;
        std::uint32_t tables = 0;
        fixed_cost fixed = 0;
    };
    /// A table between a reader and the tensor's giver, or an auxiliary variable of the tensor.
    struct source {
        std::uint32_t pair;
        bool reader_is_a;
    };

    void find_readers() {
        const problem& given = index_->of();
        readers_.resize(tables_.slots());
        for (std::uint32_t e = 0; e < given.edges.size(); ++e) {
            const auto [u, v] = given.edges[e];
            const auto first = static_cast<std::uint32_t>(sources_.size());
            note_table(u, v, false);
            const bool has_table = sources_.size() != first;
            const auto [auxiliary, last_auxiliary] = std::equal_range(covers_->auxiliary_of.begin(), covers_->auxiliary_of.end(), u);
            for (auto at = auxiliary; at != last_auxiliary; ++at)
                note_table(v, static_cast<std::uint32_t>(covers_->nodes + static_cast<std::size_t>(at - covers_->auxiliary_of.begin())),
                           true);
            const bool pays_alone = !given.share_conversions || index_->users(u).size() == 1;
            for (std::uint32_t slot = tables_.first_slot(e); slot < tables_.end_slot(e); ++slot) {
                readers_[slot].first_table = first;
                readers_[slot].tables = static_cast<std::uint32_t>(sources_.size()) - first;
                if (!has_table && pays_alone) readers_[slot].fixed = price_without_table(u, v, tables_.format_of(slot));
            }
        }
        for (std::size_t i = 0; i < index_->candidates(); ++i) {
            const auto c = static_cast<candidate_index>(i);
            if (covers_->representative[c] != c) continue;
            for (const std::uint32_t slot : tables_.reads(c))
                readers_[slot].value = covers_->values_of(index_->of().edges[tables_.edge_of(slot)].to, c).first;
        }
    }
    void note_table(std::uint32_t a, std::uint32_t b, bool reader_is_a) {
        const auto& pairs = covers_->m.pairs;
        const auto before = [](const pair_table& p, const std::pair<std::uint32_t, std::uint32_t>& key) {
            return p.a != key.first ? p.a < key.first : p.b < key.second;
        };
        const auto at = std::lower_bound(pairs.begin(), pairs.end(), std::pair(a, b), before);
        if (at != pairs.end() && at->a == a && at->b == b)
            sources_.push_back({static_cast<std::uint32_t>(at - pairs.begin()), reader_is_a});
    }

    /// A table that the giver's values do not tell apart has become prices of the reader's values.
    [[nodiscard]] fixed_cost price_without_table(node_id u, node_id v, std::uint32_t wanted) const {
        if (wanted == proof_tables::read_before) return 0;
        fixed_cost price = infinite_cost;
        for (const candidate_index c : index_->covering(u)) {
            if (covers_->representative[c] != c) continue;
            if (problem_index::has(index_->members(c), v)) return 0;
            const format_index from = problem_index::format_in(index_->gives(c), u);
            const double conversion = from == wanted ? 0 : index_->conversion(u, from, wanted);
            const fixed_cost here = conversion < impossible ? unit_.of(conversion) : infinite_cost;
            if (price < infinite_cost && here != price) return 0;
            price = here;
        }
        return price < infinite_cost ? price : 0;
    }

    [[nodiscard]] certificate_prices current_prices() const {
        certificate_prices sheet;
        for (std::size_t v = 0; v < covers_->nodes; ++v) sheet.of_node.push_back(clamped(dual_.least(v)));
        for (std::size_t slot = 0; slot < readers_.size(); ++slot) {
            const reader& r = readers_[slot];
            fixed_cost price = r.fixed;
            for (std::uint32_t t = 0; t < (r.value == none ? 0 : r.tables); ++t) {
                const source& from = sources_[r.first_table + t];
                price += from.reader_is_a ? dual_.moved_to_a(from.pair, r.value) : dual_.moved_to_b(from.pair, r.value);
            }
            sheet.of_reader.push_back(clamped(price));
        }
        return sheet;
    }
    [[nodiscard]] static std::int64_t clamped(fixed_cost price) {
        return std::clamp(price, 1 - proof_prices::largest, proof_prices::largest - 1);
    }

    /// The prices that passes lead to, until the bound is reached or rises no more. Where passes find that nothing is possible at all, the
    /// last prices before that: no finite ones say it.
    [[nodiscard]] certificate_prices ascend(std::span<const std::uint8_t> alive) {
        std::vector<std::uint8_t> values(covers_->m.unary.items.size(), 1);
        for (std::size_t v = 0; v < covers_->nodes; ++v)
            for (std::size_t x = 0; x < covers_->meaning[v].size(); ++x)
                if (alive[covers_->meaning[v][x]] == 0) values[covers_->m.unary.begin[v] + x] = 0;
        dual_.reset(values);
        constexpr int most_passes = 200;
        constexpr int passes_between = 8;
        constexpr fixed_cost stall_share = 50;
        fixed_cost last = 0;
        for (int pass = 0; pass < most_passes && !end_->passed(); ++pass) {
            dual_.pass(pass % 2 == 0);
            const fixed_cost bound = dual_.bound();
            if (bound >= infinite_cost) {
                dual_.forget();
                break;
            }
            const bool is_reached = bound >= prices_->target();
            if (!is_reached && pass % passes_between != passes_between - 1) continue;
            reached_ = current_prices();
            if (is_reached || bound - last < std::max<fixed_cost>(1, (prices_->target() - bound) / stall_share)) break;
            last = bound;
        }
        return reached_;
    }

    [[nodiscard]] bool prove(std::vector<std::uint8_t> alive, const std::vector<candidate_index>& required) {
        if (made_.steps.size() >= most_ || end_->passed()) return false;
        const std::size_t here = made_.steps.size();
        made_.steps.emplace_back();
        if (here != 0 || made_.contains || partners_.matter()) partners_(alive);
        if (index_->of().acyclic && !required.empty() && close_a_cycle(tables_.of(), required)) return true;
        constexpr int most_sheets = 4;
        constexpr std::size_t most_states = 20'000;
        candidate_index at = no_candidate;
        for (int sheets = 0;; ++sheets) {
            const auto left_before = std::count(alive.begin(), alive.end(), std::uint8_t{1});
            made_.steps[here].prices.push_back(ascend(alive));
            const fixed_cost bound = prices_->apply(made_.steps[here].prices.back(), alive);
            if (prices_->too_large()) return false;
            if (bound >= prices_->target()) return true;
            const residual_dp::verdict verdict = (*remainder_)(alive, most_states);
            if (prices_->too_large()) return false;
            if (verdict == residual_dp::verdict::no_cover) return true;
            if (verdict == residual_dp::verdict::cover) {
                const std::vector<candidate_index> cycle = porous_parts(remainder_->cover(), required);
                return !cycle.empty() && prove_without_cycle(here, std::move(alive), required, cycle, 0);
            }
            const auto left = std::count(alive.begin(), alive.end(), std::uint8_t{1});
            if (sheets + 1 == most_sheets || (left_before - left) * 20 < left_before) {
                at = widest_node(alive);
                if (at == no_candidate) return false;
                break;
            }
        }
        return split(here, std::move(alive), at, required,
                     [&](std::vector<std::uint8_t> with, const std::vector<candidate_index>& all) { return prove(std::move(with), all); });
    }

    /// Splits a sub-problem at a candidate: proves it without, and leaves what it is with to `go_on`.
    template <class GoOn>
    [[nodiscard]] bool split(std::size_t here, std::vector<std::uint8_t> alive, candidate_index at,
                             const std::vector<candidate_index>& required, const GoOn& go_on) {
        made_.steps[here].split = at;
        std::vector<std::uint8_t> without = alive;
        without[at] = 0;
        if (!prove(std::move(without), required)) return false;
        leave_only(tables_, at, alive);
        std::vector<candidate_index> all = required;
        all.push_back(at);
        return go_on(std::move(alive), all);
    }

    /// One part of a cycle is missing in every cover: the first; or it is there, and the second is missing; and so on.
    [[nodiscard]] bool prove_without_cycle(std::size_t here, std::vector<std::uint8_t> alive, const std::vector<candidate_index>& required,
                                           const std::vector<candidate_index>& cycle, std::size_t next) {
        return split(here, std::move(alive), cycle[next], required,
                     [&](std::vector<std::uint8_t> with, const std::vector<candidate_index>& all) {
                         const std::size_t step = made_.steps.size();
                         made_.steps.emplace_back();
                         // That all are there closes the cycle, which the verifier sees.
                         return next + 1 == cycle.size() || prove_without_cycle(step, std::move(with), all, cycle, next + 1);
                     });
    }

    /// The parts of a cycle of a cover that are not required yet, and can be missing.
    [[nodiscard]] std::vector<candidate_index> porous_parts(const std::vector<candidate_index>& cover,
                                                            const std::vector<candidate_index>& required) {
        std::vector<candidate_index> parts;
        if (!index_->of().acyclic) return parts;
        if (!shape_) shape_.emplace(*index_);
        for (const candidate_index c : find_cycle(*index_, owners(*index_, cover))) {
            const bool asked = std::find(required.begin(), required.end(), c) != required.end();
            if (!asked && index_->members(c).size() > 1 && (*shape_)(c) != candidate_shape::flow_through) parts.push_back(c);
        }
        return parts;
    }

    /// Of the node with the most candidates left, the one with the least slack.
    [[nodiscard]] candidate_index widest_node(const std::vector<std::uint8_t>& alive) const {
        candidate_index best = no_candidate;
        std::size_t most = 1;
        for (std::size_t v = 0; v < index_->nodes(); ++v) {
            std::size_t open = 0;
            candidate_index least = no_candidate;
            for (const candidate_index c : index_->covering(static_cast<node_id>(v))) {
                if (alive[c] == 0) continue;
                ++open;
                if (least == no_candidate || prices_->slack(c) < prices_->slack(least)) least = c;
            }
            const std::size_t weight =
                open < 2 ? 0
                         : open * (index_->users(static_cast<node_id>(v)).size() + index_->producers(static_cast<node_id>(v)).size() + 1);
            if (weight <= most) continue;
            most = weight;
            best = least;
        }
        return best;
    }

    const problem_index* index_;
    const cover_network* covers_;
    scaling unit_;
    dual_ascent dual_;
    proof_tables tables_;
    arc_consistency partners_;
    std::vector<reader> readers_;
    std::vector<source> sources_;
    std::optional<proof_prices> prices_;
    std::optional<residual_dp> remainder_;
    std::optional<detail::shape_of_candidate> shape_;
    certificate made_;
    certificate_prices reached_;
    const deadline* end_ = nullptr;
    std::size_t most_ = 0;
};

std::optional<certificate> certify(const problem& given, double bound, const deadline& end, std::optional<candidate_index> contains) {
    if (first_uncovered(given) != no_node || !proof_tables::fit(given)) return std::nullopt;
    const problem_index index(given);
    const proof_tables tables(given);
    const std::vector<std::uint8_t> possible = possible_candidates(tables);
    // Prices that JSON's readers can tell, which may know whole numbers up to 2^53 only.
    scaling unit = scaling::for_total(bound);
    unit.exponent -= 6;
    constexpr double most_entries = 2.5e8;
    const cover_network covers = make_cover_network(index, unit, std::vector<bool>(possible.begin(), possible.end()), most_entries);
    if (covers.too_large) return std::nullopt;
    return certifier(index, covers, unit)(bound, end, contains);
}

}  // namespace inlay

#endif
