// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_INFIX_HPP
#define INLAY_IO_RELAY_RELAY_INFIX_HPP

#include <string_view>

#include <inlay/io/relay/relay_lexer.hpp>

namespace inlay {

/// How strongly an operator binds; 0: it is none.
[[nodiscard]] constexpr int relay_order(unsigned char sign) {
    switch (sign) {
        case '*':
        case '/':
            return 4;
        case '+':
        case '-':
            return 3;
        case '<':
        case '>':
        case relay_word::less_equal:
        case relay_word::greater_equal:
            return 2;
        case relay_word::equal:
        case relay_word::not_equal:
            return 1;
        default:
            return 0;
    }
}

/// The operator that a sign between two values stands for.
[[nodiscard]] constexpr std::string_view relay_operator(unsigned char sign) {
    switch (sign) {
        case '*':
            return "multiply";
        case '/':
            return "divide";
        case '+':
            return "add";
        case '-':
            return "subtract";
        case '<':
            return "less";
        case '>':
            return "greater";
        case relay_word::less_equal:
            return "less_equal";
        case relay_word::greater_equal:
            return "greater_equal";
        case relay_word::equal:
            return "equal";
        default:
            return "not_equal";
    }
}

}  // namespace inlay

#endif
