// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUBLAS_LT_CUBLAS_LT_PRODUCT_HPP
#define INLAY_BACKEND_CUBLAS_LT_CUBLAS_LT_PRODUCT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <inlay/backend/cublas_lt/cublas_lt_library.hpp>
#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/backend/cuda/cuda_operand.hpp>
#include <inlay/backend/cuda/library_object.hpp>
#include <inlay/backend/cuda/matmul_layout.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// What a product on the device is made of: relu?(alpha a b + addend? + bias?). `a` and `b` are the layout's.
struct cublas_lt_order {
    matmul_layout layout;
    float alpha = 1;
    bool by_tf32 = false, has_relu = false;
    cuda_operand a, b;
    std::optional<cuda_operand> addend;  // in the layout of the result
    std::optional<cuda_operand> bias;    // one number for each row of the library's result, a constant
};

/// To how many bytes all addresses of a matrix are aligned, where a run's tensors are to 64 and its calls begin so many elements behind.
[[nodiscard]] inline std::uint32_t aligned_bytes(const matmul_layout& m, std::int64_t matmul_layout::call::*which) {
    std::uint64_t all = 64;
    for (const matmul_layout::call& c : m.calls) all |= static_cast<std::uint64_t>(c.*which) * sizeof(float);
    return static_cast<std::uint32_t>(all & (~all + 1));
}

/// Where cuBLASLt works, which takes addresses that are multiples of 256: in a run's workspace of as many bytes more.
inline constexpr std::size_t cublas_lt_alignment = 256;
[[nodiscard]] inline std::byte* aligned_workspace(std::byte* at) {
    const auto place = reinterpret_cast<std::uintptr_t>(at);
    return at + (cublas_lt_alignment - place % cublas_lt_alignment) % cublas_lt_alignment;
}

/// A matrix product by cuBLASLt: what it was described as, and the algorithm that the library's heuristic chose when it was made.
/// Addresses that it gets are the device's.
class cublas_lt_product : public started_on_cuda<cublas_lt_product> {
public:
    /// How much memory an algorithm may use besides.
    static constexpr std::uint64_t most_workspace = 32 << 20;

    /// Error: what the library says.
    [[nodiscard]] static outcome<kernel> make(const cublas_lt_session& session, cublas_lt_order order) {
        const cuda_device& d = *cuda_device::here();
        const cublas_lt_library& l = session.library();
        cublas_lt_product made(session, std::move(order));
        std::size_t bytes = 0;
        if (const int wrong = d.use() ? made.describe(bytes) : 1; wrong != 0)
            return error{"NVIDIA's cuBLASLt has no " + made.name() + " on the CUDA device " + d.name() + ": " + l.said(wrong)};
        std::string note = made.name();
        kernel k(std::move(made), bytes == 0 ? 0 : bytes + cublas_lt_alignment);
        k.note = std::move(note);
        return k;
    }

    [[nodiscard]] bool start(const run_arguments& arguments) const {
        const cuda_device& device = *cuda_device::here();
        if (!device.use()) return false;
        const float *const a = order_.a.at(arguments), *const b = order_.b.at(arguments);
        float* const d = static_cast<float*>(arguments.results[0]);
        std::byte* const workspace = choice_.workspace_bytes == 0 ? nullptr : aligned_workspace(arguments.workspace);
        const float *const c = order_.addend ? order_.addend->at(arguments) : d, beta = order_.addend ? 1.0F : 0.0F;
        for (const matmul_layout::call& at : order_.layout.calls)
            if (session_.library().multiply(session_.handle(), product_.get(), &order_.alpha, a + at.a, a_.get(), b + at.b, b_.get(), &beta,
                                            c + at.d, d_.get(), d + at.d, d_.get(), choice_.algorithm, workspace, choice_.workspace_bytes,
                                            device.stream()) != 0)
                return false;
        return true;
    }

private:
    cublas_lt_product(const cublas_lt_session& session, cublas_lt_order order)
        : session_(session),
          order_(std::move(order)),
          product_(session.library().destroy_product),
          a_(session.library().destroy_matrix),
          b_(session.library().destroy_matrix),
          d_(session.library().destroy_matrix) {}

    /// Tells the library of the matrices and the product, and has it choose an algorithm. 0, or the status of what failed.
    [[nodiscard]] int describe(std::size_t& workspace) {
        const cublas_lt_library& l = session_.library();
        const matmul_layout& m = order_.layout;
        int wrong = l.create_product(product_.made(), order_.by_tf32 ? l.compute_tf32 : l.compute_float32, l.element_float32);
        const auto set = [&]<class Value>(int what, const Value& value) {
            if (wrong == 0) wrong = l.set_of_product(product_.get(), what, &value, sizeof value);
        };
        const std::int32_t turns_a = m.a.is_transposed, turns_b = m.b.is_transposed;
        set(l.product_transposes_a, turns_a);
        set(l.product_transposes_b, turns_b);
        std::uint32_t epilogue = (order_.has_relu ? l.epilogue_relu : 0) | (order_.bias ? l.epilogue_bias : 0);
        if (epilogue == 0) epilogue = l.epilogue_none;
        set(l.product_epilogue, epilogue);
        if (order_.bias) set(l.product_bias, order_.bias->constant());
        const auto matrix = [&](library_object& to, const column_major_matrix& of) {
            if (wrong == 0)
                wrong = l.create_matrix(to.made(), l.element_float32, static_cast<std::uint64_t>(of.rows),
                                        static_cast<std::uint64_t>(of.columns), of.leading);
            const auto batches = static_cast<std::int32_t>(m.batches);
            if (wrong == 0) wrong = l.set_of_matrix(to.get(), l.matrix_batches, &batches, sizeof batches);
            if (wrong == 0) wrong = l.set_of_matrix(to.get(), l.matrix_batch_step, &of.batch_step, sizeof of.batch_step);
        };
        matrix(a_, m.a);
        matrix(b_, m.b);
        matrix(d_, m.d);
        library_object preference(l.destroy_preference);
        if (wrong == 0) wrong = l.create_preference(preference.made());
        const auto prefer = [&]<class Value>(int what, const Value& value) {
            if (wrong == 0) wrong = l.set_of_preference(preference.get(), what, &value, sizeof value);
        };
        prefer(l.preference_workspace, most_workspace);
        using call = matmul_layout::call;
        int what = l.preference_alignment_a;
        for (std::int64_t call::*which : {&call::a, &call::b, &call::d, &call::d}) prefer(what++, aligned_bytes(m, which));
        int count = 0;
        if (wrong == 0)
            wrong =
                l.choose(session_.handle(), product_.get(), a_.get(), b_.get(), d_.get(), d_.get(), preference.get(), 1, &choice_, &count);
        if (wrong == 0) wrong = count < 1 ? l.not_supported : choice_.status;
        workspace = choice_.workspace_bytes;
        return wrong;
    }

    /// For people, as the program sees it: `64 x 32 x 16`, rows, inner extent and columns.
    [[nodiscard]] std::string name() const {
        const matmul_layout& m = order_.layout;
        const std::int64_t inner = m.a.is_transposed ? m.a.rows : m.a.columns;
        const std::int64_t rows = m.is_turned ? m.d.columns : m.d.rows, columns = m.is_turned ? m.d.rows : m.d.columns;
        std::string text = "product " + std::to_string(rows) + " x " + std::to_string(inner) + " x " + std::to_string(columns);
        const std::int64_t count = m.batches * static_cast<std::int64_t>(m.calls.size());
        if (count > 1) text += " of " + std::to_string(count) + " batches";
        return text + (order_.by_tf32 ? " by tf32" : "");
    }

    cublas_lt_session session_;
    cublas_lt_order order_;
    library_object product_, a_, b_, d_;
    cublas_lt_choice choice_;
};

}  // namespace inlay::detail

#endif
