// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/partial_results.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../../loops/arranged.hpp"
#include "emitted.hpp"

#include <inlay/backend/cpu_loops/vector_rounds.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/testing/compare.hpp>

using namespace inlay;

TEST_CASE("a sum along a line is one of vectors, of what is left over, and of the vectors' elements") {
    nests::check_arranged(inlay::detail::with_vector_rounds, R"(nest n {
    input x: float32[4, 40]
    output y: float32[4]
    for i < 4 {
        y[i] = 0.0
        for k < 40 {
            y[i] += x[i, k] * x[i, k]
        }
    }
}
)",
                          R"(nest n {
    input x: float32[4, 40]
    output y: float32[4]
    for i < 4 {
        y[i] = 0.0
        stack y_part: float32[16] {
            for k_first < 16 vector {
                y_part[k_first] = 0.0
            }
            for k_tile < 2 {
                for k_in < 16 vector {
                    y_part[k_in] += x[i, 16*k_tile + k_in] * x[i, 16*k_tile + k_in]
                }
            }
            for k_rest < 8 {
                y[i] += x[i, k_rest + 32] * x[i, k_rest + 32]
            }
            for k_last < 16 {
                y[i] += y_part[k_last]
            }
        }
    }
}
)");
}

TEST_CASE("whatever is no sum along a line of float32, or a short one, stays") {
    const auto left = [](const std::string& before, const std::string& body, std::int64_t extent = 64) {
        nests::check_left(inlay::detail::with_partial_results,
                          "nest n { input x: float32[64, 64] input n: int32[64] output y: float32[64] output z: int32[64] " + before +
                              " for k < " + std::to_string(extent) + " { " + body + " } }");
    };
    left("", "y[0] += x[0, k]", 31);
    left("", "y[0] += x[k, 0]");
    left("", "y[k] += x[0, k]");
    left("", "y[0] *= x[0, k]");
    left("", "y[0] = x[0, k]");
    left("", "z[0] += n[k]");
    left("", "y[0] += x[0, k] y[1] += x[1, k]");
    left("y[0] = 1.0", "y[0] += x[0, k] * y[0]");
}

TEST_CASE("sums, maxima and minima of every length come out as before, those of whole numbers and of what is no number too") {
    std::mt19937 random(1);
    for (const char* const update : {"+=", "max=", "min="})
        for (const std::int64_t extent : {1, 15, 16, 17, 31, 32, 33, 47, 48, 1000}) {
            CAPTURE(update);
            CAPTURE(extent);
            const std::string is = std::to_string(extent), first = std::string(update) == "max="   ? "-inf"
                                                                   : std::string(update) == "min=" ? "inf"
                                                                                                   : "0.5";
            const loop_nest before =
                nests::parsed("nest n { input x: float32[3, " + is + "] input m: int32[3, " + is +
                              "] output y: float32[3] output z: int32[3] for i < 3 { y[i] = " + first + " z[i] = 0:int32 for k < " + is +
                              " { y[i] " + update + " within(0 <= k - 1 < 900, x[i, k], 2.0) } for l < " + is + " { z[i] += m[i, l] } } }");
            const loop_nest after = inlay::detail::with_vector_rounds(before);
            CHECK((after.buffers.size() > before.buffers.size()) == (extent >= 32));
            std::vector<tensor> inputs{tensor(element_type::float32, {3, extent}), tensor(element_type::int32, {3, extent})};
            for (float& v : inputs[0].as<float>()) v = std::uniform_real_distribution<float>(-3, 3)(random);
            for (std::int32_t& v : inputs[1].as<std::int32_t>()) v = static_cast<std::int32_t>(random());
            // In the last row something is no number.
            const auto none_at = static_cast<std::size_t>(2 * extent + extent * 3 / 4);
            inputs[0].as<float>()[none_at] = std::numeric_limits<float>::quiet_NaN();
            const auto meant = run_nest(before, inputs), got = run_nest(after, inputs);
            REQUIRE((meant && got));
            const comparison same = compare((*got)[0], (*meant)[0], 1e-5, 1e-4);
            CHECK_MESSAGE(same.agrees, same.reason);
            CHECK((*got)[1].content() == (*meant)[1].content());
            if (std::string(update) != "+=") CHECK((*got)[0].content() == (*meant)[0].content());
        }
}

TEST_CASE("compiled sums and maxima along lines agree with the interpreter") {
    for (const std::int64_t length : {1, 15, 16, 17, 33, 1000}) {
        CAPTURE(length);
        for (const char* const op :
             {"onnx.ReduceSum", "onnx.ReduceMean", "onnx.ReduceMax", "onnx.ReduceMin", "onnx.ReduceL2", "onnx.ReduceLogSumExp"}) {
            inlay_test::small_graph t;
            cpu_loops_test::check_emitted(
                t.finish(t.call(op, {t.call("onnx.Mul", {t.input({5, length}), t.random({length})}), t.integers({-1})})));
        }
    }
}
