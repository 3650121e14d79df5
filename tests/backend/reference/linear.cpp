// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/linear.hpp>

#include "run_region.hpp"

using namespace reference_test;
using on_eigen::linear_operators;

namespace {

double at(const tensor& t, std::int64_t i) { return static_cast<double>(t.as<float>()[static_cast<std::size_t>(i)]); }

void check_matmul(const tensor& x, const tensor& y, const shape64& batch, std::int64_t m, std::int64_t n, std::int64_t k, shape64 result) {
    const auto got = run_call(entry(linear_operators, "onnx.MatMul"), {given(x), given(y)}, {}, {float_type(result)})[0];
    const shape64 x_batch = x.rank() > 2 ? shape64(x.extents().begin(), x.extents().end() - 2) : shape64();
    const shape64 y_batch = y.rank() > 2 ? shape64(y.extents().begin(), y.extents().end() - 2) : shape64();
    check_floats(
        got,
        [&](std::size_t flat) {
            const auto i = static_cast<std::int64_t>(flat);
            const std::int64_t row = i / n % m, column = i % n;
            const auto pair = index_of(flat / static_cast<std::size_t>(m * n), batch);
            const auto xb = static_cast<std::int64_t>(stretched(pair, x_batch)), yb = static_cast<std::int64_t>(stretched(pair, y_batch));
            double sum = 0;
            for (std::int64_t j = 0; j < k; ++j) sum += at(x, (xb * m + row) * k + j) * at(y, (yb * k + j) * n + column);
            return sum;
        },
        1e-5);
}

}  // namespace

TEST_CASE("MatMul multiplies matrices, stacks of them, and stretches stacks") {
    seeded random(201);
    for (int round = 0; round < 40; ++round) {
        const std::int64_t m = random.integer(1, 70), n = random.integer(1, 70), k = random.integer(1, 90);
        const shape64 batch = random.shape(static_cast<std::size_t>(random.integer(0, 2)), 5);
        shape64 x = batch, y = batch, result = batch;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const auto which = random.integer(0, 3);
            if (which == 0) x[i] = 1;
            if (which == 1) y[i] = 1;
            result[i] = std::max(x[i], y[i]);
        }
        const shape64 stacked = result;
        if (random.coin())
            while (!y.empty() && y[0] == 1) y.erase(y.begin());
        x.insert(x.end(), {m, k});
        y.insert(y.end(), {k, n});
        result.insert(result.end(), {m, n});
        INFO("seed 201, round " << round << ": " << to_string(float_type(x)) << " by " << to_string(float_type(y)));
        check_matmul(random.floats(x), random.floats(y), stacked, m, n, k, result);
    }
}

TEST_CASE("MatMul takes vectors on either side, and no terms at all give zero") {
    seeded random(202);
    check_matmul(random.floats({30}), random.floats({30, 20}), {}, 1, 20, 30, {20});
    check_matmul(random.floats({20, 30}), random.floats({30}), {}, 20, 1, 30, {20});
    check_matmul(random.floats({30}), random.floats({30}), {}, 1, 1, 30, {});
    check_matmul(random.floats({3, 0}), random.floats({0, 4}), {}, 3, 4, 0, {3, 4});
    check_matmul(random.floats({1, 300}), random.floats({300, 1000}), {}, 1, 1000, 300, {1, 1000});
}

TEST_CASE("Gemm transposes, scales and adds what is stretched") {
    seeded random(203);
    for (int round = 0; round < 40; ++round) {
        const std::int64_t m = random.integer(1, 60), n = random.integer(1, 60), k = random.integer(1, 60);
        const bool ta = random.coin(), tb = random.coin();
        const float alpha = random.coin() ? 1.0f : 0.5f, beta = random.coin() ? 1.0f : -2.0f;
        const tensor a = random.floats(ta ? shape64{k, m} : shape64{m, k}), b = random.floats(tb ? shape64{n, k} : shape64{k, n});
        const std::vector<shape64> thirds{{n}, {1, n}, {m, 1}, {m, n}, {1}, {}, {1, 1}};
        const auto which = random.integer(0, 7);
        const bool has = which < 7;
        const tensor c = random.floats(has ? thirds[static_cast<std::size_t>(which)] : shape64{});
        INFO("seed 203, round " << round << ": m " << m << " n " << n << " k " << k << " transA " << ta << " transB " << tb << " C "
                                << which);
        const attribute_map attributes{{"alpha", static_cast<double>(alpha)},
                                       {"beta", static_cast<double>(beta)},
                                       {"transA", std::int64_t{ta}},
                                       {"transB", std::int64_t{tb}}};
        const auto got =
            run_call(entry(linear_operators, "onnx.Gemm"), {given(a), random.coin() ? given(b) : known(b), has ? given(c) : absent()},
                     attributes, {float_type({m, n})})[0];
        check_floats(
            got,
            [&](std::size_t flat) {
                const auto i = static_cast<std::int64_t>(flat), row = i / n, column = i % n;
                double sum = 0;
                for (std::int64_t j = 0; j < k; ++j)
                    sum += at(a, ta ? j * m + row : row * k + j) * at(b, tb ? column * k + j : j * n + column);
                const double add = has ? at(c, static_cast<std::int64_t>(stretched({row, column}, c.extents()))) : 0.0;
                return static_cast<double>(alpha) * sum + static_cast<double>(beta) * add;
            },
            1e-5);
    }
}

TEST_CASE("products of other element types are refused") {
    const attribute_map none;
    const tensor x(element_type::float64, {2, 2});
    CHECK(entry(linear_operators, "onnx.MatMul").refuse(site("onnx.MatMul", {given(x), given(x)}, none, {x.type()})) ==
          "an operand is float64; the kernel takes float32");
}
