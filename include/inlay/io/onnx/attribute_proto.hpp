// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ATTRIBUTE_PROTO_HPP
#define INLAY_IO_ONNX_ATTRIBUTE_PROTO_HPP

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/io/onnx/onnx_tensors.hpp>

namespace inlay::detail {

/// What kind of value an attribute holds. Files of the first versions say it only by which field they fill.
inline onnx::AttributeProto::AttributeType form_of(const onnx::AttributeProto& a) {
    using proto = onnx::AttributeProto;
    if (a.type() != proto::UNDEFINED) return a.type();
    if (a.has_f()) return proto::FLOAT;
    if (a.has_i()) return proto::INT;
    if (a.has_s()) return proto::STRING;
    if (a.has_t()) return proto::TENSOR;
    if (a.has_sparse_tensor()) return proto::SPARSE_TENSOR;
    if (a.has_g()) return proto::GRAPH;
    if (a.floats_size() != 0) return proto::FLOATS;
    if (a.strings_size() != 0) return proto::STRINGS;
    return proto::INTS;
}

/// The value of an attribute; nothing for graphs, which are read as functions, and for an absent value. Tensors that inlay cannot
/// hold stand as their strings, or as the name of their element type. The error's text follows the attribute's name.
inline outcome<std::optional<attribute_value>> value_of(onnx::AttributeProto& a, const std::string& where, const external_folder& folder,
                                                        after_reading bytes_then) {
    using proto = onnx::AttributeProto;
    using value = std::optional<attribute_value>;
    switch (form_of(a)) {
        case proto::FLOAT:
            return value(static_cast<double>(a.f()));
        case proto::INT:
            return value(static_cast<std::int64_t>(a.i()));
        case proto::STRING:
            return value(a.s());
        case proto::FLOATS:
            return value(std::vector<double>(a.floats().begin(), a.floats().end()));
        case proto::INTS:
            return value(std::vector<std::int64_t>(a.ints().begin(), a.ints().end()));
        case proto::STRINGS:
            return value(std::vector<std::string>(a.strings().begin(), a.strings().end()));
        case proto::TENSOR: {
            if (!can_hold(a.t())) return value(std::vector<std::string>(a.t().string_data().begin(), a.t().string_data().end()));
            auto read = take_tensor(*a.mutable_t(), where, folder, bytes_then);
            if (!read) return read.failure();
            return value(*std::move(read));
        }
        case proto::SPARSE_TENSOR: {
            if (!can_hold(a.sparse_tensor().values())) return error{where + " holds a sparse tensor of a type that is not supported"};
            auto read = take_sparse(*a.mutable_sparse_tensor(), where, folder, bytes_then);
            if (!read) return read.failure();
            return value(*std::move(read));
        }
        case proto::TYPE_PROTO: {
            auto type = type_of_onnx(a.tp());
            if (!type) return error{where + " " + type.failure().message};
            return value(to_string(*type));
        }
        case proto::GRAPH:
            return value();
        default:
            return error{where + " holds a list of graphs, tensors or types, which is not supported"};
    }
}

/// Writes an attribute's value.
inline void write_attribute(const std::string& name, const attribute_value& value, onnx::NodeProto& node) {
    using proto = onnx::AttributeProto;
    auto* a = node.add_attribute();
    a->set_name(name);
    std::visit(
        [&](const auto& v) {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, std::int64_t>) {
                a->set_type(proto::INT);
                a->set_i(v);
            } else if constexpr (std::is_same_v<T, double>) {
                a->set_type(proto::FLOAT);
                a->set_f(static_cast<float>(v));
            } else if constexpr (std::is_same_v<T, std::string>) {
                a->set_type(proto::STRING);
                a->set_s(v);
            } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
                a->set_type(proto::INTS);
                for (const auto i : v) a->add_ints(i);
            } else if constexpr (std::is_same_v<T, std::vector<double>>) {
                a->set_type(proto::FLOATS);
                for (const auto f : v) a->add_floats(static_cast<float>(f));
            } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
                a->set_type(proto::STRINGS);
                for (const auto& s : v) a->add_strings(s);
            } else {
                a->set_type(proto::TENSOR);
                write_tensor(v, *a->mutable_t());
            }
        },
        value);
}

}  // namespace inlay::detail

#endif
