// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ATTRIBUTES_SCALAR_ATTRIBUTES_HPP
#define INLAY_OPS_ATTRIBUTES_SCALAR_ATTRIBUTES_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include <inlay/graph/attribute_list.hpp>

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
    using attributes =
        attribute_list<attribute_member<"alpha", &gemm_attributes::alpha>, attribute_member<"beta", &gemm_attributes::beta>,
                       attribute_member<"transA", &gemm_attributes::trans_a>, attribute_member<"transB", &gemm_attributes::trans_b>>;
};

/// The attributes of ONNX's Einsum.
struct einsum_attributes {
    static constexpr std::string_view operators[] = {"onnx.Einsum"};
    std::string_view equation = "";
    using attributes = attribute_list<attribute_member<"equation", &einsum_attributes::equation, attribute_need::required>>;
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
    using attributes =
        attribute_list<attribute_member<"alpha", &selu_attributes::alpha>, attribute_member<"gamma", &selu_attributes::gamma>>;
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
    using attributes =
        attribute_list<attribute_member<"bias", &shrink_attributes::bias>, attribute_member<"lambd", &shrink_attributes::lambd>>;
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
    using attributes = attribute_list<attribute_member<"direction", &bit_shift_attributes::direction, attribute_need::required>>;
};

/// The attributes of ONNX's IsInf.
struct is_inf_attributes {
    static constexpr std::string_view operators[] = {"onnx.IsInf"};
    bool detect_negative = true;
    bool detect_positive = true;
    using attributes = attribute_list<attribute_member<"detect_negative", &is_inf_attributes::detect_negative>,
                                      attribute_member<"detect_positive", &is_inf_attributes::detect_positive>>;
};

/// The attributes of ONNX's Cast. `to` is a number of ONNX's element types, and has no default. `round_mode` and `saturate` say how numbers
/// become those of eight bits or fewer, which tensors here do not hold.
struct cast_attributes {
    static constexpr std::string_view operators[] = {"onnx.Cast"};
    std::string_view round_mode = "up";
    bool saturate = true;
    std::int64_t to = 0;
    using attributes = attribute_list<attribute_member<"round_mode", &cast_attributes::round_mode, attribute_need::optional, 24>,
                                      attribute_member<"saturate", &cast_attributes::saturate, attribute_need::optional, 19>,
                                      attribute_member<"to", &cast_attributes::to, attribute_need::required>>;
};

/// The attributes of ONNX's CastLike, as Cast's.
struct cast_like_attributes {
    static constexpr std::string_view operators[] = {"onnx.CastLike"};
    std::string_view round_mode = "up";
    bool saturate = true;
    using attributes = attribute_list<attribute_member<"round_mode", &cast_like_attributes::round_mode, attribute_need::optional, 24>,
                                      attribute_member<"saturate", &cast_like_attributes::saturate, attribute_need::optional, 19>>;
};

/// The attributes of ONNX's Dropout. The seed has no part in what it means at inference.
struct dropout_attributes {
    static constexpr std::string_view operators[] = {"onnx.Dropout"};
    std::optional<std::int64_t> seed{};
    using attributes = attribute_list<attribute_member<"seed", &dropout_attributes::seed>>;
};

/// The attributes of ONNX's Attention. Where `scale` is left out it is one over the root of a head's size. The numbers of heads are for
/// operands of rank 3. Windows have no form here: -1, no window, is the only size with a meaning. `qk_matmul_output_mode` and
/// `softmax_precision` change no result that has one.
struct attention_attributes {
    static constexpr std::string_view operators[] = {"onnx.Attention"};
    bool is_causal = false;
    std::optional<std::int64_t> kv_num_heads{};
    std::int64_t left_window_size = -1;
    std::optional<std::int64_t> q_num_heads{};
    std::int64_t qk_matmul_output_mode = 0;
    std::int64_t right_window_size = -1;
    std::optional<double> scale{};
    double softcap = 0;
    std::optional<std::int64_t> softmax_precision{};
    using attributes =
        attribute_list<attribute_member<"is_causal", &attention_attributes::is_causal>,
                       attribute_member<"kv_num_heads", &attention_attributes::kv_num_heads>,
                       attribute_member<"left_window_size", &attention_attributes::left_window_size, attribute_need::optional, 25>,
                       attribute_member<"q_num_heads", &attention_attributes::q_num_heads>,
                       attribute_member<"qk_matmul_output_mode", &attention_attributes::qk_matmul_output_mode>,
                       attribute_member<"right_window_size", &attention_attributes::right_window_size, attribute_need::optional, 25>,
                       attribute_member<"scale", &attention_attributes::scale>, attribute_member<"softcap", &attention_attributes::softcap>,
                       attribute_member<"softmax_precision", &attention_attributes::softmax_precision>>;
};

}  // namespace inlay

#endif
