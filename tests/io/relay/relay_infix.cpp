// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_infix.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("products bind before sums, these before comparisons, and equality last") {
    CHECK(relay_order('*') == relay_order('/'));
    CHECK(relay_order('*') > relay_order('+'));
    CHECK(relay_order('+') == relay_order('-'));
    CHECK(relay_order('-') > relay_order('<'));
    CHECK(relay_order(relay_word::greater_equal) == relay_order('<'));
    CHECK(relay_order('>') > relay_order(relay_word::equal));
    CHECK(relay_order(relay_word::not_equal) == relay_order(relay_word::equal));
    CHECK(relay_order(relay_word::equal) > 0);
    CHECK(relay_order('=') == 0);
    CHECK(relay_operator('/') == "divide");
    CHECK(relay_operator(relay_word::less_equal) == "less_equal");
    CHECK(relay_operator(relay_word::not_equal) == "not_equal");
}
