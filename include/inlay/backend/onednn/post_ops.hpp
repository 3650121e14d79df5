// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_POST_OPS_HPP
#define INLAY_BACKEND_ONEDNN_POST_OPS_HPP

#include <algorithm>
#include <cstddef>
#include <limits>

#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/onednn/memory.hpp>
#include <inlay/backend/onednn/onednn_version.hpp>

// What follows in a chain, in oneDNN's words.

namespace inlay::detail {

/// One of the library's element-wise functions with its two parameters.
struct onednn_eltwise {
    dnnl::algorithm function = dnnl::algorithm::eltwise_linear;
    float alpha = 0;
    float beta = 0;

    [[nodiscard]] static onednn_eltwise of(const elementwise_function& f) {
        using form = elementwise_function::form;
        using algorithm = dnnl::algorithm;
        constexpr algorithm words[] = {algorithm::eltwise_linear,   algorithm::eltwise_relu,      algorithm::eltwise_clip,
                                       algorithm::eltwise_pow,      algorithm::eltwise_hardswish, algorithm::eltwise_elu,
                                       algorithm::eltwise_logistic, algorithm::eltwise_swish,     algorithm::eltwise_tanh,
                                       algorithm::eltwise_gelu_erf, algorithm::eltwise_gelu_tanh, algorithm::eltwise_soft_relu,
                                       algorithm::eltwise_mish,     algorithm::eltwise_abs,       algorithm::eltwise_square,
                                       algorithm::eltwise_sqrt,     algorithm::eltwise_exp,       algorithm::eltwise_log};
        const algorithm word = words[static_cast<std::size_t>(f.kind)];
        // Swish and soft Relu have a factor before x. oneDNN 2 ignores the parameters of hard swish and the factor of soft Relu.
        if (f.kind == form::swish || f.kind == form::softplus) return {word, 1, 0};
        constexpr double most = std::numeric_limits<float>::max();
        return {word, static_cast<float>(std::clamp(f.alpha, -most, most)), static_cast<float>(std::clamp(f.beta, -most, most))};
    }
};

[[nodiscard]] inline dnnl::algorithm onednn_binary(chain_step::combination how) {
    using algorithm = dnnl::algorithm;
    constexpr algorithm words[] = {algorithm::binary_add, algorithm::binary_mul, algorithm::binary_max,
                                   algorithm::binary_min, algorithm::binary_sub, algorithm::binary_div};
    return words[static_cast<std::size_t>(how)];
}

/// Appends an element-wise function to what follows a primitive.
inline void onednn_append(dnnl::post_ops& after, const elementwise_function& f) {
    const onednn_eltwise e = onednn_eltwise::of(f);
    onednn_append_eltwise(after, e.function, e.alpha, e.beta);
}
/// Appends a step of a chain; the other tensor of a combination, where it is one, lies in `order`.
inline void onednn_append(dnnl::post_ops& after, const chain_step& s, const dnnl::memory::desc& order) {
    if (s.kind == chain_step::form::combine)
        after.append_binary(onednn_binary(s.how), order);
    else
        onednn_append(after, s.function);
}

}  // namespace inlay::detail

#endif
