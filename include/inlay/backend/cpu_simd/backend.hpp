// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BACKEND_HPP
#define INLAY_BACKEND_CPU_SIMD_BACKEND_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_product.hpp>
#include <inlay/backend/chosen_formats.hpp>
#include <inlay/backend/cpu_simd/attention.hpp>
#include <inlay/backend/cpu_simd/bf16_convolution.hpp>
#include <inlay/backend/cpu_simd/bf16_product.hpp>
#include <inlay/backend/cpu_simd/bottleneck.hpp>
#include <inlay/backend/cpu_simd/byte_mean.hpp>
#include <inlay/backend/cpu_simd/byte_pool.hpp>
#include <inlay/backend/cpu_simd/concat.hpp>
#include <inlay/backend/cpu_simd/convolution.hpp>
#include <inlay/backend/cpu_simd/elementwise.hpp>
#include <inlay/backend/cpu_simd/expand_depthwise.hpp>
#include <inlay/backend/cpu_simd/layer_norm.hpp>
#include <inlay/backend/cpu_simd/matrix_product.hpp>
#include <inlay/backend/cpu_simd/pool.hpp>
#include <inlay/backend/cpu_simd/product_layer_norm.hpp>
#include <inlay/backend/cpu_simd/quantized_elementwise.hpp>
#include <inlay/backend/cpu_simd/quantized_product.hpp>
#include <inlay/backend/cpu_simd/resize.hpp>
#include <inlay/backend/cpu_simd/softmax.hpp>
#include <inlay/backend/cpu_simd/split.hpp>
#include <inlay/backend/elementwise_operators.hpp>
#include <inlay/backend/expanded_depthwise.hpp>
#include <inlay/backend/normalised_product.hpp>
#include <inlay/backend/thread_limit.hpp>
#include <inlay/candidate/partition_rules.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/kernel/denormals_flushed.hpp>
#include <inlay/codegen/kernel/weight_store.hpp>
#include <inlay/graph/op_kind.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// Our own kernels on the CPU: templates over vectors of floats and bytes, compiled for each instruction set, of which the processor's
/// widest is taken. Weights are packed when a kernel is made; what follows a product or a convolution is computed while its results are in
/// registers or in the first cache.
///
/// Work is shared out over the executor that a run is given: no thread waits for another one that does not run. A kernel may be run by
/// several threads at once, each with a workspace of its own.
struct cpu_simd {
    static constexpr std::string_view kind = "cpu_simd";
    static constexpr std::string_view refines = "llvm";
    static constexpr device_type device = device_type::cpu;

    int threads = 1;
    std::string isa;
    bool winograd = true;
    bool bf16 = false;
    weight_store* weights = nullptr;  // where not null, what is packed of constants is shared by it; it must outlive the making of kernels

    using options = option_list<
        option<"threads", &cpu_simd::threads, "the most threads that one kernel works on">,
        option<"isa", &cpu_simd::isa,
               "for which vector instructions: scalar, sse4, neon, avx2 or avx512; empty: the widest that the processor has">,
        option<"winograd", &cpu_simd::winograd,
               "whether convolutions in Winograd's form are offered: often faster, slightly less exact; a NaN or infinity spoils its "
               "neighbours">,
        option<"bf16", &cpu_simd::bf16,
               "whether products and 1x1 convolutions with constant weights are also offered with numbers rounded to bf16 and sums in "
               "float32: faster, relative error about 2^-8">>;

    /// Part of the key of every measurement: changes with the kernels.
    [[nodiscard]] static std::string version() { return "10"; }

    [[nodiscard]] outcome<void> usable() const {
        if (threads < 1) return error{"target 'cpu_simd' has -threads=" + std::to_string(threads) + "; it takes 1 or more"};
        if (isa.empty()) return {};
        const auto at = std::find(instruction_set_names.begin(), instruction_set_names.end(), isa);
        if (at == instruction_set_names.end())
            return error{"target 'cpu_simd' has -isa=" + quoted_text(isa) + "; it takes scalar, sse4, neon, avx2 or avx512"};
        if (table() == nullptr) return error{"target 'cpu_simd' has -isa=" + isa + ", which this processor or this build does not have"};
        return {};
    }

    /// The kernels that are run; null where `usable` says why not.
    [[nodiscard]] const simd::kernel_table* table() const {
        for (std::size_t i = instruction_set_names.size(); i-- > 0;) {
            const auto set = static_cast<instruction_set>(i);
            if (!isa.empty() && name_of(set) != isa) continue;
            if (!processor_has(set)) continue;
            if (const simd::kernel_table* t = simd::kernels_for(set)) return t;
        }
        return nullptr;
    }

    /// Neighbours that go element by element are joined: a longer chain than the patterns say is one kernel, which reads and writes once.
    static op_kind op_kind_of(std::string_view op) {
        return detail::is_elementwise_operator(op) || op == "onnx.BatchNormalization" ? op_kind::broadcast : op_kind::anchor;
    }
    using partition_rule =
        only_valid_rule<combine_rule<matched_rule, 8, by_kind<op_kind::broadcast, op_kind::broadcast>>, subgraph_limits{1, false, 8}>;
    using joined = simd::elementwise_entry;

    static constexpr auto patterns() {
        using namespace simd;
        return pattern_table(
            composite<"bottleneck">(detail::bottleneck_region::pattern(), bottleneck_entry{}),
            composite<"expand_depthwise">(detail::expanded_depthwise::pattern(), expand_depthwise_entry{}),
            composite<"convolution">(detail::anchored_convolution::pattern_of_conv(), convolution_entry<convolution_form::direct>{}),
            composite<"convolution_winograd">(detail::anchored_convolution::pattern_of_conv(),
                                              convolution_entry<convolution_form::winograd>{}),
            composite<"convolution_winograd_2x2">(detail::anchored_convolution::pattern_of_conv(),
                                                  convolution_entry<convolution_form::winograd_2x2>{}),
            composite<"transposed_convolution">(detail::anchored_convolution::pattern_of_transposed(),
                                                convolution_entry<convolution_form::phases>{}),
            composite<"matrix_product">(detail::anchored_product::pattern_of_matmul(), product_entry{}),
            composite<"gemm">(detail::anchored_product::pattern_of_gemm(), product_entry{}),
            composite<"matrix_product_layer_norm">(detail::normalised_product::pattern(), product_layer_norm_entry{}),
            composite<"convolution_bf16">(detail::anchored_convolution::pattern_of_conv(), bf16_convolution_entry{}),
            composite<"matrix_product_bf16">(detail::anchored_product::pattern_of_matmul(), bf16_product_entry{}),
            composite<"gemm_bf16">(detail::anchored_product::pattern_of_gemm(), bf16_product_entry{}),
            composite<"attention">(detail::attention_region::pattern(), attention_entry{}),
            composite<"layer_norm_spelled">(detail::pattern_of_written_layer_normalization(), layer_norm_entry{}),
            composite<"layer_norm">(dsl::op<"onnx.LayerNormalization">, layer_norm_entry{}),
            composite<"softmax">(dsl::op<"onnx.Softmax">, softmax_entry{}), composite<"pool">(detail::pattern_of_pooling, pool_entry{}),
            composite<"quantized_convolution">(dsl::op<"onnx.QLinearConv">, quantized_product_entry{}),
            composite<"quantized_product">(dsl::op<"onnx.QLinearMatMul">, quantized_product_entry{}),
            composite<"quantized_elementwise">(quantized_elementwise_entry::pattern(), quantized_elementwise_entry{}),
            composite<"quantized_function">(quantized_function_entry::pattern(), quantized_function_entry{}),
            composite<"quantized_pool">(dsl::op<"onnx.MaxPool">, byte_pool_entry{}),
            composite<"quantized_mean">(byte_mean_entry::pattern(), byte_mean_entry{}),
            composite<"resize">(dsl::op<"onnx.Resize">, resize_entry{}), composite<"concat">(dsl::op<"onnx.Concat">, concat_entry{}),
            composite<"split">(dsl::op<"onnx.Split">, split_entry{}),
            composite<"batch_norm">(detail::maybe_activation_of(dsl::op<"onnx.BatchNormalization">), elementwise_entry{}),
            composite<"function">(detail::pattern_of_elementwise_functions(), elementwise_entry{}),
            composite<"operation">(detail::pattern_of_elementwise_operations(), elementwise_entry{}));
    }

    /// A kernel as it is handed out: on as many threads as the option says, with what is run as its note.
    template <class State>
    [[nodiscard]] kernel finish(State state, std::string_view what, std::size_t workspace = 0) const {
        kernel made(flushing<State>{std::move(state)}, workspace);
        made.note = std::string(name_of(table()->set)) + " " + std::string(what);
        return detail::with_thread_limit(std::move(made), static_cast<std::size_t>(threads));
    }

    /// Row-major throughout, where there are kernels.
    [[nodiscard]] std::vector<border_formats> row_major(const region_view& r) const {
        if (table() == nullptr) return {};
        return {plain_borders(r)};
    }

    /// The same with channels last.
    [[nodiscard]] std::vector<border_formats> channels_last(const region_view& r) const {
        if (table() == nullptr) return {};
        return {detail::borders_in(r, layout::channels_last())};
    }

    /// The error where a region cannot be emitted: its formats are none of those that are offered.
    [[nodiscard]] outcome<void> check(const region_view& r, const std::vector<border_formats>& offered) const {
        const auto chosen = detail::chosen_formats(r, kind);
        if (!chosen) return chosen.failure();
        if (auto ready = usable(); !ready) return ready;
        return detail::check_offered(*chosen, offered, kind);
    }
};

static_assert(backend<cpu_simd>);

}  // namespace inlay

#endif
