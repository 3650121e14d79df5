// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ATTRIBUTES_QUANTIZATION_ATTRIBUTES_HPP
#define INLAY_OPS_ATTRIBUTES_QUANTIZATION_ATTRIBUTES_HPP

#include <cstdint>
#include <string_view>

#include <inlay/graph/attribute_list.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>

// The attributes of operators on quantised numbers. Members are named as the attributes are, in lower case;
// initialisers are ONNX's defaults.

namespace inlay {

/// The attributes of ONNX's QuantizeLinear. `axis` is the one along which scales differ; `output_dtype` is the number of an element type,
/// 0 where the zero point says it.
struct quantize_linear_attributes {
    static constexpr std::string_view operators[] = {"onnx.QuantizeLinear"};
    std::int64_t axis = 1;
    std::int64_t block_size = 0;
    std::int64_t output_dtype = 0;
    std::int64_t precision = 0;
    bool saturate = true;
    using attributes = attribute_list<attribute_member<"axis", &quantize_linear_attributes::axis>,
                                      attribute_member<"block_size", &quantize_linear_attributes::block_size>,
                                      attribute_member<"output_dtype", &quantize_linear_attributes::output_dtype>,
                                      attribute_member<"precision", &quantize_linear_attributes::precision>,
                                      attribute_member<"saturate", &quantize_linear_attributes::saturate>>;
};

/// The attributes of ONNX's DequantizeLinear.
struct dequantize_linear_attributes {
    static constexpr std::string_view operators[] = {"onnx.DequantizeLinear"};
    std::int64_t axis = 1;
    std::int64_t block_size = 0;
    std::int64_t output_dtype = 0;
    using attributes = attribute_list<attribute_member<"axis", &dequantize_linear_attributes::axis>,
                                      attribute_member<"block_size", &dequantize_linear_attributes::block_size>,
                                      attribute_member<"output_dtype", &dequantize_linear_attributes::output_dtype>>;
};

/// The attributes of ONNX's ConvInteger and QLinearConv: those of a convolution.
struct integer_conv_attributes : conv_attributes {
    static constexpr std::string_view operators[] = {"onnx.ConvInteger", "onnx.QLinearConv"};
};

}  // namespace inlay

#endif
