// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_NEAREST_NAME_HPP
#define INLAY_CORE_NEAREST_NAME_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// How many single characters must be inserted, removed or replaced to turn one word into the other (Levenshtein's distance).
/// Time a·b, memory b.
[[nodiscard]] inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

/// The known name that a mistyped one most likely means; the first of equals, empty where none is near (over half its letters off).
template <class Names>
[[nodiscard]] std::string_view nearest_name(std::string_view wanted, const Names& known) {
    std::string_view best;
    std::size_t least = static_cast<std::size_t>(-1);
    if (wanted.size() > 256) return best;
    for (const auto& candidate : known) {
        const std::string_view name(candidate);
        if (name.size() > 256) continue;
        const std::size_t distance = edit_distance(wanted, name);
        if (distance < least && 2 * distance <= std::max(wanted.size(), name.size())) {
            best = name;
            least = distance;
        }
    }
    return best;
}

/// What an error about an unknown name adds: ` (did you mean 'x'?)`, or the first known names where none is near.
template <class Names>
[[nodiscard]] std::string name_hint(std::string_view wanted, const Names& known) {
    const std::string_view near = nearest_name(wanted, known);
    if (!near.empty()) return " (did you mean " + quoted_text(near) + "?)";
    std::string list;
    std::size_t shown = 0;
    for (const auto& name : known) {
        if (shown++ == 8) {
            list += ", ...";
            break;
        }
        list += (list.empty() ? "" : ", ") + quoted_text(std::string_view(name));
    }
    return list.empty() ? std::string() : " (known: " + list + ")";
}

}  // namespace inlay

#endif
