// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TEXT_PARSE_PATTERN_IPP
#define INLAY_PATTERN_TEXT_PARSE_PATTERN_IPP

#include <string_view>

#include <inlay/pattern/text/parse_pattern.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/pattern/term/pattern_value.hpp>
#include <inlay/pattern/text/pattern_parser.hpp>
#include <inlay/pattern/text/pattern_text_options.hpp>
#include <inlay/pattern/text/text_cursor.hpp>

namespace inlay {

outcome<pattern_value> parse_pattern(std::string_view text, const pattern_text_options& options) {
    text_cursor cursor(text, "pattern");
    pattern_builder builder;
    const auto root = pattern_parser(cursor, builder, options).pattern();
    if (!root) return root.failure();
    if (!cursor.at_end()) return cursor.expected("the end of the pattern, '|' or '&'");
    return builder.finish(*root);
}

}  // namespace inlay

#endif
