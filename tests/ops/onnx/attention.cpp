// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/attention.hpp>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::attribute_map;
using inlay::tensor;
using ops_under_test = inlay::onnx_attentions<>;

namespace {

struct how {
    std::int64_t batches = 2, heads = 4, key_heads = 2, rows = 3, keys = 5, size = 2, value_size = 3;
    double scale = 0.7;
    double cap = 0;
    bool causal = false;
};

/// By definition: weights in double, one key after the other; `mask(b, h, i, j)` is added to a score.
template <class Mask>
floats by_definition(const how& s, const tensor& q, const tensor& k, const tensor& v, Mask mask) {
    floats y;
    const auto at = [](const tensor& t, std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
        const ints& e = t.extents();
        return static_cast<double>(t.as<float>()[static_cast<std::size_t>(((a * e[1] + b) * e[2] + c) * e[3] + d)]);
    };
    for (std::int64_t b = 0; b < s.batches; ++b)
        for (std::int64_t h = 0; h < s.heads; ++h)
            for (std::int64_t i = 0; i < s.rows; ++i) {
                const std::int64_t kh = h * s.key_heads / s.heads;
                std::vector<double> weight;
                double whole = 0;
                for (std::int64_t j = 0; j < s.keys; ++j) {
                    double dot = 0;
                    for (std::int64_t c = 0; c < s.size; ++c) dot += at(q, b, h, i, c) * at(k, b, kh, j, c);
                    dot *= s.scale;
                    if (s.cap != 0) dot = s.cap * std::tanh(dot / s.cap);
                    weight.push_back(s.causal && j > i ? 0 : std::exp(dot + mask(b, h, i, j)));
                    whole += weight.back();
                }
                for (std::int64_t c = 0; c < s.value_size; ++c) {
                    double sum = 0;
                    for (std::int64_t j = 0; j < s.keys; ++j) sum += weight[static_cast<std::size_t>(j)] / whole * at(v, b, kh, j, c);
                    y.push_back(static_cast<float>(sum));
                }
            }
    return y;
}

void check_near(const tensor& found, const floats& expected) {
    REQUIRE(found.ok());
    REQUIRE(found.count() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(found.as<float>()[i] == doctest::Approx(expected[i]).epsilon(1e-5));
}

/// [batch, head, row, size] as [batch, row, head x size].
tensor joined(const tensor& t) {
    const ints& e = t.extents();
    tensor made(t.element(), {e[0], e[2], e[1] * e[3]});
    for (std::int64_t b = 0; b < e[0]; ++b)
        for (std::int64_t h = 0; h < e[1]; ++h)
            for (std::int64_t i = 0; i < e[2]; ++i)
                for (std::int64_t c = 0; c < e[3]; ++c)
                    made.as<float>()[static_cast<std::size_t>(((b * e[2] + i) * e[1] + h) * e[3] + c)] =
                        t.as<float>()[static_cast<std::size_t>(((b * e[1] + h) * e[2] + i) * e[3] + c)];
    return made;
}

const auto no_mask = [](std::int64_t, std::int64_t, std::int64_t, std::int64_t) { return 0.0; };

}  // namespace

TEST_CASE("Attention weighs values by how their keys meet the query, heads sharing keys in groups") {
    for (const std::int64_t key_heads : {1, 2, 4})
        for (const bool causal : {false, true}) {
            how s;
            s.key_heads = key_heads;
            s.causal = causal;
            s.cap = causal ? 2.5 : 0;
            const tensor q = noise({2, 4, 3, 2}, 1), k = noise({2, key_heads, 5, 2}, 2), v = noise({2, key_heads, 5, 3}, 3);
            attribute_map a{{"scale", 0.7}};
            if (causal) a.set("is_causal", std::int64_t{1}), a.set("softcap", 2.5);
            const tensor y = result<ops_under_test>("onnx.Attention", {q, k, v}, a);
            CHECK(y.extents() == ints{2, 4, 3, 3});
            check_near(y, by_definition(s, q, k, v, no_mask));
            a.set("q_num_heads", std::int64_t{4});
            a.set("kv_num_heads", key_heads);
            const tensor flat = result<ops_under_test>("onnx.Attention", {joined(q), joined(k), joined(v)}, a);
            CHECK(flat.extents() == ints{2, 3, 12});
            check_near(flat, elements_of<float>(joined(y)));
        }
}

TEST_CASE("the scale of Attention is one over the root of a head's size unless it is given") {
    how s;
    s.scale = 1 / std::sqrt(2.0);
    const tensor q = noise({2, 4, 3, 2}, 1), k = noise({2, 2, 5, 2}, 2), v = noise({2, 2, 5, 3}, 3);
    check_near(result<ops_under_test>("onnx.Attention", {q, k, v}), by_definition(s, q, k, v, no_mask));
}

TEST_CASE("a mask of numbers is added to the scores, one of truths lets scores through, and both are stretched") {
    how s;
    const tensor q = noise({2, 4, 3, 2}, 1), k = noise({2, 2, 5, 2}, 2), v = noise({2, 2, 5, 3}, 3), added = noise({4, 1, 5}, 4);
    const attribute_map a{{"scale", 0.7}};
    check_near(result<ops_under_test>("onnx.Attention", {q, k, v, added}, a),
               by_definition(s, q, k, v, [&](auto, std::int64_t h, auto, std::int64_t j) {
                   return static_cast<double>(added.as<float>()[static_cast<std::size_t>(h * 5 + j)]);
               }));
    tensor kept(inlay::element_type::boolean, {2, 1, 3, 5});
    for (std::size_t i = 0; i < kept.count(); ++i) kept.as<bool>()[i] = i % 5 == 0 || i % 3 == 0;
    check_near(result<ops_under_test>("onnx.Attention", {q, k, v, kept}, a),
               by_definition(s, q, k, v, [&](std::int64_t b, auto, std::int64_t i, std::int64_t j) {
                   return kept.as<bool>()[static_cast<std::size_t>((b * 3 + i) * 5 + j)] ? 0.0 : -std::numeric_limits<double>::infinity();
               }));
}

TEST_CASE("a window of newer forms of Attention is refused, and -1 is none") {
    const std::vector<sample_operand> three{f32({1, 1, 3, 2}), f32({1, 1, 3, 2}), f32({1, 1, 3, 2})};
    for (const char* side : {"left_window_size", "right_window_size"}) {
        CHECK(refused<ops_under_test>("onnx.Attention", three, {{side, std::int64_t{1}}}, side));
        CHECK(inferred<ops_under_test>("onnx.Attention", three, {{side, std::int64_t{-1}}}) == "float32[1,1,3,2]");
    }
}

TEST_CASE("a row that keeps no key gives no number, no keys at all give zeros") {
    const tensor q = noise({1, 1, 1, 2}, 1), k = noise({1, 1, 2, 2}, 2), v = noise({1, 1, 2, 1}, 3);
    CHECK(std::isnan(result<ops_under_test>("onnx.Attention", {q, k, v, tensor(inlay::element_type::boolean, {2})}).as<float>()[0]));
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Attention", {q, noise({1, 1, 0, 2}, 2), noise({1, 1, 0, 1}, 3)})) == floats{0});
}

TEST_CASE("Attention's type has the query's rows and the value's size, with symbols") {
    const attribute_map heads{{"q_num_heads", std::int64_t{4}}, {"kv_num_heads", std::int64_t{2}}};
    const auto n = symbol("n"), b = symbol("b");
    CHECK(inferred<ops_under_test>("onnx.Attention", {f32({b, 4, n, 8}), f32({b, 2, 7, 8}), f32({b, 2, 7, 3})}) == "float32[b,4,n,3]");
    CHECK(inferred<ops_under_test>("onnx.Attention", {f32({b, n, 32}), f32({b, 7, 16}), f32({b, 7, 6})}, heads) == "float32[b,n,12]");
    const auto says = [&](const std::vector<sample_operand>& operands, std::string_view words, std::size_t outputs = 1) {
        CHECK_MESSAGE(refused<ops_under_test>("onnx.Attention", operands, heads, words, outputs),
                      inferred<ops_under_test>("onnx.Attention", operands, heads, outputs));
    };
    says({f32({1, 4, 3, 8}), f32({1, 2, 7, 6}), f32({1, 2, 7, 3})}, "sizes of a head");
    says({f32({1, 4, 3, 8}), f32({1, 2, 7, 8}), f32({1, 2, 6, 3})}, "numbers of keys");
    says({f32({1, 4, 3, 8}), f32({1, 3, 7, 8}), f32({1, 3, 7, 3})}, "heads");
    says({f32({2, 4, 3, 8}), f32({1, 4, 7, 8}), f32({1, 4, 7, 3})}, "batches");
    says({f32({2, 4, 3, 8}), f32({2, 7, 8}), f32({2, 7, 8})}, "ranks");
    says({f32({2, 4}), f32({2, 4}), f32({2, 4})}, "rank of 3 or 4");
    says({f32({1, 3, 30}), f32({1, 7, 16}), f32({1, 7, 6})}, "4 heads do not divide");
    says({f32({1, 4, 3, 8}), f32({1, 4, 7, 8}), f32({1, 4, 7, 3}), f32({2, 7})}, "cannot stretch its mask");
    says({f32({1, 4, 3, 8}), f32({1, 4, 7, 8}), f32({1, 4, 7, 3}), i64({3, 7})}, "element type");
    says({f32({1, 4, 3, 8}), f32({1, 4, 7, 8}), f32({1, 4, 7, 3}), {}, f32({1, 4, 2, 8}), f32({1, 4, 2, 3})}, "past keys");
    says({f32({1, 4, 3, 8}), f32({1, 4, 7, 8}), f32({1, 4, 7, 3})}, "further results", 3);
    CHECK(refused<ops_under_test>("onnx.Attention", {f32({1, 3, 8}), f32({1, 3, 8}), f32({1, 3, 8})}, {}, "q_num_heads"));
}
