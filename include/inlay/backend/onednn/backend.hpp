// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_BACKEND_HPP
#define INLAY_BACKEND_ONEDNN_BACKEND_HPP

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/onednn/channel_norm.hpp>
#include <inlay/backend/onednn/concat.hpp>
#include <inlay/backend/onednn/conv.hpp>
#include <inlay/backend/onednn/elementwise.hpp>
#include <inlay/backend/onednn/layer_norm.hpp>
#include <inlay/backend/onednn/matmul.hpp>
#include <inlay/backend/onednn/pool.hpp>
#include <inlay/backend/onednn/resize.hpp>
#include <inlay/backend/onednn/softmax.hpp>
#include <inlay/backend/onednn/transpose.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/codegen/backend.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// oneDNN 2 on the CPU: primitives with fused operations after them, weights packed when the kernel is made, float32.
///
/// Threads are OpenMP's: each run sets the count for the calling thread and puts back what stood there. An emitted kernel may be run by
/// one thread at a time.
struct onednn {
    static constexpr std::string_view kind = "onednn";
    static constexpr std::string_view refines = "llvm";
    static constexpr device_type device = device_type::cpu;

    int threads = 1;
    bool winograd = true;

    using options =
        option_list<option<"threads", &onednn::threads, "how many threads a primitive uses">,
                    option<"winograd", &onednn::winograd, "3 x 3 convolutions may use Winograd's form: faster, slightly less exact">>;

    /// The version of the library that is loaded: part of the key of every measurement.
    [[nodiscard]] static std::string version() {
        const dnnl_version_t* v = dnnl_version();
        return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
    }

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

    /// Asks a family of primitives whether it can read the region.
    template <class Family>
    struct reads {
        template <class Match>
        [[nodiscard]] verdict operator()(const onednn&, const Match& m) const {
            const auto plan = Family::read(m.region());
            return plan ? verdict::yes() : verdict::no(plan.failure().message);
        }
    };

    static constexpr auto patterns() {
        using namespace detail;
        return pattern_table(composite<"convolution">(onednn_conv::pattern_of_conv(), reads<onednn_conv>{}),
                             composite<"transposed_convolution">(onednn_conv::pattern_of_transposed(), reads<onednn_conv>{}),
                             composite<"matrix_product">(onednn_matmul::pattern_of_matmul(), reads<onednn_matmul>{}),
                             composite<"gemm">(onednn_matmul::pattern_of_gemm(), reads<onednn_matmul>{}),
                             composite<"layer_norm_spelled">(onednn_layer_norm::pattern_of_spelling(), reads<onednn_layer_norm>{}),
                             composite<"layer_norm">(onednn_layer_norm::pattern_of_operator(), reads<onednn_layer_norm>{}),
                             composite<"softmax">(onednn_softmax::pattern_of_softmax(), reads<onednn_softmax>{}),
                             composite<"pool">(onednn_pool::pattern_of_pool(), reads<onednn_pool>{}),
                             composite<"batch_norm">(onednn_channel_norm::pattern_of_batch_norm(), reads<onednn_channel_norm>{}),
                             composite<"local_response_norm">(onednn_channel_norm::pattern_of_local_norm(), reads<onednn_channel_norm>{}),
                             composite<"concat">(onednn_concat::pattern_of_concat(), reads<onednn_concat>{}),
                             composite<"resize">(onednn_resize::pattern_of_resize(), reads<onednn_resize>{}),
                             composite<"transpose">(onednn_transpose::pattern_of_transpose(), reads<onednn_transpose>{}),
                             composite<"function">(onednn_elementwise::pattern_of_functions(), reads<onednn_elementwise>{}),
                             composite<"operation">(onednn_elementwise::pattern_of_operations(), reads<onednn_elementwise>{}));
    }

    /// The tuples for which the library has generated code; those that only its plain loops take are left out.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        std::vector<border_formats> list;
        with_family(r, [&]<class Family>(Family) {
            auto made =
                detail::onednn_guarded("the region", [&]() -> outcome<std::vector<border_formats>> { return formats_of<Family>(r); });
            if (made) list = std::move(*made);
        });
        return list;
    }

    /// Nothing: every region is measured.
    [[nodiscard]] std::optional<double> price(const region_view&) const { return std::nullopt; }

    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        if (r.input_formats.size() != r.input_count || r.result_formats.size() != r.results.size())
            return error{"oneDNN emits a region whose border formats are chosen; this one has " + std::to_string(r.input_formats.size()) +
                         " for " + std::to_string(r.input_count) + " inputs"};
        outcome<kernel> made = error{"no oneDNN primitive does what this region means"};
        with_family(r, [&]<class Family>(Family) {
            made = detail::onednn_guarded("the region", [&]() -> outcome<kernel> { return emit_of<Family>(r); });
        });
        return made;
    }

private:
    /// Calls `use` with the family whose operator the region holds.
    template <class Use>
    static void with_family(const region_view& r, Use&& use) {
        const auto holds = [&](auto... names) {
            for (const region_value& v : r.calls())
                if (((v.op == std::string_view(names)) || ...)) return true;
            return false;
        };
        if (holds("onnx.Conv", "onnx.ConvTranspose")) return use(detail::onednn_conv{});
        if (holds("onnx.MatMul", "onnx.Gemm")) return use(detail::onednn_matmul{});
        if (holds("onnx.LayerNormalization") || (holds("onnx.ReduceMean") && holds("onnx.Sqrt"))) return use(detail::onednn_layer_norm{});
        if (holds("onnx.Softmax", "onnx.LogSoftmax")) return use(detail::onednn_softmax{});
        if (holds("onnx.MaxPool", "onnx.AveragePool", "onnx.GlobalAveragePool", "onnx.GlobalMaxPool", "onnx.ReduceMean", "onnx.ReduceMax"))
            return use(detail::onednn_pool{});
        if (holds("onnx.BatchNormalization", "onnx.LRN")) return use(detail::onednn_channel_norm{});
        if (holds("onnx.Concat")) return use(detail::onednn_concat{});
        if (holds("onnx.Resize")) return use(detail::onednn_resize{});
        if (holds("onnx.Transpose")) return use(detail::onednn_transpose{});
        use(detail::onednn_elementwise{});
    }

    template <class Family>
    [[nodiscard]] outcome<std::vector<border_formats>> formats_of(const region_view& r) const {
        const auto plan = Family::read(r);
        if (!plan) return plan.failure();
        const detail::onednn_thread_scope scope(threads);
        const detail::onednn_setting use{dnnl::engine(dnnl::engine::kind::cpu, 0), winograd};
        std::vector<border_formats> list;
        for (border_formats& b : Family::proposals(*plan, r)) {
            const auto made = detail::onednn_guarded("these formats", [&] { return Family::describe(*plan, r, use, b); });
            if (made && !made->is_reference()) list.push_back(std::move(b));
        }
        return list;
    }

    template <class Family>
    [[nodiscard]] outcome<kernel> emit_of(const region_view& r) const {
        const auto plan = Family::read(r);
        if (!plan) return plan.failure();
        const detail::onednn_thread_scope scope(threads);
        const border_formats b{{r.input_formats.begin(), r.input_formats.end()}, {r.result_formats.begin(), r.result_formats.end()}};
        for (const format& f : b.inputs)
            if (f.scope != memory_scope{} || f.element != element_type::float32)
                return error{"oneDNN takes no input in the format " + to_string(f)};
        for (const format& f : b.results)
            if (f.scope != memory_scope{} || f.element != element_type::float32)
                return error{"oneDNN gives no result in the format " + to_string(f)};
        detail::onednn_program program(threads);
        const auto made = Family::describe(*plan, r, {program.engine(), winograd}, b);
        if (!made) return made.failure();
        return Family::build(*plan, *made, r, b, std::move(program));
    }
};

static_assert(backend<onednn>);

}  // namespace inlay

#endif
