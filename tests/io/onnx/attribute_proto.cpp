// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/attribute_proto.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <google/protobuf/text_format.h>

using namespace inlay;

static outcome<std::optional<attribute_value>> read(const std::string& text) {
    onnx::AttributeProto proto;
    REQUIRE(google::protobuf::TextFormat::ParseFromString("name: 'a' " + text, &proto));
    return detail::value_of(proto, "attribute 'a'", {}, detail::after_reading::keep);
}

template <class T>
static T value(const std::string& text) {
    const auto made = read(text);
    REQUIRE(made);
    REQUIRE(made->has_value());
    REQUIRE(std::holds_alternative<T>(**made));
    return std::get<T>(**made);
}

TEST_CASE("every kind of value is read") {
    CHECK(value<std::int64_t>("type: INT i: -3") == -3);
    CHECK(value<double>("type: FLOAT f: 0.5") == 0.5);
    CHECK(value<std::string>("type: STRING s: 'x'") == "x");
    CHECK(value<std::vector<std::int64_t>>("type: INTS ints: [1, 2]") == std::vector<std::int64_t>{1, 2});
    CHECK(value<std::vector<std::int64_t>>("type: INTS").empty());
    CHECK(value<std::vector<double>>("type: FLOATS floats: [1.5]") == std::vector<double>{1.5});
    CHECK(value<std::vector<std::string>>("type: STRINGS strings: ['a', 'b']") == std::vector<std::string>{"a", "b"});
    CHECK(value<tensor>("type: TENSOR t { data_type: 7 int64_data: 5 }").as<std::int64_t>()[0] == 5);
    CHECK(value<std::vector<std::string>>("type: TENSOR t { data_type: 8 dims: 1 string_data: 'q' }") == std::vector<std::string>{"q"});
    CHECK(value<std::string>("type: TYPE_PROTO tp { tensor_type { elem_type: 1 } }") == "float32[*]");
    CHECK_FALSE(read("type: GRAPH g {}")->has_value());
}

TEST_CASE("files of the first versions say the kind by the field that they fill") {
    CHECK(value<std::int64_t>("i: 0") == 0);
    CHECK(value<double>("f: 2") == 2);
    CHECK(value<std::string>("s: ''").empty());
    CHECK(value<std::vector<double>>("floats: 1").size() == 1);
    CHECK(value<std::vector<std::string>>("strings: 'a'").size() == 1);
    CHECK(value<std::vector<std::int64_t>>("ints: 1").size() == 1);
    CHECK(value<tensor>("t { data_type: 7 int64_data: 5 }").ok());
}

TEST_CASE("lists of tensors and damaged tensors are refused") {
    CHECK(read("type: TENSORS").failure().message == "attribute 'a' holds a list of graphs, tensors or types, which is not supported");
    CHECK(read("type: TENSOR t { data_type: 7 dims: 9 }").failure().message.find("asks for 9") != std::string::npos);
}

TEST_CASE("what is written is read back") {
    const std::vector<attribute_value> values{std::int64_t{4},           0.25,
                                              std::string("s"),          std::vector<std::int64_t>{},
                                              std::vector<double>{1, 2}, std::vector<std::string>{"a", ""},
                                              tensor::scalar(3.0f)};
    onnx::NodeProto node;
    attribute_map before, after;
    for (std::size_t i = 0; i < values.size(); ++i) {
        before.set("a" + std::to_string(i), values[i]);
        detail::write_attribute("a" + std::to_string(i), values[i], node);
    }
    for (auto& a : *node.mutable_attribute()) {
        auto read_back = detail::value_of(a, "", {}, detail::after_reading::keep);
        REQUIRE(read_back);
        after.set(a.name(), **read_back);
    }
    CHECK((before == after));
}
