// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit/region_nest.hpp>

#include <cstddef>
#include <optional>
#include <string>

#include <doctest/doctest.h>

#include "../looping_backend.hpp"

#include <inlay/loops/nest/nest_text.hpp>

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

TEST_CASE("the loops of a region are shown as they are lowered, or after a phase [codegen.loops.shown]") {
    const toys::sample_region sample(toys::small_network());
    const auto shown = [&](const auto& back_end, std::optional<std::size_t> last) {
        const auto made = loops_of(back_end, sample.view(), "shown", last);
        return made ? to_text(*made) : made.failure().message;
    };
    const toys::looping own;
    CHECK(shown(own, {}).find("outside") == std::string::npos);
    CHECK(shown(own, 0) == shown(own, {}));
    CHECK(shown(own, 1).find("for inside < 1 {") != std::string::npos);
    CHECK(shown(own, 2) == shown(own, 1));
    CHECK(shown(own, 3).find("for inside < 1 unrolled {") != std::string::npos);
    // Constants are lifted there, so that axes are not known.
    CHECK(shown(toys::lifted_looping(), 3).find("axes that are not known") != std::string::npos);
    // A back end without nests of this kind is shown the library's.
    CHECK(shown(toys::rows(), 3).find("nest shown {") == 0);
}
