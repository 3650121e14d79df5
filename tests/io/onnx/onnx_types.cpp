// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_types.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <google/protobuf/text_format.h>

using namespace inlay;

static outcome<node_type> read(const std::string& text) {
    onnx::TypeProto proto;
    REQUIRE(google::protobuf::TextFormat::ParseFromString(text, &proto));
    return detail::type_of_onnx(proto);
}

static std::string shown(const std::string& text) {
    const auto type = read(text);
    return type ? to_string(*type) : "error: " + type.failure().message;
}

TEST_CASE("tensor types are read with numbers, symbols and unknowns") {
    CHECK(shown("tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_param: 'n' } dim {} dim { dim_param: '?' } dim { "
                "dim_value: -1 } "
                "dim { dim_param: '' } dim { dim_param: '-1' } dim { dim_param: '48' } dim { dim_value: 0 } } }") ==
          "float32[1,n,?,?,?,?,?,48,0]");
    CHECK(shown("tensor_type { elem_type: 7 shape {} }") == "int64[]");
    CHECK(shown("tensor_type { elem_type: 16 }") == "bfloat16[*]");
}

TEST_CASE("sequences, optionals and maps are data types; others are unknown") {
    CHECK(shown("sequence_type { elem_type { tensor_type { elem_type: 1 } } }") == "Sequence[float32[*]]");
    CHECK(shown("optional_type { elem_type { sequence_type { elem_type { tensor_type { elem_type: 1 } } } } }") ==
          "Optional[Sequence[float32[*]]]");
    CHECK(shown("map_type { key_type: 7 value_type { tensor_type { elem_type: 1 } } }") == "Map[int64[], float32[*]]");
    CHECK(shown("tensor_type { elem_type: 17 }") == "float8_e4m3fn[*]");
    CHECK(shown("tensor_type { elem_type: 23 }") == "?");
    CHECK(shown("tensor_type { elem_type: -5 }") == "?");
    CHECK(shown("") == "?");
}

TEST_CASE("hostile extents are refused") {
    CHECK(shown("tensor_type { elem_type: 1 shape { dim { dim_value: -7 } } }") == "error: has the negative extent -7");
    CHECK(shown("tensor_type { elem_type: 1 shape { dim { dim_value: 4611686018427387904 } dim { dim_value: 4 } } }")
              .find("more than any memory") != std::string::npos);
    CHECK(shown("tensor_type { elem_type: 1 shape { dim { dim_param: '99999999999999999999' } } }").find("no 64-bit number") !=
          std::string::npos);
    std::string deep = "tensor_type { elem_type: 1 shape { ";
    for (int i = 0; i < 65; ++i) deep += "dim { dim_value: 1 } ";
    CHECK(shown(deep + "} }") == "error: has 65 axes, more than 64");
}

TEST_CASE("what is written is read back") {
    for (int e = 1; e <= static_cast<int>(element_type::string); ++e) {
        const node_type type(tensor_type(static_cast<element_type>(e), {extent(3), extent("n"), extent()}));
        onnx::TypeProto proto;
        REQUIRE(detail::write_type(type, proto));
        CHECK(*detail::type_of_onnx(proto) == type);
    }
    onnx::TypeProto proto;
    REQUIRE(detail::write_type(node_type(tensor_type(element_type::int8)), proto));
    CHECK(*detail::type_of_onnx(proto) == node_type(tensor_type(element_type::int8)));
    CHECK_FALSE(detail::write_type(node_type(), proto));
    CHECK_FALSE(detail::write_type(node_type::tuple({}), proto));
}
