// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/run/run_nest.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../nests.hpp"

using namespace inlay;

TEST_CASE("a product and a convolution come out as by hand [loops.run.by-hand]") {
    const bool holds = rc::check([] {
        const loop_nest n = nests::parsed(nests::product);
        const std::vector<tensor> in = nests::random_inputs(n);
        const auto out = run_nest(n, in);
        RC_ASSERT(out.has_value());
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < 6; ++j) {
                float sum = 0;
                for (std::size_t k = 0; k < 7; ++k) sum += in[0].as<float>()[i * 7 + k] * in[1].as<float>()[k * 6 + j];
                RC_ASSERT(out->front().as<float>()[i * 6 + j] == sum);
            }
        const loop_nest row = nests::parsed(nests::blur);
        const std::vector<tensor> x = nests::random_inputs(row);
        const auto y = run_nest(row, x);
        RC_ASSERT(y.has_value());
        for (std::size_t i = 0; i < 9; ++i) {
            const auto at = [&](std::size_t k) { return k < 9 ? x[0].as<float>()[k] : 0.0f; };
            RC_ASSERT(y->front().as<float>()[i] == std::max((at(i - 1) + at(i) + at(i + 1)) / 3.0f, 0.0f));
        }
    });
    CHECK(holds);
}

TEST_CASE("buffers with gaps and turned axes hold the same elements [loops.run.strides]") {
    const loop_nest n = nests::parsed(
        "nest n { input x: int32[2, 3] strides [1, 4] output y: int32[3, 2] strides [5, 2] "
        "for i < 2 { for j < 3 { y[j, i] = x[i, j] } } }");
    const std::vector<tensor> in{tensor::of<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6})};
    const auto out = run_nest(n, in);
    REQUIRE(out);
    const auto seen = out->front().as<std::int32_t>();
    CHECK(std::vector<std::int32_t>(seen.begin(), seen.end()) == std::vector<std::int32_t>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("inputs that do not fit are refused by name [loops.run.inputs]") {
    const loop_nest n = nests::parsed(nests::blur);
    CHECK(run_nest(n, {}).failure().message.find("at 'x'; give one tensor for each of its inputs") != std::string::npos);
    const std::vector<tensor> short_one{tensor(element_type::float32, {8})}, two(2, tensor(element_type::float32, {9}));
    CHECK_FALSE(run_nest(n, short_one));
    CHECK(run_nest(n, two).failure().message == "the loop nest 'blur' takes 1 inputs, and 2 were given");
    loop_nest unsound = n;
    unsound.root = 99;
    CHECK_FALSE(run_nest(unsound, two));
}

TEST_CASE("buffers without elements and memory that there is not are no crash [loops.run.memory]") {
    const loop_nest none = nests::parsed("nest n { output y: float32[0, 4] for i < 0 { y[i, 0] = 1.0 } }");
    const auto out = run_nest(none, {});
    REQUIRE(out);
    CHECK(out->front().count() == 0);
    const loop_nest huge = nests::parsed("nest n { output y: float32[1000000000000000000] y[0] = 1.0 }");
    CHECK(run_nest(huge, {}).failure().message == "there is no memory for the buffer 'y' of the loop nest 'n'");
}

TEST_CASE("a call computes what its function means, on windows [loops.run.calls]") {
    const loop_nest plain = nests::parsed(R"(nest whole {
        input a: float32[8, 12]
        input b: float32[12, 8]
        output c: float32[8, 8]
        for i < 8 { for j < 8 { c[i, j] = 0.0 for k < 12 { c[i, j] += a[i, k] * b[k, j] } } }
    })");
    const bool holds = rc::check([&] {
        const auto inputs = nests::random_inputs(plain);
        const auto tiled = run_nest(nests::parsed(nests::by_tiles), inputs), whole = run_nest(plain, inputs);
        RC_ASSERT((tiled.has_value() && whole.has_value()));
        RC_ASSERT(tiled->front().content() == whole->front().content());
    });
    CHECK(holds);
}

TEST_CASE("windows may be a part of their buffer's axes, and have its strides [loops.run.calls]") {
    const loop_nest n = nests::parsed(R"(nest columns {
        input x: float32[2, 3, 4] strides [1, 8, 2]
        output y: float32[2, 2] strides [1, 10]
        intrinsic sum {
            input from: float32[3, 4] strides [4, 2]
            output to: float32[1]
            stack part: float32[1] {
                part[0] = 0.0
                for i < 3 { for j < 4 { part[0] += from[i, j] } }
                to[0] = part[0]
            }
        }
        for i < 2 { y[i, 0] = 7.0 call sum(x[i, 0, 0], y[i, 1]) }
    })");
    tensor x(element_type::float32, {2, 3, 4});
    for (std::size_t i = 0; i < 24; ++i) x.as<float>()[i] = static_cast<float>(i);
    const auto got = run_nest(n, std::vector{x});
    REQUIRE(got);
    CHECK(got->front().as<float>()[0] == 7);
    CHECK(got->front().as<float>()[1] == 66);
    CHECK(got->front().as<float>()[3] == 210);
}

TEST_CASE("windows may run along other axes, and by steps [loops.run.calls]") {
    const loop_nest n = nests::parsed(R"(nest turned {
        input x: float32[3, 10]
        output y: float32[3, 3]
        intrinsic copy { input a: float32[3, 3] strides [9, 9] output b: float32[3, 3] for i < 3 { for j < 3 { b[i, j] = a[i, j] } } }
        call copy(x[0, 1] along [1 by 4, 0], y[0, 0])
    })");
    tensor x(element_type::float32, {3, 10});
    for (std::size_t i = 0; i < 30; ++i) x.as<float>()[i] = static_cast<float>(i);
    const auto got = run_nest(n, std::vector{x});
    REQUIRE(got);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) CHECK(got->front().as<float>()[3 * i + j] == static_cast<float>(10 * j + 1 + 4 * i));
}

TEST_CASE("an external function computes what is given for it, or is refused [loops.run.external]") {
    const loop_nest n = nests::parsed(nests::by_library);
    const auto inputs = nests::some_inputs(n);
    const auto refused = run_nest(n, inputs);
    REQUIRE_FALSE(refused);
    CHECK(
        refused.failure().message ==
        "the loop nest 'by_library' calls the external function 'scale_row', of which nobody knows what it means; give a function for it");
    const external_function scale{"scale_row", [](std::span<const nest_window> w, std::span<const std::int64_t> numbers) {
                                      for (std::int64_t i = 0; i < numbers[0]; ++i)
                                          reinterpret_cast<float*>(w[1].first)[i * w[1].strides[0]] =
                                              reinterpret_cast<const float*>(w[0].first)[i * w[0].strides[0]] *
                                              static_cast<float>(numbers[1]);
                                  }};
    const auto got = run_nest(n, inputs, std::vector{scale});
    REQUIRE(got);
    for (std::size_t i = 0; i < 24; ++i)
        CHECK(got->front().as<float>()[i] == inputs[0].as<float>()[i] * (2 * static_cast<float>(i / 6) - 1));
}
