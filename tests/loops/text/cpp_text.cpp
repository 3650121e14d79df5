// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/cpp_text.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/schedule/schedule.hpp>
#include <inlay/testing/compare.hpp>

#include "../compiled_nest.hpp"
#include "../nests.hpp"

using namespace inlay;

namespace {
/// How compiled C++ differs from the interpreter; empty where it does not.
std::string difference(const loop_nest& n, const std::vector<tensor>& inputs, std::size_t bytes, double tolerance = 0) {
    const auto made = to_cpp(n, bytes);
    if (!made) return made.failure().message;
    const auto meant = run_nest(n, inputs);
    if (!meant) return meant.failure().message;
    const std::vector<tensor> got = nests::by_compiler(n, *made, inputs, source_language::cpp20);
    if (got.size() != meant->size()) return "it does not compile";
    for (std::size_t i = 0; i < got.size(); ++i)
        if (tolerance == 0 ? got[i].content() != (*meant)[i].content() : !compare(got[i], (*meant)[i], tolerance, tolerance).agrees)
            return "result " + std::to_string(i) + " differs:\n" + made->text;
    return "";
}
std::string difference(const std::string& text, std::size_t bytes = 32, double tolerance = 0) {
    const loop_nest n = nests::parsed(text);
    return difference(n, nests::some_inputs(n), bytes, tolerance);
}
}  // namespace

TEST_CASE("a vector loop is written with vectors, and what is left of its rounds without [loops.cpp.readable]") {
    const auto made =
        to_cpp(nests::parsed("nest scale { input x: float32[11] output y: float32[11] for i < 11 vector { y[i] = x[i] * 2.0 } }"));
    REQUIRE(made);
    CHECK(made->declaration == "extern \"C\" void scale(const float* __restrict x, float* __restrict y)");
    CHECK(made->text.find(R"(    for (int64_t inlay_first_i = 0; inlay_first_i < 8; inlay_first_i += 8) {
        const int64_t i = inlay_first_i;
        (void)i;
        inlay_store_float32x8(&y[i], (inlay_load_float32x8(&x[i]) * inlay_all_float32x8(0x1p+1f)));
    }
    for (int64_t i = 8; i < 11; ++i) {
        y[i] = (x[i] * 0x1p+1f);
    }
)") != std::string::npos);
    CHECK(to_cpp(nests::parsed(nests::product), 8).failure().message == "there are no vectors of 8 bytes; ask for 16, 32 or 64");
}

TEST_CASE("C++ with vectors computes what the interpreter does, at every width [loops.cpp.same]") {
    const auto product = scheduled(nests::parsed(nests::product), loop_schedule()
                                                                      .split("m", 4, "tile", "lane")
                                                                      .reorder({"tile", "k", "lane"})
                                                                      .cache("b", "tile", "packed")
                                                                      .cache("c", "tile", "sums")
                                                                      .vectorise("lane"));
    const auto blur = scheduled(nests::parsed(nests::blur), loop_schedule().vectorise("i"));
    REQUIRE((product && blur));
    for (const std::size_t bytes : std::vector<std::size_t>{16, 32, 64}) {
        CHECK(difference(*product, nests::some_inputs(*product), bytes) == "");
        CHECK(difference(*blur, nests::some_inputs(*blur), bytes) == "");
    }
    CHECK(difference(nests::by_tiles) == "");
}

TEST_CASE("clang compiles the text as well, without a warning [loops.cpp.same]") {
    const std::string clang = find_compiler(source_language::cpp20, "clang++-16") ? "clang++-16" : "clang++-19";
    if (!find_compiler(source_language::cpp20, clang)) {
        MESSAGE("skipped: neither clang++-16 nor clang++-19 is installed");
        return;
    }
    // Vectors, rounds too few for them, and loops for which clang has none.
    for (const std::string text :
         {"nest scale { input x: float32[11] output y: float32[11] for i < 11 vector { y[i] = max(x[i], 0.0) * 2.0 } }",
          "nest small { input x: float32[1] output y: float32[1] for i < 1 vector { y[i] = x[i] } }",
          "nest sums { input x: float32[2, 1] output y: float32[2, 1] for i < 2 vector { for j < 1 vector { y[i, j] = x[i, j] "
          "for k < 3 { y[i, j] += within(0 <= i + k - 1 < 2, x[i + k - 1, j], 0.5) } } } }"}) {
        const loop_nest n = nests::parsed(text);
        const std::vector<tensor> inputs = nests::some_inputs(n);
        const auto got = nests::by_compiler(n, *to_cpp(n), inputs, source_language::cpp20, {}, clang);
        REQUIRE(got.size() == 1);
        CHECK(got[0].content() == run_nest(n, inputs)->front().content());
    }
}

TEST_CASE("each kind of statement and value goes by vectors, or lane by lane [loops.cpp.same]") {
    CHECK(difference(R"(nest many {
        input x: float32[40]
        input w: int32[40]
        output y: float32[40]
        output z: int32[40]
        output t: float64[40]
        output b: bool[40]
        output turned: float32[3, 20]
        output last: float32[40]
        for i < 19 vector {
            y[i] = choose(both(less(x[i], 0.25), not(equal(x[i + 1], 0.0))), x[i] - 1.0, -0.0) + max(x[2*i], min(x[39 - i], 0.125))
            z[i] = choose(less_equal(w[i], 3:int32), w[i] * w[i + 1] - 2000000000:int32, negate(w[i])) / w[i + 2]
            t[i] = float64(x[i]) / 3.0:float64 + float64(index(2*i - 3))
            b[i] = either(less(x[i], 0.0), less(0.5, x[i + 1]))
            turned[2, i] = sqrt(abs(x[i])) + floor(x[i] * 3.0) + within(0 <= i - 2 < 15, x[i - 2], 9.0)
            for k < 2 { if 0 <= i + k - 1 < 18 { turned[k, i] = x[i + k] } }
            stack s: float32[2] {
                s[0] = x[i]
                for k2 < 2 unrolled { s[1] = within(0 <= i - k2 < 17, x[i], 1.0) }
                if 0 <= i - 3 < 5 { s[0] += s[1] }
                last[i + 20] = s[0] * 2.0
            }
        }
    })") == "");
    // Elements of lanes stand apart, or each lane calls a function.
    CHECK(difference(R"(nest apart {
        input x: float32[16]
        output y: float32[16, 2]
        intrinsic twice { input a: float32[1] output c: float32[1] c[0] = a[0] + a[0] }
        for i < 16 vector { y[i, 0] = x[i] call twice(x[i], y[i, 1]) }
    })") == "");
    // A round's own memory is chosen by the loop, so that there are no vectors.
    CHECK(difference("nest own { output y: float32[8] for i < 8 vector { stack s: float32[8] { s[i] = 2.0 y[i] = s[i] } } }") == "");
    CHECK(
        difference(
            "nest nested { input x: float32[4, 8] output y: float32[4, 8] for i < 4 vector { for j < 8 vector { y[i, j] = x[i, j] } } }") ==
        "");
    CHECK(difference("nest small { input x: float32[1] output y: float32[1] for i < 1 vector { y[i] = x[i] } }") == "");
    CHECK(difference(
              "nest smooth { input x: float32[9] output y: float32[9] for i < 9 vector { y[i] = exp(x[i]) * tanh(x[i]) + pow(2.0, x[i]) } "
              "}",
              32, 1e-6) == "");
    CHECK(difference(
              "nest bytes { input x: float32[40] output y: uint8[40] output z: int8[40] for i < 40 vector { y[i] = uint8(x[i] * 300.0) } "
              "for j < 40 vector { z[j] = int8(y[j]) * 3:int8 + max(int8(index(j)), -3:int8) } }") == "");
}

TEST_CASE("over random nests with vector loops, C++ computes what the interpreter does [loops.cpp.same]") {
    std::size_t seen = 0;
    const bool holds = rc::check([&] {
        const loop_nest n = *rc::gen::arbitrary<bool>() ? nests::random_nest() : nests::random_stages();
        loop_nest now = n;
        for (nest_buffer& b : now.buffers)
            if (b.scope == buffer_scope::output) b.strides = row_major_strides(b.extents);
        for (const std::string& v : n.variables)
            if (const auto next = scheduled(now, loop_schedule().vectorise(v)); next && v != "i" && v != "i_1") now = *next;
        // The compiler takes its time.
        if (++seen > 15) return;
        RC_ASSERT(difference(now, nests::random_inputs(now), *rc::gen::element<std::size_t>(16, 32, 64)) == "");
    });
    CHECK(holds);
}
