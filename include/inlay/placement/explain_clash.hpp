// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_EXPLAIN_CLASH_HPP
#define INLAY_PLACEMENT_EXPLAIN_CLASH_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/placement/concepts.hpp>
#include <inlay/placement/place_reason.hpp>

namespace inlay {

/// A sink that keeps all constraints, for one that could not be met.
template <lattice L>
struct constraint_log {
    struct equality {
        std::uint32_t a, b;
        place_reason why;
    };
    struct place {
        std::uint32_t variable;
        typename L::element is;
        place_reason why;
    };
    std::vector<equality> equalities;
    std::vector<place> places;

    bool same(std::uint32_t a, std::uint32_t b, place_reason why) {
        equalities.push_back({a, b, why});
        return true;
    }
    bool is(std::uint32_t v, const typename L::element& e, place_reason why) {
        places.push_back({v, e, why});
        return true;
    }
    static void may_be_same(std::uint32_t, std::uint32_t) {}
};

namespace detail {

/// Node n as people know it, with the place of its text where that is known.
template <class G>
[[nodiscard]] std::string node_in_words(const G& g, node_id n) {
    std::string text;
    const std::string_view name = [&]() -> std::string_view {
        if constexpr (requires { g.name(n); })
            return g.name(n);
        else
            return {};
    }();
    switch (g.kind(n)) {
        case node_kind::input:
            text = "%" + std::string(name.empty() ? "_" : name);
            break;
        case node_kind::global:
            text = "@" + std::string(g.symbol(n));
            break;
        case node_kind::function:
            text = g.symbol(n).empty() ? std::string("a function") : "@" + std::string(g.symbol(n));
            break;
        case node_kind::call:
            text = "the call of " + std::string(g.op(n));
            break;
        case node_kind::apply:
            text = "a function's call";
            break;
        case node_kind::construct:
            text = "the value " + std::string(g.symbol(n));
            break;
        default:
            text = "the " + std::string(g.op(n));
            break;
    }
    if constexpr (requires { g.position(n).line; })
        if (const auto at = g.position(n); at.line != 0)
            text += " (line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ")";
    return text;
}

/// One constraint as a sentence.
template <class G>
[[nodiscard]] std::string in_words(const G& g, const place_reason& r) {
    const std::string n = node_in_words(g, r.node);
    const auto operand = [&](std::size_t i) { return node_in_words(g, g.operand(r.node, i)); };
    switch (r.cause) {
        case place_cause::named_by_parameter:
            return "the parameter " + n + " is declared there";
        case place_cause::named_by_function:
            return n + " declares that its result is there";
        case place_cause::named_by_on_device:
            return n + " asks for it";
        case place_cause::named_by_device_copy:
            return n + " copies from or to there";
        case place_cause::named_by_call:
            return n + " is made there";
        case place_cause::copied_for_reader:
            return n + " gets a copy of " + operand(r.operand) + ", which is read in another place too";
        case place_cause::host_of_result:
            return "the result of " + n + " is on the host";
        case place_cause::supported_targets:
            return n + " is supported by these targets only";
        case place_cause::argument:
            return n + " reads " + operand(r.operand) + " where it runs";
        case place_cause::host_argument:
            return n + " reads " + operand(r.operand) + " on the host";
        case place_cause::parameter:
            return n + " gives " + operand(r.operand) + " as an argument, which is where the parameter is";
        case place_cause::function_result:
            return n + " is where the called function's result is";
        case place_cause::function_body:
            return n + " gives " + operand(r.operand) + ", so that is where its result is";
        case place_cause::own_parameter:
            return n + " has the parameter " + operand(r.operand) + ", which is where its callers' arguments are";
        case place_cause::let_value:
            return "let binds " + operand(0) + " to " + operand(1) + ", so they are in one place";
        case place_cause::let_body:
            return "a let is where its body " + operand(2) + " is";
        case place_cause::tuple_field:
            return n + " holds " + operand(r.operand) + ", and all of a tuple is in one place";
        case place_cause::tuple_projection:
            return n + " is taken from " + operand(0) + ", and all of a tuple is in one place";
        case place_cause::condition:
            return n + " has the condition " + operand(0) + ", which is where the result is";
        case place_cause::branch:
            return n + " gives " + operand(r.operand) + " on one side";
        case place_cause::scrutinee:
            return n + " takes apart " + operand(0) + ", which is where the result is";
        case place_cause::matched_variable:
            return n + " binds " + operand(r.operand) + " to a part of what it takes apart";
        case place_cause::clause:
            return n + " gives " + operand(r.operand) + " in one clause";
        case place_cause::constructor_field:
            return n + " holds " + operand(r.operand) + ", and all of such a value is in one place";
        case place_cause::reference_content:
            return n + " and the content of the reference are in one place";
        case place_cause::global_function:
            return n + " is one function for all who call it";
        case place_cause::annotated_value:
            return n + " passes on " + operand(0);
        case place_cause::lowered_arguments:
            return n + " has these arguments";
    }
    return n;
}

}  // namespace detail

/// Why constraints contradict each other: two places that are asked for, and the shortest chain of constraints by which they meet in one
/// value, a line each. Linear in the constraints, times the number of different places named.
template <class G, lattice L>
[[nodiscard]] error explain_clash(const G& g, const L& l, const constraint_log<L>& log, std::size_t variables) {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    // Variables with their equalities, in rows.
    std::vector<std::uint32_t> begin(variables + 1, 0), row(2 * log.equalities.size());
    for (const auto& e : log.equalities) ++begin[e.a], ++begin[e.b];
    std::uint32_t sum = 0;
    for (std::uint32_t& b : begin) sum += std::exchange(b, sum);
    std::vector<std::uint32_t> fill = begin;
    for (std::uint32_t i = 0; i < log.equalities.size(); ++i) {
        row[fill[log.equalities[i].a]++] = i;
        row[fill[log.equalities[i].b]++] = i;
    }
    std::vector<std::vector<std::uint32_t>> named(variables);
    for (std::uint32_t i = 0; i < log.places.size(); ++i) named[log.places[i].variable].push_back(i);

    std::vector<typename L::element> kinds;
    for (const auto& p : log.places)
        if (std::find(kinds.begin(), kinds.end(), p.is) == kinds.end()) kinds.push_back(p.is);

    std::vector<std::uint32_t> best;  // equalities, first to last
    std::uint32_t from = none, to = none;
    for (const auto& kind : kinds) {
        std::vector<std::uint32_t> by(variables, none), root(variables, none), length(variables, 0), queue;
        for (std::uint32_t i = 0; i < log.places.size(); ++i)
            if (log.places[i].is == kind && root[log.places[i].variable] == none) {
                root[log.places[i].variable] = i;
                queue.push_back(log.places[i].variable);
            }
        bool found = false;
        for (std::size_t next = 0; next < queue.size() && !found; ++next) {
            if (!in_force<"placement.failure.shortest">()) std::swap(queue[next], queue.back());
            const std::uint32_t v = queue[next];
            if (from != none && length[v] >= best.size()) break;
            for (const std::uint32_t p : named[v]) {
                if (l.clash(kind, log.places[p].is) == 0) continue;
                found = true;
                from = root[v];
                to = p;
                best.clear();
                for (std::uint32_t at = v; by[at] != none;) {
                    best.push_back(by[at]);
                    const auto& e = log.equalities[by[at]];
                    at = e.a == at ? e.b : e.a;
                }
                std::reverse(best.begin(), best.end());
                break;
            }
            for (std::uint32_t k = begin[v]; !found && k < begin[v + 1]; ++k) {
                const std::uint32_t equality = row[in_force<"placement.failure.shortest">() ? k : begin[v] + begin[v + 1] - 1 - k];
                const auto& e = log.equalities[equality];
                const std::uint32_t other = e.a == v ? e.b : e.a;
                if (root[other] != none) continue;
                root[other] = root[v];
                by[other] = equality;
                length[other] = length[v] + 1;
                queue.push_back(other);
            }
        }
    }
    if (from == none) return error{"what the program and its targets say about places cannot be met together"};
    const auto &first = log.places[from], &last = log.places[to];
    std::string text = "one value is to be on " + l.text(first.is) + " and on " + l.text(last.is) +
                       "; put an on_device that allows a copy between them, or change one of the two\n  on " + l.text(first.is) + ": " +
                       detail::in_words(g, first.why);
    constexpr std::size_t most_lines = 40;
    std::string before;
    for (std::size_t i = 0; i < best.size(); ++i) {
        std::string line = detail::in_words(g, log.equalities[best[i]].why);
        if (line == before) continue;
        if (i == most_lines) {
            text += "\n  and " + std::to_string(best.size() - i) + " more";
            break;
        }
        if (in_force<"placement.failure.chain">()) text += "\n  " + line;
        before = std::move(line);
    }
    return error{text + "\n  on " + l.text(last.is) + ": " + detail::in_words(g, last.why)};
}

}  // namespace inlay

#endif
