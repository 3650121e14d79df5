// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/vector_dsp/c_runtime.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "strips.hpp"

#include <doctest/doctest.h>

#include <inlay/backend/vector_dsp/functional_model.hpp>
#include <inlay/backend/vector_dsp/strip_cut.hpp>
#include <inlay/backend/vector_dsp/strip_program.hpp>
#include <inlay/codegen/compile/system_compiler.hpp>

using namespace dsp_test;

TEST_CASE("the processor's runtime in C has the instructions' fields, needs no library, and gives the bytes of the model [vector_dsp.c]") {
    const std::string text(c_runtime);
    std::string bits;
    for (const instruction_form& form : instruction_forms) {
        bits += bits.empty() ? "{" : ", {";
        for (std::size_t f = 0; f < form.fields.size(); ++f) bits += (f == 0 ? "" : ", ") + std::to_string(form.fields[f].bits);
        bits += "}";
    }
    CHECK_MESSAGE(text.find(bits) != std::string::npos, bits);
    CHECK(text.find("<math.h>") == std::string::npos);
    compiler_request how;
    how.source = text +
                 "void run_it(const uint32_t* program, uint32_t count, const struct vector_dsp_memory* memories, unsigned char* local);\n"
                 "void run_it(const uint32_t* program, uint32_t count, const struct vector_dsp_memory* memories, unsigned char* local) {\n"
                 "    vector_dsp_run(program, count, memories, local);\n}\n"
                 "float round_it(float v);\nfloat round_it(float v) { return vector_dsp_round(v); }\n";
    how.flags = {"-O2", "-Wall", "-Wextra", "-pedantic", "-Wno-unused-function"};
    const auto code = compile(how);
    REQUIRE_MESSAGE(code.has_value(), code.failure().message);
    auto* const round_it = code->function<float(float)>("round_it");
    for (const float v : {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 126.5f, 8388607.5f, 1e20f, -1e20f, 0.49999997f})
        CHECK(round_it(v) == std::nearbyint(v));
    struct c_memory {
        const void* read;
        void* write;
    };
    auto* const run_it = code->function<void(const std::uint32_t*, std::uint32_t, const c_memory*, unsigned char*)>("run_it");
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        some s(seed);
        const dsp_machine m = s.a_machine();
        const strip_layer l = s.a_layer();
        const strip_numbers n = s.numbers(l);
        const auto cuts = strip_cuts_of(l, m);
        if (cuts.empty()) continue;
        const auto a = s.numbers_of(l.type, l.in_bytes() / l.element()),
                   b = l.reads_one ? a : s.numbers_of(l.type, l.in_bytes() / l.element());
        const auto packed = pack(l, cuts.back(), n);
        std::vector<std::uint32_t> words;
        for (const instruction& i : strip_program(l, m, cuts.back(), n.x_zero)) {
            const auto word = encode(i);
            REQUIRE(word);
            words.insert(words.end(), word->begin(), word->end());
        }
        std::vector<std::byte> out(static_cast<std::size_t>(l.out_bytes()));
        std::vector<unsigned char> local(static_cast<std::size_t>(m.memory_bytes));
        const c_memory memories[] = {{a.data(), nullptr}, {packed.data(), nullptr}, {nullptr, out.data()}, {b.data(), nullptr}};
        run_it(words.data(), static_cast<std::uint32_t>(words.size() / 4), memories, local.data());
        CHECK(out == meaning_of(l, n, a, b));
    }
}
