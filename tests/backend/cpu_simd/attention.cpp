// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/attention.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

/// Softmax of scores, and the product with values.
node_id mixed(small_graph& t, node_id scores, node_id values) {
    return t.call("onnx.MatMul", {t.call("onnx.Softmax", {scores}, {{"axis", std::int64_t{-1}}}), values});
}
node_id turned(small_graph& t, node_id x, extents order) { return t.call("onnx.Transpose", {x}, {{"perm", std::move(order)}}); }

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Matrices that lie one after the other, and a state for them, run without a region.
struct plain_attention {
    std::size_t heads, rows, keys, depth, width;
    std::vector<float> q, k, v, mask;  // the mask is one for all heads

    plain_attention(unsigned seed, std::size_t head_count, std::size_t row_count, std::size_t key_count, std::size_t inner,
                    std::size_t column_count)
        : heads(head_count),
          rows(row_count),
          keys(key_count),
          depth(inner),
          width(column_count),
          q(heads * rows * depth),
          k(heads * keys * depth),
          v(heads * keys * width),
          mask(rows * keys) {
        std::mt19937 random(seed);
        for (auto* each : {&q, &k, &v, &mask})
            for (float& x : *each) x = std::uniform_real_distribution<float>(-2, 2)(random);
    }

    [[nodiscard]] simd::attention state(const simd::kernel_table& table, std::size_t threads = 1) const {
        simd::attention s;
        const auto begins = [&](std::size_t floats) {
            std::vector<std::ptrdiff_t> list;
            for (std::size_t h = 0; h < heads; ++h) list.push_back(static_cast<std::ptrdiff_t>(h * floats));
            return list;
        };
        const auto operand = [&](value_id value, std::size_t row, std::size_t column, std::size_t floats) {
            simd::matrix_product::operand o;
            o.value = value;
            o.row = static_cast<std::ptrdiff_t>(row);
            o.column = static_cast<std::ptrdiff_t>(column);
            o.batches = begins(floats);
            return o;
        };
        s.scores.a = operand(0, depth, 1, rows * depth);
        s.scores.b = operand(1, 1, depth, keys * depth);
        s.mix.b = operand(2, width, 1, keys * width);
        s.mask = operand(3, keys, 1, 0);
        s.scores.depth = depth;
        s.scores.columns = s.mix.depth = keys;
        s.mix.columns = width;
        s.mix.results = s.scores.results = begins(rows * width);
        s.mix.result_row = static_cast<std::ptrdiff_t>(width);
        for (simd::matrix_product* each : {&s.scores, &s.mix}) {
            each->table = &table;
            each->rows = rows;
            each->size = simd::best_tile(table, rows, each->columns);
            each->packs_b = true;
        }
        s.plan(threads);
        return s;
    }

    [[nodiscard]] std::vector<float> run(const simd::attention& s) const {
        std::vector<float> y(heads * rows * width, std::numeric_limits<float>::quiet_NaN());
        buffer workspace(s.workspace());
        std::fill(workspace.data(), workspace.data() + workspace.size(), std::byte{0xFF});
        const void* in[] = {q.data(), k.data(), v.data(), mask.data()};
        void* out[] = {y.data()};
        run_arguments a;
        a.inputs = in;
        a.results = out;
        a.workspace = workspace.data();
        CHECK(s.run(a));
        return y;
    }

    [[nodiscard]] std::vector<double> definition() const {
        std::vector<double> y(heads * rows * width);
        std::vector<double> row(keys);
        for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t i = 0; i < rows; ++i) {
                double largest = -std::numeric_limits<double>::infinity(), sum = 0;
                for (std::size_t n = 0; n < keys; ++n) {
                    row[n] = static_cast<double>(mask[i * keys + n]);
                    for (std::size_t d = 0; d < depth; ++d)
                        row[n] += static_cast<double>(q[(h * rows + i) * depth + d]) * static_cast<double>(k[(h * keys + n) * depth + d]);
                    largest = std::max(largest, row[n]);
                }
                for (double& x : row) sum += x = std::exp(x - largest);
                for (std::size_t n = 0; n < keys; ++n)
                    for (std::size_t c = 0; c < width; ++c)
                        y[(h * rows + i) * width + c] += row[n] / sum * static_cast<double>(v[(h * keys + n) * width + c]);
            }
        return y;
    }
};

/// The largest difference over the largest expected number; infinity where one is no number and the other is.
template <class T>
double difference(const std::vector<float>& got, const std::vector<T>& wanted) {
    double most = 0, largest = 1e-30;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (std::isnan(got[i]) != std::isnan(wanted[i])) return std::numeric_limits<double>::infinity();
        if (std::isnan(got[i])) continue;
        most = std::max(most, std::abs(static_cast<double>(got[i]) - static_cast<double>(wanted[i])));
        largest = std::max(largest, std::abs(static_cast<double>(wanted[i])));
    }
    return most / largest;
}

/// Kernels of each instruction set that there is.
template <class F>
void for_each_table(F&& f) {
    for (const std::string& isa : instruction_sets()) {
        CAPTURE(isa);
        cpu_simd self;
        self.isa = isa;
        f(*self.table());
    }
}
/// The state with rows cut into blocks of about so many keys.
simd::attention cut(simd::attention s, std::size_t keys) {
    s.keys = std::min(std::max<std::size_t>(keys / s.scores.width(), 1) * s.scores.width(), s.scores.columns);
    return s;
}

}  // namespace

TEST_CASE("attention over heads that lie side by side agrees with its definition, whatever its extents and its mask") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t batch = pick(1, 2), heads = pick(1, 4), rows = pick(1, 50), keys = pick(1, 90), depth = pick(1, 40),
                           width = pick(1, 40);
        small_graph t(seed);
        std::size_t nodes = 3;
        node_id q = t.input({batch, heads, rows, depth}), k = t.input({batch, heads, depth, keys}),
                v = t.input({batch, heads, keys, width});
        if (pick(0, 1) == 0) {
            q = turned(t, t.input({batch, rows, heads, depth}), {0, 2, 1, 3});
            k = turned(t, t.input({batch, keys, heads, depth}), {0, 2, 3, 1});
            v = turned(t, t.input({batch, keys, heads, width}), {0, 2, 1, 3});
            nodes += 3;
        }
        if (pick(0, 3) == 0) q = t.call("onnx.Mul", {q, t.scalar(0.5f)}), k = t.call("onnx.Div", {k, t.scalar(3)}), nodes += 2;
        node_id scores = t.call("onnx.MatMul", {q, k});
        if (pick(0, 1) == 0) scores = t.call("onnx.Div", {scores, t.scalar(2)}), ++nodes;
        const extents masks[] = {{keys}, {batch, 1, 1, keys}, {1, 1, rows, keys}, {batch, heads, rows, keys}};
        if (const auto m = static_cast<std::size_t>(pick(0, 7)); m < 4)
            scores = t.call("onnx.Add", {scores, m == 0 ? t.random(masks[m]) : t.input(masks[m])}), ++nodes;
        node_id y = mixed(t, scores, v);
        if (pick(0, 1) == 0) y = turned(t, y, {0, 2, 1, 3}), ++nodes;
        CHECK(expect_taken(t.finish(y), nodes).composite == "attention");
    }
}

TEST_CASE("attention of many rows and keys goes block by block") {
    small_graph t;
    const node_id scores = t.call("onnx.MatMul", {t.input({300, 16}), t.input({16, 700})});
    CHECK(expect_taken(t.finish(mixed(t, scores, t.input({700, 33}))), 3).composite == "attention");
}

TEST_CASE("rows of keys around the borders of their blocks agree with the definition, under masks that hide some") {
    constexpr auto most = static_cast<std::int64_t>(simd::attention::most_keys);
    for (const std::int64_t keys : {most - 1, most, most + 1, 2 * most - 1, 2 * most, 2 * most + 1})
        for (const std::int64_t rows : {1, 19}) {
            CAPTURE(keys);
            CAPTURE(rows);
            small_graph t;
            const node_id scores = t.call("onnx.MatMul", {t.input({2, rows, 5}), turned(t, t.input({2, keys, 5}), {0, 2, 1})});
            // Each row sees the keys up to its own end, as in a causal mask; the first row sees one.
            tensor mask(element_type::float32, {rows, keys});
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t n = 0; n < keys; ++n)
                    mask.as<float>()[static_cast<std::size_t>(i * keys + n)] = n <= i * keys / rows ? 0 : -infinity;
            const node_id hidden = t.call("onnx.Add", {scores, t.constant(mask)});
            CHECK(expect_taken(t.finish(mixed(t, hidden, t.input({2, keys, 7}))), 5).composite == "attention");
        }
}

TEST_CASE("law: rows cut into blocks of keys come to what whole rows come to") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::size_t low, std::size_t high) { return std::uniform_int_distribution<std::size_t>(low, high)(random); };
        const plain_attention one(seed, pick(1, 3), pick(1, 40), pick(2, 600), pick(1, 70), pick(1, 70));
        const std::size_t keys = pick(1, one.keys);
        const std::vector<double> wanted = one.definition();
        for_each_table([&](const simd::kernel_table& table) {
            const simd::attention state = one.state(table);
            const std::vector<float> whole = one.run(cut(state, one.keys + state.scores.width()));
            CHECK(difference(one.run(cut(state, keys)), whole) < 2e-6);
            CHECK(difference(whole, wanted) < 2e-5);
        });
    }
}

TEST_CASE("blocks of keys that are hidden change nothing, and a row that sees no key is no number") {
    plain_attention one(5, 2, 9, 400, 8, 6);
    const auto hide = [&](std::size_t row, std::size_t begin, std::size_t end) {
        std::fill_n(one.mask.begin() + static_cast<std::ptrdiff_t>(row * one.keys + begin), end - begin, -infinity);
    };
    hide(0, 0, 400);
    hide(1, 0, 399);
    hide(2, 1, 400);
    hide(3, 0, 200);
    hide(4, 200, 400);
    hide(5, 100, 300);
    const std::vector<double> wanted = one.definition();
    CHECK(std::isnan(wanted[0]));
    CHECK_FALSE(std::isnan(wanted[6]));
    for_each_table([&](const simd::kernel_table& table) {
        for (const std::size_t keys : {1u, 64u, 128u, 400u}) CHECK(difference(one.run(cut(one.state(table), keys)), wanted) < 2e-5);
    });
}

TEST_CASE("scores far apart or beyond all numbers keep to the definition") {
    plain_attention one(6, 1, 8, 300, 4, 5);
    const auto score = [&](std::size_t row, std::size_t key) -> float& { return one.mask[row * one.keys + key]; };
    for (std::size_t n = 0; n < one.keys; ++n) {
        score(0, n) = 3e38f;
        score(1, n) = -3e38f;
        score(2, n) += static_cast<float>(n) * 50;
        score(3, n) -= static_cast<float>(n) * 50;
    }
    score(4, 7) = 3e38f;
    score(5, 290) = 3e38f;
    score(6, 150) = infinity;
    score(7, 150) = std::numeric_limits<float>::quiet_NaN();
    std::vector<double> wanted = one.definition();
    for (const std::size_t row : {6u, 7u}) CHECK(std::isnan(wanted[row * one.width]));
    // So large, float32 holds nothing of the products: the scores are equal, and the result is the mean of the values.
    for (std::size_t at = 0; at < 2 * one.width; ++at) {
        wanted[at] = 0;
        for (std::size_t n = 0; n < one.keys; ++n) wanted[at] += static_cast<double>(one.v[n * one.width + at % one.width]) / 300;
    }
    for_each_table([&](const simd::kernel_table& table) {
        for (const std::size_t keys : {1u, 64u, 300u}) CHECK(difference(one.run(cut(one.state(table), keys)), wanted) < 2e-5);
    });
}

TEST_CASE("what is kept of scores does not grow with the sequence") {
    const simd::kernel_table& table = *cpu_simd().table();
    const auto scratch = [&](std::size_t keys) {
        const simd::attention s = plain_attention(1, 1, 64, keys, 4, 4).state(table, 3);
        return s.workspace() - (s.scores.b_floats() + s.mix.b_floats()) * sizeof(float);
    };
    CHECK(scratch(64 * simd::attention::most_keys) <= scratch(2 * simd::attention::most_keys) + 64);
}

TEST_CASE("what is no attention of ours is left to others, with the reason") {
    SUBCASE("constant keys") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.random({8, 5})});
        CHECK(why_not(t.finish(mixed(t, scores, t.input({5, 3})))) == "an operand of the attention is a constant");
    }
    SUBCASE("softmax along the rows") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.input({8, 5})});
        const node_id weights = t.call("onnx.Softmax", {scores}, {{"axis", std::int64_t{0}}});
        CHECK(why_not(t.finish(t.call("onnx.MatMul", {weights, t.input({5, 3})}))) == "softmax is along axis 0, not the last");
    }
    SUBCASE("a mask of one number for each row") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.input({8, 5})});
        const node_id masked = t.call("onnx.Add", {scores, t.input({4, 1})});
        CHECK(why_not(t.finish(mixed(t, masked, t.input({5, 3})))).find("which is no row, matrix or batch of the scores") !=
              std::string::npos);
    }
    SUBCASE("a factor that is a row") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.input({8, 5})});
        const node_id scaled = t.call("onnx.Mul", {scores, t.random({5})});
        CHECK(why_not(t.finish(mixed(t, scaled, t.input({5, 3})))) == "onnx.Mul in the attention is not by one constant number");
    }
    SUBCASE("queries whose elements do not lie side by side") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {turned(t, t.input({8, 4}), {1, 0}), t.input({8, 5})});
        CHECK(why_not(t.finish(mixed(t, scores, t.input({5, 3})))).find("the queries are transposed") != std::string::npos);
    }
    SUBCASE("a result whose columns do not lie side by side") {
        small_graph t;
        const node_id scores = t.call("onnx.MatMul", {t.input({4, 8}), t.input({8, 5})});
        CHECK(why_not(t.finish(turned(t, mixed(t, scores, t.input({5, 3})), {1, 0}))).find("the result is transposed") !=
              std::string::npos);
    }
}
