// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/run_nest.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "nests.hpp"

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
