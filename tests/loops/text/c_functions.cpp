// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/c_functions.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::detail;

TEST_CASE("each function that C lacks is defined once, where it is needed [loops.c_functions.once]") {
    c_functions f;
    CHECK(f.apply(scalar_function::add, element_type::float32, "a", "b") == "(a + b)");
    CHECK(f.definitions().empty());
    CHECK(f.apply(scalar_function::maximum, element_type::float32, "a", "b") == "inlay_max_float32(a, b)");
    const std::vector<std::string> once = f.definitions();
    CHECK(once.size() == 1);
    CHECK(f.apply(scalar_function::maximum, element_type::float32, "c", "d") == "inlay_max_float32(c, d)");
    CHECK(f.definitions() == once);
    CHECK(f.apply(scalar_function::exponential, element_type::float32, "a", "") == "expf(a)");
    CHECK(f.apply(scalar_function::exponential, element_type::float64, "a", "") == "exp(a)");
    CHECK(f.apply(scalar_function::add, element_type::int8, "a", "b") == "((int8_t)((uint32_t)a + (uint32_t)b))");
}

TEST_CASE("names of nests are no words of C [loops.c_functions.names]") {
    CHECK(c_name("x") == "x");
    CHECK(c_name("int") == "int_");
    CHECK(c_name("restrict") == "restrict_");
    CHECK(c_name("inlay_max_float32") == "ninlay_max_float32");
    CHECK(c_name("_x") == "n_x");
    CHECK(c_name("sin") == "sin_");
    CHECK(c_name("fmodf") == "fmodf_");
    CHECK(c_name("f") == "f");
    CHECK(c_type_of(element_type::float16).empty());
}
