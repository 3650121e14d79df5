// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_TARGET_TEXT_HPP
#define INLAY_EXAMPLES_INLAY_TARGET_TEXT_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>

namespace tool {

/// One target as it was written: its kind and its options, values without quotes.
struct target_words {
    std::string kind;
    std::vector<std::pair<std::string, std::string>> options;
};

/// The targets in a text like `accel -rows=16, cpu_simd`. A comma separates after a bare kind or before a blank; elsewhere it belongs to
/// the option's value; quotes protect commas and blanks.
[[nodiscard]] inline inlay::outcome<std::vector<target_words>> parse_targets(std::string_view text) {
    std::vector<target_words> targets;
    std::vector<std::string> words{{}};
    const std::string where = "target text '" + std::string(text.substr(0, 60)) + (text.size() > 60 ? "...'" : "'");
    const auto close = [&]() -> inlay::outcome<void> {
        target_words t;
        for (const std::string& w : words) {
            if (w.empty()) continue;
            if (t.kind.empty()) {
                if (w.front() == '-') return inlay::error{where + " begins with the option '" + w + "'; a target begins with its kind"};
                t.kind = w;
                continue;
            }
            const std::size_t equals = w.find('=');
            if (w.front() != '-' || equals == std::string::npos || equals == 1)
                return inlay::error{where + " holds '" + w + "' where an option '-name=value' is expected"};
            t.options.emplace_back(w.substr(1, equals - 1), w.substr(equals + 1));
        }
        if (t.kind.empty()) return inlay::error{where + " names no target between two commas; write KIND -name=value, KIND"};
        targets.push_back(std::move(t));
        words.assign(1, {});
        return {};
    };
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        std::string& word = words.back();
        if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == ' ' || c == '\t') {
            if (!word.empty()) words.emplace_back();
        } else if (c == ',' && (word.empty() || word.front() != '-' || i + 1 == text.size() || text[i + 1] == ' ')) {
            if (auto closed = close(); !closed) return closed.failure();
        } else {
            word += c;
        }
    }
    if (quote != 0) return inlay::error{where + " has a quote " + quote + " that is never closed; close it"};
    if (auto closed = close(); !closed) return closed.failure();
    return targets;
}

}  // namespace tool

#endif
