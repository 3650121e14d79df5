// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_check.hpp>

#include <string>

#include <doctest/doctest.h>

TEST_CASE("a check reads and compares each tensor by its size and type [c.check]") {
    inlay::c_program p;
    p.name = "net";
    p.inputs = {{"x", "x", inlay::element_type::float32, {2, 2}, 16}};
    p.results = {{"y", "y", inlay::element_type::int64, {3}, 24}, {"z", "z", inlay::element_type::int64, {1}, 8}};
    const std::string text = inlay::detail::c_check_source(p, 0.25, 0.5);
    CHECK(text.find("relative = 0.25, absolute = 0.5;") != std::string::npos);
    CHECK(text.find("read_bytes(folder, \"input_0.bin\", 16)") != std::string::npos);
    CHECK(text.find("off_int64(outputs.z, read_bytes(folder, \"output_1.bin\", 8), 1, &largest)") != std::string::npos);
    CHECK(text.find("static size_t off_int64") == text.rfind("static size_t off_int64"));
}

TEST_CASE("half precision is compared as numbers [c.check]") {
    inlay::c_program p;
    p.name = "net";
    p.results = {{"y", "y", inlay::element_type::float16, {3}, 6}};
    const std::string text = inlay::detail::c_check_source(p, 0.25, 0.5);
    CHECK(text.find("static float inlay_float32_of_float16(uint16_t a)") != std::string::npos);
    CHECK(text.find("static size_t off_float16(const uint16_t* got, const uint16_t* wanted") != std::string::npos);
    CHECK(text.find("g = inlay_float32_of_float16(got[i])") != std::string::npos);
}
