// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_tensors.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <google/protobuf/text_format.h>
#include <inlay/io/write_file.hpp>

#include "io/temporary_folder.hpp"

using namespace inlay;

static outcome<tensor> read(const std::string& text, const detail::external_folder& folder = {}) {
    onnx::TensorProto proto;
    REQUIRE(google::protobuf::TextFormat::ParseFromString(text, &proto));
    REQUIRE(detail::can_hold(proto));
    return detail::take_tensor(proto, "'t'", folder);
}

static std::string refused(const std::string& text) {
    const auto made = read(text);
    return made ? std::string() : made.failure().message;
}

template <class T>
static std::vector<T> elements(const std::string& text) {
    const auto made = read(text);
    REQUIRE(made);
    REQUIRE(made->element() == element_type_of<T>);
    return {made->as<T>().begin(), made->as<T>().end()};
}

TEST_CASE("every element type is read from its typed field") {
    CHECK(elements<float>("data_type: 1 dims: 2 float_data: [1.5, -2]") == std::vector<float>{1.5f, -2});
    CHECK(elements<double>("data_type: 11 dims: 1 double_data: [0.1]") == std::vector<double>{0.1});
    CHECK(elements<std::uint8_t>("data_type: 2 dims: 2 int32_data: [0, 255]") == std::vector<std::uint8_t>{0, 255});
    CHECK(elements<std::int8_t>("data_type: 3 dims: 2 int32_data: [-128, 127]") == std::vector<std::int8_t>{-128, 127});
    CHECK(elements<std::uint16_t>("data_type: 4 dims: 1 int32_data: [65535]") == std::vector<std::uint16_t>{65535});
    CHECK(elements<std::int16_t>("data_type: 5 dims: 1 int32_data: [-32768]") == std::vector<std::int16_t>{-32768});
    CHECK(elements<std::int32_t>("data_type: 6 dims: 1 int32_data: [-2147483648]") == std::vector<std::int32_t>{INT32_MIN});
    CHECK(elements<std::int64_t>("data_type: 7 dims: 1 int64_data: [-9223372036854775808]") == std::vector<std::int64_t>{INT64_MIN});
    CHECK(elements<std::uint32_t>("data_type: 12 dims: 1 uint64_data: [4294967295]") == std::vector<std::uint32_t>{UINT32_MAX});
    CHECK(elements<std::uint64_t>("data_type: 13 dims: 1 uint64_data: [18446744073709551615]") == std::vector<std::uint64_t>{UINT64_MAX});
    CHECK(elements<bool>("data_type: 9 dims: 2 int32_data: [0, 1]") == std::vector<bool>{false, true});
    const auto half = read("data_type: 10 int32_data: [15360]");
    REQUIRE(half);
    CHECK(half->as<std::uint16_t>()[0] == 0x3C00);
    CHECK(half->rank() == 0);
}

TEST_CASE("raw bytes are read as they stand, and bools as 0 and 1") {
    CHECK(elements<std::int32_t>("data_type: 6 dims: 2 raw_data: '\\001\\000\\000\\000\\377\\377\\377\\377'") ==
          std::vector<std::int32_t>{1, -1});
    const auto flags = read("data_type: 9 dims: 3 raw_data: '\\000\\001\\007'");
    REQUIRE(flags);
    CHECK(flags->as<std::uint8_t>()[2] == 1);
    CHECK(read("data_type: 1 dims: 0")->count() == 0);
    CHECK(read("data_type: 1 dims: [3, 0, 4] raw_data: ''")->count() == 0);
}

TEST_CASE("raw bytes are discarded on request alone") {
    onnx::TensorProto proto;
    REQUIRE(google::protobuf::TextFormat::ParseFromString("data_type: 2 dims: 2 raw_data: 'ab'", &proto));
    CHECK(detail::take_tensor(proto, "'t'", {}));
    CHECK(detail::take_tensor(proto, "'t'", {}, detail::after_reading::discard));
    CHECK_FALSE(proto.has_raw_data());
}

TEST_CASE("counts that do not fit the shape are refused before anything is allocated") {
    CHECK(refused("data_type: 1 dims: 3 float_data: [1, 2]") == "tensor 't' has 2 elements where its shape float32[3] asks for 3");
    CHECK(refused("data_type: 1 dims: 1 raw_data: 'abc'") == "tensor 't' has 3 bytes where its shape float32[1] asks for 4");
    CHECK(refused("data_type: 1 dims: 536870912") == "tensor 't' has 0 elements where its shape float32[536870912] asks for 536870912");
    CHECK(refused("data_type: 1 dims: [1099511627776, 1024] raw_data: 'abcd'").find("asks for 4503599627370496") != std::string::npos);
    CHECK(refused("data_type: 1 dims: [4611686018427387904, 4] raw_data: 'abcd'").find("more than any memory holds") != std::string::npos);
    CHECK(refused("data_type: 1 dims: [-1, -1] float_data: 1") == "tensor 't' has the negative extent -1");
    CHECK(refused("data_type: 1 dims: [0, -1]") == "tensor 't' has the negative extent -1");
    CHECK(refused("data_type: 3 dims: 1 int32_data: 128") == "tensor 't' has the element 128, which is no int8");
    CHECK(refused("data_type: 9 dims: 1 int32_data: 2") == "tensor 't' has the element 2, which is no bool");
    CHECK(refused("data_type: 1 dims: 1 float_data: 1 segment { begin: 0 end: 1 }").find("one segment") != std::string::npos);
    std::string axes = "data_type: 1 float_data: 1 ";
    for (int i = 0; i < 65; ++i) axes += "dims: 1 ";
    CHECK(refused(axes) == "tensor 't' has 65 axes, more than 64");
}

TEST_CASE("strings, complex numbers and floats of fewer than 8 bits cannot be held") {
    for (const int code : {0, 8, 14, 15, 22, -3, 1000}) {
        onnx::TensorProto proto;
        proto.set_data_type(code);
        CHECK_FALSE(detail::can_hold(proto));
    }
}

TEST_CASE("external data is read from the folder") {
    const inlay_test::temporary_folder folder;
    REQUIRE(write_file(folder / "w", std::string("\0\0\x01\x00\x02\x00", 6)));
    const std::string text =
        "data_type: 5 dims: 2 data_location: EXTERNAL external_data { key: 'location' value: 'w' } external_data { key: 'offset' value: "
        "'2' }";
    const auto made = read(text, folder.path());
    REQUIRE(made);
    CHECK(made->as<std::int16_t>()[0] == 1);
    CHECK(made->as<std::int16_t>()[1] == 2);
    CHECK(refused(text) == "tensor 't' keeps its data in the file 'w'; give the folder of external data");
    CHECK(read("data_type: 5 dims: 0 data_location: EXTERNAL external_data { key: 'location' value: 'w' }", folder.path())->ok());
}

TEST_CASE("what is written is read back") {
    const tensor t = tensor::of({2, 2}, std::vector<float>{1, 2, 3, 4});
    onnx::TensorProto proto;
    detail::write_tensor(t, proto);
    const auto back = detail::take_tensor(proto, "'t'", {});
    REQUIRE(back);
    CHECK(back->content() == t.content());
    onnx::TensorProto empty;
    detail::write_tensor(tensor(element_type::int8, {0, 3}), empty);
    CHECK(detail::take_tensor(empty, "'t'", {})->extents() == std::vector<std::int64_t>{0, 3});
}
