// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/epilogue.hpp>

#include <vector>

#include "../run_region.hpp"

using namespace reference_test;
using on_eigen::epilogue_step;

namespace {

/// Times 2 and 3 plus 10 and 20, plus a tensor, then Relu.
on_eigen::epilogue steps() {
    epilogue_step affine, sum, relu;
    affine.kind = epilogue_step::form::affine;
    affine.scale = {2, 3};
    affine.shift = {10, 20};
    sum.kind = epilogue_step::form::tensor;
    sum.operand = 1;
    relu.apply = {on_eigen::unary_row<on_eigen::relu_lanes>, {}};
    return {affine, sum, relu};
}

}  // namespace

TEST_CASE("the steps are done in order, to a row in one channel and to one across channels") {
    const std::vector<float> other{0, 0, 0, 0, -100, 1};
    const void* inputs[] = {nullptr, other.data()};
    run_arguments a;
    a.inputs = inputs;
    std::vector<float> row{1, -1};
    on_eigen::finish_in_channel(steps(), a, row.data(), 2, 1, 4);
    CHECK(row == std::vector<float>{0, 18});
    std::vector<float> across{1, -1};
    on_eigen::finish_across_channels(steps(), a, across.data(), 2, 0, 4);
    CHECK(across == std::vector<float>{0, 18});
    std::vector<float> second{5};
    on_eigen::finish_across_channels(steps(), a, second.data(), 1, 1, 0);
    CHECK(second == std::vector<float>{35});
}

TEST_CASE("without steps nothing is done") {
    std::vector<float> row{1, -1};
    on_eigen::finish_in_channel({}, {}, row.data(), 2, 0, 0);
    CHECK(row == std::vector<float>{1, -1});
}
