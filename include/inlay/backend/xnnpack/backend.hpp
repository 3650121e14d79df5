// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_BACKEND_HPP
#define INLAY_BACKEND_XNNPACK_BACKEND_HPP

#include <string>
#include <string_view>
#include <utility>

#include <inlay/backend/xnnpack/arithmetic.hpp>
#include <inlay/backend/xnnpack/concat.hpp>
#include <inlay/backend/xnnpack/conv.hpp>
#include <inlay/backend/xnnpack/entry.hpp>
#include <inlay/backend/xnnpack/fully_connected.hpp>
#include <inlay/backend/xnnpack/function.hpp>
#include <inlay/backend/xnnpack/pool.hpp>
#include <inlay/backend/xnnpack/rearrange.hpp>
#include <inlay/backend/xnnpack/resize.hpp>
#include <inlay/backend/xnnpack/slices.hpp>
#include <inlay/backend/xnnpack/softmax.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/runtime/loaded_file.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// XNNPACK on the CPU: operators on images with their channels last and on rows, float32, weights packed when the kernel is made.
///
/// Threads are those of one pool for all kernels of an instance and its copies. With more than one, convolutions, products with constant
/// matrices and poolings are also offered in slices, operators of one thread each that the run's executor shares out. An emitted kernel may
/// be run by several threads, which then take turns.
struct xnnpack {
    static constexpr std::string_view kind = "xnnpack";
    static constexpr std::string_view refines = "llvm";
    static constexpr device_type device = device_type::cpu;

    int threads = 1;
    bool spin = false;

    using options = option_list<
        option<"threads", &xnnpack::threads, "how many threads an operator uses">,
        option<"spin", &xnnpack::spin, "idle threads wait actively for the next operator: quicker where nothing else wants the cores">>;

    /// The build of the library that is loaded: it states no version.
    [[nodiscard]] static std::string version() { return library_version("", reinterpret_cast<const void*>(xnn_initialize)); }

    /// Whether a composite's kernels run on threads of the library's own, beside those of a run's executor.
    [[nodiscard]] bool wakes_own_threads(std::string_view composite) const { return threads > 1 && !composite.ends_with("_in_slices"); }

    [[nodiscard]] outcome<void> usable() const {
        if (threads < 1) return error{"target 'xnnpack' has -threads=" + std::to_string(threads) + "; it takes 1 or more"};
        const xnn_status answer = xnn_initialize(nullptr);
        if (answer != xnn_status_success) return error{"XNNPACK does not start: " + std::string(detail::xnnpack_text(answer))};
        return {};
    }

    static constexpr auto patterns() {
        using namespace detail;
        return pattern_table(
            composite<"convolution">(xnnpack_conv::pattern_of_conv(), xnnpack_entry<xnnpack_conv>{}),
            composite<"transposed_convolution">(xnnpack_conv::pattern_of_transposed(), xnnpack_entry<xnnpack_conv>{}),
            composite<"convolution_in_slices">(xnnpack_conv::pattern_of_conv(), xnnpack_sliced_entry<xnnpack_conv>{}),
            composite<"transposed_convolution_in_slices">(xnnpack_conv::pattern_of_transposed(), xnnpack_sliced_entry<xnnpack_conv>{}),
            composite<"fully_connected">(xnnpack_fully_connected::pattern_of_product(), xnnpack_entry<xnnpack_fully_connected>{}),
            composite<"fully_connected_in_slices">(xnnpack_fully_connected::pattern_of_product(),
                                                   xnnpack_sliced_entry<xnnpack_fully_connected>{}),
            composite<"pool">(xnnpack_pooling::pattern_of_pool(), xnnpack_entry<xnnpack_pooling>{}),
            composite<"pool_in_slices">(xnnpack_pooling::pattern_of_pool(), xnnpack_sliced_entry<xnnpack_pooling>{}),
            composite<"batch_norm">(xnnpack_conv::pattern_of_batch_norm(), xnnpack_entry<xnnpack_conv>{}),
            composite<"channel_shuffle">(xnnpack_rearrange::pattern_of_shuffle(), xnnpack_entry<xnnpack_rearrange>{}),
            composite<"hard_swish">(xnnpack_function::pattern_of_hard_swish(), xnnpack_entry<xnnpack_function>{}),
            composite<"softmax">(xnnpack_softmax::pattern_of_softmax(), xnnpack_entry<xnnpack_softmax>{}),
            composite<"concat">(xnnpack_concat::pattern_of_concat(), xnnpack_entry<xnnpack_concat>{}),
            composite<"resize">(xnnpack_resize::pattern_of_resize(), xnnpack_entry<xnnpack_resize>{}),
            composite<"depth_to_space">(xnnpack_rearrange::pattern_of_depth_to_space(), xnnpack_entry<xnnpack_rearrange>{}),
            composite<"operation">(xnnpack_arithmetic::pattern_of_operation(), xnnpack_entry<xnnpack_arithmetic>{}),
            composite<"function">(xnnpack_function::pattern_of_function(), xnnpack_entry<xnnpack_function>{}));
    }

    /// A program to be filled, on the threads of this instance.
    [[nodiscard]] outcome<detail::xnnpack_program> program() const {
        auto pool = pools_.of(static_cast<std::size_t>(threads));
        if (!pool) return pool.failure();
        return detail::xnnpack_program(*std::move(pool), spin);
    }

private:
    detail::xnnpack_pools pools_;
};

static_assert(backend<xnnpack>);

}  // namespace inlay

#endif
