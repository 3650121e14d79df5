// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/flat_results.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ir/relay_text.hpp>

using namespace inlay;

namespace {

const node_type row = tensor_type(element_type::float32, {4});

template <class Result>
std::string flattened(Result result) {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row);
    b.declare(b.function(std::vector{x}, result(b, x), "main"));
    return relay_text(flat_results(b.finish()));
}
std::string body(const std::string& text) {
    const std::size_t from = text.find("{\n") + 2;
    return text.substr(from, text.rfind('}') - from);
}

}  // namespace

TEST_CASE("a result of tuples in tuples becomes one tuple, in order [passes.results.flat]") {
    const std::string text = flattened([](ir_builder& b, node_id x) {
        const node_id a = b.call("negative", {x}, {}, row), c = b.call("exp", {x}, {}, row);
        const node_id inner = b.tuple(std::vector{a, c});
        return b.tuple(std::vector{c, b.tuple(std::vector{inner, x})});
    });
    CHECK(body(text).find("(%1, %0, %1, %x)") != std::string::npos);
    CHECK(text.find("-> (Tensor[(4), float32], Tensor[(4), float32], Tensor[(4), float32], Tensor[(4), float32])") != std::string::npos);
}

TEST_CASE("a call that gives a tuple gives its fields, and others stay [passes.results.flat]") {
    const std::string split = flattened([](ir_builder& b, node_id x) {
        return b.call("split", {x}, {{"indices_or_sections", std::int64_t{2}}}, node_type::tuple({row, node_type::tuple({row, row})}));
    });
    CHECK(split.find("%0.0") != std::string::npos);
    CHECK(split.find("%0.1") != std::string::npos);
    CHECK(split.find("-> (Tensor[(4), float32], Tensor[(4), float32], Tensor[(4), float32])") != std::string::npos);
    const std::string plain = flattened([](ir_builder& b, node_id x) { return b.tuple(std::vector{x, x}); });
    CHECK(body(plain) == "  (%x, %x)\n");
}
