// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_SCOPE_HPP
#define INLAY_IO_ONNX_ONNX_SCOPE_HPP

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/onnx/onnx_types.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay::detail {

/// The tensors of one graph or function body by name. Those of the graphs around it are seen too, up to a function's border. Names and
/// types are the model's and live as long as it.
struct onnx_scope {
    const onnx_scope* outer = nullptr;
    std::unordered_map<std::string_view, node_id> values;
    std::unordered_map<std::string_view, const onnx::TypeProto*> declared;
    std::unordered_set<std::string_view> read;  // by the nodes of the graph, or of the graphs in it, or as a result

    /// The value of a tensor; null where nothing makes it.
    [[nodiscard]] const node_id* find(std::string_view name) const {
        for (const onnx_scope* at = this; at != nullptr; at = at->outer)
            if (const auto found = at->values.find(name); found != at->values.end()) return &found->second;
        return nullptr;
    }

    /// Gives a tensor its value. `what` names its maker in the error: a name that is empty, or taken.
    [[nodiscard]] outcome<void> define(std::string_view name, node_id value, const std::string& what) {
        if (name.empty()) return error{what + " has no name"};
        if (!values.try_emplace(name, value).second)
            return error{what + " gives the name " + quoted_text(name) + " to a second tensor; names must be unique"};
        return {};
    }

    /// The declared type of a tensor, as far as there is one.
    [[nodiscard]] node_type declared_type(std::string_view name) const {
        const auto at = declared.find(name);
        if (at == declared.end()) return {};
        const auto type = type_of_onnx(*at->second);
        return type ? *type : node_type();
    }

    /// Notes every name that nodes, or the nodes of the graphs in them, read.
    template <class Nodes>
    void collect_reads(const Nodes& nodes) {
        for (const auto& node : nodes) {
            for (const std::string& input : node.input()) read.insert(input);
            for (const auto& a : node.attribute()) {
                if (!a.has_g()) continue;
                collect_reads(a.g().node());
                for (const auto& output : a.g().output()) read.insert(output.name());
            }
        }
    }
};

}  // namespace inlay::detail

#endif
