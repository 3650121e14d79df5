// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/part_of_nest.hpp>

#include <doctest/doctest.h>

#include "../../loops/nests.hpp"
#include "vendor_library.hpp"

using namespace inlay;

TEST_CASE("a nest is a function of its name, and what it calls stands beside it [c.part]") {
    region_nest n{nests::parsed("nest double { input x: int32[4] output y: int32[4] for i < 4 { y[i] = max(x[i], x[0]) } }"), {}};
    n.constants.push_back(tensor::scalar(1.0f));
    const auto part = part_of_nest(n);
    REQUIRE(part);
    CHECK(part->name == "double_");
    CHECK(part->text.find("static void double_(const int32_t* restrict x, int32_t* restrict y) {") == 0);
    REQUIRE(part->needs.size() == 1);
    CHECK(part->needs[0].find("inlay_max_int32") != std::string::npos);
    CHECK(part->constants.size() == 1);
    CHECK(part->workspace_bytes == 0);
}

TEST_CASE("a nest's function is static behind the directives that it needs [c.part]") {
    const auto part = part_of_nest({nests::parsed("nest n { input x: float32[9, 2] output y: float32[9, 2] for i < 9 { for j < 2 { "
                                                  "y[i, j] = within(0 <= i + j - 1 < 9, x[i + j - 1, j], 1.0) } } }"),
                                    {}});
    REQUIRE(part);
    CHECK(part->text.find("#if defined __GNUC__ && !defined __clang__\n#pragma GCC push_options\n") == 0);
    CHECK(part->text.find("#endif\nstatic void n(const float* restrict x, float* restrict y) {") != std::string::npos);
    CHECK(part->text.find("static #") == std::string::npos);
}

TEST_CASE("a nest that calls a library includes its headers, once, and brings its files along [c.part]") {
    region_nest n = c_programs::scaled_rows();
    const auto part = part_of_nest(n, c_programs::scaling_library());
    REQUIRE_MESSAGE(part.has_value(), part.failure().message);
    CHECK(part->needs == std::vector<std::string>{"#include \"scaling.h\"\n\n"});
    CHECK(part->text.find("scale(&x[3 * i], &y[3 * i], 3, i + 2);") != std::string::npos);
    CHECK(part->headers == c_programs::scaling_library().headers);
    CHECK(part->sources == c_programs::scaling_library().sources);
    // Whom it does not know it declares itself, as before.
    const auto alone = part_of_nest(n, c_library{});
    REQUIRE(alone);
    CHECK(alone->needs.front().find("void scale(") == 0);
}
