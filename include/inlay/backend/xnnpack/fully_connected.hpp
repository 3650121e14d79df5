// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_FULLY_CONNECTED_HPP
#define INLAY_BACKEND_XNNPACK_FULLY_CONNECTED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/kernel_slices.hpp>
#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/maybe_clamped.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/backend/xnnpack/slices.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Products of rows with a constant matrix: MatMul and Gemm, with factors and terms per column and a range that follow.
struct xnnpack_fully_connected {
    struct plan {
        const tensor* weights = nullptr;
        bool by_output = false;  // the weights' rows are outputs
        std::size_t rows = 1, inputs = 1, outputs = 1;
        channel_line line;  // per output
        xnnpack_range range;
        // Of a slice, some rows or some outputs of these: what lies before.
        std::size_t whole_outputs = 1, first_row = 0, first_output = 0;
    };

    static constexpr auto pattern_of_product() {
        constexpr auto product = dsl::call_on<1, "onnx.MatMul", "onnx.Gemm">(dsl::any);
        return xnnpack_maybe_clamped(dsl::maybe_call_on<2, "onnx.Add", "onnx.Sub">(dsl::maybe_call_on<2, "onnx.Mul", "onnx.Div">(product)));
    }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        auto chain = xnnpack_read_chain(r, 0, [](const region_value& v) { return v.op == "onnx.MatMul" || v.op == "onnx.Gemm"; });
        if (!chain) return chain.failure();
        const region_value& c = r[chain->anchor];
        const std::string name(c.op);
        if (c.operands.size() < 2) return error{name + " has " + std::to_string(c.operands.size()) + " operands"};
        if (r[c.operands[0]].kind != region_value::role::input) return error{name + "'s first operand is no input of the region"};
        plan p;
        p.weights = float_constant(r, c.operands[1]);
        if (p.weights == nullptr) return error{"the weights of type " + to_string(*r[c.operands[1]].type) + " are no float32 constant"};
        const std::vector<std::int64_t> x = static_shape(r.type(c.operands[0])), &w = p.weights->extents();
        if (x.size() < 2 || w.size() < 2)
            return error{name + " of operands of rank " + std::to_string(x.size()) + " and " + std::to_string(w.size()) +
                         "; both need 2 axes"};
        if (w.size() > x.size())
            return error{"the weights have rank " + std::to_string(w.size()) + ", the input " + std::to_string(x.size())};
        for (std::size_t i = 0; i + 2 < w.size(); ++i)
            if (w[i] != 1)
                return error{"the weights of type " + to_string(p.weights->type()) + " are a stack of matrices; the library takes one"};
        p.line = std::move(chain->line);
        p.range = chain->range;
        if (c.op == "onnx.Gemm")
            if (auto fine = read_gemm(r, c, p); !fine) return fine.failure();
        const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
        p.inputs = size(x.back());
        p.outputs = p.whole_outputs = p.line.channels();
        for (std::size_t i = 0; i + 1 < x.size(); ++i) p.rows *= size(x[i]);
        const std::size_t rows = size(w[w.size() - 2]), columns = size(w.back());
        if (p.by_output ? rows != p.outputs || columns != p.inputs : rows != p.inputs || columns != p.outputs)
            return error{"weights of type " + to_string(p.weights->type()) + " do not take " + std::to_string(p.inputs) + " to " +
                         std::to_string(p.outputs) + " columns"};
        return p;
    }

    /// Row-major, whatever the rank: the columns are the last axis.
    [[nodiscard]] static std::vector<border_formats> formats(const plan&, const region_view& r) { return {plain_borders(r)}; }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        const auto from = p.weights->as<float>();
        std::vector<float> weights(p.inputs * p.outputs);
        const std::vector<float> bias(p.line.shift.begin(), p.line.shift.end());
        for (std::size_t o = 0; o < p.outputs; ++o)
            for (std::size_t i = 0; i < p.inputs; ++i) {
                const std::size_t column = p.first_output + o;
                const double w = static_cast<double>(from[p.by_output ? column * p.inputs + i : i * p.whole_outputs + column]);
                weights[o * p.inputs + i] = static_cast<float>(w * p.line.scale[o]);
            }
        xnnpack_parameters s = xnnpack_parameters::of_rows(p.rows, p.inputs);
        s.group_inputs = p.inputs;
        s.group_outputs = p.outputs;
        s.output_stride = p.whole_outputs;
        s.weights = weights.data();
        s.bias = bias.data();
        s.low = p.range.low;
        s.high = p.range.high;
        return program.step({xnnpack_operators::fully_connected,
                             s,
                             {{0, nullptr, p.first_row * p.inputs}},
                             p.first_row * p.whole_outputs + p.first_output});
    }

    /// Slices of rows where each may have all weights, else of outputs.
    [[nodiscard]] static std::vector<plan> slices(const plan& p, int threads) {
        const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
        const auto least = [&](std::size_t of_one, std::int64_t outputs) {
            return std::max(outputs, least_outputs(xnnpack_worth_sharing, number(of_one)));
        };
        std::vector<plan> list;
        const std::vector<std::int64_t> rows = slice_cuts(number(p.rows), 1, least(p.inputs * p.outputs, 1), threads);
        if (rows.size() > 2 && xnnpack_may_copy(rows.size() - 1, p.inputs * p.outputs)) {
            for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
                plan& part = list.emplace_back(p);
                part.first_row = static_cast<std::size_t>(rows[i]);
                part.rows = static_cast<std::size_t>(rows[i + 1] - rows[i]);
            }
            return list;
        }
        const std::vector<std::int64_t> columns = slice_cuts(number(p.outputs), 16, least(p.rows * p.inputs, 16), threads);
        for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
            plan& part = list.emplace_back(p);
            part.first_output = static_cast<std::size_t>(columns[i]);
            part.outputs = static_cast<std::size_t>(columns[i + 1] - columns[i]);
            part.line = p.line.some(columns[i], columns[i + 1]);
        }
        return list;
    }

private:
    [[nodiscard]] static outcome<void> read_gemm(const region_view& r, const region_value& c, plan& p) {
        const auto [alpha, beta, is_a_turned, is_b_turned] = inlay::read<gemm_attributes>(*c.attributes);
        if (is_a_turned) return error{"Gemm has transA = 1; the library takes rows as they lie"};
        p.by_output = is_b_turned;
        if (r.has_operand(c, 2)) {
            const auto term = per_channel(r, c.operands[2], 2, 1, p.line.channels());
            if (!term)
                return error{"Gemm's third operand of type " + to_string(*r[c.operands[2]].type) +
                             " is no constant of one number per column"};
            channel_line own = channel_line::of(p.line.channels());
            for (std::size_t i = 0; i < p.line.channels(); ++i) own.shift[i] = beta * (*term)[i];
            if (!own.may_take(p.line))
                return error{"a constant behind Gemm cancels its third operand; one sum would lose the rounding between"};
            own.then(p.line);
            p.line = std::move(own);
        }
        for (double& s : p.line.scale) s *= alpha;
        return {};
    }
};

}  // namespace inlay::detail

#endif
