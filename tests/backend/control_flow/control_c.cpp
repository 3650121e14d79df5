// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/control_flow/control_c.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "leaving_as_c.hpp"

using namespace looped;

namespace {

tensor random_values(std::vector<std::int64_t> extents, std::mt19937& random) {
    tensor t(element_type::float32, std::move(extents));
    for (float& v : t.as<float>()) v = static_cast<float>(random() % 65) / 32 - 1;
    return t;
}

tensor_type floats(const std::vector<std::int64_t>& extents) {
    shape s;
    for (const std::int64_t e : extents) s.push_back(e);
    return {element_type::float32, s};
}

/// Running sums of slices of a [3, 4, 5] along some axis, either way, stacked along some axis, either way.
ir_module random_scan(std::mt19937& random) {
    const auto any = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
    const std::vector<std::int64_t> whole{3, 4, 5};
    const std::int64_t axis = any(3);
    std::vector<std::int64_t> slice = whole;
    slice.erase(slice.begin() + axis);
    const std::vector<std::int64_t> in{axis - 3 * any(2)}, way_in{any(2)}, out{any(3)}, way_out{any(2)};
    return of_body({floats(whole), floats(slice)}, [&](ir_builder& b, auto& x) {
        const node_id f = body(b, {floats(slice), floats(slice)}, [&](auto& p) {
            const node_id sum = b.call("onnx.Add", {p[0], p[1]});
            return b.tuple(std::vector<node_id>{sum, b.call("onnx.Mul", {sum, x[1]})});
        });
        const attribute_map how{{"num_scan_inputs", std::int64_t{1}},
                                {"scan_input_axes", in},
                                {"scan_input_directions", way_in},
                                {"scan_output_axes", out},
                                {"scan_output_directions", way_out}};
        const node_id made = b.call("onnx.Scan", {x[1], x[0], f}, how, fields(2));
        return b.tuple(std::vector<node_id>{b.projection(made, 1), b.projection(made, 0)});
    });
}

}  // namespace

TEST_CASE("a branch in C gives what the side gives that its condition chooses [c.control]") {
    for (const bool c : {true, false}) check_c(branch(), {truth(c), values({1, 2, 3}), values({-4, 5, -6})});
}

TEST_CASE("a loop in C carries, stacks, counts its trips, and ends by its condition [c.control]") {
    check_c(loop(5, {}), {values({1, 2, 3})});
    check_c(loop(0, 9.0f), {values({1, 2, 3})});
    check_c(loop({}, 9.0f), {values({1, 2, 3})});
    check_c(loop(2, 9.0f), {values({1, 2, 3})});
}

TEST_CASE("a loop in C makes as many trips as an input says, none where that is negative [c.control]") {
    const ir_module m = of_body({number, row()}, [](ir_builder& b, auto& x) {
        const node_id f = body(b, {number, flag, row()}, [&](auto& p) {
            return b.tuple(std::vector<node_id>{p[1], b.call("onnx.Add", {p[2], x[1]})});
        });
        return b.call("onnx.Loop", {x[0], b.unit(), x[1], f});
    });
    for (const int trips : {3, 0, -1}) check_c(m, {tensor::scalar(std::int64_t{trips}), values({1, 2, 3})});
}

TEST_CASE("an empty tensor has a place of its own in C [codegen.c.empty-places]") {
    check_c(of_body({row()},
                    [](ir_builder& b, auto& x) {
                        const node_id f = body(b, {number, flag, row()}, [&](auto& p) {
                            const node_id sum = b.call("onnx.Add", {p[2], x[0]});
                            return b.tuple(std::vector<node_id>{p[1], sum, b.call("onnx.Neg", {sum}), b.call("onnx.Exp", {sum})});
                        });
                        const node_id none = b.constant(tensor::scalar(std::int64_t{0}));
                        const node_id made = b.call("onnx.Loop", {none, b.unit(), x[0], f}, {}, fields(3));
                        const node_id axis = b.constant(tensor::of<std::int64_t>({1}, {0}));
                        const auto total = [&](std::size_t field) {
                            return b.call("onnx.ReduceSum", {b.projection(made, field), axis}, {{"keepdims", std::int64_t{0}}});
                        };
                        return b.call("onnx.Sum", {b.projection(made, 0), total(1), total(2)});
                    }),
            {values({1, 2, 3})});
}

TEST_CASE("a state without elements has a place of its own in C [codegen.c.empty-places]") {
    const ir_module m = of_body({floats({1, 0})}, [](ir_builder& b, auto& x) {
        const node_id f = body(b, {number, flag, floats({1, 0})}, [&](auto& p) {
            return b.tuple(std::vector<node_id>{p[1], b.call("onnx.Tanh", {p[2]})});
        });
        const node_id trips = b.constant(tensor::scalar(std::int64_t{2}));
        return b.call("onnx.ReduceSum", {b.call("onnx.Loop", {trips, b.unit(), x[0], f})}, {{"keepdims", std::int64_t{0}}});
    });
    check_c(m, {tensor(element_type::float32, {1, 0})});
}

TEST_CASE("slices that nobody stacks are not made [c.control]") {
    for (const int trips : {3, 0}) check_c(half_read(), {tensor::scalar(std::int64_t{trips}), values({1, 2, 3})});
}

TEST_CASE("a scan in C slices and stacks along any axis, either way [c.control]") {
    check_c(scan(), {tensor::of({2, 4}, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}), values({1, 10})});
    std::mt19937 random(11);
    for (int i = 0; i < 6; ++i) {
        CAPTURE(i);
        const ir_module m = random_scan(random);
        std::vector<tensor> inputs;
        for (const node_id n : m.inputs()) inputs.push_back(random_values(static_shape(m.type(n).of_tensor), random));
        check_c(m, inputs);
    }
}

TEST_CASE("a loop in a branch in a loop in C, its constants beside the program [c.control]") {
    c_program_options options;
    options.name = "net";
    options.weights = c_weights::in_file;
    check_c(nested(), {values({1, 2, 3})}, options);
}

TEST_CASE("what nobody reads of a branch is computed into the workspace [c.control]") {
    const ir_module m = of_body({flag, row()}, [](ir_builder& b, auto& x) {
        const node_id yes = side(b, [&] { return b.tuple(std::vector<node_id>{b.call("onnx.Neg", {x[1]}), x[1]}); });
        const node_id no = side(b, [&] { return b.tuple(std::vector<node_id>{x[1], b.call("onnx.Abs", {x[1]})}); });
        return b.projection(b.if_else(x[0], yes, no), 1);
    });
    for (const bool c : {true, false}) check_c(m, {truth(c), values({1, -2, 3})});
}

TEST_CASE("a stack whose first trip a condition may forbid has no C, and says so [c.control]") {
    const ir_module m = of_body({flag, row()}, [](ir_builder& b, auto& x) {
        const node_id f = body(b, {number, flag, row()}, [&](auto& p) {
            const node_id sum = b.call("onnx.Add", {p[2], x[1]});
            return b.tuple(std::vector<node_id>{p[1], sum, sum});
        });
        const node_id made = b.call("onnx.Loop", {b.constant(tensor::scalar(std::int64_t{2})), x[0], x[1], f}, {}, fields(2));
        return b.tuple(std::vector<node_id>{b.projection(made, 0), b.projection(made, 1)});
    });
    const auto made = as_c(m);
    REQUIRE_FALSE(made);
    CHECK(made.failure().message.find("back end 'control_flow' has no C") == 0);
    CHECK(made.failure().message.find("a condition may keep it from its first trip") != std::string::npos);
}
