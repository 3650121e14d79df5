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
