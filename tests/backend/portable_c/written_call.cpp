// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/written_call.hpp>

#include <utility>

#include <doctest/doctest.h>

TEST_CASE("lines stand as deep as the braces around them") {
    inlay::portable::c_lines body;
    body.loop("i", 3).open("if (i == 1)").line("y[i] = 0;").close(2).line("done();");
    CHECK(std::move(body).take() ==
          "    for (int64_t i = 0; i < 3; ++i) {\n        if (i == 1) {\n            y[i] = 0;\n        }\n    }\n    done();\n");
}

TEST_CASE("elements are read as what C computes with, and stored as they are kept") {
    inlay::portable::computed_elements whole(inlay::element_type::int8), half(inlay::element_type::bfloat16);
    CHECK(whole.read("x[i]") == "x[i]");
    CHECK(whole.needs().empty());
    CHECK(half.type() == "float");
    CHECK(half.read("x[i]") == "inlay_float32_of_bfloat16(x[i])");
    CHECK(half.stored("best") == "inlay_bfloat16_of_float32(best)");
    CHECK(half.needs().size() == 2);
    CHECK(inlay::portable::computed_elements(inlay::element_type::string).type().empty());
}
