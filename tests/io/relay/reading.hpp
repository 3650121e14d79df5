// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_IO_RELAY_READING_HPP
#define INLAY_TESTS_IO_RELAY_READING_HPP

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <inlay/io/relay/read_relay.hpp>

namespace inlay_test {

[[nodiscard]] inline inlay::ir_module reading(std::string_view text) {
    auto read = inlay::read_relay(text);
    REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
    return *std::move(read);
}

/// The faults of a text, each with its place and without the line of the text.
[[nodiscard]] inline std::string faults_of(std::string_view text) {
    const auto read = inlay::read_relay(text);
    if (read) return {};
    std::string faults, line;
    for (const char c : read.failure().message + "\n") {
        line += c;
        if (c != '\n') continue;
        if (line.starts_with("line ")) faults += line;
        line.clear();
    }
    return faults;
}

/// As many times the text.
[[nodiscard]] inline std::string times(std::size_t count, std::string_view text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

}  // namespace inlay_test

#endif
