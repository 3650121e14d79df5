// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/certificate_file.hpp>

#include <string>

#include <doctest/doctest.h>

namespace {

inlay::outcome<inlay::certificate> reading(const std::string& text) {
    const auto value = inlay::read_json(text);
    REQUIRE(value);
    return inlay::read_certificate(inlay::json_place(*value));
}

}  // namespace

TEST_CASE("a certificate reads back as it was written") {
    inlay::certificate proof;
    proof.bound = 0.1;
    proof.exponent = -3;
    proof.steps.push_back({{{{1, -2}, {std::int64_t{1} << 58}}, {{}, {}}}, 7u});
    proof.steps.push_back({});
    proof.steps.push_back({{{{0}, {5}}}, {}});
    const std::string text = inlay::write_json(inlay::certificate_json(proof));
    const auto back = reading(text);
    REQUIRE(back);
    CHECK(*back == proof);
    CHECK(inlay::write_json(inlay::certificate_json(*back)) == text);
}

TEST_CASE("what is none is refused with its place") {
    const auto fault = [](const std::string& text) {
        const auto read = reading(text);
        REQUIRE_FALSE(read);
        return read.failure().message;
    };
    CHECK(fault("[]") == "the file must be an object, and is a list");
    CHECK(fault(R"({"bound": 1, "exponent": 2})") == "the file has no key 'steps'");
    CHECK(fault(R"({"bound": "1", "exponent": 2, "steps": []})") == "bound must be a number, and is '1'");
    CHECK(fault(R"({"bound": 1, "exponent": 1e9, "steps": []})") == "exponent must be a whole number, and is 1e+09");
    CHECK(fault(R"({"bound": 1, "exponent": 4000, "steps": []})") == "exponent must be from -2000 to 2000");
    CHECK(fault(R"({"bound": 1, "exponent": 2, "steps": [{"price": []}]})") ==
          "steps[0] has the unknown key 'price' (did you mean 'prices'?)");
    CHECK(fault(R"({"bound": 1, "exponent": 2, "steps": [{"prices": [{"of_node": [1.5], "of_reader": []}]}]})") ==
          "steps[0].prices[0].of_node[0] must be a whole number, and is 1.5");
    CHECK(fault(R"({"bound": 1, "exponent": 2, "steps": [{"prices": [], "split": 4294967295}]})") ==
          "steps[0].split must be the number of a candidate");
    CHECK(fault(R"({"bound": 1, "exponent": 2, "steps": [{"prices": [], "split": -1}]})") ==
          "steps[0].split must be a whole number, 0 or more, and is -1");
}
