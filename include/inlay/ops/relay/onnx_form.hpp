// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_ONNX_FORM_HPP
#define INLAY_OPS_RELAY_ONNX_FORM_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/ops/onnx/onnx_element_type.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/op_definition.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/relay/onnx_names.hpp>
#include <inlay/ops/relay/relay_attributes.hpp>

namespace inlay::detail {

/// A call of Relay's as a call of one of ONNX's operators: the same operands, and constants behind them.
struct onnx_form {
    std::string_view op;
    attribute_map attributes;
    std::vector<tensor> more;
};

/// The same for operators that the book of rules maps in ways of its own, or not at all.
inline constexpr std::pair<std::string_view, std::string_view> relay_also_onnx[] = {
    {"acos", "onnx.Acos"},
    {"asin", "onnx.Asin"},
    {"copy", "onnx.Identity"},
    {"nn.global_avg_pool2d", "onnx.GlobalAveragePool"},
    {"nn.global_max_pool2d", "onnx.GlobalMaxPool"},
    {"round", "onnx.Round"},
};

[[nodiscard]] inline tensor integers_as_tensor(const std::vector<std::int64_t>& values) {
    return tensor::of({static_cast<std::int64_t>(values.size())}, values);
}
/// An attribute that is an integer or a list of them; empty where it is absent.
[[nodiscard]] inline std::vector<std::int64_t> integers_in(const attribute_map& a, std::string_view name) {
    return relay_list(a, name).value_or(std::vector<std::int64_t>());
}

/// The form of a call; nothing where ONNX has no operator for it, or its operands' types are not known well enough to say.
[[nodiscard]] inline std::optional<onnx_form> onnx_form_of(const call_view& call) {
    for (const auto table : {std::span(relay_as_onnx).subspan(0), std::span(relay_also_onnx).subspan(0)}) {
        const auto at = std::lower_bound(table.begin(), table.end(), call.op,
                                         [](const auto& pair, std::string_view name) { return pair.first < name; });
        if (at != table.end() && at->first == call.op) return onnx_form{at->second, {}, {}};
    }

    const attribute_map& a = *call.attributes;
    const auto rank = [&]() -> std::optional<std::int64_t> {
        if (!call.has(0) || !call.type(0).ranked) return std::nullopt;
        return static_cast<std::int64_t>(call.type(0).rank());
    };
    onnx_form form;
    if (call.op == "nn.softmax" || call.op == "nn.log_softmax") {
        form.op = call.op == "nn.softmax" ? "onnx.Softmax" : "onnx.LogSoftmax";
        form.attributes.set("axis", a.integer("axis", -1));
        return form;
    }
    if (call.op == "nn.leaky_relu") {
        form.op = "onnx.LeakyRelu";
        form.attributes.set("alpha", a.number("alpha", 0.01));
        return form;
    }
    if (call.op == "transpose") {
        form.op = "onnx.Transpose";
        if (!a.integers("axes").empty()) form.attributes.set("perm", a.integers("axes"));
        return form;
    }
    if (call.op == "nn.batch_flatten") return onnx_form{"onnx.Flatten", {{"axis", std::int64_t{1}}}, {}};
    if (call.op == "expand_dims") {
        form.op = "onnx.Unsqueeze";
        std::vector<std::int64_t> axes;
        for (std::int64_t k = 0; k < a.integer("num_newaxis", 1); ++k) axes.push_back(a.integer("axis", 0) + k);
        form.more.push_back(integers_as_tensor(axes));
        return form;
    }
    if (call.op == "squeeze") {
        form.op = "onnx.Squeeze";
        if (a.find("axis") != nullptr) form.more.push_back(integers_as_tensor(integers_in(a, "axis")));
        return form;
    }
    constexpr std::pair<std::string_view, std::string_view> reductions[] = {{"max", "onnx.ReduceMax"},
                                                                            {"mean", "onnx.ReduceMean"},
                                                                            {"min", "onnx.ReduceMin"},
                                                                            {"prod", "onnx.ReduceProd"},
                                                                            {"sum", "onnx.ReduceSum"}};
    for (const auto& [name, onnx] : reductions) {
        if (call.op != name) continue;
        form.op = onnx;
        form.attributes.set("keepdims", std::int64_t{a.integer("keepdims", 0) != 0 ? 1 : 0});
        std::vector<std::int64_t> axes = integers_in(a, "axis");
        if (a.integer("exclude", 0) != 0) {
            const auto axis_count = rank();
            if (!axis_count) return std::nullopt;
            std::vector<std::int64_t> others;
            for (std::int64_t k = 0; k < *axis_count; ++k)
                if (std::find_if(axes.begin(), axes.end(), [&](std::int64_t x) { return x == k || x + *axis_count == k; }) == axes.end())
                    others.push_back(k);
            axes = std::move(others);
        }
        if (!axes.empty()) form.more.push_back(integers_as_tensor(axes));
        return form;
    }
    if (call.op == "cast") {
        const auto to = element_type_named(a.text("dtype", ""));
        if (!to) return std::nullopt;
        form.op = "onnx.Cast";
        form.attributes.set("to", onnx_number_of(*to));
        return form;
    }
    if (call.op == "argmax" || call.op == "argmin") {
        const auto axes = integers_in(a, "axis");
        if (axes.size() != 1) return std::nullopt;
        form.op = call.op == "argmax" ? "onnx.ArgMax" : "onnx.ArgMin";
        form.attributes.set("axis", axes[0]);
        form.attributes.set("keepdims", std::int64_t{a.integer("keepdims", 0) != 0 ? 1 : 0});
        return form;
    }
    if (call.op == "nn.dense") return onnx_form{"onnx.Gemm", {{"transB", std::int64_t{1}}}, {}};
    if (call.op == "nn.matmul" && a.integer("transpose_a", 0) == 0 && a.integer("transpose_b", 0) == 0)
        return onnx_form{"onnx.MatMul", {}, {}};
    if (call.op == "nn.conv2d" && a.text("data_layout", "NCHW") == "NCHW" && a.text("kernel_layout", "OIHW") == "OIHW") {
        form.op = "onnx.Conv";
        if (!relay_window(a, 2, form.attributes)) return std::nullopt;
        form.attributes.set("group", a.integer("groups", 1));
        return form;
    }
    if (call.op == "nn.max_pool2d" || call.op == "nn.avg_pool2d") {
        if (a.text("layout", "NCHW") != "NCHW") return std::nullopt;
        form.op = call.op == "nn.max_pool2d" ? "onnx.MaxPool" : "onnx.AveragePool";
        std::vector<std::int64_t> size = integers_in(a, "pool_size");
        if (size.size() == 1) size.push_back(size[0]);
        if (!relay_window(a, 2, form.attributes)) return std::nullopt;
        if (!size.empty()) form.attributes.set("kernel_shape", std::move(size));
        form.attributes.set("ceil_mode", a.integer("ceil_mode", 0));
        if (call.op == "nn.avg_pool2d") form.attributes.set("count_include_pad", a.integer("count_include_pad", 0));
        return form;
    }
    return std::nullopt;
}

/// Calls ONNX's rule or meaning of a form.
template <class F>
[[nodiscard]] auto with_onnx_form(const call_view& call, const onnx_form& form, F&& f) {
    std::vector<node_type> more_types;
    more_types.reserve(form.more.size());
    for (const tensor& t : form.more) more_types.emplace_back(t.type());
    std::vector<const node_type*> types(call.types.begin(), call.types.end());
    std::vector<const tensor*> constants(call.constants.begin(), call.constants.end());
    constants.resize(types.size());
    for (std::size_t i = 0; i < form.more.size(); ++i) {
        types.push_back(&more_types[i]);
        constants.push_back(&form.more[i]);
    }
    return f(*onnx_ops::find(form.op), call_view{form.op, &form.attributes, types, constants, call.outputs});
}

[[nodiscard]] inline outcome<node_type> infer_by_onnx(const call_view& call) {
    const auto form = onnx_form_of(call);
    if (!form) return node_type();
    return with_onnx_form(call, *form, [](const op_definition& d, const call_view& c) { return d.infer(c); });
}
[[nodiscard]] inline outcome<std::vector<tensor>> evaluate_by_onnx(const call_view& call, std::span<const tensor> operands) {
    const auto form = onnx_form_of(call);
    if (!form) return error{short_name(call.op) + " has no meaning here with these attributes"};
    std::vector<tensor> all(operands.begin(), operands.end());
    all.insert(all.end(), form->more.begin(), form->more.end());
    return with_onnx_form(call, *form, [&](const op_definition& d, const call_view& c) { return d.evaluate(c, all); });
}

}  // namespace inlay::detail

#endif
