// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/target_argument.hpp>

#include <cstdio>
#include <string>

#include <doctest/doctest.h>

#include "../../target/sample_targets.hpp"

using namespace inlay;

TEST_CASE("an argument is a text, JSON or a file of JSON, which all say the same") {
    const std::string path = "target_argument_test.json";
    std::FILE* file = std::fopen(path.c_str(), "w");
    REQUIRE(file != nullptr);
    std::fputs(R"([{"kind": "accel", "rows": 4}, "cpu_simd"])", file);
    std::fclose(file);
    const auto text = read_target_argument("accel -rows=4, cpu_simd", sample_schemas());
    const auto json = read_target_argument(R"(["accel -rows=4", {"kind": "cpu_simd"}])", sample_schemas());
    const auto from_file = read_target_argument(path, sample_schemas());
    REQUIRE((text && json && from_file));
    CHECK(*text == *json);
    CHECK(*text == *from_file);
    CHECK(text->size() == 2);
    std::remove(path.c_str());
    CHECK(read_target_argument(path, sample_schemas()).failure().message.find("'target_argument_test.json': ") == 0);
}

TEST_CASE("an argument that names no target is refused") {
    CHECK(read_target_argument("[]", sample_schemas()).failure().message ==
          "the list '[]' names no target; name at least one, or leave it out");
    CHECK_FALSE(read_target_argument("{}", sample_schemas()));
    CHECK_FALSE(read_target_argument("", sample_schemas()));
    CHECK_FALSE(read_target_argument(" ", sample_schemas()));
}
