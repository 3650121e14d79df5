// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/running_frames.hpp>

#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;
using inlay::detail::running_frames;

namespace {

/// x0, `once` read once, `twice` read twice, and their results.
ir_module shared_values() {
    return program({f32({3})}, [](ir_builder& b, auto& x) {
        const node_id once = b.call("onnx.Neg", {x[0]}, {}, {}, "once"), twice = b.call("onnx.Abs", {once}, {}, {}, "twice");
        return b.call("onnx.Add", {twice, twice}, {}, {}, "sum");
    });
}

runtime_value three() { return runtime_value(list_of(floats{1, 2, 3})); }

}  // namespace

TEST_CASE("A value is there from when it is set to its last use") {
    const ir_module m = shared_values();
    const auto scopes = function_scopes::of(m);
    REQUIRE(scopes.has_value());
    running_frames frames(m, *scopes, {});
    REQUIRE_FALSE(frames.enter(no_node, nullptr, {}).has_value());
    REQUIRE_FALSE(frames.enter(m.main(), nullptr, {three()}).has_value());
    const std::size_t f = frames.innermost();
    CHECK(f == 1);
    CHECK(frames.function(f) == m.main());
    CHECK(frames.has(f, m.inputs()[0]));
    const node_id once = named(m, "once"), twice = named(m, "twice");
    CHECK_FALSE(frames.has(f, once));
    CHECK(frames.value(f, once).empty());
    for (const node_id n : {once, twice}) {
        frames.set(f, n, three());
        REQUIRE(frames.value(f, n).as_tensor() != nullptr);
        CHECK(frames.value(f, n).as_tensor()->as<float>()[2] == 3);
        for (std::uint32_t left = scopes->uses(n); left-- > 0;) {
            CHECK(frames.has(f, n));
            frames.release(f, n);
        }
        CHECK_FALSE(frames.has(f, n));
    }
    CHECK(scopes->uses(twice) > scopes->uses(once));
    frames.leave();
    CHECK(frames.innermost() == 0);
}

TEST_CASE("A run that passes a bound is an error that names it") {
    const ir_module m = shared_values();
    const auto scopes = function_scopes::of(m);
    REQUIRE(scopes.has_value());
    interpret_options shallow;
    shallow.deepest_call = 1;
    running_frames frames(m, *scopes, shallow);
    CHECK_FALSE(frames.enter(no_node, nullptr, {}).has_value());
    CHECK_FALSE(frames.enter(m.main(), nullptr, {three()}).has_value());
    const std::optional<error> deep = frames.enter(m.main(), nullptr, {three()});
    REQUIRE(deep.has_value());
    CHECK(deep->message.find("interpret_options::deepest_call") != std::string::npos);
    interpret_options narrow;
    narrow.most_slots = 2;
    running_frames few(m, *scopes, narrow);
    CHECK_FALSE(few.enter(no_node, nullptr, {}).has_value());
    const std::optional<error> many = few.enter(m.main(), nullptr, {three()});
    REQUIRE(many.has_value());
    CHECK(many->message.find("more than 2 values") != std::string::npos);
}

TEST_CASE("Constants are always there, and in float64 where the interpretation is") {
    const ir_module m = program({f32({1})}, [](ir_builder& b, auto& x) {
        return b.call("onnx.Add", {x[0], b.constant(list_of(floats{0.5f}), "c")});
    });
    const auto scopes = function_scopes::of(m);
    REQUIRE(scopes.has_value());
    interpret_options wide;
    wide.in_float64 = true;
    for (const interpret_options& options : {interpret_options(), wide}) {
        running_frames frames(m, *scopes, options);
        REQUIRE_FALSE(frames.enter(no_node, nullptr, {}).has_value());
        const node_id c = named(m, "c");
        CHECK(frames.has(0, c));
        frames.release(0, c);
        REQUIRE(frames.value(0, c).as_tensor() != nullptr);
        CHECK(frames.value(0, c).as_tensor()->element() == (options.in_float64 ? element_type::float64 : element_type::float32));
    }
}
