// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_SIMULATED_DEVICE_BACKEND_HPP
#define INLAY_BACKEND_SIMULATED_DEVICE_BACKEND_HPP

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/simulated_device/device_program.hpp>
#include <inlay/backend/simulated_device/guarded_memory.hpp>
#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel_store.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/roofline.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/work_counter.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/format.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

namespace detail {

/// One tensor between the CPU's main memory and a simulated device's, or within the latter.
struct simulated_copy {
    memory_scope from, to;
    std::size_t bytes;

    bool run(const run_arguments& a) const {
        if (bytes == 0) return true;
        const void* source = from == memory_scope() ? a.inputs[0] : guarded_memory::at(a.inputs[0], bytes);
        void* target = to == memory_scope() ? a.results[0] : guarded_memory::at(a.results[0], bytes);
        if (source == nullptr || target == nullptr) return false;
        std::memcpy(target, source, bytes);
        return true;
    }
};

struct simulated_when {
    template <class B, class Match>
    verdict operator()(const B&, const Match& m) const {
        std::string why = device_program::refuse(m.region(), onnx_ops::find);
        return why.empty() ? verdict::yes() : verdict::no(std::move(why));
    }
};

}  // namespace detail

/// A device of type `ext_dev` that this process plays, so that plans may mix two devices where there is one: its kernels read and write
/// tensors in its own memory alone, row-major, and give what the operators mean. How long they and copies take is a model, which its
/// options set, and no measurement: a kernel takes what ordinary code on an ordinary core takes (`core_typical_peaks`), divided by `speed`;
/// a copy takes `copy_us` and its bytes at `copy_gbps`.
///
/// It is named by who wants it, and is none of those that take part unnamed.
struct simulated_device {
    static constexpr std::string_view kind = "simulated_device", refines = "ext_dev";
    static constexpr device_type device = device_type::ext_dev;
    static constexpr bool is_simulated = true;
    static constexpr memory_scope memory{device_type::ext_dev, 0};

    double speed = 1, copy_gbps = 8, copy_us = 5;
    using options = option_list<option<"speed", &simulated_device::speed, "how many times as fast as an ordinary core its kernels are">,
                                option<"copy_gbps", &simulated_device::copy_gbps, "billion bytes a second that a copy moves">,
                                option<"copy_us", &simulated_device::copy_us, "microseconds that each copy takes besides">>;

    [[nodiscard]] static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> check() const {
        const auto refuse = [](std::string_view name, double value, std::string_view takes) {
            return error{"option '-" + std::string(name) + "' of target 'simulated_device' takes " + std::string(takes) + ", not " +
                         written_value(value)};
        };
        if (!(speed > 0 && speed <= 1e9)) return refuse("speed", speed, "a number above 0, up to 1e9");
        if (!(copy_gbps > 0 && copy_gbps <= 1e9)) return refuse("copy_gbps", copy_gbps, "a number above 0, up to 1e9");
        if (!(copy_us >= 0 && copy_us <= 1e9)) return refuse("copy_us", copy_us, "a number from 0 to 1e9");
        return {};
    }
    [[nodiscard]] outcome<void> usable() const {
        if (!detail::guarded_memory::is_there) return error{"target 'simulated_device' needs a system that protects pages of memory"};
        return check();
    }

    /// A convolution or product with what follows it, else one call.
    [[nodiscard]] static constexpr auto patterns() {
        using namespace dsl;
        constexpr detail::simulated_when when{};
        constexpr auto product = op<"onnx.Conv", "onnx.Gemm", "onnx.MatMul">;
        return pattern_table(composite<"product_activation">(op<"onnx.Relu", "onnx.Clip", "onnx.Sigmoid", "onnx.Tanh">(product), when),
                             composite<"product">(product, when),
                             composite<"pool">(op<"onnx.MaxPool", "onnx.AveragePool", "onnx.GlobalAveragePool">, when),
                             composite<"function">(op<"onnx.Relu", "onnx.Clip", "onnx.Sigmoid", "onnx.Tanh", "onnx.LeakyRelu",
                                                      "onnx.HardSwish", "onnx.Neg", "onnx.Abs", "onnx.Exp", "onnx.Sqrt", "onnx.Erf">,
                                                   when),
                             composite<"operation">(
                                 op<"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div", "onnx.Pow", "onnx.Max", "onnx.Min", "onnx.Sum">, when),
                             composite<"rows">(op<"onnx.Softmax", "onnx.BatchNormalization", "onnx.LayerNormalization">, when),
                             composite<"move">(op<"onnx.Concat", "onnx.Reshape", "onnx.Flatten", "onnx.Transpose">, when));
    }

    /// All in the device's memory, row-major.
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const {
        border_formats there = plain_borders(r);
        for (std::vector<format>* side : {&there.inputs, &there.results})
            for (format& f : *side) f.scope = memory;
        return {there};
    }

    /// By the model.
    [[nodiscard]] std::optional<double> price(const region_view& r) const {
        const region_work work = work_counter<onnx_ops>()(r);
        return roofline_seconds(work.flops, work.bytes, core_typical_peaks) / speed;
    }

    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        auto made = detail::device_program::make(r, onnx_ops::find);
        if (!made) return error{"target 'simulated_device' does not run this: " + made.failure().message};
        return made;
    }

    [[nodiscard]] std::vector<owned_memory> memories() const { return {{memory, "global"}}; }
    [[nodiscard]] outcome<device_block> allocate(memory_scope, std::size_t bytes) const { return detail::guarded_memory::allocate(bytes); }
    /// By the model; between the CPU's main memory and the device's, either way.
    [[nodiscard]] std::optional<double> copy_seconds(memory_scope from, memory_scope to, std::size_t bytes) const {
        if (from == to || (from != memory && to != memory) || (from != memory_scope() && to != memory_scope())) return std::nullopt;
        return copy_us * 1e-6 + static_cast<double>(bytes) / (copy_gbps * 1e9);
    }
    [[nodiscard]] outcome<kernel> emit_copy(memory_scope from, memory_scope to, std::size_t bytes) const {
        if (!copy_seconds(from, to, bytes))
            return error{"target 'simulated_device' copies between the CPU's main memory and its own alone"};
        kernel code(detail::simulated_copy{from, to, bytes});
        code.note = "simulated";
        return code;
    }
};

static_assert(backend<simulated_device> && owns_memory<simulated_device>);

}  // namespace inlay

#endif
