// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_SURROUNDINGS_HPP
#define INLAY_IO_ONNX_ONNX_SURROUNDINGS_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/onnx/onnx_functions.hpp>

namespace inlay::detail {

/// How messages name a node.
[[nodiscard]] inline std::string onnx_label(const onnx::NodeProto& node) {
    std::string name = node.name();
    for (const std::string& output : node.output())
        if (name.empty()) name = output;
    return "node " + quoted_text(name) + " (" + escaped_text(node.op_type(), 40) + ")";
}

/// What holds for all of a function's body, or for all of the main graph.
struct onnx_surroundings {
    std::map<std::string, std::int64_t, std::less<>> opsets;       // version by domain; the default one is empty
    std::map<std::string_view, onnx::AttributeProto*> attributes;  // that the function was called with
    std::string prefix;                                            // of names
    std::map<std::string_view, std::size_t> uses_of_name;          // by nodes
    const onnx::FunctionProto* function = nullptr;                 // none in the main graph
    const onnx_surroundings* caller = nullptr;

    /// Reads the versions that `whose` states.
    template <class Imports>
    [[nodiscard]] outcome<void> read_opsets(const Imports& imports, const std::string& whose) {
        for (const auto& import : imports) {
            const std::string domain(plain_domain(import.domain()));
            if (import.version() < 1)
                return error{whose + " states version " + std::to_string(import.version()) + " of operator set " + quoted_text(domain) +
                             "; versions start at 1"};
            if (!opsets.try_emplace(domain, import.version()).second)
                return error{whose + " states the version of operator set " + quoted_text(domain) + " twice"};
        }
        return {};
    }

    /// Counts how often each name is a node's, in the graphs within nodes too: only unique ones name their node.
    template <class Nodes>
    void count_names(const Nodes& nodes) {
        for (const auto& node : nodes) {
            ++uses_of_name[node.name()];
            for (const auto& a : node.attribute())
                if (a.has_g()) count_names(a.g().node());
        }
    }

    /// The name of a node: its own if that is unique, else that of its first output.
    [[nodiscard]] std::string name_of(const onnx::NodeProto& node) const {
        const auto uses = uses_of_name.find(node.name());
        if (!node.name().empty() && uses != uses_of_name.end() && uses->second == 1) return prefix + node.name();
        for (const std::string& output : node.output())
            if (!output.empty()) return prefix + output;
        return prefix + node.name();
    }

    /// The attribute, or what the caller of the function gives for it; null where the caller gives nothing.
    [[nodiscard]] onnx::AttributeProto* resolved(onnx::AttributeProto& a) const {
        if (a.ref_attr_name().empty()) return &a;
        const auto at = attributes.find(a.ref_attr_name());
        return at == attributes.end() ? nullptr : at->second;
    }
};

}  // namespace inlay::detail

#endif
