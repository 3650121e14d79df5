// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUBLAS_LT_MATMUL_HPP
#define INLAY_BACKEND_CUBLAS_LT_MATMUL_HPP

#include <utility>

#include <inlay/backend/cublas_lt/cublas_lt_library.hpp>
#include <inlay/backend/cublas_lt/cublas_lt_product.hpp>
#include <inlay/backend/cuda/cuda_matmul.hpp>
#include <inlay/backend/cuda/cuda_operand.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay::detail {

/// Matrix products, MatMul and Gemm, with what follows as far as cuBLASLt computes exactly that. Models an entry: the third part of
/// composites.
struct cublas_lt_matmul : cuda_matmul {
    /// Reads a region. Error: another region, or something behind the product that the library does not compute with it.
    [[nodiscard]] static outcome<plan> read_region(const region_view& r) { return cuda_matmul::read_region(r, "cuBLASLt"); }

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
