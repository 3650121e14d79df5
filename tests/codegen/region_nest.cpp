// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/region_nest.hpp>

#include <string>

#include <doctest/doctest.h>

#include "looping_backend.hpp"

#include <inlay/loops/nest_text.hpp>

using namespace inlay;

TEST_CASE("a back end's strategy stands in the place of the library's lowering, and nobody else's [codegen.loops.strategies]") {
    const toys::sample_region sample(toys::small_network());
    toys::looping cheating;
    cheating.cheats = true;
    const auto honest = toys::looping().lower(sample.view()), cheat = cheating.lower(sample.view());
    const auto other = toys::lifted_looping().lower(sample.view());
    REQUIRE((honest && cheat && other));
    CHECK(honest->constants.size() == 3);
    CHECK(to_text(honest->loops).find("max(") != std::string::npos);
    CHECK(to_text(cheat->loops).find("max(") == std::string::npos);
    CHECK(to_text(*other).find("max(") != std::string::npos);
}

TEST_CASE("what a strategy says is passed on with the back end's name [codegen.loops.strategies]") {
    ir_builder b;
    b.open_block();
    const tensor_type row(element_type::float32, {4});
    const node_id x = b.input("x", row);
    b.declare(b.function(std::vector<node_id>{x}, b.call("onnx.Relu", {x}, {}, row), "main"));
    const toys::sample_region sample(b.finish());
    const auto refused = toys::looping().lower(sample.view());
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message == "onnx.Relu: back end 'looping' could not lower it: it takes no vectors");
}
