// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ACCEL_BACKEND_HPP
#define INLAY_BACKEND_ACCEL_BACKEND_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/accelerator/accelerator_price.hpp>
#include <inlay/accelerator/best_cut.hpp>
#include <inlay/accelerator/instruction_word.hpp>
#include <inlay/accelerator/outside_memory.hpp>
#include <inlay/backend/accel/accel_machine.hpp>
#include <inlay/backend/accel/best_tiling.hpp>
#include <inlay/backend/accel/c_runtime.hpp>
#include <inlay/backend/accel/cycle_model.hpp>
#include <inlay/backend/accel/functional_model.hpp>
#include <inlay/backend/accel/packed_layer.hpp>
#include <inlay/backend/accel/read_layer.hpp>
#include <inlay/backend/accel/tile_program.hpp>
#include <inlay/backend/takes_what_it_can.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

namespace accel_parts {

/// A layer's program as a kernel: the functional model runs it.
struct layer_kernel {
    accel_machine of;
    std::vector<instruction> program;
    std::vector<std::byte> packed;
    std::size_t in_bytes = 0, out_bytes = 0;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const outside_memory memories[] = {{static_cast<const std::byte*>(a.inputs[0]), nullptr, in_bytes},
                                           {packed.data(), nullptr, packed.size()},
                                           {nullptr, static_cast<std::byte*>(a.results[0]), out_bytes}};
        return functional_model(of).run(program, memories).has_value();
    }
};

/// What a region comes to on a machine: its layer, the tiling that was chosen for it, its program, and what that does.
struct planned_layer {
    accel_machine machine;
    layer what;
    chosen_cut<tiling> chosen;
    std::vector<instruction> program;
    unit_timeline timeline;
    activity does;
};

}  // namespace accel_parts

/// A model of an accelerator that a vendor might build: a systolic array with its memories, engines and vector unit, programmed by
/// instructions. It takes quantised convolutions and products (`-element int8`), or those of float32. This process plays it: kernels run
/// its instructions to the last bit, and prices are the cycles of its model. Its code leaves as C against `accel_runtime.h`.
struct accel {
    static constexpr std::string_view kind = "accel", refines = "ext_dev";
    static constexpr device_type device = device_type::ext_dev;
    static constexpr bool is_simulated = true;

    std::int64_t rows = 16, cols = 16, scratchpad = 256 << 10, accumulator = 64 << 10, dma_bytes = 16, dma_latency = 100, mhz = 1000;
    std::string dataflow = "ws", element = "int8";
    bool double_buffering = true;

    using options =
        option_list<option<"rows", &accel::rows, "rows of the array">, option<"cols", &accel::cols, "columns of the array">,
                    option<"dataflow", &accel::dataflow, "what stays in the array: ws (weights), os (outputs) or is (inputs)">,
                    option<"element", &accel::element, "what it computes with: int8 or float32">,
                    option<"scratchpad", &accel::scratchpad, "bytes for inputs, weights and results">,
                    option<"accumulator", &accel::accumulator, "bytes for sums">,
                    option<"dma_bytes", &accel::dma_bytes, "bytes that are loaded, and stored, in a cycle">,
                    option<"dma_latency", &accel::dma_latency, "cycles until the first of them">,
                    option<"double_buffering", &accel::double_buffering, "whether the next tile is loaded while one is computed">,
                    option<"mhz", &accel::mhz, "million cycles a second">>;

    [[nodiscard]] static std::string version() { return "2"; }
    /// The machine that the options describe; the error names the option.
    [[nodiscard]] outcome<accel_parts::accel_machine> described() const {
        const auto flow = array_flow_named(dataflow);
        if (!flow) return error{"option '-dataflow' of target 'accel' takes ws, os or is, not '" + dataflow + "'"};
        if (element != "int8" && element != "float32")
            return error{"option '-element' of target 'accel' takes int8 or float32, not '" + element + "'"};
        accel_parts::accel_machine m{{rows, cols, *flow}, scratchpad, accumulator, {dma_bytes, dma_latency}, double_buffering, mhz};
        if (auto sound = m.check(); !sound) return sound.failure();
        return m;
    }
    [[nodiscard]] outcome<void> usable() const {
        auto m = described();
        if (!m) return m.failure();
        return {};
    }

    static constexpr auto patterns() {
        using namespace dsl;
        constexpr takes_what_it_can takes{};
        constexpr auto real = op<"onnx.Conv", "onnx.Gemm", "onnx.MatMul">;
        return pattern_table(composite<"quantized">(op<"onnx.QLinearConv", "onnx.QLinearMatMul">, takes),
                             composite<"range">(op<"onnx.Relu", "onnx.Clip">(real, rest), takes), composite<"product">(real, takes));
    }

    /// Images with their channels last, all else row-major, in the CPU's memory, which its engines reach.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        border_formats f = plain_borders(r);
        accel_parts::layer_reader reader(r, element == "float32");
        const auto what = reader.read();
        if (what && what->is_image)
            for (std::vector<format>* side : {&f.inputs, &f.results})
                for (format& one : *side) one.order = layout::channels_last();
        return {f};
    }

    /// Whether the machine has a region; the error says what of it it has not.
    [[nodiscard]] outcome<void> can(const region_view& r) const {
        const auto m = described();
        if (!m) return m.failure();
        const auto what = accel_parts::layer_reader(r, element == "float32").read();
        if (!what) return what.failure();
        // The smallest tile is among those that are looked at.
        if (!accel_parts::tile_sizes::of(what->what, *m, {}).fit(*m)) return accel_parts::best_tiling(what->what, *m).failure();
        return {};
    }
    [[nodiscard]] outcome<accel_parts::planned_layer> plan(const region_view& r) const {
        accel_parts::layer_reader reader(r, element == "float32");
        return plan_of(reader);
    }
    /// The cycles of the model.
    [[nodiscard]] std::optional<double> price(const region_view& r) const {
        const auto planned = plan(r);
        if (!planned) return std::nullopt;
        return static_cast<double>(planned->timeline.total) / (static_cast<double>(mhz) * 1e6);
    }

    /// The same, taken apart.
    [[nodiscard]] outcome<accelerator_price> price_apart(const region_view& r) const {
        const auto planned = plan(r);
        if (!planned) return planned.failure();
        const accel_parts::activity& does = planned->does;
        const action_energy pj = element == "float32" ? action_energy::of_floats() : action_energy::of_bytes();
        accelerator_price made{planned->timeline.total,
                               planned->timeline.busy[static_cast<std::size_t>(work_unit::compute)],
                               does.macs,
                               rows * cols,
                               {{"dram", does.dram_bytes}, {"scratchpad", does.scratchpad_bytes}, {"accumulator", does.sum_bytes}},
                               0};
        made.energy_pj = static_cast<double>(does.macs) * pj.mac +
                         static_cast<double>(does.scratchpad_bytes + does.sum_bytes) * pj.buffer_byte +
                         static_cast<double>(does.dram_bytes) * pj.dram_byte;
        return made;
    }

    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        auto made = emitted(r);
        if (!made) return made.failure();
        kernel code(*std::move(made));
        code.note = "simulated";
        return code;
    }
    [[nodiscard]] outcome<c_part> emit_c(const region_view& r, std::string_view name) const {
        const auto made = emitted(r);
        if (!made) return made.failure();
        const auto words = encode(accel_parts::instruction_forms, made->program);
        if (!words) return words.failure();
        return accel_parts::c_part_of(*made, *words, std::string(name), r.type(0).element, r.type(r.results[0]).element);
    }

private:
    [[nodiscard]] outcome<accel_parts::planned_layer> plan_of(accel_parts::layer_reader& reader) const {
        const auto m = described();
        if (!m) return m.failure();
        const auto what = reader.read();
        if (!what) return what.failure();
        const auto chosen = accel_parts::best_tiling(what->what, *m);
        if (!chosen) return chosen.failure();
        auto program = accel_parts::tile_program(what->what, *m, chosen->best);
        const auto timeline = timeline_of(accel_parts::steps_of(*m, program));
        if (!timeline) return timeline.failure();
        const accel_parts::activity does = accel_parts::activity_of(program);
        return accel_parts::planned_layer{*m, what->what, *chosen, std::move(program), *timeline, does};
    }
    [[nodiscard]] outcome<accel_parts::layer_kernel> emitted(const region_view& r) const {
        accel_parts::layer_reader reader(r, element == "float32");
        auto planned = plan_of(reader);
        if (!planned) return planned.failure();
        const accel_parts::layer& l = planned->what;
        auto packed = accel_parts::pack(l, planned->machine, planned->chosen.best, reader.numbers(l));
        return accel_parts::layer_kernel{planned->machine, std::move(planned->program), std::move(packed),
                                         static_cast<std::size_t>(l.in_bytes()), static_cast<std::size_t>(l.out_bytes())};
    }
};

static_assert(backend<accel>);
static_assert(emits_c<accel>);
static_assert(prices_apart<accel>);

}  // namespace inlay

#endif
