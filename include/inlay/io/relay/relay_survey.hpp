// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_SURVEY_HPP
#define INLAY_IO_RELAY_RELAY_SURVEY_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/relay/relay_cursor.hpp>
#include <inlay/io/relay/relay_types.hpp>

namespace inlay {

/// What a text has in it, by a first look: its definitions may mention each other in any order, and the metadata stands behind them.
struct relay_survey {
    std::string_view program, metadata;
    source_position metadata_at;                                 // unknown where there is no metadata
    std::unordered_map<std::string, source_position> functions;  // by name
    std::vector<source_position> type_ends;                      // where the text goes on behind each definition of a type

    /// `@main` and others, in ascending order.
    [[nodiscard]] std::vector<std::string> function_names() const {
        std::vector<std::string> names;
        for (const auto& [name, at] : functions) names.push_back("@" + name);
        std::sort(names.begin(), names.end());
        return names;
    }
};

/// The name that a token of a global has.
[[nodiscard]] inline std::string global_relay_name(const relay_token& t) {
    return t.text.find('\\') == std::string_view::npos ? std::string(t.text) : unquoted_relay_text(t.text);
}

/// Looks through a text and reads its definitions of types. Linear.
[[nodiscard]] inline relay_survey survey_relay(std::string_view text, relay_types& types, relay_faults& faults) {
    relay_survey s;
    s.program = text;
    const auto offset = [&](const relay_token& t) { return static_cast<std::size_t>(t.text.data() - text.data()); };
    std::vector<std::pair<relay_cursor, bool>> definitions;
    relay_cursor c(text, faults);
    while (!c.at_end()) {
        if (c.at('#')) {
            const relay_token mark = c.next();
            if (!c.take('[') || !c.take_name("metadata") || !c.at(']')) continue;
            s.program = text.substr(0, offset(mark));
            s.metadata = text.substr(offset(c.now()) + 1);
            s.metadata_at = mark.at;
            break;
        }
        const bool is_external = c.take_name("extern");
        if (c.at_name("type") && c.at_definition()) {
            definitions.emplace_back(c, is_external);
            types.declare(c);
        } else if (c.take_name("def")) {
            if (c.at(relay_word::global) && !s.functions.try_emplace(global_relay_name(c.now()), c.place()).second)
                c.fault("the function " + quoted_text("@" + std::string(c.now().text)) +
                        " is defined twice; give one of them another name");
            continue;
        }
        c.next();
    }
    for (auto& [at, is_external] : definitions) {
        if (!types.define(at, is_external))
            while (!at.at_end() && !at.at('}') && !at.at_definition()) at.next();
        if (at.at('}')) at.next();
        s.type_ends.push_back(at.place());
    }
    types.finish_definitions();
    return s;
}

}  // namespace inlay

#endif
