// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_CHAIN_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_CHAIN_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/epilogue.hpp>
#include <inlay/backend/reference/normalization.hpp>
#include <inlay/backend/reference/unary.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/attributes/scalar_attributes.hpp>

namespace inlay::detail::on_eigen {

/// Reads the calls of a region that follow one value, each applied to the one before, as an epilogue. A function that a file writes
/// out in several calls (GELU, hard swish, swish) is one step.
class chain_reader {
public:
    /// Starts at a value of the region whose channels lie along `channel_axis`; operands of the steps are numbered from `first_operand` on.
    chain_reader(const region_view& r, value_id start, std::size_t channel_axis, std::size_t first_operand)
        : r_(r), at_(start), shape_(static_shape(r.type(start))), axis_(channel_axis), first_operand_(first_operand) {}

    epilogue steps;
    std::vector<value_id> tensors;   // operands of the steps, in order
    std::vector<value_id> consumed;  // calls that the steps stand for

    /// Follows the calls as far as they are steps; gives the value after the last one.
    value_id follow() {
        while (!leaves(at_) && (single_step() || gated_step())) {}
        return at_;
    }

private:
    [[nodiscard]] bool leaves(value_id v) const { return std::find(r_.results.begin(), r_.results.end(), v) != r_.results.end(); }

    [[nodiscard]] std::vector<value_id> users(value_id v) const {
        std::vector<value_id> found;
        for (value_id u = static_cast<value_id>(r_.input_count + r_.constant_count); u < r_.values.size(); ++u)
            if (std::find(r_[u].operands.begin(), r_[u].operands.end(), v) != r_[u].operands.end()) found.push_back(u);
        return found;
    }
    /// The one user of a value that does not leave the region.
    [[nodiscard]] std::optional<value_id> only_user(value_id v) const {
        const auto found = users(v);
        if (found.size() != 1 || leaves(v)) return std::nullopt;
        return found[0];
    }

    [[nodiscard]] const tensor* constant(value_id v) const {
        return r_[v].kind == region_value::role::constant && r_[v].value != nullptr && r_[v].value->element() == element_type::float32
                   ? r_[v].value
                   : nullptr;
    }
    [[nodiscard]] std::optional<float> number(value_id v) const {
        const tensor* t = constant(v);
        if (t == nullptr || t->count() != 1) return std::nullopt;
        return t->as<float>()[0];
    }

    /// A constant as one number per channel, where it varies along no other axis.
    [[nodiscard]] std::optional<std::vector<float>> per_channel(value_id v) const {
        const tensor* t = constant(v);
        const std::size_t rank = shape_.size();
        if (t == nullptr || t->rank() > rank) return std::nullopt;
        const auto channels = static_cast<std::size_t>(axis_ < rank ? shape_[axis_] : 1);
        if (t->count() == 1) return std::vector<float>(channels, t->as<float>()[0]);
        const std::size_t missing = rank - t->rank();
        if (axis_ < missing || t->extents()[axis_ - missing] != shape_[axis_] || t->count() != channels) return std::nullopt;
        return std::vector<float>(t->as<float>().begin(), t->as<float>().end());
    }

    [[nodiscard]] bool keeps_shape(value_id v) const {
        return r_[v].type->is_tensor() && r_.type(v).is_static() && static_shape(r_.type(v)) == shape_;
    }

    void affine(std::vector<float> scale, std::vector<float> shift) {
        if (steps.empty() || steps.back().kind != epilogue_step::form::affine) {
            epilogue_step s;
            s.kind = epilogue_step::form::affine;
            s.scale = std::move(scale);
            s.shift = std::move(shift);
            steps.push_back(std::move(s));
        } else {
            epilogue_step& s = steps.back();
            for (std::size_t i = 0; i < scale.size(); ++i) {
                s.scale[i] *= scale[i];
                s.shift[i] = s.shift[i] * scale[i] + shift[i];
            }
        }
        // The halves and sixths of functions that are written out end where they began.
        const epilogue_step& s = steps.back();
        const auto is_one = [](float v) { return std::abs(v - 1.0f) < 1e-6f; };
        if (std::all_of(s.scale.begin(), s.scale.end(), is_one) &&
            std::all_of(s.shift.begin(), s.shift.end(), [](float v) { return v == 0.0f; }))
            steps.pop_back();
    }
    [[nodiscard]] std::size_t channels() const { return static_cast<std::size_t>(axis_ < shape_.size() ? shape_[axis_] : 1); }
    void scale(float by) { affine(std::vector<float>(channels(), by), std::vector<float>(channels(), 0.0f)); }
    void function(unary_function f) {
        epilogue_step s;
        s.apply = f;
        steps.push_back(std::move(s));
    }
    void advance(value_id to) {
        consumed.push_back(to);
        at_ = to;
    }

    bool single_step() {
        const auto next = only_user(at_);
        if (!next || r_[*next].kind != region_value::role::call || !keeps_shape(*next) || !is_static_call(r_, r_[*next])) return false;
        const region_value& call = r_[*next];
        const call_site site = site_of(r_, call, 1);
        if (!refuse_unless_float(site).empty()) return false;
        if (call.operands[0] == at_ && unary_function_of(site)) {
            function(*unary_function_of(site));
        } else if (call.op == "onnx.BatchNormalization" && call.operands[0] == at_) {
            if (!refuse_batch_normalization(site).empty() || axis_ != 1) return false;
            for (std::size_t i = 1; i < 5; ++i)
                if (!site.known(i)) return false;
            std::vector<float> by(channels()), plus(channels());
            const auto values = [&](std::size_t i) { return site.in(i).value.as<float>().data(); };
            batch_normalization_affine(channels(), values(1), values(2), values(3), values(4),
                                       static_cast<float>(read<layer_normalization_attributes>(*call.attributes).epsilon), by.data(),
                                       plus.data());
            affine(std::move(by), std::move(plus));
        } else if (!arithmetic_step(call)) {
            return false;
        }
        advance(*next);
        return true;
    }

    bool arithmetic_step(const region_value& call) {
        if (call.operands.size() != 2 || call.operands[0] == call.operands[1]) return false;
        const bool first = call.operands[0] == at_;
        const value_id other = call.operands[first ? 1 : 0];
        const bool add = call.op == "onnx.Add" || call.op == "onnx.Sum";
        if (auto values = per_channel(other)) {
            std::vector<float> ones(values->size(), 1.0f), zeros(values->size(), 0.0f);
            if (add) {
                affine(std::move(ones), std::move(*values));
            } else if (call.op == "onnx.Mul") {
                affine(std::move(*values), std::move(zeros));
            } else if (call.op == "onnx.Div" && first) {
                for (float& v : *values) v = 1.0f / v;
                affine(std::move(*values), std::move(zeros));
            } else if (call.op == "onnx.Sub") {
                for (float& v : first ? *values : ones) v = -v;
                affine(std::move(ones), std::move(*values));
            } else {
                return false;
            }
            return true;
        }
        const bool outside = other < r_.input_count + r_.constant_count;
        if (!add || !outside || r_[other].kind == region_value::role::absent || static_shape(r_.type(other)) != shape_) return false;
        epilogue_step s;
        s.kind = epilogue_step::form::tensor;
        s.operand = first_operand_ + tensors.size();
        tensors.push_back(other);
        steps.push_back(std::move(s));
        return true;
    }

    /// `x gate(x)`, where the x outside of the gate may come with a number as a factor.
    bool gated_step() {
        const auto readers = users(at_);
        if (readers.size() != 2) return false;
        for (int turn = 0; turn < 2; ++turn) {
            const value_id gate_start = readers[static_cast<std::size_t>(turn)], other = readers[static_cast<std::size_t>(1 - turn)];
            std::vector<value_id> calls;
            float factor = 1.0f;
            const auto f = gate(gate_start, calls, factor);
            if (!f) continue;
            // The other reader is the product itself, or scales what goes into it.
            value_id plain = at_, product = other;
            if (std::find(r_[other].operands.begin(), r_[other].operands.end(), calls.back()) == r_[other].operands.end()) {
                const auto by = scaled(other, at_);
                const auto next = only_user(other);
                if (!by || !next) continue;
                factor *= *by;
                calls.push_back(other);
                plain = other;
                product = *next;
            }
            const value_id gate_end = plain == at_ ? calls.back() : calls[calls.size() - 2];
            const region_value& p = r_[product];
            if (p.op != "onnx.Mul" || p.operands.size() != 2 || !keeps_shape(product)) continue;
            if (!((p.operands[0] == plain && p.operands[1] == gate_end) || (p.operands[1] == plain && p.operands[0] == gate_end))) continue;
            if (only_user(gate_end) != std::optional<value_id>(product)) continue;
            if (std::any_of(calls.begin(), calls.end(), [&](value_id c) { return !keeps_shape(c); })) continue;
            function(*f);
            if (factor != 1.0f) scale(factor);
            consumed.insert(consumed.end(), calls.begin(), calls.end());
            advance(product);
            return true;
        }
        return false;
    }

    /// `from` times or over a number.
    [[nodiscard]] std::optional<float> scaled(value_id v, value_id from) const {
        const region_value& c = r_[v];
        if (c.operands.size() != 2) return std::nullopt;
        const bool first = c.operands[0] == from;
        if (!first && c.operands[1] != from) return std::nullopt;
        const auto by = number(c.operands[first ? 1 : 0]);
        if (by && c.op == "onnx.Mul") return by;
        if (by && c.op == "onnx.Div" && first) return 1.0f / *by;
        return std::nullopt;
    }
    [[nodiscard]] std::optional<float> shifted(value_id v, value_id from) const {
        const region_value& c = r_[v];
        if (c.op != "onnx.Add" || c.operands.size() != 2) return std::nullopt;
        if (c.operands[0] != from && c.operands[1] != from) return std::nullopt;
        return number(c.operands[c.operands[0] == from ? 1 : 0]);
    }

    /// The function `x gate(x) / factor` of the gate that starts with this call; lists the calls of the gate.
    std::optional<unary_function> gate(value_id v, std::vector<value_id>& calls, float& factor) const {
        const region_value& c = r_[v];
        calls = {v};
        factor = 1.0f;
        if (c.op == "onnx.Sigmoid") return unary_function{unary_row<swish_lanes>, {}};
        if (c.op == "onnx.HardSigmoid")
            return unary_function{unary_row<hard_swish_lanes>,
                                  {static_cast<float>(read<hard_sigmoid_attributes>(*c.attributes).alpha),
                                   static_cast<float>(read<hard_sigmoid_attributes>(*c.attributes).beta)}};
        const auto next = only_user(v);
        if (!next) return std::nullopt;
        if (const auto by = shifted(v, at_);
            by && r_[*next].op == "onnx.Clip" && r_[*next].operands[0] == v && is_static_call(r_, r_[*next])) {
            // min(max(x + c, 0), h) is h times the unit ramp of x / h + c / h.
            const call_site site = site_of(r_, r_[*next], 1);
            const auto low = site.number(1, -1.0f), high = site.number(2, 0.0f);
            if (!low || !high || *low != 0.0f || !(*high > 0.0f)) return std::nullopt;
            calls.push_back(*next);
            factor = *high;
            return unary_function{unary_row<hard_swish_lanes>, {1.0f / *high, *by / *high}};
        }
        if (const auto by = scaled(v, at_); by && std::abs(*by - 0.70710678f) < 1e-5f && r_[*next].op == "onnx.Erf") {
            const auto last = only_user(*next);
            if (!last || shifted(*last, *next) != std::optional<float>(1.0f)) return std::nullopt;
            calls.push_back(*next);
            calls.push_back(*last);
            factor = 2.0f;
            return unary_function{unary_row<gelu_lanes>, {}};
        }
        return std::nullopt;
    }

    const region_view& r_;
    value_id at_;
    extents shape_;
    std::size_t axis_, first_operand_;
};

}  // namespace inlay::detail::on_eigen

#endif
