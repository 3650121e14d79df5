// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/plan_file.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"
#include "../../plan/planned.hpp"
#include "../../plan/sample_record.hpp"

using namespace inlay;

TEST_CASE("a plan's record reads back from its text as the same one, to the last bit") {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        const plan_record record = sample::random_record(seed);
        const std::string text = write_plan_record(record);
        const auto back = read_plan_record(text);
        REQUIRE_MESSAGE(back.has_value(), back.failure().message, text);
        CHECK(*back == record);
        CHECK(write_plan_record(*back) == text);
    }
}

TEST_CASE("a plan on a list of back ends is written and read, and is refused where the list is configured otherwise") {
    const toys::list backends;
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 3 + seed % 6);
        const auto made = toys::planned(m, backends, {});
        REQUIRE(made.has_value());
        const std::string text = write_plan(m, *made, backends, false);
        const auto back = read_plan(text, m, backends);
        REQUIRE_MESSAGE(back.has_value(), back.failure().message);
        CHECK(back->chosen.chosen == made->chosen.chosen);
        CHECK(write_plan(m, *back, backends, false) == text);
        toys::list fewer;
        fewer.choose({1});
        const auto refused = read_plan(text, m, fewer);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.failure().message == "the plan was made with 'chains', which takes no part here; name it among the targets");
    }
}

TEST_CASE("a plan's file says which kernels are unchecked, and reads it back [measure.check.unchecked]") {
    plan_record record = sample::random_record(4);
    record.parts = {{"onednn", {"a"}, {{"conv", {"a"}, {"float32:plain"}, {"float32:plain"}, 2, "Loop: it has no meaning here"}}}};
    record.partitioner = "eager";
    const std::string text = write_plan_record(record);
    CHECK(text.find("\"unchecked\": \"Loop: it has no meaning here\"") != std::string::npos);
    const auto back = read_plan_record(text);
    REQUIRE_MESSAGE(back.has_value(), back.failure().message);
    CHECK(back->parts == record.parts);
    record.parts[0].composites[0].unchecked.clear();
    CHECK(write_plan_record(record).find("unchecked") == std::string::npos);
}

TEST_CASE("what is wrong in a plan file is told with its place and what would do") {
    plan_record record = sample::random_record(4);
    record.targets = {{"onednn -threads=2", "3"}};
    record.partitioner = "exact";
    record.objective = {plan_objective::peak, 4, 3};
    record.parts = {{"onednn", {"a"}, {{"conv", {"a"}, {"float32:plain"}, {"float32:plain"}, 2}}}};
    record.conversions = {{"a", "float32:plain", "float32:channels_last", 1.0}};
    record.others.clear();
    record.proof.reset();
    record.penalties.reset();
    record.seconds = 4;
    record.lower_bound = 3;
    const std::string good = write_plan_record(record);
    REQUIRE(read_plan_record(good).has_value());
    const auto fault_of = [&](std::string_view from, std::string_view to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
        const auto read = read_plan_record(text);
        return read ? std::string() : read.failure().message;
    };
    CHECK(fault_of("\"version\": 1", "\"version\": 2") == "the file has version 2; this program reads version 1");
    CHECK(fault_of("\"partitioner\"", "\"partitoner\"") == "the file has the unknown key 'partitoner' (did you mean 'partitioner'?)");
    CHECK(fault_of("\"backend\"", "\"back_end\"") == "partitions[0] has the unknown key 'back_end' (did you mean 'backend'?)");
    CHECK(fault_of("\"target\"", "\"targt\"") == "targets[0] has the unknown key 'targt' (did you mean 'target'?)");
    CHECK(fault_of("\"exact\"", "\"exakt\"").find("partitioner is wrong: there is no partitioner 'exakt' (did you mean 'exact'?)") == 0);
    CHECK(fault_of("\"exact\"", "\"single:xnnpack\"").find("names a back end that takes no part") != std::string::npos);
    CHECK(fault_of("\"gap\": 0.25", "\"gap\": \"x\"").find("gap must be a number") == 0);
    CHECK(fault_of("\"seconds\": 2", "\"seconds\": -2").find("partitions[0].seconds is -2, and must be 0 or more") == 0);
    CHECK(fault_of("\"seconds\": 2", "\"seconds\": 7").find("its composites' prices add up to 2") != std::string::npos);
    CHECK(fault_of("\"peak\"", "\"speed\"").find("objective.of is 'speed', and must be 'latency', 'peak' or 'load'") == 0);
    CHECK(fault_of("[\"a\"]", "\"a\"").find("partitions[0].nodes must be a list") == 0);
    CHECK(fault_of("\"conversions\": [", "\"conversions\": [[], ").find("conversions[0]") == 0);
    CHECK_FALSE(read_plan_record("[]"));
    CHECK_FALSE(read_plan_record("{"));
}
