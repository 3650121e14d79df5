// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/rewrite/instantiate.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include <inlay/passes/infer_call.hpp>
#include <inlay/pattern/text/parse_pattern.hpp>

#include "small_program.hpp"

using namespace inlay;

TEST_CASE("a tensor is filled with a number that its element type holds") {
    const auto two = filled_tensor(element_type::float32, {2, 1}, 2.5);
    REQUIRE(two);
    CHECK(two->extents() == std::vector<std::int64_t>{2, 1});
    CHECK(two->as<float>()[1] == 2.5f);
    CHECK(filled_tensor(element_type::int64, {}, -7)->as<std::int64_t>()[0] == -7);
    CHECK(filled_tensor(element_type::boolean, {}, 1)->as<bool>()[0]);
    CHECK_FALSE(filled_tensor(element_type::int64, {}, 2.5));
    CHECK_FALSE(filled_tensor(element_type::uint8, {}, 256));
    CHECK_FALSE(filled_tensor(element_type::uint8, {}, -1));
    CHECK_FALSE(filled_tensor(element_type::int32, {}, std::nan("")));
    CHECK_FALSE(filled_tensor(element_type::boolean, {}, 2));
    CHECK_FALSE(filled_tensor(element_type::string, {}, 0));
    CHECK_FALSE(filled_tensor(element_type::float32, {INT64_MAX, INT64_MAX}, 0));
    CHECK_FALSE(filled_tensor(element_type::uint64, {}, 1e30));
}

namespace {

struct built {
    small_program p;
    node_id x = p.input({2}, "x");
    node_id a = p.call("Abs", {x}, {{"k", std::int64_t{3}}, {"m", 0.5}});
    ir_module m = p.finish({a});
    working_graph<ir_module> w{m};
    bool failed = false;

    node_id from(const char* right) {
        pattern_text_options options;
        options.dialect = "onnx";
        const auto l = parse_pattern("?a:Abs(?x)", options);
        options.builds = true;
        const auto r = parse_pattern(right, options);
        REQUIRE(r);
        const pattern_view left = l->view(), view = r->view();
        fragment f(w, &infer_call<few_ops>);
        const node_id bound[] = {a, x}, n = instantiation(left, view, f, a, bound).build(view.root);
        failed = f.has_failed();
        return n;
    }
};

}  // namespace

TEST_CASE("captures stand for the nodes that they are bound to") {
    built b;
    CHECK(b.from("?x") == b.x);
    const node_id n = b.from("Neg(Add(?x, ?a))");
    CHECK(b.w.op(n) == "onnx.Neg");
    CHECK(b.w.operand(b.w.operand(n, 0), 1) == b.a);
    CHECK(to_string(b.w.type(n)) == "float32[2]");
}

TEST_CASE("a number is a scalar of the element type of what is replaced, or as its type says") {
    built b;
    const node_id sum = b.from("Add(?x, 2)"), two = b.w.operand(sum, 1);
    CHECK(b.w.constant(two)->element() == element_type::float32);
    CHECK(b.w.constant(two)->rank() == 0);
    CHECK(b.w.constant(b.from("2{int64[3]}"))->count() == 3);
    b.from("Add(?x, 2.5{int64[1]})");
    CHECK(b.failed);
}

TEST_CASE("attributes are copied as a whole first, then set and taken away one by one") {
    built b;
    const attribute_map& made = b.w.attributes(b.from("Abs[?a, !m, k=4, t=\"s\", l=[1,2], r=[0.5], w=[\"a\"], n=1.5](?x)"));
    CHECK(made.integer("k", 0) == 4);
    CHECK(made.find("m") == nullptr);
    CHECK(made.text("t", "") == "s");
    CHECK(made.integers("l") == std::vector<std::int64_t>{1, 2});
    CHECK(made.get<std::vector<double>>("r")->front() == 0.5);
    CHECK(made.get<std::vector<std::string>>("w")->front() == "a");
    CHECK(made.number("n", 0) == 1.5);
}

TEST_CASE("tuples, their fields and calls of many operands are built") {
    built b;
    const node_id t = b.from("(?x, Neg(?x))");
    CHECK(b.w.kind(t) == node_kind::tuple);
    const node_id f = b.from("(?x, Neg(?x)).1");
    CHECK(b.w.kind(f) == node_kind::projection);
    CHECK(b.w.field(f) == 1);
    CHECK(b.w.arity(b.from("Sum(?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x)")) == 10);
}
