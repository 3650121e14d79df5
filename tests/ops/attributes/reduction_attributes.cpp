// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/attributes/reduction_attributes.hpp>

#include <doctest/doctest.h>

#include "ops/attribute_defaults.hpp"

using namespace inlay;
using namespace inlay_test;

TEST_CASE("the defaults of reductions' attributes are those that the operators mean") {
    const tensor x = numbers({2, 3, 4});
    for (const std::string_view op : reduce_attributes::operators) check_defaults<reduce_attributes>(op, {x});
    check_defaults<reduce_attributes>("onnx.ReduceSum", {x, tensor::of({1}, std::vector<std::int64_t>{1})});
    for (const std::string_view op : arg_reduce_attributes::operators)
        check_defaults<arg_reduce_attributes>(op, {tensor(element_type::float32, {2, 2})});
    check_defaults<cum_sum_attributes>("onnx.CumSum", {x, tensor::scalar(std::int64_t{1})});
    check_defaults<top_k_attributes>("onnx.TopK", {x, tensor::of({1}, std::vector<std::int64_t>{2})}, {}, {}, 2);
}
