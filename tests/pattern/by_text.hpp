// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PATTERN_BY_TEXT_HPP
#define INLAY_TESTS_PATTERN_BY_TEXT_HPP

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/core/sorted_list.hpp>
#include <inlay/pattern/match/matcher.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>
#include <inlay/pattern/text/pattern_text.hpp>

namespace pattern_test {

/// A match: the nodes it covers, ascending, and what each name is bound to.
struct told_match {
    std::vector<inlay::node_id> nodes;
    std::map<std::string, inlay::node_id> bound;

    friend bool operator==(const told_match&, const told_match&) = default;
};

inline inlay::pattern_value read(std::string_view text) {
    auto p = inlay::parse_pattern(text);
    if (!p) FAIL(p.failure().message);
    return *p;
}

/// All matches of a pattern, given as text, at a node.
template <class G>
std::vector<told_match> all(std::string_view text, const G& g, inlay::node_id root, std::size_t steps = 1'000'000) {
    const inlay::pattern_value made = read(text);
    const inlay::pattern_view p = made.view();
    const inlay::user_lists users(g);
    inlay::matcher<G> m(g, users, {steps});
    std::vector<told_match> found;
    m.each(p, root, [&](const inlay::found_match& one) {
        told_match& t = found.emplace_back();
        t.nodes.assign(one.covered.begin(), one.covered.end());
        inlay::sort_unique(t.nodes);
        for (std::size_t i = 0; i < p.slots.size(); ++i)
            if (one.bound[i] != inlay::no_node) t.bound[std::string(p.slots[i])] = one.bound[i];
        return false;
    });
    return found;
}
template <class G>
bool matches(std::string_view text, const G& g, inlay::node_id root) {
    return !all(text, g, root).empty();
}

/// What the text reads as, printed again.
inline std::string printed(std::string_view text) { return inlay::to_text(read(text).view()); }

/// The sentence that says why a text is no pattern; empty where it is one.
inline std::string wrong(std::string_view text, const inlay::pattern_text_options& options = {}) {
    const auto p = inlay::parse_pattern(text, options);
    return p ? std::string() : p.failure().message;
}

}  // namespace pattern_test

#endif
