// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/wire.hpp>

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace inlay;

namespace {
enum class colour : std::uint8_t { red, green, blue };
}

TEST_CASE("what was written is read") {
    CHECK(rc::check("numbers, texts, lists", [](std::int64_t a, double b, const std::string& c, const std::vector<std::int64_t>& d,
                                                const std::vector<std::string>& e) {
        wire_writer w;
        w.put(a).put(b).put(std::string_view(c)).put_list(d).put_list(e).put(colour::blue).put(std::uint8_t{1});
        wire_reader r(w.bytes());
        RC_ASSERT(r.get<std::int64_t>() == a);
        RC_ASSERT(r.get<double>() == b);
        RC_ASSERT(r.get_text() == c);
        RC_ASSERT(r.get_list<std::int64_t>() == d);
        RC_ASSERT(r.get_texts() == e);
        RC_ASSERT(r.get_enum(colour::blue) == colour::blue);
        RC_ASSERT(r.get_bool());
        RC_ASSERT(r.at_end());
    }));
}

TEST_CASE("bytes that end too early make the reader bad for good, and reading on gives nothing") {
    wire_writer w;
    w.put(std::string_view("hello"));
    wire_reader r(std::string_view(w.bytes()).substr(0, 10));
    CHECK(r.get_text().empty());
    CHECK_FALSE(r.ok());
    CHECK(r.get<std::int32_t>() == 0);
    CHECK(r.get_texts().empty());
    CHECK_FALSE(r.at_end());
}

TEST_CASE("a count that the rest cannot hold claims no memory") {
    wire_writer w;
    w.put(std::numeric_limits<std::uint64_t>::max()).put(std::uint64_t{1});
    CHECK(wire_reader(w.bytes()).get_list<double>().empty());
    CHECK(wire_reader(w.bytes()).get_texts().empty());
    CHECK(wire_reader(w.bytes()).get_text().empty());
    CHECK(wire_reader(w.bytes()).get_count(8) == 0);
}

TEST_CASE("an enumerator above the last, and a truth value of two, are refused") {
    wire_writer w;
    w.put(std::uint8_t{3});
    wire_reader r(w.bytes());
    CHECK(r.get_enum(colour::blue) == colour::red);
    CHECK_FALSE(r.ok());
    wire_reader s(w.bytes());
    (void)s.get_bool();
    CHECK_FALSE(s.ok());
}
