// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_document.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/io/relay/read_relay.hpp>
#include <inlay/ir/compare_programs.hpp>
#include <inlay/ir/relay_text.hpp>

#include "ir/random_relay.hpp"

using namespace inlay;

TEST_CASE("what is printed of any program reads back as an equal one, which prints the same") {
    for (std::uint32_t seed = 0; seed < 800; ++seed) {
        const ir_module m = inlay_test::random_relay(seed).module(seed % 60);
        const std::string text = relay_document(m);
        CAPTURE(seed);
        CAPTURE(text);
        const auto read = read_relay(text);
        REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
        REQUIRE(relay_document(*read) == text);
        const auto difference = compare_programs(m, *read);
        REQUIRE_MESSAGE(!difference, difference.value_or(std::string()));
    }
}
