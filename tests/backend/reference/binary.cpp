// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/binary.hpp>

#include <cmath>
#include <limits>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::binary_operators;

namespace {

/// Two shapes that stretch to a third, with extents of 1 and missing axes at random.
struct stretched_pair {
    shape64 x, y, result;
    explicit stretched_pair(seeded& random) {
        result = random.shape(static_cast<std::size_t>(random.integer(0, 5)), random.coin() ? 4 : 40);
        while (static_cast<std::int64_t>(tensor(element_type::int8, result).count()) > 200000) result.pop_back();
        x = y = result;
        for (std::size_t i = 0; i < result.size(); ++i) {
            const auto which = random.integer(0, 3);
            if (which == 0) x[i] = 1;
            if (which == 1) y[i] = 1;
            result[i] = std::max(x[i], y[i]);
        }
        shape64& shorter = random.coin() ? x : y;
        while (!shorter.empty() && shorter[0] == 1 && random.coin()) shorter.erase(shorter.begin());
    }
};

template <class T, class R>
void check_all(std::string_view op, R (*value)(T, T), std::int64_t low, std::int64_t high, unsigned seed) {
    seeded random(seed);
    for (int round = 0; round < 12; ++round) {
        const stretched_pair shapes(random);
        const tensor x = random.integers<T>(shapes.x, low, high), y = random.integers<T>(shapes.y, low, high);
        INFO(op << " on " << to_string(x.type()) << " and " << to_string(y.type()) << ", seed " << seed << ", round " << round);
        const tensor got = run_call(entry(binary_operators, op), {given(x), given(y)}, {}, {type_of<R>(shapes.result)})[0];
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < got.count(); ++i) {
            const auto at = index_of(i, shapes.result);
            wrong += got.as<R>()[i] == value(x.as<T>()[stretched(at, shapes.x)], y.as<T>()[stretched(at, shapes.y)]) ? 0 : 1;
        }
        CHECK(wrong == 0);
    }
}

template <class T>
void check_arithmetic(unsigned seed) {
    check_all<T, T>(
        "onnx.Add", [](T x, T y) { return static_cast<T>(x + y); }, -50, 50, seed);
    check_all<T, T>(
        "onnx.Sum", [](T x, T y) { return static_cast<T>(x + y); }, -50, 50, seed);
    check_all<T, T>(
        "onnx.Sub", [](T x, T y) { return static_cast<T>(x - y); }, -50, 50, seed);
    check_all<T, T>(
        "onnx.Mul", [](T x, T y) { return static_cast<T>(x * y); }, -50, 50, seed);
    check_all<T, T>(
        "onnx.Max", [](T x, T y) { return std::max(x, y); }, -50, 50, seed);
    check_all<T, T>(
        "onnx.Min", [](T x, T y) { return std::min(x, y); }, -50, 50, seed);
}

template <class T>
void check_comparisons(unsigned seed) {
    check_all<T, bool>(
        "onnx.Equal", [](T x, T y) { return x == y; }, 0, 3, seed);
    check_all<T, bool>(
        "onnx.Less", [](T x, T y) { return x < y; }, 0, 3, seed);
    check_all<T, bool>(
        "onnx.LessOrEqual", [](T x, T y) { return x <= y; }, 0, 3, seed);
    check_all<T, bool>(
        "onnx.Greater", [](T x, T y) { return x > y; }, 0, 3, seed);
    check_all<T, bool>(
        "onnx.GreaterOrEqual", [](T x, T y) { return x >= y; }, 0, 3, seed);
}

}  // namespace

TEST_CASE("arithmetic stretches its operands as NumPy does") {
    check_arithmetic<float>(21);
    check_arithmetic<std::int64_t>(22);
    check_arithmetic<std::int32_t>(23);
    check_all<float, float>(
        "onnx.Div", [](float x, float y) { return x / y; }, 1, 50, 24);
    check_all<float, float>(
        "onnx.PRelu", [](float x, float y) { return x < 0 ? x * y : x; }, -9, 9, 25);
}

TEST_CASE("comparisons and logic give truth values") {
    check_comparisons<float>(31);
    check_comparisons<std::int64_t>(32);
    check_comparisons<std::int32_t>(33);
    check_all<bool, bool>(
        "onnx.Equal", [](bool x, bool y) { return x == y; }, 0, 1, 34);
    check_all<bool, bool>(
        "onnx.And", [](bool x, bool y) { return x && y; }, 0, 1, 35);
    check_all<bool, bool>(
        "onnx.Or", [](bool x, bool y) { return x || y; }, 0, 1, 36);
    check_all<bool, bool>(
        "onnx.Xor", [](bool x, bool y) { return x != y; }, 0, 1, 37);
    const tensor x = tensor::of<bool>({3}, std::array<bool, 3>{true, false, true});
    const tensor y = run_call(entry(binary_operators, "onnx.Not"), {given(x)}, {}, {x.type()})[0];
    CHECK(!y.as<bool>()[0]);
    CHECK(y.as<bool>()[1]);
}

TEST_CASE("powers take the short way for 1, 2 and 3 and the long way for the rest") {
    seeded random(41);
    const tensor x = random.floats({6, 50}, 0.1f, 4);
    for (const float exponent : {1.0f, 2.0f, 3.0f, 0.5f, -1.7f}) {
        const auto got = run_call(entry(binary_operators, "onnx.Pow"), {given(x), known(tensor::scalar(exponent))}, {}, {x.type()});
        check_floats(got[0], [&](std::size_t i) { return std::pow(static_cast<double>(x.as<float>()[i]), static_cast<double>(exponent)); });
    }
    const tensor y = random.floats({6, 1}, -2, 2);
    check_floats(run_call(entry(binary_operators, "onnx.Pow"), {given(x), given(y)}, {}, {x.type()})[0], [&](std::size_t i) {
        return std::pow(static_cast<double>(x.as<float>()[i]), static_cast<double>(y.as<float>()[i / 50]));
    });
}

TEST_CASE("sums take any number of operands, one too, and a NaN on either side stays") {
    seeded random(42);
    const tensor x = random.floats({4, 20}), y = random.floats({20}), z = random.floats({4, 1});
    check_floats(run_call(entry(binary_operators, "onnx.Sum"), {given(x), given(y), given(z)}, {}, {x.type()})[0], [&](std::size_t i) {
        return static_cast<double>(x.as<float>()[i]) + static_cast<double>(y.as<float>()[i % 20]) +
               static_cast<double>(z.as<float>()[i / 20]);
    });
    check_floats(run_call(entry(binary_operators, "onnx.Max"), {given(x)}, {}, {x.type()})[0],
                 [&](std::size_t i) { return static_cast<double>(x.as<float>()[i]); });
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const tensor a = list(std::vector<float>{nan, 1.0f}), b = list(std::vector<float>{1.0f, nan});
    for (const auto op : {"onnx.Max", "onnx.Min", "onnx.Add"}) {
        const tensor got = run_call(entry(binary_operators, op), {given(a), given(b)}, {}, {a.type()})[0];
        CHECK(std::isnan(got.as<float>()[0]));
        CHECK(std::isnan(got.as<float>()[1]));
    }
}

TEST_CASE("Where chooses between operands of any width") {
    seeded random(43);
    for (int round = 0; round < 8; ++round) {
        const shape64 shape{3, 4, 17};
        const tensor c = random.integers<bool>({3, 1, 17}, 0, 1), x = random.integers<std::int64_t>({4, 1}, -9, 9),
                     y = random.integers<std::int64_t>(shape, 10, 99);
        const auto got =
            run_call(entry(binary_operators, "onnx.Where"), {given(c), given(x), given(y)}, {}, {type_of<std::int64_t>(shape)})[0];
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < got.count(); ++i) {
            const auto at = index_of(i, shape);
            const std::int64_t want =
                c.as<bool>()[stretched(at, {3, 1, 17})] ? x.as<std::int64_t>()[stretched(at, {4, 1})] : y.as<std::int64_t>()[i];
            wrong += got.as<std::int64_t>()[i] == want ? 0 : 1;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("what has no loop is refused by name") {
    const attribute_map none;
    const tensor x = tensor::scalar(1.0);
    CHECK(entry(binary_operators, "onnx.Add").refuse(site("onnx.Add", {given(x), given(x)}, none, {x.type()})) ==
          "operands are float64; there is no kernel for it");
    const tensor i = tensor::scalar(std::int64_t{1});
    CHECK(entry(binary_operators, "onnx.Div").refuse(site("onnx.Div", {given(i), given(i)}, none, {i.type()})) ==
          "operands are int64; there is no kernel for it");
    CHECK(entry(binary_operators, "onnx.Pow").refuse(site("onnx.Pow", {given(tensor::scalar(1.0f)), given(i)}, none, {float_type({})})) ==
          "an operand is int64; the kernel takes float32");
}
