// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_CONSTRAINED_QUANTITY_HPP
#define INLAY_SEARCH_CONSTRAINED_QUANTITY_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/cover.hpp>
#include <inlay/search/cover_cost.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_index.hpp>
#include <inlay/search/problem_path.hpp>

namespace inlay {

/// Something that several candidates keep together: it counts once if at least one of them is chosen.
struct shared_item {
    double amount = 0;
    /// Distinct, in any order.
    std::vector<candidate_index> users;

    friend bool operator==(const shared_item&, const shared_item&) = default;
};

/// Something besides the cost that a cover adds up to, in a unit of its own: bytes, joules, seconds of one device.
///
/// What a cover comes to is `always`, plus the amounts of its candidates, plus those of the conversions that it pays by the rule of
/// `problem` (once for each format that some other part wants, or once for each part that wants it), plus those of the shared items of
/// which it has a user. All amounts are finite and at least 0.
struct quantity {
    /// Per candidate; empty: nothing.
    std::vector<double> of_candidate{};
    /// `formats * formats` amounts, row by row as in `problem::conversions`; empty: nothing. The diagonal is 0. What stands where a
    /// conversion is impossible is never counted.
    std::vector<double> conversions{};
    /// Tables of their own for single nodes, at most one a node, in any order.
    std::vector<node_conversions> conversions_of{};
    std::vector<shared_item> shared{};
    /// What every cover comes to, whatever is chosen.
    double always = 0;

    friend bool operator==(const quantity&, const quantity&) = default;
};

namespace detail {

[[nodiscard]] inline std::string amount_fault(const problem_path& where, double amount) {
    if (std::isfinite(amount) && amount >= 0) return {};
    return where.text() + " is no finite number of at least 0, but an amount is; give one.";
}

[[nodiscard]] inline std::string amounts_fault(const problem_path& where, const std::vector<double>& amounts, std::size_t formats,
                                               double& largest) {
    if (std::string fault = table_fault(where, amounts, formats, largest); !fault.empty()) return fault;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        const problem_path row(where, i / formats);
        if (std::string fault = amount_fault({row, i % formats}, amounts[i]); !fault.empty()) return fault;
    }
    return {};
}

[[nodiscard]] inline std::string quantity_fault(const quantity& given, const problem& of) {
    if (!given.of_candidate.empty() && given.of_candidate.size() != of.candidates.size())
        return "of_candidate has " + std::to_string(given.of_candidate.size()) + " amounts, but there are " +
               std::to_string(of.candidates.size()) + " candidates; give one for each, or none.";
    if (std::string fault = amount_fault("always", given.always); !fault.empty()) return fault;
    double total = given.always, dearest = 0, largest = 0;
    const problem_path of_candidate("of_candidate"), shared("shared");
    for (std::size_t c = 0; c < given.of_candidate.size(); ++c) {
        if (std::string fault = amount_fault({of_candidate, c}, given.of_candidate[c]); !fault.empty()) return fault;
        total += given.of_candidate[c];
    }
    if (!given.conversions.empty()) {
        if (std::string fault = amounts_fault("conversions", given.conversions, of.formats, largest); !fault.empty()) return fault;
        dearest = largest;
    }
    std::vector<node_id> named;
    for (const node_conversions& own : given.conversions_of) {
        const auto here = problem_path::numbered("conversions of node ", own.node);
        if (std::string fault = index_fault(here, own.node, "nodes", of.nodes); !fault.empty()) return fault;
        if (std::string fault = amounts_fault(here, own.prices, of.formats, largest); !fault.empty()) return fault;
        dearest = std::max(dearest, largest);
        named.push_back(own.node);
    }
    if (std::string fault = first_repeated(named, "conversions_of", "node"); !fault.empty()) return fault;
    for (std::size_t i = 0; i < given.shared.size(); ++i) {
        const problem_path here(shared, i), users(here, ".users");
        if (std::string fault = amount_fault({here, ".amount"}, given.shared[i].amount); !fault.empty()) return fault;
        if (given.shared[i].users.empty()) return here.text() + " has no users, and would never count; name some, or leave it out.";
        for (const candidate_index c : given.shared[i].users)
            if (std::string fault = index_fault(users, c, "candidates", of.candidates.size()); !fault.empty()) return fault;
        if (std::string fault = first_repeated(given.shared[i].users, users, "candidate"); !fault.empty()) return fault;
        total += given.shared[i].amount;
    }
    total += dearest * static_cast<double>(of.edges.size());
    if (!(total <= largest_total))
        return "the amounts may add up to more than 1e300, so that totals would leave the range of double; choose a larger unit.";
    return {};
}

}  // namespace detail

/// Whether a quantity speaks of a problem that `check` accepts: lists of the right size, finite amounts of at least 0 whose sum stays below
/// `largest_total`, candidates and nodes that there are, each named once. The error names the first place that is wrong.
[[nodiscard]] inline outcome<void> check(const quantity& given, const problem& of) {
    std::string fault = detail::quantity_fault(given, of);
    if (!fault.empty()) return error{std::move(fault)};
    return {};
}

namespace detail {

/// What the quantities of a cover are read from: its candidates, ascending, and the conversions that it pays.
struct cover_parts {
    struct paid {
        node_id node;
        format_index from, to;
    };
    std::vector<candidate_index> chosen;
    std::vector<std::uint8_t> is_chosen;
    std::vector<paid> conversions;

    cover_parts(const problem_index& index, std::span<const candidate_index> cover)
        : chosen(cover.begin(), cover.end()), is_chosen(index.candidates(), 0) {
        std::sort(chosen.begin(), chosen.end());
        for (const candidate_index c : chosen) is_chosen[c] = 1;
        each_conversion(index, owners(index, chosen), [&](node_id u, format_index f, format_index g) { conversions.push_back({u, f, g}); });
    }
};

/// A quantity that `check` accepts, seen from its nodes. Refers to the quantity, which must outlive it.
class quantity_index {
public:
    quantity_index(const quantity& given, const problem& of) : given_(&given), formats_(of.formats) {
        for (const node_conversions& own : given.conversions_of) tables_.emplace_back(own.node, &own.prices);
        std::sort(tables_.begin(), tables_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    }

    [[nodiscard]] const quantity& of() const { return *given_; }
    [[nodiscard]] bool counts_conversions() const { return !given_->conversions.empty() || !tables_.empty(); }
    /// The nodes with a table of their own, ascending, and these.
    [[nodiscard]] std::span<const std::pair<node_id, const std::vector<double>*>> tables() const { return tables_; }
    [[nodiscard]] double of_candidate(candidate_index c) const { return given_->of_candidate.empty() ? 0 : given_->of_candidate[c]; }
    /// The amounts of the conversions of a node's tensor; null: nothing.
    [[nodiscard]] const std::vector<double>* table(node_id u) const {
        const auto at =
            std::lower_bound(tables_.begin(), tables_.end(), u, [](const auto& entry, node_id wanted) { return entry.first < wanted; });
        if (at != tables_.end() && at->first == u) return at->second;
        return given_->conversions.empty() ? nullptr : &given_->conversions;
    }
    [[nodiscard]] double amount(const cover_parts& cover) const {
        double total = given_->always;
        if (!given_->of_candidate.empty())
            for (const candidate_index c : cover.chosen) total += given_->of_candidate[c];
        if (counts_conversions())
            for (const cover_parts::paid& one : cover.conversions)
                if (const auto* amounts = table(one.node)) total += (*amounts)[static_cast<std::size_t>(one.from) * formats_ + one.to];
        for (const shared_item& item : given_->shared)
            if (std::any_of(item.users.begin(), item.users.end(), [&](candidate_index c) { return cover.is_chosen[c] != 0; }))
                total += item.amount;
        return total;
    }

private:
    const quantity* given_;
    std::size_t formats_;
    std::vector<std::pair<node_id, const std::vector<double>*>> tables_;
};

}  // namespace detail

/// What a cover comes to, added up in index order; none if the candidates do not cover every node once. Whether the cover needs an
/// impossible conversion or has a cycle is not looked at. O(nodes + edges + size of the quantity).
[[nodiscard]] inline std::optional<double> quantity_of(const problem_index& index, const quantity& what,
                                                       std::span<const candidate_index> chosen) {
    if (!covers_once(index, chosen)) return std::nullopt;
    return detail::quantity_index(what, index.of()).amount(detail::cover_parts(index, chosen));
}

}  // namespace inlay

#endif
