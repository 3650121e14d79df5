// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_LAYER_NORMALIZATION_HPP
#define INLAY_BACKEND_LAYER_NORMALIZATION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/float_constant.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/broadcast_operand.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// A layer normalisation over the last axes of a tensor: each row less its mean, over its deviation, then scale and shift.
struct layer_normalization {
    value_id x = 0;
    std::int64_t rows = 1, columns = 1;
    double epsilon = 1e-5;
    std::optional<value_id> scale, shift;  // constants that vary along the normalised axes only
    std::size_t calls = 1;                 // that it is read off
    axis_set axes;                         // the normalised ones
    std::vector<std::int64_t> extents;     // of x

    /// Returns how a scale or shift lies in x; nullopt if it is stretched along other axes than the normalised ones.
    [[nodiscard]] std::optional<broadcast_operand> beside(const tensor& row) const {
        auto lying = broadcast_operand::of(row.extents(), extents);
        return lying && lying->varies_only_along(axes) ? std::move(lying) : std::nullopt;
    }
    /// Returns a scale or shift as one number per column. Precondition: the region is the one that this was read off.
    [[nodiscard]] std::vector<float> numbers(const region_view& r, value_id row) const {
        const tensor& t = *r[row].value;
        return beside(t)->along(axes, t.as<float>());
    }
};

/// `(x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon) * scale + shift`, as exporters write it out, of an x that matches a pattern.
template <class X>
[[nodiscard]] constexpr auto pattern_of_written_layer_normalization(X) {
    using namespace dsl;
    constexpr auto mean = op<"onnx.ReduceMean">(as<"x">, rest);
    constexpr auto first = op<"onnx.Sub">(as<"x">(X{}), mean);
    constexpr auto difference = op<"onnx.Sub">(as<"x">, mean);
    constexpr auto square = op<"onnx.Pow">(difference, constant) | op<"onnx.Mul">(as<"d">(difference), as<"d">);
    constexpr auto deviation = op<"onnx.Sqrt">(commutative<"onnx.Add">(op<"onnx.ReduceMean">(square, rest), constant));
    return maybe_call_on<2, "onnx.Add">(maybe_call_on<2, "onnx.Mul">(op<"onnx.Div">(first, deviation)));
}
[[nodiscard]] constexpr auto pattern_of_written_layer_normalization() { return pattern_of_written_layer_normalization(dsl::any); }

/// Reads it where it is written out from its end: `(x - mean) / sqrt(mean of squares + epsilon)`, then scale and shift where they are
/// there. The difference may stand once or twice.
class written_layer_normalization {
public:
    explicit written_layer_normalization(const region_view& r) : r_(r) {}

    /// What ends at a value. Error: that is something else; its extents are not looked at.
    [[nodiscard]] outcome<layer_normalization> read(value_id v) {
        layer_normalization p;
        p.shift = beside_call(v, "onnx.Add");
        p.scale = beside_call(v, "onnx.Mul");
        if (!is(v, "onnx.Div", 2)) return error{"the region is no layer normalisation"};
        const value_id difference = r_[v].operands[0], deviation = r_[v].operands[1];
        if (!is(difference, "onnx.Sub", 2)) return error{"the region is no layer normalisation"};
        p.x = r_[difference].operands[0];
        if (!is_mean(r_[difference].operands[1], p.x)) return error{"the mean is not over the last axis, its extent kept"};
        if (!is(deviation, "onnx.Sqrt", 1) || !is(r_[deviation].operands[0], "onnx.Add", 2))
            return error{"the deviation is no root of a sum"};
        const region_value& sum = r_[r_[deviation].operands[0]];
        const std::size_t inside = r_.operand(sum, 0).kind == region_value::role::call ? 0 : 1;
        const auto epsilon = number(sum.operands[1 - inside]);
        if (!epsilon) return error{"the epsilon of the layer normalisation is no constant number"};
        p.epsilon = *epsilon;
        const value_id mean = sum.operands[inside];
        if (!is_mean(mean)) return error{"the variance is not over the last axis, its extent kept"};
        const value_id square = r_[mean].operands[0];
        const bool by_power = is(square, "onnx.Pow", 2) && number(r_[square].operands[1]) == 2.0;
        const bool by_product = is(square, "onnx.Mul", 2) && r_[square].operands[0] == r_[square].operands[1];
        if (!by_power && !by_product) return error{"the variance is of another power than 2"};
        const value_id base = r_[square].operands[0];
        if (!is(base, "onnx.Sub", 2) || r_[base].operands[0] != p.x || !is_mean(r_[base].operands[1], p.x))
            return error{"the squares are not of the differences from the mean"};
        std::sort(seen_.begin(), seen_.end());
        p.calls = static_cast<std::size_t>(std::unique(seen_.begin(), seen_.end()) - seen_.begin());
        return p;
    }

private:
    bool is(value_id v, std::string_view op, std::size_t arity) {
        if (r_[v].kind != region_value::role::call || r_[v].op != op || r_[v].operands.size() < arity || !r_[v].type->is_tensor())
            return false;
        seen_.push_back(v);
        return true;
    }
    /// The constant that stands beside a call, where v is such a call of both; v becomes that call.
    std::optional<value_id> beside_call(value_id& v, std::string_view op) {
        if (r_[v].op != op || r_[v].operands.size() != 2) return std::nullopt;
        const std::size_t inside = r_.operand(r_[v], 0).kind == region_value::role::call ? 0 : 1;
        const value_id other = r_[v].operands[1 - inside];
        seen_.push_back(v);
        v = r_[v].operands[inside];
        return other;
    }
    [[nodiscard]] std::optional<double> number(value_id v) const {
        const tensor* t = float_constant(r_, v);
        if (t == nullptr || t->count() != 1) return std::nullopt;
        return static_cast<double>(t->as<float>()[0]);
    }
    /// Whether v is a mean over the last axis, its extent kept.
    bool is_mean(value_id v, std::optional<value_id> of = std::nullopt) {
        if (!is(v, "onnx.ReduceMean", 2) || (of && r_[v].operands[0] != *of)) return false;
        const tensor* given = r_.operand(r_[v], 1).value;
        const auto axes = given == nullptr ? std::nullopt : integers_of(*given);
        const auto last = static_cast<std::int64_t>(r_.type(v).rank()) - 1;
        return axes && axes->size() == 1 && ((*axes)[0] == -1 || (*axes)[0] == last) &&
               inlay::read<reduce_attributes>(*r_[v].attributes).keepdims;
    }

    const region_view& r_;
    std::vector<value_id> seen_;
};

/// Reads what ends at a value of a region as a layer normalisation, one operator or written out. What is normalised may be computed in the
/// region. Precondition: inputs and that value are float32 tensors of known extents. Error: something else, or a scale or shift that is no
/// constant row.
[[nodiscard]] inline outcome<layer_normalization> layer_normalization_at(const region_view& r, value_id result) {
    const std::vector<std::int64_t> whole = static_shape(r.type(result));
    const auto rank = static_cast<std::int64_t>(whole.size());
    std::int64_t axis = rank - 1;
    layer_normalization p;
    if (r[result].op == "onnx.LayerNormalization") {
        const auto given = inlay::read<layer_normalization_attributes>(*r[result].attributes);
        axis = given.axis + (given.axis < 0 ? rank : 0);
        p.epsilon = given.epsilon;
        if (axis < 0 || axis >= rank || r[result].operands.size() < 2)
            return error{"LayerNormalization has an axis outside its operand, or no scale"};
        p.x = r[result].operands[0];
        p.scale = r[result].operands[1];
        if (r.has_operand(r[result], 2)) p.shift = r[result].operands[2];
    } else {
        auto found = written_layer_normalization(r).read(result);
        if (!found) return found.failure();
        p = *std::move(found);
    }
    if (static_shape(r.type(p.x)) != whole || rank == 0) return error{"scale or shift stretches what is normalised"};
    for (std::int64_t i = 0; i < rank; ++i) (i < axis ? p.rows : p.columns) *= whole[static_cast<std::size_t>(i)];
    p.axes = axis_set::range(static_cast<std::size_t>(axis), whole.size());
    p.extents = whole;
    for (const std::optional<value_id>& row : {p.scale, p.shift}) {
        if (!row) continue;
        const tensor* t = float_constant(r, *row);
        if (t == nullptr || !p.beside(*t))
            return error{"a scale or shift of type " + to_string(*r[*row].type) + " is no float32 constant along the normalised axes of " +
                         to_string(r.type(p.x))};
    }
    return p;
}

/// Reads a region as a layer normalisation of an input. Precondition and error as above.
[[nodiscard]] inline outcome<layer_normalization> read_layer_normalization(const region_view& r) {
    auto p = layer_normalization_at(r, r.results[0]);
    if (!p) return p;
    if (p->calls != r.calls().size()) return error{"the region holds more than a layer normalisation"};
    if (r[p->x].kind != region_value::role::input) return error{"what is normalised is no input of the region"};
    return p;
}

}  // namespace inlay::detail

#endif
