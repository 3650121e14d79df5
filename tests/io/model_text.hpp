// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_IMPORT_MODEL_TEXT_HPP
#define INLAY_TESTS_IMPORT_MODEL_TEXT_HPP

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>

#include <inlay/io/onnx/onnx.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay_test {

/// A model from protobuf's text form; `std::abort` where the test's own text is wrong.
inline onnx::ModelProto model_of(const std::string& text) {
    onnx::ModelProto model;
    if (!google::protobuf::TextFormat::ParseFromString(text, &model)) std::abort();
    return model;
}

/// A model of one operator set version with this graph; `input` and `output` lines are part of the text.
inline std::string model_text(int opset, const std::string& graph, const std::string& rest = {}) {
    return "ir_version: 8 opset_import { version: " + std::to_string(opset) + " } graph { name: 'g' " + graph + " } " + rest;
}

/// A tensor's declaration: `value('input', 'x', 1, "1 3 ? n")`; "*" for an unknown rank.
inline std::string value(const std::string& field, const std::string& name, int element, std::string_view extents) {
    std::string text = field + " { name: '" + name + "' type { tensor_type { elem_type: " + std::to_string(element);
    if (extents != "*") {
        text += " shape { ";
        while (!extents.empty()) {
            const auto blank = std::min(extents.find(' '), extents.size());
            const std::string_view word = extents.substr(0, blank);
            if (!word.empty())
                text += (word[0] >= '0' && word[0] <= '9') || word[0] == '-' ? "dim { dim_value: " + std::string(word) + " } "
                                                                             : "dim { dim_param: '" + std::string(word) + "' } ";
            extents.remove_prefix(std::min(blank + 1, extents.size()));
        }
        text += "}";
    }
    return text + " } } } ";
}

/// A node: `node("Relu", "x", "y")`; operands and outputs separated by blanks, `_` for one left out.
inline std::string node(const std::string& op, const std::string& reads, const std::string& makes, const std::string& rest = {}) {
    const auto list = [](const char* field, std::string_view names) {
        std::string text;
        while (!names.empty()) {
            const auto blank = std::min(names.find(' '), names.size());
            const std::string_view name = names.substr(0, blank);
            if (!name.empty()) text += std::string(field) + ": '" + (name == "_" ? std::string() : std::string(name)) + "' ";
            names.remove_prefix(std::min(blank + 1, names.size()));
        }
        return text;
    };
    return "node { op_type: '" + op + "' " + list("input", reads) + list("output", makes) + rest + " } ";
}

inline std::string ints(const std::string& name, const std::vector<long>& values) {
    std::string text = "attribute { name: '" + name + "' type: INTS ";
    for (const long v : values) text += "ints: " + std::to_string(v) + " ";
    return text + "} ";
}
inline std::string integer(const std::string& name, long v) {
    return "attribute { name: '" + name + "' type: INT i: " + std::to_string(v) + " } ";
}
inline std::string number(const std::string& name, double v) {
    return "attribute { name: '" + name + "' type: FLOAT f: " + std::to_string(v) + " } ";
}
inline std::string word(const std::string& name, const std::string& v) {
    return "attribute { name: '" + name + "' type: STRING s: '" + v + "' } ";
}

inline std::span<const std::byte> bytes_of(const std::string& s) { return {reinterpret_cast<const std::byte*>(s.data()), s.size()}; }

inline inlay::outcome<inlay::ir_module> import_text(const std::string& text, const inlay::import_options& options = {}) {
    return inlay::import_onnx(bytes_of(model_of(text).SerializeAsString()), options);
}

/// Why a model was refused; empty where it was not.
inline std::string refusal_of(const std::string& text, const inlay::import_options& options = {}) {
    const auto made = import_text(text, options);
    return made ? std::string() : made.failure().message;
}

/// The node that main's only result is.
inline inlay::node_id only_result(const inlay::ir_module& m) { return m.results().at(0); }

inline std::vector<std::int64_t> integers_at(const inlay::ir_module& m, inlay::node_id n, std::size_t operand) {
    const inlay::tensor* t = m.constant(m.operand(n, operand));
    return t == nullptr ? std::vector<std::int64_t>{-999} : inlay::integers_of(*t).value_or(std::vector<std::int64_t>{-998});
}

}  // namespace inlay_test

#endif
