// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_REWRITE_REPORT_HPP
#define INLAY_REWRITE_REWRITE_REPORT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/core/id.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

/// Why a match of a rule was not rewritten.
enum class rule_refusal : std::uint8_t {
    condition,       // the rule's condition, or its function, said no
    shared,          // an inner node of the match is read from outside
    type_change,     // the replacement is of another type
    no_type,         // the types of the nodes that it would make do not follow
    no_change,       // the replacement is what stood there
    order,           // what is read from outside would have to be computed before what it depends on
    crosses_blocks,  // it would be computed in a block other than where it is read
    crosses_places,  // its nodes are on several devices, or in several memories
    cancels,         // the rule is of the class `cancelling`, and these are not applied
    wrong            // it was evaluated on both sides, and gives other numbers
};

inline constexpr std::size_t rule_refusals = 10;

[[nodiscard]] constexpr const char* to_text(rule_refusal r) {
    constexpr const char* words[] = {"its condition said no",
                                     "an inner node is read from outside",
                                     "the replacement is of another type",
                                     "the types of the replacement do not follow",
                                     "the replacement is what stood there",
                                     "the replacement would be read before it is computed",
                                     "the match crosses blocks",
                                     "the match crosses places",
                                     "it may lose a rounding of the program, and such rules are applied only on request",
                                     "it gives other numbers here"};
    return words[static_cast<std::size_t>(r)];
}

/// The statistics of one rewriting.
struct rewrite_report {
    enum class stop : std::uint8_t { fixpoint, out_of_fuel, stopped, too_large };

    /// One rule.
    struct line {
        std::string name;
        exactness kind = exactness::bounded;
        std::size_t matches = 0;
        std::size_t fired = 0;
        std::ptrdiff_t grown = 0;                 // nodes that its rewrites made, less those that they left unread
        std::size_t refused[rule_refusals] = {};  // by rule_refusal
        std::string last_reason;                  // of the last refusal that has one
    };

    std::vector<line> rules;  // in the order of the rule book
    std::size_t visited = 0;  // nodes at which rules were tried
    std::size_t fired = 0;
    stop why = stop::fixpoint;
    std::size_t nodes = 0;             // where the program grew too large: how many it has
    std::size_t growing = 0;           // and the rule that made it grow the most
    std::vector<std::size_t> chasing;  // where the fuel ran out: the rules that fired on each other's nodes, in a ring
};

/// A line per rule that matched, one of those that did not, which of those that fired are not exact, and why rewriting stopped.
[[nodiscard]] inline std::string to_text(const rewrite_report& r) {
    std::string text;
    for (const rewrite_report::line& l : r.rules) {
        if (l.matches == 0) continue;
        text +=
            l.name + ": fired " + std::to_string(l.fired) + " of " + std::to_string(l.matches) + (l.matches == 1 ? " match" : " matches");
        for (std::size_t i = 0; i < rule_refusals; ++i)
            if (l.refused[i] != 0) text += "; " + std::to_string(l.refused[i]) + " refused: " + to_text(static_cast<rule_refusal>(i));
        if (!l.last_reason.empty()) text += " (" + l.last_reason + ")";
        text += "\n";
    }
    bool any = false;
    for (const rewrite_report::line& l : r.rules) {
        if (l.matches != 0) continue;
        text += (any ? ", " : "no match: ") + l.name;
        any = true;
    }
    if (any) text += "\n";
    // What the rules that fired may have done to results.
    for (const exactness kind : {exactness::bounded, exactness::cancelling}) {
        any = false;
        for (const rewrite_report::line& l : r.rules) {
            if (l.kind != kind || l.fired == 0) continue;
            text += (any ? ", " : std::string(to_text(kind)) + ": ") + l.name;
            any = true;
        }
        if (any) text += "\n";
    }
    switch (r.why) {
        case rewrite_report::stop::fixpoint:
            text += "no rule applies any more";
            break;
        case rewrite_report::stop::stopped:
            text += "stopped from outside";
            break;
        case rewrite_report::stop::too_large:
            text += "stopped with " + std::to_string(r.nodes) + " nodes after " + std::to_string(r.fired) +
                    " rewrites, which is too many; rule " + r.rules[r.growing].name + " made " + std::to_string(r.rules[r.growing].grown) +
                    " of them";
            break;
        case rewrite_report::stop::out_of_fuel:
            text += "out of fuel after " + std::to_string(r.fired) + " rewrites";
            for (std::size_t i = 0; i < r.chasing.size(); ++i)
                text += (i == 0 ? "; these rules undo or feed each other: " : ", ") + r.rules[r.chasing[i]].name;
            break;
    }
    return text + "\n";
}

}  // namespace inlay

#endif
