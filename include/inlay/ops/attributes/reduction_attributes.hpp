// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ATTRIBUTES_REDUCTION_ATTRIBUTES_HPP
#define INLAY_OPS_ATTRIBUTES_REDUCTION_ATTRIBUTES_HPP

#include <cstdint>
#include <string_view>

#include <inlay/graph/attribute_list.hpp>

// The attributes of operators that go along axes: reductions, running sums, orders. Members are named as the attributes
// are, in lower case; initialisers are ONNX's defaults.

namespace inlay {

/// The attributes of ONNX's reductions. The axes are an operand.
struct reduce_attributes {
    static constexpr std::string_view operators[] = {"onnx.ReduceL1",  "onnx.ReduceL2",       "onnx.ReduceLogSum", "onnx.ReduceLogSumExp",
                                                     "onnx.ReduceMax", "onnx.ReduceMean",     "onnx.ReduceMin",    "onnx.ReduceProd",
                                                     "onnx.ReduceSum", "onnx.ReduceSumSquare"};
    bool keepdims = true;
    bool noop_with_empty_axes = false;
    using attributes = attribute_list<attribute_member<"keepdims", &reduce_attributes::keepdims>,
                                      attribute_member<"noop_with_empty_axes", &reduce_attributes::noop_with_empty_axes>>;
};

/// The attributes of ONNX's ArgMax and ArgMin.
struct arg_reduce_attributes {
    static constexpr std::string_view operators[] = {"onnx.ArgMax", "onnx.ArgMin"};
    std::int64_t axis = 0;
    bool keepdims = true;
    bool select_last_index = false;
    using attributes = attribute_list<attribute_member<"axis", &arg_reduce_attributes::axis>,
                                      attribute_member<"keepdims", &arg_reduce_attributes::keepdims>,
                                      attribute_member<"select_last_index", &arg_reduce_attributes::select_last_index>>;
};

/// The attributes of ONNX's CumSum. The axis is an operand.
struct cum_sum_attributes {
    static constexpr std::string_view operators[] = {"onnx.CumSum"};
    bool exclusive = false;
    bool reverse = false;
    using attributes = attribute_list<attribute_member<"exclusive", &cum_sum_attributes::exclusive>,
                                      attribute_member<"reverse", &cum_sum_attributes::reverse>>;
};

/// The attributes of ONNX's TopK.
struct top_k_attributes {
    static constexpr std::string_view operators[] = {"onnx.TopK"};
    std::int64_t axis = -1;
    bool largest = true;
    bool sorted = true;
    using attributes =
        attribute_list<attribute_member<"axis", &top_k_attributes::axis>, attribute_member<"largest", &top_k_attributes::largest>,
                       attribute_member<"sorted", &top_k_attributes::sorted>>;
};

}  // namespace inlay

#endif
