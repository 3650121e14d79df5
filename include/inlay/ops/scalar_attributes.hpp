// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SCALAR_ATTRIBUTES_HPP
#define INLAY_OPS_SCALAR_ATTRIBUTES_HPP

#include <cstdint>
#include <string_view>

#include <inlay/candidate/operator_attributes.hpp>

// The attributes of operators that look at each element by itself, and of matrix products. Members are named as the attributes
// are, in lower case; initialisers are ONNX's defaults.

namespace inlay {

/// The attributes of ONNX's Gemm. alpha * A * B + beta * C, A and B transposed first where it is asked for.
struct gemm_attributes {
    static constexpr std::string_view operators[] = {"onnx.Gemm"};
    double alpha = 1;
    double beta = 1;
    bool trans_a = false;
    bool trans_b = false;
    using attributes = attribute_list<attribute_member<"alpha", &gemm_attributes::alpha>,
                                      attribute_member<"beta", &gemm_attributes::beta>,
                                      attribute_member<"transA", &gemm_attributes::trans_a>,
                                      attribute_member<"transB", &gemm_attributes::trans_b>>;
};

/// The attributes of ONNX's Einsum.
struct einsum_attributes {
    static constexpr std::string_view operators[] = {"onnx.Einsum"};
    std::string_view equation = "";
    using attributes = attribute_list<attribute_member<"equation", &einsum_attributes::equation>>;
};

/// The attributes of ONNX's Elu.
struct elu_attributes {
    static constexpr std::string_view operators[] = {"onnx.Elu"};
    double alpha = 1;
    using attributes = attribute_list<attribute_member<"alpha", &elu_attributes::alpha>>;
};

/// The attributes of ONNX's Celu.
struct celu_attributes {
    static constexpr std::string_view operators[] = {"onnx.Celu"};
    double alpha = 1;
    using attributes = attribute_list<attribute_member<"alpha", &celu_attributes::alpha>>;
};

/// The attributes of ONNX's Selu.
struct selu_attributes {
    static constexpr std::string_view operators[] = {"onnx.Selu"};
    double alpha = 1.67326319217681884765625;
    double gamma = 1.05070102214813232421875;
    using attributes = attribute_list<attribute_member<"alpha", &selu_attributes::alpha>,
                                      attribute_member<"gamma", &selu_attributes::gamma>>;
};

/// The attributes of ONNX's LeakyRelu.
struct leaky_relu_attributes {
    static constexpr std::string_view operators[] = {"onnx.LeakyRelu"};
    double alpha = 0.01;
    using attributes = attribute_list<attribute_member<"alpha", &leaky_relu_attributes::alpha>>;
};

/// The attributes of ONNX's ThresholdedRelu.
struct thresholded_relu_attributes {
    static constexpr std::string_view operators[] = {"onnx.ThresholdedRelu"};
    double alpha = 1;
    using attributes = attribute_list<attribute_member<"alpha", &thresholded_relu_attributes::alpha>>;
};

/// The attributes of ONNX's HardSigmoid.
struct hard_sigmoid_attributes {
    static constexpr std::string_view operators[] = {"onnx.HardSigmoid"};
    double alpha = 0.2;
    double beta = 0.5;
    using attributes = attribute_list<attribute_member<"alpha", &hard_sigmoid_attributes::alpha>,
                                      attribute_member<"beta", &hard_sigmoid_attributes::beta>>;
};

/// The attributes of ONNX's Shrink.
struct shrink_attributes {
    static constexpr std::string_view operators[] = {"onnx.Shrink"};
    double bias = 0;
    double lambd = 0.5;
    using attributes = attribute_list<attribute_member<"bias", &shrink_attributes::bias>,
                                      attribute_member<"lambd", &shrink_attributes::lambd>>;
};

/// The attributes of ONNX's Gelu. `approximate` is none or tanh.
struct gelu_attributes {
    static constexpr std::string_view operators[] = {"onnx.Gelu"};
    std::string_view approximate = "none";
    using attributes = attribute_list<attribute_member<"approximate", &gelu_attributes::approximate>>;
};

/// The attributes of ONNX's Mod.
struct mod_attributes {
    static constexpr std::string_view operators[] = {"onnx.Mod"};
    bool fmod = false;
    using attributes = attribute_list<attribute_member<"fmod", &mod_attributes::fmod>>;
};

/// The attributes of ONNX's BitShift. `direction` is LEFT or RIGHT, and has no default.
struct bit_shift_attributes {
    static constexpr std::string_view operators[] = {"onnx.BitShift"};
    std::string_view direction = "";
    using attributes = attribute_list<attribute_member<"direction", &bit_shift_attributes::direction>>;
};

/// The attributes of ONNX's IsInf.
struct is_inf_attributes {
    static constexpr std::string_view operators[] = {"onnx.IsInf"};
    bool detect_negative = true;
    bool detect_positive = true;
    using attributes = attribute_list<attribute_member<"detect_negative", &is_inf_attributes::detect_negative>,
                                      attribute_member<"detect_positive", &is_inf_attributes::detect_positive>>;
};

/// The attributes of ONNX's Cast. `to` is a number of ONNX's element types, and has no default.
struct cast_attributes {
    static constexpr std::string_view operators[] = {"onnx.Cast"};
    std::int64_t to = 0;
    using attributes = attribute_list<attribute_member<"to", &cast_attributes::to>>;
};

}  // namespace inlay

#endif
