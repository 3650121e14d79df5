// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/json_reader.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("members are read by their kind, and what may be missing may") {
    const auto value = read_json(R"({"version": 1, "name": "n", "list": ["a", "b"], "seconds": 2.5, "none": null})");
    REQUIRE(value.has_value());
    const json_place root(*value);
    json_reader reader;
    reader.only(root, {"version", "name", "list", "seconds", "none"});
    reader.version(root, 1);
    CHECK(reader.text(root, "name") == "n");
    CHECK(reader.text_if(root, "other") == "");
    CHECK(reader.texts(root, "list") == std::vector<std::string>{"a", "b"});
    CHECK(reader.list(root, "list").size() == 2);
    CHECK(reader.list_if(root, "other").empty());
    CHECK(reader.amount(root, "seconds") == 2.5);
    CHECK(reader.amount_or_null(root, "seconds") == 2.5);
    CHECK_FALSE(reader.amount_or_null(root, "none").has_value());
    CHECK(reader.is_sound());
}

TEST_CASE("the first error is kept, and what follows it is harmless") {
    const auto value = read_json(R"({"version": 2, "name": 1, "seconds": -1})");
    REQUIRE(value.has_value());
    const json_place root(*value);
    json_reader reader;
    CHECK(reader.text(root, "name") == "");
    CHECK(reader.texts(root, "list").empty());
    CHECK(reader.amount(root, "missing") == 0);
    REQUIRE_FALSE(reader.is_sound());
    CHECK(reader.fault().message.find("name must be a text") == 0);
    json_reader other;
    other.version(root, 1);
    CHECK(other.fault().message == "the file has version 2; this program reads version 1");
    json_reader third;
    CHECK(third.amount(root, "seconds") == -1);
    CHECK(third.fault().message == "seconds is -1, and must be 0 or more");
}
