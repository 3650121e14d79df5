// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_PARSE_PATTERN_HPP
#define INLAY_PATTERN_TEXT_PARSE_PATTERN_HPP

#include <string_view>

#include <inlay/core/outcome.hpp>
#include <inlay/pattern/term/pattern_value.hpp>
#include <inlay/pattern/text/pattern_parser.hpp>
#include <inlay/pattern/text/pattern_text_options.hpp>
#include <inlay/pattern/text/text_cursor.hpp>

namespace inlay {

/// Reads a pattern from its text. The error has line, column and a caret. O(text).
[[nodiscard]] inline outcome<pattern_value> parse_pattern(std::string_view text, const pattern_text_options& options = {}) {
    text_cursor cursor(text, "pattern");
    pattern_builder builder;
    const auto root = pattern_parser(cursor, builder, options).pattern();
    if (!root) return root.failure();
    if (!cursor.at_end()) return cursor.expected("the end of the pattern, '|' or '&'");
    return builder.finish(*root);
}

}  // namespace inlay

#endif
