// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/written_gathers.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "check_call.hpp"

using namespace inlay;
using namespace portable_c_test;

TEST_CASE("rows and elements that computed indices name are C that agrees with the interpreter [portable_c.gathers]") {
    CHECK(holds_in_few([] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(1, 5); };
        const std::vector<std::int64_t> x{n(), n(), n()};
        const std::int64_t axis = *rc::gen::inRange<std::int64_t>(-3, 3), size = x[static_cast<std::size_t>(axis + 3) % 3];
        const attribute_map along{{"axis", axis}};
        check_call("onnx.Gather", {some_floats(x), some_integers<std::int32_t>({n(), n()}, -size, size)}, along);
        std::vector<std::int64_t> places = x;
        places[static_cast<std::size_t>(axis + 3) % 3] = n();
        check_call("onnx.GatherElements", {some_floats(x), some_integers(places, -size, size)}, along);
        const std::int64_t batch = *rc::gen::inRange<std::int64_t>(0, 2);
        std::vector<std::int64_t> rows{x[0], n(), 1};
        if (batch == 0) rows.erase(rows.begin());
        const std::int64_t named = x[static_cast<std::size_t>(batch)];
        check_call("onnx.GatherND", {some_integers(x, -9, 9), some_integers(rows, -named, named)}, {{"batch_dims", batch}});
    }));
}

TEST_CASE("half precision and truth values are moved as they are [portable_c.gathers]") {
    tensor halves(element_type::float16, {4}), truths(element_type::boolean, {4});
    for (std::size_t i = 0; i < 4; ++i) halves.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(0x3c00 + i);
    truths.as<bool>()[2] = true;
    const tensor indices = tensor::of<std::int64_t>({3}, {2, -1, 0});
    check_call("onnx.Gather", {truths, indices});
    CHECK(stored_c_type(halves.element()) == "uint16_t");
}

TEST_CASE("sequences are turned round as far as they are long [portable_c.gathers]") {
    CHECK(holds_in_few([] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(1, 5); };
        const std::int64_t batches = n(), times = n(), row = n(), time_axis = *rc::gen::inRange<std::int64_t>(0, 2);
        const std::vector<std::int64_t> x = time_axis == 0 ? std::vector{times, batches, row} : std::vector{batches, times, row};
        check_call("onnx.ReverseSequence", {some_floats(x), some_integers({batches}, 0, times + 1)},
                   {{"time_axis", time_axis}, {"batch_axis", 1 - time_axis}});
    }));
}

TEST_CASE("an index that its axis does not have is the nearest place, and touches nothing else [portable_c.gathers.outside]") {
    const tensor x = tensor::of<std::int64_t>({3}, {10, 20, 30});
    ir_builder b;
    b.open_block();
    const node_id in[] = {b.input("x", x.type()), b.input("i", tensor_type(element_type::int64, {4}))};
    b.declare(b.function(in, b.call("onnx.Gather", {in[0], in[1]}), "main"));
    const auto typed = infer_types(b.finish());
    REQUIRE(typed);
    const inlay_test::whole_region whole(*typed);
    const auto code = emit_region(portable_c{}, whole.view());
    REQUIRE(code);
    const tensor indices = tensor::of<std::int64_t>({4}, {7, -4, INT64_MAX, INT64_MIN});
    std::int64_t got[4] = {};
    const void* const from[] = {x.data(), indices.data()};
    void* const to[] = {got};
    REQUIRE((*code)({from, to, nullptr, {}}));
    CHECK(got[0] == 30);
    CHECK(got[1] == 10);
    CHECK(got[2] == 30);
    CHECK(got[3] == 10);
}

TEST_CASE("indices into nothing have no code [portable_c.refused]") {
    ir_builder b;
    b.open_block();
    const node_id in[] = {b.input("x", tensor_type(element_type::float32, {0, 2})), b.input("i", tensor_type(element_type::int64, {4}))};
    b.declare(b.function(in, b.call("onnx.Gather", {in[0], in[1]}), "main"));
    const auto typed = infer_types(b.finish());
    REQUIRE(typed);
    const inlay_test::whole_region whole(*typed);
    CHECK(detail::refuse_c(whole.view()) == "onnx.Gather: indices into a tensor without elements have no code");
}
