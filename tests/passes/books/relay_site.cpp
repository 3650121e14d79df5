// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/relay_site.hpp>

#include <optional>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/reshaping.hpp>
#include <inlay/ops/op_table.hpp>
#include <inlay/passes/infer_call.hpp>

#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;
using working = working_graph<ir_module>;
using ops_here = op_table<onnx_arithmetic<>, onnx_reshaping<>>;

namespace {

/// `mine.Op` of a tensor and of a tuple of two, one of which is not typed yet, and its second field.
ir_module program_with(bool typed) {
    return program({f32({2, 3, 4}), f32({3})}, [&](ir_builder& b, const std::vector<node_id>& x) {
        const node_id late = b.call("mine.Later", {x[1]}, {}, typed ? node_type(f32({3})) : node_type());
        const node_id pair[] = {x[1], late};
        return b.projection(b.call("mine.Op", {x[0], b.tuple(pair)}, {{"axis", std::int64_t{-2}}, {"layout", std::string("ABC")}}), 1);
    });
}
node_id root_of(const ir_module& m) { return m.results()[0]; }

}  // namespace

TEST_CASE("lists are lists or one number, numbers whole or not") {
    const attribute_map a{{"list", ints{1, 2}}, {"one", std::int64_t{3}}, {"half", 0.5}};
    CHECK(detail::relay_list(a, "list") == ints{1, 2});
    CHECK(detail::relay_list(a, "one") == ints{3});
    CHECK_FALSE(detail::relay_list(a, "half").has_value());
    CHECK_FALSE(detail::relay_list(a, "none").has_value());
    CHECK(detail::relay_number(a, "half", 1) == 0.5);
    CHECK(detail::relay_number(a, "one", 1) == 3);
    CHECK(detail::relay_number(a, "none", 1) == 1);
}

TEST_CASE("a site opens tuples, knows its field, and waits for types") {
    const ir_module untyped = program_with(false), typed = program_with(true);
    working waiting(untyped), w(typed);
    fragment<working> g(waiting, nullptr), f(w, &infer_call<ops_here>);
    CHECK_FALSE(detail::relay_site<working>::of(waiting, root_of(untyped), g).has_value());
    auto s = detail::relay_site<working>::of(w, root_of(typed), f);
    REQUIRE(s.has_value());
    CHECK(s->op() == "mine.Op");
    CHECK(s->field() == 1);
    CHECK(s->arity() == 3);
    CHECK(s->rank() == 3);
    CHECK(s->extent_of(0, 1) == extent(3));
    CHECK(s->axis("axis", 0) == std::optional<std::size_t>(1));
    CHECK_FALSE(s->axis("none", 3).has_value());
}

TEST_CASE("a row is stretched along one axis, and numbers have the element type of an operand") {
    const ir_module m = program_with(true);
    working w(m);
    fragment<working> f(w, &infer_call<ops_here>);
    auto s = detail::relay_site<working>::of(w, root_of(m), f);
    REQUIRE(s.has_value());
    CHECK(s->along_axis(1, 2, 3) == s->operand(1));
    CHECK(to_string(w.type(s->along_axis(1, 0, 3))) == "float32[3,1,1]");
    const node_id filled = s->filled(0, {2}, 0.5);
    REQUIRE(w.constant(filled) != nullptr);
    CHECK(elements_of<float>(*w.constant(filled)) == floats{0.5f, 0.5f});
}

TEST_CASE("a refusal begins with the operator and says what was found") {
    const ir_module m = program_with(true);
    working w(m);
    fragment<working> f(w, nullptr);
    auto s = detail::relay_site<working>::of(w, root_of(m), f);
    REQUIRE(s.has_value());
    CHECK(s->refuse_attribute("layout", "ABD") == no_node);
    CHECK(f.reason() == "mine.Op has layout 'ABC', and the rules know ABD");
    fragment<working> second(w, nullptr);
    auto again = detail::relay_site<working>::of(w, root_of(m), second);
    CHECK(again->refuse_arity(2) == no_node);
    CHECK(second.reason() == "mine.Op has 3 operands, where 2 are expected");
}
