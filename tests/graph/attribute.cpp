// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/attribute.hpp>

#include <doctest/doctest.h>

using inlay::attribute_map;
using integers = std::vector<std::int64_t>;

TEST_CASE("attributes stand in the order of their names, however they were given") {
    const attribute_map m{{"pads", integers{1, 2}}, {"auto_pad", std::string("SAME")}, {"group", std::int64_t{4}}};
    std::vector<std::string> names;
    for (const auto& [name, value] : m) names.push_back(name);
    CHECK(names == std::vector<std::string>{"auto_pad", "group", "pads"});
    CHECK(m.size() == 3);
    CHECK_FALSE(m.empty());
    CHECK(attribute_map().empty());
}

TEST_CASE("setting replaces, erasing removes, and both leave the rest") {
    attribute_map m{{"a", std::int64_t{1}}, {"b", std::int64_t{2}}};
    m.set("a", 2.5);
    CHECK(m.size() == 2);
    CHECK(m.number("a", 0) == 2.5);
    m.erase("b");
    m.erase("c");
    CHECK(m.size() == 1);
    CHECK(m.find("b") == nullptr);
    CHECK(m.find("a") != nullptr);
    CHECK(m.find("") == nullptr);
}

TEST_CASE("an attribute is read as its own type or by the default") {
    const attribute_map m{{"i", std::int64_t{3}}, {"f", 0.5}, {"s", std::string("x")}, {"l", integers{4, 5}}};
    CHECK(m.integer("i", 9) == 3);
    CHECK(m.integer("f", 9) == 9);
    CHECK(m.integer("none", 9) == 9);
    CHECK(m.number("f", 1) == 0.5);
    CHECK(m.number("i", 1) == 1.0);
    CHECK(m.text("s", "d") == "x");
    CHECK(m.text("l", "d") == "d");
    CHECK(m.integers("l") == integers{4, 5});
    CHECK(m.integers("i", {7}) == integers{7});
    CHECK(m.get<double>("i") == nullptr);
    REQUIRE(m.get<integers>("l") != nullptr);
    CHECK(m.get<integers>("l")->size() == 2);
}

TEST_CASE("copies share their entries until one of them is changed") {
    attribute_map a{{"a", std::int64_t{1}}, {"b", std::string("two")}};
    attribute_map b = a;
    CHECK(a.find("a") == b.find("a"));
    b.set("a", std::int64_t{3});
    CHECK(a.integer("a", 0) == 1);
    CHECK(b.integer("a", 0) == 3);
    CHECK(b.text("b", "") == "two");
    attribute_map c = b;
    c.erase("a");
    CHECK(b.size() == 2);
    CHECK(c.size() == 1);
    c.erase("none");
    b = a;
    CHECK(b == a);
    const attribute_map d = std::move(a);
    CHECK(a.empty());
    CHECK(a.begin() == a.end());
    CHECK(d.integer("a", 0) == 1);
    a = c;
    a = std::move(c);
    CHECK(a.text("b", "") == "two");
}

TEST_CASE("maps are equal by names, types and values, not by how they came to be") {
    attribute_map a{{"x", std::int64_t{1}}, {"y", 2.0}}, b{{"y", 2.0}};
    CHECK_FALSE(a == b);
    b.set("x", std::int64_t{1});
    CHECK(a == b);
    CHECK(inlay::content_of(a) == inlay::content_of(b));
    b.set("x", 1.0);
    CHECK_FALSE(a == b);
    CHECK(inlay::content_of(attribute_map{{"ab", std::string("c")}}) != inlay::content_of(attribute_map{{"a", std::string("bc")}}));
    CHECK(inlay::content_of(attribute_map{{"l", integers{}}}) != inlay::content_of(attribute_map{{"l", std::vector<double>{}}}));
}

TEST_CASE("tensors among attributes are equal by type and elements") {
    const auto with = [](inlay::tensor t) { return attribute_map{{"value", std::move(t)}}; };
    const std::vector<float> two{1, 2};
    CHECK(with(inlay::tensor::of({2}, two)) == with(inlay::tensor::of({2}, two)));
    CHECK_FALSE(with(inlay::tensor::of({2}, two)) == with(inlay::tensor::of({1, 2}, two)));
    CHECK_FALSE(with(inlay::tensor::of({2}, two)) == with(inlay::tensor::of({2}, std::vector<float>{1, 3})));
}

TEST_CASE("room made beforehand changes nothing that a map says, nor the maps that share its entries") {
    attribute_map a;
    a.reserve(3);
    CHECK(a.empty());
    a.set("b", std::int64_t{2});
    const attribute_map before = a;
    a.reserve(100);
    a.set("c", std::int64_t{3});
    a.set("a", std::int64_t{1});
    CHECK(before.size() == 1);
    CHECK(a == attribute_map{{"a", std::int64_t{1}}, {"b", std::int64_t{2}}, {"c", std::int64_t{3}}});
    CHECK(attribute_map() == [] {
        attribute_map empty;
        empty.reserve(0);
        return empty;
    }());
}
