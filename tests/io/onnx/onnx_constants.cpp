// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/onnx/onnx_constants.hpp>

#include <string>

#include <doctest/doctest.h>
#include <google/protobuf/text_format.h>

using namespace inlay;
using detail::after_reading;

namespace {

template <class Message>
Message message_of(const std::string& text) {
    Message m;
    REQUIRE(google::protobuf::TextFormat::ParseFromString(text, &m));
    return m;
}

struct bench {
    ir_builder builder;
    detail::onnx_emitter emitter{builder, nullptr};
    import_options options;
    detail::onnx_constants constants{emitter, options};

    bench() { emitter.open_block(); }

    const tensor* value(const std::string& attribute) {
        auto a = message_of<onnx::AttributeProto>(attribute);
        const auto made = constants.of_attribute(a, "c", after_reading::discard);
        REQUIRE(made.has_value());
        REQUIRE(made->has_value());
        return builder.so_far().constant(**made);
    }
};

}  // namespace

TEST_CASE("numbers and lists of numbers become tensors of ONNX's element types") {
    bench b;
    CHECK(to_string(b.value("name: 'value_float' type: FLOAT f: 0.5")->type()) == "float32[]");
    CHECK(b.value("name: 'value_int' type: INT i: -7")->as<std::int64_t>()[0] == -7);
    CHECK(to_string(b.value("name: 'value_floats' type: FLOATS floats: [1, 2, 3]")->type()) == "float32[3]");
    CHECK(b.value("name: 'value_ints' type: INTS ints: [4, 5]")->as<std::int64_t>()[1] == 5);
    CHECK(b.value("name: 'value' type: TENSOR t { data_type: 1 dims: 2 float_data: [1, 2] }")->as<float>()[1] == 2);
}

TEST_CASE("what tensors cannot hold becomes a call that says what it holds") {
    bench b;
    auto strings = message_of<onnx::TensorProto>("data_type: 8 dims: 1 string_data: 'a'");
    const auto made = b.constants.of_tensor(strings, "s", after_reading::keep);
    REQUIRE(made.has_value());
    CHECK(b.builder.so_far().op(*made) == "onnx.Constant");
    CHECK(b.builder.so_far().attributes(*made).text("holds", "") == "strings");
    CHECK(b.value("name: 'value_string' type: STRING s: 'a'") == nullptr);
    CHECK(b.value("name: 'sparse_value' type: SPARSE_TENSOR sparse_tensor { }") == nullptr);
}

TEST_CASE("a graph is no constant, and a damaged tensor is an error that names it") {
    bench b;
    auto graph = message_of<onnx::AttributeProto>("name: 'body' type: GRAPH g { name: 'g' }");
    const auto none = b.constants.of_attribute(graph, "c", after_reading::discard);
    REQUIRE(none.has_value());
    CHECK_FALSE(none->has_value());
    auto few = message_of<onnx::TensorProto>("data_type: 1 dims: 3 float_data: [1, 2]");
    const auto damaged = b.constants.of_tensor(few, "w", after_reading::discard);
    REQUIRE_FALSE(damaged.has_value());
    CHECK(damaged.failure().message.find("'w'") != std::string::npos);
}
