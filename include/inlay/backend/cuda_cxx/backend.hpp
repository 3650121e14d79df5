// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_BACKEND_HPP
#define INLAY_BACKEND_CUDA_CXX_BACKEND_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/cuda/cuda_compiler.hpp>
#include <inlay/backend/cuda/on_cuda_device.hpp>
#include <inlay/backend/cuda_cxx/launched_nest.hpp>
#include <inlay/backend/cuda_cxx/rows_by_block.hpp>
#include <inlay/backend/cuda_cxx/spread_rounds.hpp>
#include <inlay/backend/cuda_cxx/stored_operands.hpp>
#include <inlay/backend/cuda_cxx/tiled_sums.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/partition_rules.hpp>
#include <inlay/codegen/compile/compiler_lookup.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/declare/loop_phase.hpp>
#include <inlay/codegen/emit/emit_together.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/roofline.hpp>
#include <inlay/graph/op_kind.hpp>
#include <inlay/loops/lower/lower.hpp>
#include <inlay/loops/schedule/near_stages.hpp>
#include <inlay/loops/text/cuda_functions.hpp>
#include <inlay/loops/text/cuda_text.hpp>
#include <inlay/loops/text/tensor_core.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/work_counter.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

namespace detail {

/// Why there are no CUDA kernels for a region, else empty: each call has a nest, and CUDA C++ has its element types.
[[nodiscard]] inline std::string refuse_cuda(const region_view& r) {
    for (const region_value& v : r.values) {
        if (v.kind == region_value::role::absent || !v.type->is_tensor()) continue;
        if (!v.type->is_static()) return "the shape of a value of type " + to_string(*v.type) + " is not known before the run";
        if (cuda_type_of(v.type->of_tensor.element).empty())
            return "CUDA C++ has no arithmetic on " + std::string(name_of(v.type->of_tensor.element));
    }
    auto nest = lower(r, "region");
    return nest ? std::string() : nest.failure().message;
}

struct takes_cuda {
    template <class B, class Match>
    verdict operator()(const B&, const Match& m) const {
        std::string why = refuse_cuda(m.region());
        return why.empty() ? verdict::yes() : verdict::no(std::move(why));
    }
};

}  // namespace detail

/// Loop nests as CUDA kernels, specialised for the shapes of a program: what has a nest, and chains of such calls behind a product or a
/// reduction as one. Tensors stand in the device's own memory, row-major; sums of products go by tiles through shared memory, those of half
/// precision on tensor cores, everything is computed in its own element type, half precision in float32. NVIDIA's compiler, or that as a
/// library, makes the code, its driver, which is looked for when the first device is asked for, runs it.
///
/// With `model` it plans without a device: prices are the roofline of the device that `arch` names, and no measurement; nothing runs then.
struct cuda_cxx : detail::on_cuda_device<cuda_cxx> {
    static constexpr std::string_view kind = "cuda_cxx";

    std::string arch, nvcc, precision = "float32";
    bool model = false;
    std::string cache;             // a folder in which compiled kernels are kept and found again; empty: nowhere
    double compile_seconds = 120;  // that the compiler may take for one nest; it has two more for each other of a module
    compiler_lookup compilers;     // those that were asked for

    using options = option_list<
        option<"arch", &cuda_cxx::arch, "the architecture to compile for, as sm_80; empty: that of the device at hand">,
        option<"nvcc", &cuda_cxx::nvcc,
               "NVIDIA's compiler; empty: $NVCC, else $CUDA_HOME/bin/nvcc, else nvcc, else the library; nvrtc: the library">,
        option<
            "precision", &cuda_cxx::precision,
            "float32: as written; tf32, float16, bfloat16: products and convolutions of float32 by tensor cores, operands rounded to that, "
            "sums in float32">,
        option<"model", &cuda_cxx::model, "prices are a model of the device that -arch names, and no measurement">>;

    /// Part of the key of every measurement: changes with the kernels that are made, the compiler and the device.
    [[nodiscard]] std::string version() const {
        const auto compiler = detail::cuda_compiler::find(compilers, nvcc);
        return "2 " + (compiler ? compiler->release() : std::string("without a compiler")) + " for " + made_for() + " on " + device_name();
    }
    /// Options that make sense.
    [[nodiscard]] outcome<void> check() const {
        if (precision != "float32" && precision != "tf32" && precision != "float16" && precision != "bfloat16")
            return error{"option '-precision' of target 'cuda_cxx' takes float32, tf32, float16 or bfloat16, not " +
                         quoted_text(precision)};
        return check_arch();
    }
    [[nodiscard]] outcome<void> usable() const {
        if (auto fits = check(); !fits) return fits;
        if (rounded() != product_precision::float32 && !is_made_for(80))
            return error{"target 'cuda_cxx' has -precision=" + precision + ", and " + made_for() +
                         " has no tensor cores for it; those from sm_80 on do"};
        if (model) return {};
        if (auto there = check_device(); !there) return there.failure();
        auto found = detail::cuda_compiler::find(compilers, nvcc);
        return found ? outcome<void>() : found.failure();
    }

    /// Whose instructions code may have.
    [[nodiscard]] tensor_cores cores() const {
        return made_for() == "sm_90a" ? tensor_cores::of_warpgroups : is_made_for(80) ? tensor_cores::of_warps : tensor_cores::none;
    }

    /// What float32 operands of products may be rounded to.
    [[nodiscard]] product_precision rounded() const {
        return precision == "float16"    ? product_precision::float16
               : precision == "bfloat16" ? product_precision::bfloat16
               : precision == "tf32"     ? product_precision::tf32
                                         : product_precision::float32;
    }

    /// A concatenation stays alone, see `cpu_loops`.
    static op_kind op_kind_of(std::string_view op) {
        const op_definition* known = onnx_ops::find(op);
        return known == nullptr || op == "onnx.Concat" ? op_kind::opaque : known->kind;
    }
    using partition_rule =
        only_valid_rule<combine_rule<matched_rule, 6, by_kind<op_kind::injective, op_kind::injective>,
                                     by_kind<op_kind::injective, op_kind::reduction>, by_kind<op_kind::anchor, op_kind::broadcast>>,
                        subgraph_limits{1, false, 6}>;

    static constexpr auto patterns() { return pattern_table(composite<"loops">(dsl::any_call, detail::takes_cuda{})); }

    using nest = region_nest;
    [[nodiscard]] outcome<nest> lower(const region_view& r) const { return lower_to_loops(*this, r, "region"); }

    /// From the lowered nest to the one that is printed.
    static constexpr auto phases() {
        return phase_list(loop_phase<0, "stored_operands">([](const cuda_cxx&, nest n) -> outcome<nest> {
                              n.loops = detail::with_stored_operands(std::move(n.loops));
                              return n;
                          }),
                          loop_phase<0, "tiled_sums">([](const cuda_cxx& self, nest n) -> outcome<nest> {
                              n.loops = detail::with_tiled_sums(std::move(n.loops), self.rounded(), self.cores());
                              return n;
                          }),
                          loop_phase<1, "near_stages">([](const cuda_cxx&, nest n) -> outcome<nest> {
                              const std::vector<loop_band> bands = outermost_bands(n.loops);
                              const bool is_free = std::none_of(bands.begin(), bands.end(),
                                                                [&](const loop_band& b) { return detail::is_bound(n.loops, b); });
                              // What is bound to threads has no room for a stage that one thread runs.
                              if (is_free) n.loops = detail::with_near_stages(std::move(n.loops));
                              return n;
                          }),
                          loop_phase<2, "rows_by_block">([](const cuda_cxx&, nest n) -> outcome<nest> {
                              n.loops = detail::with_rows_by_block(std::move(n.loops));
                              return n;
                          }),
                          loop_phase<3, "spread_rounds">([](const cuda_cxx&, nest n) -> outcome<nest> {
                              n.loops = detail::with_spread_rounds(std::move(n.loops));
                              return n;
                          }));
    }

    /// Nests as one text in CUDA C++, and what is launched of each.
    struct printed {
        std::string text;
        std::vector<cuda_text> nests;
    };
    [[nodiscard]] static outcome<printed> print(std::span<const nest> nests) {
        printed made;
        const std::vector<printed_call> calls = tensor_core_calls();
        for (std::size_t i = 0; i < nests.size(); ++i) {
            loop_nest named = nests[i].loops;
            if (nests.size() > 1) named.name += "_" + std::to_string(i);
            auto one = to_cuda(named, calls);
            if (!one) return one.failure();
            made.nests.push_back(*std::move(one));
        }
        made.text = joined_text(made.nests);
        return made;
    }

    [[nodiscard]] outcome<std::vector<kernel>> emit_together(std::span<const nest> nests) const {
        if (auto there = check_device(); !there) return there.failure();
        const auto compiler = detail::cuda_compiler::find(compilers, nvcc);
        if (!compiler) return compiler.failure();
        const auto text = print(nests);
        if (!text) return text.failure();
        const double seconds = compile_seconds + 2 * static_cast<double>(nests.size());
        const auto code = compiler->compile({text->text, made_for(), cache, seconds});
        if (!code) return code.failure();
        const auto module = detail::cuda_module::load(*code);
        if (!module) return module.failure();
        std::vector<kernel> made;
        for (std::size_t i = 0; i < nests.size(); ++i) {
            auto one = detail::launched_nest::make(*module, nests[i], text->nests[i]);
            if (!one) return one.failure();
            made.push_back(*std::move(one));
        }
        return made;
    }
    [[nodiscard]] outcome<kernel> emit(const nest& n) const {
        auto made = emit_together(std::span(&n, 1));
        if (!made) return made.failure();
        return std::move(made->front());
    }
};

static_assert(backend<cuda_cxx> && emits_together<cuda_cxx> && owns_memory<cuda_cxx>);

}  // namespace inlay

#endif
