// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/softmax.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

TEST_CASE("what is no number, or infinite, makes of its row what the definition says, and of no other row anything") {
    for_each_special([](float special) {
        for (const std::int64_t count : {2, 16, 37}) {
            CAPTURE(count);
            small_graph t;
            expect_taken(t.finish(t.call("onnx.Softmax", {input_with(t, {3, count}, special, static_cast<std::size_t>(2 * count - 1))})),
                         1);
        }
    });
}

TEST_CASE("softmax along the last axis agrees with its definition") {
    for (const std::int64_t count : {1, 5, 16, 100, 3000}) {
        CAPTURE(count);
        small_graph t;
        expect_taken(t.finish(t.call("onnx.Softmax", {t.input({3, 7, count})})), 1, 5e-6, -30, 30);
    }
    small_graph t;
    expect_taken(t.finish(t.call("onnx.Softmax", {t.input({3, 17, 1, 1})}, {{"axis", std::int64_t{1}}})), 1);
    small_graph u;
    CHECK(why_not(u.finish(u.call("onnx.Softmax", {u.input({3, 17, 4})}, {{"axis", std::int64_t{1}}}))).find("last one") !=
          std::string::npos);
}
