// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_MATMUL_HPP
#define INLAY_BACKEND_ONEDNN_MATMUL_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_product.hpp>
#include <inlay/backend/onednn/post_ops.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/backend/onednn/slices.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::detail {

/// Matrix products: MatMul and Gemm, with what follows: a factor, a bias, an activation, another tensor. Operands that are transposed
/// first are read in place. A constant second operand is packed once.
struct onednn_matmul {
    struct plan : anchored_product {
        std::int64_t first_column = 0;  // of a slice in the result, in the second operand and in what has the result's columns
    };

    static constexpr auto pattern_of_matmul() { return anchored_product::pattern_of_matmul(); }
    static constexpr auto pattern_of_gemm() { return anchored_product::pattern_of_gemm(); }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        auto p = anchored_product::read(r, onednn_most_axes);
        if (!p) return p.failure();
        plan made{*std::move(p)};
        for (const float x : biases(made, r))
            if (divides(made, r) && !std::isfinite(x))
                return error{"the bias divided by the factor " + std::to_string(made.factor) + " of the product is no number"};
        return made;
    }

    /// Matrices stand row-major.
    [[nodiscard]] static std::vector<border_formats> proposals(const plan&, const region_view& r) { return {plain_borders(r)}; }

    using description = onednn_primitive;

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view& r, const dnnl::engine& engine,
                                                       const border_formats& b) {
        if (b != plain_borders(r)) return error{"oneDNN's matrix products take and give row-major matrices only"};
        const auto f32 = dnnl::memory::data_type::f32;
        const dnnl::memory::desc first(p.a.extents, f32, p.a.strides), result(p.extents, f32, p.strides);
        const bool constant = r[p.b.value].kind == region_value::role::constant;
        const dnnl::memory::desc second = constant ? onednn_any(p.b.extents) : dnnl::memory::desc(p.b.extents, f32, p.b.strides);
        dnnl::post_ops after;
        for (std::size_t i = 0; i < p.after.size(); ++i) onednn_append(after, p.after[i], other(p, i));
        dnnl::primitive_attr attributes = onednn_attributes(after);
        // Where the factor multiplies the bias, too, the bias is divided by it when it is packed.
        if (!constant && p.factor != 1) (void)onednn_set_factor(attributes, static_cast<float>(p.factor));
        if (p.bias)
            return onednn_primitive::ask<dnnl::matmul>(engine, "matrix product", attributes, first, second, onednn_plain(row(p)), result);
        return onednn_primitive::ask<dnnl::matmul>(engine, "matrix product", attributes, first, second, result);
    }

    [[nodiscard]] static outcome<kernel> build(const plan& p, const description& d, const region_view& r, const border_formats&,
                                               onednn_program program) {
        const bool constant = r[p.b.value].kind == region_value::role::constant;
        const auto f32 = dnnl::memory::data_type::f32;
        const auto value = [&](value_id v, const dnnl::memory::desc& order, std::size_t from) {
            return r[v].kind == region_value::role::constant ? program.constant(r[v].value->data() + from, order, order)
                                                             : program.input(v, order, from);
        };
        const auto first = static_cast<std::size_t>(p.first_column);
        std::vector<std::pair<int, dnnl::memory>> arguments{
            {DNNL_ARG_DST, program.result(0, dnnl::memory::desc(p.extents, f32, p.strides), first * sizeof(float))}};
        arguments.emplace_back(DNNL_ARG_SRC, value(p.a.value, dnnl::memory::desc(p.a.extents, f32, p.a.strides), 0));
        const dnnl::memory::desc second(p.b.extents, f32, p.b.strides);
        if (constant) {
            const std::vector<float> scaled = times(*r[p.b.value].value, p.factor);
            arguments.emplace_back(DNNL_ARG_WEIGHTS,
                                   program.constant(scaled.data() + p.first_column * p.b.strides.back(), second, d.weights_desc()));
        } else {
            arguments.emplace_back(DNNL_ARG_WEIGHTS, program.input(p.b.value, second));
            dnnl::primitive_attr attributes;
            const auto factor = static_cast<float>(p.factor);
            if (p.factor != 1)
                if (const auto argument = onednn_set_factor(attributes, factor))
                    arguments.emplace_back(*argument, program.constant(std::vector{factor}));
        }
        if (p.bias) {
            // A bias of one number serves every column.
            std::vector<float> packed = biases(p, r);
            if (packed.size() == 1) packed.assign(first + static_cast<std::size_t>(p.extents.back()), packed[0]);
            const dnnl::memory::desc order = onednn_plain(row(p));
            arguments.emplace_back(DNNL_ARG_BIAS, program.constant(packed.data() + first, order, order));
        }
        for (std::size_t i = 0; i < p.after.size(); ++i)
            if (p.after[i].kind == chain_step::form::combine)
                arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(i)) | DNNL_ARG_SRC_1,
                                       value(p.after[i].other, other(p, i), p.other_extents[i].back() == 1 ? 0 : first * sizeof(float)));
        program.step(d, arguments);
        return onednn_program::finish(std::move(program));
    }

    /// Some of the columns of a product.
    struct slice {
        plan p;

        [[nodiscard]] const plan& view() const { return p; }
    };
    /// Slices of a product of two matrices whose second is constant: each packs its own columns of that.
    [[nodiscard]] static std::vector<slice> slices(const plan& p, const region_view& r, const border_formats&, int threads) {
        std::vector<slice> list;
        if (p.extents.size() != 2 || p.b.extents.size() != 2 || r[p.b.value].kind != region_value::role::constant || p.strides.back() != 1)
            return list;
        const std::vector<std::int64_t> cuts = slice_cuts(p.extents[1], 16, 64, threads);
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            slice s{p};
            s.p.first_column = cuts[i];
            s.p.extents[1] = s.p.b.extents[1] = cuts[i + 1] - cuts[i];
            list.push_back(std::move(s));
        }
        return list;
    }

private:
    [[nodiscard]] static std::vector<float> times(const tensor& t, double factor) {
        std::vector<float> list;
        list.reserve(t.count());
        for (const float x : t.as<float>()) list.push_back(static_cast<float>(static_cast<double>(x) * factor));
        return list;
    }
    /// Whether the library adds the bias before it multiplies with the factor, which is else part of a constant second operand.
    [[nodiscard]] static bool divides(const plan& p, const region_view& r) {
        return onednn_factor_of_bias && p.bias && p.factor != 1 && r[p.b.value].kind != region_value::role::constant;
    }
    /// The bias as it is packed; none where there is none.
    [[nodiscard]] static std::vector<float> biases(const plan& p, const region_view& r) {
        if (!p.bias) return {};
        return times(*r[*p.bias].value, divides(p, r) ? p.bias_factor / p.factor : p.bias_factor);
    }
    /// How the other tensor of a step lies, where it has one: row-major, some of its columns where the plan is a slice.
    [[nodiscard]] static dnnl::memory::desc other(const plan& p, std::size_t step) {
        std::vector<std::int64_t> extents = p.other_extents[step];
        if (extents.empty()) return {};
        const dnnl::memory::dims strides = onednn_row_major(extents);
        if (extents.back() != 1) extents.back() = p.extents.back();
        return {extents, dnnl::memory::data_type::f32, strides};
    }
    /// The bias as the library wants it: one row, of the result's rank.
    [[nodiscard]] static std::vector<std::int64_t> row(const plan& p) {
        std::vector<std::int64_t> e(p.extents.size(), 1);
        e.back() = p.extents.back();
        return e;
    }
};

}  // namespace inlay::detail

#endif
