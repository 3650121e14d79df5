// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/einsum.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_einsum<>;

namespace {

inlay::attribute_map equation(const char* text) { return {{"equation", std::string(text)}}; }
tensor einsum(const char* text, const std::vector<tensor>& operands) {
    return result<ops_under_test>("onnx.Einsum", operands, equation(text));
}

}  // namespace

TEST_CASE("Einsum of one operand transposes, sums and takes diagonals") {
    const tensor m = counting({2, 3}), s = counting({3, 3});
    CHECK(elements_of<float>(einsum("ij->ji", {m})) == floats{0, 3, 1, 4, 2, 5});
    CHECK(einsum("ij->ji", {m}).extents() == ints{3, 2});
    CHECK(elements_of<float>(einsum("ij->", {m})) == floats{15});
    CHECK(elements_of<float>(einsum("ij->j", {m})) == floats{3, 5, 7});
    CHECK(elements_of<float>(einsum("ii->i", {s})) == floats{0, 4, 8});
    CHECK(elements_of<float>(einsum("ii", {s})) == floats{12});
    CHECK(elements_of<float>(einsum("ba", {m})) == floats{0, 3, 1, 4, 2, 5});
}

TEST_CASE("Einsum of several operands multiplies and sums over what the result does not name") {
    const tensor a = counting({2, 3}), b = counting({3, 2}, 1), v = tensor::of<float>({2}, floats{1, 10});
    CHECK(elements_of<float>(einsum("ij, jk -> ik", {a, b})) == floats{13, 16, 40, 52});
    CHECK(elements_of<float>(einsum("ij,jk", {a, b})) == floats{13, 16, 40, 52});
    CHECK(elements_of<float>(einsum("i,j->ij", {v, v})) == floats{1, 10, 10, 100});
    CHECK(elements_of<float>(einsum("ij,jk,k->i", {a, b, v})) == floats{173, 560});
}

TEST_CASE("Einsum's ellipsis stands for the axes that are left, aligned at the end") {
    const tensor a = counting({2, 1, 2, 2}), b = counting({3, 2, 2}, 1);
    const tensor y = einsum("...ij,...jk->...ik", {a, b});
    REQUIRE(y.extents() == ints{2, 3, 2, 2});
    const auto x = a.as<float>(), w = b.as<float>();
    std::size_t at = 0;
    for (std::size_t p = 0; p < 2; ++p)
        for (std::size_t q = 0; q < 3; ++q)
            for (std::size_t i = 0; i < 2; ++i)
                for (std::size_t k = 0; k < 2; ++k)
                    CHECK(y.as<float>()[at++] == x[p * 4 + i * 2] * w[q * 4 + k] + x[p * 4 + i * 2 + 1] * w[q * 4 + 2 + k]);
    CHECK(einsum("...i->i...", {counting({4, 5, 6})}).extents() == ints{6, 4, 5});
}

TEST_CASE("Einsum's type rule keeps symbols and refuses ill-formed equations") {
    CHECK(inferred<ops_under_test>("onnx.Einsum", {f32({symbol("b"), 5, 64}), f32({symbol("b"), symbol("t"), 64})},
                                   equation("bid,bjd->bij")) == "float32[b,5,t]");
    const auto no = [](const char* text, std::string_view words) {
        return refused<ops_under_test>("onnx.Einsum", {f32({2, 3}), f32({3, 4})}, equation(text), words);
    };
    CHECK(no("", "0 labels"));
    CHECK(no("ij", "1 terms for 2"));
    CHECK(no("ij,jk,kl->il", "more terms"));
    CHECK(no("ijk,jk->i", "labels"));
    CHECK(no("ij,j->i", "labels"));
    CHECK(no("ij,ik->j", "one label to extents"));
    CHECK(no("ij,jk->iz", "no operand has"));
    CHECK(no("ij,jk->ii", "twice"));
    CHECK(no("i3,jk->i", "where a letter"));
    CHECK(no("ij,jk->i.", "where a letter"));
    CHECK(no("......ij,jk->i", "where a letter"));
}

TEST_CASE("Einsum counts its terms") {
    const inlay::node_type a = f32({2, 3}), b = f32({3, 4}), y = f32({2, 4});
    const inlay::node_type* types[] = {&a, &b};
    const inlay::attribute_map attributes = equation("ij,jk->ik");
    CHECK(definition<ops_under_test>("onnx.Einsum").work({"onnx.Einsum", &attributes, types, {}, 1}, y).flops == 48);
}
