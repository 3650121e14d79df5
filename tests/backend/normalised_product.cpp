// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/normalised_product.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/pattern/match/match.hpp>

#include "small_graph.hpp"

using namespace inlay;
using namespace inlay_test;
using detail::normalised_product;

namespace {

node_id biased(small_graph& t, node_id x) { return t.call("onnx.Add", {t.call("onnx.MatMul", {x, t.random({4, 6})}), t.random({6})}); }

node_id written(small_graph& t, node_id x, const std::vector<std::int64_t>& axes = {-1}) {
    const node_id d = t.call("onnx.Sub", {x, t.call("onnx.ReduceMean", {x, t.integers(axes)})});
    const node_id square = t.call("onnx.Pow", {d, t.scalar(2)});
    const node_id variance = t.call("onnx.Add", {t.call("onnx.ReduceMean", {square, t.integers({-1})}), t.scalar(0.25f)});
    return t.call("onnx.Mul", {t.call("onnx.Div", {d, t.call("onnx.Sqrt", {variance})}), t.random({6})});
}

std::string why_not(ir_module g) {
    const whole_region whole(std::move(g));
    const auto p = normalised_product::read(whole.view(), 8);
    return p ? "" : p.failure().message;
}

}  // namespace

TEST_CASE("a product with its bias, another tensor and the normalisation of that is found and read, one operator or written out") {
    for (const bool one : {true, false}) {
        CAPTURE(one);
        small_graph t;
        const node_id sum = t.call("onnx.Add", {biased(t, t.input({2, 3, 4})), t.input({2, 3, 6})});
        const node_id y = one ? t.call("onnx.LayerNormalization", {sum, t.random({6})}, {{"epsilon", 0.25}}) : written(t, sum);
        const ir_module g = t.finish(y);
        const auto m = match(normalised_product::pattern(), g, user_lists(g), y);
        REQUIRE(m.has_value());
        CHECK(m->nodes.size() == (one ? 4 : 11));
        const whole_region whole(g);
        const auto p = normalised_product::read(whole.view(), 8);
        REQUIRE_MESSAGE(p.has_value(), p.failure().message);
        CHECK(p->product.extents == std::vector<std::int64_t>{6, 6});
        CHECK(p->product.bias.has_value());
        CHECK(p->product.after.size() == 1);
        CHECK(p->norm.rows == 6);
        CHECK(p->norm.columns == 6);
        CHECK(p->norm.epsilon == 0.25);
        CHECK(whole.view()[p->norm.x].origin == sum);
    }
}

TEST_CASE("what is no product whose rows are normalised says why") {
    small_graph alone;
    CHECK_FALSE(why_not(alone.finish(alone.call("onnx.LayerNormalization", {alone.input({3, 4}), alone.random({4})}))).empty());
    small_graph product;
    CHECK(why_not(product.finish(biased(product, product.input({3, 4})))) == "the region is no layer normalisation");
    small_graph two;
    const node_id both = two.call("onnx.MatMul", {two.input({3, 4}), two.input({4, 6})});
    CHECK(why_not(two.finish(two.call("onnx.LayerNormalization", {both, two.random({6})}))) ==
          "what is normalised is no product of one matrix with a constant one");
    small_graph turned;
    const node_id left = turned.call("onnx.Transpose", {turned.input({4, 3})});
    const node_id of_turned = turned.call("onnx.MatMul", {left, turned.random({4, 6})});
    CHECK(why_not(turned.finish(turned.call("onnx.LayerNormalization", {of_turned, turned.random({6})}))) ==
          "the product's first operand is transposed, so that its rows do not lie side by side");
    small_graph turned_alone;
    const node_id product_alone = turned_alone.call("onnx.MatMul", {turned_alone.input({6, 4}), turned_alone.random({4, 6})});
    const node_id columns = turned_alone.call("onnx.Transpose", {product_alone});
    CHECK(why_not(turned_alone.finish(turned_alone.call("onnx.LayerNormalization", {columns, turned_alone.random({6})}))) ==
          "what is normalised is a transposed product, whose rows do not lie one after the other");
    small_graph wide;
    const node_id rows = biased(wide, wide.input({3, 4}));
    CHECK(why_not(wide.finish(wide.call("onnx.LayerNormalization", {rows, wide.random({3, 6})}, {{"axis", std::int64_t{0}}}))) ==
          "the layer normalisation of float32[3,6] is not over the rows of the product, its last axis");
    small_graph other;
    CHECK(why_not(other.finish(written(other, biased(other, other.input({6, 4})), {0}))) ==
          "the mean is not over the last axis, its extent kept");
}
