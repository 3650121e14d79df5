// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/tensor_proto.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <onnx/onnx_pb.h>
#include <rapidcheck.h>

#include "io/temporary_folder.hpp"

using namespace inlay;

TEST_CASE("a tensor and its name survive writing and reading") {
    const tensor t = tensor::of({1, 3}, std::vector<double>{0.1, -2, 1e300});
    const auto bytes = write_tensor_proto(t, "x");
    REQUIRE(bytes);
    std::string name;
    const auto back = read_tensor_proto(*bytes, &name);
    REQUIRE(back);
    CHECK(name == "x");
    CHECK(back->content() == t.content());
}

TEST_CASE("files are named in errors") {
    const inlay_test::temporary_folder folder;
    REQUIRE(save_tensor_proto(folder / "t.pb", tensor::scalar(2.0f), ""));
    CHECK(load_tensor_proto(folder / "t.pb")->as<float>()[0] == 2.0f);
    REQUIRE(write_file(folder / "bad.pb", "\x0a\xff"));
    CHECK(load_tensor_proto(folder / "bad.pb").failure().message ==
          "'" + (folder / "bad.pb") + "': the file is no ONNX tensor: it is empty, damaged or cut off");
    CHECK_FALSE(load_tensor_proto(folder / "missing.pb"));
    CHECK_FALSE(save_tensor_proto(folder / "u.pb", tensor(), ""));
}

TEST_CASE("what is no tensor of numbers is unsupported") {
    onnx::TensorProto strings;
    strings.set_data_type(onnx::TensorProto_DataType_STRING);
    CHECK(read_tensor_proto(strings.SerializeAsString()).failure().message == "the file holds strings, which is unsupported");
    strings.set_data_type(onnx::TensorProto_DataType_COMPLEX64);
    CHECK(read_tensor_proto(strings.SerializeAsString()).failure().message.find("element type 14") != std::string::npos);
    CHECK_FALSE(read_tensor_proto(""));
}

TEST_CASE("a mutated file is read or refused, never worse") {
    const std::string good = *write_tensor_proto(tensor::of({2, 2}, std::vector<float>{1, 2, 3, 4}), "name");
    CHECK(rc::check("one byte changed, or the end cut off", [&](std::size_t at, unsigned char to, std::size_t length) {
        std::string bad = good.substr(0, length % (good.size() + 1));
        if (!bad.empty()) bad[at % bad.size()] = static_cast<char>(to);
        const auto read = read_tensor_proto(bad);
        RC_ASSERT(read.has_value() || !read.failure().message.empty());
    }));
}
