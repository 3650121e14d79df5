// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/simulate/placed_value.hpp>

#include <doctest/doctest.h>

using namespace inlay;

namespace {
placed_value at(memory_id m) { return placed_value::of_tensor(tensor::scalar(1.0f), m); }
}  // namespace

TEST_CASE("a value is where its tensors are") {
    CHECK(placed_value().memory() == in_no_memory);
    CHECK(at(3).memory() == 3);
    CHECK(placed_value::record(0, {}).memory() == in_no_memory);
    CHECK(placed_value::record(0, {at(1), at(1), placed_value::record(2, {})}).memory() == 1);
    CHECK(placed_value::record(0, {at(1), at(2)}).memory() == in_several_memories);
    CHECK(placed_value::record(0, {placed_value::record(0, {at(1), at(2)}), at(1)}).memory() == in_several_memories);
    CHECK(placed_value::function(7, {at(1), at(2)}).memory() == in_no_memory);
    CHECK(placed_value::reference(at(2)).memory() == 2);
}

TEST_CASE("values say what they are") {
    CHECK(placed_value().kind() == "nothing");
    CHECK(at(0).kind() == "a tensor");
    CHECK(placed_value::record(0, {}).kind() == "a tuple");
    CHECK(placed_value::record(4, {}).kind() == "a value of a data type");
    CHECK(placed_value::function(7, {}).kind() == "a function");
    CHECK(placed_value::function(7, {}).number() == 7);
    CHECK(placed_value::reference({}).kind() == "a reference");
}

TEST_CASE("those who share a reference see what is written to it") {
    const placed_value r = placed_value::reference(placed_value::record(0, {})), same = r;
    CHECK_FALSE(r.is_alone());
    same.write(at(5));
    CHECK(r.parts()[0].memory() == 5);
    CHECK(r.memory() == 5);
    same.write(placed_value());
}

TEST_CASE("tensors of a value come in reading order, without those that a function captured") {
    const placed_value pair = placed_value::record(0, {at(1), at(2)});
    CHECK(tensors_in(at(0)).size() == 1);
    CHECK(tensors_in(placed_value()).empty());
    CHECK(tensors_in(placed_value::record(3, {pair, placed_value::function(0, {at(5)}), placed_value::reference(pair)})).size() == 4);
}

TEST_CASE("a list of a million links is freed without recursion") {
    placed_value list = placed_value::record(2, {});
    for (int i = 0; i < 1'000'000; ++i) list = placed_value::record(1, {at(0), list});
    const placed_value copy = list;
    list = {};
    CHECK(copy.parts().size() == 2);
}
