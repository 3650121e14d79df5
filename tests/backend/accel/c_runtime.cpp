// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/accel/c_runtime.hpp>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <inlay/codegen/compile/system_compiler.hpp>

using namespace inlay;

TEST_CASE("the runtime in C has the instructions' fields, rounds half to even, and needs no library") {
    const std::string text(accel_parts::c_runtime);
    // The table of bits is that of the forms.
    std::string bits;
    for (const instruction_form& form : accel_parts::instruction_forms) {
        bits += bits.empty() ? "{" : ", {";
        for (std::size_t f = 0; f < form.fields.size(); ++f) bits += (f == 0 ? "" : ", ") + std::to_string(form.fields[f].bits);
        bits += "}";
    }
    CHECK_MESSAGE(text.find(bits) != std::string::npos, bits);
    CHECK(text.find("<math.h>") == std::string::npos);
    compiler_request how;
    how.source = text + "float round_it(float v);\nfloat round_it(float v) { return accel_round(v); }\n";
    how.flags = {"-O2", "-Wall", "-Wextra", "-pedantic", "-Wno-unused-function"};
    const auto code = compile(how);
    REQUIRE_MESSAGE(code.has_value(), code.failure().message);
    auto* const round_it = code->function<float(float)>("round_it");
    for (const float v : {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 126.5f, 8388607.5f, 1e20f, -1e20f, 0.49999997f})
        CHECK(round_it(v) == std::nearbyint(v));
    std::mt19937 random(1);
    for (int i = 0; i < 100000; ++i) {
        const auto word = static_cast<std::uint32_t>(random());
        float v;
        std::memcpy(&v, &word, 4);
        if (v == v) CHECK(round_it(v) == std::nearbyint(v));
    }
}
