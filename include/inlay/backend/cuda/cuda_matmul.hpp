// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CUDA_MATMUL_HPP
#define INLAY_BACKEND_CUDA_CUDA_MATMUL_HPP

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <inlay/backend/activation_of.hpp>
#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/anchored_product.hpp>
#include <inlay/backend/cuda/matmul_layout.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Matrix products, MatMul and Gemm, with what follows as far as libraries of NVIDIA's compute exactly that: a factor, a tensor of the
/// result's shape, a constant row or number, a Relu. Operands that are transposed first, and a result that is transposed alone, stay where
/// they are.
struct cuda_matmul {
    struct plan {
        matmul_layout layout;
        anchored_product product;
        std::optional<value_id> addend;
        bool has_relu = false;
    };

    /// A product and what may follow it: a bias and another tensor, in any order, and then an activation.
    template <class Product>
    static constexpr auto pattern_behind(Product product) {
        using namespace dsl;
        constexpr auto first = maybe_call_on<2, "onnx.Add", "onnx.Sum">(product);
        return maybe_activation_of(maybe_call_on<2, "onnx.Add", "onnx.Sum">(first));
    }
    static constexpr auto pattern_of_matmul() {
        using namespace dsl;
        constexpr auto matrix = maybe_call_on<1, "onnx.Transpose">(any);
        constexpr auto product = op<"onnx.MatMul">(matrix, matrix);
        return pattern_behind(maybe_call_on<2, "onnx.Mul", "onnx.Div">(product)) | op<"onnx.Transpose">(product);
    }
    static constexpr auto pattern_of_gemm() { return pattern_behind(dsl::op<"onnx.Gemm">); }

    /// How many axes a tensor may have.
    static constexpr std::size_t most_axes = 8;

    /// Reads a region for a library, which is named in errors. Error: another region, or something behind the product that it does not
    /// compute with it.
    [[nodiscard]] static outcome<plan> read_region(const region_view& r, std::string_view library) {
        const std::string whose(std::string(library) + "'s");
        auto found = anchored_product::read(r, most_axes);
        if (!found) return found.failure();
        plan p;
        p.product = *std::move(found);
        if (!std::isfinite(static_cast<float>(p.product.factor)))
            return error{"the factor of the product, " + std::to_string(p.product.factor) + ", is no finite float32"};
        for (std::size_t i = 0; i < p.product.after.size(); ++i) {
            const chain_step& s = p.product.after[i];
            const std::string op(r[s.call].op);
            if (p.has_relu) return error{op + " behind a Relu is no part of " + whose + " product"};
            if (s.kind == chain_step::form::function) {
                if (!is_relu(s.function))
                    return error{op + " behind the product is none of " + whose + " epilogues, of which Relu is taken"};
                p.has_relu = true;
                continue;
            }
            if (s.how != chain_step::combination::add) return error{op + " with a tensor behind the product is no part of " + whose};
            if (p.addend) return error{std::string(library) + " adds one tensor to a product, and there are two"};
            if (p.product.other_extents[i] != p.product.extents)
                return error{"what is added to the product, of type " + to_string(*r[s.other].type) +
                             ", is neither of its shape nor a constant row"};
            p.addend = s.other;
        }
        auto layout = matmul_layout::of(p.product);
        if (!layout) return layout.failure();
        p.layout = *std::move(layout);
        return p;
    }
};

}  // namespace inlay::detail

#endif
