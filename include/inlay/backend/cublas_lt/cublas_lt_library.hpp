// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUBLAS_LT_CUBLAS_LT_LIBRARY_HPP
#define INLAY_BACKEND_CUBLAS_LT_CUBLAS_LT_LIBRARY_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/backend/cuda/found_functions.hpp>
#include <inlay/backend/cuda/opened_once.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// The algorithm for a product that the library's heuristic proposes, as the library writes it down.
struct cublas_lt_choice {
    std::uint64_t algorithm[8] = {};
    std::size_t workspace_bytes = 0;
    int status = 0;
    float waves = 0;
    int reserved[4] = {};
};

/// The functions of cuBLASLt that are called here, and the numbers that it has for what they are told, declared by hand, so that a build
/// needs none of NVIDIA's headers and a program none of its libraries. All but two give 0, or a number of what failed. The library, its
/// descriptions of matrices, products and preferences, and streams are pointers.
struct cublas_lt_library {
    std::size_t (*version)() = nullptr;
    const char* (*status_text)(int status) = nullptr;
    int (*create)(void** library) = nullptr;
    int (*create_product)(void** product, int compute, int scale) = nullptr;
    int (*set_of_product)(void* product, int what, const void* value, std::size_t bytes) = nullptr;
    int (*destroy_product)(void* product) = nullptr;
    int (*create_matrix)(void** matrix, int element, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) = nullptr;
    int (*set_of_matrix)(void* matrix, int what, const void* value, std::size_t bytes) = nullptr;
    int (*destroy_matrix)(void* matrix) = nullptr;
    int (*create_preference)(void** preference) = nullptr;
    int (*set_of_preference)(void* preference, int what, const void* value, std::size_t bytes) = nullptr;
    int (*destroy_preference)(void* preference) = nullptr;
    int (*choose)(void* library, void* product, void* a, void* b, void* c, void* d, void* preference, int wanted, cublas_lt_choice* choices,
                  int* count) = nullptr;
    int (*multiply)(void* library, void* product, const void* alpha, const void* a, void* a_matrix, const void* b, void* b_matrix,
                    const void* beta, const void* c, void* c_matrix, void* d, void* d_matrix, const void* algorithm, void* workspace,
                    std::size_t workspace_bytes, void* stream) = nullptr;

    static constexpr int not_supported = 15;  // a status
    // Element types, ways to compute, and what may be set of products, matrices and preferences.
    static constexpr int element_float32 = 0, compute_float32 = 68, compute_tf32 = 77;
    static constexpr int product_transposes_a = 3, product_transposes_b = 4, product_epilogue = 7, product_bias = 8;
    static constexpr int matrix_batches = 5, matrix_batch_step = 6;
    static constexpr int preference_workspace = 1, preference_alignment_a = 5;  // of b, c and d behind it
    static constexpr std::uint32_t epilogue_none = 1, epilogue_relu = 2, epilogue_bias = 4;

    /// What a status means, as the library says it.
    [[nodiscard]] std::string said(int status) const {
        const char* const text = status_text != nullptr ? status_text(status) : nullptr;
        return text != nullptr ? text : "status " + std::to_string(status);
    }

    /// The library of that file; where it is empty, the newest that is installed. The error says that there is none, or that it is too old.
    [[nodiscard]] static outcome<cublas_lt_library> open(const std::string& file) {
        constexpr const char* names[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"};
        auto found = found_functions::open("NVIDIA's cuBLASLt", names, file);
        if (!found) return found.failure();
        cublas_lt_library made;
        found->find(made.version, "cublasLtGetVersion");
        found->find(made.status_text, "cublasLtGetStatusString");
        found->find(made.create, "cublasLtCreate");
        found->find(made.create_product, "cublasLtMatmulDescCreate");
        found->find(made.set_of_product, "cublasLtMatmulDescSetAttribute");
        found->find(made.destroy_product, "cublasLtMatmulDescDestroy");
        found->find(made.create_matrix, "cublasLtMatrixLayoutCreate");
        found->find(made.set_of_matrix, "cublasLtMatrixLayoutSetAttribute");
        found->find(made.destroy_matrix, "cublasLtMatrixLayoutDestroy");
        found->find(made.create_preference, "cublasLtMatmulPreferenceCreate");
        found->find(made.set_of_preference, "cublasLtMatmulPreferenceSetAttribute");
        found->find(made.destroy_preference, "cublasLtMatmulPreferenceDestroy");
        found->find(made.choose, "cublasLtMatmulAlgoGetHeuristic");
        found->find(made.multiply, "cublasLtMatmul");
        if (auto whole = found->check(); !whole) return whole.failure();
        return made;
    }
};

/// The library made ready for the device `here`; several threads may call it at once. `opened_once` opens one for a process.
class cublas_lt_session {
public:
    /// Error: there is no device or no library, or the library does not start.
    [[nodiscard]] static outcome<cublas_lt_session> open(const std::string& file) {
        const outcome<cuda_device>& d = cuda_device::here();
        if (!d) return d.failure();
        const outcome<cublas_lt_library>& library = opened_once<cublas_lt_library>(file);
        if (!library) return library.failure();
        cublas_lt_session made;
        made.library_ = &*library;
        if (const int wrong = d->use() ? library->create(&made.handle_) : 1; wrong != 0)
            return error{"NVIDIA's cuBLASLt does not start on the CUDA device " + d->name() + ": " + library->said(wrong)};
        return made;
    }

    [[nodiscard]] const cublas_lt_library& library() const { return *library_; }
    [[nodiscard]] void* handle() const { return handle_; }

private:
    const cublas_lt_library* library_ = nullptr;
    void* handle_ = nullptr;  // to the end of the process
};

}  // namespace inlay::detail

#endif
