// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/proof_json.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "../../plan/sample_record.hpp"

using namespace inlay;

TEST_CASE("a proof reads back from its JSON as the same one") {
    std::size_t read = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        const plan_record record = sample::random_record(seed);
        if (!record.proof) continue;
        const auto value = read_json(write_json(proof_json(*record.proof)));
        REQUIRE(value.has_value());
        const auto back = read_proof_json(json_place(*value));
        REQUIRE_MESSAGE(back.has_value(), back.failure().message);
        CHECK(*back == *record.proof);
        ++read;
    }
    CHECK(read > 20);
}

TEST_CASE("tables that are not square, prices below 0 and unknown keys are refused with their place") {
    const auto fault_of = [](const char* text) {
        const auto value = read_json(text);
        REQUIRE(value.has_value());
        const auto back = read_proof_json(json_place(*value, "proof"));
        return back ? std::string() : back.failure().message;
    };
    const std::string end = R"(, "certificate": {"bound": 1, "exponent": 0, "steps": []}})";
    CHECK(fault_of((R"({"formats": ["a"], "costs": [null, 1], "conversions": [{"shape": [2], "seconds": [[0]]}])" + end).c_str()) == "");
    CHECK(fault_of((R"({"formats": ["a", "b"], "costs": [], "conversions": [{"shape": [2], "seconds": [[0, 1], [0]]}])" + end).c_str()) ==
          "proof.conversions[0] must have a row and a column of seconds for each of 2 formats");
    CHECK(fault_of((R"({"formats": [], "costs": [-1], "conversions": [])" + end).c_str()) == "proof.costs[0] is -1, and must be 0 or more");
    CHECK(fault_of((R"({"formats": [], "cots": [], "conversions": [])" + end).c_str()) ==
          "proof has the unknown key 'cots' (did you mean 'costs'?)");
    CHECK(fault_of(R"({"formats": [], "costs": [], "conversions": []})") == "proof has no key 'certificate'");
}
