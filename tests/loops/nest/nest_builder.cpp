// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/nest_builder.hpp>

#include <utility>

#include <doctest/doctest.h>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/nest_text.hpp>

using namespace inlay;

TEST_CASE("a built nest has the parts it was given, and names of their own [loops.builder.names]") {
    nest_builder b("copy");
    const buffer_id x = b.buffer(buffer_scope::input, "x", element_type::int32, {3});
    const buffer_id y = b.buffer(buffer_scope::output, "x", element_type::int32, {3}, {2});
    const variable_id i = b.variable("x");
    const loop_nest n = std::move(b).finish(b.loop(i, 3, b.store(y, {affine::of(i)}, b.load(x, {affine::of(i)})), loop_kind::vector));
    CHECK(to_text(n) ==
          "nest copy {\n    input x: int32[3]\n    output x_1: int32[3] strides [2]\n    for x_2 < 3 vector {\n        x_1[x_2] = x[x_2]\n "
          "   }\n}\n");
    CHECK(n.buffers[x].strides == std::vector<std::int64_t>{1});
}

TEST_CASE("expressions know what they give [loops.builder.elements]") {
    nest_builder b("types");
    const expression_id two = b.number(2), small = b.integer(3, element_type::int8);
    const auto element = [&](expression_id e) { return b.so_far().expressions[e].element; };
    CHECK(element(two) == element_type::float32);
    CHECK(element(b.index(affine(1))) == element_type::int64);
    CHECK(element(b.apply(scalar_function::less, {two, two})) == element_type::boolean);
    CHECK(element(b.apply(scalar_function::negate, {small})) == element_type::int8);
    CHECK(element(b.cast(small, element_type::float16)) == element_type::float16);
    CHECK(element(b.within({}, small, small)) == element_type::int8);
}

TEST_CASE("a call has the places and numbers that it was given [loops.builder.names]") {
    nest_builder b("n");
    const buffer_id y = b.buffer(buffer_scope::output, "y", element_type::float32, {2});
    nest_builder inner("f");
    inner.buffer(buffer_scope::output, "z", element_type::float32, {2});
    const function_id f = b.function(std::move(inner).finish(0));
    const loop_nest n = std::move(b).finish(b.call(f, {{y, {affine()}}}));
    CHECK(n.functions[f].is_external());
    CHECK(parameters_of(n.functions[f]) == std::vector<buffer_id>{0});
    CHECK(n.statements[n.root].places == std::vector<nest_place>{{y, {affine()}}});
    CHECK(check_nest(n));
    nest_builder other("n");
    other.function(n);
    CHECK(other.so_far().variables.empty());
    const variable_id v = other.variable("n");
    CHECK(other.so_far().variables[v] == "n_1");
}
