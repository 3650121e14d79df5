// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/work_counter.hpp>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/convolution.hpp>
#include <inlay/ops/op_table.hpp>

#include "../cost/sample_region.hpp"

using namespace inlay;

namespace {

using few_ops = op_table<onnx_convolution<>>;

/// A convolution of an image of 2 channels with kernels of that many rows and columns.
sample::sample_region convolution(std::int64_t rows) {
    using role = region_value::role;
    sample::sample_region s;
    s.values.push_back({role::input, "", {}, {}, sample::type({1, 2, 8, 8}), {}, 0, 0});
    s.values.push_back({role::input, "", {}, {}, sample::type({4, 2, rows, rows}), {}, 0, 1});
    const std::int64_t out = 8 - rows + 1;
    s.values.push_back({role::call, "onnx.Conv", {0, 1}, {}, sample::type({1, 4, out, out}), {}, 0, 2});
    s.inputs = 2;
    s.results = {2};
    return s;
}

}  // namespace

static_assert(counts_work<work_counter<few_ops>>);

TEST_CASE("a region's work is that of its calls, its bytes are those at its border, and kernels of three rows have a faster algorithm") {
    const sample::sample_region three = convolution(3), one = convolution(1);
    const region_work of_three = work_counter<few_ops>{}(three.view()), of_one = work_counter<few_ops>{}(one.view());
    CHECK(of_three.flops == doctest::Approx(2.0 * 4 * 36 * 2 * 9));
    CHECK(of_three.least_flops == doctest::Approx(of_three.flops / 4));
    CHECK(of_three.bytes == doctest::Approx(4.0 * (128 + 72 + 144)));
    CHECK(of_one.flops == doctest::Approx(2.0 * 4 * 64 * 2));
    CHECK(of_one.least_flops == of_one.flops);
    CHECK(work_counter<few_ops>{9}(three.view()).least_flops == doctest::Approx(of_three.flops / 9));
}

TEST_CASE("operators that a set does not know do no work") {
    sample::sample_region s = convolution(3);
    s.values[2].op = "of.nobody";
    const region_work work = work_counter<few_ops>{}(s.view());
    CHECK(work.flops == 0);
    CHECK(work.bytes > 0);
}
