// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUTLASS_MATMUL_HPP
#define INLAY_BACKEND_CUTLASS_MATMUL_HPP

#include <utility>

#include <inlay/backend/cuda/cuda_matmul.hpp>
#include <inlay/backend/cuda/cuda_operand.hpp>
#include <inlay/backend/cutlass/cutlass_layout.hpp>
#include <inlay/backend/cutlass/cutlass_product.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay::detail {

/// Matrix products, MatMul and Gemm, with what follows as far as a kernel of CUTLASS's computes it. Models an entry: the third part of
/// composites.
struct cutlass_matmul : cuda_matmul {
    struct plan {
        cuda_matmul::plan product;
        cutlass_layout layout;
        cutlass_addend added = cutlass_addend::none;
    };

    /// Reads a region. Error: another region, something behind the product that the kernel does not compute, or a product without elements.
    [[nodiscard]] static outcome<plan> read_region(const region_view& r, bool by_tf32) {
        auto read = cuda_matmul::read_region(r, "CUTLASS");
        if (!read) return read.failure();
        if (read->addend && read->product.bias) return error{"CUTLASS adds a row or a tensor to a product, and here are both"};
        auto layout = cutlass_layout::of(read->layout, by_tf32);
        if (!layout) return layout.failure();
        const cutlass_addend added = read->addend         ? cutlass_addend::matrix
                                     : read->product.bias ? cutlass_addend::row
                                                          : cutlass_addend::none;
        return plan{*std::move(read), *std::move(layout), added};
    }

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        return read_region(m.region(), self.precision == "tf32");
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        const auto code = self.code_for(r, p.layout, p.product.has_relu);
        if (!code) return code.failure();
        cutlass_order order;
        order.layout = p.layout;
        order.alpha = static_cast<float>(p.product.product.factor);
        order.has_relu = p.product.has_relu;
        order.added = p.added;
        auto first = cuda_operand::of(r, p.product.product.a.value);
        if (!first) return first.failure();
        auto second = cuda_operand::of(r, p.product.product.b.value);
        if (!second) return second.failure();
        // The result is transposed on the way to the kernel once more than on the way to a library that is column-major.
        if (!p.product.layout.is_turned) std::swap(*first, *second);
        order.a = *std::move(first);
        order.b = *std::move(second);
        if (p.added != cutlass_addend::none) {
            auto addend = p.added == cutlass_addend::matrix
                              ? cuda_operand::of(r, *p.product.addend)
                              : cuda_operand::of(tensor::of<float>({p.product.product.extents.back()}, p.product.product.biases(r)));
            if (!addend) return addend.failure();
            order.addend = *std::move(addend);
        }
        return cutlass_product::make(*code, std::move(order));
    }
};

}  // namespace inlay::detail

#endif
