// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_BACKEND_HPP
#define INLAY_BACKEND_OPENBLAS_BACKEND_HPP

#include <string>
#include <string_view>
#include <utility>

#include <cblas.h>

#include <inlay/backend/openblas/conv.hpp>
#include <inlay/backend/openblas/entry.hpp>
#include <inlay/backend/openblas/matmul.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/runtime/loaded_file.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// OpenBLAS on the CPU: products of matrices, and convolutions that are such, float32; what follows a product is done to its rows while
/// the cache holds them, on the calling thread.
///
/// With several threads products are also offered in slices: runs of rows, each computed by one thread, which the executor of the run
/// shares out. Else a product runs on the library's own threads, of which the process has one pool. When the library is loaded it reads
/// from OPENBLAS_NUM_THREADS how many it makes at once, all cores' unless told otherwise, and from OPENBLAS_THREAD_TIMEOUT how long idle
/// ones spin. Kernels may run side by side; those with different numbers of threads wait for each other.
struct openblas {
    static constexpr std::string_view kind = "openblas";
    static constexpr std::string_view refines = "llvm";
    static constexpr device_type device = device_type::cpu;

    int threads = 1;

    using options = option_list<option<"threads", &openblas::threads, "how many threads a product uses">>;

    /// The library's own text, with its version, how it was built, and the processor that its kernels are for; and its build.
    [[nodiscard]] static std::string version() {
        const char* config = openblas_get_config();
        std::string text = config;
        while (!text.empty() && text.back() == ' ') text.pop_back();
        return library_version(std::move(text), config);
    }

    /// Whether a composite's kernels run on threads of the library's own, beside those of a run's executor.
    [[nodiscard]] bool wakes_own_threads(std::string_view composite) const { return threads > 1 && !composite.ends_with("_in_slices"); }

    [[nodiscard]] outcome<void> usable() const {
        if (threads < 1) return error{"target 'openblas' has -threads=" + std::to_string(threads) + "; it takes 1 or more"};
        if (threads > 1 && openblas_get_parallel() == 0)
            return error{"target 'openblas' has -threads=" + std::to_string(threads) +
                         ", but this OpenBLAS was built without threads; take 1, or install libopenblas0-pthread"};
        return {};
    }

    static constexpr auto patterns() {
        using namespace detail;
        return pattern_table(
            composite<"matrix_product">(openblas_matmul::pattern_of_matmul(), openblas_entry<openblas_matmul>{}),
            composite<"gemm">(openblas_matmul::pattern_of_gemm(), openblas_entry<openblas_matmul>{}),
            composite<"pointwise_convolution">(openblas_conv::pattern_of_conv(), openblas_entry<openblas_conv>{}),
            composite<"matrix_product_in_slices">(openblas_matmul::pattern_of_matmul(), openblas_entry<openblas_matmul, true>{}),
            composite<"gemm_in_slices">(openblas_matmul::pattern_of_gemm(), openblas_entry<openblas_matmul, true>{}),
            composite<"pointwise_convolution_in_slices">(openblas_conv::pattern_of_conv(), openblas_entry<openblas_conv, true>{}));
    }
};

static_assert(backend<openblas>);

}  // namespace inlay

#endif
