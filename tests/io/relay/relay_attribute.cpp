// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_attribute.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

relay_metadata sample() {
    relay_metadata m;
    m.constants.push_back(tensor::scalar(7.0f));
    m.placements.resize(2);
    m.others.push_back({"IntImm", {attribute_value(std::int64_t{5}), error{"is odd"}}});
    return m;
}

struct reader {
    relay_metadata metadata = sample();
    relay_faults faults{{}};
    relay_attribute made;

    explicit reader(std::string_view text) : faults(text) {
        relay_cursor c(text, faults);
        is_whole = relay_attribute_reader(&metadata).read(c, made) && c.at_end();
    }
    bool is_whole = false;

    [[nodiscard]] std::string fault() const { return faults.empty() ? "" : faults.all().front().message; }
};

template <class T>
T value(std::string_view text) {
    const reader r(text);
    REQUIRE(r.is_whole);
    REQUIRE(r.faults.empty());
    REQUIRE(r.made.what == relay_attribute::form::value);
    return std::get<T>(r.made.value);
}
using integers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("values are numbers, texts, truth and lists of them") {
    CHECK(value<std::int64_t>("-3") == -3);
    CHECK(value<double>("1e-05f64") == 1e-05);
    CHECK(value<double>("-inff64") < 0);
    CHECK(value<std::string>("\"a\"") == "a");
    CHECK(value<std::int64_t>("True") == 1);
    CHECK(value<integers>("[1, False, 3,]") == integers{1, 0, 3});
    CHECK(value<integers>("[]").empty());
    CHECK(value<integers>("[[1, 2], [], [[3]],]") == integers{1, 2, 3});
    CHECK(value<integers>("(1, 2)") == integers{1, 2});
    CHECK(value<std::vector<double>>("[1, 0.5]") == std::vector<double>{1, 0.5});
    CHECK(value<std::vector<std::string>>("[\"a\", \"b\"]") == std::vector<std::string>{"a", "b"});
    CHECK(reader("None").made.what == relay_attribute::form::nothing);
    CHECK(reader("nullptr").is_whole);
}

TEST_CASE("metadata is a constant, a place, or a plain value") {
    CHECK(value<tensor>("meta[relay.Constant][0]").as<float>()[0] == 7);
    CHECK(value<std::int64_t>("meta[IntImm][0]") == 5);
    const reader place("meta[VirtualDevice][1]");
    CHECK(place.made.what == relay_attribute::form::place);
    CHECK(place.made.place == 1);
    CHECK(reader("meta[IntImm][1]").fault() == "this value in the metadata is odd");
    CHECK(reader("meta[IntImm][2]").fault() == "this refers to 'IntImm' number 2 of the metadata, which has 2");
    CHECK(reader("meta[Map][0]").fault() == "this refers to 'Map' number 0 of the metadata, which has none");
    CHECK(reader("[meta[VirtualDevice][0]]").fault() == "a place of the metadata stands alone, and not in a list");
    CHECK(reader("meta[VirtualDevice][x]").fault() == "a number in the metadata was expected, and 'x' stands here");
    CHECK(reader("meta(VirtualDevice)").fault() == "'[' was expected, and '(' stands here");
}

TEST_CASE("what is no value is told") {
    CHECK(reader("[1, \"a\"]").fault() == "a list has numbers alone or texts alone");
    CHECK(reader("[1 2]").fault() == "a comma or ']' was expected, and '2' stands here");
    CHECK(reader("%x").fault() ==
          "a number, a text, a list, True, False, None or a reference to metadata was expected, and '%x' stands here");
    CHECK(reader("300000000000000000000").fault().starts_with("there is no number"));
    CHECK_FALSE(reader("[[1]").is_whole);
}
