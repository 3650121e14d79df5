// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/runtime_value.hpp>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("A value is one thing and says which") {
    CHECK(runtime_value().empty());
    CHECK(runtime_value(tensor::scalar(1.0f)).kind() == "a tensor");
    CHECK(runtime_value::tuple({}).kind() == "a tuple");
    CHECK(runtime_value::of_record("Cons", {}).kind() == "a value of a data type");
    CHECK(runtime_value(runtime_value::closure()).kind() == "a function");
    CHECK(runtime_value::reference({}).kind() == "a reference");
    CHECK(runtime_value::tuple({}).as_tensor() == nullptr);
    CHECK(runtime_value(tensor::scalar(1.0f)).as_record() == nullptr);
}

TEST_CASE("Copies of a reference share its content") {
    const runtime_value cell = runtime_value::reference(runtime_value(tensor::scalar(1.0f))), copy = cell;
    copy.as_cell()->content = runtime_value(tensor::scalar(2.0f));
    CHECK(cell.as_cell()->content.as_tensor()->as<float>()[0] == 2.0f);
}

TEST_CASE("Values that are nested a million deep are freed without recursion, also where parts of them live on") {
    runtime_value list = runtime_value::of_record("Nil", {}), middle;
    for (int i = 0; i < 1'000'000; ++i) {
        if (i % 3 == 0) list = runtime_value::of_record("Cons", {runtime_value(), list});
        if (i % 3 == 1) list = runtime_value::reference(list);
        if (i % 3 == 2) list = runtime_value(runtime_value::closure{0, {list}, runtime_value::npos});
        if (i == 500'001) middle = list;
    }
    list = runtime_value();
    CHECK(middle.is_alone());
    CHECK(middle.as_record() != nullptr);
    middle = runtime_value();
    CHECK(middle.empty());
}
