// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/elementwise_definition.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

struct scaled_difference {
    static constexpr std::string_view name = "mine.ScaledDifference";
    using scalars = scalar_list<float, std::int32_t>;
    static constexpr double flops = 2;
    static inlay::detail::parameter_array parameters(const call_view& c) { return {c.attributes->number("scale", 1.0)}; }
    template <class T>
    static T apply(T x, T y, const inlay::detail::typed_parameters<T>& p) {
        return static_cast<T>(p[0] * static_cast<typename inlay::detail::typed_parameters<T>::value_type>(x - y));
    }
};
struct is_large {
    static constexpr std::string_view name = "mine.IsLarge";
    using scalars = scalar_list<float>;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x) {
        return x > T(100);
    }
};
struct my_family {
    static constexpr op_definition table[] = {inlay::detail::binary<scaled_difference>, inlay::detail::unary<is_large>};
};

TEST_CASE("An operator is a scalar function and a few facts") {
    const tensor x = tensor::of<float>({2, 1}, floats{1, 200}), y = list_of(floats{0, 3});
    CHECK(elements_of<float>(result<my_family>("mine.ScaledDifference", {x, y}, {{"scale", 0.5}})) == floats{0.5f, -1, 100, 98.5f});
    CHECK(elements_of<bool>(result<my_family>("mine.IsLarge", {x})) == std::vector<bool>{false, true});
    CHECK(inferred<my_family>("mine.IsLarge", {f32({symbol("n")})}) == "bool[n]");
    CHECK(refused<my_family>("mine.ScaledDifference", {i64({1}), i64({1})}, {}, "int64"));
}

TEST_CASE("Work counts the elements of the result") {
    const node_type x(f32({4, 1})), y(f32({3})), z(f32({4, 3}));
    const node_type* const types[] = {&x, &y};
    const attribute_map attributes;
    const op_work w = my_family::table[0].work({"mine.ScaledDifference", &attributes, types, {}, 1}, z);
    CHECK(w.flops == 24);
    CHECK(w.bytes == (4 + 3 + 12) * 4);
}
