// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CONTROL_FLOW_LOOPED_HPP
#define INLAY_TESTS_BACKEND_CONTROL_FLOW_LOOPED_HPP

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/control_flow/backend.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/interpret/evaluate_call.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/passes/control/lift_control.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/plan_blocks.hpp>

#include "../../cost/no_meter.hpp"

/// Programs with branches and loops, and a back end that runs every other call.
namespace looped {

using namespace inlay;

struct call_kernel {
    const op_definition* op;
    attribute_map attributes;
    std::vector<tensor> values;        // constants have their elements
    std::vector<std::int32_t> inputs;  // by operand: the input that it is, or -1

    bool run(const run_arguments& a) const {
        std::vector<tensor> operands;
        for (std::size_t i = 0; i < values.size(); ++i) {
            operands.push_back(values[i]);
            if (inputs[i] < 0) continue;
            operands.back() = tensor(values[i].element(), values[i].extents());
            std::memcpy(operands.back().data(), a.inputs[inputs[i]], operands.back().bytes());
        }
        const auto made = evaluate_call(*op, attributes, operands);
        if (!made) return false;
        std::memcpy(a.results[0], std::as_const(made->front()).data(), made->front().bytes());
        return true;
    }
};

/// Every call of one output that has a meaning, in a microsecond.
struct cpu {
    static constexpr std::string_view kind = "reference", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    using options = option_list<>;

    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() {
        return pattern_table(composite<"any">(dsl::any_call, [](const cpu&, const auto& m) {
            for (const region_value& v : m.region().values)
                if (v.kind == region_value::role::call && onnx_ops::find(v.op) == nullptr) return verdict::no("it is no operator");
            return verdict::yes();
        }));
    }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 1e-6; }
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        const region_value& call = r[r.results[0]];
        call_kernel made{onnx_ops::find(call.op), *call.attributes, {}, {}};
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
using list = backend_list<control_flow, cpu>;

inline tensor_type row(std::int64_t n = 3) { return {element_type::float32, {n}}; }
inline const tensor_type flag(element_type::boolean, shape()), number(element_type::int64, shape());
inline tensor truth(bool v) {
    tensor t(element_type::boolean, {});
    t.as<bool>()[0] = v;
    return t;
}
inline tensor values(std::vector<float> v) {
    const auto size = static_cast<std::int64_t>(v.size());
    return tensor::of({size}, v);
}

/// A typed program; `make(builder, inputs)` gives its result.
template <class Make>
ir_module of_body(const std::vector<tensor_type>& inputs, Make&& make) {
    ir_builder b;
    b.open_block();
    std::vector<node_id> parameters;
    for (std::size_t i = 0; i < inputs.size(); ++i) parameters.push_back(b.input("x" + std::to_string(i), inputs[i]));
    const node_id result = make(b, parameters);
    b.declare(b.function(parameters, result, "main"));
    auto typed = infer_types(b.finish());
    REQUIRE_MESSAGE(typed.has_value(), (typed ? std::string() : typed.failure().message));
    return *std::move(typed);
}
/// A branch; `make()` gives its result.
template <class Make>
node_id side(ir_builder& b, Make&& make) {
    b.open_block();
    const node_id result = make();
    b.close_block();
    return result;
}
/// A loop's body; `make(parameters)` gives its result.
template <class Make>
node_id body(ir_builder& b, const std::vector<tensor_type>& inputs, Make&& make) {
    b.open_block();
    std::vector<node_id> parameters;
    for (const tensor_type& t : inputs) parameters.push_back(b.input("p" + std::to_string(parameters.size()), t));
    const node_id result = make(parameters);
    return b.function(parameters, result);
}
inline node_type fields(std::size_t count) { return node_type::tuple(std::vector<node_type>(count)); }

inline lifted_control lifted(const ir_module& m) {
    auto made = lift_control(m, onnx_ops());
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    return *std::move(made);
}
inline std::string refused(const ir_module& m) {
    const auto made = lift_control(m, onnx_ops());
    return made ? "nothing" : made.failure().message;
}

struct no_bound {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};
inline block_plans planned(const lifted_control& c, list& backends, const plan_options& options = {}) {
    toys::no_meter meter;
    auto made = plan_blocks(c, backends, meter, no_bound(), options);
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    return *std::move(made);
}
/// A program planned and linked, its bodies with it; `uses` what it was lifted to.
inline inlay::program linked(const lifted_control& c, list& backends) {
    const block_plans plans = planned(c, backends);
    auto code = link(c.program, backends, plans.main.set, plans.main.cut);
    REQUIRE_MESSAGE(code.has_value(), (code ? std::string() : code.failure().message));
    return *std::move(code);
}
/// Asks that a program gives what it means, twice, since bodies keep memory from run to run.
inline void check_meaning(const ir_module& m, const std::vector<tensor>& inputs) {
    list backends;
    const lifted_control c = lifted(m);
    const inlay::program code = linked(c, backends);
    const auto meant = interpret(m, inputs);
    REQUIRE_MESSAGE(meant.has_value(), (meant ? std::string() : meant.failure().message));
    for (int again = 0; again < 2; ++again) {
        const auto found = code.run(inputs);
        REQUIRE_MESSAGE(found.has_value(), (found ? std::string() : found.failure().message));
        REQUIRE(found->size() == meant->size());
        for (std::size_t i = 0; i < meant->size(); ++i) CHECK((*found)[i].content() == (*meant)[i].content());
    }
}

/// if (c) { exp(x) + y } else { -y }, whose result is read once more.
inline ir_module branch() {
    return of_body({flag, row(), row()}, [](ir_builder& b, auto& x) {
        const node_id yes = side(b, [&] { return b.call("onnx.Add", {b.call("onnx.Exp", {x[1]}), x[2]}); });
        const node_id no = side(b, [&] { return b.call("onnx.Neg", {x[2]}); });
        return b.call("onnx.Abs", {b.if_else(x[0], yes, no, "chosen")});
    });
}
/// A loop of so many trips that adds x to what it carries and stacks the sums; `ends_at`: carried sums end it there, without stacks.
inline ir_module loop(std::optional<std::int64_t> trips, std::optional<float> ends_at) {
    return of_body({row()}, [&](ir_builder& b, auto& x) {
        const node_id f = body(b, {number, flag, row()}, [&](auto& p) {
            const node_id sum = b.call("onnx.Add", {p[2], x[0]});
            if (!ends_at) return b.tuple(std::vector<node_id>{p[1], sum, b.call("onnx.Neg", {sum})});
            const node_id least = b.call("onnx.ReduceMax", {sum}, {{"keepdims", std::int64_t{0}}});
            return b.tuple(std::vector<node_id>{b.call("onnx.Less", {least, b.constant(tensor::scalar(*ends_at))}), sum});
        });
        const node_id most = trips ? b.constant(tensor::scalar(*trips)) : b.unit();
        const node_id start = b.constant(values({0, 0, 0}));
        const node_id going = ends_at ? b.constant(truth(true)) : b.unit();
        if (ends_at) return b.call("onnx.Loop", {most, going, start, f});
        const node_id made = b.call("onnx.Loop", {most, going, start, f}, {}, fields(2), "looped");
        return b.tuple(std::vector<node_id>{b.projection(made, 0), b.projection(made, 1)});
    });
}
/// Sums along axis 1 of a [2, 4], backwards, with the sums so far stacked along axis 1, backwards too.
inline ir_module scan() {
    return of_body({tensor_type(element_type::float32, {2, 4}), tensor_type(element_type::float32, {2})}, [](ir_builder& b, auto& x) {
        const node_id f = body(b, {row(2), row(2)}, [&](auto& p) {
            const node_id sum = b.call("onnx.Add", {p[0], b.call("onnx.Mul", {p[1], x[1]})});
            return b.tuple(std::vector<node_id>{sum, b.call("onnx.Neg", {sum})});
        });
        const std::vector<std::int64_t> one{1};
        const attribute_map how{{"num_scan_inputs", std::int64_t{1}},
                                {"scan_input_axes", one},
                                {"scan_input_directions", one},
                                {"scan_output_axes", one},
                                {"scan_output_directions", one}};
        const node_id made = b.call("onnx.Scan", {x[1], x[0], f}, how, fields(2));
        return b.tuple(std::vector<node_id>{b.projection(made, 0), b.projection(made, 1)});
    });
}

/// Twice what is carried, so many trips as an input says; the body gives a slice and a state besides, which nobody reads.
inline ir_module half_read() {
    return of_body({number, row()}, [](ir_builder& b, auto& x) {
        const node_id f = body(b, {number, flag, row(), row()}, [&](auto& p) {
            const node_id sum = b.call("onnx.Add", {p[2], p[3]});
            return b.tuple(std::vector<node_id>{p[1], sum, b.call("onnx.Neg", {p[3]}), b.call("onnx.Exp", {sum})});
        });
        return b.call("onnx.Loop", {x[0], b.unit(), x[1], x[1], f});
    });
}
/// A loop in a branch in a loop.
inline ir_module nested() {
    return of_body({row()}, [](ir_builder& b, auto& x) {
        const node_id outer = body(b, {number, flag, row()}, [&](auto& p) {
            const node_id even = b.call("onnx.Equal", {b.call("onnx.Mod", {p[0], b.constant(tensor::scalar(std::int64_t{2}))}),
                                                       b.constant(tensor::scalar(std::int64_t{0}))});
            const node_id yes = side(b, [&] {
                const node_id inner = body(b, {number, flag, row()}, [&](auto& q) {
                    return b.tuple(std::vector<node_id>{q[1], b.call("onnx.Add", {q[2], x[0]})});
                });
                return b.call("onnx.Loop", {b.constant(tensor::scalar(std::int64_t{3})), b.unit(), p[2], inner});
            });
            const node_id no = side(b, [&] { return b.call("onnx.Neg", {p[2]}); });
            return b.tuple(std::vector<node_id>{p[1], b.if_else(even, yes, no)});
        });
        return b.call("onnx.Loop", {b.constant(tensor::scalar(std::int64_t{5})), b.unit(), b.constant(values({1, 1, 1})), outer});
    });
}

}  // namespace looped

#endif
