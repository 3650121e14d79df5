// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_RUNTIME_SIMULATE_FEW_OPS_HPP
#define INLAY_TESTS_RUNTIME_SIMULATE_FEW_OPS_HPP

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/op_table.hpp>
#include <inlay/runtime/simulate/compile_registers.hpp>
#include <inlay/runtime/simulate/simulate.hpp>

namespace inlay_test {

using namespace inlay;

/// A handful of operators under Relay's names.
struct few_ops {
    static const op_definition* find(std::string_view name) {
        using set = op_table<onnx_arithmetic<>, onnx_logic<>, onnx_math<>>;
        static constexpr std::string_view names[][2] = {
            {"add", "onnx.Add"}, {"subtract", "onnx.Sub"}, {"multiply", "onnx.Mul"}, {"negative", "onnx.Neg"}, {"less", "onnx.Less"}};
        for (const auto& [relay, onnx] : names)
            if (relay == name) return set::find(onnx);
        return nullptr;
    }
};

using nodes = std::vector<node_id>;
using ints = std::vector<std::int64_t>;
using strings = std::vector<std::string>;

inline const tensor_type number(element_type::float32, {});
inline const tensor_type flag(element_type::boolean, {});
inline const placement cpu = placement::on(device_type::cpu), cuda = placement::on(device_type::cuda);

inline tensor num(float v) { return tensor::scalar(v); }
inline tensor truth(bool v) {
    tensor t(element_type::boolean, {});
    t.as<bool>()[0] = v;
    return t;
}

/// A builder that gives nodes positions, and everything that it makes a place.
struct placed_builder : ir_builder {
    std::uint32_t line = 0;

    node_id at(node_id n) {
        set_position(n, {++line, 1});
        return n;
    }
    node_id variable(const char* name, const placement& p, const node_type& type = number) {
        const node_id v = at(input(name, type));
        set_where(v, p);
        return v;
    }
    node_id op(const char* name, std::initializer_list<node_id> operands) { return at(call(name, operands)); }
    node_id value(float v) { return at(constant(num(v))); }
    node_id there(node_id body, const placement& p) { return at(on_device(body, p, true)); }
    node_id copied(node_id v, const placement& from, const placement& to) { return at(device_copy(v, from, to)); }
    node_id placed_function(const nodes& parameters, node_id result, const placement& p, const char* name = "",
                            const attribute_map& attributes = {}) {
        const node_id f = at(function(parameters, result, name, attributes));
        set_where(f, p);
        return f;
    }
    node_id matched(nodes operands, const ints& sizes, const strings& patterns) {
        return at(add(node_kind::match, operands, 0, {}, {}, {{"clause_sizes", sizes}, {"patterns", patterns}}));
    }
    ir_module main(const nodes& parameters, node_id result, const placement& p = {}) {
        declare(placed_function(parameters, result, p, "main"));
        return finish_in_blocks();
    }
};

/// The first result of a program, or -999 and the error.
inline float run(const ir_module& m, const std::vector<tensor>& inputs, std::string* said = nullptr, const simulate_options& options = {}) {
    const auto results = simulate(m, inputs, few_ops(), options);
    if (!results && said != nullptr) *said = results.failure().message;
    return results ? (*results)[0].as<float>()[0] : -999.0f;
}
inline std::string failure(const ir_module& m, const std::vector<tensor>& inputs) {
    std::string said = "no error";
    run(m, inputs, &said);
    return said;
}
inline std::string listing(const ir_module& m) {
    const auto made = compile_registers(m, few_ops());
    return made ? to_string(*made) : made.failure().message;
}
inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace inlay_test

#endif
