// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_BACKEND_HPP
#define INLAY_BACKEND_ONEDNN_BACKEND_HPP

#include <string>
#include <string_view>

#include <inlay/backend/elementwise_operators.hpp>
#include <inlay/backend/onednn/channel_norm.hpp>
#include <inlay/backend/onednn/concat.hpp>
#include <inlay/backend/onednn/conv.hpp>
#include <inlay/backend/onednn/conv_slices.hpp>
#include <inlay/backend/onednn/elementwise.hpp>
#include <inlay/backend/onednn/entry.hpp>
#include <inlay/backend/onednn/layer_norm.hpp>
#include <inlay/backend/onednn/matmul.hpp>
#include <inlay/backend/onednn/pool.hpp>
#include <inlay/backend/onednn/resize.hpp>
#include <inlay/backend/onednn/slices.hpp>
#include <inlay/backend/onednn/softmax.hpp>
#include <inlay/backend/onednn/transpose.hpp>
#include <inlay/candidate/partition_rules.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/graph/op_kind.hpp>
#include <inlay/runtime/loaded_file.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// oneDNN 2 or 3 on the CPU: primitives with fused operations after them, weights packed when the kernel is made, float32.
///
/// Threads are OpenMP's: each run sets the count for the calling thread and puts back what stood there. With more than one, convolutions,
/// products and poolings are also offered in slices, primitives of one thread each that the run's executor shares out. An emitted kernel
/// may be run by several threads, which then take turns.
struct onednn {
    static constexpr std::string_view kind = "onednn";
    static constexpr std::string_view refines = "llvm";
    static constexpr device_type device = device_type::cpu;

    int threads = 1;
    bool winograd = true;

    using options = option_list<
        option<"threads", &onednn::threads, "how many threads a primitive uses">,
        option<"winograd", &onednn::winograd,
               "whether convolutions in Winograd's form are offered: often faster, slightly less exact; a NaN or infinity spoils its "
               "neighbours">>;

    /// The version and the build of the library that is loaded: part of the key of every measurement.
    [[nodiscard]] static std::string version() {
        const dnnl_version_t* v = dnnl_version();
        return library_version(std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch), v);
    }

    /// Whether a composite's kernels run on threads of the library's own, beside those of a run's executor.
    [[nodiscard]] bool wakes_own_threads(std::string_view composite) const { return threads > 1 && !composite.ends_with("_in_slices"); }

    [[nodiscard]] outcome<void> usable() const {
        if (threads < 1) return error{"target 'onednn' has -threads=" + std::to_string(threads) + "; it takes 1 or more"};
        if (threads > 1 && DNNL_CPU_THREADING_RUNTIME != DNNL_RUNTIME_OMP)
            return error{"this build of oneDNN does not use OpenMP, whose thread count is the one that -threads sets; use -threads=1"};
        if (!openmp_runtime::loaded().complete() && DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_OMP)
            return error{"oneDNN is linked, but no OpenMP runtime is loaded with it, so that -threads cannot be honoured"};
        return detail::onednn_guarded("to start on this CPU", []() -> outcome<void> {
            const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
            return {};
        });
    }

    /// Neighbours that go element by element are joined: a chain of them, longer than the patterns say, is primitives that work on the
    /// result in place, each with the functions after it inside.
    static op_kind op_kind_of(std::string_view op) { return detail::is_elementwise_operator(op) ? op_kind::broadcast : op_kind::anchor; }
    using partition_rule =
        only_valid_rule<combine_rule<matched_rule, 6, by_kind<op_kind::broadcast, op_kind::broadcast>>, subgraph_limits{1, false, 6}>;
    using joined = detail::onednn_entry<detail::onednn_elementwise>;

    static constexpr auto patterns() {
        using namespace detail;
        using direct = onednn_entry<onednn_convolution<onednn_conv_form::direct>>;
        using winograd_form = onednn_entry<onednn_convolution<onednn_conv_form::winograd>>;
        using product = onednn_entry<onednn_convolution<onednn_conv_form::product>>;
        using sliced = onednn_sliced_entry<onednn_sliced_convolution<onednn_conv_form::direct>>;
        using sliced_product = onednn_sliced_entry<onednn_sliced_convolution<onednn_conv_form::product>>;
        return pattern_table(
            composite<"convolution">(onednn_conv::pattern_of_conv(), direct{}),
            composite<"convolution_winograd">(onednn_conv::pattern_of_conv(), winograd_form{}),
            composite<"convolution_as_product">(onednn_conv::pattern_of_conv(), product{}),
            composite<"convolution_in_slices">(onednn_conv::pattern_of_conv(), sliced{}),
            composite<"transposed_convolution">(onednn_conv::pattern_of_transposed(), direct{}),
            composite<"transposed_convolution_as_product">(onednn_conv::pattern_of_transposed(), product{}),
            composite<"transposed_convolution_in_slices">(onednn_conv::pattern_of_transposed(), sliced{}),
            composite<"transposed_convolution_as_product_in_slices">(onednn_conv::pattern_of_transposed(), sliced_product{}),
            composite<"matrix_product">(onednn_matmul::pattern_of_matmul(), onednn_entry<onednn_matmul>{}),
            composite<"gemm">(onednn_matmul::pattern_of_gemm(), onednn_entry<onednn_matmul>{}),
            composite<"matrix_product_in_slices">(onednn_matmul::pattern_of_matmul(), onednn_sliced_entry<onednn_matmul>{}),
            composite<"gemm_in_slices">(onednn_matmul::pattern_of_gemm(), onednn_sliced_entry<onednn_matmul>{}),
            composite<"layer_norm_spelled">(onednn_layer_norm::pattern_of_spelling(), onednn_entry<onednn_layer_norm>{}),
            composite<"layer_norm">(onednn_layer_norm::pattern_of_operator(), onednn_entry<onednn_layer_norm>{}),
            composite<"softmax">(onednn_softmax::pattern_of_softmax(), onednn_entry<onednn_softmax>{}),
            composite<"pool">(onednn_pool::pattern_of_pool(), onednn_entry<onednn_pool>{}),
            composite<"pool_in_slices">(onednn_pool::pattern_of_pool(), onednn_sliced_entry<onednn_pool>{}),
            composite<"batch_norm">(onednn_channel_norm::pattern_of_batch_norm(), onednn_entry<onednn_channel_norm>{}),
            composite<"local_response_norm">(onednn_channel_norm::pattern_of_local_norm(), onednn_entry<onednn_channel_norm>{}),
            composite<"concat">(onednn_concat::pattern_of_concat(), onednn_entry<onednn_concat>{}),
            composite<"resize">(onednn_resize::pattern_of_resize(), onednn_entry<onednn_resize>{}),
            composite<"transpose">(onednn_transpose::pattern_of_transpose(), onednn_entry<onednn_transpose>{}),
            composite<"function">(onednn_elementwise::pattern_of_functions(), onednn_entry<onednn_elementwise>{}),
            composite<"operation">(onednn_elementwise::pattern_of_operations(), onednn_entry<onednn_elementwise>{}));
    }
};

static_assert(backend<onednn>);

}  // namespace inlay

#endif
