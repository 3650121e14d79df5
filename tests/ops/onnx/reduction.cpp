// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/reduction.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "ops/sample_call.hpp"

using namespace inlay;
using namespace inlay_test;

using ops = onnx_reductions<>;

/// By definition: the elements of every result, gathered one by one, and a formula over them.
template <class Formula>
static std::vector<double> by_definition(const tensor& x, const std::vector<bool>& reduced, Formula formula) {
    std::int64_t results = 1;
    for (std::size_t i = 0; i < x.rank(); ++i)
        if (!reduced[i]) results *= x.extents()[i];
    std::vector<std::vector<double>> gathered(static_cast<std::size_t>(results));
    for (std::size_t flat = 0; flat < x.count(); ++flat) {
        std::int64_t rest = static_cast<std::int64_t>(flat), place = 0, step = 1;
        for (std::size_t i = x.rank(); i-- > 0;) {
            const std::int64_t index = rest % x.extents()[i];
            rest /= x.extents()[i];
            if (reduced[i]) continue;
            place += index * step;
            step *= x.extents()[i];
        }
        gathered[static_cast<std::size_t>(place)].push_back(static_cast<double>(x.as<float>()[flat]));
    }
    std::vector<double> values;
    for (const auto& list_of_one : gathered) values.push_back(formula(list_of_one));
    return values;
}

static double sum(const std::vector<double>& v) {
    double s = 0;
    for (const double x : v) s += x;
    return s;
}

TEST_CASE("Reductions equal their definitions on random shapes and axes") {
    using list_formula = double (*)(const std::vector<double>&);
    const std::pair<const char*, list_formula> all[] = {
        {"onnx.ReduceSum", [](const std::vector<double>& v) { return sum(v); }},
        {"onnx.ReduceMean", [](const std::vector<double>& v) { return sum(v) / static_cast<double>(v.size()); }},
        {"onnx.ReduceProd",
         [](const std::vector<double>& v) {
             double p = 1;
             for (const double x : v) p *= x;
             return p;
         }},
        {"onnx.ReduceMax", [](const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }},
        {"onnx.ReduceMin", [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); }},
        {"onnx.ReduceL1",
         [](const std::vector<double>& v) {
             double s = 0;
             for (const double x : v) s += std::abs(x);
             return s;
         }},
        {"onnx.ReduceL2",
         [](const std::vector<double>& v) {
             double s = 0;
             for (const double x : v) s += x * x;
             return std::sqrt(s);
         }},
        {"onnx.ReduceSumSquare",
         [](const std::vector<double>& v) {
             double s = 0;
             for (const double x : v) s += x * x;
             return s;
         }},
        {"onnx.ReduceLogSumExp",
         [](const std::vector<double>& v) {
             double s = 0;
             for (const double x : v) s += std::exp(x);
             return std::log(s);
         }},
    };
    CHECK(rc::check("against one by one", [&] {
        const ints extents = *rc::gen::container<ints>(*rc::gen::inRange<std::size_t>(0, 5), rc::gen::inRange<std::int64_t>(1, 4));
        const auto reduced = *rc::gen::container<std::vector<bool>>(extents.size(), rc::gen::arbitrary<bool>());
        const bool keeps = *rc::gen::arbitrary<bool>(), from_end = *rc::gen::arbitrary<bool>();
        ints axes;
        for (std::size_t i = 0; i < extents.size(); ++i)
            if (reduced[i]) axes.push_back(static_cast<std::int64_t>(i) - (from_end ? static_cast<std::int64_t>(extents.size()) : 0));
        const tensor x = noise(extents, *rc::gen::arbitrary<std::uint64_t>());
        const attribute_map attributes{{"keepdims", std::int64_t{keeps}}};
        for (const auto& [name, formula] : all) {
            const tensor y = result<ops>(name, {x, list(axes)}, attributes);
            RC_ASSERT(y.ok());
            RC_ASSERT(y.rank() == (keeps || axes.empty() ? (axes.empty() && !keeps ? 0 : extents.size()) : extents.size() - axes.size()));
            const auto expected = by_definition(x, axes.empty() ? std::vector<bool>(extents.size(), true) : reduced, formula);
            RC_ASSERT(y.count() == expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                RC_ASSERT(std::abs(static_cast<double>(y.as<float>()[i]) - expected[i]) <= 1e-5 * (1 + std::abs(expected[i])));
        }
    }));
}

TEST_CASE("Sums do not overflow or lose digits on the way") {
    CHECK(elements_of<float>(result<ops>("onnx.ReduceLogSumExp", {list_of(floats{1000, 1000})}, {{"keepdims", std::int64_t{0}}})) ==
          floats{static_cast<float>(1000 + std::log(2.0))});
    CHECK(elements_of<float>(result<ops>("onnx.ReduceLogSumExp", {list_of(floats(2, -std::numeric_limits<float>::infinity()))})) ==
          floats{-std::numeric_limits<float>::infinity()});
    floats many(10'000'000, 0.1f);
    CHECK(result<ops>("onnx.ReduceSum", {list_of(many)}).as<float>()[0] == doctest::Approx(1e6).epsilon(1e-7));
    CHECK(result<ops>("onnx.ReduceLogSum", {list_of(floats{1, 2, 5})}).as<float>()[0] == doctest::Approx(std::log(8.0)));
    CHECK(elements_of<std::int32_t>(result<ops>("onnx.ReduceMean", {list_of(std::vector<std::int32_t>{-3, -4})})) ==
          std::vector<std::int32_t>{-3});
    CHECK(elements_of<std::uint8_t>(result<ops>("onnx.ReduceMax", {list_of(std::vector<std::uint8_t>{3, 200})})) ==
          std::vector<std::uint8_t>{200});
}

TEST_CASE("Reducing nothing gives what a reduction starts from") {
    const tensor empty(element_type::float32, {2, 0});
    CHECK(elements_of<float>(result<ops>("onnx.ReduceSum", {empty, list(ints{1})})) == floats{0, 0});
    CHECK(elements_of<float>(result<ops>("onnx.ReduceProd", {empty, list(ints{1})})) == floats{1, 1});
    CHECK(elements_of<float>(result<ops>("onnx.ReduceMax", {empty, list(ints{1})})) == floats(2, -std::numeric_limits<float>::infinity()));
    CHECK(result<ops>("onnx.ReduceSum", {empty, list(ints{0})}).extents() == ints{1, 0});
}

TEST_CASE("The largest and the smallest truth value") {
    tensor x(element_type::boolean, {3, 2});
    const bool values[] = {true, true, true, false, false, false};
    std::copy(std::begin(values), std::end(values), x.as<bool>().begin());
    CHECK(elements_of<bool>(result<ops>("onnx.ReduceMax", {x, list(ints{1})})) == std::vector<bool>{true, true, false});
    CHECK(elements_of<bool>(result<ops>("onnx.ReduceMin", {x, list(ints{1})})) == std::vector<bool>{true, false, false});
    CHECK(elements_of<bool>(result<ops>("onnx.ReduceMin", {tensor(element_type::boolean, {0})})) == std::vector<bool>{true});
}

TEST_CASE("Without axes all is reduced, or nothing where the attribute says so") {
    const tensor x = counting({2, 2});
    CHECK(elements_of<float>(result<ops>("onnx.ReduceSum", {x})) == floats{6});
    CHECK(elements_of<float>(result<ops>("onnx.ReduceSum", {x, list(ints{})}, {{"noop_with_empty_axes", std::int64_t{1}}})) ==
          floats{0, 1, 2, 3});
}

TEST_CASE("The type follows from axes as far as they are known") {
    CHECK(inferred<ops>("onnx.ReduceSum", {f32({symbol("n"), 3, 4}), list(ints{-1})}) == "float32[n,3,1]");
    CHECK(inferred<ops>("onnx.ReduceSum", {f32({symbol("n"), 3, 4}), list(ints{1})}, {{"keepdims", std::int64_t{0}}}) == "float32[n,4]");
    CHECK(inferred<ops>("onnx.ReduceSum", {f32({symbol("n"), 3}), i64({1})}) == "float32[?,?]");
    CHECK(inferred<ops>("onnx.ReduceSum", {f32({symbol("n"), 3}), i64({1})}, {{"keepdims", std::int64_t{0}}}) == "float32[*]");
    CHECK(refused<ops>("onnx.ReduceSum", {f32({2}), list(ints{1})}, {}, "axis 1"));
    CHECK(refused<ops>("onnx.ReduceSum", {f32({2}), list_of(floats{1})}, {}, "must be integers"));
    CHECK(refused<ops>("onnx.ReduceSum", {tensor_type(element_type::boolean, {2})}, {}, "bool"));
}
