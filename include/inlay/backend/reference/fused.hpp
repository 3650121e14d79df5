// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_FUSED_HPP
#define INLAY_BACKEND_REFERENCE_FUSED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/reference/convolution.hpp>
#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chain.hpp>
#include <inlay/backend/reference/detail/region_kernel.hpp>
#include <inlay/backend/reference/linear.hpp>
#include <inlay/backend/reference/normalization.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>

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

/// Reads a layer normalisation over the last axis from its end: `(x - mean) / sqrt(mean of squares + epsilon)`, then scale and bias where
/// they are there. The difference may stand once or twice.
class layer_norm_reader {
public:
    layer_norm_reader(const region_view& r) : r_(r) {}

    std::optional<fused_plan> read() {
        value_id v = r_.results[0];
        if (!r_[v].type->is_tensor() || r_.type(v).element != element_type::float32 || r_.type(v).rank() == 0) return std::nullopt;
        n_ = r_.type(v).extents.back().size;
        fused_plan plan;
        plan.kind = fused_plan::form::layer_norm;
        plan.result = v;
        value_id bias = 0, scale = 0;
        if (const auto other = row_constant(v, "onnx.Add")) {
            bias = *other;
            plan.has_bias = true;
            v = rest(v, bias);
        }
        if (const auto other = row_constant(v, "onnx.Mul")) {
            scale = *other;
            plan.has_scale = true;
            v = rest(v, scale);
        }
        if (!is(v, "onnx.Div", 2)) return std::nullopt;
        const value_id difference = r_[v].operands[0], deviation = r_[v].operands[1];
        if (!is(difference, "onnx.Sub", 2) || !is(deviation, "onnx.Sqrt", 1) || !is(r_[deviation].operands[0], "onnx.Add", 2))
            return std::nullopt;
        const value_id sum = r_[deviation].operands[0];
        std::optional<float> epsilon;
        value_id variance = 0;
        for (std::size_t i = 0; i < 2; ++i)
            if (const auto value = number(r_[sum].operands[i])) {
                epsilon = value;
                variance = r_[sum].operands[1 - i];
            }
        if (!epsilon || !is_row_mean(variance)) return std::nullopt;
        const value_id square = r_[variance].operands[0];
        std::optional<value_id> base;
        if (is(square, "onnx.Pow", 2) && number(r_[square].operands[1]) == std::optional<float>(2.0f)) base = r_[square].operands[0];
        if (is(square, "onnx.Mul", 2) && r_[square].operands[0] == r_[square].operands[1]) base = r_[square].operands[0];
        if (!base || !is(*base, "onnx.Sub", 2)) return std::nullopt;
        const value_id x = r_[difference].operands[0];
        for (const value_id d : {difference, *base})
            if (r_[d].operands[0] != x || !is_row_mean(r_[d].operands[1]) || r_[r_[d].operands[1]].operands[0] != x) return std::nullopt;
        if (x >= r_.input_count || static_shape(r_.type(x)) != static_shape(r_.type(plan.result))) return std::nullopt;
        std::sort(seen_.begin(), seen_.end());
        seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
        if (seen_.size() != r_.calls().size()) return std::nullopt;
        plan.epsilon = *epsilon;
        plan.operands = {x};
        if (plan.has_scale) plan.operands.push_back(scale);
        if (plan.has_bias) plan.operands.push_back(bias);
        return plan;
    }

private:
    bool is(value_id v, std::string_view op, std::size_t arity) {
        if (r_[v].kind != region_value::role::call || r_[v].op != op || r_[v].operands.size() < arity || !is_static_call(r_, r_[v]))
            return false;
        seen_.push_back(v);
        return true;
    }
    [[nodiscard]] std::optional<float> number(value_id v) const {
        const tensor* t = r_[v].kind == region_value::role::constant ? r_[v].value : nullptr;
        if (t == nullptr || t->count() != 1 || t->element() != element_type::float32) return std::nullopt;
        return t->as<float>()[0];
    }
    /// The operand of such a call that is a constant of one number per element of a row.
    std::optional<value_id> row_constant(value_id v, std::string_view op) {
        if (r_[v].kind != region_value::role::call || r_[v].op != op || r_[v].operands.size() != 2) return std::nullopt;
        for (const value_id o : r_[v].operands) {
            const tensor* t = r_[o].kind == region_value::role::constant ? r_[o].value : nullptr;
            if (t != nullptr && t->element() == element_type::float32 && t->rank() != 0 && t->extents().back() == n_ &&
                t->count() == static_cast<std::size_t>(n_)) {
                seen_.push_back(v);
                return o;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] value_id rest(value_id v, value_id without) const { return r_[v].operands[r_[v].operands[0] == without ? 1 : 0]; }
    bool is_row_mean(value_id v) {
        if (!is(v, "onnx.ReduceMean", 1) || !inlay::read<reduce_attributes>(*r_[v].attributes).keepdims) return false;
        const call_site site = site_of(r_, r_[v], 1);
        if (!refuse_unless(site.in(0), element_type::float32, "").empty()) return false;
        extents axes;
        if (site.has(1)) {
            const auto given = site.integers(1);
            if (!given) return false;
            axes = *given;
        }
        const std::size_t rank = site.in(0).rank();
        return axes.size() == 1 && is_axis(axes[0], rank) && axis_of(axes[0], rank) + 1 == rank;
    }

    const region_view& r_;
    std::int64_t n_ = 0;
    std::vector<value_id> seen_;
};

/// The one kernel that a region of several calls is, where it is one that this back end knows.
[[nodiscard]] inline std::optional<fused_plan> fused_plan_of(const region_view& r, std::size_t threads) {
    const auto calls = r.calls();
    if (calls.size() < 2 || r.results.size() != 1) return std::nullopt;
    for (const region_value& c : calls)
        if (c.kind != region_value::role::call || !c.type->is_tensor() || !is_static_call(r, c)) return std::nullopt;
    if (auto norm = layer_norm_reader(r).read()) return norm;

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

}  // namespace inlay::detail::on_eigen

#endif
