// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_scope.hpp>

#include <string>

#include <doctest/doctest.h>

#include "io/model_text.hpp"

using namespace inlay;
using namespace inlay_test;
using detail::onnx_scope;

TEST_CASE("a name means the innermost value of it, and one scope gives it once") {
    onnx_scope outer, inner;
    inner.outer = &outer;
    CHECK(outer.define("x", 1, "an input").has_value());
    CHECK(outer.define("y", 2, "an input").has_value());
    CHECK(inner.define("y", 3, "a node").has_value());
    REQUIRE(inner.find("x") != nullptr);
    CHECK(*inner.find("x") == 1);
    CHECK(*inner.find("y") == 3);
    CHECK(*outer.find("y") == 2);
    CHECK(inner.find("z") == nullptr);
    const auto twice = inner.define("y", 4, "node 'n'");
    REQUIRE_FALSE(twice.has_value());
    CHECK(twice.failure().message == "node 'n' gives the name 'y' to a second tensor; names must be unique");
    CHECK(*inner.find("y") == 3);
    CHECK_FALSE(inner.define("", 5, "an input").has_value());
}

TEST_CASE("what inner graphs read or hand on counts as read") {
    const onnx::ModelProto model = model_of(model_text(
        13, node("If", "c", "y",
                 "attribute { name: 'then_branch' type: GRAPH g { name: 't' " + node("Relu", "x", "r") + "output { name: 'w' } } }")));
    onnx_scope s;
    s.collect_reads(model.graph().node());
    for (const char* name : {"c", "x", "w"}) CHECK(s.read.count(name) == 1);
    CHECK(s.read.count("r") == 0);
    CHECK(s.read.count("y") == 0);
}

TEST_CASE("a tensor without a declared type has an unknown one") {
    const onnx::ModelProto model = model_of(model_text(13, value("input", "x", 1, "2 3")));
    onnx_scope s;
    s.declared.emplace("x", &model.graph().input(0).type());
    CHECK(to_string(s.declared_type("x")) == "float32[2,3]");
    CHECK(s.declared_type("y") == node_type());
}
