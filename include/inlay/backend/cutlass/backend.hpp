// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUTLASS_BACKEND_HPP
#define INLAY_BACKEND_CUTLASS_BACKEND_HPP

#include <string>
#include <string_view>

#include <inlay/backend/cuda/cuda_compiler.hpp>
#include <inlay/backend/cuda/cuda_module.hpp>
#include <inlay/backend/cuda/on_cuda_device.hpp>
#include <inlay/backend/cuda/opened_once.hpp>
#include <inlay/backend/cutlass/cutlass_headers.hpp>
#include <inlay/backend/cutlass/cutlass_layout.hpp>
#include <inlay/backend/cutlass/cutlass_text.hpp>
#include <inlay/backend/cutlass/matmul.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/compile/compiler_lookup.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// NVIDIA's CUTLASS: products of matrices on a CUDA device, float32, by kernels that its headers are instantiated to, each of which takes
/// along what follows. Tensors stand in the device's own memory, row-major. NVIDIA's compiler makes the code when a kernel is emitted.
///
/// With `model` it plans without a device: prices are the roofline of the device that `arch` names, and no measurement; nothing runs then.
struct cutlass : detail::on_cuda_device<cutlass> {
    static constexpr std::string_view kind = "cutlass";

    std::string arch, headers, nvcc, precision = "float32";
    bool model = false;
    std::string cache;             // a folder in which compiled kernels are kept and found again; empty: nowhere
    double compile_seconds = 300;  // that the compiler may take for one kernel
    compiler_lookup compilers;     // those that were asked for

    using options =
        option_list<option<"arch", &cutlass::arch, "the architecture to compile for, as sm_80; empty: that of the device at hand">,
                    option<"cutlass", &cutlass::headers, "the folder with CUTLASS's headers; empty: $CUTLASS_HOME, else build/cutlass">,
                    option<"nvcc", &cutlass::nvcc, "NVIDIA's compiler; empty: $NVCC, else $CUDA_HOME/bin/nvcc, else nvcc">,
                    option<"precision", &cutlass::precision,
                           "float32: as written; tf32: by tensor cores, operands are rounded to 10 bits behind the point">,
                    option<"model", &cutlass::model, "prices are a model of the device that -arch names, and no measurement">>;

    /// Part of the key of every measurement: the headers, the compiler, the device, and how things are computed.
    [[nodiscard]] std::string version() const {
        const outcome<detail::cutlass_headers>& found = opened_headers();
        const auto compiler = detail::find_nvcc(compilers, nvcc);
        return "1 " + (found ? "CUTLASS " + found->release.text() : std::string("without CUTLASS")) + " by " +
               (compiler ? detail::nvcc_release(*compiler) : std::string("no compiler")) + " in " + precision + " for " + made_for() +
               " on " + device_name();
    }
    /// Options that make sense.
    [[nodiscard]] outcome<void> check() const {
        if (auto fits = check_precision(); !fits) return fits;
        if (auto fits = check_arch(); !fits) return fits;
        if (!is_made_for(80)) return error{"target 'cutlass' copies as devices from sm_80 on do, and " + made_for() + " is older"};
        return {};
    }
    [[nodiscard]] outcome<void> usable() const {
        if (auto fits = check(); !fits || model) return fits;
        if (auto there = check_device(); !there) return there.failure();
        if (const auto& found = opened_headers(); !found) return found.failure();
        const auto compiler = detail::find_nvcc(compilers, nvcc);
        return compiler ? outcome<void>() : compiler.failure();
    }

    static constexpr auto patterns() {
        using namespace detail;
        return pattern_table(composite<"matrix_product">(cutlass_matmul::pattern_of_matmul(), cutlass_matmul{}),
                             composite<"gemm">(cutlass_matmul::pattern_of_gemm(), cutlass_matmul{}));
    }

    /// The code of a region's product, loaded. Error: there is no device, no headers or no compiler, other formats were chosen, or the text
    /// does not compile.
    [[nodiscard]] outcome<detail::cuda_module> code_for(const region_view& r, const detail::cutlass_layout& l, bool has_relu) const {
        if (auto fine = check_formats(r, "CUTLASS"); !fine) return fine.failure();
        if (auto there = check_device(); !there) return there.failure();
        const outcome<detail::cutlass_headers>& found = opened_headers();
        if (!found) return found.failure();
        const auto compiler = detail::find_nvcc(compilers, nvcc);
        if (!compiler) return compiler.failure();
        detail::cubin_request what{detail::cutlass_text(l, has_relu, found->release), made_for(), cache, compile_seconds};
        what.flags.push_back("-I" + found->folder);
        const auto code = detail::cuda_compiler(*compiler).compile(what);
        if (!code) return code.failure();
        return detail::cuda_module::load(*code);
    }

private:
    [[nodiscard]] const outcome<detail::cutlass_headers>& opened_headers() const {
        return detail::opened_once<detail::cutlass_headers>(headers);
    }
};

static_assert(backend<cutlass> && owns_memory<cutlass>);

}  // namespace inlay

#endif
