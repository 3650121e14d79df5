// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_INTERPRET_LOOP_RUN_HPP
#define INLAY_OPS_INTERPRET_LOOP_RUN_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/attributes/loop_attributes.hpp>
#include <inlay/ops/interpret/runtime_value.hpp>
#include <inlay/ops/loops/axis_lines.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay {

/// Slice `index` of a tensor along an axis, which goes. Nothing where memory runs out.
[[nodiscard]] inline std::optional<tensor> slice_at(const tensor& whole, std::size_t axis, std::int64_t index) {
    std::vector<std::int64_t> extents = whole.extents();
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
    tensor slice(whole.element(), std::move(extents));
    if (!slice.ok()) return std::nullopt;
    const axis_lines lines = axis_lines::of(whole.extents(), axis);
    const std::size_t bytes = static_cast<std::size_t>(lines.step) * size_of(whole.element());
    for (std::int64_t o = 0; bytes != 0 && o < lines.outer; ++o)
        std::memcpy(slice.data() + static_cast<std::size_t>(o) * bytes,
                    whole.data() + static_cast<std::size_t>(o * lines.length + index) * bytes, bytes);
    return slice;
}

/// Tensors of one type side by side along a new axis. Precondition: there is one at least, and they are of one type.
[[nodiscard]] inline std::optional<tensor> stacked(const std::vector<tensor>& slices, std::size_t axis) {
    std::vector<std::int64_t> extents = slices[0].extents();
    extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(slices.size()));
    tensor whole(slices[0].element(), std::move(extents));
    if (!whole.ok()) return std::nullopt;
    const axis_lines lines = axis_lines::of(whole.extents(), axis);
    const std::size_t bytes = static_cast<std::size_t>(lines.step) * size_of(whole.element());
    for (std::int64_t o = 0; bytes != 0 && o < lines.outer; ++o)
        for (std::size_t k = 0; k < slices.size(); ++k)
            std::memcpy(whole.data() + (static_cast<std::size_t>(o) * slices.size() + k) * bytes,
                        slices[k].data() + static_cast<std::size_t>(o) * bytes, bytes);
    return whole;
}

/// One running Loop or Scan of ONNX: says with which arguments its body is run next, and takes what the body gave. Loop: operands are the
/// most trips and the first condition (each may be left out), what is carried, and the body, which gives the next condition, what is
/// carried on, and slices to be stacked. Scan: what is carried, tensors to be sliced, and the body, which gives what is carried on and
/// slices to be stacked.
class loop_run {
public:
    [[nodiscard]] static outcome<loop_run> of(std::string_view op, const attribute_map& attributes,
                                              const std::vector<runtime_value>& operands) {
        loop_run r;
        r.is_scan_ = op == "onnx.Scan";
        if (operands.empty() || operands.back().as_closure() == nullptr)
            return error{short_name(op) + " needs a function as its last operand"};
        auto wrong = r.is_scan_ ? r.start_scan(attributes, operands) : r.start_loop(operands);
        if (wrong) return std::move(*wrong);
        return r;
    }

    /// The arguments of the next trip, or nothing where there is none.
    [[nodiscard]] outcome<std::optional<std::vector<runtime_value>>> next() const {
        std::vector<runtime_value> arguments;
        if (is_scan_) {
            if (trip_ == trips_) return std::optional<std::vector<runtime_value>>();
            arguments = carried_;
            for (const scanned& s : inputs_) {
                auto slice = slice_at(s.whole, s.axis, s.backwards ? trips_ - 1 - trip_ : trip_);
                if (!slice) return error{"a slice of its input cannot be allocated"};
                arguments.emplace_back(std::move(*slice));
            }
        } else {
            if (!goes_on_ || trip_ == trips_) return std::optional<std::vector<runtime_value>>();
            tensor condition(element_type::boolean, {});
            condition.as<bool>()[0] = true;
            arguments.emplace_back(tensor::scalar(trip_));
            arguments.emplace_back(std::move(condition));
            arguments.insert(arguments.end(), carried_.begin(), carried_.end());
        }
        return std::optional(std::move(arguments));
    }

    /// What the body gave on this trip.
    std::optional<error> take(const runtime_value& result) {
        std::vector<runtime_value> values{result};
        if (const auto* record = result.as_record()) values = record->fields;
        const std::size_t first = is_scan_ ? 0 : 1;
        if (values.size() < first + carried_.size())
            return error{"its body gives " + std::to_string(values.size()) + " values, fewer than are carried"};
        if (!is_scan_) {
            const tensor* condition = values[0].as_tensor();
            if (condition == nullptr || condition->element() != element_type::boolean || condition->count() != 1)
                return error{"its body gives a condition that is not one bool"};
            goes_on_ = condition->as<bool>()[0];
        }
        for (std::size_t i = 0; i < carried_.size(); ++i) carried_[i] = values[first + i];
        slices_.resize(values.size() - first - carried_.size());
        for (std::size_t i = 0; i < slices_.size(); ++i) {
            const tensor* slice = values[first + carried_.size() + i].as_tensor();
            if (slice == nullptr)
                return error{"its body gives " + std::string(values[first + carried_.size() + i].kind()) +
                             " to be stacked, where a tensor was expected"};
            if (!slices_[i].empty() && slices_[i][0].type() != slice->type())
                return error{"its body gives slices of types " + to_string(slices_[i][0].type()) + " and " + to_string(slice->type()) +
                             " to be stacked"};
            slices_[i].push_back(*slice);
        }
        ++trip_;
        return std::nullopt;
    }

    [[nodiscard]] std::int64_t trips_done() const { return trip_; }

    /// What is carried out, then what is stacked; `body` is the type of the body's result, asked where there was no trip.
    [[nodiscard]] outcome<std::vector<runtime_value>> finish(const attribute_map& attributes, const node_type& body, std::size_t outputs) {
        std::vector<runtime_value> values = carried_;
        const scan_attributes given = read<scan_attributes>(attributes);
        const auto axes = given.scan_output_axes, directions = given.scan_output_directions;
        const std::size_t before = (is_scan_ ? 0 : 1) + carried_.size();
        for (std::size_t i = 0; values.size() < outputs; ++i) {
            if (trip_ == 0) {
                if (!body.is_tuple() || before + i >= body.fields.size() || !body.fields[before + i].is_tensor() ||
                    !body.fields[before + i].of_tensor.ranked)
                    return error{"it made no trip, and the type of its output " + std::to_string(values.size()) + " is not known"};
                const tensor_type& slice = body.fields[before + i].of_tensor;
                std::vector<std::int64_t> extents{0};
                for (const extent& e : slice.extents) extents.push_back(std::max<std::int64_t>(e.size, 0));
                values.emplace_back(tensor(slice.element, std::move(extents)));
                continue;
            }
            if (i >= slices_.size())
                return error{"it has " + std::to_string(values.size()) + " outputs, and " + std::to_string(outputs) + " are read"};
            const auto axis = axis_of(i < axes.size() ? axes[i] : 0, slices_[i][0].rank() + 1);
            if (!axis) return error{"it stacks slices along axis " + std::to_string(axes[i]) + ", which the stack does not have"};
            if (i < directions.size() && directions[i] != 0) std::reverse(slices_[i].begin(), slices_[i].end());
            auto whole = stacked(slices_[i], *axis);
            if (!whole) return error{"the stack of its slices cannot be allocated"};
            values.emplace_back(std::move(*whole));
        }
        values.resize(outputs);
        return values;
    }

private:
    struct scanned {
        tensor whole;
        std::size_t axis = 0;
        bool backwards = false;
    };

    static bool is_left_out(const runtime_value& v) { return v.as_record() != nullptr && v.as_record()->fields.empty(); }

    std::optional<error> start_loop(const std::vector<runtime_value>& operands) {
        if (operands.size() < 3) return error{"Loop needs a number of trips, a condition and a body"};
        if (!is_left_out(operands[0])) {
            const tensor* most = operands[0].as_tensor();
            const auto numbers = most == nullptr ? std::nullopt : integers_of(*most);
            if (!numbers || numbers->size() != 1) return error{"Loop needs one integer as its number of trips"};
            trips_ = std::max<std::int64_t>((*numbers)[0], 0);
        }
        if (!is_left_out(operands[1])) {
            const tensor* condition = operands[1].as_tensor();
            if (condition == nullptr || condition->element() != element_type::boolean || condition->count() != 1)
                return error{"Loop needs one bool as its condition"};
            goes_on_ = condition->as<bool>()[0];
        }
        carried_.assign(operands.begin() + 2, operands.end() - 1);
        return std::nullopt;
    }

    std::optional<error> start_scan(const attribute_map& attributes, const std::vector<runtime_value>& operands) {
        const scan_attributes given = read<scan_attributes>(attributes);
        const std::int64_t count = given.num_scan_inputs;
        if (count < 1 || static_cast<std::uint64_t>(count) >= operands.size())
            return error{"Scan needs the attribute num_scan_inputs to say how many of its operands are sliced"};
        const std::size_t sliced = static_cast<std::size_t>(count), states = operands.size() - 1 - sliced;
        const auto axes = given.scan_input_axes, directions = given.scan_input_directions;
        carried_.assign(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(states));
        for (std::size_t i = 0; i < sliced; ++i) {
            const tensor* whole = operands[states + i].as_tensor();
            const auto axis = whole == nullptr ? std::nullopt : axis_of(i < axes.size() ? axes[i] : 0, whole->rank());
            if (!axis) return error{"Scan cannot slice operand " + std::to_string(states + i) + " along its axis"};
            if (i != 0 && whole->extents()[*axis] != trips_) return error{"Scan slices operands of different lengths"};
            trips_ = whole->extents()[*axis];
            inputs_.push_back({*whole, *axis, i < directions.size() && directions[i] != 0});
        }
        return std::nullopt;
    }

    bool is_scan_ = false, goes_on_ = true;
    std::int64_t trip_ = 0, trips_ = -1;  // -1: as many as the condition asks for
    std::vector<runtime_value> carried_;
    std::vector<scanned> inputs_;
    std::vector<std::vector<tensor>> slices_;
};

namespace detail {

/// What a loop gives is known by its body, which a call does not show: nothing, in as many fields as are asked for.
inline outcome<node_type> infer_loop(const call_view& call) {
    if (call.outputs <= 1) return node_type();
    return node_type::tuple(std::vector<node_type>(call.outputs));
}

}  // namespace detail

/// Loop and Scan: calls whose last operand is a function. The interpreter runs them, for a call's operands alone do not say what they mean.
template <class = void>
struct onnx_loops {
    static constexpr auto table = with_attributes<loop_attributes, scan_attributes>({
        {"onnx.Loop", op_kind::opaque, detail::infer_loop, nullptr, nullptr},
        {"onnx.Scan", op_kind::opaque, detail::infer_loop, nullptr, nullptr},
    });
};

}  // namespace inlay

#endif
