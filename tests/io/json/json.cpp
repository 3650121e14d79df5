// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/json.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

static std::string refused(const std::string& text) {
    const auto read = read_json(text);
    return read ? std::string() : read.failure().message;
}

TEST_CASE("a text is read and written") {
    const auto read = read_json(R"( {"b": [1, -2.5, true, null], "a": {"x": "\u00e9\n"}} )");
    REQUIRE(read);
    CHECK(write_json(*read) == "{\"a\":{\"x\":\"é\\n\"},\"b\":[1,-2.5,true,null]}");
}

TEST_CASE("what is no JSON is refused with its place") {
    CHECK(refused("") == "the text ends too early to be JSON (line 1, column 1)");
    CHECK(refused("{\"a\":\n [1,}") == "this is no JSON (line 2, column 5)");
    CHECK(refused("[1] x") == "this is no JSON (line 1, column 5)");
    CHECK(refused("[1e999]") == "a number is too large for a double (line 1, column 6)");
    CHECK(refused("[01]") != "");
    CHECK(refused("[NaN]") != "");
    CHECK(refused("\"\xff\"") != "");
}

TEST_CASE("a key that stands twice is refused") {
    CHECK(refused("{\"a\":1,\"b\":{\"a\":1},\"a\":2}") == "the key 'a' stands twice in one object");
    CHECK(refused("{\"a\":1,\"b\":{\"a\":1}}").empty());
}

TEST_CASE("deep nesting is refused, and does no harm") {
    CHECK(refused(std::string(100000, '[')) == "objects and lists stand in each other more than 256 deep");
    CHECK(refused(std::string(256, '[') + std::string(256, ']')).empty());
}

TEST_CASE("numbers read back as the same double, in the fewest digits") {
    CHECK(json_number(0.1) == "0.1");
    CHECK(json_number(1e23) == "1e+23");
    CHECK(json_number(5e-324) == "5e-324");
    CHECK(json_number(-0.0) == "-0.0");
    CHECK(std::signbit(read_json(json_number(-0.0))->get<double>()));
    CHECK(json_number(std::nan("")) == "null");
    CHECK(rc::check("every finite double survives", [](std::uint64_t bits) {
        const auto value = std::bit_cast<double>(bits);
        if (std::isfinite(value)) RC_ASSERT(std::bit_cast<std::uint64_t>(std::strtod(json_number(value).c_str(), nullptr)) == bits);
    }));
}

TEST_CASE("written keys keep the order in which they were set, and plain lists stay on one line") {
    json_output out;
    out["version"] = 1;
    out["list"] = {1, 2};
    out["empty"] = json_output::array();
    out["deep"] = {{1}, {2}};
    CHECK(write_json(out) == "{\"version\":1,\"list\":[1,2],\"empty\":[],\"deep\":[[1],[2]]}");
    CHECK(write_json(out, 1) == "{\n \"version\": 1,\n \"list\": [1, 2],\n \"empty\": [],\n \"deep\": [\n  [1],\n  [2]\n ]\n}");
}

TEST_CASE("texts survive writing and reading, UTF-8 or not") {
    CHECK(rc::check("any bytes, as a value and as a key", [](const std::vector<unsigned char>& bytes) {
        std::string text;
        for (const unsigned char b : bytes) text += static_cast<char>(b);
        const auto read = read_json(write_json(json_output{{text, text}}));
        RC_ASSERT(read.has_value());
        RC_ASSERT(read->at(text).get<std::string>() == text);
    }));
    CHECK(write_json(json_output("a\xFF")) == R"("a\\xff")");
    CHECK(read_json(R"("a\\xff")")->get<std::string>() == "a\xFF");
    // A path of another system stays.
    CHECK(write_json(json_output("C:\\x41")) == R"("C:\\x41")");
}

TEST_CASE("a place says what is wrong with it") {
    const auto read = read_json(R"({"list": [{"cost": "a"}, {"cost": 1.5, "count": -1}], "nods": 1, "big": 18446744073709551615})");
    REQUIRE(read);
    const json_place root(*read);
    CHECK(root.only({"list", "nodes", "big"}).failure().message == "the file has the unknown key 'nods' (did you mean 'nodes'?)");
    CHECK(root.only({"list", "nods", "big"}));
    const auto list = root.member("list")->list();
    REQUIRE(list);
    CHECK((*list)[0].member("cost")->number().failure().message == "list[0].cost must be a number, and is 'a'");
    CHECK(*(*list)[1].member("cost")->number() == 1.5);
    CHECK((*list)[1].member("cost")->integer().failure().message == "list[1].cost must be a whole number, and is 1.5");
    CHECK((*list)[1].member("count")->count().failure().message == "list[1].count must be a whole number, 0 or more, and is -1");
    CHECK((*list)[0].member("missing").failure().message == "list[0] has no key 'missing'");
    CHECK_FALSE((*list)[0].find("missing").has_value());
    CHECK(root.member("big")->integer().failure().message == "big must be a number of 64 bits, and is 18446744073709551615");
    CHECK(root.number().failure().message == "the file must be a number, and is an object");
    CHECK(root.member("nods")->text().failure().message == "nods must be a text, and is 1");
    CHECK(root.member("list")->members().failure().message == "list must be an object, and is a list");
    CHECK(root.members()->size() == 3);
    CHECK(root.member("nods")->boolean().failure().message == "nods must be true or false, and is 1");
}
