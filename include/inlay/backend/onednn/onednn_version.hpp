// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_ONEDNN_VERSION_HPP
#define INLAY_BACKEND_ONEDNN_ONEDNN_VERSION_HPP

#include <optional>
#include <type_traits>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

// The differences between oneDNN 2 and oneDNN 3. The other headers of this back end use the names here, with the arguments of oneDNN 3.

namespace inlay::detail {

/// Whether the library has convolutions in Winograd's form for float32 on processors with AVX-512.
inline constexpr bool onednn_has_winograd = DNNL_VERSION_MAJOR < 3;

#if DNNL_VERSION_MAJOR >= 3

/// Returns the description of a primitive; empty if the library has no implementation. `arguments` are those of the constructor in
/// oneDNN 3, between the engine and the attributes.
template <class Primitive, class... Arguments>
[[nodiscard]] dnnl::primitive_desc_base onednn_primitive_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                              const Arguments&... arguments) {
    return typename Primitive::primitive_desc(engine, arguments..., attributes, true);
}

/// Returns the description of a concatenation. Throws `dnnl::error` if the library has no implementation.
[[nodiscard]] inline dnnl::concat::primitive_desc onednn_concat_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                                     const dnnl::memory::desc& result, int axis,
                                                                     const std::vector<dnnl::memory::desc>& parts) {
    return {engine, result, axis, parts, attributes};
}

[[nodiscard]] inline dnnl::memory::dims onednn_dims(const dnnl::memory::desc& desc) { return desc.get_dims(); }

inline void onednn_append_eltwise(dnnl::post_ops& after, dnnl::algorithm function, float alpha, float beta) {
    after.append_eltwise(function, alpha, beta);
}
inline void onednn_read_eltwise(const dnnl::post_ops& after, int index, dnnl::algorithm& function, float& alpha, float& beta) {
    after.get_params_eltwise(index, function, alpha, beta);
}

/// Whether the factor of a matrix product multiplies the bias, too.
inline constexpr bool onednn_factor_of_bias = false;

/// Gives a matrix product a factor. Returns the argument of the run that holds the factor, nullopt if the attributes hold it.
inline std::optional<int> onednn_set_factor(dnnl::primitive_attr& attributes, float) {
    attributes.set_scales_mask(DNNL_ARG_WEIGHTS, 0);
    return DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS;
}

#else

/// The order of arguments of oneDNN 3, for operations of oneDNN 2. The result of some of them has no description there.
template <class Primitive>
struct onednn_operation {
    template <class... Arguments>
    [[nodiscard]] static auto of(const Arguments&... arguments) {
        return typename Primitive::desc(arguments...);
    }
};
template <>
struct onednn_operation<dnnl::eltwise_forward> {
    [[nodiscard]] static auto of(dnnl::prop_kind kind, dnnl::algorithm function, const dnnl::memory::desc& x, const dnnl::memory::desc&,
                                 float alpha, float beta) {
        return dnnl::eltwise_forward::desc(kind, function, x, alpha, beta);
    }
};
template <>
struct onednn_operation<dnnl::lrn_forward> {
    [[nodiscard]] static auto of(dnnl::prop_kind kind, dnnl::algorithm how, const dnnl::memory::desc& x, const dnnl::memory::desc&,
                                 dnnl::memory::dim size, float alpha, float beta, float bias) {
        return dnnl::lrn_forward::desc(kind, how, x, size, alpha, beta, bias);
    }
};
template <>
struct onednn_operation<dnnl::batch_normalization_forward> {
    [[nodiscard]] static auto of(dnnl::prop_kind kind, const dnnl::memory::desc& x, const dnnl::memory::desc&, float epsilon,
                                 dnnl::normalization_flags flags) {
        return dnnl::batch_normalization_forward::desc(kind, x, epsilon, flags);
    }
};
template <>
struct onednn_operation<dnnl::layer_normalization_forward> {
    [[nodiscard]] static auto of(dnnl::prop_kind kind, const dnnl::memory::desc& x, const dnnl::memory::desc&, float epsilon,
                                 dnnl::normalization_flags flags) {
        return dnnl::layer_normalization_forward::desc(kind, x, epsilon, flags);
    }
};
template <>
struct onednn_operation<dnnl::pooling_forward> {
    [[nodiscard]] static auto of(dnnl::prop_kind kind, dnnl::algorithm how, const dnnl::memory::desc& x, const dnnl::memory::desc& y,
                                 const dnnl::memory::dims& strides, const dnnl::memory::dims& kernel, const dnnl::memory::dims&,
                                 const dnnl::memory::dims& begin, const dnnl::memory::dims& end) {
        return dnnl::pooling_forward::desc(kind, how, x, y, strides, kernel, begin, end);
    }
};
template <>
struct onednn_operation<dnnl::softmax_forward> {
    [[nodiscard]] static auto of(dnnl::prop_kind kind, dnnl::algorithm, const dnnl::memory::desc& x, const dnnl::memory::desc&, int axis) {
        return dnnl::softmax_forward::desc(kind, x, axis);
    }
};

template <class Primitive, class... Arguments>
[[nodiscard]] dnnl::primitive_desc_base onednn_primitive_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                              const Arguments&... arguments) {
    return typename Primitive::primitive_desc(onednn_operation<Primitive>::of(arguments...), attributes, engine, true);
}
/// The logarithm of a softmax is a primitive of its own.
template <class Primitive>
requires std::is_same_v<Primitive, dnnl::softmax_forward>
[[nodiscard]] dnnl::primitive_desc_base onednn_primitive_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                              const dnnl::prop_kind& kind, const dnnl::algorithm& how,
                                                              const dnnl::memory::desc& x, const dnnl::memory::desc& y, const int& axis) {
    if (how == dnnl::algorithm::softmax_log)
        return dnnl::logsoftmax_forward::primitive_desc(dnnl::logsoftmax_forward::desc(kind, x, axis), attributes, engine, true);
    return dnnl::softmax_forward::primitive_desc(onednn_operation<Primitive>::of(kind, how, x, y, axis), attributes, engine, true);
}

[[nodiscard]] inline dnnl::concat::primitive_desc onednn_concat_desc(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                                                     const dnnl::memory::desc& result, int axis,
                                                                     const std::vector<dnnl::memory::desc>& parts) {
    return {result, axis, parts, engine, attributes};
}

[[nodiscard]] inline dnnl::memory::dims onednn_dims(const dnnl::memory::desc& desc) { return desc.dims(); }

inline void onednn_append_eltwise(dnnl::post_ops& after, dnnl::algorithm function, float alpha, float beta) {
    after.append_eltwise(1.0f, function, alpha, beta);
}
inline void onednn_read_eltwise(const dnnl::post_ops& after, int index, dnnl::algorithm& function, float& alpha, float& beta) {
    float scale = 1;
    after.get_params_eltwise(index, scale, function, alpha, beta);
}

inline constexpr bool onednn_factor_of_bias = true;

inline std::optional<int> onednn_set_factor(dnnl::primitive_attr& attributes, float factor) {
    attributes.set_output_scales(0, {factor});
    return std::nullopt;
}

#endif

}  // namespace inlay::detail

#endif
