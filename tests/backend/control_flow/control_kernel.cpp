// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/control_flow/control_kernel.hpp>

#include <doctest/doctest.h>

#include "looped.hpp"

using namespace looped;

TEST_CASE("a branch gives what the side gives that its condition chooses") {
    for (const bool c : {true, false}) check_meaning(branch(), {truth(c), values({1, 2, 3}), values({-4, 5, -6})});
}

TEST_CASE("a loop carries, stacks, counts its trips, and ends by its condition") {
    check_meaning(loop(5, {}), {values({1, 2, 3})});
    check_meaning(loop(1, {}), {values({1, 2, 3})});
    check_meaning(loop(0, 9.0f), {values({1, 2, 3})});
    check_meaning(loop(100, 9.0f), {values({1, 2, 3})});
    check_meaning(loop({}, 9.0f), {values({1, 2, 3})});
    check_meaning(loop(2, 9.0f), {values({1, 2, 3})});
}

TEST_CASE("a scan slices and stacks along any axis, either way") {
    check_meaning(scan(), {tensor::of({2, 4}, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}), values({1, 10})});
}

TEST_CASE("a loop in a branch in a loop") {
    const ir_module m = of_body({row()}, [](ir_builder& b, auto& x) {
        const node_id outer = body(b, {number, flag, row()}, [&](auto& p) {
            const node_id even = b.call("onnx.Equal", {b.call("onnx.Mod", {p[0], b.constant(tensor::scalar(std::int64_t{2}))}),
                                                       b.constant(tensor::scalar(std::int64_t{0}))});
            const node_id yes = side(b, [&] {
                const node_id inner = body(b, {number, flag, row()}, [&](auto& q) {
                    return b.tuple(std::vector<node_id>{q[1], b.call("onnx.Add", {q[2], x[0]})});
                });
                return b.call("onnx.Loop", {b.constant(tensor::scalar(std::int64_t{3})), b.unit(), p[2], inner});
            });
            const node_id no = side(b, [&] { return b.call("onnx.Neg", {p[2]}); });
            return b.tuple(std::vector<node_id>{p[1], b.if_else(even, yes, no)});
        });
        return b.call("onnx.Loop", {b.constant(tensor::scalar(std::int64_t{5})), b.unit(), b.constant(values({1, 1, 1})), outer});
    });
    check_meaning(m, {values({1, 2, 3})});
}
