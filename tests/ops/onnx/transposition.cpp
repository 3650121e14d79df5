// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/onnx/transposition.hpp>

#include <doctest/doctest.h>

#include "ops/sample_call.hpp"

using namespace inlay_test;
using inlay::tensor;
using ops_under_test = inlay::onnx_transposition<>;

TEST_CASE("Transpose puts the element at (i, j, k) where the order of axes says") {
    const std::size_t e[] = {2, 3, 4};
    const tensor x = counting({2, 3, 4});
    ints order{0, 1, 2};
    do {
        const tensor y = result<ops_under_test>("onnx.Transpose", {x}, {{"perm", order}});
        REQUIRE(y.ok());
        std::size_t index[3];
        for (index[0] = 0; index[0] < 2; ++index[0])
            for (index[1] = 0; index[1] < 3; ++index[1])
                for (index[2] = 0; index[2] < 4; ++index[2]) {
                    std::size_t at = 0;
                    for (const std::int64_t axis : order)
                        at = at * e[static_cast<std::size_t>(axis)] + index[static_cast<std::size_t>(axis)];
                    CHECK(y.as<float>()[at] == static_cast<float>((index[0] * 3 + index[1]) * 4 + index[2]));
                }
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Transpose", {counting({2, 3})})) == floats{0, 3, 1, 4, 2, 5});
    CHECK(elements_of<float>(result<ops_under_test>("onnx.Transpose", {counting({})})) == floats{0});
    CHECK(result<ops_under_test>("onnx.Transpose", {counting({0, 3})}).extents() == ints{3, 0});
}

TEST_CASE("Transpose moves elements of any width") {
    const tensor b = tensor::of<std::uint8_t>({2, 2}, std::vector<std::uint8_t>{1, 2, 3, 4});
    CHECK(elements_of<std::uint8_t>(result<ops_under_test>("onnx.Transpose", {b})) == std::vector<std::uint8_t>{1, 3, 2, 4});
    const tensor h = *inlay::convert_elements(counting({2, 2}), inlay::element_type::float16);
    const tensor y = result<ops_under_test>("onnx.Transpose", {h});
    REQUIRE(y.element() == inlay::element_type::float16);
    CHECK(elements_of<float>(*inlay::convert_elements(y, inlay::element_type::float32)) == floats{0, 2, 1, 3});
}

TEST_CASE("Transpose's type rule keeps symbols and refuses lists that are no order") {
    const auto typed = [](const ints& perm) {
        return inferred<ops_under_test>("onnx.Transpose", {f32({symbol("n"), 3, 4})}, {{"perm", perm}});
    };
    CHECK(typed({2, 0, 1}) == "float32[4,n,3]");
    CHECK(typed({0, 1}).starts_with("error:"));
    CHECK(typed({0, 1, 1}).find("twice") != std::string::npos);
    CHECK(typed({0, 1, 3}).find("axis 3") != std::string::npos);
    CHECK(typed({0, 1, -1}).find("axis -1") != std::string::npos);
    CHECK(inferred<ops_under_test>("onnx.Transpose", {inlay::tensor_type(inlay::element_type::float32)}, {{"perm", ints{1, 0}}}) ==
          "float32[?,?]");
    CHECK(inferred<ops_under_test>("onnx.Transpose", {inlay::tensor_type(inlay::element_type::float32)}) == "float32[*]");
}

TEST_CASE("DepthToSpace lays channels out as blocks, depth first or channel first") {
    const tensor x = counting({1, 8, 1, 2});
    const inlay::attribute_map depth{{"blocksize", std::int64_t{2}}}, channel{{"blocksize", std::int64_t{2}}, {"mode", std::string("CRD")}};
    const tensor y = result<ops_under_test>("onnx.DepthToSpace", {x}, depth), z = result<ops_under_test>("onnx.DepthToSpace", {x}, channel);
    REQUIRE(y.extents() == ints{1, 2, 2, 4});
    REQUIRE(z.extents() == ints{1, 2, 2, 4});
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t h = 0; h < 2; ++h)
            for (std::size_t w = 0; w < 4; ++w) {
                const std::size_t at = (c * 2 + h) * 4 + w;
                CHECK(y.as<float>()[at] == static_cast<float>(((h * 2 + w % 2) * 2 + c) * 2 + w / 2));
                CHECK(z.as<float>()[at] == static_cast<float>((c * 4 + h * 2 + w % 2) * 2 + w / 2));
            }
    const tensor back = result<ops_under_test>("onnx.SpaceToDepth", {y}, depth);
    CHECK(back.extents() == x.extents());
    CHECK(elements_of<float>(back) == elements_of<float>(x));
}

TEST_CASE("SpaceToDepth takes apart in both orders what DepthToSpace put together") {
    const tensor x = counting({2, 8, 2, 3});
    for (const char* mode : {"DCR", "CRD"}) {
        const inlay::attribute_map how{{"blocksize", std::int64_t{2}}, {"mode", std::string(mode)}};
        const tensor y = result<ops_under_test>("onnx.DepthToSpace", {x}, how),
                     back = result<ops_under_test>("onnx.SpaceToDepth", {y}, how);
        CHECK(back.extents() == x.extents());
        CHECK(elements_of<float>(back) == elements_of<float>(x));
    }
    CHECK(refused<ops_under_test>("onnx.SpaceToDepth", {f32({1, 1, 2, 2})}, {{"blocksize", std::int64_t{2}}, {"mode", std::string("X")}},
                                  "mode"));
}

TEST_CASE("Blocks have a side that divides") {
    const auto typed = [](const char* op, const inlay::tensor_type& x, std::int64_t side) {
        return inferred<ops_under_test>(op, {x}, {{"blocksize", side}});
    };
    CHECK(typed("onnx.DepthToSpace", f32({symbol("n"), 8, symbol("h"), 5}), 2) == "float32[n,2,?,10]");
    CHECK(typed("onnx.SpaceToDepth", f32({symbol("n"), 2, symbol("h"), 6}), 2) == "float32[n,8,?,3]");
    CHECK(typed("onnx.DepthToSpace", f32({1, 6, 2, 2}), 2).find("blocks of side 2") != std::string::npos);
    CHECK(typed("onnx.SpaceToDepth", f32({1, 6, 3, 2}), 2).find("blocks of side 2") != std::string::npos);
    CHECK(typed("onnx.SpaceToDepth", f32({1, 6, 3, 2}), 0).find("blocksize 0") != std::string::npos);
    CHECK(typed("onnx.SpaceToDepth", f32({1, 6, 3, 2}), INT64_MIN).starts_with("error:"));
    CHECK(typed("onnx.SpaceToDepth", f32({1, 6, 3, 2}), INT64_MAX).starts_with("error:"));
    CHECK(typed("onnx.SpaceToDepth", f32({1, 6, 3}), 1).starts_with("error:"));
    CHECK(refused<ops_under_test>("onnx.DepthToSpace", {f32({1, 4, 2, 2})}, {{"blocksize", std::int64_t{2}}, {"mode", std::string("X")}},
                                  "mode"));
}
