// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUTLASS_CUTLASS_PRODUCT_HPP
#define INLAY_BACKEND_CUTLASS_CUTLASS_PRODUCT_HPP

#include <cstddef>
#include <string>
#include <utility>

#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/backend/cuda/cuda_module.hpp>
#include <inlay/backend/cuda/cuda_operand.hpp>
#include <inlay/backend/cutlass/cutlass_arguments.hpp>
#include <inlay/backend/cutlass/cutlass_layout.hpp>
#include <inlay/backend/cutlass/cutlass_text.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// What is added to a product.
enum class cutlass_addend { none, row, matrix };

/// What one launch of a product takes, whose tensors begin there. `c`: what is added, a constant row or a tensor in the layout of the
/// result.
[[nodiscard]] inline cutlass_arguments arguments_of(const cutlass_layout& l, std::size_t launch, const float* a, const float* b,
                                                    const float* c, float* d, float alpha, cutlass_addend added) {
    const cutlass_layout::launch& at = l.launches[launch];
    cutlass_arguments made;
    made.a = a + at.a;
    made.b = b + at.b;
    made.d = d + at.d;
    made.rows = l.rows;
    made.columns = l.columns;
    made.inner = l.inner;
    made.batches = at.batches;
    made.leading_a = l.a.leading;
    made.leading_b = l.b.leading;
    made.leading_d = l.d.leading;
    made.step_a = l.a.batch_step;
    made.step_b = l.b.batch_step;
    made.step_d = l.d.batch_step;
    made.alpha = alpha;
    if (added == cutlass_addend::none) {
        // Not read, since its factor is 0.
        made.c = made.d;
        made.leading_c = made.leading_d;
        return made;
    }
    made.beta = 1;
    made.c = c;
    if (added == cutlass_addend::row) return made;
    made.c += at.d;
    made.leading_c = made.leading_d;
    made.step_c = made.step_d;
    return made;
}

/// What a product on the device is made of: relu?(alpha a b + addend?). `a` and `b` are the layout's.
struct cutlass_order {
    cutlass_layout layout;
    float alpha = 1;
    bool has_relu = false;
    cuda_operand a, b, addend;
    cutlass_addend added = cutlass_addend::none;
};

/// A matrix product by a kernel of CUTLASS's. Addresses that it gets are the device's.
class cutlass_product : public started_on_cuda<cutlass_product> {
public:
    /// Error: what the driver says.
    [[nodiscard]] static outcome<kernel> make(const cuda_module& code, cutlass_order order) {
        const auto function = code.kernel(cutlass_kernel_name, static_cast<unsigned>(order.layout.tile.shared_bytes()));
        if (!function) return function.failure();
        std::string note = name_of(order);
        kernel k(cutlass_product(code, *function, std::move(order)));
        k.note = std::move(note);
        return k;
    }

    [[nodiscard]] bool start(const run_arguments& run) const {
        const cuda_device& device = *cuda_device::here();
        if (!device.use()) return false;
        const cutlass_layout& l = order_.layout;
        const auto blocks_x = static_cast<unsigned>(l.tile.blocks_of_rows(l.rows));
        const auto blocks_y = static_cast<unsigned>(l.tile.blocks_of_columns(l.columns));
        const float* const added = order_.added == cutlass_addend::none ? nullptr : order_.addend.at(run);
        for (std::size_t i = 0; i < l.launches.size(); ++i) {
            cutlass_arguments one = arguments_of(l, i, order_.a.at(run), order_.b.at(run), added, static_cast<float*>(run.results[0]),
                                                 order_.alpha, order_.added);
            auto places = one.places();
            if (device.driver().launch(function_, blocks_x, blocks_y, static_cast<unsigned>(one.batches),
                                       static_cast<unsigned>(l.tile.threads()), 1, 1, static_cast<unsigned>(l.tile.shared_bytes()),
                                       device.stream(), places.data(), nullptr) != 0)
                return false;
        }
        return true;
    }

private:
    cutlass_product(cuda_module code, void* function, cutlass_order order)
        : code_(std::move(code)), function_(function), order_(std::move(order)) {}

    /// For people: `64 x 32 x 16 in tiles of 64 x 64`, rows, inner extent and columns.
    [[nodiscard]] static std::string name_of(const cutlass_order& o) {
        const cutlass_layout& l = o.layout;
        std::string text = "product " + std::to_string(l.rows) + " x " + std::to_string(l.inner) + " x " + std::to_string(l.columns) +
                           " in tiles of " + std::to_string(l.tile.rows) + " x " + std::to_string(l.tile.columns) +
                           (l.tile.by_tf32 ? " by tf32" : "");
        return text + ", " + std::to_string(l.launches.size()) + (l.launches.size() == 1 ? " launch" : " launches");
    }

    cuda_module code_;
    void* function_;
    cutlass_order order_;
};

}  // namespace inlay::detail

#endif
