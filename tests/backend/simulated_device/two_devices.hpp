// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_SIMULATED_DEVICE_TWO_DEVICES_HPP
#define INLAY_TESTS_BACKEND_SIMULATED_DEVICE_TWO_DEVICES_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/simulated_device/backend.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/testing/compare.hpp>

#include "../../cost/no_meter.hpp"

namespace two_devices {

using namespace inlay;

/// How often a CPU kernel was given an address, and how often it was one of a simulated device.
struct seen_addresses {
    std::size_t all = 0, of_the_device = 0;
};
inline seen_addresses seen;

/// One call on the CPU, by its meaning; counts the addresses that it is given.
struct cpu_kernel {
    const op_definition* op;
    attribute_map attributes;
    std::vector<tensor> values;        // constants have their elements
    std::vector<std::int32_t> inputs;  // by operand: the input that it is, or -1
    tensor_type result;

    bool run(const run_arguments& a) const {
        const auto look = [](const void* address) {
            ++seen.all;
            seen.of_the_device += detail::guarded_memory::at(address, 1) != nullptr;
        };
        std::vector<tensor> operands = values;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (inputs[i] < 0) continue;
            look(a.inputs[inputs[i]]);
            std::memcpy(operands[i].data(), a.inputs[inputs[i]], operands[i].bytes());
        }
        const auto made = evaluate_call(*op, attributes, operands);
        if (!made || made->front().type() != result) return false;
        look(a.results[0]);
        std::memcpy(a.results[0], std::as_const(made->front()).data(), made->front().bytes());
        return true;
    }
};

/// The CPU: any call, row-major, in so many microseconds.
struct cpu {
    static constexpr std::string_view kind = "reference", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    double us = 10;
    using options = option_list<option<"us", &cpu::us, "microseconds of a call">>;

    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() { return pattern_table(composite<"any">(dsl::any_call)); }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return us * 1e-6; }
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        const region_value& call = r[r.results[0]];
        cpu_kernel made{onnx_ops::find(call.op), *call.attributes, {}, {}, call.type->of_tensor};
        for (const value_id o : call.operands) {
            const region_value& v = r[o];
            const bool is_input = v.kind == region_value::role::input;
            made.inputs.push_back(is_input ? static_cast<std::int32_t>(o) : -1);
            made.values.push_back(is_input             ? tensor(v.type->of_tensor.element, static_shape(v.type->of_tensor))
                                  : v.value != nullptr ? *v.value
                                                       : tensor());
        }
        return kernel(std::move(made));
    }
};

using list = backend_list<simulated_device, cpu>;

[[nodiscard]] inline tensor_type row(std::int64_t n = 16) { return {element_type::float32, {n}}; }

/// A program of so many calls that go element by element over rows of that length; what nobody reads leaves it. Each call says in `on`
/// whether the device has its operator.
[[nodiscard]] inline ir_module random_program(std::uint32_t seed, std::size_t calls, std::int64_t length = 16) {
    std::mt19937 random(seed);
    ir_builder b;
    b.open_block();
    const tensor_type type = row(length);
    std::vector<node_id> values{b.input("x", type), b.input("y", type)};
    const std::vector<node_id> parameters = values;
    values.push_back(b.constant(tensor::of({length}, std::vector<float>(static_cast<std::size_t>(length), 0.5f)), "half"));
    std::vector<bool> is_read(3 + calls, false);
    const auto pick = [&] {
        const std::size_t back = std::min<std::size_t>(values.size(), random() % 3 == 0 ? values.size() : 2);
        const std::size_t at = values.size() - 1 - random() % back;
        is_read[at] = true;
        return values[at];
    };
    for (std::size_t i = 0; i < calls; ++i) {
        const std::string name = "n" + std::to_string(i);
        // The device does not have the last two.
        static constexpr std::string_view unary[] = {"onnx.Relu", "onnx.Neg", "onnx.Tanh", "onnx.Sin", "onnx.Softplus"};
        static constexpr std::string_view binary[] = {"onnx.Add", "onnx.Mul", "onnx.Sub"};
        if (random() % 2 == 0) {
            const node_id x = pick();
            values.push_back(b.call(unary[random() % 5], {x}, {}, type, name));
        } else {
            const node_id left = pick(), right = pick();
            values.push_back(b.call(binary[random() % 3], {left, right}, {}, type, name));
        }
    }
    std::vector<node_id> leaving;
    for (std::size_t i = 3; i < values.size(); ++i)
        if (!is_read[i]) leaving.push_back(values[i]);
    b.declare(b.function(parameters, leaving.size() == 1 ? leaving[0] : b.tuple(leaving), "main"));
    return b.finish();
}

[[nodiscard]] inline std::vector<tensor> random_inputs(const ir_module& m, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<tensor> made;
    for (const node_id n : m.inputs()) {
        const tensor_type& type = m.type(n).of_tensor;
        made.emplace_back(type.element, static_shape(type));
        for (float& v : made.back().as<float>()) v = static_cast<float>(static_cast<int>(random() % 17)) / 8.0f - 1.0f;
    }
    return made;
}

struct no_bound {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};

/// A plan; all prices are stated.
template <class List>
[[nodiscard]] outcome<plan> plan_for(const ir_module& m, const List& backends, const plan_options& options = {}) {
    toys::no_meter meter;
    return make_plan(m, backends, meter, no_bound(), options);
}
template <class List>
[[nodiscard]] plan must_plan(const ir_module& m, const List& backends, const plan_options& options = {}) {
    auto made = plan_for(m, backends, options);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return *std::move(made);
}

template <class List>
[[nodiscard]] program must_link(const ir_module& m, const List& backends, const plan& p) {
    auto made = link(m, backends, p.set, p.cut);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return *std::move(made);
}

/// That a program gives what the module means.
inline void check_meaning(const ir_module& m, const program& code, std::span<const tensor> inputs, executor_ref executor = {}) {
    const auto expected = interpret(m, inputs);
    REQUIRE_MESSAGE(expected.has_value(), expected.failure().message);
    const auto found = code.run(inputs, executor);
    REQUIRE_MESSAGE(found.has_value(), found.failure().message);
    REQUIRE(found->size() == expected->size());
    for (std::size_t i = 0; i < found->size(); ++i) {
        const comparison c = compare((*found)[i], (*expected)[i], 1e-6, 1e-6);
        CHECK_MESSAGE(c.agrees, c.reason);
    }
}

[[nodiscard]] inline std::size_t nodes_on(const plan& p, std::size_t owner) {
    std::size_t count = 0;
    for (const part& each : p.cut.parts) count += each.owner == owner ? each.nodes.size() : 0;
    return count;
}

}  // namespace two_devices

#endif
