// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUBLAS_LT_MATMUL_HPP
#define INLAY_BACKEND_CUBLAS_LT_MATMUL_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/activation_of.hpp>
#include <inlay/backend/anchored_product.hpp>
#include <inlay/backend/cublas_lt/cublas_lt_library.hpp>
#include <inlay/backend/cublas_lt/cublas_lt_product.hpp>
#include <inlay/backend/cublas_lt/matmul_layout.hpp>
#include <inlay/backend/cuda/cuda_operand.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Matrix products, MatMul and Gemm, with what follows as far as cuBLASLt computes exactly that: a factor, a tensor of the result's shape,
/// a constant row or number, a Relu. Operands that are transposed first, and a result that is transposed alone, stay where they are. Models
/// an entry: the third part of composites.
struct cublas_lt_matmul {
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

    /// Reads a region. Error: another region, or something behind the product that the library does not compute with it.
    [[nodiscard]] static outcome<plan> read_region(const region_view& r) {
        auto found = anchored_product::read(r, most_axes);
        if (!found) return found.failure();
        plan p;
        p.product = *std::move(found);
        if (!std::isfinite(static_cast<float>(p.product.factor)))
            return error{"the factor of the product, " + std::to_string(p.product.factor) + ", is no finite float32"};
        for (std::size_t i = 0; i < p.product.after.size(); ++i) {
            const chain_step& s = p.product.after[i];
            const std::string op(r[s.call].op);
            if (p.has_relu) return error{op + " behind a Relu is no part of cuBLASLt's product"};
            if (s.kind == chain_step::form::function) {
                if (!is_relu(s.function)) return error{op + " behind the product is none of cuBLASLt's epilogues, of which Relu is taken"};
                p.has_relu = true;
                continue;
            }
            if (s.how != chain_step::combination::add) return error{op + " with a tensor behind the product is no part of cuBLASLt's"};
            if (p.addend) return error{"cuBLASLt adds one tensor to a product, and there are two"};
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

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        return read_region(m.region());
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        const auto session = self.session_for(r);
        if (!session) return session.failure();
        cublas_lt_order order;
        order.layout = p.layout;
        order.alpha = static_cast<float>(p.product.factor);
        order.by_tf32 = self.precision == "tf32";
        order.has_relu = p.has_relu;
        auto first = cuda_operand::of(r, p.product.a.value);
        if (!first) return first.failure();
        auto second = cuda_operand::of(r, p.product.b.value);
        if (!second) return second.failure();
        if (p.layout.is_turned) std::swap(*first, *second);
        order.a = *std::move(first);
        order.b = *std::move(second);
        if (p.addend) {
            auto addend = cuda_operand::of(r, *p.addend);
            if (!addend) return addend.failure();
            order.addend = *std::move(addend);
        }
        if (p.product.bias) {
            auto bias = cuda_operand::of(tensor::of<float>({p.product.extents.back()}, p.product.biases(r)));
            if (!bias) return bias.failure();
            order.bias = *std::move(bias);
        }
        return cublas_lt_product::make(*session, std::move(order));
    }
};

}  // namespace inlay::detail

#endif
