// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PARTITIONER_HPP
#define INLAY_PLAN_PARTITIONER_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/search/select_options.hpp>

namespace inlay {

/// How a plan is decided: by a rule of selection over all back ends that take part, or by the exact one over a single back end and the
/// fallback. A value; its text is `exact`, `eager`, `exhaustive` or `single:KIND`.
class partitioner {
public:
    /// The cheapest plan, proved.
    partitioner() = default;
    [[nodiscard]] static partitioner exact() { return {}; }
    /// Candidates in order of priority, each taken if it still fits.
    [[nodiscard]] static partitioner eager() { return partitioner(selection_rule::eager); }
    /// The cheapest plan by plain enumeration, for small programs.
    [[nodiscard]] static partitioner exhaustive() { return partitioner(selection_rule::exhaustive); }
    /// The cheapest plan of the back end of that kind and the fallback. Precondition: the kind is not empty.
    [[nodiscard]] static partitioner single(std::string kind) {
        partitioner one;
        one.kind_ = std::move(kind);
        return one;
    }

    [[nodiscard]] selection_rule rule() const { return rule_; }
    /// Whether it is `exact`: every back end may have every node, and constraints, limits and objectives are kept.
    [[nodiscard]] bool is_exact() const { return rule_ == selection_rule::exact && !is_single(); }
    [[nodiscard]] bool is_single() const { return !kind_.empty(); }
    /// The kind of `single`; empty for the others.
    [[nodiscard]] const std::string& kind() const { return kind_; }

    friend bool operator==(const partitioner&, const partitioner&) = default;

private:
    explicit partitioner(selection_rule rule) : rule_(rule) {}

    selection_rule rule_ = selection_rule::exact;
    std::string kind_;
};

namespace detail {
inline constexpr std::array<std::string_view, 3> partitioner_words{"exact", "eager", "exhaustive"};
inline constexpr std::string_view single_prefix = "single:";
}  // namespace detail

[[nodiscard]] inline std::string to_string(const partitioner& p) {
    if (p.is_single()) return std::string(detail::single_prefix) + p.kind();
    switch (p.rule()) {
        case selection_rule::eager:
            return "eager";
        case selection_rule::exhaustive:
            return "exhaustive";
        default:
            return "exact";
    }
}

/// Whether back ends of these kinds are enough for a partitioner; the error has the nearest kind. Linear in the kinds.
[[nodiscard]] inline outcome<void> takes_part(const partitioner& p, std::span<const std::string> kinds) {
    if (!p.is_single()) return {};
    for (const std::string& kind : kinds)
        if (kind == p.kind()) return {};
    return error{"partitioner " + quoted_text(to_string(p)) + " names a back end that takes no part" + name_hint(p.kind(), kinds)};
}

/// The partitioner of that text, where back ends of these kinds take part. The error has the nearest name that is known.
[[nodiscard]] inline outcome<partitioner> read_partitioner(std::string_view text, std::span<const std::string> kinds) {
    if (text == "exact") return partitioner::exact();
    if (text == "eager") return partitioner::eager();
    if (text == "exhaustive") return partitioner::exhaustive();
    const std::string shown(text);
    if (!text.starts_with(detail::single_prefix) || text.size() == detail::single_prefix.size())
        return error{"there is no partitioner " + quoted_text(shown) + name_hint(shown, detail::partitioner_words) +
                     "; write exact, eager, exhaustive or single:KIND"};
    auto one = partitioner::single(shown.substr(detail::single_prefix.size()));
    if (auto known = takes_part(one, kinds); !known) return known.failure();
    return one;
}

/// All ways to decide beside which a plan is usually judged: `exact`, `eager` and each of these kinds by itself.
[[nodiscard]] inline std::vector<partitioner> usual_partitioners(std::span<const std::string> kinds) {
    std::vector<partitioner> all{partitioner::exact(), partitioner::eager()};
    for (const std::string& kind : kinds) all.push_back(partitioner::single(kind));
    return all;
}

}  // namespace inlay

#endif
