// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_functions.hpp>

#include <string>

#include <doctest/doctest.h>
#include <google/protobuf/unknown_field_set.h>

using namespace inlay;

/// Appends a field that the linked library may or may not know. Whether it takes the bytes: where it knows the field, it reads them.
template <class Message>
[[nodiscard]] static bool append(Message& message, int number, const std::string& bytes) {
    google::protobuf::UnknownFieldSet fields;
    fields.AddLengthDelimited(number, bytes);
    std::string more;
    REQUIRE(fields.SerializeToString(&more));
    return message.MergeFromString(more);
}

static onnx::NodeProto call(const std::string& domain, const std::string& name) {
    onnx::NodeProto node;
    node.set_domain(domain);
    node.set_op_type(name);
    return node;
}

TEST_CASE("fields of later versions are read by their number") {
    onnx::NodeProto node = call("d", "f");
    CHECK(detail::overload_of(node).empty());
    REQUIRE(append(node, 8, "second"));
    CHECK(detail::overload_of(node) == "second");
    CHECK(detail::later_field(node, 4) == std::vector<std::string>{"f"});
}

TEST_CASE("functions are found by domain, name and overload") {
    onnx::ModelProto model;
    for (const char* overload : {"", "second"}) {
        auto& f = *model.add_functions();
        f.set_domain("d");
        f.set_name("f");
        if (*overload != '\0') REQUIRE(append(f, 13, overload));
    }
    onnx::AttributeProto a;
    a.set_name("alpha");
    a.set_f(2);
    REQUIRE(append(*model.mutable_functions(0), 11, a.SerializeAsString()));
    detail::onnx_functions functions;
    REQUIRE(functions.read(model));
    onnx::NodeProto plain = call("d", "f"), other = call("d", "f");
    REQUIRE(append(other, 8, "second"));
    REQUIRE(functions.find(plain) != nullptr);
    CHECK((functions.find(plain)->proto == &model.functions(0)));
    CHECK(functions.find(plain)->defaults.at(0).f() == 2);
    CHECK((functions.find(other)->proto == &model.functions(1)));
    CHECK((functions.find(call("", "f")) == nullptr));
}

TEST_CASE("the two names of the default domain are one, and a function stands once") {
    onnx::ModelProto model;
    model.add_functions()->set_name("f");
    detail::onnx_functions functions;
    REQUIRE(functions.read(model));
    CHECK((functions.find(call("ai.onnx", "f")) != nullptr));
    auto& again = *model.add_functions();
    again.set_name("f");
    again.set_domain("ai.onnx");
    detail::onnx_functions twice;
    CHECK(twice.read(model).failure().message == "function 'f' of domain 'ai.onnx' stands twice in the file");
    onnx::ModelProto damaged;
    const bool is_taken = append(*damaged.add_functions(), 11, "\xff\xff");
    CHECK_FALSE((is_taken && detail::onnx_functions().read(damaged)));
}
