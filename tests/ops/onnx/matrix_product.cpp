// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/matrix_product.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_matrix_product<>;

namespace {

// Element by element, with the batch index of each operand taken modulo its own extents, aligned at the end.
template <class T>
std::vector<T> matmul_by_definition(const tensor& a, const tensor& b, const ints& lead, std::int64_t m, std::int64_t k, std::int64_t n) {
    const auto batch_at = [&](const ints& extents, std::int64_t batch) {
        std::int64_t at = 0, step = 1;
        for (std::size_t i = 0; i < lead.size(); ++i) {
            const std::int64_t index = batch % lead[lead.size() - 1 - i];
            batch /= lead[lead.size() - 1 - i];
            if (i + 2 >= extents.size()) continue;
            const std::int64_t own = extents[extents.size() - 3 - i];
            at += (own == 1 ? 0 : index) * step;
            step *= own;
        }
        return at;
    };
    std::int64_t batches = 1;
    for (const std::int64_t e : lead) batches *= e;
    std::vector<T> y;
    for (std::int64_t batch = 0; batch < batches; ++batch)
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                T sum = 0;
                for (std::int64_t c = 0; c < k; ++c)
                    sum += a.as<T>()[static_cast<std::size_t>((batch_at(a.extents(), batch) * m + i) * k + c)] *
                           b.as<T>()[static_cast<std::size_t>((batch_at(b.extents(), batch) * k + c) * n + j)];
                y.push_back(sum);
            }
    return y;
}

}  // namespace

TEST_CASE("MatMul multiplies the last two axes and stretches the others") {
    struct sample {
        ints a, b, lead;
    };
    for (const sample& s : {sample{{3, 4}, {4, 5}, {}}, sample{{2, 3, 4}, {4, 5}, {2}}, sample{{3, 4}, {2, 4, 5}, {2}},
                            sample{{2, 1, 3, 4}, {6, 4, 5}, {2, 6}}, sample{{2, 3, 4}, {1, 1, 4, 5}, {1, 2}},
                            sample{{1, 3, 4}, {7, 4, 5}, {7}}, sample{{70, 300}, {300, 270}, {}}, sample{{0, 4}, {4, 5}, {}},
                            sample{{3, 0}, {0, 5}, {}}, sample{{2, 0, 3, 4}, {4, 1}, {2, 0}}}) {
        const tensor a = noise(s.a, 1), b = noise(s.b, 2);
        const std::int64_t m = s.a[s.a.size() - 2], k = s.a.back(), n = s.b.back();
        const tensor y = result<ops_under_test>("onnx.MatMul", {a, b});
        ints extents = s.lead;
        extents.insert(extents.end(), {m, n});
        REQUIRE(y.ok());
        CHECK(y.extents() == extents);
        CHECK(elements_of<float>(y) == matmul_by_definition<float>(a, b, s.lead, m, k, n));
    }
}

TEST_CASE("MatMul reads a vector as a row on the left and as a column on the right") {
    const tensor v = tensor::of<float>({3}, floats{1, 2, 3}), m = counting({2, 3, 2});
    const tensor left = result<ops_under_test>("onnx.MatMul", {v, m});
    CHECK(left.extents() == ints{2, 2});
    CHECK(elements_of<float>(left) == floats{16, 22, 52, 58});
    const tensor right = result<ops_under_test>("onnx.MatMul", {counting({2, 2, 3}), v});
    CHECK(right.extents() == ints{2, 2});
    CHECK(elements_of<float>(right) == floats{8, 26, 44, 62});
    const tensor both = result<ops_under_test>("onnx.MatMul", {v, v});
    CHECK(both.rank() == 0);
    CHECK(elements_of<float>(both) == floats{14});
}

TEST_CASE("MatMul of integers wraps, and of doubles keeps their precision") {
    const tensor a = tensor::of<std::int64_t>({1, 2}, ints{INT64_MAX, -3}), b = tensor::of<std::int64_t>({2, 1}, ints{2, 5});
    CHECK(elements_of<std::int64_t>(result<ops_under_test>("onnx.MatMul", {a, b})) == ints{-2 - 15});
    const tensor c = tensor::of<std::int32_t>({1, 2}, std::vector<std::int32_t>{-7, 3}),
                 d = tensor::of<std::int32_t>({2, 1}, std::vector<std::int32_t>{2, 5});
    CHECK(elements_of<std::int32_t>(result<ops_under_test>("onnx.MatMul", {c, d})) == std::vector<std::int32_t>{1});
    const std::vector<double> fine{1.0, 1e-12};
    const tensor e = tensor::of<double>({1, 2}, fine), f = tensor::of<double>({2, 1}, std::vector<double>{1.0, 1.0});
    CHECK(elements_of<double>(result<ops_under_test>("onnx.MatMul", {e, f})) == std::vector<double>{1.0 + 1e-12});
}

TEST_CASE("Gemm transposes either operand, scales, and adds a stretched third") {
    for (const bool flip_a : {false, true})
        for (const bool flip_b : {false, true})
            for (const ints& c_extents : {ints{}, ints{4}, ints{3, 1}, ints{1, 4}, ints{3, 4}, ints{-1}}) {
                const bool has_c = c_extents != ints{-1};
                const tensor a = noise(flip_a ? ints{5, 3} : ints{3, 5}, 1), b = noise(flip_b ? ints{4, 5} : ints{5, 4}, 2),
                             c = has_c ? noise(c_extents, 3) : tensor();
                floats expected;
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::size_t j = 0; j < 4; ++j) {
                        float sum = 0;
                        for (std::size_t k = 0; k < 5; ++k)
                            sum += a.as<float>()[flip_a ? k * 3 + i : i * 5 + k] * b.as<float>()[flip_b ? j * 5 + k : k * 4 + j];
                        float added = 0;
                        if (has_c) {
                            const auto values = c.as<float>();
                            added = c.count() == 1    ? values[0]
                                    : c.count() == 12 ? values[i * 4 + j]
                                    : c.count() == 3  ? values[i]
                                                      : values[j];
                        }
                        expected.push_back(0.5f * sum + 2 * added);
                    }
                const tensor y = result<ops_under_test>(
                    "onnx.Gemm", {a, b, c},
                    {{"transA", std::int64_t{flip_a}}, {"transB", std::int64_t{flip_b}}, {"alpha", 0.5}, {"beta", 2.0}});
                CHECK(y.extents() == ints{3, 4});
                CHECK(elements_of<float>(y) == expected);
            }
}

TEST_CASE("Gemm of integers is exact without factors, and rounds towards zero with them") {
    const auto of = [](ints extents, std::vector<std::int32_t> v) { return tensor::of<std::int32_t>(std::move(extents), v); };
    const std::vector<tensor> operands{of({1, 2}, {3, 4}), of({2, 1}, {5, -2}), of({1}, {100})};
    CHECK(elements_of<std::int32_t>(result<ops_under_test>("onnx.Gemm", operands)) == std::vector<std::int32_t>{107});
    CHECK(elements_of<std::int32_t>(result<ops_under_test>("onnx.Gemm", operands, {{"alpha", 0.5}})) == std::vector<std::int32_t>{103});
}

TEST_CASE("Type rules of matrix products keep symbols") {
    CHECK(inferred<ops_under_test>("onnx.MatMul", {f32({symbol("b"), symbol("s"), 768}), f32({768, 3072})}) == "float32[b,s,3072]");
    CHECK(inferred<ops_under_test>("onnx.MatMul", {f32({symbol("b"), 12, symbol("s"), 64}), f32({symbol("b"), 12, 64, symbol("s")})}) ==
          "float32[b,12,s,s]");
    CHECK(inferred<ops_under_test>("onnx.MatMul", {f32({symbol("k")}), f32({4, 768, 5})}) == "float32[4,5]");
    CHECK(inferred<ops_under_test>("onnx.MatMul", {inlay::tensor_type(inlay::element_type::float32), f32({4})}) == "float32[*]");
    CHECK(inferred<ops_under_test>("onnx.Gemm", {f32({symbol("n"), 4}), f32({7, 4}), f32({7})}, {{"transB", std::int64_t{1}}}) ==
          "float32[n,7]");
    CHECK(inferred<ops_under_test>("onnx.Gemm", {inlay::tensor_type(inlay::element_type::none), f32({4, 7})}) == "float32[?,7]");
}

TEST_CASE("Matrix products refuse what does not fit with a sentence") {
    CHECK(refused<ops_under_test>("onnx.MatMul", {f32({2, 3}), f32({4, 2})}, {}, "inner extents differ"));
    CHECK(refused<ops_under_test>("onnx.MatMul", {f32({}), f32({4, 2})}, {}, "rank of 1"));
    CHECK(refused<ops_under_test>("onnx.MatMul", {f32({2, 3, 4}), f32({3, 4, 2})}, {}, "cannot stretch"));
    CHECK(refused<ops_under_test>("onnx.MatMul", {f32({2, 3}), i64({3, 2})}, {}, "must be one"));
    CHECK(refused<ops_under_test>("onnx.MatMul", {f32({2, 3})}, {}, "needs operand 1"));
    CHECK(refused<ops_under_test>("onnx.MatMul", {f32({INT64_MAX, 3}), f32({3, 9})}, {}, "beyond counting"));
    CHECK(refused<ops_under_test>("onnx.Gemm", {f32({2, 3}), f32({2, 3})}, {}, "inner extents differ"));
    CHECK(refused<ops_under_test>("onnx.Gemm", {f32({2, 3}), f32({2, 3})}, {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}},
                                  "transposed"));
    CHECK(refused<ops_under_test>("onnx.Gemm", {f32({2, 3}), f32({3})}, {}, "a matrix is expected"));
    CHECK(refused<ops_under_test>("onnx.Gemm", {f32({2, 3}), f32({3, 4}), f32({3})}, {}, "cannot stretch"));
    CHECK(refused<ops_under_test>("onnx.Gemm", {f32({2, 3}), f32({3, 4}), f32({1, 1, 4})}, {}, "cannot stretch"));
}

TEST_CASE("Matrix products count two flops for each product") {
    const inlay::node_type a = f32({2, 3, 4}), b = f32({4, 5}), y = f32({2, 3, 5});
    const inlay::node_type* types[] = {&a, &b};
    const inlay::attribute_map none;
    CHECK(definition<ops_under_test>("onnx.MatMul").work({"onnx.MatMul", &none, types, {}, 1}, y).flops == 2.0 * 4 * 30);
    CHECK(definition<ops_under_test>("onnx.MatMul").work({"onnx.MatMul", &none, types, {}, 1}, y).bytes == 4.0 * (24 + 20 + 30));
}
