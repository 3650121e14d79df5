// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/match/shared_operators.hpp>

#include <string_view>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

#include "pattern/by_text.hpp"

using namespace inlay;

namespace {

/// relu(add(conv(x), mul(x, x))), and its root.
struct small_net {
    ir_builder b;
    node_id root = 0;

    const ir_module& make() {
        const node_id x = b.input("x", {});
        root = b.call("relu", {b.call("add", {b.call("conv", {x}), b.call("mul", {x, x})})});
        return b.so_far();
    }
};

std::size_t shared(std::string_view pattern) {
    small_net n;
    const ir_module& g = n.make();
    const pattern_value p = pattern_test::read(pattern);
    return shared_operators(p.view(), g, n.root);
}

}  // namespace

TEST_CASE("operators are counted where the pattern has them, on both sides of one that differs") {
    CHECK(shared("relu(add(conv(*), mul(*, *)))") == 4);
    CHECK(shared("relu(add(dense(*), mul(*, *)))") == 3);
    CHECK(shared("relu(sub(conv(*), mul(*, *)))") == 1);
    CHECK(shared("tanh(add(conv(*), mul(*, *)))") == 0);
    CHECK(shared("relu(add(mul(*, *), conv(*)))") == 2);
    CHECK(shared("relu(add(*, ?y))") == 2);
}

TEST_CASE("of alternatives, operands in any order and steps that are repeated the most counts") {
    CHECK(shared("tanh(*) | relu(add) | relu") == 2);
    CHECK(shared("relu(add~(mul(*, *), conv(*)))") == 4);
    CHECK(shared("relu(add~(mul(*, *), mul(*, *)))") == 3);
    CHECK(shared("repeat(relu/add(_, ...), conv(*))") == 3);
    CHECK(shared("?r:relu[a=1](add){float32}") == 2);
    CHECK(shared("%t:relu(add(%t, *))") == 2);
    CHECK(shared("dominates(conv, add, relu)") == 1);
}
