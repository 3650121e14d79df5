// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/reduction.hpp>

#include <cmath>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::reduction_operators;

namespace {

struct expectation {
    std::string_view op;
    double start;
    double (*combine)(double, double);
    double (*finish)(double, double);
    float low;
};

double as_is(double v, double) { return v; }

constexpr expectation table[] = {
    {"onnx.ReduceSum", 0, [](double u, double v) { return u + v; }, as_is, -2},
    {"onnx.ReduceMean", 0, [](double u, double v) { return u + v; }, [](double v, double n) { return v / n; }, -2},
    {"onnx.ReduceMax", -1e9, [](double u, double v) { return std::max(u, v); }, as_is, -2},
    {"onnx.ReduceMin", 1e9, [](double u, double v) { return std::min(u, v); }, as_is, -2},
    {"onnx.ReduceProd", 1, [](double u, double v) { return u * v; }, as_is, 0.9f},
    {"onnx.ReduceL1", 0, [](double u, double v) { return u + std::abs(v); }, as_is, -2},
    {"onnx.ReduceL2", 0, [](double u, double v) { return u + v * v; }, [](double v, double) { return std::sqrt(v); }, -2},
    {"onnx.ReduceSumSquare", 0, [](double u, double v) { return u + v * v; }, as_is, -2},
    {"onnx.ReduceLogSum", 0, [](double u, double v) { return u + v; }, [](double v, double) { return std::log(v); }, 0.1f},
};

}  // namespace

TEST_CASE("reductions over any axes equal the fold over the elements") {
    seeded random(801);
    for (int round = 0; round < 90; ++round) {
        const expectation& e = table[static_cast<std::size_t>(round) % std::size(table)];
        const shape64 shape = random.shape(static_cast<std::size_t>(random.integer(0, 5)), round % 4 == 0 ? 40 : 6);
        if (tensor(element_type::int8, shape).count() > 100000) continue;
        shape64 axes, kept = shape;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (random.coin()) {
                axes.push_back(static_cast<std::int64_t>(i) - (random.coin() ? static_cast<std::int64_t>(shape.size()) : 0));
                kept[i] = 1;
            }
        if (axes.empty()) std::fill(kept.begin(), kept.end(), 1);
        const tensor x = random.floats(shape, e.low, e.low > 0.5f ? 1.1f : 2.0f);
        INFO("seed 801, round " << round << ": " << e.op << " of " << to_string(x.type()) << " to " << to_string(float_type(kept)));
        const auto got = run_call(entry(reduction_operators, e.op), {given(x), known(list(axes))}, {}, {float_type(kept)})[0];
        std::vector<double> want(got.count(), e.start);
        for (std::size_t i = 0; i < x.count(); ++i) {
            double& w = want[stretched(index_of(i, shape), kept)];
            w = e.combine(w, static_cast<double>(x.as<float>()[i]));
        }
        check_floats(
            got, [&](std::size_t i) { return e.finish(want[i], static_cast<double>(x.count()) / static_cast<double>(got.count())); }, 1e-5);
    }
}

TEST_CASE("a long sum stays accurate, and no axes may mean none") {
    tensor x(element_type::float32, {3000000});
    for (float& v : x.as<float>()) v = 0.1f;
    const auto got =
        run_call(entry(reduction_operators, "onnx.ReduceSum"), {given(x)}, {{"keepdims", std::int64_t{0}}}, {float_type({})})[0];
    CHECK(static_cast<double>(got.as<float>()[0]) == doctest::Approx(3000000 * static_cast<double>(0.1f)).epsilon(3e-6));
    const tensor y = seeded(802).floats({3, 4});
    const auto same =
        run_call(entry(reduction_operators, "onnx.ReduceSum"), {given(y)}, {{"noop_with_empty_axes", std::int64_t{1}}}, {y.type()})[0];
    CHECK(std::equal(y.data(), y.data() + y.bytes(), same.data()));
}

TEST_CASE("the place of the largest is the first one, or the last where asked") {
    seeded random(803);
    for (const std::int64_t axis : {0, 1, 2, -1})
        for (const bool last : {false, true}) {
            const shape64 shape{4, 5, 6};
            const auto a = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
            shape64 to = shape;
            to[a] = 1;
            tensor x = random.floats(shape, 0, 3);
            for (float& v : x.as<float>()) v = std::floor(v);
            for (const bool largest : {true, false}) {
                const auto got = run_call(entry(reduction_operators, largest ? "onnx.ArgMax" : "onnx.ArgMin"), {given(x)},
                                          {{"axis", axis}, {"select_last_index", std::int64_t{last}}}, {type_of<std::int64_t>(to)})[0];
                std::size_t wrong = 0;
                for (std::size_t i = 0; i < got.count(); ++i) {
                    auto at = index_of(i, to);
                    std::int64_t best = 0;
                    const auto value = [&](std::int64_t k) {
                        at[a] = k;
                        return x.as<float>()[stretched(at, shape)] * (largest ? 1.0f : -1.0f);
                    };
                    for (std::int64_t k = 1; k < shape[a]; ++k)
                        if (value(k) > value(best) || (last && value(k) == value(best))) best = k;
                    wrong += got.as<std::int64_t>()[i] == best ? 0 : 1;
                }
                CHECK(wrong == 0);
            }
        }
}

TEST_CASE("reductions refuse axes of the run and other element types") {
    const attribute_map none;
    const tensor x(element_type::float32, {2, 3}), i(element_type::int64, {2});
    CHECK(entry(reduction_operators, "onnx.ReduceSum").refuse(site("onnx.ReduceSum", {given(x), given(i)}, none, {x.type()})) ==
          "the axes are not known before the run");
    CHECK(entry(reduction_operators, "onnx.ReduceSum").refuse(site("onnx.ReduceSum", {given(i)}, none, {i.type()})) ==
          "the operand is int64; the kernel takes float32");
}
