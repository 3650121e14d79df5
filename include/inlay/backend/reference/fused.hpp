// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_FUSED_HPP
#define INLAY_BACKEND_REFERENCE_FUSED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/backend/layer_normalization.hpp>
#include <inlay/backend/reference/convolution.hpp>
#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chain.hpp>
#include <inlay/backend/reference/detail/region_kernel.hpp>
#include <inlay/backend/reference/linear.hpp>
#include <inlay/backend/reference/normalization.hpp>
#include <inlay/core/linkage.hpp>

namespace inlay::detail::on_eigen {

/// A region of several calls as one kernel: a convolution or product with an epilogue, a chain of functions, or a layer normalisation
/// that is written out.
struct fused_plan {
    enum class form : std::uint8_t { convolution, matmul, gemm, chain, layer_norm };

    form kind = form::chain;
    call_site anchor;  // of the first three; for the others operand and result alone
    epilogue steps;
    std::vector<value_id> operands;  // of the kernel
    value_id result = 0;
    float epsilon = 0;  // of a layer normalisation; its scale and bias follow the operand where they are there
    bool has_scale = false, has_bias = false;
};

/// A layer normalisation as a plan; nothing where its tensors are not those of the kernel.
[[nodiscard]] inline std::optional<fused_plan> layer_norm_plan(const region_view& r, const layer_normalization& norm) {
    fused_plan plan;
    plan.kind = fused_plan::form::layer_norm;
    plan.result = r.results[0];
    plan.operands = {norm.x};
    plan.epsilon = static_cast<float>(norm.epsilon);
    plan.has_scale = norm.scale.has_value();
    plan.has_bias = norm.shift.has_value();
    for (const std::optional<value_id>& row : {norm.scale, norm.shift}) {
        if (!row) continue;
        if (!norm.beside(*r[*row].value)->covers(norm.axes)) return std::nullopt;
        plan.operands.push_back(*row);
    }
    const bool narrow = r.type(norm.x).element == element_type::float32 && r.type(plan.result).element == element_type::float32;
    return narrow ? std::optional(std::move(plan)) : std::nullopt;
}

/// The one kernel that a region of several calls is, where it is one that this back end knows.
[[nodiscard]] inline std::optional<fused_plan> fused_plan_of(const region_view& r, std::size_t threads) {
    const auto calls = r.calls();
    if (calls.size() < 2 || r.results.size() != 1) return std::nullopt;
    for (const region_value& c : calls)
        if (c.kind != region_value::role::call || !c.type->is_tensor() || !is_static_call(r, c)) return std::nullopt;
    if (const auto norm = read_layer_normalization(r)) return layer_norm_plan(r, *norm);

    const auto is_product = [](const region_value& v) { return v.op == "onnx.Conv" || v.op == "onnx.MatMul" || v.op == "onnx.Gemm"; };
    // Functions that a file writes out are taken with any numbers: their loops have slopes and offsets of their own.
    const auto chain = read_anchored_chain(r, r.results[0], is_product, 0, {1e-5, true});
    if (!chain) return std::nullopt;
    fused_plan plan;
    std::size_t axis = 1;
    const region_value& anchor = r[chain->anchor];
    if (anchor.kind == region_value::role::call) {
        plan.anchor = site_of(r, anchor, threads);
        plan.operands.assign(anchor.operands.begin(), anchor.operands.end());
    }
    if (anchor.op == "onnx.Conv") {
        plan.kind = fused_plan::form::convolution;
        if (!refuse_convolution(plan.anchor).empty()) return std::nullopt;
    } else if (anchor.op == "onnx.MatMul") {
        plan.kind = fused_plan::form::matmul;
        // A product with a vector has no columns to be channels.
        if (!refuse_matmul(plan.anchor).empty() || plan.anchor.in(1).rank() < 2) return std::nullopt;
        axis = plan.anchor.out().rank() - 1;
    } else if (anchor.op == "onnx.Gemm") {
        plan.kind = fused_plan::form::gemm;
        if (!refuse_unless_float(plan.anchor).empty()) return std::nullopt;
    } else {
        if (anchor.kind != region_value::role::input || r.type(chain->anchor).element != element_type::float32) return std::nullopt;
        plan.anchor.operands = {site_of(r.type(chain->anchor))};
        plan.operands = {chain->anchor};
    }
    auto after = epilogue_of(r, *chain, axis, plan.operands.size());
    if (!after) return std::nullopt;
    plan.result = r.results[0];
    plan.steps = std::move(after->steps);
    plan.operands.insert(plan.operands.end(), after->tensors.begin(), after->tensors.end());
    return plan;
}

/// A chain of functions of one tensor whose channels lie along axis 1.
[[nodiscard]] inline kernel make_chain(const site_value& x, epilogue steps) {
    const extents& shape = x.shape;
    const auto all_equal = [](const std::vector<float>& v) {
        return std::count(v.begin(), v.end(), v.empty() ? 0.0f : v[0]) == static_cast<std::ptrdiff_t>(v.size());
    };
    bool uniform = true;
    for (const epilogue_step& s : steps) uniform = uniform && all_equal(s.scale) && all_equal(s.shift);
    // Without steps that differ by channel the tensor is one long row; of two axes, each row runs across all channels.
    const bool across = !uniform && shape.size() == 2;
    const std::int64_t channels = uniform || across ? 1 : shape[1];
    const std::int64_t row = uniform ? x.count() : across ? shape[1] : product(shape, 2, shape.size());
    return kernel_of([=, n_all = x.count(), steps = std::move(steps)](const run_arguments& a) {
        // Pieces short enough to stay in the first cache through all steps.
        constexpr std::int64_t piece = 4096;
        in_chunks(a.executor, n_all, worth_a_thread, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end;) {
                const std::int64_t n = std::min({piece, end - i, row - i % row});
                float* out = result<float>(a) + i;
                if (out != input<float>(a, 0) + i) std::memcpy(out, input<float>(a, 0) + i, static_cast<std::size_t>(n) * sizeof(float));
                if (across)
                    finish_across_channels(steps, a, out, n, i % row, i);
                else
                    finish_in_channel(steps, a, out, n, i / row % channels, i);
                i += n;
            }
        });
    });
}

template <class = void>
[[nodiscard]] kernel make_fused(const region_view& r, const fused_plan& plan) {
    switch (plan.kind) {
        case fused_plan::form::convolution:
            return make_convolution_with(plan.anchor, plan.steps);
        case fused_plan::form::matmul:
            return make_matmul_with(plan.anchor, plan.steps);
        case fused_plan::form::gemm:
            return make_gemm_with(plan.anchor, plan.steps);
        case fused_plan::form::chain:
            return make_chain(plan.anchor.in(0), plan.steps);
        case fused_plan::form::layer_norm:
            break;
    }
    const extents shape = static_shape(r.type(plan.result));
    const std::int64_t n = shape.back(), rows = product(shape, 0, shape.size() - 1);
    return kernel_of([=, epsilon = plan.epsilon, scaled = plan.has_scale, biased = plan.has_bias](const run_arguments& a) {
        normalize_rows(a.executor, rows, n, epsilon, result<float>(a), input<float>(a, 0), scaled ? input<float>(a, 1) : nullptr,
                       biased ? input<float>(a, scaled ? 2 : 1) : nullptr);
    });
}
#ifdef INLAY_SEPARATE_COMPILATION
extern template kernel make_fused<void>(const region_view&, const fused_plan&);
#endif

}  // namespace inlay::detail::on_eigen

#endif
