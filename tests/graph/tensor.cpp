// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/graph/tensor.hpp>

#include <doctest/doctest.h>

using inlay::element_type;
using inlay::tensor;

TEST_CASE("a tensor is made of zeros, or of the values given row after row") {
    const tensor zeros(element_type::int32, {2, 3});
    REQUIRE(zeros.ok());
    CHECK(zeros.count() == 6);
    CHECK(zeros.bytes() == 24);
    for (const auto v : zeros.as<std::int32_t>()) CHECK(v == 0);
    const tensor t = tensor::of({2, 2}, std::vector<float>{1, 2, 3, 4});
    CHECK(t.element() == element_type::float32);
    CHECK(t.rank() == 2);
    CHECK(t.as<float>()[2] == 3.0f);
    CHECK(t.type() == inlay::tensor_type(element_type::float32, {2, 2}));
}

TEST_CASE("a scalar has rank 0 and one element") {
    const tensor s = tensor::scalar(std::int64_t{7});
    CHECK(s.ok());
    CHECK(s.rank() == 0);
    CHECK(s.count() == 1);
    CHECK(s.as<std::int64_t>()[0] == 7);
}

TEST_CASE("a tensor of no elements is a tensor") {
    const tensor empty(element_type::float64, {3, 0});
    CHECK(empty.ok());
    CHECK(empty.count() == 0);
    CHECK(empty.as<double>().empty());
    CHECK(tensor::of({0}, std::vector<float>{}).ok());
}

TEST_CASE("extents that are no shape, elements of no size and sizes beyond memory make no tensor") {
    CHECK_FALSE(tensor(element_type::float32, {2, -1}).ok());
    CHECK_FALSE(tensor(element_type::none, {2}).ok());
    CHECK_FALSE(tensor(element_type::string, {2}).ok());
    CHECK_FALSE(tensor(element_type::float32, {INT64_MAX, 2}).ok());
    CHECK_FALSE(tensor(element_type::float64, {INT64_MAX}).ok());
    CHECK_FALSE(tensor(element_type::float64, {std::int64_t{1} << 60}).ok());
    CHECK_FALSE(tensor().ok());
}

TEST_CASE("copies and other shapes share the elements") {
    tensor a = tensor::of({6}, std::vector<float>{0, 1, 2, 3, 4, 5});
    const tensor b = a.reshaped({2, 3});
    a.as<float>()[5] = 9;
    CHECK(b.as<float>()[5] == 9.0f);
    CHECK(b.extents() == std::vector<std::int64_t>{2, 3});
    CHECK(b.content() != a.content());
    CHECK(b.reshaped({6}).content() == a.content());
}

TEST_CASE("a tensor's storage keeps its elements when it is gone") {
    inlay::buffer kept;
    {
        const tensor a = tensor::of({2}, std::vector<float>{1, 2});
        kept = a.storage();
        CHECK(kept.data() == a.data());
    }
    CHECK(kept.is_alone());
    CHECK(reinterpret_cast<const float*>(kept.data())[1] == 2.0f);
    CHECK(tensor().storage().size() == 0);
}

TEST_CASE("content counts element type, extents and elements") {
    CHECK(tensor::scalar(1).content() == tensor::scalar(1).content());
    CHECK(tensor::scalar(1).content() != tensor::scalar(2).content());
    CHECK(tensor::scalar(0).content() != tensor::scalar(0u).content());
    CHECK(tensor(element_type::float32, {1, 0}).content() != tensor(element_type::float32, {0, 1}).content());
}

TEST_CASE("integer tensors are read as 64-bit numbers, others not") {
    CHECK(inlay::integers_of(tensor::of({2}, std::vector<std::int64_t>{-1, 1ll << 40})) == std::vector<std::int64_t>{-1, 1ll << 40});
    CHECK(inlay::integers_of(tensor::of({2}, std::vector<std::int32_t>{-3, 4})) == std::vector<std::int64_t>{-3, 4});
    CHECK_FALSE(inlay::integers_of(tensor::scalar(1.0f)).has_value());
}
