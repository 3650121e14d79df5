// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/relay_to_onnx_rules.hpp>

#include <type_traits>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("Relay's rules are those of three books, and none shares its name") {
    constexpr auto all = relay_to_onnx_rules();
    CHECK(all.size == relay_element_rules().size + relay_shape_rules().size + relay_nn_rules().size);
    // A book with two rules of one name does not compile; this one is joined in order.
    CHECK(std::is_same_v<std::remove_cv_t<decltype(all)>, decltype(relay_element_rules() + relay_shape_rules() + relay_nn_rules())>);
}
