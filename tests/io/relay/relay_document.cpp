// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_document.hpp>

#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/io/relay/read_relay.hpp>
#include <inlay/ir/compare_programs.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/relay_text.hpp>
#include <inlay/target/read_target.hpp>

#include "ir/random_relay.hpp"

using namespace inlay;

TEST_CASE("the text of a placed program has its metadata, and reads back as an equal program [placement.text.metadata]") {
    const placement there = placement::on(*read_target("cuda -arch=sm_50", known_targets<>()), 1, "near");
    const tensor_type row(element_type::float32, {2});
    ir_builder b;
    const node_id x = b.input("x", row);
    b.set_where(x, there);
    const node_id sum = b.call("add", {x, b.constant(tensor::of({2}, std::vector<float>{1, 2}))}, {}, row);
    const node_id f = b.function(std::span(&x, 1), sum, "main");
    b.set_where(f, there);
    b.declare(f);
    const ir_module m = b.finish_in_blocks();
    const std::string text = relay_text(m);
    CHECK(text.find("\n#[metadata]\n{") != std::string::npos);
    CHECK(text == relay_document(m));
    const auto read = read_relay(text);
    REQUIRE_MESSAGE(read, (read ? std::string() : read.failure().message));
    CHECK(read->where(read->inputs()[0]) == there);
    CHECK_FALSE(compare_programs(m, *read));
    // What refers to nothing has none.
    ir_builder plain;
    const node_id y = plain.input("y", row);
    plain.declare(plain.function(std::span(&y, 1), y, "main"));
    CHECK(relay_text(plain.finish_in_blocks()).find("metadata") == std::string::npos);
}

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
