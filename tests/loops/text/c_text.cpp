// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/c_text.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/testing/compare.hpp>

#include "../compiled_nest.hpp"
#include "../nests.hpp"

using namespace inlay;

TEST_CASE("a nest in C is what a person would write [loops.c.readable]") {
    const auto made = to_c(nests::parsed(
        "nest scale { input x: float32[4, 8] output y: float32[4, 8] for i < 4 parallel { for j < 8 { y[i, j] = x[i, j] * 2.0 } } }"));
    REQUIRE(made);
    CHECK(made->declaration == "void scale(const float* restrict x, float* restrict y)");
    CHECK(made->workspace_bytes == 0);
    CHECK(made->text.find(R"(void scale(const float* restrict x, float* restrict y) {
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int64_t i = 0; i < 4; ++i) {
        for (int64_t j = 0; j < 8; ++j) {
            y[8 * i + j] = (x[8 * i + j] * 0x1p+1f);
        }
    }
}
)") != std::string::npos);
}

TEST_CASE("compiled code computes what the interpreter does: products, scratch, whole numbers at their ends [loops.c.same]") {
    std::size_t seen = 0;
    const bool holds = rc::check([&] {
        const loop_nest n = nests::parsed(*rc::gen::element(nests::product, nests::blur, std::string(R"(
nest ends {
    input x: int32[6]
    output y: int32[6]
    output z: uint8[6]
    scratch s: float64[6] {
        scratch t: int64[3] {
            for i < 6 { s[i] = float64(x[i]) * 1e300:float64 }
            for j < 3 unrolled { t[j] = index(j) * -9223372036854775807 }
            for k < 6 { y[k] = int32(s[k]) * x[k] + int32(t[0]) / x[k] }
            for l < 6 { z[l] = uint8(min(max(s[l], -inf:float64), 1e9:float64)) }
        }
    }
}
)")));
        const std::vector<tensor> inputs = nests::random_inputs(n);
        const auto meant = run_nest(n, inputs);
        RC_ASSERT(meant.has_value());
        // The compiler takes its time.
        if (++seen > 25) return;
        const std::vector<tensor> got = nests::by_compiler(n, *to_c(n), inputs);
        RC_ASSERT(got.size() == meant->size());
        for (std::size_t i = 0; i < got.size(); ++i) RC_ASSERT(got[i].content() == (*meant)[i].content());
    });
    CHECK(holds);
}

TEST_CASE("bits, rests and shifts are computed alike, at the ends of their types too [loops.c.same]") {
    for (const char* type : {"int8", "uint8", "int16", "uint32", "int64", "uint64"}) {
        const std::string t = type;
        const bool is_unsigned = t[0] == 'u';
        const loop_nest n =
            nests::parsed("nest bits { input x: " + t + "[64] input y: " + t + "[64] output a: " + t + "[64] output b: " + t +
                          "[64] output c: " + t + "[64] output d: " + t + "[64] for i < 64 { a[i] = bit_xor(x[i], " +
                          "bit_or(y[i], bit_not(x[i]))) b[i] = bit_and(x[i], y[i]) c[i] = remainder(x[i], y[i]) d[i] = " +
                          (is_unsigned ? "shift_left(x[i], y[i]) + shift_right(x[i], y[i])" : "bit_not(y[i])") + " } }");
        std::vector<tensor> inputs;
        for (const nest_buffer& b : n.buffers)
            if (b.scope == buffer_scope::input) inputs.emplace_back(b.element, b.extents);
        // Ends of the type beside small numbers, each with each.
        const std::size_t size = size_of(inputs[0].element());
        for (std::size_t i = 0; i < 64; ++i)
            for (std::size_t which = 0; which < 2; ++which) {
                const std::size_t k = which == 0 ? i / 8 : i % 8;
                const std::uint64_t ends[] = {0, 1, ~std::uint64_t{0}, std::uint64_t{1} << (8 * size - 1), 3, 7, 8 * size, 8 * size - 1};
                std::memcpy(static_cast<std::byte*>(inputs[which].data()) + i * size, &ends[k], size);
            }
        const auto meant = run_nest(n, inputs);
        REQUIRE(meant);
        const std::vector<tensor> got = nests::by_compiler(n, *to_c(n), inputs);
        REQUIRE(got.size() == meant->size());
        for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i].content() == (*meant)[i].content());
    }
    const loop_nest real = nests::parsed(
        "nest real { input sin: float32[9] input expf: float32[9] output y: float32[9] for i < 9 { y[i] = remainder(sin[i], expf[i]) } }");
    const std::vector<tensor> inputs = nests::some_inputs(real), got = nests::by_compiler(real, *to_c(real), inputs);
    REQUIRE(got.size() == 1);
    CHECK(got[0].content() == run_nest(real, inputs)->front().content());
}

TEST_CASE("a loop is written in pieces in which its bounds hold throughout, or nowhere [loops.c.pieces]") {
    const auto made =
        to_c(nests::parsed("nest pad { input x: float32[5] output y: float32[9] for i < 9 "
                           "{ y[i] = within(0 <= i - 1 < 5, x[i - 1], 2.0) } }"));
    REQUIRE(made);
    CHECK(made->text.find(R"({
    for (int64_t i = 0; i < 1; ++i) {
        y[i] = 0x1p+1f;
    }
    for (int64_t i = 1; i < 6; ++i) {
        y[i] = x[i - 1];
    }
    for (int64_t i = 6; i < 9; ++i) {
        y[i] = 0x1p+1f;
    }
}
)") != std::string::npos);
    // Steps, falling bounds, both axes, guards, bounds that never hold; and too many pieces.
    for (const std::string body :
         {"for i < 9 { for j < 9 { y[i, j] = within(0 <= 2*i - 3 < 7 and -5 <= 1 - j < 0, x[i, j - 1], 1.0) } }",
          "for i < 9 { for j < 9 { y[i, j] = 3.0 if -9 <= -2*i + 3 < -4 and 3 <= 3*j < 20 { y[i, j] = x[i - 1, j] } } }",
          "for i < 9 { for j < 9 { y[i, j] = within(9 <= i < 12, x[i, j], within(0 <= 4*j + 1 < 9, x[j, i], 7.0)) } }",
          "for i < 9 { for j < 9 vector { y[i, j] = within(2 <= i < 5, x[i, j], within(2 <= j < 5, x[j, j], 7.0)) } }",
          "for i < 9 { for j < 9 unrolled { y[i, j] = within(2 <= i + j < 5, x[i, j], within(2 <= j < 5, x[j, j], 7.0)) } }"}) {
        const loop_nest n = nests::parsed("nest n { input x: float32[9, 9] output y: float32[9, 9] " + body + " }");
        const std::vector<tensor> inputs = nests::some_inputs(n);
        const std::vector<tensor> got = nests::by_compiler(n, *to_c(n), inputs);
        REQUIRE(got.size() == 1);
        CHECK(compare(got[0], run_nest(n, inputs)->front(), 0, 0).agrees);
    }
    std::string value = "0.0";
    for (int i = 0; i < 20; ++i)
        value = "within(" + std::to_string(2 * i) + " <= i < " + std::to_string(2 * i + 1) + ", x[i], " + value + ")";
    const std::string many =
        to_c(nests::parsed("nest n { input x: float32[40] output y: float32[40] for i < 40 { y[i] = " + value + " } }"))->text;
    CHECK(many.find("for (", many.find("for (") + 1) == std::string::npos);
}

TEST_CASE("a piece of a loop declares a buffer only if it uses it [loops.c.used-buffers]") {
    const auto made = to_c(
        nests::parsed("nest pad { input x: float32[5] output y: float32[9] for i < 9 "
                      "{ stack t: float32[1] { t[0] = x[0] if 1 <= i < 6 { t[0] = x[i - 1] } y[i] = within(1 <= i < 6, t[0], 2.0) } } }"));
    REQUIRE(made);
    CHECK(made->text.find("float t[1];") != std::string::npos);
    const auto unused =
        to_c(nests::parsed("nest pad { input x: float32[5] output y: float32[9] for i < 9 "
                           "{ stack t: float32[1] { if 1 <= i < 6 { t[0] = x[i - 1] } y[i] = within(1 <= i < 6, t[0], 2.0) } } }"));
    REQUIRE(unused);
    const std::string& text = unused->text;
    const std::size_t once = text.find("float t[1];");
    REQUIRE(once != std::string::npos);
    CHECK(once > text.find("i = 1; i < 6"));
    CHECK(text.find("float t[1];", once + 1) == std::string::npos);
}

TEST_CASE("loads under bounds are not masked: gcc 12 takes another round's mask where a round loads two elements [loops.c.masked-loads]") {
    const std::string open = "#pragma GCC optimize(\"no-tree-loop-if-convert\")";
    const auto text_of = [](const std::string& value) {
        return to_c(nests::parsed("nest n { input x: float32[9, 2] output y: float32[9, 2] for i < 9 { for j < 2 { y[i, j] = " + value +
                                  " } } }"))
            ->text;
    };
    CHECK(text_of("within(0 <= i + j - 1 < 9, x[i + j - 1, j], 1.0)").find(open) != std::string::npos);
    CHECK(text_of("within(0 <= i + j - 1 < 9, 2.0, 1.0)").find(open) == std::string::npos);
    CHECK(text_of("within(0 <= i - 1 < 9, x[i - 1, j], 1.0)").find(open) == std::string::npos);
    CHECK(text_of("x[i, j]").find(open) == std::string::npos);
}

TEST_CASE("what C99 does not have is said [loops.c.refused]") {
    const auto message = [](const std::string& statements) {
        const auto made = to_c(nests::parsed("nest n { output y: float32[100] " + statements + " }"));
        return made ? std::string() : made.failure().message;
    };
    CHECK(message("for i < 100 unrolled { y[i] = 1.0 }").find("unroll at most 64") != std::string::npos);
    CHECK(message("for i < 100 thread_x { y[i] = 1.0 }").find("bound to thread_x, which C has not") != std::string::npos);
    CHECK(message("for i < 100 parallel { scratch s: float32[1] { s[0] = 1.0 y[i] = s[0] } }").find("on the stack") != std::string::npos);
    CHECK(message("stack h: float16[1] { h[0] = 1.0:float16 + 1.0:float16 }").find("widen it to float32") != std::string::npos);
    CHECK(message("stack h: float16[1] { h[0] += 1.0:float16 }").find("widen it to float32") != std::string::npos);
    CHECK(message("stack h: float16[1] { h[0] = 1.0:float16 }").empty());
    CHECK(message("for i < 100 { y[i] = 1.0 }").empty());
}

TEST_CASE("a call is what its function means, or what the printer was told [loops.c.calls]") {
    const loop_nest n = nests::parsed(nests::by_tiles);
    const std::vector<tensor> inputs = nests::some_inputs(n);
    const auto meant = run_nest(n, inputs);
    const auto plain = to_c(n);
    REQUIRE((meant && plain));
    CHECK(plain->text.find("static void inlay_mma(const float* restrict x, const float* restrict y, float* restrict z) {") !=
          std::string::npos);
    CHECK(nests::by_compiler(n, *plain, inputs).at(0).content() == meant->front().content());
    const printed_call own{"mma", "microkernel($0, $0.0, $1, $1.0, $2, $2.0)",
                           "static void microkernel(const float* x, long sx, const float* y, long sy, float* z, long sz) {\n"
                           "    for (int i = 0; i < 4; ++i)\n        for (int j = 0; j < 4; ++j)\n            for (int k = 0; k < 3; ++k)\n"
                           "                z[i * sz + j] += x[i * sx + k] * y[k * sy + j];\n}\n"};
    const auto named = to_c(n, std::vector{own});
    REQUIRE(named);
    CHECK(named->text.find("microkernel(&a[48 * m + 3 * k], 12, &b[4 * n + 24 * k], 8, &c[32 * m + 4 * n], 8);") != std::string::npos);
    CHECK(nests::by_compiler(n, *named, inputs).at(0).content() == meant->front().content());
    const auto sized = to_c(n, std::vector{printed_call{"mma", "f($0, $0#0, $0#1, $2#1, $1#)", ""}});
    REQUIRE(sized);
    CHECK(sized->text.find("f(&a[48 * m + 3 * k], 4, 3, 4, &b[4 * n + 24 * k]#);") != std::string::npos);
    for (const char* text : {"f($3)", "f($0.2)", "f($3.0)", "f($0#2)", "f($3#0)"})
        CHECK_FALSE(to_c(n, std::vector{printed_call{"mma", text, ""}}));
}

TEST_CASE("an external function is called by its name, with strides and numbers [loops.c.calls]") {
    const loop_nest n = nests::parsed(nests::by_library);
    const auto made = to_c(n);
    REQUIRE(made);
    CHECK(made->text.find("void scale_row(const float* restrict from, int64_t from_0, float* restrict to, int64_t to_0, int64_t count, "
                          "int64_t place);\n") != std::string::npos);
    CHECK(made->text.find("scale_row(&x[6 * i], 1, &y[6 * i], 1, 6, 2 * i - 1);") != std::string::npos);
    c_function whole = *made;
    whole.text +=
        "void scale_row(const float* restrict from, int64_t a, float* restrict to, int64_t b, int64_t count, int64_t place) {\n"
        "    for (int64_t i = 0; i < count; ++i) to[b * i] = from[a * i] * (float)place;\n}\n";
    const std::vector<tensor> inputs = nests::some_inputs(n);
    const std::vector<tensor> got = nests::by_compiler(n, whole, inputs);
    REQUIRE(got.size() == 1);
    for (std::size_t i = 0; i < 24; ++i) CHECK(got[0].as<float>()[i] == inputs[0].as<float>()[i] * (2 * static_cast<float>(i / 6) - 1));
}

TEST_CASE("what a function means is printed once for windows of the same strides [loops.c.calls]") {
    const loop_nest n = nests::parsed(R"(nest n {
        input x: float32[4, 4]
        output y: float32[4, 4]
        intrinsic turn { input a: float32[2, 2] strides [3, 2] output b: float32[2, 2]
            for i < 2 { for j < 2 { b[i, j] = max(a[j, i], 0.0) } } }
        stack s: float32[2, 2] { for i < 2 { for j < 2 {
            call turn(x[2*i, 2*j], s[0, 0])
            call turn(x[2*j, 2*i], s[0, 0])
            call turn(s[0, 0], y[2*i, 2*j])
        } } }
    })");
    const auto made = to_c(n);
    REQUIRE(made);
    CHECK(made->text.find("static void inlay_turn(") != std::string::npos);
    CHECK(made->text.find("static void inlay_turn_1(") != std::string::npos);
    CHECK(made->text.find("inlay_turn_2") == std::string::npos);
    const std::vector<tensor> inputs = nests::some_inputs(n);
    CHECK(nests::by_compiler(n, *made, inputs).at(0).content() == run_nest(n, inputs)->front().content());
}
