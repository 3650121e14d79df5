// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/text/parse_pattern.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <inlay/pattern/text/pattern_text.hpp>

// Any text is a pattern or refused with a sentence of UTF-8; what is a pattern prints as a text that reads and prints the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = inlay::parse_pattern(text);
    if (!read) {
        const std::string& said = read.failure().message;
        if (said.empty()) __builtin_trap();
        for (std::size_t i = 0; i < said.size();) {
            const std::size_t length = inlay::detail::character_length(said, i);
            if (length == 0) __builtin_trap();
            i += length;
        }
        return 0;
    }
    const std::string printed = inlay::to_text(read->view());
    // Parentheses that are written for order are nested once more, so that the deepest patterns may be too deep as they are printed.
    inlay::pattern_text_options options;
    options.most_depth *= 4;
    const auto again = inlay::parse_pattern(printed, options);
    if (!again || inlay::to_text(again->view()) != printed) __builtin_trap();
    return 0;
}
