// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_FUNCTIONS_HPP
#define INLAY_IO_ONNX_ONNX_FUNCTIONS_HPP

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay::detail {

/// The values of a text or message field that came after the version of ONNX that this is compiled with: by its number, whether
/// the linked library knows the field or not.
template <class Message>
std::vector<std::string> later_field(const Message& message, int number) {
    std::vector<std::string> values;
    const auto* reflection = message.GetReflection();
    if (const auto* field = message.GetDescriptor()->FindFieldByNumber(number)) {
        const bool is_text = field->type() == google::protobuf::FieldDescriptor::TYPE_STRING;
        if (field->is_repeated()) {
            for (int i = 0; i < reflection->FieldSize(message, field); ++i)
                values.push_back(is_text ? reflection->GetRepeatedString(message, field, i)
                                         : reflection->GetRepeatedMessage(message, field, i).SerializeAsString());
        } else if (reflection->HasField(message, field)) {
            values.push_back(is_text ? reflection->GetString(message, field) : reflection->GetMessage(message, field).SerializeAsString());
        }
        return values;
    }
    const auto& unknown = reflection->GetUnknownFields(message);
    for (int i = 0; i < unknown.field_count(); ++i)
        if (unknown.field(i).number() == number && unknown.field(i).type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
            values.push_back(unknown.field(i).length_delimited());
    return values;
}

inline std::string only_text(std::vector<std::string> values) { return values.empty() ? std::string() : std::move(values.back()); }

/// The overload that a node asks for, and that a function is: a field of version 10 of the format.
inline std::string overload_of(const onnx::NodeProto& node) { return only_text(later_field(node, 8)); }
inline std::string overload_of(const onnx::FunctionProto& function) { return only_text(later_field(function, 13)); }

/// `ai.onnx` and the empty domain are one.
inline std::string_view plain_domain(std::string_view domain) { return domain == "ai.onnx" ? std::string_view() : domain; }

/// The operator that a node asks for, with dialect: `onnx.Conv`, `com.microsoft.Gelu`.
inline std::string operator_of(const onnx::NodeProto& node) {
    const std::string_view domain = plain_domain(node.domain());
    return (domain.empty() ? std::string("onnx") : std::string(domain)) + "." + node.op_type();
}

/// The functions that a model brings along, by domain, name and overload, with the defaults of their attributes.
class onnx_functions {
public:
    struct function {
        onnx::FunctionProto* proto = nullptr;
        std::vector<onnx::AttributeProto> defaults;
    };

    outcome<void> read(onnx::ModelProto& model) {
        for (auto& f : *model.mutable_functions()) {
            function made{&f, {}};
            for (const std::string& bytes : later_field(f, 11)) {
                onnx::AttributeProto a;
                if (!a.ParseFromString(bytes)) return error{"function " + quoted_text(f.name()) + " has a damaged default of an attribute"};
                made.defaults.push_back(std::move(a));
            }
            if (!functions_.try_emplace(key(f.domain(), f.name(), overload_of(f)), std::move(made)).second)
                return error{"function " + quoted_text(f.name()) + " of domain " + quoted_text(f.domain()) + " stands twice in the file"};
        }
        return {};
    }

    [[nodiscard]] function* find(const onnx::NodeProto& node) {
        if (functions_.empty()) return nullptr;
        const auto at = functions_.find(key(node.domain(), node.op_type(), overload_of(node)));
        return at == functions_.end() ? nullptr : &at->second;
    }

private:
    static std::string key(std::string_view domain, std::string_view name, std::string_view overload) {
        std::string k(plain_domain(domain));
        k += '\0';
        k += name;
        k += '\0';
        return k += overload;
    }

    std::map<std::string, function> functions_;
};

}  // namespace inlay::detail

#endif
