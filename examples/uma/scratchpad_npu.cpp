// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// UMA's second tutorial: an accelerator with more to it. It has several composites, memory of its own, whose size decides what it takes and
// what code is made, passes over programs and over loops, strategies for its operators, and a price for each region, so that the plan gives
// the rest to the plain target c. Its arguments: targets, who decides (exact, eager), a folder.
//
// Prints:
//   exact: 215 us
//     scratchpad_npu.conv_relu first
//     scratchpad_npu.conv second
//     portable_c.c small
//     portable_c.c flat
//     scratchpad_npu.dense_relu wide
//     portable_c.c scores
//     portable_c.c y
//   run here: agrees
//   net.c: 6 functions, 24576 bytes to work in, beside scratchpad_npu.c
//   net ran in ... s
//   y: 0 of 4 elements are off, the largest error is ...
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/portable_c/backend.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/codegen/c/c_kernels.hpp>
#include <inlay/codegen/emit/after_partitioning.hpp>
#include <inlay/codegen/list/before_partitioning.hpp>
#include <inlay/io/read_c_library.hpp>
#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/parse_nest.hpp>
#include <inlay/loops/schedule/schedule.hpp>
#include <inlay/ops/attributes/onnx_operator_attributes.hpp>
#include <inlay/passes/fold_constants.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/pattern/dsl/dsl_guard.hpp>
#include <inlay/rewrite/rewrite.hpp>

#include "leave_as_c.hpp"
#include "networks.hpp"

namespace {

using namespace inlay;

/// The accelerator's operators in its own regions: ONNX's with Relu behind them. They are typed as those.
outcome<node_type> npu_type(const call_view& call) {
    call_view plain = call;
    if (call.op == "npu.ConvRelu") plain.op = "onnx.Conv";
    if (call.op == "npu.GemmRelu") plain.op = "onnx.Gemm";
    return infer_call<onnx_ops>(plain);
}

template <class Book>
outcome<ir_module> rewritten_by(const Book& book, const ir_module& m) {
    rewrite_options how;
    how.infer = npu_type;
    return rewrite(m, book, how).graph;
}

struct scratchpad_npu {
    static constexpr std::string_view kind = "scratchpad_npu", refines = "c";
    static constexpr device_type device = device_type::cpu;
    std::int64_t scratchpad = 8192;
    std::string sdk = ".";
    using options = option_list<option<"scratchpad", &scratchpad_npu::scratchpad, "bytes of its memory for weights">,
                                option<"sdk", &scratchpad_npu::sdk, "the folder with the vendor's header and source">>;

    /// The last numbers are those that the strategies below give; `$3` is the scratchpad, and `$3#0` how many floats it holds.
    [[nodiscard]] outcome<c_library> library() const {
        auto made = read_c_library(sdk, {"scratchpad_npu.h"}, {"scratchpad_npu.c"});
        if (!made) return made;
        const std::string memory = "(struct npu_memory){$3, $3#0}, $0, $1, $2, $4, ";
        made->call("conv", "npu_conv2d(" + memory + "$0#1, $0#2, $0#3, $4#1, $4#2, $4#3, $1#2, $5, $6, $7)");
        made->call("dense", "npu_dense(" + memory + "$0#0, $0#1, $1#0, $5)");
        made->call("add_row", "npu_add($0, $1, $2, $0#0)");
        return made;
    }
    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const {
        if (scratchpad < 4) return error{"-scratchpad=" + std::to_string(scratchpad) + " holds no number"};
        if (const auto there = library(); !there) return there.failure();
        return {};
    }

    static constexpr auto patterns() {
        using namespace dsl;
        constexpr auto conv = as<"conv">(op<"onnx.Conv">(any, as<"w">(constant), constant));
        constexpr auto dense = as<"dense">(attribute<"transB", 1>(op<"onnx.Gemm">(any, as<"w">(constant), as<"b">(constant))));
        constexpr auto takes_conv = [](const scratchpad_npu& self, const auto& m) {
            const auto w = static_shape(captured<"w">(m).type->of_tensor);
            const auto pads = attr<"conv", &conv_attributes::pads>(m);
            const auto strides = attr<"conv", &conv_attributes::strides>(m);
            if (w.size() != 4 || w[2] != w[3] || m.region().type(0).extents[0].size != 1 || !is_float32(m))
                return verdict::no("it takes one image of float32, and square windows");
            if (attr<"conv", &conv_attributes::group>(m) != 1 || !attr<"conv", &conv_attributes::dilations>(m).all(1) ||
                !strides.all(strides[0]) || !pads.all(pads[0]) || attr<"conv", &conv_attributes::auto_pad>(m) != "NOTSET")
                return verdict::no("it takes one group, windows without gaps, and the same strides and padding throughout");
            return self.holds(w[1] * w[2] * w[3]);
        };
        constexpr auto takes_dense = [](const scratchpad_npu& self, const auto& m) {
            const auto w = static_shape(captured<"w">(m).type->of_tensor);
            if (attr<"dense", &gemm_attributes::alpha>(m) != 1 || attr<"dense", &gemm_attributes::beta>(m) != 1 ||
                attr<"dense", &gemm_attributes::trans_a>(m) || static_shape(captured<"b">(m).type->of_tensor) != std::vector{w[0]} ||
                !is_float32(m))
                return verdict::no("it takes products of float32 with a bias for each output");
            return self.holds(w[1]);
        };
        return pattern_table(
            composite<"conv_relu">(op<"onnx.Relu">(conv), takes_conv), composite<"dense_relu">(op<"onnx.Relu">(dense), takes_dense),
            composite<"conv">(conv, takes_conv), composite<"dense">(dense, takes_dense),
            composite<"add">(op<"onnx.Add">(any, any), [](const scratchpad_npu&, const auto& m) {
                const region_view& r = m.region();
                const bool is_same = r.input_count == 2 && r.type(0) == r.type(1) && r.type(0).rank() != 0 && is_float32(m);
                return is_same ? verdict::yes() : verdict::no("its vector unit adds two tensors of one shape");
            }));
    }
    template <class Match>
    [[nodiscard]] static bool is_float32(const Match& m) {
        return m.region().type(0).element == element_type::float32;
    }
    [[nodiscard]] verdict holds(std::int64_t floats) const {
        return 4 * floats <= scratchpad
                   ? verdict::yes()
                   : verdict::no("the weights of one output take " + std::to_string(4 * floats) + " bytes of its scratchpad");
    }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    /// 5 us to start the engine, 1.6 billion products a second; 1 us for each row that the vector unit adds.
    [[nodiscard]] std::optional<double> price(const region_view& r) const {
        const auto y = static_shape(r.type(r.results[0]));
        double outputs = 1;
        for (const std::int64_t e : y) outputs *= static_cast<double>(e);
        if (r.constant_count == 0) return 1e-6 * outputs / static_cast<double>(y.back());
        const auto w = static_shape(r.type(1));
        const double each = w.size() == 4 ? static_cast<double>(w[1] * w[2] * w[3]) : static_cast<double>(w[1]);
        return 5e-6 + outputs * each / 1.6e9;
    }

    using nest = region_nest;
    [[nodiscard]] outcome<nest> lower(const region_view& r) const {
        auto made = lower_to_loops(*this, r, "npu_part");
        if (made) made->loops = with_results_in_place(std::move(made->loops));
        return made;
    }
    /// One call of the vendor's function each: what it reads, its scratchpad, what it writes; then numbers.
    static constexpr auto strategies() {
        return strategy_table(
            strategy<"onnx.Conv", "npu.ConvRelu">([](const scratchpad_npu& self, const lowered_call& c) -> outcome<lowered_tensor> {
                const auto a = read<conv_attributes>(*c.call.attributes);
                const std::int64_t numbers[] = {a.strides[0], a.pads[0], c.call.op == "npu.ConvRelu"};
                return c.nest.called("conv", c.operands, c.extents, c.element, numbers, self.scratchpad / 4);
            }),
            strategy<"onnx.Gemm", "npu.GemmRelu">([](const scratchpad_npu& self, const lowered_call& c) -> outcome<lowered_tensor> {
                const std::int64_t numbers[] = {c.call.op == "npu.GemmRelu"};
                return c.nest.called("dense", c.operands, c.extents, c.element, numbers, self.scratchpad / 4);
            }));
    }
    static constexpr auto phases() {
        using namespace dsl;
        return phase_list(
            // Products of matrices with their weights turned, since the engine loads those of an output at once. Others plan without it.
            before_partitioning<"dense", phase_scope::own>([](const scratchpad_npu&, const ir_module& m) -> outcome<ir_module> {
                constexpr rule_book turned(rule<"dense">(
                    op<"onnx.Add">(op<"onnx.MatMul">(as<"x">, as<"w">(constant)), as<"b">(constant)),
                    attribute<"transB", 1>(op<"onnx.Gemm">(as<"x">, op<"onnx.Transpose">(as<"w">), as<"b">)), [](const auto& found) {
                        return found.template type<"x">().of_tensor.rank() == 2 ? verdict::yes() : verdict::no("it takes matrices");
                    }));
                auto made = rewritten_by(turned, m);
                if (!made) return made;
                return fold_constants(*made);
            }),
            // In its own regions the engine's operators take up the Relu behind them.
            after_partitioning<"relu">([](const scratchpad_npu&, const ir_module& m) -> outcome<ir_module> {
                constexpr rule_book fused(rule<"conv">(op<"onnx.Relu">(as<"conv">(op<"onnx.Conv">(as<"x">, as<"w">, as<"b">))),
                                                       attributes_of<"conv">(op<"npu.ConvRelu">(as<"x">, as<"w">, as<"b">))),
                                          rule<"dense">(op<"onnx.Relu">(as<"dense">(op<"onnx.Gemm">(as<"x">, as<"w">, as<"b">))),
                                                        attributes_of<"dense">(op<"npu.GemmRelu">(as<"x">, as<"w">, as<"b">))));
                return rewritten_by(fused, m);
            }),
            // Loops that are left add: their rows become calls of the vector unit.
            loop_phase<2, "vector_unit">([](const scratchpad_npu&, nest n) -> outcome<nest> {
                const std::vector<statement_id> rows = innermost_loops(n.loops);
                if (rows.empty()) return n;
                const nest_statement& row = n.loops.statements[rows.front()];
                const std::string count = std::to_string(row.extent), of = ": float32[" + count + "] ";
                const auto function = parse_nest("nest add_row { input a" + of + "input b" + of + "output c" + of + "for i < " + count +
                                                 " { stack v: float32[1] { v[0] = a[i] + b[i] c[i] = v[0] } } }");
                if (!function) return function.failure();
                auto made = scheduled(n.loops, loop_schedule().call(n.loops.variables[row.variable], *function));
                if (!made) return made.failure();
                return nest{*std::move(made), std::move(n.constants)};
            }));
    }
    [[nodiscard]] outcome<c_part> emit_c(const nest& n) const {
        const auto vendor = library();
        if (!vendor) return vendor.failure();
        return part_of_nest(n, *vendor);
    }
    [[nodiscard]] outcome<kernel> emit(const nest& n) const { return c_kernel(emit_c(n), c_borders::of(n)); }
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) return uma::fail(error{"usage: scratchpad_npu TARGETS exact|eager FOLDER"});
    return uma::leave_as_c(backend_list<scratchpad_npu, portable_c>(), uma::small_residual_network(), arguments);
}
