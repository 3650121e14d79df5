// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUBLAS_LT_BACKEND_HPP
#define INLAY_BACKEND_CUBLAS_LT_BACKEND_HPP

#include <string>
#include <string_view>

#include <inlay/backend/cublas_lt/cublas_lt_library.hpp>
#include <inlay/backend/cublas_lt/matmul.hpp>
#include <inlay/backend/cuda/by_cuda_library.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// NVIDIA's cuBLASLt: products of matrices on a CUDA device, float32, with what follows them as far as the library computes exactly that.
/// Tensors stand in the device's own memory, row-major. The library and the driver are looked for when they are first asked for.
///
/// With `model` it plans without a device: prices are the roofline of the device that `arch` names, and no measurement; nothing runs then.
struct cublas_lt : detail::by_cuda_library<cublas_lt, detail::cublas_lt_library, detail::cublas_lt_session> {
    static constexpr std::string_view kind = "cublas_lt", library_name = "cuBLASLt";

    std::string arch, library, precision = "float32";
    bool model = false;

    using options =
        option_list<option<"arch", &cublas_lt::arch, "the architecture that -model plans for, as sm_80; empty: that of the device at hand">,
                    option<"library", &cublas_lt::library, "the library's file; empty: libcublasLt.so.13, .12 or without a number">,
                    option<"precision", &cublas_lt::precision,
                           "float32: as written; tf32: operands are rounded to 10 bits behind the point for tensor cores">,
                    option<"model", &cublas_lt::model, "prices are a model of the device that -arch names, and no measurement">>;

    static constexpr auto patterns() {
        using namespace detail;
        return pattern_table(composite<"matrix_product">(cublas_lt_matmul::pattern_of_matmul(), cublas_lt_matmul{}),
                             composite<"gemm">(cublas_lt_matmul::pattern_of_gemm(), cublas_lt_matmul{}));
    }
};

static_assert(backend<cublas_lt> && owns_memory<cublas_lt>);

}  // namespace inlay

#endif
