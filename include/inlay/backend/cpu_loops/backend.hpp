// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_LOOPS_BACKEND_HPP
#define INLAY_BACKEND_CPU_LOOPS_BACKEND_HPP

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/cpu_loops/shared_rounds.hpp>
#include <inlay/backend/cpu_loops/tiled_moves.hpp>
#include <inlay/backend/cpu_loops/vector_rounds.hpp>
#include <inlay/backend/thread_limit.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/partition_rules.hpp>
#include <inlay/codegen/compile/compiler_lookup.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/declare/loop_phase.hpp>
#include <inlay/codegen/emit/emit_together.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/codegen/emit/task_kernel.hpp>
#include <inlay/codegen/kernel/denormals_flushed.hpp>
#include <inlay/graph/op_kind.hpp>
#include <inlay/loops/lower/lower.hpp>
#include <inlay/loops/schedule/near_stages.hpp>
#include <inlay/loops/text/c_functions.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

namespace detail {

/// Why there are no compiled loops for a region, else empty: each call has a nest, and C has its element types.
[[nodiscard]] inline std::string refuse_loops(const region_view& r) {
    for (const region_value& v : r.values) {
        if (v.kind == region_value::role::absent || !v.type->is_tensor()) continue;
        if (!v.type->is_static()) return "the shape of a value of type " + to_string(*v.type) + " is not known before the run";
        if (c_storage_of(v.type->of_tensor.element).empty())
            return "C has no arithmetic on " + std::string(name_of(v.type->of_tensor.element));
    }
    auto nest = lower(r, "region");
    return nest ? std::string() : nest.failure().message;
}

/// Calls of operators up to a reduction.
struct takes_loops {
    template <class B, class Match>
    verdict operator()(const B& self, const Match& m) const {
        const region_view& r = m.region();
        for (const region_value& v : r.calls())
            if (v.kind == region_value::role::call && self.table_kind_of(v.op) > op_kind::reduction)
                return verdict::no(std::string(v.op) + " is left to libraries of products");
        std::string why = refuse_loops(r);
        return why.empty() ? verdict::yes() : verdict::no(std::move(why));
    }
};

}  // namespace detail

/// Loop nests that the system's C compiler specialises for the shapes of a program: whatever goes element by element, moves elements or
/// reduces them, of any element type that C has or keeps, and chains of such calls as one nest. A program's nests are one shared library,
/// which is kept by its content where a cache is named. Floating numbers too small for a normal exponent are zero.
///
/// Work is shared out over the executor that a run is given. A kernel may be run by several threads at once, each with a workspace of its
/// own.
struct cpu_loops {
    static constexpr std::string_view kind = "cpu_loops";
    static constexpr std::string_view refines = "llvm";
    static constexpr device_type device = device_type::cpu;

    int threads = 1;
    std::string cc;
    std::string cache;            // a folder in which compiled libraries are kept and found again; empty: nowhere
    double compile_seconds = 60;  // that the compiler may take for one nest; it has one more for each other of a module
    compiler_lookup compilers;    // those that were asked for

    using options = option_list<option<"threads", &cpu_loops::threads, "the most threads that one kernel works on">,
                                option<"cc", &cpu_loops::cc, "the C compiler, with its first arguments; empty: $CC, else cc">>;

    /// Part of the key of every measurement: changes with the loops that are made and with the compiler.
    [[nodiscard]] std::string version() const { return "3 " + compilers.version_of(source_language::c99, cc); }

    [[nodiscard]] outcome<void> usable() const {
        if (threads < 1) return error{"target 'cpu_loops' has -threads=" + std::to_string(threads) + "; it takes 1 or more"};
        auto found = compilers.find(source_language::c99, cc);
        if (!found) return found.failure();
        return {};
    }

    /// As the table of operators has it.
    static op_kind table_kind_of(std::string_view op) {
        const op_definition* known = onnx_ops::find(op);
        return known != nullptr ? known->kind : op_kind::opaque;
    }
    /// Chains of calls that go element by element or move elements are one nest, and so is what they prepare for a reduction. A
    /// concatenation stays alone: of the chains that it joins each could be in the nest from any of its calls on, and the candidates of
    /// some networks would be thousands.
    static op_kind op_kind_of(std::string_view op) { return op == "onnx.Concat" ? op_kind::opaque : table_kind_of(op); }
    using partition_rule = only_valid_rule<
        combine_rule<matched_rule, 6, by_kind<op_kind::injective, op_kind::injective>, by_kind<op_kind::injective, op_kind::reduction>>,
        subgraph_limits{1, false, 6}>;

    static constexpr auto patterns() { return pattern_table(composite<"loops">(dsl::any_call, detail::takes_loops{})); }

    /// Row-major throughout.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }

    using nest = region_nest;
    [[nodiscard]] outcome<nest> lower(const region_view& r) const { return lower_to_loops(*this, r, "region"); }

    /// From the lowered nest to the one that is compiled.
    static constexpr auto phases() {
        return phase_list(loop_phase<0, "near_stages">([](const cpu_loops&, nest n) -> outcome<nest> {
                              n.loops = detail::with_near_stages(std::move(n.loops));
                              return n;
                          }),
                          loop_phase<1, "tiled_moves">([](const cpu_loops&, nest n) -> outcome<nest> {
                              n.loops = detail::with_tiled_moves(std::move(n.loops));
                              return n;
                          }),
                          loop_phase<2, "shared_rounds">([](const cpu_loops&, nest n) -> outcome<nest> {
                              n.loops = detail::with_shared_rounds(std::move(n.loops));
                              return n;
                          }),
                          loop_phase<3, "vector_rounds">([](const cpu_loops&, nest n) -> outcome<nest> {
                              n.loops = detail::with_vector_rounds(std::move(n.loops));
                              return n;
                          }));
    }

    [[nodiscard]] outcome<std::vector<kernel>> emit_together(std::span<const nest> nests) const {
        // Nobody reads errno nor the processor's own flags after these kernels, so what would set them may go: results stay the same.
        compiler_request how =
            nest_compiler({"-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fopenmp-simd", "-w"});
        how.compiler = cc;
        how.cache = cache;
        how.seconds = compile_seconds + static_cast<double>(nests.size()) - 1;
        auto made = task_kernels(nests, std::move(how));
        if (!made) return made;
        for (kernel& k : *made) k = detail::with_thread_limit(with_denormals_flushed(std::move(k)), static_cast<std::size_t>(threads));
        return made;
    }
    [[nodiscard]] outcome<kernel> emit(const nest& n) const {
        auto made = emit_together(std::span(&n, 1));
        if (!made) return made.failure();
        return std::move(made->front());
    }
};

static_assert(backend<cpu_loops>);
static_assert(emits_together<cpu_loops>);

}  // namespace inlay

#endif
