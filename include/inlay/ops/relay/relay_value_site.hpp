// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_VALUE_SITE_HPP
#define INLAY_OPS_RELAY_RELAY_VALUE_SITE_HPP

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/relay/relay_site_steps.hpp>

namespace inlay::detail {

/// A call of Relay's as types, or as values where there are any: a map that is run here gives the type or the value of the call's result.
class relay_value_site : public relay_site_steps<relay_value_site> {
public:
    /// `operands`: empty where only types are asked for. Tuples among the operands' types are opened; their values are side by side.
    relay_value_site(const call_view& call, std::span<const tensor> operands, std::size_t field)
        : op_(call.op), attributes_(with_relay_defaults(call.op, *call.attributes)), field_(field), evaluates_(!operands.empty()) {
        for (const tensor& t : operands) operands_.push_back(value(t));
        if (evaluates_) return;
        for (std::size_t i = 0; i < call.arity(); ++i) {
            const node_type& t = *call.types[i];
            if (!t.is_tuple()) {
                const tensor* known = call.constant(i);
                operands_.push_back(known != nullptr ? value(*known) : typed(t));
                continue;
            }
            for (const node_type& f : t.fields) operands_.push_back(typed(f));
        }
    }
    /// Whether all operands are tensors of known rank and element type; with `any_rank`, of known element type.
    [[nodiscard]] bool is_ready(bool any_rank) const {
        for (const node_id n : operands_) {
            const node_type& t = nodes_[n].type;
            if (!t.is_tensor() || t.of_tensor.element == element_type::none || (!any_rank && !t.of_tensor.ranked)) return false;
        }
        return true;
    }

    [[nodiscard]] std::string_view op() const { return op_; }
    [[nodiscard]] const attribute_map& attributes() const { return attributes_; }
    [[nodiscard]] std::size_t field() const { return field_; }
    [[nodiscard]] std::size_t arity() const { return operands_.size(); }
    [[nodiscard]] std::span<const node_id> operands() const { return operands_; }
    [[nodiscard]] node_id operand(std::size_t i) const { return operands_[i]; }
    [[nodiscard]] tensor_type type(node_id n) const { return n == no_node ? tensor_type() : nodes_[n].type.of_tensor; }
    [[nodiscard]] const tensor* constant(std::size_t i) const {
        const auto& v = nodes_[operands_[i]].values;
        return v.empty() ? nullptr : &v.front();
    }

    node_id make(std::string_view onnx_op, std::initializer_list<node_id> operands, const attribute_map& how = {},
                 std::size_t outputs = 1) {
        return make(onnx_op, std::span<const node_id>(operands.begin(), operands.size()), how, outputs);
    }
    node_id make(std::string_view onnx_op, std::span<const node_id> operands, const attribute_map& how = {}, std::size_t outputs = 1) {
        if (wrong_) return no_node;
        const op_definition* op = onnx_ops::find(onnx_op);
        std::vector<const node_type*> types;
        std::vector<const tensor*> constants;
        std::vector<tensor> values;
        for (const node_id n : operands) {
            if (n == no_node || op == nullptr) return no_node;
            types.push_back(&nodes_[n].type);
            constants.push_back(nodes_[n].values.empty() ? nullptr : &nodes_[n].values.front());
            values.push_back(constants.back() == nullptr ? tensor() : *constants.back());
        }
        const call_view call{onnx_op, &how, types, constants, outputs};
        auto type = op->infer(call);
        node made;
        if (!type) return fail(std::string(op_) + " as " + std::string(onnx_op) + ": " + type.failure().message);
        made.type = *std::move(type);
        if (evaluates_ || is_small(values)) {
            auto found = op->evaluate(call, values);
            if (!found) return fail(std::string(op_) + " as " + std::string(onnx_op) + ": " + found.failure().message);
            made.values = *std::move(found);
            if (outputs == 1 && !made.values.empty()) made.type = node_type(made.values.front().type());
        }
        return add(std::move(made));
    }
    node_id projection(node_id of, std::size_t field) {
        if (of == no_node) return no_node;
        node made;
        const node& whole = nodes_[of];
        if (field < whole.type.fields.size()) made.type = whole.type.fields[field];
        if (field < whole.values.size()) {
            made.values.push_back(whole.values[field]);
            made.type = node_type(whole.values[field].type());
        }
        return add(std::move(made));
    }
    node_id value(const tensor& t) {
        node made;
        made.type = node_type(t.type());
        made.values.push_back(t);
        return add(std::move(made));
    }
    /// An operand that is left out.
    node_id none() {
        node made;
        made.type = node_type::tuple({});
        return add(std::move(made));
    }
    node_id fail(std::string why) {
        if (!wrong_) wrong_ = error{std::move(why)};
        return no_node;
    }

    [[nodiscard]] const std::optional<error>& wrong() const { return wrong_; }
    [[nodiscard]] const node_type& result_type(node_id n) const { return nodes_[n].type; }
    [[nodiscard]] const std::vector<tensor>& result_values(node_id n) const { return nodes_[n].values; }

private:
    struct node {
        node_type type;
        std::vector<tensor> values;
    };
    /// Whether all values are known and of few elements, so that one more can be found while only types are asked for.
    [[nodiscard]] static bool is_small(const std::vector<tensor>& values) {
        constexpr std::size_t few = 64;
        for (const tensor& t : values)
            if (!t.ok() || t.count() > few) return false;
        return !values.empty();
    }
    node_id add(node n) {
        nodes_.push_back(std::move(n));
        return static_cast<node_id>(nodes_.size() - 1);
    }
    node_id typed(const node_type& t) {
        node made;
        made.type = t;
        return add(std::move(made));
    }

    std::string_view op_;
    attribute_map attributes_;
    std::size_t field_;
    bool evaluates_;
    std::vector<node> nodes_;
    std::vector<node_id> operands_;
    std::optional<error> wrong_;
};

/// How many fields the result of a call has; 0: it is no tuple.
using relay_field_count = std::size_t (*)(const call_view& call);

[[nodiscard]] inline std::size_t relay_no_fields(const call_view&) { return 0; }
template <std::size_t Count>
[[nodiscard]] std::size_t relay_fields(const call_view&) {
    return Count;
}

/// A type rule by a map. A type is unknown where those of operands are, and where the map has no form for the call: another program may.
template <class Map, bool AnyRank = false, relay_field_count Fields = relay_no_fields>
[[nodiscard]] outcome<node_type> infer_by_map(const call_view& call) {
    const std::size_t count = Fields(call);
    std::vector<node_type> fields;
    for (std::size_t i = 0; i < (count == 0 ? 1 : count); ++i) {
        relay_value_site site(call, {}, i);
        node_id made = no_node;
        if (site.is_ready(AnyRank)) made = Map{}(site);
        // What ONNX's rule says of extents and axes holds of Relay's too; of element types Relay knows more.
        if (site.wrong() && count == 0 && site.wrong()->message.find(" as onnx.") != std::string::npos &&
            site.wrong()->message.find(" has no meaning for operand") == std::string::npos)
            return *site.wrong();
        fields.push_back(made == no_node ? node_type() : site.result_type(made));
    }
    return count == 0 ? std::move(fields.front()) : node_type::tuple(std::move(fields));
}
/// A meaning by a map.
template <class Map, relay_field_count Fields = relay_no_fields>
[[nodiscard]] outcome<std::vector<tensor>> evaluate_by_map(const call_view& call, std::span<const tensor> operands) {
    const std::size_t count = Fields(call);
    std::vector<tensor> results;
    for (std::size_t i = 0; i < (count == 0 ? 1 : count); ++i) {
        relay_value_site site(call, operands, i);
        const node_id made = Map{}(site);
        if (site.wrong()) return *site.wrong();
        if (made == no_node || site.result_values(made).empty())
            return error{std::string(call.op) + " has no meaning here with these attributes"};
        results.push_back(site.result_values(made).front());
    }
    return results;
}

}  // namespace inlay::detail

#endif
