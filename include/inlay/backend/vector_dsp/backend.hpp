// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_VECTOR_DSP_BACKEND_HPP
#define INLAY_BACKEND_VECTOR_DSP_BACKEND_HPP

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
#include <inlay/accelerator/unit_timeline.hpp>
#include <inlay/backend/takes_what_it_can.hpp>
#include <inlay/backend/vector_dsp/best_strips.hpp>
#include <inlay/backend/vector_dsp/c_runtime.hpp>
#include <inlay/backend/vector_dsp/cycle_model.hpp>
#include <inlay/backend/vector_dsp/dsp_machine.hpp>
#include <inlay/backend/vector_dsp/functional_model.hpp>
#include <inlay/backend/vector_dsp/packed_strips.hpp>
#include <inlay/backend/vector_dsp/read_strips.hpp>
#include <inlay/backend/vector_dsp/strip_program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

namespace dsp_parts {

/// What a region comes to on a processor: its layer, the cut that was chosen for it, its program, and when that runs.
struct strip_plan {
    dsp_machine machine;
    read_strips_result read;
    chosen_cut<strip_cut> chosen;
    std::vector<instruction> program;
    unit_timeline timeline;
};

/// A layer's program as a kernel: the functional model runs it.
struct strip_kernel {
    dsp_machine of;
    std::vector<instruction> program;
    std::vector<std::byte> packed;
    value_id inputs[2] = {0, 0};
    std::size_t in_bytes = 0, out_bytes = 0;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const outside_memory memories[] = {{static_cast<const std::byte*>(a.inputs[inputs[0]]), nullptr, in_bytes},
                                           {packed.data(), nullptr, packed.size()},
                                           {nullptr, static_cast<std::byte*>(a.results[0]), out_bytes},
                                           {static_cast<const std::byte*>(a.inputs[inputs[1]]), nullptr, in_bytes}};
        return functional_model(of).run(program, memories).has_value();
    }
};

}  // namespace dsp_parts

/// A model of a vector processor that a vendor might build beside a CPU or an array: vectors of bytes over the channels of a place, a local
/// memory through which rows of images stream in strips, and an engine in and one out. It takes what an array has no use for: windows whose
/// channels are not mixed, poolings, and tensors that are combined element by element, of bytes or float32. This process plays it: kernels
/// run its instructions to the last bit, and prices are the cycles of its model. Its code leaves as C against `vector_dsp_runtime.h`.
struct vector_dsp {
    static constexpr std::string_view kind = "vector_dsp", refines = "ext_dev";
    static constexpr device_type device = device_type::ext_dev;
    static constexpr bool is_simulated = true;

    std::int64_t lanes = 64, memory = 128 << 10, dma_bytes = 16, dma_latency = 100, mhz = 1000;
    bool double_buffering = true;

    using options =
        option_list<option<"lanes", &vector_dsp::lanes, "bytes of a vector">,
                    option<"memory", &vector_dsp::memory, "bytes of the local memory">,
                    option<"dma_bytes", &vector_dsp::dma_bytes, "bytes that are loaded, and stored, in a cycle">,
                    option<"dma_latency", &vector_dsp::dma_latency, "cycles until the first of them">,
                    option<"double_buffering", &vector_dsp::double_buffering, "whether the next strip is loaded while one is computed">,
                    option<"mhz", &vector_dsp::mhz, "million cycles a second">>;

    [[nodiscard]] static std::string version() { return "1"; }
    /// The processor that the options describe; the error names the option.
    [[nodiscard]] outcome<dsp_parts::dsp_machine> described() const {
        const dsp_parts::dsp_machine m{lanes, memory, {dma_bytes, dma_latency}, double_buffering, mhz};
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
        constexpr auto steps = op<"onnx.DequantizeLinear">;
        constexpr auto sum = op<"onnx.Add", "onnx.Sub", "onnx.Mul">;
        constexpr auto range = op<"onnx.Relu", "onnx.Clip">;
        constexpr auto back = op<"onnx.QuantizeLinear">;
        return pattern_table(
            composite<"quantized_depthwise">(op<"onnx.QLinearConv">, takes),
            composite<"quantized_sum_in_range">(back(range(sum(steps, steps), rest), rest), takes),
            composite<"quantized_sum">(back(sum(steps, steps), rest), takes),
            composite<"quantized_range">(back(range(steps, rest), rest), takes),
            composite<"depthwise_in_range">(range(op<"onnx.Conv">, rest), takes), composite<"depthwise">(op<"onnx.Conv">, takes),
            composite<"pooling">(op<"onnx.MaxPool", "onnx.AveragePool", "onnx.GlobalAveragePool">, takes),
            composite<"sum_in_range">(range(sum, rest), takes), composite<"sum">(sum, takes), composite<"range">(range, takes));
    }

    /// Images with their channels last; tensors that are combined row-major, or with their channels last where they have two and more.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        const border_formats plain = plain_borders(r);
        const auto read = dsp_parts::read_strips(r);
        if (!read || static_shape(r.type(read->inputs[0])).size() < 3) return {plain};
        border_formats last = plain;
        for (std::vector<format>* side : {&last.inputs, &last.results})
            for (format& one : *side) one.order = layout::channels_last();
        if (read->what.work == dsp_parts::strip_work::combination) return {plain, last};
        return {last};
    }

    /// Whether the processor has a region; the error says what of it it has not.
    [[nodiscard]] outcome<void> can(const region_view& r) const {
        const auto m = described();
        if (!m) return m.failure();
        const auto read = dsp_parts::read_strips(r);
        if (!read) return read.failure();
        if (dsp_parts::strip_cuts_of(read->what, *m).empty()) return dsp_parts::best_strips(read->what, *m).failure();
        return {};
    }
    [[nodiscard]] outcome<dsp_parts::strip_plan> plan(const region_view& r) const {
        const auto m = described();
        if (!m) return m.failure();
        auto read = dsp_parts::read_strips(r);
        if (!read) return read.failure();
        const auto chosen = dsp_parts::best_strips(read->what, *m);
        if (!chosen) return chosen.failure();
        auto program = dsp_parts::strip_program(read->what, *m, chosen->best, read->numbers.x_zero);
        const auto timeline = timeline_of(dsp_parts::steps_of(*m, program));
        if (!timeline) return timeline.failure();
        return dsp_parts::strip_plan{*m, *std::move(read), *chosen, std::move(program), *timeline};
    }
    /// The cycles of the model.
    [[nodiscard]] std::optional<double> price(const region_view& r) const {
        const auto planned = plan(r);
        if (!planned) return std::nullopt;
        return static_cast<double>(planned->timeline.total) / (static_cast<double>(mhz) * 1e6);
    }

    /// The same, taken apart. A comparison, and an element that is combined, counts as a multiplication with its addition.
    [[nodiscard]] outcome<accelerator_price> price_apart(const region_view& r) const {
        const auto planned = plan(r);
        if (!planned) return planned.failure();
        const dsp_parts::activity does = dsp_parts::activity_of(planned->program);
        const bool is_real = planned->read.what.type == operand_type::floats;
        const action_energy pj = is_real ? action_energy::of_floats() : action_energy::of_bytes();
        accelerator_price made{planned->timeline.total,
                               planned->timeline.busy[static_cast<std::size_t>(work_unit::compute)],
                               does.operations,
                               is_real ? lanes / 4 : lanes,
                               {{"dram", does.dram_bytes}, {"local", does.local_bytes}},
                               0};
        made.energy_pj = static_cast<double>(does.operations) * pj.mac + static_cast<double>(does.local_bytes) * pj.buffer_byte +
                         static_cast<double>(does.dram_bytes) * pj.dram_byte;
        return made;
    }

    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        auto planned = plan(r);
        if (!planned) return planned.failure();
        const dsp_parts::read_strips_result& read = planned->read;
        auto packed = dsp_parts::pack(read.what, planned->chosen.best, read.numbers);
        kernel code(dsp_parts::strip_kernel{planned->machine,
                                            std::move(planned->program),
                                            std::move(packed),
                                            {read.inputs[0], read.inputs[1]},
                                            static_cast<std::size_t>(read.what.in_bytes()),
                                            static_cast<std::size_t>(read.what.out_bytes())});
        code.note = "simulated";
        return code;
    }
    [[nodiscard]] outcome<c_part> emit_c(const region_view& r, std::string_view name) const {
        const auto planned = plan(r);
        if (!planned) return planned.failure();
        const auto words = encode(dsp_parts::instruction_forms, planned->program);
        if (!words) return words.failure();
        std::vector<element_type> operands;
        for (const region_value& v : r.inputs()) operands.push_back(v.type->of_tensor.element);
        const dsp_parts::read_strips_result& read = planned->read;
        return dsp_parts::c_part_of(*words, dsp_parts::pack(read.what, planned->chosen.best, read.numbers),
                                    static_cast<std::size_t>(planned->machine.memory_bytes), std::string(name), operands, read.inputs[0],
                                    read.inputs[1], r.type(r.results[0]).element);
    }
};

static_assert(backend<vector_dsp>);
static_assert(emits_c<vector_dsp>);
static_assert(prices_apart<vector_dsp>);

}  // namespace inlay

#endif
