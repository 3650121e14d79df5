// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/attention_rules.hpp>

#include <cmath>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <inlay/ops/onnx/attention.hpp>
#include <inlay/ops/onnx/clip_and_where.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/matrix_product.hpp>
#include <inlay/ops/onnx/reshaping.hpp>
#include <inlay/ops/onnx/softmax.hpp>
#include <inlay/ops/onnx/transposition.hpp>

#include "ops/rewritten_alike.hpp"
#include "ops/sample_program.hpp"

using namespace inlay;
using inlay_test::calls_of;
using ops_here = op_table<onnx_arithmetic<>, onnx_attentions<>, onnx_clip_and_where<>, onnx_logic<>, onnx_math<>, onnx_matrix_product<>,
                          onnx_reshaping<>, onnx_softmaxes<>, onnx_transposition<>>;
using order = std::vector<std::int64_t>;

namespace {

attribute_map by(order perm) {
    attribute_map made;
    made.set("perm", std::move(perm));
    return made;
}

/// Projections of a row of tokens, heads cut and turned, as all three exporters' forms below begin: [1, 5, 8] with two heads of four.
struct tokens {
    rewriting_program p;
    node_id x = p.input({1, 5, 8});

    node_id projected() { return p.call("Add", {p.call("MatMul", {x, p.varied({8, 8})}), p.varied({8})}); }
    node_id heads(const order& perm) { return p.call("Transpose", {p.call("Reshape", {projected(), p.list({1, 5, 2, 4})})}, by(perm)); }
    node_id number(double value) { return p.filled({}, static_cast<float>(value)); }
    node_id triangle() {
        tensor kept(element_type::boolean, {1, 1, 5, 5});
        for (std::size_t i = 0; i < 25; ++i) kept.as<bool>()[i] = i % 5 <= i / 5;
        return p.constant(kept);
    }
    /// The value weighed, and the heads joined.
    node_id joined(node_id scores) {
        const node_id weighed = p.call("MatMul", {p.call("Softmax", {scores}, {{"axis", std::int64_t{3}}}), heads({0, 2, 1, 3})});
        return p.call("Reshape", {p.call("Transpose", {weighed}, by({0, 2, 1, 3})), p.list({1, 5, 8})});
    }
    ir_module whole(node_id scores) { return p.finish<ops_here>(joined(scores)); }
};

/// What becomes of a form: its meaning is compared; softmax and Where are gone, and one attention stands there, of three axes.
void becomes_attention(const ir_module& m) {
    const auto made = rewritten_alike<ops_here>(m, attention_rules(), 1e-4).graph;
    CHECK(calls_of(made, "onnx.Attention") == 1);
    for (const char* gone : {"onnx.Softmax", "onnx.Transpose", "onnx.Div", "onnx.Mul"}) CHECK(calls_of(made, gone) == 0);
    for (node_id n = 0; n < made.size(); ++n)
        if (made.op(n) == "onnx.Attention") {
            CHECK(made.attributes(n).integer("q_num_heads", 0) == 2);
            CHECK(made.attributes(n).number("scale", 0) == doctest::Approx(0.5));
        }
}

/// How many attentions become of a program, whose meaning stays.
std::size_t attentions_of(const ir_module& m) {
    return calls_of(rewritten_alike<ops_here>(m, attention_rules(), 1e-4).graph, "onnx.Attention");
}

}  // namespace

TEST_CASE("an encoder's attention: the key turned with its heads, the product divided, a mask added") {
    tokens t;
    const node_id mask = t.p.input({1, 1, 1, 5});
    const node_id product = t.p.call("MatMul", {t.heads({0, 2, 1, 3}), t.heads({0, 2, 3, 1})});
    becomes_attention(t.whole(t.p.call("Add", {t.p.call("Div", {product, t.number(2)}), mask})));
}

TEST_CASE("an image transformer's attention: both operands times the root of the scale") {
    tokens t;
    const double root = std::sqrt(0.5);
    const node_id q = t.p.call("Mul", {t.heads({0, 2, 1, 3}), t.number(root)}),
                  k = t.p.call("Mul", {t.heads({0, 2, 3, 1}), t.number(root)});
    becomes_attention(t.whole(t.p.call("MatMul", {q, k})));
    tokens before;
    const node_id q2 = before.p.call("Mul", {before.number(0.25), before.heads({0, 2, 1, 3})});
    const node_id k2 = before.p.call("Transpose", {before.p.call("Mul", {before.heads({0, 2, 1, 3}), before.number(2)})}, by({0, 1, 3, 2}));
    CHECK(attentions_of(before.whole(before.p.call("MatMul", {q2, k2}))) == 1);
}

TEST_CASE("a decoder's attention: scores of later tokens replaced by a large negative number, a mask added behind") {
    for (const bool masked : {false, true})
        for (const bool inverted : {false, true}) {
            tokens t;
            const node_id mask = t.p.input({1, 1, 1, 5});
            const node_id scores = t.p.call("Div", {t.p.call("MatMul", {t.heads({0, 2, 1, 3}), t.heads({0, 2, 3, 1})}), t.number(2)});
            const node_id low = t.number(inverted ? -3.4028234663852886e38 : -1e4);
            const node_id kept = inverted ? t.p.call("Where", {t.p.call("Not", {t.triangle()}), low, scores})
                                          : t.p.call("Where", {t.triangle(), scores, low});
            // A Not that is not folded is no constant, and so may keep nothing.
            const ir_module m = t.whole(masked ? t.p.call("Add", {kept, mask}) : kept);
            if (inverted)
                CHECK(attentions_of(m) == 0);
            else
                becomes_attention(m);
        }
    tokens t;
    tensor hidden(element_type::boolean, {5, 5});
    for (std::size_t i = 0; i < 25; ++i) hidden.as<bool>()[i] = i % 5 > i / 5;
    const node_id scores = t.p.call("Div", {t.p.call("MatMul", {t.heads({0, 2, 1, 3}), t.heads({0, 2, 3, 1})}), t.number(2)});
    becomes_attention(t.whole(t.p.call("Where", {t.p.constant(hidden), t.number(-1e9), scores})));
}

TEST_CASE(
    "a key that is not turned, another softmax, scales that are no numbers, rows that may be empty and scores that others read stay") {
    const auto scores = [](tokens& t) { return t.p.call("MatMul", {t.heads({0, 2, 1, 3}), t.heads({0, 2, 3, 1})}); };
    tokens other_axis;
    const node_id weights = other_axis.p.call("Softmax", {scores(other_axis)}, {{"axis", std::int64_t{2}}});
    CHECK(attentions_of(other_axis.p.finish<ops_here>(other_axis.p.call("MatMul", {weights, other_axis.heads({0, 2, 1, 3})}))) == 0);
    tokens by_tensor;
    CHECK(attentions_of(by_tensor.whole(by_tensor.p.call("Mul", {scores(by_tensor), by_tensor.p.varied({5})}))) == 0);
    tokens not_low;
    CHECK(attentions_of(not_low.whole(not_low.p.call("Where", {not_low.triangle(), scores(not_low), not_low.number(-1)}))) == 0);
    tokens empty_row;
    tensor none(element_type::boolean, {5, 5});
    none.as<bool>()[0] = true;
    CHECK(attentions_of(
              empty_row.whole(empty_row.p.call("Where", {empty_row.p.constant(none), scores(empty_row), empty_row.number(-1e9)}))) == 0);
    tokens not_turned;
    CHECK(attentions_of(
              not_turned.whole(not_turned.p.call("MatMul", {not_turned.heads({0, 2, 1, 3}), not_turned.p.varied({1, 2, 4, 5})}))) == 0);
    tokens read_twice;
    const node_id seen = scores(read_twice);
    const node_id all = read_twice.joined(seen);
    CHECK(attentions_of(read_twice.p.finish<ops_here>(
              read_twice.p.call("Add", {all, read_twice.p.call("Reshape", {read_twice.p.call("MatMul", {seen, read_twice.p.varied({5, 4})}),
                                                                           read_twice.p.list({1, 5, 8})})}))) == 0);
}

TEST_CASE("rows of tokens without heads become attention of one head, if the mask has no batch") {
    const auto made = [](const order& mask) {
        rewriting_program p;
        const node_id q = p.input({2, 3, 4}), k = p.input({2, 5, 4}), v = p.input({2, 5, 6});
        node_id scores = p.call("MatMul", {q, p.call("Transpose", {k}, by({0, 2, 1}))});
        if (!mask.empty()) scores = p.call("Add", {p.varied(mask), scores});
        return attentions_of(p.finish<ops_here>(p.call("MatMul", {p.call("Softmax", {scores}), v})));
    };
    CHECK(made({}) == 1);
    CHECK(made({3, 5}) == 1);
    CHECK(made({2, 1, 5}) == 0);
}

TEST_CASE("wherever the scale and the masks stand, both sides are the same") {
    rc::check([] {
        const auto pick = [](int n) { return *rc::gen::inRange(0, n); };
        rewriting_program p;
        const std::int64_t batch = 1 + pick(2), heads = 1 + pick(3), rows = 1 + pick(4), keys = 1 + pick(4), size = 1 + pick(3),
                           value_size = 1 + pick(3);
        const std::int64_t key_heads = pick(2) == 0 ? 1 : heads;
        const auto scaled = [&](node_id n) {
            const node_id number = p.filled({}, 0.25f * static_cast<float>(1 + pick(8)));
            const int which = pick(4);
            return which == 0   ? p.call("Mul", {n, number})
                   : which == 1 ? p.call("Mul", {number, n})
                   : which == 2 ? p.call("Div", {n, number})
                                : n;
        };
        const node_id q = scaled(p.input({batch, heads, rows, size}));
        node_id turned = pick(2) == 0 ? p.call("Transpose", {scaled(p.input({batch, key_heads, keys, size}))}, by({0, 1, 3, 2}))
                                      : p.call("Transpose", {scaled(p.input({batch, keys, key_heads, size}))}, by({0, 2, 3, 1}));
        const node_id v = p.input({batch, key_heads, keys, value_size});
        node_id scores = scaled(p.call("MatMul", {q, scaled(turned)}));
        const bool chosen = pick(2) == 0;
        if (chosen) {
            tensor mask(element_type::boolean, {rows, keys});
            const bool sense = pick(2) == 0;
            for (std::size_t i = 0; i < mask.count(); ++i)
                mask.as<bool>()[i] = (i % static_cast<std::size_t>(keys) == 0 || pick(2) == 0) == sense;
            const node_id condition = p.constant(mask), low = p.filled({}, -1e9f);
            scores = sense ? p.call("Where", {condition, scores, low}) : p.call("Where", {condition, low, scores});
        }
        if (pick(2) == 0)
            scores = p.call("Add", {scores, p.varied(pick(2) == 0 ? std::vector<std::int64_t>{keys}
                                                                  : std::vector<std::int64_t>{batch, 1, rows, keys})});
        const ir_module m = p.finish<ops_here>(p.call("MatMul", {p.call("Softmax", {scores}), v}));
        const auto after = rewritten_alike<ops_here>(m, attention_rules(), 1e-4);
        // Type and order of the operands are told by the query; where a batch of the mask alone stretched it, nothing is done.
        RC_ASSERT(calls_of(after.graph, "onnx.Attention") == 1u);
    });
}
