// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/bf16_product.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/loops/half_float.hpp>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

namespace {

double rounded(float x) { return bfloat16_bits::narrowed(static_cast<double>(x)).widened(); }

/// Each instruction set that takes products of so many rows.
std::vector<cpu_simd> back_ends(std::size_t rows) {
    std::vector<cpu_simd> list;
    for (const std::string& isa : instruction_sets()) {
        cpu_simd self;
        self.isa = isa;
        self.bf16 = true;
        if (simd::bf16_product::check_gain(self.table(), rows)) list.push_back(self);
    }
    return list;
}

/// The candidate that rounds, as a kernel, and what it gave for an input.
struct ran {
    std::string note;
    std::vector<float> result;
};
ran run(const cpu_simd& self, const ir_module& g, const std::vector<float>& input, executor_ref executor = {}) {
    const sized_match match = largest_match(self, g);
    for (const candidate& c : match.ways) {
        if (c.name != "matrix_product_bf16" && c.name != "gemm_bf16") continue;
        const auto k = emit_composite(self, {c.composite, &c.match->plan, c.view()});
        REQUIRE_MESSAGE(k.has_value(), (k ? "" : k.failure().message));
        const region_view view = c.view();
        ran r{k->note,
              std::vector<float>(stored_bytes(static_shape(view.type(view.results[0])), c.formats.results[0]) / sizeof(float), 77)};
        buffer workspace(k->workspace_bytes);
        std::fill(workspace.data(), workspace.data() + workspace.size(), std::byte{0xFF});
        const void* in[] = {input.data()};
        void* out[] = {r.result.data()};
        run_arguments a;
        a.inputs = in;
        a.results = out;
        a.workspace = workspace.data();
        a.executor = executor;
        CHECK((*k)(a));
        return r;
    }
    FAIL("no candidate rounds: ", match.refusal);
    return {};
}

std::vector<float> numbers(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> list(count);
    for (float& x : list) x = std::uniform_real_distribution<float>(-2, 2)(random);
    return list;
}

/// The bound of one result: both factors rounded by 2^-8 of themselves at most, `depth` sums by 2^-24 each.
double bound(double sizes, std::int64_t depth) {
    return sizes * (std::ldexp(1.0, -7) + std::ldexp(1.0, -16) + std::ldexp(1.0 * static_cast<double>(depth + 2), -23));
}

}  // namespace

TEST_CASE("results are those of the rounded numbers, and off from the exact ones by no more than rounding explains") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto pick = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        const std::int64_t rows = seed % 2 == 0 ? pick(1, 8) : pick(9, 50), depth = pick(1, 90), columns = pick(1, 150);
        CAPTURE(rows);
        CAPTURE(depth);
        CAPTURE(columns);
        small_graph t(seed);
        const std::vector<float> w = numbers(static_cast<std::size_t>(depth * columns), seed + 100),
                                 bias = numbers(static_cast<std::size_t>(columns), seed);
        const bool turned = pick(0, 1) == 0;
        tensor stored(element_type::float32, turned ? extents{columns, depth} : extents{depth, columns});
        for (std::int64_t k = 0; k < depth; ++k)
            for (std::int64_t c = 0; c < columns; ++c)
                stored.as<float>()[static_cast<std::size_t>(turned ? c * depth + k : k * columns + c)] =
                    w[static_cast<std::size_t>(k * columns + c)];
        tensor of_columns(element_type::float32, {columns});
        std::copy(bias.begin(), bias.end(), of_columns.as<float>().begin());
        const node_id y =
            t.call("onnx.Gemm", {t.input({rows, depth}), t.constant(stored), t.constant(of_columns)}, {{"transB", std::int64_t{turned}}});
        const ir_module g = t.finish(y);
        const std::vector<float> x = numbers(static_cast<std::size_t>(rows * depth), seed + 200);
        for (const cpu_simd& self : back_ends(static_cast<std::size_t>(rows))) {
            CAPTURE(self.isa);
            const ran got = run(self, g, x);
            const bool rounds_left = got.note.find("bf16 product") != std::string::npos;
            CHECK(rounds_left == (self.isa == "avx512" && processor_has_bf16_pairs() && rows > 1));
            double off_rounded = 0, past_bound = 0;
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < columns; ++c) {
                    double of_rounded = static_cast<double>(bias[static_cast<std::size_t>(c)]), exact = of_rounded, sizes = std::abs(exact);
                    for (std::int64_t k = 0; k < depth; ++k) {
                        const float left = x[static_cast<std::size_t>(r * depth + k)], right = w[static_cast<std::size_t>(k * columns + c)];
                        of_rounded += (rounds_left ? rounded(left) : static_cast<double>(left)) * rounded(right);
                        exact += static_cast<double>(left) * static_cast<double>(right);
                        sizes += std::abs(static_cast<double>(left) * static_cast<double>(right));
                    }
                    const auto found = static_cast<double>(got.result[static_cast<std::size_t>(r * columns + c)]);
                    off_rounded = std::max(off_rounded, std::abs(found - of_rounded) / sizes);
                    past_bound = std::max(past_bound, std::abs(found - exact) / bound(sizes, depth));
                }
            CHECK(off_rounded < 1e-6);
            CHECK(past_bound < 1);
        }
    }
}

TEST_CASE("batches, what follows and threads are as in products of float32") {
    for (const std::int64_t rows : {1, 7, 33})
        for (const std::int64_t columns : {1, 16, 75}) {
            CAPTURE(rows);
            CAPTURE(columns);
            small_graph t;
            const node_id x = t.call("onnx.Transpose", {t.input({2, rows, 3, 31})}, {{"perm", extents{0, 2, 1, 3}}});
            const node_id y = t.call("onnx.Add", {t.call("onnx.MatMul", {x, t.random({31, columns})}), t.random({columns})});
            const ir_module g = t.finish(t.call("onnx.Add", {t.call("onnx.Gelu", {y}), t.input({2, 3, rows, columns})}));
            for (cpu_simd self : back_ends(static_cast<std::size_t>(6 * rows))) {
                CAPTURE(self.isa);
                self.threads = 3;
                const taken got = take_by(self, g, std::ldexp(1.0, -7), -2, 2);
                check_taken(got, 5);
                CHECK(got.count("matrix_product_bf16") == 1);
                CHECK(got.count("matrix_product") == 1);
            }
        }
}

TEST_CASE("shared out, each part of a large product is computed once") {
    backwards_executor pieces;
    for (const std::int64_t rows : {1, 100}) {
        small_graph t;
        const ir_module g = t.finish(t.call("onnx.MatMul", {t.input({rows, 301}), t.random({301, 700})}));
        const std::vector<float> x = numbers(static_cast<std::size_t>(rows * 301), 9);
        for (cpu_simd self : back_ends(static_cast<std::size_t>(rows))) {
            CAPTURE(self.isa);
            self.threads = 3;
            CHECK(run(self, g, x, executor_ref(pieces)).result == run(self, g, x).result);
        }
    }
}

TEST_CASE("what is no number stays none in its row alone, and infinity stays") {
    const float infinity = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
    for (const std::int64_t rows : {3, 20}) {
        small_graph t;
        tensor w(element_type::float32, {5, 18});
        std::fill(w.as<float>().begin(), w.as<float>().end(), 1.0f);
        w.as<float>()[4 * 18 + 17] = infinity;
        const ir_module g = t.finish(t.call("onnx.MatMul", {t.input({rows, 5}), t.constant(w)}));
        std::vector<float> x(static_cast<std::size_t>(rows * 5), 1.0f);
        x[4] = none;
        x[5] = -infinity;
        x[10] = std::numeric_limits<float>::max();
        for (const cpu_simd& self : back_ends(static_cast<std::size_t>(rows))) {
            CAPTURE(self.isa);
            const std::vector<float> y = run(self, g, x).result;
            CHECK(std::all_of(y.begin(), y.begin() + 18, [](float e) { return std::isnan(e); }));
            CHECK(std::all_of(y.begin() + 18, y.begin() + 35, [&](float e) { return e == -infinity; }));
            CHECK(std::isnan(y[35]));
            CHECK(y[36] > 3e38f);
            CHECK(y[36 + 17] == infinity);
        }
    }
}

TEST_CASE("weights are packed once for kernels that share a store") {
    weight_store store;
    cpu_simd self;
    self.bf16 = true;
    self.weights = &store;
    small_graph t;
    const ir_module g = t.finish(t.call("onnx.MatMul", {t.input({1, 40}), t.random({40, 50})}));
    (void)take_by(self, g, std::ldexp(1.0, -7), -2, 2);
    const std::size_t count = store.count(), bytes = store.bytes();
    CHECK(count == 2);
    (void)take_by(self, g, std::ldexp(1.0, -7), -2, 2);
    CHECK(store.count() == count);
    CHECK(store.bytes() == bytes);
}

TEST_CASE("without the option nothing is rounded, and with it what gains nothing is refused") {
    small_graph t;
    const ir_module g = t.finish(t.call("onnx.MatMul", {t.input({1, 40}), t.random({40, 50})}));
    CHECK(expect_taken(g, 1).count("matrix_product_bf16") == 0);
    using simd::bf16_product;
    CHECK(bf16_product::check_allowed(true));
    CHECK(bf16_product::check_allowed(false).failure().message == "numbers are rounded to bfloat16 where the option -bf16=true allows it");
    cpu_simd narrow;
    narrow.isa = "scalar";
    CHECK(bf16_product::check_gain(narrow.table(), 8));
    CHECK(bf16_product::check_gain(narrow.table(), 9).failure().message.find("9 rows gain nothing") == 0);

    cpu_simd self;
    self.bf16 = true;
    small_graph u;
    const taken of_inputs = take_by(self, u.finish(u.call("onnx.MatMul", {u.input({2, 5}), u.input({5, 7})})), 2e-5, -2, 2);
    CHECK(of_inputs.count("matrix_product") == 1);
    CHECK(of_inputs.count("matrix_product_bf16") == 0);
    small_graph v;
    const taken several = take_by(self, v.finish(v.call("onnx.MatMul", {v.input({3, 2, 5}), v.random({3, 5, 7})})), 2e-5, -2, 2);
    CHECK(several.count("matrix_product_bf16") == 0);
    small_graph w;
    const node_id turned = w.call("onnx.Transpose", {w.input({5, 3})});
    const taken across = take_by(self, w.finish(w.call("onnx.MatMul", {turned, w.random({5, 7})})), 2e-5, -2, 2);
    CHECK(across.nodes == 2);
    CHECK(across.count("matrix_product") == 1);
    CHECK(across.count("matrix_product_bf16") == 0);
}
