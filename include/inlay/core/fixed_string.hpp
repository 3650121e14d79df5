// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_FIXED_STRING_HPP
#define INLAY_CORE_FIXED_STRING_HPP

#include <cstddef>
#include <string_view>

namespace inlay {

/// A string literal as a template argument: `op<"Conv">`. Two equal literals are one argument.
template <std::size_t N>
struct fixed_string {
    char text[N]{};

    constexpr fixed_string(const char (&literal)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
    }

    [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }
};

}  // namespace inlay

#endif
