// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/cost_table_file.hpp>

#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <inlay/io/read_file.hpp>

using namespace inlay;

namespace {

std::string refused(const std::string& text) {
    const auto read = read_cost_table(text);
    return read ? std::string("(read)") : read.failure().message;
}

}  // namespace

TEST_CASE("a table reads back as it was written, to the last bit") {
    cost_table t;
    t.note = "by hand\nwith \"quotes\"";
    t.missing = cost_table::without::not_offered;
    t.threads = 3;
    t.launch = 1e-6;
    t.peaks = machine_peaks{3e11, 0.1 + 0.2, 0};
    region_price p;
    p.backend = "onednn";
    p.seconds = 1.0 / 3;
    t.regions.push_back(p);
    p.ops = std::vector<std::string>{"Conv", "Relu"};
    p.operands = std::vector<std::string>{};
    p.inputs = p.results = std::vector<std::string>{"float32:plain"};
    p.key = digest{0x0123'4567'89AB'CDEFull, 0xFEDC'BA98'7654'3210ull};
    p.seconds = std::numeric_limits<double>::infinity();
    p.reason = "it crashes";
    t.regions.push_back(p);
    t.conversions.push_back({std::nullopt, std::nullopt, std::nullopt, 5e-324, {}});
    t.conversions.push_back(
        {"float32[1,3]", "float32:plain", "float32:channels_last", std::numeric_limits<double>::infinity(), "nobody can"});
    const std::string text = write_cost_table(t);
    const auto read = read_cost_table(text);
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(*read == t);
    CHECK(write_cost_table(*read) == text);
    CHECK(*read_cost_table(R"({"version": 1})") == cost_table());
}

TEST_CASE("what is no table is refused in one sentence that names the key") {
    CHECK(refused("") == "the text ends too early to be JSON (line 1, column 1)");
    CHECK(refused("[]") == "the file must be an object, and is a list");
    CHECK(refused("{}") == "the file has no key 'version'");
    CHECK(refused(R"({"version": 2})") == "the file has version 2; this program reads version 1");
    CHECK(refused(R"({"version": 1, "regoins": []})") == "the file has the unknown key 'regoins' (did you mean 'regions'?)");
    CHECK(refused(R"({"version": 1, "missing": "modle"})") == "missing is 'modle' (did you mean 'model'?)");
    CHECK(refused(R"({"version": 1, "threads": 0})") == "threads must be a whole number, 1 or more, and is 0");
    CHECK(refused(R"({"version": 1, "launch": -1})") == "launch is -1, and must be 0 seconds or more");
    CHECK(refused(R"({"version": 1, "launch": null})") == "launch must be a number, and is null");
    CHECK(refused(R"({"version": 1, "peaks": {"flops": 1}})") == "peaks has no key 'bytes'");
    CHECK(refused(R"({"version": 1, "peaks": {"flops": 0, "bytes": 1}})") == "peaks.flops is 0, and must be above 0");
    CHECK(refused(R"({"version": 1, "regions": {}})") == "regions must be a list, and is an object");
    CHECK(refused(R"({"version": 1, "regions": [{"seconds": 1}]})") == "regions[0] has no key 'backend'");
    CHECK(refused(R"({"version": 1, "regions": [{"backend": "x"}]})") == "regions[0] has no key 'seconds'");
    CHECK(refused(R"({"version": 1, "regions": [{"backend": "x", "seconds": -1}]})") ==
          "regions[0].seconds is -1, and must be 0 seconds or more");
    CHECK(refused(R"({"version": 1, "regions": [{"backend": "x", "seconds": "1"}]})") == "regions[0].seconds must be a number, and is '1'");
    CHECK(refused(R"({"version": 1, "regions": [{"backend": "x", "seconds": 1, "op": []}]})") ==
          "regions[0] has the unknown key 'op' (did you mean 'ops'?)");
    CHECK(refused(R"({"version": 1, "regions": [{"backend": "x", "seconds": 1, "ops": "Relu"}]})") ==
          "regions[0].ops must be a list, and is 'Relu'");
    CHECK(refused(R"({"version": 1, "regions": [{"backend": "x", "seconds": 1, "key": "12"}]})") ==
          "regions[0].key is '12', and must have 32 digits of 0-9a-f; copy it or leave the key out");
    CHECK(refused(R"({"version": 1, "regions": [{"backend": "x", "seconds": 1, "reason": "why"}]})") ==
          "regions[0].reason stands beside a price; give a reason only where 'seconds' is null");
    CHECK(refused(R"({"version": 1, "conversions": [{"seconds": 1, "form": ""}]})") ==
          "conversions[0] has the unknown key 'form' (did you mean 'from'?)");
    CHECK(refused(R"({"version": 1, "conversions": [5]})") == "conversions[0] must be an object, and is 5");
    CHECK(refused(R"({"version": 1, "version": 1})") == "the key 'version' stands twice in one object");
}

TEST_CASE("a table cut or changed anywhere is read or refused") {
    cost_table t;
    region_price keyed;
    keyed.backend = "x";
    keyed.composite = "winograd";
    keyed.key = digest{1, 2};
    keyed.seconds = 1;
    t.regions.push_back(keyed);
    CHECK(read_cost_table(write_cost_table(t))->regions == t.regions);
    const std::string text = write_cost_table(t);
    for (std::size_t at = 0; at < text.size(); ++at) {
        CHECK(!refused(text.substr(0, at)).empty());
        for (const char c : {'\0', '"', '}', '9', '\xFF'}) {
            std::string changed = text;
            changed[at] = c;
            CHECK(!refused(changed).empty());
        }
    }
}

TEST_CASE("the documented table is one") {
    const auto page = read_file(INLAY_SOURCE_ROOT "/docs/costs.md");
    REQUIRE_MESSAGE(page.has_value(), page.failure().message);
    const std::size_t begin = page->find("```json\n") + 8, end = page->find("```", begin);
    REQUIRE(end != std::string::npos);
    const auto read = read_cost_table(page->substr(begin, end - begin));
    REQUIRE_MESSAGE(read.has_value(), read.failure().message);
    CHECK(read->regions.size() >= 3);
    CHECK(read->conversions.size() >= 1);
}
